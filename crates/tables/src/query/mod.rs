//! What is asked of the cells of a clique: the cells themselves, or integer combinations of them.

mod product;

pub use product::{Factor, Number, Product};

use crate::{Code, Error, Result};

/// The most entries of a matrix: linear queries are for few cells, and a person writes them down.
const MAX_ENTRIES: usize = 1 << 22;

/// A question to the cells of a clique. Answers are `W x` for cells `x`, where every row of `W` is one query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// Every cell.
    Identity,
    /// Integer combinations of the cells, one a row.
    Linear(Matrix),
    /// A query for each attribute, and all products of theirs.
    Product(Product),
}

/// A matrix of integers, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    columns: usize,
    values: Vec<i32>,
}

impl Matrix {
    /// A matrix over `columns` cells.
    pub fn new(columns: usize, values: Vec<i32>) -> Result<Self> {
        if columns == 0 || values.is_empty() || !values.len().is_multiple_of(columns) {
            return Err(invalid(
                "a linear query needs one number for each cell of its clique, in at least one row",
            ));
        }
        admit(values.len())?;
        Ok(Self { columns, values })
    }

    /// The sums of the first 1, 2, …, `columns` cells.
    pub fn prefix(columns: usize) -> Result<Self> {
        Self::ranges(columns, &(0..columns).map(|last| (0, last)).collect::<Vec<_>>())
    }

    /// The sums of runs of cells, each from its first to its last one.
    pub fn ranges(columns: usize, ranges: &[(usize, usize)]) -> Result<Self> {
        if ranges.iter().any(|(first, last)| first > last || *last >= columns) {
            return Err(invalid(
                "a range must begin at or before its end and lie within the cells of its clique",
            ));
        }
        admit(columns.saturating_mul(ranges.len()))?;
        let mut values = vec![0; columns * ranges.len()];
        for (row, (first, last)) in values.chunks_exact_mut(columns.max(1)).zip(ranges) {
            row[*first..=*last].fill(1);
        }
        Self::new(columns, values)
    }

    /// Number of cells.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The rows, each a query.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[i32]> {
        self.values.chunks_exact(self.columns)
    }

    /// One entry.
    pub fn entry(&self, row: usize, column: usize) -> i32 {
        self.values[row * self.columns + column]
    }

    /// All entries, row by row.
    pub fn values(&self) -> &[i32] {
        &self.values
    }
}

impl Query {
    /// Number of answers for a clique of so many cells; refuses a matrix that was made for another number.
    pub fn answers(&self, cells: usize) -> Result<usize> {
        match self {
            Query::Identity => Ok(cells),
            Query::Linear(matrix) if matrix.columns == cells => Ok(matrix.rows().len()),
            Query::Product(product) if product.cells() == cells => Ok(product.answers()),
            _ => Err(invalid("a linear query has another number of columns than its clique has cells")),
        }
    }

    /// What an answer counts a cell for.
    pub fn entry(&self, answer: usize, cell: usize) -> i32 {
        match self {
            Query::Identity => i32::from(answer == cell),
            Query::Linear(matrix) => matrix.entry(answer, cell),
            Query::Product(product) => product.entry(answer, cell),
        }
    }

    /// `W x`.
    pub fn apply(&self, cells: &[f64]) -> Vec<f64> {
        match self {
            Query::Identity => cells.to_vec(),
            Query::Linear(matrix) => {
                let dot = |row: &[i32]| row.iter().zip(cells).map(|(w, x)| f64::from(*w) * x).sum();
                matrix.rows().map(dot).collect()
            }
            Query::Product(product) => product.apply(cells),
        }
    }

    /// `Wᵀ y`.
    pub fn transpose(&self, answers: &[f64]) -> Vec<f64> {
        match self {
            Query::Identity => answers.to_vec(),
            Query::Linear(matrix) => {
                let mut cells = vec![0.0; matrix.columns];
                for (row, y) in matrix.rows().zip(answers) {
                    cells.iter_mut().zip(row).for_each(|(cell, w)| *cell += f64::from(*w) * y);
                }
                cells
            }
            Query::Product(product) => product.transpose(answers),
        }
    }
}

fn admit(entries: usize) -> Result<()> {
    if entries <= MAX_ENTRIES {
        return Ok(());
    }
    let message = "the matrix of a linear query has more than 4,194,304 entries: ask for fewer rows or a smaller clique";
    Err(Error::new(Code::ModelTooLarge, message))
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn prefixes_and_ranges_are_sums() {
        let cells = [1.0, 2.0, 4.0, 8.0];
        assert_eq!(Query::Linear(Matrix::prefix(4).unwrap()).apply(&cells), [1.0, 3.0, 7.0, 15.0]);
        assert_eq!(Query::Linear(Matrix::ranges(4, &[(1, 2), (3, 3)]).unwrap()).apply(&cells), [6.0, 8.0]);
        assert_eq!(Query::Identity.apply(&cells), cells);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for wrong in [
            Matrix::new(2, vec![1, 2, 3]),
            Matrix::new(0, vec![]),
            Matrix::new(2, vec![]),
            Matrix::prefix(0),
            Matrix::ranges(3, &[(2, 1)]),
            Matrix::ranges(3, &[(0, 3)]),
        ] {
            assert_eq!(wrong.unwrap_err().code, Code::OptionInvalid);
        }
        assert_eq!(Matrix::prefix(3000).unwrap_err().code, Code::ModelTooLarge);
        let query = Query::Linear(Matrix::prefix(3).unwrap());
        assert_eq!(query.answers(3), Ok(3));
        assert_eq!(query.answers(4).unwrap_err().code, Code::OptionInvalid);
    }

    #[test]
    fn products_are_their_expansion() {
        let factors = || {
            let signed = Matrix::new(2, vec![1, -2, 0, 3, 5, 7]).unwrap();
            vec![Factor::Linear(Matrix::prefix(3).unwrap()), Factor::Identity(2), Factor::Linear(signed)]
        };
        let product = Query::Product(Product::new(factors()).unwrap());
        let entries = (0..18).flat_map(|answer| (0..12).map(move |cell| (answer, cell)));
        let expanded = entries.map(|(answer, cell)| product.entry(answer, cell)).collect();
        let expanded = Query::Linear(Matrix::new(12, expanded).unwrap());
        let by_hand = |answer: [usize; 3], cell: [usize; 3]| {
            (0..3).map(|i| factors()[i].entry(answer[i], cell[i])).product::<i32>()
        };
        assert_eq!(product.entry((6 + 3) + 2, (4 + 2) + 1), by_hand([1, 1, 2], [1, 1, 1]));
        assert_eq!(product.answers(12), Ok(18));
        assert_eq!(product.answers(11).unwrap_err().code, Code::OptionInvalid);
        let (x, y): (Vec<f64>, Vec<f64>) =
            ((0..12).map(|i| f64::from(i * i)).collect(), (0..18).map(|i| f64::from(7 - i)).collect());
        assert_eq!(product.apply(&x), expanded.apply(&x));
        assert_eq!(product.transpose(&y), expanded.transpose(&y));
        assert_eq!(Product::new(vec![]).unwrap().apply(&[3.0]), [3.0]);
        let wide = || Factor::Linear(Matrix::new(2, vec![1 << 16, 1]).unwrap());
        assert!(Product::new(vec![wide(), wide()]).is_err());
        assert!(Product::new(vec![Factor::Identity(1 << 16), Factor::Identity(1 << 16)]).is_err());
    }

    proptest! {
        /// ⟨W x, y⟩ = ⟨x, Wᵀ y⟩, exactly, as all numbers are small integers.
        #[test]
        fn apply_and_transpose_are_adjoint(columns in 1usize..6, seed in prop::collection::vec(-9i32..10, 60)) {
            let query = Query::Linear(Matrix::new(columns, seed[..columns * 4].to_vec()).unwrap());
            let x: Vec<f64> = seed[30..30 + columns].iter().map(|v| f64::from(*v)).collect();
            let y: Vec<f64> = seed[50..54].iter().map(|v| f64::from(*v)).collect();
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(p, q)| p * q).sum::<f64>();
            prop_assert_eq!(dot(&query.apply(&x), &y), dot(&x, &query.transpose(&y)));
        }
    }
}
