//! Conjugate residuals on the system scaled by its diagonal: for systems that few products solve.

use super::hessian::{Direction, Hessian};
use crate::vector::{add, copy, dot, scale_and_add, sum2, zeros};
use marginalia_tables::Result;

/// Products after which a solution is taken as it is.
const MOST_PRODUCTS: usize = 5000;

/// Solves (H + D)v = `right` from v = 0 until |Λ∘residual| ≤ `tolerance`. The iteration is that of the system
/// SHS·x = S·right with S = (m + D)^-½ and v = Sx, and keeps Mᵀv by the recurrences of v.
pub(super) async fn conjugate_residuals(
    hessian: &Hessian<'_>,
    right: &[f64],
    tolerance: f64,
) -> Result<Direction> {
    let (cells, rows) = (right.len(), hessian.q.len());
    let s: Vec<f64> = hessian.scale().map(|scale| 1.0 / libm::sqrt(scale)).collect();
    // Λ∘residual = (Λ/S)∘(scaled residual).
    let weights: Vec<f64> = hessian.problem.bounds.iter().zip(&s).map(|(bound, s)| bound / s).collect();
    let (mut x, mut dt) = (zeros(cells)?, zeros(rows)?);
    let mut residual: Vec<f64> = right.iter().zip(&s).map(|(right, s)| right * s).collect();
    let mut scaled = System { hessian, s, v: zeros(cells)?, w: zeros(rows)? };
    let (mut a_residual, mut t_residual) = (zeros(cells)?, zeros(rows)?);
    scaled.product(&residual, &mut t_residual, &mut a_residual).await;
    let (mut p, mut ap, mut tp) = (copy(&residual)?, copy(&a_residual)?, copy(&t_residual)?);
    let mut curvature = dot(&residual, &a_residual);
    let mut products = 1;
    while sum2(&weights, &residual, |w, r| w * r * w * r) > tolerance * tolerance && products < MOST_PRODUCTS
    {
        let alpha = curvature / dot(&ap, &ap);
        if !(alpha > 0.0 && alpha.is_finite()) {
            break;
        }
        add(&mut x, alpha, &p);
        add(&mut dt, alpha, &tp);
        add(&mut residual, -alpha, &ap);
        scaled.product(&residual, &mut t_residual, &mut a_residual).await;
        products += 1;
        let before = std::mem::replace(&mut curvature, dot(&residual, &a_residual));
        let beta = curvature / before;
        scale_and_add(&mut p, beta, &residual);
        scale_and_add(&mut ap, beta, &a_residual);
        scale_and_add(&mut tp, beta, &t_residual);
    }
    let s = scaled.s;
    x.iter_mut().zip(&s).for_each(|(x, s)| *x *= s);
    residual.iter_mut().zip(&s).for_each(|(residual, s)| *residual /= s);
    Ok(Direction { u: x, t: dt, residual, products })
}

/// SHS, with room for what its products need.
struct System<'a> {
    hessian: &'a Hessian<'a>,
    s: Vec<f64>,
    v: Vec<f64>,
    w: Vec<f64>,
}

impl System<'_> {
    async fn product(&mut self, x: &[f64], t: &mut [f64], product: &mut [f64]) {
        self.v.iter_mut().zip(self.s.iter().zip(x)).for_each(|(v, (s, x))| *v = s * x);
        self.hessian.product(&self.v, t, &mut self.w, product).await;
        product.iter_mut().zip(&self.s).for_each(|(product, s)| *product *= s);
    }
}
