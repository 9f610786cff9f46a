//! A plain solver of calibrated estimation with squared loss, to compare with: sweeps of exact block
//! steps on the dual, until the gap between primal and dual is small.

use marginalia_estimate::deviates::stream;
use marginalia_estimate::estimators::calibrated::Task;

/// The weights that sweeps to a relative gap lead to, at most so many.
pub fn swept(task: Task, gap: f64, most: usize) -> Vec<f64> {
    let mut run = Run::new(task);
    for done in 1..=most {
        run.sweep(done);
        if done % 5 == 0 && run.refresh() < gap {
            break;
        }
    }
    run.refresh();
    run.q
}

struct Run {
    task: Task,
    /// `λ = n²/(σ² n₀)`, the target fractions, and the dual point.
    lambda: Vec<f64>,
    y: Vec<f64>,
    u: Vec<f64>,
    q: Vec<f64>,
}

impl Run {
    fn new(task: Task) -> Self {
        let total = task.total;
        let lambda = task.variances.iter().map(|v| total * total / (v * task.strength)).collect();
        let y: Vec<f64> = task.answers.iter().map(|answer| answer / total).collect();
        let sum: f64 = task.prior.iter().sum();
        let q = task.prior.iter().map(|weight| weight / sum).collect();
        Self { u: vec![0.0; y.len()], task, lambda, y, q }
    }

    fn sweep(&mut self, number: usize) {
        let mut order: Vec<usize> = (0..self.task.index.marginals().len()).collect();
        stream(number as u64, &[]).shuffle(&mut order);
        order.into_iter().for_each(|marginal| self.block(marginal));
    }

    /// The exact minimum over the potentials of one marginal.
    fn block(&mut self, marginal: usize) {
        let marginal = &self.task.index.marginals()[marginal];
        let cells = marginal.cells.clone();
        let mut m = vec![0.0; cells.len()];
        self.q.iter().zip(&marginal.of_row).for_each(|(q, cell)| m[*cell as usize] += q);
        let (u, y, lambda) = (&mut self.u[cells.clone()], &self.y[cells.clone()], &self.lambda[cells]);
        let s: Vec<f64> =
            (0..m.len()).map(|i| (lambda[i] * m[i].max(1e-300)).ln() - u[i] + lambda[i] * y[i]).collect();
        let mu = |z: f64| s.iter().zip(lambda).map(move |(s, lambda)| omega(s - z) / lambda);
        let (mut low, mut high) = (-1.0, 1.0);
        while mu(low).sum::<f64>() < 1.0 {
            low *= 2.0;
        }
        while mu(high).sum::<f64>() > 1.0 {
            high *= 2.0;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if mu(middle).sum::<f64>() > 1.0 { low = middle } else { high = middle }
        }
        let mu: Vec<f64> = mu(0.5 * (low + high)).collect();
        u.iter_mut().enumerate().for_each(|(i, u)| *u = lambda[i] * (y[i] - mu[i]));
        let ratios: Vec<f64> = mu.iter().zip(&m).map(|(mu, m)| if *m > 0.0 { mu / m } else { 0.0 }).collect();
        self.q.iter_mut().zip(&marginal.of_row).for_each(|(q, cell)| *q *= ratios[*cell as usize]);
    }

    /// Weights anew from the potentials; the relative gap.
    fn refresh(&mut self) -> f64 {
        let mut t = vec![0.0; self.q.len()];
        self.task.index.gather(&self.u, &mut t);
        let top = t.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let prior: f64 = self.task.prior.iter().sum();
        let of = |(p, t): (&f64, &f64)| p / prior * (t - top).exp();
        self.q = self.task.prior.iter().zip(&t).map(of).collect();
        let sum: f64 = self.q.iter().sum();
        self.q.iter_mut().for_each(|q| *q /= sum);
        let mut m = vec![0.0; self.y.len()];
        self.task.index.scatter(&self.q, &mut m);
        let (mut gap, mut primal) = (0.0, -(sum.ln() + top));
        for (i, m) in m.iter().enumerate() {
            let (r, lambda) = (self.y[i] - m, self.lambda[i]);
            gap += (lambda * r - self.u[i]).powi(2) / (2.0 * lambda);
            primal += lambda * r * r / 2.0 + self.u[i] * m;
        }
        gap / primal.max(1e-9)
    }
}

/// Wright's ω, by Newton's method from a near point.
fn omega(s: f64) -> f64 {
    if s < -30.0 {
        return s.exp();
    }
    let mut w = if s > 1.0 { s - s.ln() } else { (s.exp() / (1.0 + s.exp())).max(1e-14) };
    for _ in 0..8 {
        let residual = s - w - w.ln();
        w *= ((1.0 + w + residual) / (1.0 + w)).max(0.1);
    }
    w
}
