//! Calibrated estimation: the distribution that balances every answer by its own noise, and the prior by what it is
//! worth. It minimises
//!
//! `F(q) = Σ_c n²/(2σ_c²) ‖M_c q − y_c‖₂² + n₀ KL(q‖p)`,
//!
//! in units of n₀: with λ_c = n²/(σ_c² n₀), the dual is to maximise `u·y − ln Σ p exp(Mᵀ u) − Σ u²/(2λ)`, and
//! q ∝ p exp(Mᵀ u). A few sweeps of exact steps, one marginal at a time, come before Newton's method, whose directions
//! are found by conjugate residuals. The certificate is the gap between the two values, a sum of non-negative terms.

mod direction;
mod estimator;
mod fits;
mod line;
mod newton;
mod point;
mod problem;
mod solving;
mod task;

pub use estimator::{CalibratedEstimator, Loss};
pub(crate) use fits::Fits;
pub use newton::{Options, Solution, Step, calibrated};
pub use point::Gaps;
pub use problem::Problem;
pub use task::Task;
