//! The last digits of stage two. Clarabel's accuracy ends where rounding in its factors begins; from there Newton's
//! method on the same dual needs few steps: `H dw = r` with `H = M (diag q − q qᵀ) Mᵀ` over the cells that are tight.

use crate::divergence::tilted;
use crate::face::{Face, Side};
use crate::merge::Reduced;

const STEPS: usize = 20;
const PRODUCTS: usize = 2000;
/// The part of a residual that a Newton step may leave.
const ROUGH: f64 = 1e-6;
/// Residuals this small are rounding.
const ENOUGH: f64 = 1e-15;

/// A dual at least as close to meeting the tight answers as `w`, of the right signs. A cell that need not be met counts as tight
/// where so many times its dual is larger than its distance.
pub fn polished(problem: &Reduced, face: &Face, w: &[f64], times: f64) -> Vec<f64> {
    let mut best = w.to_vec();
    let mut q = tilted(problem, &face.rows, &best);
    let mut r = residual(problem, face, &q);
    let tight = tight_cells(face, &best, &r, times * problem.size());
    (0..best.len()).filter(|c| !tight[*c]).for_each(|c| best[c] = 0.0);
    q = tilted(problem, &face.rows, &best);
    r = residual(problem, face, &q);
    for _ in 0..STEPS {
        restrict(&mut r, &tight);
        let before = norm(&r);
        if before <= ENOUGH {
            break;
        }
        let step = conjugate_residuals(problem, &q, &tight, &r);
        let mut moved: Vec<f64> = best.iter().zip(&step).map(|(w, d)| w + d).collect();
        face.sides.iter().zip(&mut moved).for_each(|(side, w)| *w = side.sign(*w));
        let next = tilted(problem, &face.rows, &moved);
        let mut rest = residual(problem, face, &next);
        restrict(&mut rest, &tight);
        // Also false when a number is none.
        if norm(&rest) >= 0.9 * before || norm(&rest).is_nan() {
            break;
        }
        (best, q, r) = (moved, next, rest);
    }
    best
}

fn residual(problem: &Reduced, face: &Face, q: &[f64]) -> Vec<f64> {
    face.answers.iter().zip(problem.scatter(q)).map(|(y, m)| y - m).collect()
}

/// Cells that must be met, and of the others those that push: their dual is larger than their distance.
fn tight_cells(face: &Face, w: &[f64], r: &[f64], size: f64) -> Vec<bool> {
    let tight = |((side, w), r): ((&Side, &f64), &f64)| *side == Side::Met || w.abs() * size > r.abs();
    face.sides.iter().zip(w).zip(r).map(tight).collect()
}

fn restrict(v: &mut [f64], to: &[bool]) {
    v.iter_mut().zip(to).filter(|(_, keep)| !**keep).for_each(|(v, _)| *v = 0.0);
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(v: &[f64]) -> f64 {
    dot(v, v).sqrt()
}

/// `H v` on the tight cells.
fn product(problem: &Reduced, q: &[f64], tight: &[bool], v: &[f64]) -> Vec<f64> {
    let t = problem.gather(v);
    let mean = dot(q, &t);
    let weighted: Vec<f64> = q.iter().zip(&t).map(|(q, t)| q * (t - mean)).collect();
    let mut image = problem.scatter(&weighted);
    restrict(&mut image, tight);
    image
}

/// `H v = r`: the iterate of least residual, whatever the rank of `H`.
fn conjugate_residuals(problem: &Reduced, q: &[f64], tight: &[bool], r: &[f64]) -> Vec<f64> {
    let mut v = vec![0.0; r.len()];
    let (mut rest, mut p) = (r.to_vec(), r.to_vec());
    let mut h_rest = product(problem, q, tight, &rest);
    let mut h_p = h_rest.clone();
    let mut curve = dot(&rest, &h_rest);
    // Beyond it rounding along directions without curvature is all that is left.
    let goal = ROUGH * norm(r);
    for _ in 0..PRODUCTS {
        let size = dot(&h_p, &h_p);
        if size <= 0.0 || curve <= 0.0 || norm(&rest) <= goal {
            break;
        }
        let alpha = curve / size;
        v.iter_mut().zip(&p).for_each(|(v, p)| *v += alpha * p);
        rest.iter_mut().zip(&h_p).for_each(|(r, h)| *r -= alpha * h);
        h_rest = product(problem, q, tight, &rest);
        let next = dot(&rest, &h_rest);
        let beta = next / curve;
        p.iter_mut().zip(&rest).for_each(|(p, r)| *p = r + beta * *p);
        h_p.iter_mut().zip(&h_rest).for_each(|(h, r)| *h = r + beta * *h);
        curve = next;
    }
    v
}
