//! Sweeps of exact steps, and then Newton's method.

use super::direction::{Direction, Outcome};
use super::line::Line;
use super::point::{Gaps, Point};
use super::problem::Problem;
use crate::estimators::blocks::Blocks;
use crate::estimators::{Status, invalid};
use crate::job::{Pace, Rest, Steps};
use crate::models::support::{Distribution, zeros};
use crate::seed::Seed;
use crate::vector::{add, copy, dot};
use marginalia_compute::block;
use marginalia_tables::Result;
use std::sync::Arc;

/// The forcing term of the first direction, and after one that promised too much.
const ETA: f64 = 0.06;

/// A direction leaves so much of what the tolerance would.
const AIM: f64 = 0.7;

/// What is left of the gap where a step was progress, and how many steps without it are no sign of going to and fro.
const PROGRESS: f64 = 0.9;
const BARREN: u32 = 2;

/// Newton steps after which `t` is worked out anew from `u`.
const REFRESH: usize = 10;

/// How to estimate.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The relative gap to reach.
    pub tolerance: f64,
    /// The most passes over all rows and marginals.
    pub passes: u64,
    /// Sweeps at the start.
    pub sweeps: usize,
    /// The largest λ in these sweeps.
    pub cap: f64,
    /// The seed of their orders.
    pub seed: u64,
    /// Potentials to start from, for all supported cells.
    pub start: Option<Vec<f64>>,
}

impl Default for Options {
    fn default() -> Self {
        Self { tolerance: 1e-6, passes: 20_000, sweeps: 5, cap: 30_000.0, seed: 0, start: None }
    }
}

/// One judgement on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Passes so far over all rows and marginals.
    pub passes: f64,
    /// How far from the optimum.
    pub certificate: Gaps,
}

/// The outcome.
#[derive(Debug, Clone)]
pub struct Solution {
    /// The best model on the way.
    pub model: Distribution,
    /// How it ended.
    pub status: Status,
    /// How far the model may be from the optimum.
    pub certificate: Gaps,
    /// All judgements, in order.
    pub trace: Vec<Step>,
    /// Newton steps, and products with H in all of them.
    pub steps: usize,
    /// Products with H.
    pub products: usize,
}

/// The estimate of a problem: the best model so far where it is finished early.
pub fn calibrated(problem: Problem, options: Options) -> Steps<Solution> {
    Steps::new(|pace| async move { solve(&problem, &options, &pace).await })
}

/// The same at a pace. The longest part that is not divided is one pass over all rows and marginals.
pub(super) async fn solve(problem: &Problem, options: &Options, pace: &Pace) -> Result<Solution> {
    let mut newton = Newton::new(problem, options, pace)?;
    let ended = pace.unless_stopped(newton.run()).await?;
    newton.solution(ended.is_some())
}

/// The method at work.
struct Newton<'a> {
    problem: &'a Problem,
    options: &'a Options,
    pace: &'a Pace,
    point: Point,
    best: Option<(Gaps, Vec<f64>)>,
    /// The norm of the gradient before the last step, where that had s = 1 and a direction that was not cut.
    last_norm: Option<f64>,
    /// The relative gap that was progress last, and how many steps brought none since.
    mark: f64,
    barren: u32,
    trace: Vec<Step>,
    steps: usize,
    products: usize,
    /// Row passes of one marginal.
    rows: usize,
}

impl<'a> Newton<'a> {
    fn new(problem: &'a Problem, options: &'a Options, pace: &'a Pace) -> Result<Self> {
        let (rows, cells) = (problem.base.rows(), problem.index.cells());
        let u = options.start.clone().unwrap_or_else(|| vec![0.0; cells]);
        if u.len() != cells || u.iter().any(|u| !u.is_finite()) {
            return Err(invalid("the potentials to start from must be finite, one for each supported cell"));
        }
        let positive = |x: f64| !x.is_nan() && x > 0.0;
        if !positive(options.tolerance) || !positive(options.cap) {
            return Err(invalid("the tolerance and the largest λ of sweeps must be positive"));
        }
        let point = Point { u, t: zeros(rows)?, q: copy(problem.base.prior())?, m: zeros(cells)?, lz: 0.0 };
        Ok(Self {
            problem,
            options,
            pace,
            point,
            best: None,
            last_norm: None,
            mark: f64::INFINITY,
            barren: 0,
            trace: Vec::new(),
            steps: 0,
            products: 0,
            rows: 0,
        })
    }

    async fn run(&mut self) -> Result<()> {
        // Sweeps keep weights that fit u from step to step, so they start where u = 0.
        if self.options.start.is_none() {
            self.sweep().await;
        }
        self.refresh().await;
        while let Some((g, stop)) = self.judge() {
            let direction = self.direction(g, stop).await?;
            let Some(line) = Line::search(self.problem, &self.point, &direction, self.pace).await? else {
                return Ok(());
            };
            self.go(line, &direction).await;
        }
        Ok(())
    }

    /// Exact steps of one marginal after another, in an order that is shuffled for every sweep. No λ is above the cap: steps against
    /// a very stiff λ heap all weight on few rows. The last scaling of the rows is left out: weights are worked out anew from `u`.
    async fn sweep(&mut self) {
        let (problem, Point { u, q, .. }) = (self.problem, &mut self.point);
        let capped: Vec<f64> = problem.lambda.iter().map(|lambda| lambda.min(self.options.cap)).collect();
        let mut order: Vec<usize> = (0..problem.index.marginals().len()).collect();
        let (mut seed, mut blocks) = (Seed::new(self.options.seed), Blocks::default());
        for _ in 0..self.options.sweeps {
            seed.shuffle(&mut order);
            for marginal in &order {
                let cells = problem.index.marginals()[*marginal].cells.clone();
                let (y, lambda) = (&problem.y[cells.clone()], &capped[cells.clone()]);
                let exact = |m: &[f64], ratios: &mut [f64]| block::step(m, y, lambda, &mut u[cells], ratios);
                blocks.step(&problem.index, *marginal, q, exact);
                self.rows += 2 * problem.index.rows();
                self.pace.did(2 * problem.index.rows()).await;
            }
        }
    }

    /// Everything from `u`: two passes.
    async fn refresh(&mut self) {
        self.point.gather(self.problem);
        self.passed(0).await;
        self.point.scatter(self.problem);
        self.passed(self.problem.exponentials()).await;
    }

    /// Keeps the best, and gives the gradient and the norm of the residual that ends the next direction, if there is to be one.
    fn judge(&mut self) -> Option<(Vec<f64>, f64)> {
        let certificate = self.point.certificate(self.problem);
        self.trace.push(Step { passes: self.passes(), certificate });
        self.pace.judged();
        let relative = certificate.relative();
        if relative.is_nan() {
            return None;
        }
        if self.best.as_ref().is_none_or(|(best, _)| relative < best.relative()) {
            self.best = Some((certificate, self.point.u.clone()));
        }
        if relative <= self.options.tolerance || self.used_up() {
            return None;
        }
        (self.mark, self.barren) =
            if relative < PROGRESS * self.mark { (relative, 0) } else { (self.mark, self.barren + 1) };
        let g = self.point.gradient(self.problem);
        let norm = dot(&g, &g).sqrt();
        let eta = self.last_norm.map_or(ETA, |last| ETA.min(0.9 * libm::pow(norm / last, 1.5)));
        self.last_norm = Some(norm);
        Some((g, aim(self.options.tolerance, relative, self.barren).max(eta) * norm))
    }

    /// The direction whose residual has at most such a norm.
    async fn direction(&mut self, g: Vec<f64>, stop: f64) -> Result<Direction> {
        let mut direction = Direction::new(self.problem, &self.point, g, stop)?;
        loop {
            direction.gather(self.problem);
            self.passed(0).await;
            self.products += 1;
            self.passed(self.problem.exponentials()).await;
            match direction.iterate(self.problem, &self.point, self.used_up())? {
                Outcome::Going => {}
                Outcome::Solved => return Ok(direction),
                Outcome::Cut => {
                    self.last_norm = None;
                    return Ok(direction);
                }
            }
        }
    }

    /// The step to where a search led.
    async fn go(&mut self, line: Line, direction: &Direction) {
        if line.s != 1.0 {
            self.last_norm = None;
        }
        self.steps += 1;
        add(&mut self.point.u, line.s, &direction.v);
        if self.steps.is_multiple_of(REFRESH) {
            return self.refresh().await;
        }
        add(&mut self.point.t, line.s, &direction.dt);
        (self.point.lz, self.point.q) = (line.lz, line.q);
        self.problem.index.scatter(&self.point.q, &mut self.point.m);
        self.passed(0).await;
    }

    /// The best model: the estimate when all is done, and one with its gap whenever that is asked for.
    fn solution(mut self, ended: bool) -> Result<Solution> {
        if self.best.is_none() {
            self.point.gather(self.problem);
            self.point.scatter(self.problem);
            self.judge();
        }
        let Some((certificate, u)) = self.best else {
            return Err(invalid(
                "the measurements lead to numbers beyond range: check their totals and variances",
            ));
        };
        let status = match certificate.relative() <= self.options.tolerance {
            true => Status::Converged,
            false => if ended { Status::Limit } else { Status::Stopped }
                .unless_refused(certificate.relative(), certificate.gap),
        };
        let Problem { base, index, total, .. } = self.problem;
        let model = Distribution::from_potentials(Arc::clone(base), Arc::clone(index), u, *total)?;
        let (trace, steps, products) = (self.trace, self.steps, self.products);
        Ok(Solution { model, status, certificate, trace, steps, products })
    }

    /// Passes over all rows and marginals so far.
    fn passes(&self) -> f64 {
        self.rows as f64 / self.problem.pass().max(1) as f64
    }

    fn used_up(&self) -> bool {
        self.passes() >= self.options.passes as f64
    }

    /// Counts a pass over all rows and marginals, and other work.
    fn passed(&mut self, more: usize) -> Rest {
        self.rows += self.problem.pass();
        self.pace.did(self.problem.pass() + more)
    }
}

/// The part of the gradient that may be left for the gap to come within the tolerance, if the model holds. Half as much for each
/// further step that is no progress: directions that are solved for roughly can go to and fro for ever.
fn aim(tolerance: f64, relative: f64, barren: u32) -> f64 {
    let halvings = barren.saturating_sub(BARREN).min(64);
    AIM * (tolerance / relative).sqrt() * 0.5_f64.powi(halvings as i32)
}

#[cfg(test)]
mod tests {
    use super::aim;

    /// Beside the tolerance a direction may leave most of the gradient, and two such steps can undo each other: on adult they
    /// did so from 4,500 passes to the last of 20,000.
    #[test]
    fn steps_that_are_no_progress_are_solved_for_more_closely() {
        let aims: Vec<f64> = (0..6).map(|barren| aim(1e-3, 1.3e-3, barren)).collect();
        assert!(aims[0] > 0.6 && aims[0] < 0.62);
        assert_eq!(aims, [1.0, 1.0, 1.0, 0.5, 0.25, 0.125].map(|part| part * aims[0]));
        assert!(aim(1e-3, 1.3e-3, u32::MAX) > 0.0);
    }
}
