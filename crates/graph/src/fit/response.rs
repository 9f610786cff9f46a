//! How far what a fit says moves with the answers that it was fitted to.
//!
//! With H = Q C Qᵀ + 1/λ, for the covariance C of the cells, a fit on a fixed base moves by δθ = Qᵀ H⁻¹ δy, and C̃ = C − C Qᵀ H⁻¹ Q C
//! is what of C the answers leave. Where the base has the fit's own single attributes B m it moves by Bᵀδw as well, with
//! δw = D B δm and D the inverse of their shares. So a·m moves by gᵀδy with g = H⁻¹ Q C (a + Bᵀw), where
//! (D⁻¹ − B C̃ Bᵀ) w = B C̃ a.

use super::direction::Hessian;
use super::oneways::Oneways;
use super::{Problem, invalid};
use crate::Oracle;
use marginalia_compute::job::Pace;
use marginalia_compute::vector::{add, copy, dot, scale_and_add, zeros};
use marginalia_tables::Result;

/// The part of the right sides that conjugate gradients leave unsolved.
const TOLERANCE: f64 = 1e-6;

/// The most products with the covariance: where answers are so precise that rounding allows no solution, it ends here.
const PRODUCTS: usize = 3000;

/// What keeps attributes in place of which the answers say nothing.
const KEPT: f64 = 1e-7;

/// Of a sum a·m over the cells of factors.
#[derive(Debug, Clone)]
pub struct Response {
    /// By how much it moves with each answer, where both are shares of all records: g.
    pub by: Vec<f64>,
    /// The variance of a − Qᵀg under the fit: of what the answers leave open.
    pub open: f64,
}

/// The response of such a sum at the potentials that went in the oracle's last reverse pass, which are a fit of the problem; its
/// base has the fit's own shares of the attributes that are `refitted`.
pub async fn response(
    problem: &Problem,
    oracle: &mut Oracle,
    a: &[f64],
    refitted: impl Fn(u16) -> bool,
    pace: &Pace,
) -> Result<Response> {
    let tree = problem.passes.tree();
    if a.len() != tree.cells() {
        return Err(invalid("a sum over the cells of factors has a number for each"));
    }
    let oneways = Oneways::new(tree, refitted);
    let roots: Vec<f64> = oneways.sum(oracle.marginals()).map(f64::sqrt).collect();
    let over = |sums: &mut dyn Iterator<Item = f64>| -> Vec<f64> {
        sums.zip(&roots).map(|(sum, root)| if *root > 0.0 { sum / root } else { 0.0 }).collect()
    };
    let mut left = Left { problem, hessian: Hessian::new(problem)?, out: zeros(a.len())?, products: 0 };
    let mut by = left.by(oracle, a, pace).await?;
    left.left(oracle, a, &by);
    let mut residual = over(&mut oneways.sum(&left.out));
    let mut square = dot(&residual, &residual);
    let stop = TOLERANCE * TOLERANCE * square;
    let mut p = copy(&residual)?;
    while square > stop && left.products < PRODUCTS {
        let mut t = zeros(a.len())?;
        oneways.spread(&over(&mut p.iter().copied()), &mut t);
        let x = left.by(oracle, &t, pace).await?;
        left.left(oracle, &t, &x);
        pace.did(problem.work(12)).await;
        let mut image = over(&mut oneways.sum(&left.out));
        image.iter_mut().zip(&p).for_each(|(image, p)| *image = (1.0 + KEPT) * p - *image);
        let step = square / dot(&p, &image);
        if !(step > 0.0 && step.is_finite()) {
            break;
        }
        add(&mut by, step, &x);
        add(&mut residual, -step, &image);
        let before = std::mem::replace(&mut square, dot(&residual, &residual));
        scale_and_add(&mut p, square / before, &residual);
    }
    let rest = left.left(oracle, a, &by);
    Ok(Response { by, open: dot(&rest, &left.out).max(0.0) })
}

/// What the answers leave of sums over cells.
struct Left<'a> {
    problem: &'a Problem,
    hessian: Hessian,
    out: Vec<f64>,
    products: usize,
}

impl Left<'_> {
    /// t − Qᵀx, and C times that in `out`.
    fn left(&mut self, oracle: &mut Oracle, t: &[f64], x: &[f64]) -> Vec<f64> {
        let negative: Vec<f64> = x.iter().map(|x| -x).collect();
        let mut rest = t.to_vec();
        self.problem.spread(&negative, &mut rest);
        oracle.product(&rest, &mut self.out);
        rest
    }

    /// H⁻¹ Q C t, by (1 + Λ^½ Q C Qᵀ Λ^½) s = Λ^½ Q C t.
    async fn by(&mut self, oracle: &mut Oracle, t: &[f64], pace: &Pace) -> Result<Vec<f64>> {
        let problem = self.problem;
        let roots: Vec<f64> = problem.lambda.iter().map(|lambda| lambda.sqrt()).collect();
        oracle.product(t, &mut self.out);
        self.products += 1;
        let mut right = problem.zeros()?;
        problem.ask(&self.out, &mut right);
        right.iter_mut().zip(&roots).for_each(|(c, root)| *c *= root);
        let limits = (TOLERANCE, PRODUCTS.saturating_sub(self.products));
        let (mut s, products) = self.hessian.solve(problem, oracle, &right, limits, pace).await?;
        self.products += products;
        s.iter_mut().zip(&roots).for_each(|(s, root)| *s *= root);
        Ok(s)
    }
}
