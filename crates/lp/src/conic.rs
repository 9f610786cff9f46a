//! Clarabel as this crate uses it: a linear objective, and cones that `b − A x` lies in.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SolverStatus, SupportedConeT,
};
use std::sync::Arc;

/// Told after every iteration of the solver how many there were; true ends the solve.
pub type Watch = Arc<dyn Fn(u32) -> bool + Send + Sync>;

/// `A` by its entries, and `b`.
#[derive(Default)]
pub struct Constraints {
    rows: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    pub b: Vec<f64>,
}

impl Constraints {
    /// Adds the row `b − Σ values·x`, of which entries are added by [`Constraints::entry`].
    pub fn row(&mut self, b: f64) -> usize {
        self.b.push(b);
        self.b.len() - 1
    }

    pub fn entry(&mut self, row: usize, column: usize, value: f64) {
        self.rows.push(row);
        self.columns.push(column);
        self.values.push(value);
    }

    /// All rows so far, as one cone of numbers that are not negative.
    pub fn nonnegative(&self) -> SupportedConeT<f64> {
        NonnegativeConeT(self.b.len())
    }
}

/// The last iterate: `x`, the slack `s = b − A x`, and the multipliers `z`.
pub struct Answer {
    pub x: Vec<f64>,
    pub s: Vec<f64>,
    pub z: Vec<f64>,
    pub iterations: u32,
    /// The watch ended it.
    pub stopped: bool,
}

/// Minimises `objective · x`.
pub fn minimise(
    objective: &[f64],
    constraints: Constraints,
    cones: &[SupportedConeT<f64>],
    iterations: u32,
    watch: Watch,
) -> Answer {
    let (height, width) = (constraints.b.len(), objective.len());
    let Constraints { rows, columns, values, b } = constraints;
    let a = CscMatrix::new_from_triplets(height, width, rows, columns, values);
    let none = CscMatrix::zeros((width, width));
    let mut solver = DefaultSolver::new(&none, objective, &a, &b, cones, settings(iterations))
        .expect("dimensions and settings agree");
    solver.set_termination_callback(move |info| watch(info.iterations));
    solver.solve();
    let solution = solver.solution;
    Answer {
        x: solution.x,
        s: solution.s,
        z: solution.z,
        iterations: solution.iterations,
        stopped: solution.status == SolverStatus::CallbackTerminated,
    }
}

/// A precision that is hardly ever met: the solver goes on while it makes progress, because the second stage needs to
/// tell which inequalities of the first are tight.
const UTMOST: f64 = 1e-13;

fn settings(iterations: u32) -> DefaultSettings<f64> {
    DefaultSettings {
        max_iter: iterations,
        verbose: false,
        max_threads: 1,
        direct_solve_method: "qdldl".to_owned(),
        tol_gap_abs: 1e-2 * UTMOST,
        tol_gap_rel: UTMOST,
        tol_feas: UTMOST,
        ..DefaultSettings::default()
    }
}
