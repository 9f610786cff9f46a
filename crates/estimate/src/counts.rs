//! Counts of public tables.

use crate::models::support::Index;
use crate::vector::filled;
use marginalia_tables::{Codes, Domain, Result, Table};
use std::sync::Arc;

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
