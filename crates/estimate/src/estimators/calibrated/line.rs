//! How far to go along a direction: the exact minimum of the dual's negative on the line, to a part of its slope.

use super::Problem;
use super::direction::{Direction, ROUNDING};
use super::point::Point;
use crate::job::Pace;
use crate::models::support::rows::{sum, tilt_along};
use crate::models::support::zeros;
use marginalia_tables::Result;

/// The slope at which to stop, as a part of the slope at the start.
const SLOPE: f64 = 0.3;

/// The most trials.
const TRIALS: usize = 60;

/// The step `s` on `φ(s) = ln Σ p exp(t + s dt) − s y·v + Σ (u + s v)²/(2λ)`.
#[derive(Debug)]
pub(super) struct Line {
    pub s: f64,
    /// The weights at `s`.
    pub q: Vec<f64>,
    /// `ln Σ p exp(t + s dt)`.
    pub lz: f64,
}

impl Line {
    /// The search from s = 1; nothing where the direction does not lead up at all.
    pub async fn search(
        problem: &Problem,
        point: &Point,
        direction: &Direction,
        pace: &Pace,
    ) -> Result<Option<Self>> {
        // φ'(0), and of the linear and quadratic parts y·v − Σ u v/λ, and Σ v²/λ.
        let (start, linear, quadratic) = (direction.slope(), direction.linear(), direction.quadratic());
        let mut q = zeros(point.q.len())?;
        if start.is_nan() || start >= 0.0 {
            return Ok(None);
        }
        let (mut s, mut low, mut high, mut trials) = (1.0, 0.0, f64::INFINITY, 0);
        let dt = &direction.dt;
        loop {
            let lz = tilt_along(problem.base.prior(), &point.t, s, dt, &mut q);
            pace.did(problem.exponentials()).await;
            let mean = sum(q.len(), |row| q[row] * dt[row]);
            let slope = mean - linear + s * quadratic;
            trials += 1;
            // A slope that is small enough does not make φ less: it may have turned sharply and risen a long way.
            let change = lz - point.lz - s * (linear - 0.5 * s * quadratic);
            let less = change <= ROUNDING * (1.0 + point.lz.abs());
            if (less && slope.abs() <= SLOPE * start.abs()) || trials == TRIALS {
                return Ok(Some(Self { s, q, lz }));
            }
            let variance = sum(q.len(), |row| q[row] * (dt[row] - mean) * (dt[row] - mean));
            if slope < 0.0 {
                low = s
            } else {
                high = s
            }
            let newton = s - slope / (variance + quadratic);
            s = if newton > low && newton < high {
                newton
            } else if high.is_finite() {
                0.5 * (low + high)
            } else {
                2.0 * s
            };
        }
    }
}
