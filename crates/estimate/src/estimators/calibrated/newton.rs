//! The estimation of a model, step by step.

use super::direction::{Direction, Outcome};
use super::line::Line;
use super::point::{Gaps, Point};
use super::problem::Problem;
use super::sweep::Sweeps;
use crate::estimators::Status;
use crate::models::support::{Distribution, zeros};
use crate::seed::Seed;
use crate::vector::{add, dot};
use marginalia_tables::{Code, Error, Result};
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

/// Work of one exponential, in row passes of one marginal.
const EXPONENTIAL: u64 = 4;

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

#[derive(Debug)]
enum Phase {
    Sweep(Sweeps),
    Gather,
    Scatter,
    Judge,
    DirectGather(Direction),
    Direct(Direction),
    Search(Direction, Line),
    Done,
}

/// An estimation in the making.
#[derive(Debug)]
pub struct Calibrated {
    problem: Arc<Problem>,
    options: Options,
    phase: Phase,
    point: Point,
    best: Option<(Gaps, Vec<f64>)>,
    g: Vec<f64>,
    /// The norm of the gradient before the last step, where that had s = 1 and a direction that was not cut.
    last_norm: Option<f64>,
    /// The relative gap that was progress last, and how many steps brought none since.
    mark: f64,
    barren: u32,
    trace: Vec<Step>,
    steps: usize,
    products: usize,
    /// Row passes of one marginal.
    rows: u64,
    done: u64,
}

impl Calibrated {
    /// An estimation that has done nothing yet.
    pub fn new(problem: Arc<Problem>, options: Options) -> Result<Self> {
        let (rows, cells) = (problem.base.rows(), problem.index.cells());
        let u = options.start.clone().unwrap_or_else(|| vec![0.0; cells]);
        if u.len() != cells || u.iter().any(|u| !u.is_finite()) {
            return Err(invalid("the potentials to start from must be finite, one for each supported cell"));
        }
        if options.tolerance.is_nan()
            || options.tolerance <= 0.0
            || options.cap.is_nan()
            || options.cap <= 0.0
        {
            return Err(invalid("the tolerance and the largest λ of sweeps must be positive"));
        }
        let mut q = zeros(rows)?;
        q.copy_from_slice(problem.base.prior());
        let point = Point { u, t: zeros(rows)?, q, m: zeros(cells)?, lz: 0.0 };
        // Sweeps keep weights that fit u from step to step, so they start where u = 0.
        let sweeps = if options.start.is_some() { 0 } else { options.sweeps };
        let sweeps = Sweeps::new(&problem, sweeps, options.cap, Seed::new(options.seed));
        let phase = Phase::Sweep(sweeps);
        Ok(Self {
            problem,
            options,
            phase,
            point,
            best: None,
            g: Vec::new(),
            last_norm: None,
            mark: f64::INFINITY,
            barren: 0,
            trace: Vec::new(),
            steps: 0,
            products: 0,
            rows: 0,
            done: 0,
        })
    }

    /// Does about `work` units, one of which takes as long as a row in a pass over one marginal; true at the end.
    /// The longest part that is not divided is one pass over all rows and marginals.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let until = self.done.saturating_add(work.max(1));
        while self.done < until && !matches!(self.phase, Phase::Done) {
            self.phase = self.advance()?;
        }
        Ok(matches!(self.phase, Phase::Done))
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Passes over all rows and marginals so far.
    pub fn passes(&self) -> f64 {
        self.rows as f64 / self.problem.pass().max(1) as f64
    }

    /// How far from the optimum the best model so far is, once there is one.
    pub fn certificate(&self) -> Option<Gaps> {
        self.best.as_ref().map(|(certificate, _)| *certificate)
    }

    /// How many judgements there are so far.
    pub fn judgements(&self) -> usize {
        self.trace.len()
    }

    /// The best model so far: the estimate when all is done, and one with its gap whenever that is asked for.
    pub fn finish(mut self) -> Result<Solution> {
        if self.best.is_none() {
            self.point.gather(&self.problem);
            self.point.scatter(&self.problem);
            self.judge()?;
        }
        let Some((certificate, u)) = self.best else {
            return Err(invalid(
                "the measurements lead to numbers beyond range: check their totals and variances",
            ));
        };
        let status = match certificate.relative() <= self.options.tolerance {
            true => Status::Converged,
            false => Status::Limit.unless_refused(certificate.relative(), certificate.gap),
        };
        let (base, index) = (Arc::clone(&self.problem.base), Arc::clone(&self.problem.index));
        let model = Distribution::from_potentials(base, index, u, self.problem.total)?;
        let (trace, steps, products) = (self.trace, self.steps, self.products);
        Ok(Solution { model, status, certificate, trace, steps, products })
    }

    fn advance(&mut self) -> Result<Phase> {
        Ok(match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::Sweep(sweeps) if sweeps.over() => Phase::Gather,
            Phase::Sweep(mut sweeps) => {
                sweeps.step(&self.problem, &mut self.point.u, &mut self.point.q);
                self.count(2 * self.problem.index.rows() as u64, 0);
                Phase::Sweep(sweeps)
            }
            Phase::Gather => {
                self.point.gather(&self.problem);
                self.count(self.problem.pass(), 0);
                Phase::Scatter
            }
            Phase::Scatter => {
                self.point.scatter(&self.problem);
                self.count(self.problem.pass(), 1);
                Phase::Judge
            }
            Phase::Judge => self.judge()?.map_or(Phase::Done, Phase::DirectGather),
            Phase::DirectGather(mut direction) => {
                direction.gather(&self.problem);
                self.count(self.problem.pass(), 0);
                Phase::Direct(direction)
            }
            Phase::Direct(direction) => self.direct(direction)?,
            Phase::Search(direction, line) => self.search(direction, line),
            Phase::Done => Phase::Done,
        })
    }

    /// Keeps the best, and gives the next direction if there is to be one.
    fn judge(&mut self) -> Result<Option<Direction>> {
        let certificate = self.point.certificate(&self.problem);
        self.trace.push(Step { passes: self.passes(), certificate });
        let relative = certificate.relative();
        if relative.is_nan() {
            return Ok(None);
        }
        if self.best.as_ref().is_none_or(|(best, _)| relative < best.relative()) {
            self.best = Some((certificate, self.point.u.clone()));
        }
        if relative <= self.options.tolerance || self.used_up() {
            return Ok(None);
        }
        (self.mark, self.barren) =
            if relative < PROGRESS * self.mark { (relative, 0) } else { (self.mark, self.barren + 1) };
        self.g = self.point.gradient(&self.problem);
        let norm = dot(&self.g, &self.g).sqrt();
        let eta = self.last_norm.map_or(ETA, |last| ETA.min(0.9 * libm::pow(norm / last, 1.5)));
        let stop = self.aim(relative).max(eta) * norm;
        self.last_norm = Some(norm);
        Direction::new(&self.problem, &self.point, self.g.clone(), stop).map(Some)
    }

    /// The part of the gradient that may be left for the gap to come within the tolerance, if the model holds. Half as
    /// much for each further step that is no progress: directions that are solved for roughly can go to and fro for ever.
    fn aim(&self, relative: f64) -> f64 {
        let halvings = self.barren.saturating_sub(BARREN).min(64);
        AIM * (self.options.tolerance / relative).sqrt() * 0.5_f64.powi(halvings as i32)
    }

    fn direct(&mut self, mut direction: Direction) -> Result<Phase> {
        self.products += 1;
        self.count(self.problem.pass(), 1);
        let last = self.used_up();
        match direction.step(&self.problem, &self.point, last)? {
            Outcome::Going => return Ok(Phase::DirectGather(direction)),
            Outcome::Solved => {}
            Outcome::Cut => self.last_norm = None,
        }
        let line = Line::new(&self.point, &self.g, &direction)?;
        Ok(if line.leads_up() { Phase::Search(direction, line) } else { Phase::Done })
    }

    fn search(&mut self, direction: Direction, mut line: Line) -> Phase {
        let found = line.step(&self.problem, &self.point, &direction.dt);
        self.count(0, 1);
        if !found {
            return Phase::Search(direction, line);
        }
        if line.s != 1.0 {
            self.last_norm = None;
        }
        self.steps += 1;
        add(&mut self.point.u, line.s, &direction.v);
        if self.steps.is_multiple_of(REFRESH) {
            return Phase::Gather;
        }
        add(&mut self.point.t, line.s, &direction.dt);
        self.point.lz = line.lz;
        self.point.q = line.q;
        self.problem.index.scatter(&self.point.q, &mut self.point.m);
        self.count(self.problem.pass(), 0);
        Phase::Judge
    }

    fn used_up(&self) -> bool {
        self.passes() >= self.options.passes as f64
    }

    fn count(&mut self, rows: u64, exponentials: u64) {
        self.rows += rows;
        self.done += rows + exponentials * EXPONENTIAL * self.problem.base.rows() as u64;
    }
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::Job;
    use crate::measurement::Measurement;
    use crate::models::support::{Base, Index};
    use marginalia_tables::{Codes, Domain};

    fn job() -> Calibrated {
        let mut column = Codes::new(2);
        column.extend(&[0, 1]).unwrap();
        let base = Arc::new(Base::new(Domain::new([2]), vec![column], None).unwrap());
        let measurements = [Measurement { clique: vec![0], answers: vec![30.0, 70.0], variance: 4.0 }];
        let index = Index::over(Arc::clone(&base), vec![vec![0]], 1 << 20).unwrap().complete().unwrap();
        let problem = Problem::new(base, index, &measurements, 100.0, 50.0).unwrap();
        Calibrated::new(Arc::new(problem), Options { tolerance: 1e-3, ..Options::default() }).unwrap()
    }

    /// Beside the tolerance a direction may leave most of the gradient, and two such steps can undo each other: on adult they
    /// did so from 4,500 passes to the last of 20,000.
    #[test]
    fn steps_that_are_no_progress_are_solved_for_more_closely() {
        let mut job = job();
        let aims: Vec<f64> = (0..6)
            .map(|barren| {
                job.barren = barren;
                job.aim(1.3e-3)
            })
            .collect();
        assert!(aims[0] > 0.6 && aims[0] < 0.62);
        assert_eq!(aims, [1.0, 1.0, 1.0, 0.5, 0.25, 0.125].map(|part| part * aims[0]));
        job.barren = u32::MAX;
        assert!(job.aim(1.3e-3) > 0.0);
    }
}
