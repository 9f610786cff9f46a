//! What the groups within one have in common.

use crate::models::support::zeros;
use marginalia_tables::Result;

/// What was found of the groups within one, row by row.
pub(super) struct Family {
    /// Σφ.
    pub signed: Vec<f64>,
    /// Σ n̂dφ.
    moved: Vec<f64>,
    /// Σ weight·q, and Σ weight.
    spread: Vec<f64>,
    weight: f64,
}

/// One of them.
pub(super) struct Child<'a> {
    pub signed: &'a [f64],
    pub q: &'a [f64],
    pub records: f64,
    pub apart: f64,
    /// n̂²d, or n̂ of the coarsest groups.
    pub weight: f64,
}

impl Family {
    pub fn new(rows: usize) -> Result<Self> {
        Ok(Self { signed: zeros(rows)?, moved: zeros(rows)?, spread: zeros(rows)?, weight: 0.0 })
    }

    /// Takes a group; what it leaves open were it alone.
    pub fn add(&mut self, one: &Child<'_>) -> f64 {
        let mut open = 0.0;
        for (row, (phi, q)) in one.signed.iter().zip(one.q).enumerate() {
            self.signed[row] += phi;
            self.moved[row] += one.records * one.apart * phi;
            self.spread[row] += one.weight * q;
            open += over(phi * phi, *q);
        }
        self.weight += one.weight;
        one.apart * open
    }

    /// What of that they cannot be off together, within a group of weights q whose parts weigh so much in all.
    pub fn together(&self, q: &[f64], all: f64) -> f64 {
        let others = (all - self.weight).max(0.0);
        let rows = self.moved.iter().zip(&self.spread).zip(q);
        rows.map(|((moved, spread), q)| over(moved * moved, spread + others * q)).sum()
    }

    /// What is left open of what they have in common.
    pub fn common(&self, common: f64) -> f64 {
        let rows = self.signed.iter().zip(&self.spread);
        common * self.weight * rows.map(|(phi, spread)| over(phi * phi, *spread)).sum::<f64>()
    }
}

/// Rows without weight answer nothing.
fn over(square: f64, weight: f64) -> f64 {
    if weight > 0.0 { square / weight } else { 0.0 }
}
