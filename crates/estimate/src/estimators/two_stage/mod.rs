//! Two-stage estimation at any size (`papers/ide.txt`, Eq. (4)): among the distributions on the support of a prior that
//! have the least L1 distance to the answers, the one of least relative entropy to the prior.
//!
//! `crates/lp` solves small problems by the book. Here the interior point of the calibrated L1 loss does: at a price Λ
//! of the distance that is large enough, and finite unless the optimum empties rows, the optimum of
//! `Λ‖Mq − y‖₁ + KL(q‖p)` is that of both stages. Whether Λ was large enough the linear program of the first stage says,
//! which hybrid gradients solve from there, or alone from the prior.

mod certificate;
mod estimator;
mod exact;
mod rounds;

pub use certificate::{Certificate, certify};
pub use estimator::TwoStageEstimator;
pub use exact::{Exact, Small, Solver, Target};
pub use rounds::{Options, Round, Solution, two_stage};
