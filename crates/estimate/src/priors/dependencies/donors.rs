//! Public rows that lend their values to rows that are made.

use super::{Dependencies, Dependency, Rows};
use crate::seed::Seed;
use std::cmp::Ordering;

/// For each attribute that says what others are, the public rows that have its codes.
#[derive(Debug)]
pub(crate) struct Donors {
    rows: Rows,
    families: Vec<Family>,
    /// The family of each attribute; none where nothing is said of it, and it says nothing.
    of: Vec<Option<usize>>,
    kept: Vec<Dependency>,
}

/// Attributes whose values are taken from one row.
#[derive(Debug)]
struct Family {
    /// The one that says what the others are, and these.
    members: Vec<u16>,
    /// The rows by the codes of the members.
    order: Vec<u32>,
}

impl Donors {
    /// The rows that may lend what dependencies ask for; none where there are no dependencies.
    pub(crate) fn new(rows: Rows, dependencies: &Dependencies) -> Option<Self> {
        if dependencies.is_empty() {
            return None;
        }
        let kept = dependencies.list().to_vec();
        let attributes = rows.table().schema().base().len();
        let roots = dependencies.roots(attributes, |a| rows.raw(a).is_some());
        let mut families: Vec<Family> = Vec::new();
        let mut of = vec![None; attributes];
        for root in 0..attributes as u16 {
            let says = kept.iter().any(|one| one.from == root) && roots[usize::from(root)] == root;
            if says {
                let others = (0..attributes as u16).filter(|a| *a != root && roots[usize::from(*a)] == root);
                let members: Vec<u16> = std::iter::once(root).chain(others).collect();
                members.iter().for_each(|a| of[usize::from(*a)] = Some(families.len()));
                let compare = |a: usize, b: usize| {
                    let unequal = |member: &u16| rows.code(a, *member).cmp(&rows.code(b, *member));
                    members.iter().map(unequal).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
                };
                let order = rows.sorted(&compare);
                families.push(Family { members, order });
            }
        }
        Some(Self { rows, families, of, kept })
    }

    /// Puts what follows into a row, and returns the row that each family took it from: one that agrees with the codes that
    /// the row had, where there is one, so that it changes as little as it must. None where that breaks another rule.
    pub(crate) fn complete(&self, codes: &mut [u16], random: &mut Seed) -> Option<Vec<u32>> {
        let mut chosen = Vec::with_capacity(self.families.len());
        for family in &self.families {
            let one = family.choose(&self.rows, codes, random)?;
            let copy = |a: &u16| codes[usize::from(*a)] = self.rows.code(one as usize, *a);
            family.members.iter().for_each(copy);
            chosen.push(one);
        }
        self.kept.iter().all(|one| self.keeps(one, codes, &chosen)).then_some(chosen)
    }

    /// Whether the row that says what an attribute is has the same of it as the row that lends it.
    fn keeps(&self, one: &Dependency, codes: &[u16], chosen: &[u32]) -> bool {
        let of = |a: u16| self.of[usize::from(a)].map(|family| chosen[family] as usize);
        let Some(from) = of(one.from) else { return true };
        let number = |at: usize| self.rows.raw(one.to).map(|raw| self.rows.number(at, raw).to_bits());
        self.rows.code(from, one.to) == codes[usize::from(one.to)]
            && (!one.number || of(one.to).is_none_or(|to| number(to) == number(from)))
    }

    /// The raw numbers of an attribute in rows that are made, by the rows that lent them; none where none did.
    pub(crate) fn numbers(&self, attribute: usize, chosen: &[Vec<u32>]) -> Option<Vec<f64>> {
        let (family, raw) = ((*self.of.get(attribute)?)?, self.rows.raw(attribute as u16)?);
        Some(chosen.iter().map(|row| self.rows.number(row[family] as usize, raw)).collect())
    }
}

impl Family {
    /// A row with the same codes of all members, or else of the first.
    fn choose(&self, rows: &Rows, codes: &[u16], random: &mut Seed) -> Option<u32> {
        [self.members.len(), 1].into_iter().find_map(|most| {
            let compare = |at: &u32| {
                let unequal = |a: &u16| rows.code(*at as usize, *a).cmp(&codes[usize::from(*a)]);
                self.members[..most].iter().map(unequal).find(|order| order.is_ne())
            };
            let start = self.order.partition_point(|at| compare(at) == Some(Ordering::Less));
            let equal = self.order[start..].partition_point(|at| compare(at).is_none());
            (equal > 0).then(|| self.order[start + random.below(equal as u64) as usize])
        })
    }
}
