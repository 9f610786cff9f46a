//! What is asked of a selection, and what it costs: public, all of it.

use super::marginals::Terms;
use super::quantile::Quantile;
use super::scores::{Difference, Grid};
use crate::cost::Cost;
use crate::rational::Ratio;
use marginalia_tables::Result;

/// The law of a selection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mechanism {
    /// [`exponential`](super::exponential()).
    Exponential,
    /// [`permute_and_flip`](super::permute_and_flip()).
    PermuteAndFlip,
}

/// What is chosen from.
#[derive(Debug, Clone)]
pub enum Candidates {
    /// Every cell of a workload, by how far its count is from the public answer.
    Cells(Difference),
    /// Every marginal of a workload, by how far its counts are from the public answers in L1, and public terms.
    Marginals(Terms),
    /// Every edge of the bins of the one attribute of a workload, by how near a share of its values lies below.
    Edges(Quantile),
}

/// One selection.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Its law.
    pub mechanism: Mechanism,
    /// The ε of the law: P ∝ exp(ε·score/2Δ), or coins of exp(−ε·(best − score)/2Δ).
    pub epsilon: Ratio,
    /// What public numbers are rounded to.
    pub grid: Grid,
    /// What is chosen from.
    pub candidates: Candidates,
}

impl Choice {
    /// What it costs: by its bounded range where it has one.
    pub fn cost(&self) -> Result<Cost> {
        match self.mechanism {
            Mechanism::Exponential => Cost::exponential(&self.epsilon),
            Mechanism::PermuteAndFlip => Cost::permute_and_flip(&self.epsilon),
        }
    }
}
