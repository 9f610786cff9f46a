//! Products of queries, one for each attribute of a clique: the matrix W₁ ⊗ W₂ ⊗ …, which is never expanded.

use super::{Matrix, invalid};
use crate::Result;
use std::ops::{Add, Mul};

/// What is asked of one attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Factor {
    /// Each of so many codes.
    Identity(usize),
    /// Integer combinations of them.
    Linear(Matrix),
}

/// A query for each attribute of a clique; the last one's answers are the fastest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    factors: Vec<Factor>,
    cells: usize,
    answers: usize,
}

impl Factor {
    /// Number of codes.
    pub fn columns(&self) -> usize {
        match self {
            Self::Identity(codes) => *codes,
            Self::Linear(matrix) => matrix.columns(),
        }
    }

    /// Number of queries.
    pub fn rows(&self) -> usize {
        match self {
            Self::Identity(codes) => *codes,
            Self::Linear(matrix) => matrix.rows().len(),
        }
    }

    /// What a query counts a code for.
    pub fn entry(&self, row: usize, column: usize) -> i32 {
        match self {
            Self::Identity(_) => i32::from(row == column),
            Self::Linear(matrix) => matrix.entry(row, column),
        }
    }

    /// The largest size of an entry.
    fn most(&self) -> u32 {
        match self {
            Self::Identity(_) => 1,
            Self::Linear(matrix) => matrix.values.iter().map(|w| w.unsigned_abs()).max().unwrap_or(0),
        }
    }
}

impl Product {
    /// The product of some factors. Its entries are of 32 bits, as those of a matrix are.
    pub fn new(factors: Vec<Factor>) -> Result<Self> {
        let of = |number: fn(&Factor) -> usize| {
            let product = factors.iter().try_fold(1usize, |all, one| all.checked_mul(number(one)));
            product.filter(|all| *all >= 1 && u32::try_from(*all).is_ok())
        };
        let most = factors.iter().try_fold(1u32, |all, one| all.checked_mul(one.most()));
        let refused = || invalid("a product of queries has less than 2^32 cells and answers");
        let (cells, answers) =
            (of(Factor::columns).ok_or_else(refused)?, of(Factor::rows).ok_or_else(refused)?);
        if most.is_none_or(|most| most > i32::MAX as u32) {
            return Err(invalid("the products of the numbers of its queries must be of 32 bits"));
        }
        Ok(Self { factors, cells, answers })
    }

    /// The queries of the attributes.
    pub fn factors(&self) -> &[Factor] {
        &self.factors
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Number of answers.
    pub fn answers(&self) -> usize {
        self.answers
    }

    /// What an answer counts a cell for.
    pub fn entry(&self, mut answer: usize, mut cell: usize) -> i32 {
        let mut entry = 1;
        for factor in self.factors.iter().rev() {
            entry *= factor.entry(answer % factor.rows(), cell % factor.columns());
            (answer, cell) = (answer / factor.rows(), cell / factor.columns());
        }
        entry
    }

    /// `W x`, one attribute after another. Integers are exact where |entry| times the sum of |x| is in range.
    pub fn apply<N: Number>(&self, cells: &[N]) -> Vec<N> {
        self.through(cells, |factor, row, column| factor.entry(row, column), Factor::rows)
    }

    /// `Wᵀ y`.
    pub fn transpose<N: Number>(&self, answers: &[N]) -> Vec<N> {
        self.through(answers, |factor, row, column| factor.entry(column, row), Factor::columns)
    }

    fn through<N: Number>(
        &self,
        from: &[N],
        entry: impl Fn(&Factor, usize, usize) -> i32,
        rows: impl Fn(&Factor) -> usize,
    ) -> Vec<N> {
        let mut all = from.to_vec();
        // What comes after the attribute, as its queries are answered already.
        let mut inner = 1;
        for factor in self.factors.iter().rev() {
            let (out, own) = (rows(factor), factor.rows() + factor.columns() - rows(factor));
            if let Factor::Linear(_) = factor {
                let mut next = vec![N::default(); all.len() / own * out];
                for (from, to) in all.chunks_exact(own * inner).zip(next.chunks_exact_mut(out * inner)) {
                    for (row, to) in to.chunks_exact_mut(inner).enumerate() {
                        for (column, from) in from.chunks_exact(inner).enumerate() {
                            let weight = entry(factor, row, column);
                            if weight != 0 {
                                let weight = N::from(weight);
                                to.iter_mut().zip(from).for_each(|(to, from)| *to = *to + weight * *from);
                            }
                        }
                    }
                }
                all = next;
            }
            inner *= out;
        }
        all
    }
}

/// What answers are counted in.
pub trait Number: Copy + Default + From<i32> + Add<Output = Self> + Mul<Output = Self> {}

impl Number for f64 {}
impl Number for i128 {}
