//! The Hessian of the dual, H + D with H = M(diag q − qqᵀ)Mᵀ, as products with vectors.

use super::problem::Problem;
use super::vector::dot;
use super::watch::Watch;
use crate::steps::Pace;

/// H + D at one point.
pub(super) struct Hessian<'a> {
    pub problem: &'a Problem,
    pub q: &'a [f64],
    pub m: &'a [f64],
    /// D of each cell: z⁺/a + z⁻/b.
    pub d: Vec<f64>,
    pub watch: &'a Watch,
    pub pace: &'a Pace,
}

impl Hessian<'_> {
    /// t = Mᵀv, and (H + D)v: two passes over the rows. `w` is room for one value per row.
    pub async fn product(&self, v: &[f64], t: &mut [f64], w: &mut [f64], product: &mut [f64]) {
        let index = &self.problem.index;
        index.gather(v, t);
        self.pace.did(self.problem.pass_work()).await;
        let mean = dot(self.q, t);
        w.iter_mut().zip(self.q.iter().zip(&*t)).for_each(|(w, (q, t))| *w = q * (t - mean));
        index.scatter(w, product);
        product.iter_mut().zip(self.d.iter().zip(v)).for_each(|(product, (d, v))| *product += d * v);
        self.watch.count(|counts| {
            counts.products += 1;
            counts.row_passes += 2;
        });
        self.pace.did(self.problem.pass_work()).await;
    }

    /// The diagonal that the preconditioners divide by, m + D: never 0, as m alone may be.
    pub fn scale(&self) -> impl Iterator<Item = f64> {
        self.m.iter().zip(&self.d).map(|(m, d)| m + d)
    }
}

/// A solution of a system, and what falls out of its products.
#[derive(Debug, Clone)]
pub(super) struct Direction {
    /// du.
    pub u: Vec<f64>,
    /// dt = Mᵀdu.
    pub t: Vec<f64>,
    /// What the right side is left with: the first guess of the next system takes it from here.
    pub residual: Vec<f64>,
    pub products: usize,
}
