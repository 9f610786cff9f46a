//! The linear system behind the errors of an estimate, and its solution.

use crate::job::Pace;
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
    fn pass(&self) -> usize {
        self.index.rows() * self.index.marginals().len().max(1)
    }

    /// v with H v = c, by conjugate gradients, for the cells c = M w of weights of rows whose sum is 0, such as q·(a − mean).
    pub async fn solve(&self, w: &[f64], q: &[f64], pace: &Pace) -> Result<Vec<f64>> {
        let mut rest = zeros(self.index.cells())?;
        self.index.scatter(w, &mut rest);
        pace.did(self.pass()).await;
        let mut square = dot(&rest, &rest);
        let stop = TOLERANCE * TOLERANCE * square;
        let (mut v, mut p) = (zeros(rest.len())?, room(rest.len())?);
        p.extend_from_slice(&rest);
        for _ in 0..10 * rest.len() + 100 {
            if square <= stop {
                break;
            }
            let image = self.product(q, &p)?;
            pace.did(2 * self.pass()).await;
            let curvature = dot(&p, &image);
            let step = square / curvature;
            if !step.is_finite() {
                break;
            }
            add(&mut v, step, &p);
            add(&mut rest, -step, &image);
            let before = std::mem::replace(&mut square, dot(&rest, &rest));
            scale_and_add(&mut p, square / before, &rest);
        }
        Ok(v)
    }
}

/// What weights of rows give to a query of rows. In one place, since a sum over rows is much code where there are threads.
#[inline(never)]
pub(crate) fn mean(q: &[f64], a: &[f64]) -> f64 {
    sum(a.len(), |row| q[row] * a[row])
}
