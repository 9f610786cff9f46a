//! The groups of a schema: what is derived there is derived here, and what follows from groups in the public table.

use super::{Derived, HierarchyPlan, invalid};
use crate::priors::dependencies::Followed;
use marginalia_tables::{Domain, Kind, Result, Schema};

impl HierarchyPlan {
    /// A chain of levels of a schema. What follows from an attribute of the last level is the same for all records of a
    /// group; a derived attribute can make groups where what it follows from is one of the last level too.
    pub fn of_schema(schema: &Schema, levels: Vec<Vec<u16>>) -> Result<Self> {
        Self::following(schema, levels, &[])
    }

    /// The same where more attributes follow from some of the last level, each with what it follows from: they are the same
    /// for all records of a group. One that makes groups itself is left alone.
    pub fn following(schema: &Schema, levels: Vec<Vec<u16>>, more: &[(u16, Followed)]) -> Result<Self> {
        let attributes = schema.attributes();
        let domain = Domain::new(schema.sizes());
        let known = |a: &u16| usize::from(*a) < attributes.len();
        if !levels.iter().flatten().all(known) {
            // It says so itself.
            return Self::new(domain, levels, Vec::new());
        }
        let last = levels.last().map_or(&[][..], Vec::as_slice);
        let size = |a: u16| domain.sizes().get(usize::from(a)).map_or(0, |size| *size as usize);
        let fits = |(from, one): &(u16, Followed)| {
            one.codes.len() == size(*from)
                && one.numbers.len() == size(*from)
                && one.codes.iter().all(|code| usize::from(*code) < size(one.to))
        };
        if !more.iter().all(fits) {
            return Err(invalid("what follows from a group needs a code for each of its codes"));
        }
        let apart = |a: &u16| levels.iter().flatten().all(|other| other != a);
        let more: Vec<&(u16, Followed)> = more.iter().filter(|(_, one)| apart(&one.to)).collect();
        let mut derived: Vec<Derived> = more
            .iter()
            .map(|(from, one)| Derived { attribute: one.to, from: *from, codes: one.codes.clone() })
            .collect();
        for (attribute, one) in (0u16..).zip(attributes) {
            let Kind::Derived { .. } = &one.kind else { continue };
            let (from, codes) = root(schema, attribute);
            let via = more.iter().find(|(_, one)| one.to == from);
            if last.contains(&from) {
                derived.push(Derived { attribute, from, codes });
            } else if let Some((from, one)) = via {
                let codes = one.codes.iter().map(|code| codes[usize::from(*code)]).collect();
                derived.push(Derived { attribute, from: *from, codes });
            } else if levels.iter().flatten().any(|a| *a == attribute) {
                return Err(invalid(
                    "a derived attribute makes groups where the last level has the attribute that it follows from: \
                     end the chain with that one",
                ));
            }
        }
        let numbers = more.iter().map(|(_, one)| (one.to, one.numbers.clone())).collect();
        Ok(Self::new(domain, levels, derived)?.with_numbers(numbers))
    }
}

/// The attribute of the file that a derived one follows from in the end, and its code for each code of that.
fn root(schema: &Schema, attribute: u16) -> (u16, Vec<u16>) {
    let kind = |a: u16| &schema.attributes()[usize::from(a)].kind;
    let Kind::Derived { from, codes, .. } = kind(attribute) else { return (attribute, Vec::new()) };
    let (mut from, mut codes) = (*from as u16, codes.clone());
    while let Kind::Derived { from: before, codes: first, .. } = kind(from) {
        codes = first.iter().map(|code| codes[usize::from(*code)]).collect();
        from = *before as u16;
    }
    (from, codes)
}
