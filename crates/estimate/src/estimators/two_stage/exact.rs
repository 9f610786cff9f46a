//! A small problem as another solver takes it, and what that answers.

use crate::estimators::Options;
use marginalia_tables::{Result, Unmet};

/// What the second stage keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The least loss.
    Loss,
    /// The answers of one optimum of the linear program.
    Lp,
    /// The answers themselves.
    Answers,
}

impl Target {
    /// The name that crosses to JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::Lp => "lp",
            Self::Answers => "answers",
        }
    }
}

/// What solves both stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Solver {
    /// A solver outside of this crate.
    Exact,
    /// The interior point.
    Interior,
}

/// A problem in the form that `crates/lp` takes: of each marginal its supported cells, and one more for all others.
#[derive(Debug, Clone)]
pub struct Small {
    /// Cells of each marginal.
    pub sizes: Vec<u32>,
    /// The cell of each row, marginal after marginal.
    pub cells: Vec<u32>,
    /// The weight of each row.
    pub prior: Vec<f64>,
    /// Shares of the total, marginal after marginal.
    pub answers: Vec<f64>,
    /// What the second stage keeps.
    pub target: Target,
    /// The relative gap that is good enough.
    pub tolerance: f64,
    /// Whether nothing else is to solve it.
    pub required: bool,
}

/// What solved such a problem found.
#[derive(Debug, Clone)]
pub struct Exact {
    /// Whether no model meets the answers, where these were to be met.
    pub infeasible: bool,
    /// Whether the gap is within the tolerance.
    pub converged: bool,
    /// The L1 distance to the answers of supported cells, and how much less is possible at most.
    pub loss: f64,
    /// The gap of the loss.
    pub loss_gap: f64,
    /// KL(q‖p), and how much less is possible at most without more loss.
    pub relative_entropy: f64,
    /// The gap of the entropy.
    pub entropy_gap: f64,
    /// The larger of both, each as a part of its value.
    pub relative_gap: f64,
    /// What cells without a row add to the loss.
    pub unsupported: f64,
    /// What it took.
    pub iterations: f64,
    /// Why no model meets the answers, if so.
    pub unmet: Option<Unmet>,
    /// The mass of each row.
    pub weights: Vec<f64>,
}

impl Exact {
    /// One with such figures.
    pub fn read(options: Options<'_>, weights: Vec<f64>) -> Result<Self> {
        let named = |unmet: Unmet| (unmet.as_str(), unmet);
        let unmet = [Unmet::Unsupported, Unmet::Negative, Unmet::Totals, Unmet::Disagree].map(named);
        Ok(Self {
            infeasible: options.flag("infeasible")?,
            converged: options.flag("converged")?,
            loss: options.number("loss")?,
            loss_gap: options.number("lossGap")?,
            relative_entropy: options.number("relativeEntropy")?,
            entropy_gap: options.number("entropyGap")?,
            relative_gap: options.number("relativeGap")?,
            unsupported: options.number("unsupported")?,
            iterations: options.number("iterations")?,
            unmet: if options.value("unmet").is_null() { None } else { Some(options.one("unmet", &unmet)?) },
            weights,
        })
    }
}
