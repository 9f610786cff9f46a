//! From measurements to a model, a folder for each way.

mod blocks;
pub mod calibrated;
pub mod descent;
mod estimate;
mod estimation;
pub mod graphical;
pub mod independent;
pub mod interior;
pub mod iterative;
mod linear;
pub mod minimax;
pub mod multiplicative;
mod options;
pub mod partial;
mod request;
pub mod strength;
pub mod two_stage;

pub use estimate::{Estimate, Judgement, Missing, Status};
pub use estimation::Estimation;
pub use options::Options;
pub use request::{Request, Shared};
pub use two_stage::{Exact, Small};

use crate::measurement::Law;
use calibrated::CalibratedEstimator;
use descent::DescentEstimator;
use graphical::GraphicalEstimator;
use independent::IndependentEstimator;
use iterative::IterativeEstimator;
use marginalia_graph::fit::descent::Method;
use marginalia_tables::query::Query;
use marginalia_tables::{Code, Error, Result, Unmet};
use minimax::{Binding, MinimaxEstimator};
use multiplicative::MultiplicativeEstimator;
use serde_json::Value;
use std::fmt::Debug;
use std::sync::Arc;
use two_stage::TwoStageEstimator;

/// A way from measurements to a model, with its options. Without private data and without state: what is begun with equal
/// requests comes to equal bits.
pub trait Estimator: Debug + Send + Sync {
    /// Its name in the API.
    fn name(&self) -> &'static str;

    /// The kind of the models that it gives.
    fn kind(&self) -> &'static str;

    /// Refuses what it cannot take: a kind of model to start from, a query, a law of noise.
    fn accepts(&self, kind: &str, query: &Query, law: Law) -> Result<()>;

    /// Whether its models follow from potentials of the measured cells, with which they are kept; others are made again.
    fn gives_potentials(&self) -> bool {
        false
    }

    /// Begins an estimate.
    fn begin(&self, request: Request) -> Result<Estimation>;
}

/// An estimator with its options, or why there is none.
pub type Made = Result<Arc<dyn Estimator>>;
/// What reads the options of one.
pub type Read = fn(Options<'_>) -> Made;

/// Estimators by their names. A module that knows one list only has no code of the others.
pub type Estimators = &'static [(&'static str, Read)];

/// Those of models on rows, and of products.
pub const PLAIN: Estimators = &[
    ("calibrated", |options| Ok(Arc::new(CalibratedEstimator::read(options)?))),
    ("iterative", |options| Ok(Arc::new(IterativeEstimator::read(options)?))),
    ("twoStage", |options| Ok(Arc::new(TwoStageEstimator::read(options)?))),
    ("multiplicativeWeights", |options| Ok(Arc::new(MultiplicativeEstimator::read(options)?))),
    ("independent", |_| Ok(Arc::new(IndependentEstimator))),
    ("minimax", |options| Ok(Arc::new(MinimaxEstimator::read(options)?))),
];

/// Those of graphical models.
pub const GRAPHICAL: Estimators = &[
    ("graphical", |options| Ok(Arc::new(GraphicalEstimator::read(options)?))),
    ("mirrorDescent", |options| Ok(Arc::new(DescentEstimator::mirror(options)?))),
    ("dualAveraging", |options| Ok(Arc::new(DescentEstimator::read(Method::DualAveraging, options)?))),
    ("interiorGradient", |options| Ok(Arc::new(DescentEstimator::read(Method::InteriorGradient, options)?))),
    ("accelerated", |options| Ok(Arc::new(DescentEstimator::read(Method::Accelerated, options)?))),
];

/// The estimator of a name with its options.
pub fn estimator(known: Estimators, name: &str, options: &Value) -> Made {
    let known = known.iter().find(|(own, _)| *own == name);
    known.ok_or_else(|| invalid("there is no such estimator"))?.1(Options(options))
}

/// How good a model is at worst, by its estimator.
#[derive(Debug, Clone, PartialEq)]
pub enum Certificate {
    /// The optimum lies between `bound` and `value`.
    Calibrated {
        /// `value − bound`, in nats.
        gap: f64,
        /// The gap as a part of the value.
        relative_gap: f64,
        /// What is minimised.
        value: f64,
        /// No model has a lower value.
        bound: f64,
        /// KL(q‖p).
        relative_entropy: f64,
        /// How many records the prior was worth.
        strength: f64,
        /// By how many standard errors the answers are farther from a fit at the harmonic strength than their noise
        /// explains, where that was asked.
        consistency: Option<f64>,
        /// The share of equal weights that the answers asked for in the place of the prior's.
        flatness: f64,
    },
    /// ‖Wq − ỹ‖₁ over all queries.
    Iterative {
        /// The loss of the model.
        loss: f64,
    },
    /// How far off the answers the model is at most.
    Rounds {
        /// The largest difference, as a share.
        loss: f64,
        /// How many there were.
        rounds: usize,
    },
    /// Gaps of both stages.
    TwoStage {
        /// The distance of the model's answers from those of supported cells.
        loss: f64,
        /// No model on the rows has a loss below `loss − loss_gap`.
        loss_gap: f64,
        /// KL(q‖p).
        relative_entropy: f64,
        /// No model with this loss or less has a relative entropy below `relative_entropy − entropy_gap`.
        entropy_gap: f64,
        /// The larger of both gaps, each as a part of its value.
        relative_gap: f64,
        /// What cells without a row add to the loss.
        unsupported: f64,
        /// Why no model on the rows meets all answers, if so.
        unmet: Option<Unmet>,
        /// What solved it.
        solver: &'static str,
    },
    /// max |Wq − ỹ| over all cells, as a share of the total: the least lies between `bound` and `error`.
    Minimax {
        /// Of the model.
        error: f64,
        /// No model on the rows has a lower one.
        bound: f64,
        /// Of the prior.
        start: f64,
        /// What keeps it from being less.
        proof: Vec<Binding>,
    },
    /// The distance of the model's shares of single attributes from what all answers together say of them.
    Independent {
        /// The sum over all attributes.
        loss: f64,
    },
    /// The optimum lies between `value − gap` and `value`.
    Graphical {
        /// In nats.
        gap: f64,
        /// The gap as a part of the value.
        relative_gap: f64,
        /// What is minimised.
        value: f64,
        /// KL(p‖p₀).
        relative_entropy: f64,
        /// How many records the base was worth.
        strength: f64,
        /// How many parameters the fit has, in effect, where that was asked.
        freedom: Option<f64>,
        /// Σ (y − m)²/σ² over all answers.
        residual: f64,
        /// The number of answers.
        answers: usize,
    },
    /// What a way down came to; how far the least is below that, it does not know.
    Descent {
        /// The estimator.
        estimator: &'static str,
        /// The loss of the model.
        loss: f64,
        /// What noise alone makes of it on average, where that is known.
        noise: Option<f64>,
        /// Calls of the oracle after the first.
        iterations: usize,
    },
}

/// What a certificate says by one of its names.
#[derive(Debug, Clone, PartialEq)]
pub enum Figure {
    /// A number.
    Number(f64),
    /// Numbers, so many of each thing.
    Numbers(Vec<f64>),
    /// A name.
    Name(&'static str),
    /// Nothing is known of it.
    Unknown,
}

impl Certificate {
    /// The relative gap and the relative entropy, where they are known.
    pub fn gap_and_entropy(&self) -> Option<(f64, f64)> {
        match *self {
            Self::Calibrated { relative_gap, relative_entropy, .. }
            | Self::TwoStage { relative_gap, relative_entropy, .. }
            | Self::Graphical { relative_gap, relative_entropy, .. } => {
                Some((relative_gap, relative_entropy))
            }
            _ => None,
        }
    }

    /// What it says, by the names of the API; `estimator` is the first.
    pub fn figures(&self) -> Vec<(&'static str, Figure)> {
        use Figure::{Name, Number, Numbers, Unknown};
        match *self {
            Self::Calibrated {
                gap,
                relative_gap,
                value,
                bound,
                relative_entropy,
                strength,
                consistency,
                flatness,
            } => {
                vec![
                    ("estimator", Name("calibrated")),
                    ("gap", Number(gap)),
                    ("relativeGap", Number(relative_gap)),
                    ("value", Number(value)),
                    ("bound", Number(bound)),
                    ("relativeEntropy", Number(relative_entropy)),
                    ("strength", Number(strength)),
                    ("consistency", consistency.map_or(Unknown, Number)),
                    ("flatness", Number(flatness)),
                ]
            }
            Self::Iterative { loss } => vec![("estimator", Name("iterative")), ("loss", Number(loss))],
            Self::TwoStage {
                loss,
                loss_gap,
                relative_entropy,
                entropy_gap,
                relative_gap,
                unsupported,
                unmet,
                solver,
            } => vec![
                ("estimator", Name("twoStage")),
                ("loss", Number(loss)),
                ("lossGap", Number(loss_gap)),
                ("relativeEntropy", Number(relative_entropy)),
                ("entropyGap", Number(entropy_gap)),
                ("relativeGap", Number(relative_gap)),
                ("unsupported", Number(unsupported)),
                ("unmet", unmet.map_or(Unknown, |unmet| Name(unmet.as_str()))),
                ("solver", Name(solver)),
            ],
            Self::Minimax { error, bound, start, ref proof } => vec![
                ("estimator", Name("minimax")),
                ("error", Number(error)),
                ("bound", Number(bound)),
                ("start", Number(start)),
                ("proof", Numbers(proof.iter().flat_map(Binding::numbers).collect())),
            ],
            Self::Rounds { loss, rounds } => vec![
                ("estimator", Name("multiplicativeWeights")),
                ("loss", Number(loss)),
                ("rounds", Number(rounds as f64)),
            ],
            Self::Independent { loss } => vec![("estimator", Name("independent")), ("loss", Number(loss))],
            Self::Graphical {
                gap,
                relative_gap,
                value,
                relative_entropy,
                strength,
                freedom,
                residual,
                answers,
            } => vec![
                ("estimator", Name("graphical")),
                ("gap", Number(gap)),
                ("relativeGap", Number(relative_gap)),
                ("value", Number(value)),
                ("bound", Number(value - gap)),
                ("relativeEntropy", Number(relative_entropy)),
                ("strength", Number(strength)),
                ("freedom", freedom.map_or(Unknown, Number)),
                ("residual", Number(residual)),
                ("answers", Number(answers as f64)),
            ],
            Self::Descent { estimator, loss, noise, iterations } => vec![
                ("estimator", Name(estimator)),
                ("loss", Number(loss)),
                ("noise", noise.map_or(Unknown, Number)),
                ("iterations", Number(iterations as f64)),
            ],
        }
    }
}

/// The refusal of all queries but those of every cell.
fn cells_only(query: &Query) -> Result<()> {
    match query {
        Query::Identity => Ok(()),
        Query::Linear(_) | Query::Product(_) => {
            let message = "this estimator takes measurements of every cell of a clique";
            Err(Error::new(Code::QueryUnsupported, message))
        }
    }
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
