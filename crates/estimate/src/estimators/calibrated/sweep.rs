//! Sweeps: the exact step of one marginal after another, in an order that is shuffled for every sweep.

use super::{Problem, block};
use crate::seed::Seed;

/// Some sweeps in the making.
#[derive(Debug)]
pub(super) struct Sweeps {
    order: Vec<usize>,
    /// Steps done of those of all sweeps.
    done: usize,
    steps: usize,
    seed: Seed,
    /// λ as the steps see it.
    lambda: Vec<f64>,
    /// By what the rows are still to be scaled: the ratios of the cells of the last marginal.
    last: Option<usize>,
    ratios: Vec<f64>,
    m: Vec<f64>,
}

impl Sweeps {
    /// So many sweeps, in which no λ is above `cap`: steps against a very stiff λ heap all weight on few rows.
    pub fn new(problem: &Problem, sweeps: usize, cap: f64, seed: Seed) -> Self {
        let order: Vec<usize> = (0..problem.index.marginals().len()).collect();
        Self {
            steps: sweeps * order.len(),
            order,
            done: 0,
            seed,
            lambda: problem.lambda.iter().map(|lambda| lambda.min(cap)).collect(),
            last: None,
            ratios: Vec::new(),
            m: Vec::new(),
        }
    }

    /// Whether all are done. The last scaling of the rows is not: weights are to be worked out anew from `u`.
    pub fn over(&self) -> bool {
        self.done == self.steps
    }

    /// The step of the next marginal: one pass, which scales the rows by the last step's ratios and sums them into
    /// the cells of this one.
    pub fn step(&mut self, problem: &Problem, u: &mut [f64], q: &mut [f64]) {
        let place = self.done % self.order.len();
        if place == 0 {
            self.seed.shuffle(&mut self.order);
        }
        let marginal = self.order[place];
        let cells = problem.index.marginals()[marginal].cells.clone();
        self.m.resize(cells.len(), 0.0);
        match self.last {
            Some(last) => problem.index.scale_and_sum(last, &self.ratios, marginal, q, &mut self.m),
            None => problem.index.sum(marginal, q, &mut self.m),
        }
        self.ratios.resize(cells.len(), 0.0);
        let (y, lambda) = (&problem.y[cells.clone()], &self.lambda[cells.clone()]);
        block::step(&self.m, y, lambda, &mut u[cells], &mut self.ratios);
        self.last = Some(marginal);
        self.done += 1;
    }
}
