//! A plain solver of the calibrated problem under Gaussian noise, for tests: block sweeps that each solve one
//! marginal exactly.

use marginalia_estimate::estimators::strength::Fitted;
use marginalia_estimate::job::Steps;
use marginalia_estimate::models::support::Index;
use std::sync::Arc;

pub struct Sweeps {
    index: Arc<Index>,
    prior: Vec<f64>,
    /// 1/σ² of each cell: λ·n₀.
    precision: Vec<f64>,
    answers: Vec<f64>,
    strength: f64,
    u: Vec<f64>,
    q: Vec<f64>,
    m: Vec<f64>,
}

/// ω + ln ω = s.
pub fn wright_omega(s: f64) -> f64 {
    let mut omega = if s > 1.0 {
        s - s.ln()
    } else if s > -2.0 {
        0.6 * (0.6 * s).exp()
    } else {
        s.exp()
    };
    for _ in 0..8 {
        let last = omega;
        omega *= (1.0 + s - omega.ln()) / (1.0 + omega);
        if (omega - last).abs() <= 1e-15 * omega {
            break;
        }
    }
    omega
}

impl Sweeps {
    pub fn new(index: Arc<Index>, prior: &[f64], variance: &[f64]) -> Self {
        let total: f64 = prior.iter().sum();
        let prior: Vec<f64> = prior.iter().map(|p| p / total).collect();
        let precision: Vec<f64> = variance.iter().map(|variance| 1.0 / variance).collect();
        let zeros = vec![0.0; precision.len()];
        Self {
            index,
            q: prior.clone(),
            prior,
            precision,
            answers: vec![],
            strength: 1.0,
            u: zeros.clone(),
            m: zeros,
        }
    }

    fn lambda(&self, i: usize) -> f64 {
        self.precision[i] / self.strength
    }

    fn block(&mut self, marginal: usize) {
        let index = self.index.clone();
        let marginal = &index.marginals()[marginal];
        let mut m = vec![0.0; marginal.cells.len()];
        self.q.iter().zip(&marginal.of_row).for_each(|(q, cell)| m[*cell as usize] += q);
        let cells = || marginal.cells.clone().zip(&m);
        let s: Vec<f64> = cells()
            .map(|(i, m)| (self.lambda(i) * m).ln() - self.u[i] + self.lambda(i) * self.answers[i])
            .collect();
        let omegas = |z: f64| s.iter().map(|s| wright_omega(s - z)).collect::<Vec<_>>();
        let (mut z, mut omega) = (0.0, omegas(0.0));
        // Newton's method on Σ ω(s − z)/λ = 1, with ω′ = ω/(1 + ω).
        for _ in 0..60 {
            let over_lambda = |f: fn(f64) -> f64| -> f64 {
                marginal.cells.clone().zip(&omega).map(|(i, omega)| f(*omega) / self.lambda(i)).sum()
            };
            let step = (over_lambda(|omega| omega) - 1.0) / over_lambda(|omega| omega / (1.0 + omega));
            z += f64::clamp(step, -50.0, 50.0);
            omega = omegas(z);
            if step.abs() < 1e-12 {
                break;
            }
        }
        let target: Vec<f64> =
            marginal.cells.clone().zip(&omega).map(|(i, omega)| omega / self.lambda(i)).collect();
        for (i, target) in marginal.cells.clone().zip(&target) {
            self.u[i] = self.lambda(i) * (self.answers[i] - target);
        }
        let ratio: Vec<f64> = target.iter().zip(&m).map(|(target, m)| target / m).collect();
        self.q.iter_mut().zip(&marginal.of_row).for_each(|(q, cell)| *q *= ratio[*cell as usize]);
    }

    /// q and m from u; the relative gap.
    fn settle(&mut self) -> f64 {
        let mut t = vec![0.0; self.q.len()];
        self.index.gather(&self.u, &mut t);
        let shift = t.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        self.q = t.iter().zip(&self.prior).map(|(t, p)| p * (t - shift).exp()).collect();
        let sum: f64 = self.q.iter().sum();
        self.q.iter_mut().for_each(|q| *q /= sum);
        self.index.scatter(&self.q, &mut self.m);
        let log_z = shift + sum.ln();
        let (mut gap, mut primal) = (0.0, -log_z);
        for i in 0..self.m.len() {
            let (lambda, r) = (self.lambda(i), self.answers[i] - self.m[i]);
            gap += (lambda * r - self.u[i]).powi(2) / (2.0 * lambda);
            primal += lambda * r * r / 2.0 + self.u[i] * self.m[i];
        }
        gap / primal.max(1e-9)
    }
}

impl Sweeps {
    pub fn fit(&mut self, answers: &[f64], strength: f64) -> Steps<Fitted> {
        (self.answers, self.strength) = (answers.to_vec(), strength);
        self.settle();
        let marginals = self.index.marginals().len();
        for sweep in 0..20 {
            for k in 0..marginals {
                // Another order in each sweep: steps that are prime to most numbers of marginals.
                let stride = [1, 7, 11, 13, 17][sweep % 5];
                self.block((k * stride + sweep) % marginals);
            }
            if self.settle() < 1e-2 {
                break;
            }
        }
        let rows = self.q.iter().zip(&self.prior).filter(|(q, _)| **q > 0.0);
        let divergence = strength * rows.map(|(q, p)| q * (q / p).ln()).sum::<f64>();
        let fitted = Fitted { marginals: self.m.clone(), divergence, ..Fitted::default() };
        Steps::new(|_| async move { Ok(fitted) })
    }
}
