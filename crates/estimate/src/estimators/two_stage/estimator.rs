//! Two-stage estimation from the index to the model, for whichever solver.

use super::{Certificate as Gaps, Exact, Options, Round, Small, Solver, Target, rounds};
use crate::estimators::request::on_rows;
use crate::estimators::{
    Certificate, Estimate, Estimation, Estimator, Judgement, Missing, Request, Status, cells_only,
};
use crate::job::Pace;
use crate::measurement::{Law, Measurement, Outside, targets};
use crate::models::support::{self, Base, Distribution, Index, SupportModel};
use marginalia_tables::query::Query;
use marginalia_tables::{Code, Error, Result, Unmet};
use std::sync::Arc;

/// Rows times supported cells up to which a problem is solved exactly unless that is said: it takes about a second. Beyond, the
/// interior point is faster.
const SMALL: usize = 4_000_000;

/// Meets the answers as nearly as any model on the prior's rows can, with the least relative entropy.
#[derive(Debug, Clone)]
pub struct TwoStageEstimator {
    /// What the second stage keeps.
    pub target: Target,
    /// False leaves the second stage out.
    pub entropy: bool,
    /// The relative gap, of the loss and of the entropy, that is good enough.
    pub tolerance: f64,
    /// What solves both stages; what suits the size where it is not said.
    pub solver: Option<Solver>,
}

impl TwoStageEstimator {
    /// One with such options.
    pub(in crate::estimators) fn read(options: crate::estimators::Options<'_>) -> Result<Self> {
        let targets = [Target::Loss, Target::Lp, Target::Answers].map(|target| (target.as_str(), target));
        let solvers = [("exact", Solver::Exact), ("interior", Solver::Interior)];
        let auto = options.value("solver").is_null();
        Ok(Self {
            target: options.one("target", &targets)?,
            entropy: options.flag("entropy")?,
            tolerance: options.number("tolerance")?,
            solver: if auto { None } else { Some(options.one("solver", &solvers)?) },
        })
    }
}

impl Estimator for TwoStageEstimator {
    fn name(&self) -> &'static str {
        "twoStage"
    }

    fn kind(&self) -> &'static str {
        support::KIND
    }

    fn accepts(&self, kind: &str, query: &Query, _: Law) -> Result<()> {
        on_rows(kind)?;
        cells_only(query)
    }

    fn gives_potentials(&self) -> bool {
        self.entropy
    }

    fn begin(&self, request: Request) -> Result<Estimation> {
        request.accepted_by(self)?;
        let measurements = request.cells()?;
        let (base, settings) = (request.rows()?, self.clone());
        Ok(Estimation::with_outside(|pace, outside| async move {
            let index = request.index(&pace).await?;
            if index.marginals().iter().any(|marginal| marginal.of_row.len() != base.rows()) {
                let message = "this estimator keeps the cells of all rows in memory: raise `memoryLimit`";
                return Err(Error::new(Code::ModelTooLarge, message));
            }
            let small = base.rows() * index.cells() <= SMALL;
            let exact = settings.solver.map_or(small, |solver| solver == Solver::Exact);
            let ready = Ready::new(index, &measurements, request.total.records())?;
            let problem = Problem { base, request, settings, ready };
            if measurements.is_empty() {
                return problem.unmeasured();
            }
            if exact && problem.request.outside && problem.settings.entropy {
                let certain = problem.settings.solver == Some(Solver::Exact);
                let found = outside.solve(problem.small(), &pace).await?;
                // What could not be solved to the tolerance outside, the interior point takes over unless that was not wanted.
                if let Some(found) = found.filter(|one| certain || one.converged || one.infeasible) {
                    pace.judged();
                    return problem.solved_outside(found);
                }
            }
            problem.solve(&pace).await
        }))
    }
}

struct Ready {
    index: Arc<Index>,
    answers: Vec<f64>,
    outside: Vec<Outside>,
    /// For each measurement the sum of what cells without a row answer, without signs, as a share of the total.
    unsupported: Vec<f64>,
}

impl Ready {
    fn new(index: Arc<Index>, measurements: &[Measurement], total: f64) -> Result<Self> {
        let (answers, outside) = targets(&index, measurements, total)?;
        let unsupported = index.marginals().iter().zip(measurements).map(|(marginal, measurement)| {
            let all: f64 = measurement.answers.iter().map(|answer| answer.abs()).sum();
            let met: f64 =
                marginal.places.iter().map(|place| measurement.answers[*place as usize].abs()).sum();
            // Of equal sums rounding may leave a little.
            if marginal.places.len() == measurement.answers.len() {
                0.0
            } else {
                (all - met).max(0.0) / total
            }
        });
        let unsupported = unsupported.collect();
        Ok(Self { index, answers, outside, unsupported })
    }

    /// Why the answers cannot be met, where that is certain.
    fn reason(&self, found: &Gaps, tolerance: f64) -> Option<Unmet> {
        if self.unsupported.iter().any(|share| *share > 0.0) {
            return Some(Unmet::Unsupported);
        }
        let size: f64 = self.answers.iter().map(|y| y.abs()).sum();
        if found.loss - found.loss_gap <= 1e-3 * tolerance * (1.0 + size) {
            return None;
        }
        let mut marginals =
            self.index.marginals().iter().map(|marginal| &self.answers[marginal.cells.clone()]);
        let off = |answers: &[f64]| {
            let size: f64 = answers.iter().map(|y| y.abs()).sum();
            (answers.iter().sum::<f64>() - 1.0).abs() > 1e-9 * (1.0 + size)
        };
        Some(match &self.answers {
            answers if answers.iter().any(|y| *y < 0.0) => Unmet::Negative,
            _ if marginals.any(off) => Unmet::Totals,
            _ => Unmet::Disagree,
        })
    }
}

/// Two stages whose cells of rows are known.
struct Problem {
    base: Arc<Base>,
    request: Request,
    settings: TwoStageEstimator,
    ready: Ready,
}

impl Problem {
    fn small(&self) -> Small {
        let TwoStageEstimator { target, tolerance, .. } = self.settings;
        let (prior, sizes, cells, answers) = (self.base.prior().to_vec(), Vec::new(), Vec::new(), Vec::new());
        let required = self.settings.solver == Some(Solver::Exact);
        let mut small = Small { sizes, cells, prior, answers, target, tolerance, required };
        for (marginal, unsupported) in self.ready.index.marginals().iter().zip(&self.ready.unsupported) {
            small.sizes.push(marginal.places.len() as u32 + 1);
            small.cells.extend_from_slice(&marginal.of_row);
            small.answers.extend_from_slice(&self.ready.answers[marginal.cells.clone()]);
            small.answers.push(*unsupported);
        }
        small
    }

    fn estimate(self, distribution: Distribution, found: Found) -> Result<Estimate> {
        let missing = |one: &Outside| Missing { answers: one.cells, records: one.records };
        let infeasible = self.settings.target == Target::Answers && found.unmet.is_some();
        let Gaps { loss, loss_gap, entropy, entropy_gap, relative } = found.gaps;
        Ok(Estimate {
            model: Arc::new(SupportModel::new(self.request.schema, distribution)?),
            status: if infeasible { Status::Infeasible } else { found.status },
            certificate: Certificate::TwoStage {
                loss,
                loss_gap,
                relative_entropy: entropy,
                entropy_gap,
                relative_gap: relative,
                unsupported: found.unsupported,
                unmet: found.unmet,
                solver: found.solver,
            },
            trace: found.trace,
            total: self.request.total,
            missing: self.ready.outside.iter().map(missing).collect(),
        })
    }

    /// By the solver of this crate. What another one has not answered yet when all is finished is the first point of this one.
    async fn solve(self, pace: &Pace) -> Result<Estimate> {
        let TwoStageEstimator { tolerance, entropy, .. } = self.settings;
        let options = Options { tolerance, entropy, seed: self.request.seed };
        let found =
            rounds::solve(&self.ready.index, self.base.prior(), &self.ready.answers, options, pace).await?;
        let status = match found.converged {
            true => Status::Converged,
            false => if pace.stopped() { Status::Stopped } else { Status::Limit }
                .unless_refused(found.certificate.relative, f64::INFINITY),
        };
        let (base, records) = (Arc::clone(&self.base), self.request.total.records());
        let distribution = match found.u {
            Some(u) => Distribution::from_potentials(base, Arc::clone(&self.ready.index), u, records)?,
            None => Distribution::from_weights(base, found.weights, records)?,
        };
        let found = Found {
            status,
            unmet: self.ready.reason(&found.certificate, self.settings.tolerance),
            gaps: found.certificate,
            unsupported: self.ready.unsupported.iter().sum(),
            trace: found.rounds.iter().map(judgement).collect(),
            solver: if self.settings.entropy { "interior" } else { "pdhg" },
        };
        self.estimate(distribution, found)
    }

    /// Without answers the prior meets all that there are, and nothing is nearer to itself.
    fn unmeasured(self) -> Result<Estimate> {
        let (base, records) = (Arc::clone(&self.base), self.request.total.records());
        let distribution = match self.settings.entropy {
            true => Distribution::from_potentials(base, Arc::clone(&self.ready.index), Vec::new(), records)?,
            false => Distribution::prior(base, records)?,
        };
        let gaps = Gaps { loss: 0.0, loss_gap: 0.0, entropy: 0.0, entropy_gap: 0.0, relative: 0.0 };
        let (status, unsupported, unmet, trace, solver) =
            (Status::Converged, 0.0, None, Vec::new(), "interior");
        self.estimate(distribution, Found { status, gaps, unsupported, unmet, trace, solver })
    }

    fn solved_outside(self, exact: Exact) -> Result<Estimate> {
        let Exact { loss, loss_gap, relative_entropy: entropy, entropy_gap, relative_gap, .. } = exact;
        let status = match (exact.infeasible, exact.converged) {
            (true, _) => Status::Infeasible,
            (_, true) => Status::Converged,
            _ => Status::Limit.unless_refused(relative_gap, f64::INFINITY),
        };
        let distribution =
            Distribution::from_weights(Arc::clone(&self.base), exact.weights, self.request.total.records())?;
        let judgement = Judgement { at: exact.iterations, value: loss, gap: None, relative_entropy: entropy };
        let found = Found {
            status,
            gaps: Gaps { loss, loss_gap, entropy, entropy_gap, relative: relative_gap },
            unsupported: exact.unsupported,
            unmet: exact.unmet,
            trace: vec![judgement],
            solver: "exact",
        };
        self.estimate(distribution, found)
    }
}

/// What a solver says beside the model.
struct Found {
    status: Status,
    gaps: Gaps,
    unsupported: f64,
    unmet: Option<Unmet>,
    trace: Vec<Judgement>,
    solver: &'static str,
}

fn judgement(one: &Round) -> Judgement {
    Judgement { at: one.passes, value: one.loss, gap: None, relative_entropy: one.entropy }
}
