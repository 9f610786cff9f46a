//! The multipliers of the box |u| ≤ Λ, and steps that keep them and their slacks positive.

use super::point::Point;
use super::problem::Problem;

/// The share of the way to the boundary that a step goes at most.
const SHORT_OF_BOUNDARY: f64 = 0.995;
/// Second-order terms are cut at so many times τ.
const MOST_CORRECTION: f64 = 10.0;
/// z is kept at so much of μ over its slack at least.
const FLOOR: f64 = 1e-3;

/// z⁺ and z⁻ of each cell, where r = z⁺ − z⁻, z⁺a = z⁻b = τ on the central path, with the slacks a = Λ − u and
/// b = Λ + u.
#[derive(Debug, Clone)]
pub(super) struct Multipliers {
    plus: Vec<f64>,
    minus: Vec<f64>,
    a: Vec<f64>,
    b: Vec<f64>,
}

/// The second-order terms of the complementarity, or none.
pub(super) struct Corrections(Option<Vec<[f64; 2]>>);

/// The steps of the multipliers that belong to a step of u.
pub(super) struct MultiplierStep {
    plus: Vec<f64>,
    minus: Vec<f64>,
}

impl Multipliers {
    /// The start: r where it is of the right sign, and not below τ over the slack.
    pub fn new(problem: &Problem, point: &Point, residuals: &[f64], tau: f64) -> Self {
        let mut start = Self { plus: Vec::new(), minus: Vec::new(), a: Vec::new(), b: Vec::new() };
        start.take_slacks(problem, point);
        start.plus = residuals.iter().zip(&start.a).map(|(r, a)| r.max(tau / a)).collect();
        start.minus = residuals.iter().zip(&start.b).map(|(r, b)| (-r).max(tau / b)).collect();
        start
    }

    /// a and b, never below what rounding leaves of them.
    pub fn take_slacks(&mut self, problem: &Problem, point: &Point) {
        let slacks = |sign: f64| {
            let of_cell = move |(bound, u): (&f64, &f64)| (bound + sign * u).max(f64::EPSILON * bound);
            problem.bounds.iter().zip(&point.u).map(of_cell).collect()
        };
        (self.a, self.b) = (slacks(-1.0), slacks(1.0));
    }

    /// Puts z⁺ and z⁻ where they would be on the central path: τ over the slack.
    pub fn centre(&mut self, tau: f64) {
        self.plus.iter_mut().zip(&self.a).for_each(|(z, a)| *z = tau / a);
        self.minus.iter_mut().zip(&self.b).for_each(|(z, b)| *z = tau / b);
    }

    /// How much −Σ (ln a + ln b) grows by a step of u.
    pub fn barrier_growth(&self, alpha: f64, du: &[f64]) -> f64 {
        let of_cell = |([(_, a), (_, b)], du): ([(f64, f64); 2], &f64)| {
            libm::log1p(-alpha * du / a) + libm::log1p(alpha * du / b)
        };
        -self.pairs().zip(du).map(of_cell).sum::<f64>()
    }

    /// (z⁺, a), (z⁻, b) of each cell.
    fn pairs(&self) -> impl Iterator<Item = [(f64, f64); 2]> {
        let (plus, minus) = (self.plus.iter().zip(&self.a), self.minus.iter().zip(&self.b));
        plus.zip(minus).map(|((p, a), (m, b))| [(*p, *a), (*m, *b)])
    }

    /// μ, the mean of z⁺a and z⁻b.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.pairs().map(|[(p, a), (m, b)]| p * a + m * b).sum();
        sum / (2 * self.plus.len()) as f64
    }

    /// D = z⁺/a + z⁻/b.
    pub fn barrier(&self) -> Vec<f64> {
        self.pairs().map(|[(p, a), (m, b)]| p / a + m / b).collect()
    }

    /// e⁺ = (τ − c⁺)/a and e⁻ = (τ − c⁻)/b of each cell.
    fn targets(&self, tau: f64, corrections: &Corrections) -> impl Iterator<Item = [f64; 2]> {
        self.pairs().enumerate().map(move |(i, [(_, a), (_, b)])| {
            let [plus, minus] = corrections.0.as_ref().map_or([0.0; 2], |c| c[i]);
            [(tau - plus) / a, (tau - minus) / b]
        })
    }

    /// The right side of Newton's system: r − e⁺ + e⁻.
    pub fn right_side(&self, residuals: &[f64], tau: f64, corrections: &Corrections) -> Vec<f64> {
        let targets = self.targets(tau, corrections);
        residuals.iter().zip(targets).map(|(r, [plus, minus])| r - plus + minus).collect()
    }

    /// dz⁺ = e⁺ − z⁺ + z⁺du/a and dz⁻ = e⁻ − z⁻ − z⁻du/b.
    pub fn step(&self, du: &[f64], tau: f64, corrections: &Corrections) -> MultiplierStep {
        let (mut plus, mut minus) = (Vec::with_capacity(du.len()), Vec::with_capacity(du.len()));
        for ((du, [(p, a), (m, b)]), [e, f]) in
            du.iter().zip(self.pairs()).zip(self.targets(tau, corrections))
        {
            plus.push(e - p + p * du / a);
            minus.push(f - m - m * du / b);
        }
        MultiplierStep { plus, minus }
    }

    /// How far u and the multipliers can go: 1, or a little less than to the boundary.
    pub fn lengths(&self, du: &[f64], dz: &MultiplierStep) -> (f64, f64) {
        let (mut of_u, mut of_z) = (f64::INFINITY, f64::INFINITY);
        let reach = |value: f64, change: f64| if change < 0.0 { value / -change } else { f64::INFINITY };
        for (i, [(p, a), (m, b)]) in self.pairs().enumerate() {
            of_u = of_u.min(reach(a, -du[i])).min(reach(b, du[i]));
            of_z = of_z.min(reach(p, dz.plus[i])).min(reach(m, dz.minus[i]));
        }
        ((SHORT_OF_BOUNDARY * of_u).min(1.0), (SHORT_OF_BOUNDARY * of_z).min(1.0))
    }

    /// μ after such a step.
    pub fn mean_after(&self, du: &[f64], dz: &MultiplierStep, (of_u, of_z): (f64, f64)) -> f64 {
        let mut sum = 0.0;
        for (i, [(p, a), (m, b)]) in self.pairs().enumerate() {
            let step = of_u * du[i];
            sum += (p + of_z * dz.plus[i]) * (a - step) + (m + of_z * dz.minus[i]) * (b + step);
        }
        sum / (2 * du.len()) as f64
    }

    /// Takes a step, of u too, and keeps the multipliers off zero: at least `FLOOR`·μ over the new slacks.
    pub fn advance(&mut self, problem: &Problem, point: &Point, dz: &MultiplierStep, of_z: f64, mu: f64) {
        self.take_slacks(problem, point);
        let floor = FLOOR * mu;
        for (z, (dz, a)) in self.plus.iter_mut().zip(dz.plus.iter().zip(&self.a)) {
            *z = (*z + of_z * dz).max(floor / a);
        }
        for (z, (dz, b)) in self.minus.iter_mut().zip(dz.minus.iter().zip(&self.b)) {
            *z = (*z + of_z * dz).max(floor / b);
        }
    }
}

impl Corrections {
    /// No second-order terms.
    pub fn none() -> Self {
        Self(None)
    }

    /// c⁺ = −du·dz⁺ and c⁻ = du·dz⁻ of a predictor, cut where they exceed what τ can bear.
    pub fn of(du: &[f64], dz: &MultiplierStep, tau: f64) -> Self {
        let cut = |c: f64| c.clamp(-MOST_CORRECTION * tau, MOST_CORRECTION * tau);
        let terms = du.iter().zip(dz.plus.iter().zip(&dz.minus));
        Self(Some(terms.map(|(du, (plus, minus))| [cut(-du * plus), cut(du * minus)]).collect()))
    }
}
