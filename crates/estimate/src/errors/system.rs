//! The linear system behind the errors of an estimate, and its solution.

use crate::measurement::{Measurement, targets};
use crate::models::support::rows::sum;
use crate::models::support::{Index, room, zeros};
use crate::vector::{add, dot, scale_and_add};
use marginalia_tables::Result;
use std::sync::Arc;

/// The part of the right side that conjugate gradients leave unsolved.
const TOLERANCE: f64 = 1e-6;

/// What all answers of one estimate have in common.
pub(crate) struct System {
    pub index: Arc<Index>,
    /// The answers of supported cells as parts of the total, 1/λ and σ².
    pub y: Vec<f64>,
    softness: Vec<f64>,
    pub variance: Vec<f64>,
    /// For each measurement how many cells have no row.
    pub unsupported: Vec<usize>,
}

impl System {
    /// Of an estimate of so many records from measurements, on a prior that is worth so many. The index is over their
    /// cliques, in their order.
    pub fn new(index: Arc<Index>, measurements: &[Measurement], records: f64, strength: f64) -> Result<Self> {
        let (y, unsupported) = targets(&index, measurements, records)?;
        let (mut softness, mut variance) = (room(index.cells())?, room(index.cells())?);
        for (marginal, one) in index.marginals().iter().zip(measurements) {
            for _ in &marginal.places {
                softness.push(one.variance * strength / (records * records));
                variance.push(one.variance);
            }
        }
        let unsupported = unsupported.iter().map(|one| one.cells).collect();
        Ok(Self { index, y, softness, variance, unsupported })
    }

    /// `H p = M (diag q − q qᵀ) Mᵀ p + p/λ`.
    fn product(&self, q: &[f64], p: &[f64]) -> Result<Vec<f64>> {
        let mut t = zeros(self.index.rows())?;
        self.index.gather(p, &mut t);
        let mean = mean(q, &t);
        t.iter_mut().zip(q).for_each(|(t, q)| *t = q * (*t - mean));
        let mut image = zeros(p.len())?;
        self.index.scatter(&t, &mut image);
        let soft = p.iter().zip(&self.softness);
        image.iter_mut().zip(soft).for_each(|(image, (p, softness))| *image += p * softness);
        Ok(image)
    }

    /// Row passes over one marginal in a pass over all.
    pub fn pass(&self) -> u64 {
        (self.index.rows() * self.index.marginals().len().max(1)) as u64
    }
}

/// Conjugate gradients for H v = c.
pub(crate) struct Solving {
    pub v: Vec<f64>,
    rest: Vec<f64>,
    p: Vec<f64>,
    square: f64,
    stop: f64,
    left: usize,
}

impl Solving {
    /// For the cells c = M w of weights of rows whose sum is 0, such as q·(a − mean).
    pub fn new(system: &System, w: &[f64]) -> Result<Self> {
        let mut c = zeros(system.index.cells())?;
        system.index.scatter(w, &mut c);
        let square = dot(&c, &c);
        let left = 10 * c.len() + 100;
        let (v, mut p) = (zeros(c.len())?, room(c.len())?);
        p.extend_from_slice(&c);
        Ok(Self { v, rest: c, p, square, stop: TOLERANCE * TOLERANCE * square, left })
    }

    /// An iteration, of two passes; true at the end.
    pub fn advance(&mut self, system: &System, q: &[f64]) -> Result<bool> {
        if self.square <= self.stop || self.left == 0 {
            return Ok(true);
        }
        let image = system.product(q, &self.p)?;
        let curvature = dot(&self.p, &image);
        let step = self.square / curvature;
        if !step.is_finite() {
            return Ok(true);
        }
        add(&mut self.v, step, &self.p);
        add(&mut self.rest, -step, &image);
        let before = std::mem::replace(&mut self.square, dot(&self.rest, &self.rest));
        let beta = self.square / before;
        scale_and_add(&mut self.p, beta, &self.rest);
        self.left -= 1;
        Ok(false)
    }
}

/// What weights of rows give to a query of rows. In one place, since a sum over rows is much code where there are threads.
#[inline(never)]
pub(crate) fn mean(q: &[f64], a: &[f64]) -> f64 {
    sum(a.len(), |row| q[row] * a[row])
}
