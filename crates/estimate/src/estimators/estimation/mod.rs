//! Whole estimations: from a prior and measurements to a model, in steps, and with a model to show whenever somebody
//! wants to stop.

mod calibration;
mod fits;
mod iteration;
mod solving;
mod stage;
mod two_stage;

pub use calibration::{Calibration, Law, Loss, Settings};
pub(crate) use fits::Fits;
pub use iteration::{Asked, Iteration};
pub use two_stage::{Small, TwoStageEstimate, TwoStageSolving, TwoStageTask};

use crate::estimators::calibrated::Certificate;
use crate::models::support::Model;
use crate::total::Total;

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
}

impl Status {
    /// The name that crosses to JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::Limit => "limit",
            Self::Stopped => "stopped",
            Self::Refused => "refused",
        }
    }
}

/// A judgement on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement {
    /// Passes over all rows and marginals so far, or steps.
    pub at: f64,
    /// The value of what is minimised, or the L1 loss.
    pub value: f64,
    /// How far above the optimum that value may be; not a number where nobody knows.
    pub gap: f64,
    /// KL(q‖p).
    pub entropy: f64,
}

/// What a measurement says about cells without a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Missing {
    /// Answers that no row can meet.
    pub answers: usize,
    /// Their sum, in records.
    pub records: f64,
}

/// The outcome.
#[derive(Debug)]
pub struct Estimate {
    /// The best model on the way.
    pub model: Model,
    /// How it ended.
    pub status: Status,
    /// How far the model may be from the optimum, where that is known.
    pub certificate: Option<Certificate>,
    /// All judgements, in order.
    pub trace: Vec<Judgement>,
    /// The number of records, as it was known or estimated.
    pub total: Total,
    /// How many records the prior was worth, where that was weighed.
    pub strength: Option<f64>,
    /// By how many standard errors the answers are farther from a fit at the harmonic strength than their noise
    /// explains, where that was asked.
    pub consistency: Option<f64>,
    /// The share of equal weights that the answers asked for in the place of the prior's, where that was asked.
    pub flatness: Option<f64>,
    /// What each measurement says about cells without a row.
    pub missing: Vec<Missing>,
}
