//! The groups of a schema: what is derived there is derived here.

use super::{Derived, HierarchyPlan, invalid};
use marginalia_tables::{Domain, Kind, Result, Schema};

impl HierarchyPlan {
    /// A chain of levels of a schema. What follows from an attribute of the last level is the same for all records of a
    /// group; a derived attribute can make groups where what it follows from is one of the last level too.
    pub fn of_schema(schema: &Schema, levels: Vec<Vec<u16>>) -> Result<Self> {
        let attributes = schema.attributes();
        let domain = Domain::new(schema.sizes());
        let known = |a: &u16| usize::from(*a) < attributes.len();
        if !levels.iter().flatten().all(known) {
            // It says so itself.
            return Self::new(domain, levels, Vec::new());
        }
        let last = levels.last().map_or(&[][..], Vec::as_slice);
        let mut derived = Vec::new();
        for (attribute, one) in (0u16..).zip(attributes) {
            let Kind::Derived { .. } = &one.kind else { continue };
            let (from, codes) = root(schema, attribute);
            if last.contains(&from) {
                derived.push(Derived { attribute, from, codes });
            } else if levels.iter().flatten().any(|a| *a == attribute) {
                return Err(invalid(
                    "a derived attribute makes groups where the last level has the attribute that it follows from: \
                     end the chain with that one",
                ));
            }
        }
        Self::new(domain, levels, derived)
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
