//! Newton's systems (H + D) du = right, solved until |Λ∘residual| is small enough.
//!
//! In what S = (m + D)^-½ scales: S(H + D)S x = S·right with du = Sx. There the diagonal is about 1, and Λ∘residual is
//! (Λ/S)∘(scaled residual).

use super::hessian::{Hessian, Scaled};
use super::precondition::Preconditioner;
use crate::models::support::{Number, zeros};
use crate::vector::{add, dot, scale_and_add, weighted_norm};
use marginalia_tables::Result;

/// Products after which a solution is taken as it is.
const MOST_PRODUCTS: usize = 5000;

/// A solution of a system.
#[derive(Debug, Clone)]
pub(super) struct Solution {
    /// du.
    pub u: Vec<f64>,
    /// What the right side is left with: the first guess of the next system takes it from here.
    pub residual: Vec<f64>,
}

impl Solution {
    /// The start: du = 0.
    pub fn none(right: Vec<f64>) -> Result<Self> {
        Ok(Self { u: zeros(right.len())?, residual: right })
    }

    /// As a first guess of the system whose right side is `new` instead of `old`.
    pub fn towards(mut self, new: &[f64], old: &[f64]) -> Self {
        self.residual.iter_mut().zip(new.iter().zip(old)).for_each(|(r, (new, old))| *r += new - old);
        self
    }
}

/// A system being solved.
struct Iteration<'a, T> {
    scaled: Scaled<'a, T>,
    /// Λ/S.
    weights: Vec<T>,
    x: Vec<T>,
    residual: Vec<T>,
    p: Vec<T>,
    ap: Vec<T>,
    products: usize,
    tolerance: f64,
    /// What the right side is divided by.
    unit: f64,
}

/// Goes on from `start` until |Λ∘residual| ≤ `tolerance`: by conjugate gradients where there is a dense block, and else by
/// conjugate residuals.
pub(super) async fn solve<T: Number>(
    hessian: &Hessian<'_>,
    block: Option<&mut Preconditioner>,
    start: Solution,
    tolerance: f64,
) -> Result<Solution> {
    let mut iteration = Iteration::<T>::new(hessian, &start.residual, tolerance)?;
    match block {
        Some(block) => iteration.gradients(block).await?,
        None => iteration.residuals().await?,
    }
    Ok(iteration.end(start))
}

impl<'a, T: Number> Iteration<'a, T> {
    fn new(hessian: &'a Hessian<'a>, right: &[f64], tolerance: f64) -> Result<Self> {
        let scaled = Scaled::<T>::new(hessian)?;
        let cells = right.len();
        let largest =
            hessian.scale().zip(right).fold(0.0, |most: f64, (s, right)| most.max((s * right).abs()));
        let unit = if largest > 0.0 && largest.is_finite() { largest } else { 1.0 };
        let (mut weights, mut residual) = (zeros(cells)?, zeros(cells)?);
        for (i, (s, right)) in hessian.scale().zip(right).enumerate() {
            weights[i] = T::of(hessian.problem.bounds[i] / s);
            residual[i] = T::of(s * right / unit);
        }
        let (x, p, ap) = (zeros(cells)?, zeros(cells)?, zeros(cells)?);
        Ok(Self { scaled, weights, x, residual, p, ap, products: 0, tolerance: tolerance / unit, unit })
    }

    fn goes_on(&self) -> bool {
        weighted_norm(&self.weights, &self.residual) > self.tolerance && self.products < MOST_PRODUCTS
    }

    /// Conjugate gradients preconditioned by a dense factor: for systems that the diagonal does not tame.
    async fn gradients(&mut self, block: &mut Preconditioner) -> Result<()> {
        let mut z = zeros(self.x.len())?;
        let mut length = T::of(f64::INFINITY);
        while self.goes_on() {
            block.apply(&self.residual, &mut z);
            self.scaled.hessian.pace.did(block.work()).await;
            let before = std::mem::replace(&mut length, dot(&self.residual, &z));
            scale_and_add(&mut self.p, ratio(length, before), &z);
            self.scaled.product(&self.p, &mut self.ap).await;
            self.products += 1;
            if !self.advance(ratio(length, dot(&self.p, &self.ap))) {
                break;
            }
        }
        Ok(())
    }

    /// Conjugate residuals: for systems that few products solve.
    async fn residuals(&mut self) -> Result<()> {
        let mut image = zeros(self.x.len())?;
        let mut curvature = T::of(f64::INFINITY);
        while self.goes_on() {
            self.scaled.product(&self.residual, &mut image).await;
            self.products += 1;
            let before = std::mem::replace(&mut curvature, dot(&self.residual, &image));
            let beta = ratio(curvature, before);
            scale_and_add(&mut self.p, beta, &self.residual);
            scale_and_add(&mut self.ap, beta, &image);
            if !self.advance(ratio(curvature, dot(&self.ap, &self.ap))) {
                break;
            }
        }
        Ok(())
    }

    /// A step along p; false where it is of no use.
    fn advance(&mut self, alpha: T) -> bool {
        let useful = alpha.wide() > 0.0 && alpha.wide().is_finite();
        if useful {
            add(&mut self.x, alpha, &self.p);
            add(&mut self.residual, T::default() - alpha, &self.ap);
        }
        useful
    }

    fn end(self, mut start: Solution) -> Solution {
        let of_cells = self.scaled.hessian.scale().zip(self.x.iter().zip(&self.residual));
        let to = start.u.iter_mut().zip(&mut start.residual);
        for ((u, residual), (s, (x, left))) in to.zip(of_cells) {
            *u += self.unit * s * x.wide();
            *residual = self.unit * left.wide() / s;
        }
        start
    }
}

fn ratio<T: Number>(a: T, b: T) -> T {
    T::of(a.wide() / b.wide())
}
