//! The rows of a public table, one for each of their raw numbers.

use super::Dependency;
use marginalia_tables::{Error, Result, Table};
use std::cmp::Ordering;
use std::sync::Arc;

/// Rows that have weight. A row that stands for several raw numbers is there once for each.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    table: Arc<Table>,
    /// The row of the table, and which of its raw numbers.
    list: Vec<(u32, u32)>,
}

impl Rows {
    /// Those that are wanted.
    pub(crate) fn new(table: Arc<Table>, wanted: &dyn Fn(usize) -> bool) -> Result<Self> {
        let mut list = Vec::new();
        for row in 0..table.rows() {
            if table.weights().is_none_or(|weights| weights.get(row) > 0.0) && wanted(row) {
                let times = table.raw().first().map_or(1, |raw| raw.of(row).len().max(1));
                list.try_reserve(times).map_err(|_| Error::out_of_memory(8 * times))?;
                list.extend((0..times).map(|i| (row as u32, i as u32)));
            }
        }
        Ok(Self { table, list })
    }

    /// The places of all rows, sorted; of equal ones the first comes first.
    pub(crate) fn sorted(&self, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.list.len() as u32).collect();
        order.sort_unstable_by(|a, b| compare(*a as usize, *b as usize).then(a.cmp(b)));
        order
    }

    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn code(&self, at: usize, attribute: u16) -> u16 {
        self.table.columns()[usize::from(attribute)].get(self.list[at].0 as usize)
    }

    /// Which of the table's raw columns an attribute has.
    pub(crate) fn raw(&self, attribute: u16) -> Option<usize> {
        self.table.raw().iter().position(|raw| raw.attribute == usize::from(attribute))
    }

    /// A raw number; not one where the text was none.
    pub(crate) fn number(&self, at: usize, raw: usize) -> f64 {
        let (raw, (row, i)) = (&self.table.raw()[raw], self.list[at]);
        raw.of(row as usize).nth(i as usize).map_or(f64::NAN, |place| raw.values.get(place))
    }
}

/// What an attribute is for each code of another that it follows from.
#[derive(Debug, Clone, PartialEq)]
pub struct Followed {
    /// The attribute that follows.
    pub to: u16,
    /// Its code for each.
    pub codes: Vec<u16>,
    /// Its raw number for each; not one where it has none, or where it does not follow.
    pub numbers: Vec<f64>,
}

impl Followed {
    /// By the rows of a public table. What follows from a code that no row has is what follows from the nearest one that a row
    /// has, in declared order and the lower of two: some value has to, and records keep the rule with any.
    pub fn of(table: Arc<Table>, dependency: Dependency) -> Result<Self> {
        let Dependency { from, to, number, .. } = dependency;
        let size = table.domain().sizes()[usize::from(from)] as usize;
        let rows = Rows::new(table, &|_| true)?;
        let raw = rows.raw(to).filter(|_| number);
        let mut known: Vec<Option<(u16, f64)>> = vec![None; size];
        for at in 0..rows.len() {
            known[usize::from(rows.code(at, from))]
                .get_or_insert_with(|| (rows.code(at, to), raw.map_or(f64::NAN, |raw| rows.number(at, raw))));
        }
        let of = nearest(size, &|code| known[code].is_some());
        let all: Vec<(u16, f64)> = of.iter().map(|code| known[*code].unwrap_or((0, f64::NAN))).collect();
        let (codes, numbers) = all.into_iter().unzip();
        Ok(Self { to, codes, numbers })
    }
}

/// For each code the nearest that is known, the lower of two.
pub(crate) fn nearest(size: usize, known: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let mut near: Vec<usize> = (0..size).collect();
    for (code, near) in near.iter_mut().enumerate() {
        let is_near = |by: usize| {
            let below = code.checked_sub(by).filter(|other| known(*other));
            below.or(Some(code + by).filter(|other| *other < size && known(*other)))
        };
        *near = (0..size).find_map(is_near).unwrap_or(code);
    }
    near
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_known_code_is_the_lower_of_two() {
        assert_eq!(nearest(7, &|code| [1, 5].contains(&code)), [1, 1, 1, 1, 5, 5, 5]);
        assert_eq!(nearest(3, &|_| false), [0, 1, 2]);
        assert_eq!(nearest(3, &|_| true), [0, 1, 2]);
    }
}
