//! What comes of measurements: a model, and how good it is.

use super::Certificate;
use crate::models::Model;
use crate::total::Total;
use std::sync::Arc;

/// Above these gaps, one relative and one in nats, a model is no estimate: below the second it is within 7e-4 of the optimum in
/// total variation, whatever the first.
const REFUSED: (f64, f64) = (0.1, 1e-6);

/// How an estimation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The gap, or the change of the loss, is within the tolerance.
    Converged,
    /// The passes or steps were used up, or rounding allows no further one.
    Limit,
    /// It was stopped.
    Stopped,
    /// The gap is too large for the model to be used without being asked for.
    Refused,
    /// Answers were to be met that no model meets.
    Infeasible,
}

impl Status {
    /// The name that crosses to JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::Limit => "limit",
            Self::Stopped => "stopped",
            Self::Refused => "refused",
            Self::Infeasible => "infeasible",
        }
    }

    /// The status of a model that may be so far from the optimum, relatively and in nats.
    pub fn unless_refused(self, relative: f64, nats: f64) -> Self {
        if relative > REFUSED.0 && nats > REFUSED.1 { Self::Refused } else { self }
    }
}

/// A judgement on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    /// Passes over all rows and marginals so far, or steps.
    pub at: f64,
    /// The value of what is minimised, or the L1 loss.
    pub value: f64,
    /// How far above the optimum that value may be, where that is known.
    pub gap: Option<f64>,
    /// KL(q‖p).
    pub relative_entropy: f64,
}

/// What a measurement says about cells that the model cannot have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Missing {
    /// Answers that no model on the prior's rows can meet.
    pub answers: usize,
    /// Their sum, in records.
    pub records: f64,
}

/// A model, and how good it is.
#[derive(Debug, Clone)]
pub struct Estimate {
    /// The best model on the way.
    pub model: Arc<dyn Model>,
    /// How it ended.
    pub status: Status,
    /// How far the model may be from the optimum.
    pub certificate: Certificate,
    /// All judgements, in order.
    pub trace: Vec<Judgement>,
    /// The number of records, as it was known or estimated.
    pub total: Total,
    /// What each measurement says about cells that the model cannot have.
    pub missing: Vec<Missing>,
}
