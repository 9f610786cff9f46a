//! What is asked: rows of a support, the cell of each measured marginal that a row lies in, a prior, noisy answers.

use crate::merge::Reduced;
use marginalia_tables::{Code, Error, Result};

/// One measured marginal: the cell that each row of the support lies in.
#[derive(Debug, Clone, Copy)]
pub struct Marginal<'a> {
    /// Number of cells; those that no row lies in are legal, but no distribution can answer them.
    pub cells: usize,
    /// The cell of each row, counted from the start of this marginal.
    pub of_row: &'a [u32],
}

/// A checked problem. Cells are numbered through all marginals.
#[derive(Debug, Clone)]
pub struct Problem {
    pub(crate) reduced: Reduced,
    pub(crate) diagnosis: Diagnosis,
}

/// What of the answers no distribution on the support can follow.
#[derive(Debug, Clone, Copy, Default)]
pub struct Diagnosis {
    /// Weighted absolute answers of cells that no row of the prior lies in.
    pub unsupported: f64,
    /// Some supported answer is negative.
    pub negative: bool,
    /// The supported answers of some marginal do not sum to one.
    pub totals: bool,
}

impl Problem {
    /// Checks and reduces a problem: `prior` has one weight for each row, need not sum to one, and rows of weight zero
    /// stay at zero; `answers` are fractions of the total, one for each cell; `weights` those of the cells in the L1
    /// distance, one by default.
    pub fn new(
        marginals: &[Marginal<'_>],
        prior: &[f64],
        answers: &[f64],
        weights: Option<&[f64]>,
    ) -> Result<Self> {
        let cells = marginals.iter().map(|marginal| marginal.cells).sum();
        check(marginals, prior, answers, weights, cells)?;
        let total: f64 = prior.iter().sum();
        let prior: Vec<f64> = prior.iter().map(|p| p / total).collect();
        let weight = |cell: usize| weights.map_or(1.0, |weights| weights[cell]);
        let diagnosis = diagnose(marginals, &prior, answers, &weight);
        let reduced = Reduced::new(marginals, &prior, answers, &weight)?;
        Ok(Self { reduced, diagnosis })
    }

    /// About the most memory that solving takes. Clarabel asks for memory that it cannot do without, so who has a limit
    /// asks this first. What no number of 32 bits holds is not wrapped around to a little.
    pub fn bytes(&self) -> usize {
        let (rows, cells) = self.size();
        let dense = rows.min(cells);
        let sparse = self.reduced.of_row.len().saturating_add(8 * rows).saturating_add(3 * cells);
        8_usize.saturating_mul(dense).saturating_mul(dense).saturating_add(sparse.saturating_mul(400))
    }

    /// Rows and cells that are left when duplicates are merged and what cannot matter is dropped.
    pub fn size(&self) -> (usize, usize) {
        (self.reduced.rows(), self.reduced.cells())
    }
}

fn check(
    marginals: &[Marginal<'_>],
    prior: &[f64],
    answers: &[f64],
    weights: Option<&[f64]>,
    cells: usize,
) -> Result<()> {
    let refuse = |message: &str| Err(Error::new(Code::OptionInvalid, message));
    if answers.len() != cells || weights.is_some_and(|weights| weights.len() != cells) {
        return refuse("answers and weights need one number for each cell of the marginals");
    }
    if marginals.iter().any(|marginal| marginal.of_row.len() != prior.len()) {
        return refuse("each marginal needs one cell for each row of the prior");
    }
    if marginals.iter().any(|marginal| marginal.of_row.iter().any(|cell| *cell as usize >= marginal.cells)) {
        return refuse("a row lies in a cell that its marginal does not have");
    }
    let amount = |x: &f64| x.is_finite() && *x >= 0.0;
    if !prior.iter().all(amount) || !prior.iter().any(|x| *x > 0.0) || !prior.iter().sum::<f64>().is_finite()
    {
        return refuse("the prior needs weights that are finite and not negative, and some that is not zero");
    }
    if !weights.unwrap_or_default().iter().all(amount) {
        return refuse("weights of cells are finite and not negative");
    }
    if !answers.iter().all(|x| x.is_finite()) {
        return refuse("answers are finite numbers: divide noisy counts by a total above zero");
    }
    Ok(())
}

fn diagnose(
    marginals: &[Marginal<'_>],
    prior: &[f64],
    answers: &[f64],
    weight: &dyn Fn(usize) -> f64,
) -> Diagnosis {
    let mut found = Diagnosis::default();
    let mut start = 0;
    for marginal in marginals {
        let mut supported = vec![false; marginal.cells];
        let rows = marginal.of_row.iter().zip(prior).filter(|(_, p)| **p > 0.0);
        rows.for_each(|(cell, _)| supported[*cell as usize] = true);
        let (mut sum, mut size) = (0.0, 0.0);
        for cell in start..start + marginal.cells {
            if !supported[cell - start] {
                found.unsupported += weight(cell) * answers[cell].abs();
            } else {
                found.negative |= answers[cell] < 0.0 && weight(cell) > 0.0;
                sum += answers[cell];
                size += answers[cell].abs();
            }
        }
        let all = (start..start + marginal.cells).all(|cell| weight(cell) > 0.0 || !supported[cell - start]);
        found.totals |= all && (sum - 1.0).abs() > 1e-9 * (1.0 + size);
        start += marginal.cells;
    }
    found
}
