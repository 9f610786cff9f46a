//! How far to go along a direction: the exact minimum of the dual's negative on the line, to a part of its slope.

use super::Problem;
use super::direction::{Direction, ROUNDING};
use super::point::Point;
use crate::models::support::rows::{sum, tilt_along};
use crate::models::support::zeros;
use crate::vector::dot;
use marginalia_tables::Result;

/// The slope at which to stop, as a part of the slope at the start.
const SLOPE: f64 = 0.3;

/// The most trials.
const TRIALS: usize = 60;

/// A search for the step `s` on `φ(s) = ln Σ p exp(t + s dt) − s y·v + Σ (u + s v)²/(2λ)`.
#[derive(Debug)]
pub(super) struct Line {
    pub s: f64,
    /// The weights at `s`.
    pub q: Vec<f64>,
    /// `ln Σ p exp(t + s dt)`.
    pub lz: f64,
    low: f64,
    high: f64,
    trials: usize,
    /// φ'(0), and of the linear and quadratic parts y·v − Σ u v/λ, and Σ v²/λ.
    slope: f64,
    linear: f64,
    quadratic: f64,
}

impl Line {
    /// The start, at s = 1; `g` is the gradient of the dual at the point.
    pub fn new(point: &Point, g: &[f64], direction: &Direction) -> Result<Self> {
        let (slope, linear, quadratic) = (-dot(g, &direction.v), direction.linear(), direction.quadratic());
        let q = zeros(point.q.len())?;
        Ok(Self { s: 1.0, q, lz: 0.0, low: 0.0, high: f64::INFINITY, trials: 0, slope, linear, quadratic })
    }

    /// Whether the direction leads up at all.
    pub fn leads_up(&self) -> bool {
        self.slope < 0.0
    }

    /// One trial; true when `s` will do.
    pub fn step(&mut self, problem: &Problem, point: &Point, dt: &[f64]) -> bool {
        self.lz = tilt_along(problem.base.prior(), &point.t, self.s, dt, &mut self.q);
        let q = &self.q;
        let mean = sum(q.len(), |row| q[row] * dt[row]);
        let slope = mean - self.linear + self.s * self.quadratic;
        self.trials += 1;
        // A slope that is small enough does not make φ less: it may have turned sharply and risen a long way.
        let change = self.lz - point.lz - self.s * (self.linear - 0.5 * self.s * self.quadratic);
        let less = change <= ROUNDING * (1.0 + point.lz.abs());
        if (less && slope.abs() <= SLOPE * self.slope.abs()) || self.trials == TRIALS {
            return true;
        }
        let variance = sum(q.len(), |row| q[row] * (dt[row] - mean) * (dt[row] - mean));
        if slope < 0.0 {
            self.low = self.s
        } else {
            self.high = self.s
        }
        let newton = self.s - slope / (variance + self.quadratic);
        self.s = if newton > self.low && newton < self.high {
            newton
        } else if self.high.is_finite() {
            0.5 * (self.low + self.high)
        } else {
            2.0 * self.s
        };
        false
    }
}
