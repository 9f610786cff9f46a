//! From measurements of any cliques, or a loss of their counts, to a graphical model.

use super::own::OwnLoss;
use super::start;
use crate::estimators::estimation::Outside;
use crate::estimators::{
    Certificate, Estimate, Estimation, Estimator, Judgement, Missing, Options, Request, Status, invalid,
};
use crate::job::Pace;
use crate::measurement::Law;
use crate::models::graphical::{self, Cliques, GraphicalModel, Places, Question, Roots, measure};
use crate::models::{narrowed, unsupported};
use marginalia_graph::fit::Problem;
use marginalia_graph::fit::descent::{Descent, Judged, Limits, Loss, Method, Steps, descend};
use marginalia_tables::query::Query;
use marginalia_tables::{Error, Result};
use std::sync::Arc;

/// What is lowered.
#[derive(Debug, Clone)]
enum Wanted {
    /// A loss of the answers.
    Answers(Loss),
    /// One that the caller works out from the counts of some cliques, perhaps with a constant of its gradient.
    Own(Vec<Vec<u16>>, Option<f64>),
}

/// Where the loss is low enough.
#[derive(Debug, Clone, Copy)]
enum Until {
    /// At the least.
    Never,
    /// Where noise alone would make of the truth no less.
    Noise,
    /// At this.
    Loss(f64),
}

/// Lowers a loss of the marginals in a published way, from no potentials or from those of a model.
#[derive(Debug, Clone)]
pub struct DescentEstimator {
    method: Method,
    loss: Wanted,
    until: Until,
    iterations: usize,
    tolerance: f64,
}

impl DescentEstimator {
    /// A way down with such options.
    pub(in crate::estimators) fn read(method: Method, options: Options<'_>) -> Result<Self> {
        let loss = match options.text("loss")? {
            "own" => Wanted::Own(cliques(options)?, options.value("lipschitz").as_f64()),
            _ => Wanted::Answers(options.one("loss", LOSSES)?()),
        };
        let until = match options.value("until") {
            until if until.is_null() => Until::Never,
            until => match until.as_f64() {
                Some(loss) => Until::Loss(loss),
                None => options.one("until", &[("noise", Until::Noise)])?,
            },
        };
        let (iterations, tolerance) = (options.whole("iterations")? as usize, options.number("tolerance")?);
        Ok(Self { method, loss, until, iterations, tolerance })
    }

    /// Mirror descent, whose steps are an option.
    pub(in crate::estimators) fn mirror(options: Options<'_>) -> Result<Self> {
        let steps =
            &[("search", Steps::Search), ("adaptive", Steps::Adaptive), ("decreasing", Steps::Decreasing)];
        Self::read(Method::Mirror(options.one("steps", steps)?), options)
    }

    async fn estimate(self, request: Request, outside: Outside, pace: &Pace) -> Result<Estimate> {
        let Request { schema, measurements, total, .. } = &request;
        let roots = Roots::new(schema);
        let questions = Question::all(&roots, measurements)?;
        let own: Vec<Places> = match &self.loss {
            Wanted::Own(cliques, _) => {
                cliques.iter().map(|clique| Places::new(&roots, clique)).collect::<Result<_>>()?
            }
            Wanted::Answers(_) => Vec::new(),
        };
        let mut list = Question::cliques(&questions);
        list.extend(own.iter().map(|places| places.roots.clone()));
        list.sort();
        list.dedup();
        let cliques = Cliques::new(Arc::clone(schema), list, request.limit as f64)?;
        let mut problem = Problem::new(Arc::clone(cliques.passes()));
        if !matches!(self.loss, Wanted::Answers(Loss::Squares)) {
            problem.keep_apart();
        }
        let records = total.records();
        measure(&mut problem, &cliques, &questions, records)?;
        if let Some(from) = &request.start {
            problem.set_base(&start::potentials(&*narrowed::<GraphicalModel>(from)?, &cliques)?);
        }
        let loss = match &self.loss {
            Wanted::Answers(loss) => loss.clone(),
            Wanted::Own(_, lipschitz) => Loss::Own(Arc::new(OwnLoss {
                cliques: cliques.clone(),
                places: own,
                records,
                lipschitz: *lipschitz,
                outside,
                pace: pace.clone(),
            })),
        };
        let noise = loss.noise(&problem);
        let until = match self.until {
            Until::Never => None,
            Until::Loss(loss) => Some(loss),
            Until::Noise => Some(noise.ok_or_else(|| {
                invalid("what noise makes of a loss of your own is not known: give `until` a number")
            })?),
        };
        let limits = Limits { iterations: self.iterations, tolerance: self.tolerance, until };
        let found = descend(&problem, &loss, self.method, &limits, pace).await?;
        let Descent { potentials, loss, converged, ended, trace, .. } = found;
        let model = GraphicalModel::new(cliques, potentials, records)?;
        let judgement = |judged: &Judged| Judgement {
            at: judged.calls.saturating_sub(1) as f64,
            value: judged.loss,
            gap: None,
            relative_entropy: 0.0,
        };
        Ok(Estimate {
            model: Arc::new(model.ok_or_else(no_record)?),
            status: match (converged, ended) {
                (true, _) => Status::Converged,
                (false, true) => Status::Limit,
                (false, false) => Status::Stopped,
            },
            certificate: Certificate::Descent {
                estimator: self.name(),
                loss,
                noise,
                iterations: trace.last().map_or(0, |last| last.calls - 1),
            },
            trace: trace.iter().map(judgement).collect(),
            total: *total,
            missing: measurements.iter().map(|_| Missing { answers: 0, records: 0.0 }).collect(),
        })
    }
}

impl Estimator for DescentEstimator {
    fn name(&self) -> &'static str {
        match self.method {
            Method::Mirror(_) => "mirrorDescent",
            Method::DualAveraging => "dualAveraging",
            Method::InteriorGradient => "interiorGradient",
            Method::Accelerated => "accelerated",
        }
    }

    fn kind(&self) -> &'static str {
        graphical::KIND
    }

    fn accepts(&self, kind: &str, _: &Query, _: Law) -> Result<()> {
        if kind == graphical::KIND {
            return Ok(());
        }
        Err(unsupported(kind, "be what this estimator starts from"))
    }

    fn begin(&self, request: Request) -> Result<Estimation> {
        request.accepted_by(self)?;
        request.cells()?;
        if matches!(self.loss, Wanted::Own(..)) && !request.outside {
            return Err(invalid("there is nobody who works out a loss of your own"));
        }
        let own = self.clone();
        Ok(Estimation::with_outside(move |pace, outside| async move {
            own.estimate(request, outside, &pace).await
        }))
    }
}

type Made = fn() -> Loss;

/// Losses of answers by their names; that of Huber squares up to one scale of the noise.
const LOSSES: &[(&str, Made)] =
    &[("l2", || Loss::Squares), ("l1", || Loss::Absolute), ("huber", || Loss::Huber(1.0))];

/// The cliques of a loss of one's own.
fn cliques(options: Options<'_>) -> Result<Vec<Vec<u16>>> {
    let unfit = || invalid("a loss of your own needs a list of cliques");
    let clique = |one: &serde_json::Value| {
        let attributes = one.as_array()?.iter().map(|a| u16::try_from(a.as_u64()?).ok());
        attributes.collect::<Option<Vec<u16>>>()
    };
    let list = options.value("cliques").as_array().ok_or_else(unfit)?;
    list.iter().map(clique).collect::<Option<_>>().ok_or_else(unfit)
}

fn no_record() -> Error {
    invalid("the measurements lead to numbers beyond range: check their totals and variances")
}
