//! For a cover in the making: which sets lack one attribute only, and which.

use super::sets::Sets;
use std::collections::HashMap;

/// The sets by their facets. A facet of a set is what remains without one of its attributes.
pub struct Facets {
    completed_by: HashMap<Box<[u16]>, Vec<(u16, u32)>>,
    sizes: Vec<usize>,
    /// The set that is nothing but an attribute, by attribute.
    pub single: Vec<Option<u32>>,
}

impl Facets {
    /// The facets of some sets over so many attributes.
    pub fn of(sets: &Sets, small: &[u32], attributes: usize) -> Self {
        let mut facets =
            Self { completed_by: HashMap::new(), sizes: Vec::new(), single: vec![None; attributes] };
        let mut facet = Vec::new();
        for &set in small {
            let members = sets.attributes(set);
            if let [a] = members {
                facets.single[usize::from(*a)] = Some(set);
                continue;
            }
            for (i, &a) in members.iter().enumerate() {
                facet.clear();
                facet.extend_from_slice(&members[..i]);
                facet.extend_from_slice(&members[i + 1..]);
                match facets.completed_by.get_mut(&facet[..]) {
                    Some(list) => list.push((a, set)),
                    None => {
                        facets.completed_by.insert(facet.as_slice().into(), vec![(a, set)]);
                    }
                }
            }
            let size = members.len().saturating_sub(1);
            if size > 0 && !facets.sizes.contains(&size) {
                facets.sizes.push(size);
            }
        }
        facets
    }

    /// Calls `f` with each set that has a facet in `inside` ∪ {a} containing `a`, and the attribute that completes
    /// it. `inside` is ascending and lacks `a`.
    pub fn each(&self, inside: &[u16], a: u16, mut f: impl FnMut(u16, u32)) {
        let mut facet = Vec::new();
        for &size in &self.sizes {
            subsets(inside, size - 1, &mut facet, &mut |facet| {
                let at = facet.partition_point(|b| *b < a);
                facet.insert(at, a);
                for (completing, set) in self.completed_by.get(&facet[..]).into_iter().flatten() {
                    f(*completing, *set);
                }
                facet.remove(at);
            });
        }
    }
}

/// Calls `f` with each subset of `size` members, after what `chosen` holds already.
fn subsets(members: &[u16], size: usize, chosen: &mut Vec<u16>, f: &mut impl FnMut(&mut Vec<u16>)) {
    if size == 0 {
        return f(chosen);
    }
    for i in 0..(members.len() + 1).saturating_sub(size) {
        chosen.push(members[i]);
        subsets(&members[i + 1..], size - 1, chosen, f);
        chosen.pop();
    }
}
