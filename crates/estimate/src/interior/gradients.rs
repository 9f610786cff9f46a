//! Conjugate gradients preconditioned by a dense factor: for systems that the diagonal does not tame.

use super::hessian::{Direction, Hessian};
use super::precondition::Preconditioner;
use crate::vector::{add, copy, dot, scale_and_add, weighted_norm, zeros};
use marginalia_tables::Result;

/// Products after which a solution is taken as it is.
const MOST_PRODUCTS: usize = 5000;

/// Solves (H + D)v = `right` until |Λ∘residual| ≤ `tolerance`, from `start` or else from v = 0.
pub(super) async fn conjugate_gradients(
    hessian: &Hessian<'_>,
    preconditioner: &mut Preconditioner,
    right: &[f64],
    tolerance: f64,
    start: Option<(&[f64], Direction)>,
) -> Result<Direction> {
    let (cells, rows) = (right.len(), hessian.q.len());
    let mut solution = begin(right, start, rows)?;
    let (mut z, mut p, mut ap) = (zeros(cells)?, zeros(cells)?, zeros(cells)?);
    let (mut tp, mut w) = (zeros(rows)?, zeros(rows)?);
    let mut length = f64::INFINITY;
    while weighted_norm(&hessian.problem.bounds, &solution.residual) > tolerance
        && solution.products < MOST_PRODUCTS
    {
        preconditioner.apply(&solution.residual, &mut z);
        hessian.pace.did(preconditioner.work()).await;
        let before = std::mem::replace(&mut length, dot(&solution.residual, &z));
        scale_and_add(&mut p, length / before, &z);
        hessian.product(&p, &mut tp, &mut w, &mut ap).await;
        solution.products += 1;
        let alpha = length / dot(&p, &ap);
        if !(alpha > 0.0 && alpha.is_finite()) {
            break;
        }
        add(&mut solution.u, alpha, &p);
        add(&mut solution.t, alpha, &tp);
        add(&mut solution.residual, -alpha, &ap);
    }
    Ok(solution)
}

/// The solution of the system whose right side was `old`, as a first guess: what is left of the new right side
/// differs by as much as the sides do.
fn begin(right: &[f64], start: Option<(&[f64], Direction)>, rows: usize) -> Result<Direction> {
    let Some((old, mut start)) = start else {
        let (u, t, residual) = (zeros(right.len())?, zeros(rows)?, copy(right)?);
        return Ok(Direction { u, t, residual, products: 0 });
    };
    start.residual.iter_mut().zip(right.iter().zip(old)).for_each(|(r, (new, old))| *r += new - old);
    start.products = 0;
    Ok(start)
}
