//! What is to be low, as a function of marginals.

use crate::fit::{Operator, Problem, Term};
use marginalia_compute::math::exp;
use marginalia_compute::vector::{add, sum2};
use marginalia_tables::Result;
use marginalia_tables::query::{Factor, Matrix};
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

/// A convex function of the residuals r = Q m − y, each in units of its noise, or of the marginals themselves.
#[derive(Debug, Clone)]
pub enum Loss {
    /// Σ r²/(2σ²): the negative log-likelihood of Gaussian noise.
    Squares,
    /// Σ |r|/b for the scale b = σ/√2: that of Laplace noise. It has no gradient where r is 0.
    Absolute,
    /// The same with r²/(2cb²) in the place of |r|/b − c/2 up to |r| = cb.
    Huber(f64),
    /// Any other.
    Own(Arc<dyn Own>),
}

/// A loss with its gradient.
pub type Evaluation<'a> = Pin<Box<dyn Future<Output = Result<f64>> + Send + 'a>>;

/// A convex function of the shares of the cells of all factors, in the order of the tree.
pub trait Own: Debug + Send + Sync {
    /// Its value, and its gradient into `gradient`; NaN where all is stopped before it is known.
    fn at<'a>(&'a self, cells: &'a [f64], gradient: &'a mut [f64]) -> Evaluation<'a>;

    /// How much at most the gradient changes, as [`Loss::lipschitz`] has it.
    fn lipschitz(&self) -> Option<f64> {
        None
    }
}

impl Loss {
    /// The loss at these marginals, and a subgradient, 0 where a residual is.
    pub async fn at(&self, problem: &Problem, cells: &[f64], gradient: &mut [f64]) -> Result<f64> {
        if let Self::Own(own) = self {
            return own.at(cells, gradient).await;
        }
        gradient.fill(0.0);
        let mut loss = 0.0;
        problem.by_terms(cells, |term, residuals| {
            loss += self.sloped(residuals, &problem.weights[term.answers.clone()]);
            term.operator.spread(residuals, &mut gradient[problem.cells(term)]);
        })?;
        Ok(loss)
    }

    /// The loss alone, where it is known by answers.
    pub(super) fn value(&self, problem: &Problem, cells: &[f64]) -> Result<Option<f64>> {
        if matches!(self, Self::Own(_)) {
            return Ok(None);
        }
        let mut loss = 0.0;
        problem.by_terms(cells, |term, residuals| {
            loss += self.sloped(residuals, &problem.weights[term.answers.clone()]);
        })?;
        Ok(Some(loss))
    }

    /// The loss of residuals, which become their slopes.
    fn sloped(&self, residuals: &mut [f64], weights: &[f64]) -> f64 {
        if matches!(self, Self::Squares) {
            let loss = 0.5 * sum2(residuals, weights, |r, weight| weight * r * r);
            residuals.iter_mut().zip(weights).for_each(|(r, weight)| *r *= weight);
            return loss;
        }
        let each = residuals.iter_mut().zip(weights).map(|(r, weight)| {
            let (value, slope) = self.of(*r, *weight);
            *r = slope;
            value
        });
        each.sum()
    }

    /// L(x) − L(y) − ∇L(y)·(x − y), answer by answer; nothing of a loss that is not known by answers.
    pub(super) fn divergence(&self, problem: &Problem, x: &[f64], y: &[f64]) -> Result<Option<f64>> {
        if matches!(self, Self::Own(_)) {
            return Ok(None);
        }
        let mut here = problem.zeros()?;
        problem.ask(y, &mut here);
        let mut divergence = 0.0;
        problem.by_terms(x, |term, there| {
            let (weights, y) = (&problem.weights[term.answers.clone()], &problem.y[term.answers.clone()]);
            let here = &mut here[term.answers.clone()];
            add(here, -1.0, y);
            divergence += if matches!(self, Self::Squares) {
                add(there, -1.0, here);
                0.5 * sum2(there, weights, |d, weight| weight * d * d)
            } else {
                let of = |((x, y), weight): ((&f64, &f64), &f64)| {
                    let ((there, _), (here, slope)) = (self.of(*x, *weight), self.of(*y, *weight));
                    (there - here - slope * (x - y)).max(0.0)
                };
                there.iter().zip(here.iter()).zip(weights).map(of).sum()
            };
        })?;
        Ok(Some(divergence))
    }

    /// Of a residual whose weight is n²/σ², and its slope.
    fn of(&self, r: f64, weight: f64) -> (f64, f64) {
        let precision = (2.0 * weight).sqrt();
        let scales = precision * r.abs();
        match self {
            Self::Huber(width) if scales <= *width => {
                (scales * scales / (2.0 * width), precision * precision * r / width)
            }
            Self::Huber(width) => (scales - 0.5 * width, precision * r.signum()),
            Self::Absolute if r == 0.0 => (0.0, 0.0),
            Self::Absolute => (scales, precision * r.signum()),
            _ => (0.5 * weight * r * r, weight * r),
        }
    }

    /// What the noise alone makes of it on average: no model that is nearer to the answers is nearer to the truth.
    pub fn noise(&self, problem: &Problem) -> Option<f64> {
        let each = match self {
            Self::Squares => 0.5,
            Self::Absolute => 1.0,
            Self::Huber(width) => (1.0 - exp(-width)) / width,
            Self::Own(_) => return None,
        };
        Some(each * problem.answers() as f64)
    }

    /// K with L(p) ≤ L(q) + ∇L(q)·(p − q) + K/2 |p − q|₁² for all distributions p and q, to which the entropy belongs: as
    /// much of the curvature of L as a way between two records can meet,
    /// maxₓ,ₓ′ ¼Σ (n²/σ²)|Q(eₓ − eₓ′)|². For measurements of all cells this is half the sum of n²/σ² over them, and
    /// no smaller one will do. For others it is an upper bound.
    pub fn lipschitz(&self, problem: &Problem) -> Option<f64> {
        let curvature = match self {
            Self::Squares => 1.0,
            Self::Huber(width) => 2.0 / width,
            Self::Absolute => return None,
            Self::Own(own) => return own.lipschitz(),
        };
        let of = |term: &Term| 0.25 * problem.weights[term.answers.start] * diameter(&term.operator);
        let measured = problem.terms.iter().filter(|term| !term.answers.is_empty());
        Some(curvature * measured.map(of).sum::<f64>())
    }
}

/// A bound of |q − q′|² for columns q and q′ of an operator.
fn diameter(operator: &Operator) -> f64 {
    let matrix = match operator {
        Operator::Identity | Operator::Classes { .. } => return 2.0,
        Operator::Linear(matrix) => matrix,
        Operator::Product { product, .. } => {
            let of = |factor: &Factor| match factor {
                Factor::Identity(_) => (1.0, false),
                Factor::Linear(matrix) => longest(matrix),
            };
            let all = product.factors().iter().map(of).fold((1.0, false), |(a, b), (c, d)| (a * c, b | d));
            return if all.1 { 4.0 } else { 2.0 } * all.0;
        }
    };
    let range = |row: &[i32]| {
        let (least, most) = row.iter().fold((i32::MAX, i32::MIN), |(a, b), w| (a.min(*w), b.max(*w)));
        (f64::from(most) - f64::from(least)).powi(2)
    };
    let (longest, negative) = longest(matrix);
    let apart = if negative { 4.0 } else { 2.0 } * longest;
    apart.min(matrix.rows().map(range).sum())
}

/// The largest |q|² of a column, and whether there is a negative entry.
fn longest(matrix: &Matrix) -> (f64, bool) {
    let mut squares = vec![0.0; matrix.columns()];
    let mut negative = false;
    for row in matrix.rows() {
        squares.iter_mut().zip(row).for_each(|(sum, w)| *sum += f64::from(*w).powi(2));
        negative |= row.iter().any(|w| *w < 0);
    }
    (squares.into_iter().fold(0.0, f64::max), negative)
}
