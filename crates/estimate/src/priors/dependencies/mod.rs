//! Attributes that follow from others in a public table, such as the category of an industry from its code.
//!
//! A row that breaks such a rule is a combination that the public table says cannot be. Its own rows keep all of them;
//! what makes other rows ([`crate::priors::widen`], [`crate::priors::pool`], [`crate::hierarchy`]) takes the attributes of a rule from
//! one public row together.

mod donors;
mod find;
mod rows;

pub(crate) use donors::Donors;
pub use find::find;
pub use rows::Followed;
pub(crate) use rows::{Rows, nearest};

/// An attribute that follows from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dependency {
    /// The attribute that says it.
    pub from: u16,
    /// The attribute that follows.
    pub to: u16,
    /// Whether only the raw numbers of `from` say it, and not its codes, which are coarser.
    pub by_number: bool,
    /// Whether the raw number of `to` follows too, and not its code alone.
    pub number: bool,
}

/// The dependencies that are to be kept; none by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Dependencies {
    list: Vec<Dependency>,
}

impl Dependencies {
    /// These dependencies.
    pub fn new(list: Vec<Dependency>) -> Self {
        Self { list }
    }

    /// All of them.
    pub fn list(&self) -> &[Dependency] {
        &self.list
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether the code of an attribute follows from the code of another.
    pub fn follows(&self, from: u16, to: u16) -> bool {
        self.list.iter().any(|one| one.from == from && one.to == to && !one.by_number)
    }

    /// An attribute and all whose codes follow from its code, itself first.
    pub fn part(&self, of: u16) -> Vec<u16> {
        let mut part = vec![of];
        let mut next = 0;
        while let Some(from) = part.get(next).copied() {
            let to = self.list.iter().filter(|one| one.from == from && !one.by_number).map(|one| one.to);
            let new: Vec<u16> = to.filter(|a| !part.contains(a)).collect();
            part.extend(new);
            next += 1;
        }
        part
    }

    /// For each attribute the one from whose public row it is taken: itself where it follows from none. Of two that follow
    /// from each other, that is the one without raw numbers, or else the first.
    fn roots(&self, attributes: usize, has_numbers: impl Fn(u16) -> bool) -> Vec<u16> {
        let says = |from: u16, to: u16| self.list.iter().any(|one| one.from == from && one.to == to);
        let mut roots: Vec<u16> = (0..attributes as u16).collect();
        let (numbered, plain): (Vec<u16>, Vec<u16>) = roots.iter().partition(|a| has_numbers(**a));
        let mut left = [plain, numbered].concat();
        let mut placed: Vec<u16> = Vec::new();
        while !left.is_empty() {
            let free = |x: &u16| !left.iter().any(|y| y != x && says(*y, *x) && !says(*x, *y));
            let x = left.remove(left.iter().position(free).unwrap_or(0));
            if let Some(from) = placed.iter().find(|from| says(**from, x)) {
                roots[usize::from(x)] = roots[usize::from(*from)];
            }
            placed.push(x);
        }
        roots
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(from: u16, to: u16) -> Dependency {
        Dependency { from, to, by_number: false, number: false }
    }

    #[test]
    fn what_follows_is_taken_from_the_row_of_what_it_follows_from_in_the_end() {
        // 0 → 1 → 2, 3 ↔ 4, of which 3 has raw numbers, and 5 from both 0 and 3.
        let all = [code(0, 1), code(1, 2), code(0, 2), code(3, 4), code(4, 3), code(0, 5), code(3, 5)];
        let kept = Dependencies::new(all.to_vec());
        assert_eq!(kept.roots(7, |a| a == 3), [0, 0, 0, 4, 4, 0, 6]);
        assert_eq!(kept.part(0), [0, 1, 2, 5]);
        assert_eq!(kept.part(6), [6]);
        assert!(kept.follows(0, 1) && !kept.follows(1, 0));
    }

    #[test]
    fn a_circle_ends_all_the_same() {
        let kept = Dependencies::new(vec![code(0, 1), code(1, 2), code(2, 0)]);
        assert_eq!(kept.roots(3, |_| false), [0, 0, 0]);
    }
}
