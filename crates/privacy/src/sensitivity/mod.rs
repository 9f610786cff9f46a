//! How much one unit can change exact answers. This is the only place that says so.
//!
//! A unit has 0 to k rows. Under *add/remove* a neighbour lacks all rows of one unit. Under *replace* the rows of one
//! unit are others, and there may be fewer of them: a unit can have less than k rows, and a row that cannot be read
//! is dropped. So an answer changes by a sum of at most k terms, each the answer to a row that comes (one column of
//! the query's matrix), to one that goes, or to one that becomes another (a difference of two columns). Norms are convex,
//! so the worst case repeats the worst term k times.
//!
//! | | add/remove L1 | L2² | replace L1 | L2² |
//! |---|---|---|---|---|
//! | C marginals | kC | k²C | 2kC | 2k²C |
//! | W on a clique | k·max‖W_j‖₁ | k²·max‖W_j‖₂² | k·max(‖W_j‖₁, ‖W_i − W_j‖₁) | k²·max(‖W_j‖₂², ‖W_i − W_j‖₂²) |
//! | a count | k | k² | k | k² |
//!
//! Of products of queries: `product.rs`.
//!
//! **Groups.** Where the same queries are answered in every group of a partition of the rows, the k rows of a unit
//! may lie in any groups, and nothing is saved or added: a row is in one group. But under replace a row may go from one
//! group and come in another. Then the two columns stand in different answers and do not cancel: ‖W_i‖₁ + ‖W_j‖₁, and
//! ‖W_i‖₂² + ‖W_j‖₂², at most twice the largest; the worse of this and of a change within a group counts. For marginals
//! both are the same; for a count and for W the first can be more.

mod product;

use crate::rational::invalid;
use crate::unit::{Neighbours, Relation};
use marginalia_tables::Result;
use marginalia_tables::query::Product;
use num_bigint::BigInt;

/// The largest change of a list of answers between neighbours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sensitivity {
    l1: BigInt,
    l2_squared: BigInt,
}

/// Whether queries are answered once, or in every group of a partition of the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// Once, over all rows.
    Whole,
    /// In every group; a unit may have rows in any of them.
    Groups,
}

/// A linear query on a clique: answers = W·cells. Row-major, a column a cell.
#[derive(Debug, Clone, Copy)]
pub struct Matrix<'a> {
    columns: usize,
    values: &'a [i64],
}

impl<'a> Matrix<'a> {
    /// `values` row after row, `columns` of them in each.
    pub fn new(columns: usize, values: &'a [i64]) -> Result<Self> {
        if columns == 0 || values.is_empty() || !values.len().is_multiple_of(columns) {
            return Err(invalid(
                "the matrix of a query has as many columns as its clique has cells, and a row at least",
            ));
        }
        Ok(Self { columns, values })
    }

    fn column(&self, j: usize) -> impl Iterator<Item = i64> {
        self.values.iter().skip(j).step_by(self.columns).copied()
    }

    /// One of each of the columns that are the same.
    fn distinct(&self) -> Vec<usize> {
        let mut columns: Vec<usize> = (0..self.columns).collect();
        columns.sort_unstable_by(|a, b| self.column(*a).cmp(self.column(*b)));
        columns.dedup_by(|a, b| self.column(*a).eq(self.column(*b)));
        columns
    }
}

impl Sensitivity {
    /// The sum of the absolute changes.
    pub fn l1(&self) -> &BigInt {
        &self.l1
    }

    /// The sum of the squared changes: exact, where its root might not be.
    pub fn l2_squared(&self) -> &BigInt {
        &self.l2_squared
    }

    /// That of `count` full marginals on any cliques, the same one twice or overlapping ones included; in groups or not.
    pub fn marginals(neighbours: &Neighbours, count: u64) -> Self {
        let turns = match neighbours.relation {
            Relation::AddRemove => 1_u32,
            Relation::Replace { .. } => 2,
        };
        let all: BigInt = BigInt::from(count) * turns;
        Self { l1: all.clone(), l2_squared: all }.of_unit(neighbours)
    }

    /// That of a linear query. Under replace the time grows with the square of the columns that differ.
    #[inline(never)]
    pub fn linear(neighbours: &Neighbours, matrix: Matrix, spread: Spread) -> Self {
        let columns = matrix.distinct();
        let norms = columns.iter().map(|j| Norms::of(matrix.column(*j).map(i128::from)));
        let single = norms.fold(Norms::default(), |most, one| most.max(&one));
        let most = match (neighbours.relation, spread) {
            (Relation::AddRemove, _) => single,
            (Relation::Replace { .. }, Spread::Whole) => differences(matrix, &columns, single),
            (Relation::Replace { .. }, Spread::Groups) => {
                let across = Norms { l1: &single.l1 * 2, squared: &single.squared * 2 };
                differences(matrix, &columns, across)
            }
        };
        Self { l1: most.l1, l2_squared: most.squared }.of_unit(neighbours)
    }

    /// That of a product of queries; under replace it may be a bound.
    #[inline(never)]
    pub fn product(neighbours: &Neighbours, product: &Product, spread: Spread) -> Self {
        product::product(neighbours, product, spread)
    }

    /// That of the number of rows, or of those that fulfil a condition.
    pub fn count(neighbours: &Neighbours, spread: Spread) -> Self {
        let one = BigInt::from(match (neighbours.relation, spread) {
            (Relation::Replace { .. }, Spread::Groups) => 2,
            _ => 1,
        });
        Self { l1: one.clone(), l2_squared: one }.of_unit(neighbours)
    }

    #[inline(never)]
    fn of_unit(self, neighbours: &Neighbours) -> Self {
        let rows = BigInt::from(neighbours.unit.rows());
        Self { l1: self.l1 * &rows, l2_squared: self.l2_squared * &rows * &rows }
    }
}

#[derive(Default)]
struct Norms {
    l1: BigInt,
    squared: BigInt,
}

impl Norms {
    fn of(values: impl Iterator<Item = i128>) -> Self {
        let mut norms = Self::default();
        for value in values.filter(|value| *value != 0) {
            let value = BigInt::from(value.abs());
            norms.squared += &value * &value;
            norms.l1 += value;
        }
        norms
    }

    /// The larger of each norm; the two may come from different columns.
    fn max(self, other: &Self) -> Self {
        Self { l1: self.l1.max(other.l1.clone()), squared: self.squared.max(other.squared.clone()) }
    }
}

/// The larger of what is there and of the difference of any two of some columns.
fn differences(matrix: Matrix, columns: &[usize], least: Norms) -> Norms {
    let mut most = least;
    for (i, one) in columns.iter().enumerate() {
        for other in &columns[..i] {
            let pairs = matrix.column(*one).zip(matrix.column(*other));
            most = most.max(&Norms::of(pairs.map(|(a, b)| i128::from(a) - i128::from(b))));
        }
    }
    most
}
