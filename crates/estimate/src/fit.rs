//! What designing a workload and pooling a prior ask of an estimator, whichever it is.

use crate::job::Pace;
use crate::models::support::Index;
use marginalia_tables::{Codes, Domain, Error, Result, Table};
use std::sync::Arc;

/// Noisy answers on the supported cells of an index, and a prior to move towards them.
#[derive(Debug, Clone)]
pub struct Task {
    /// The rows.
    pub rows: Arc<Table>,
    /// The weight of each row before, not negative; their sum does not matter, and a row of weight 0 keeps it.
    pub prior: Vec<f64>,
    /// The answered cliques over these rows, and their supported cells.
    pub index: Arc<Index>,
    /// The answer of each supported cell, in records.
    pub answers: Vec<f64>,
    /// The variance of each answer, in records².
    pub variances: Vec<f64>,
    /// The number of records.
    pub total: f64,
    /// How many records the prior is worth.
    pub strength: f64,
}

/// An estimator of weights.
pub trait Solver: Send + Sync + 'static {
    /// Prepares to solve a task.
    fn begin(&self, task: Task) -> Result<Box<dyn Fitting>>;
}

/// An estimate in the making, which goes on in steps so that its caller can report progress or stop.
pub trait Fitting: Send {
    /// Does about `work` units, each about as long as looking up a row in one table; `true` at the end.
    fn step(&mut self, work: u64) -> Result<bool>;

    /// Does what is left and returns the weights of the rows, whose sum is 1.
    fn finish(self: Box<Self>) -> Result<Vec<f64>>;
}

/// The weights that a task leads to.
pub(crate) async fn fitted(solver: &impl Solver, task: Task, pace: &Pace) -> Result<Vec<f64>> {
    let mut fitting = solver.begin(task)?;
    while !fitting.step(SLICE)? {
        pace.did(SLICE as usize).await;
    }
    fitting.finish()
}

/// Units of work at a time.
const SLICE: u64 = 1 << 20;

/// What a prior made of `n` rows is worth for the estimation of `m` records that come from the same population:
/// both are samples, so `1/n₀ = 1/n + 1/m`.
pub fn harmonic(n: f64, m: f64) -> f64 {
    n * m / (n + m)
}

/// The weights of a table's rows summed to the supported cells of an index over the same cliques, and of each clique
/// what lies in cells without support.
pub fn count_on(index: &Index, cliques: &[Vec<u16>], table: &Table, weights: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let mut cells = vec![0.0; index.cells()];
    let mut outside = vec![0.0; cliques.len()];
    let domain = table.domain();
    for ((clique, marginal), outside) in cliques.iter().zip(index.marginals()).zip(&mut outside) {
        let start = marginal.cells.start;
        for (row, weight) in weights.iter().enumerate() {
            match marginal.places.binary_search(&(place(&domain, table.columns(), clique, row) as u32)) {
                Ok(cell) => cells[start + cell] += weight,
                Err(_) => *outside += weight,
            }
        }
    }
    (cells, outside)
}

/// The cell of a row among all of a clique.
pub(crate) fn place(domain: &Domain, columns: &[Codes], clique: &[u16], row: usize) -> u64 {
    let of = |cell: u64, a: &u16| {
        let a = usize::from(*a);
        cell * u64::from(domain.sizes()[a]) + u64::from(columns[a].get(row))
    };
    clique.iter().fold(0, of)
}

/// An index of cliques that are given as lists.
pub(crate) fn index(table: &Table, cliques: &[Vec<u16>]) -> Result<Arc<Index>> {
    let cliques: Vec<&[u16]> = cliques.iter().map(Vec::as_slice).collect();
    Ok(Arc::new(Index::new(&table.domain(), table.columns(), &cliques)?))
}

/// The weights of a table's rows, 1 each where it has none.
pub(crate) fn weights(table: &Table) -> Result<Vec<f64>> {
    match table.weights() {
        Some(weights) => weights.to_vec(),
        None => filled(1.0, table.rows()),
    }
}

/// A list of `length` equal values, or an error when memory is refused.
pub(crate) fn filled<T: Clone>(value: T, length: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(length)
        .map_err(|_| Error::out_of_memory(length.saturating_mul(size_of::<T>())))?;
    list.resize(length, value);
    Ok(list)
}
