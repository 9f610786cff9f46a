//! Calibrated estimation from the index to the model.

use super::stage::{Job, Staged};
use super::{Estimate, Judgement, Missing, Status};
use crate::calibrated::{self, Calibrated, Problem, Solution};
use crate::fit::harmonic;
use crate::measurement::{Measurement, Outside, check};
use crate::strength::Rule;
use crate::support::{Base, Index};
use crate::total::Total;
use marginalia_tables::Result;
use std::sync::Arc;

/// Of what the misfit is a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Squares.
    L2,
}

/// How to estimate.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Of what the misfit is a sum.
    pub loss: Loss,
    /// What says how much the prior is worth.
    pub rule: Rule,
    /// How many public records the prior is worth.
    pub public: f64,
    /// The relative gap to reach.
    pub tolerance: f64,
    /// The most passes over all rows and marginals.
    pub passes: u64,
    /// The seed of orders and draws.
    pub seed: u64,
}

/// A calibrated estimation in the making.
pub struct Calibration {
    staged: Staged<Solving>,
    terms: Terms,
}

/// What is to be estimated, and how.
struct Terms {
    base: Arc<Base>,
    measurements: Vec<Measurement>,
    total: Total,
    settings: Settings,
}

/// The solver, and what its problem said.
struct Solving {
    job: Calibrated,
    strength: f64,
    missing: Vec<Missing>,
}

impl Job for Solving {
    fn step(&mut self, work: u64) -> Result<bool> {
        self.job.step(work)
    }

    fn done(&self) -> u64 {
        self.job.done()
    }
}

impl Calibration {
    /// An estimation that has done nothing yet. The cells of rows are kept in at most `limit` bytes.
    pub fn new(
        base: Arc<Base>,
        measurements: Vec<Measurement>,
        total: Total,
        settings: Settings,
        limit: u64,
    ) -> Result<Self> {
        check(&base, &measurements)?;
        let cliques = measurements.iter().map(|one| one.clique.clone()).collect();
        let staged = Staged::new(Arc::clone(&base), cliques, limit)?;
        Ok(Self { staged, terms: Terms { base, measurements, total, settings } })
    }

    /// Does about `work` units, one of which takes as long as a row in a pass over one marginal; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        self.staged.step(work, |index| self.terms.begin(index))
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.staged.done()
    }

    /// How many judgements there are so far.
    pub fn judgements(&self) -> usize {
        self.staged.job().map_or(0, |solving| solving.job.judgements())
    }

    /// The best model so far, once the cells of rows are known.
    pub fn finish(self) -> Result<Estimate> {
        let (Solving { job, strength, missing }, over) = self.staged.into_job()?;
        let solution = job.finish()?;
        Ok(Estimate {
            status: status(&solution, over),
            certificate: Some(solution.certificate),
            trace: solution.trace.iter().map(judgement).collect(),
            model: solution.model,
            total: self.terms.total,
            strength: Some(strength),
            consistency: None,
            missing,
        })
    }
}

impl Terms {
    fn begin(&self, index: Arc<Index>) -> Result<Solving> {
        let records = self.total.records();
        let strength = match self.settings.rule {
            Rule::Fixed(strength) => strength,
            _ => harmonic(self.settings.public, records),
        };
        let base = Arc::clone(&self.base);
        let problem = Problem::new(base, index, &self.measurements, records, strength)?;
        let missing = |one: &Outside| Missing { answers: one.cells, records: one.records };
        let missing = problem.outside.iter().map(missing).collect();
        let Settings { tolerance, passes, seed, .. } = self.settings;
        let options = calibrated::Options { tolerance, passes, seed, ..calibrated::Options::default() };
        Ok(Solving { job: Calibrated::new(Arc::new(problem), options)?, strength, missing })
    }
}

fn judgement(step: &calibrated::Step) -> Judgement {
    let calibrated::Certificate { gap, primal, entropy, .. } = step.certificate;
    Judgement { at: step.passes, value: primal, gap, entropy }
}

fn status(solution: &Solution, over: bool) -> Status {
    match solution.status {
        calibrated::Status::Converged => Status::Converged,
        calibrated::Status::Refused => Status::Refused,
        calibrated::Status::Limit if over => Status::Limit,
        calibrated::Status::Limit => Status::Stopped,
    }
}
