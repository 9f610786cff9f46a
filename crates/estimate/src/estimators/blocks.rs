//! Sweeps of steps, each of one marginal.

use crate::models::support::Index;

/// Steps that each scale the rows by ratios of the cells of one marginal, as their masses ask for.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// The marginal of the last step, by whose ratios the rows are still to be scaled.
    last: Option<usize>,
    pub ratios: Vec<f64>,
    m: Vec<f64>,
}

impl Blocks {
    /// One pass, which scales the rows by what the last step asked for and sums them into the cells of this marginal; `solve` turns
    /// the sums into ratios.
    pub fn step(
        &mut self,
        index: &Index,
        marginal: usize,
        q: &mut [f64],
        solve: impl FnOnce(&[f64], &mut [f64]),
    ) {
        let Self { last, ratios, m } = self;
        let cells = index.marginals()[marginal].cells.len();
        m.resize(cells, 0.0);
        match last.replace(marginal) {
            Some(last) => index.scale_and_sum(last, ratios, marginal, q, m),
            None => index.sum(marginal, q, m),
        }
        ratios.resize(cells, 0.0);
        solve(m, ratios);
    }
}
