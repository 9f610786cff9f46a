//! What is asked of the cells of a factor.

use marginalia_tables::query::{Matrix, Product};

/// Q, whose answers are Q m for the cells m of a factor, in the order of the tree.
#[derive(Debug, Clone, PartialEq)]
pub enum Operator {
    /// Every cell.
    Identity,
    /// The sums of classes of cells.
    Classes {
        /// The class of each cell.
        of: Vec<u32>,
        /// How many there are.
        classes: usize,
    },
    /// Integer combinations, one a row.
    Linear(Matrix),
    /// A product of queries on classes of cells.
    Product {
        /// The class of each cell, which is a cell of the product.
        of: Vec<u32>,
        /// What is asked.
        product: Product,
    },
}

impl Operator {
    /// The number of answers; nothing where it is for another number of cells.
    pub(crate) fn answers(&self, cells: usize) -> Option<usize> {
        match self {
            Self::Identity => Some(cells),
            Self::Classes { of, classes } => {
                (of.len() == cells && of.iter().all(|class| (*class as usize) < *classes)).then_some(*classes)
            }
            Self::Linear(matrix) => (matrix.columns() == cells).then(|| matrix.rows().len()),
            Self::Product { of, product } => (of.len() == cells
                && of.iter().all(|class| (*class as usize) < product.cells()))
            .then(|| product.answers()),
        }
    }

    /// Whether no cell is in two answers.
    pub(crate) fn disjoint(&self) -> bool {
        matches!(self, Self::Identity | Self::Classes { .. })
    }

    /// Q m.
    pub(crate) fn apply(&self, cells: &[f64], answers: &mut [f64]) {
        match self {
            Self::Identity => answers.copy_from_slice(cells),
            Self::Classes { of, .. } => {
                answers.fill(0.0);
                of.iter().zip(cells).for_each(|(class, cell)| answers[*class as usize] += cell);
            }
            Self::Linear(matrix) => {
                for (answer, row) in answers.iter_mut().zip(matrix.rows()) {
                    *answer = row.iter().zip(cells).map(|(w, x)| f64::from(*w) * x).sum();
                }
            }
            Self::Product { of, product } => {
                let mut sums = vec![0.0; product.cells()];
                of.iter().zip(cells).for_each(|(class, cell)| sums[*class as usize] += cell);
                answers.copy_from_slice(&product.apply(&sums));
            }
        }
    }

    /// Adds Qᵀu.
    pub(crate) fn spread(&self, u: &[f64], cells: &mut [f64]) {
        match self {
            Self::Identity => cells.iter_mut().zip(u).for_each(|(cell, u)| *cell += u),
            Self::Classes { of, .. } => {
                cells.iter_mut().zip(of).for_each(|(cell, class)| *cell += u[*class as usize]);
            }
            Self::Linear(matrix) => {
                for (u, row) in u.iter().zip(matrix.rows()) {
                    cells.iter_mut().zip(row).for_each(|(cell, w)| *cell += f64::from(*w) * u);
                }
            }
            Self::Product { of, product } => {
                let spread = product.transpose(u);
                cells.iter_mut().zip(of).for_each(|(cell, class)| *cell += spread[*class as usize]);
            }
        }
    }
}
