//! The two stages as a job of few, long steps.

use crate::certificate::{Certificate, certify};
use crate::conic::Watch;
use crate::divergence::{Tilt, least_divergence, tilted};
use crate::face::Face;
use crate::least::{Least, least_loss};
use crate::polish::polished;
use crate::problem::Problem;
use marginalia_tables::{Code, Error, Result, Unmet};

/// Where two answers nearly agree, the dual of the one that is not tight is small beside its distance's digits: so both
/// readings are tried.
const TIGHT: [f64; 2] = [1.0, 1e-3];

/// What the second stage keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Target {
    /// The least loss, Eq. (4): many answers can have it.
    #[default]
    Loss,
    /// The answers of one optimum of the first stage, Eq. (2).
    Lp,
    /// The noisy answers themselves (Csiszár's projection); the status says when nothing meets them.
    Answers,
}

/// How it is solved.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// What the second stage keeps.
    pub target: Target,
    /// The relative gap at which it counts as converged.
    pub tolerance: f64,
    /// At most so many iterations for each stage.
    pub iterations: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { target: Target::Loss, tolerance: 1e-6, iterations: 200 }
    }
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// The relative gap is within the tolerance.
    Converged,
    /// It is not: the iterations were used up, or rounding let the solver go no further.
    Limit,
    /// No distribution on the support meets the answers, and meeting them was asked for. What comes is the optimum of
    /// [`Target::Loss`].
    Infeasible,
}

/// The estimate.
#[derive(Debug, Clone)]
pub struct Solution {
    /// How it ended.
    pub status: Status,
    /// Present when the loss, or what cells without support add to it, is certainly above zero.
    pub reason: Option<Unmet>,
    /// How far from the optimum it can be.
    pub certificate: Certificate,
    /// What cells without support add to the loss, whatever the distribution.
    pub unsupported: f64,
    /// One mass for each row of the prior.
    pub q: Vec<f64>,
    /// The dual of the entropy, one for each cell: on rows with mass `q ∝ p exp(Mᵀu)`.
    pub u: Vec<f64>,
    /// Of both stages.
    pub iterations: u32,
}

enum Stage {
    First,
    Second(Least, Face),
    Done(Box<Solution>),
}

/// Both stages over one problem.
pub struct TwoStage {
    problem: Problem,
    options: Options,
    stage: Stage,
}

impl TwoStage {
    /// A job; checks the options.
    pub fn new(problem: Problem, options: Options) -> Result<Self> {
        if !(options.tolerance > 0.0 && options.tolerance < 1.0) || options.iterations == 0 {
            return Err(Error::new(
                Code::OptionInvalid,
                "the tolerance lies between 0 and 1, and there is at least one iteration",
            ));
        }
        Ok(Self { problem, options, stage: Stage::First })
    }

    /// Solves the next stage; true at the end. A stage that the watch ended starts again with the next step.
    pub fn step(&mut self, watch: Watch) -> bool {
        let (problem, options) = (&self.problem.reduced, self.options);
        match &self.stage {
            Stage::First => {
                if let Some(least) = least_loss(problem, options.iterations, watch) {
                    let face = match options.target {
                        Target::Lp => Face::of_answers(problem, &least),
                        _ => Face::of_optima(problem, &least),
                    };
                    self.stage = Stage::Second(least, face);
                }
            }
            Stage::Second(least, face) => {
                if let Some(tilt) = least_divergence(problem, face, options.iterations, watch) {
                    self.stage = Stage::Done(Box::new(self.of_both(least, face, &tilt)));
                }
            }
            Stage::Done(_) => {}
        }
        matches!(self.stage, Stage::Done(_))
    }

    /// Stages done, of two.
    pub fn done(&self) -> u32 {
        match self.stage {
            Stage::First => 0,
            Stage::Second(..) => 1,
            Stage::Done(_) => 2,
        }
    }

    /// The estimate, solving what is left.
    pub fn finish(mut self) -> Solution {
        loop {
            if let Stage::Done(solution) = self.stage {
                return *solution;
            }
            self.step(std::sync::Arc::new(|_| false));
        }
    }

    fn of_both(&self, least: &Least, face: &Face, tilt: &Tilt) -> Solution {
        let problem = &self.problem.reduced;
        let fixed = self.options.target == Target::Lp;
        let rate = |q: Vec<f64>, w: &Vec<f64>| (certify(problem, &q, &least.u, w, fixed), q, w.clone());
        let [fine, strict] = TIGHT.map(|times| polished(problem, face, &tilt.w, times));
        // The first stage's own optimum is the last resort: where the face is nearly a point, the second stage can
        // fail to come as close, or break down.
        let nothing = vec![0.0; problem.cells()];
        let all = [
            rate(tilted(problem, &face.rows, &fine), &fine),
            rate(tilted(problem, &face.rows, &strict), &strict),
            rate(tilted(problem, &face.rows, &tilt.w), &tilt.w),
            rate(face.part_of(&least.q), &fine),
            rate(face.part_of(&least.q), &nothing),
        ];
        let best = all.into_iter().min_by(|a, b| a.0.relative_gap.total_cmp(&b.0.relative_gap));
        let (certificate, q, w) = best.expect("there are five");
        self.solution(certificate, &q, &w, least.iterations + tilt.iterations)
    }

    fn solution(&self, certificate: Certificate, q: &[f64], w: &[f64], iterations: u32) -> Solution {
        let (problem, options) = (&self.problem.reduced, self.options);
        let reason = self.reason(&certificate);
        let converged = certificate.relative_gap <= options.tolerance;
        let status = match (reason, options.target) {
            (Some(_), Target::Answers) => Status::Infeasible,
            _ if converged => Status::Converged,
            _ => Status::Limit,
        };
        Solution {
            status,
            reason,
            certificate,
            unsupported: self.problem.diagnosis.unsupported,
            q: problem.spread_rows(q),
            u: problem.spread_cells(w),
            iterations,
        }
    }

    fn reason(&self, certificate: &Certificate) -> Option<Unmet> {
        let found = &self.problem.diagnosis;
        if found.unsupported > 0.0 {
            return Some(Unmet::Unsupported);
        }
        let certain = certificate.loss - certificate.loss_gap;
        let size: f64 = self
            .problem
            .reduced
            .answers
            .iter()
            .zip(&self.problem.reduced.weights)
            .map(|(y, c)| c * y.abs())
            .sum();
        if certain <= self.options.tolerance * 1e-3 * (1.0 + size) {
            return None;
        }
        Some(match found {
            found if found.negative => Unmet::Negative,
            found if found.totals => Unmet::Totals,
            _ => Unmet::Disagree,
        })
    }
}
