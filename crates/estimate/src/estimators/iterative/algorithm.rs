//! Algorithm 1: one partial workload after another is met.

use super::project::Choice;
use super::update::{Update, update};
use crate::estimators::partial::{NONE, PartialAnswers};
use crate::estimators::{Status, invalid};
use crate::job::{Pace, Steps};
use crate::models::support::rows::relative_entropy;
use crate::models::support::{Base, Distribution, Index, Marginal, zeros};
use crate::seed::Seed;
use crate::vector::copy;
use marginalia_tables::Result;
use std::mem::take;
use std::sync::Arc;

/// Which partial workload comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Any, whatever came before, as in the paper: of k workloads, 2k steps leave 13.5% out.
    Random,
    /// Every one once in each sweep, shuffled anew.
    #[default]
    Sweeps,
    /// The one whose answers are farthest from the noisy ones.
    Worst,
}

/// How to estimate.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Which of the nearest answers a step takes.
    pub choice: Choice,
    /// Which partial workload comes next.
    pub order: Order,
    /// The γ by which a step is damped; 1 is the paper's step.
    pub damping: f64,
    /// The most steps T.
    pub steps: usize,
    /// The change of the L1 loss from judgement to judgement, as a part of it, at which to stop; 0 never stops.
    pub tolerance: f64,
    /// Steps between judgements; 0 for as many as there are partial workloads.
    pub every: usize,
    /// The seed of the order.
    pub seed: u64,
}

impl Options {
    /// The paper's: T is twice the number of partial workloads, drawn at random.
    pub fn paper(workloads: usize) -> Self {
        let (order, choice) = (Order::Random, Choice::Rescale);
        Self { choice, order, damping: 1.0, steps: 2 * workloads, tolerance: 0.0, every: 0, seed: 0 }
    }

    /// Twenty damped sweeps at most, which of those tried came nearest to the truth on noisy answers.
    pub fn sweeps(workloads: usize) -> Self {
        let (choice, order) = (Choice::default(), Order::default());
        Self { choice, order, damping: 0.3, steps: 20 * workloads, tolerance: 1e-4, every: 0, seed: 0 }
    }
}

/// A judgement on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Steps so far.
    pub steps: usize,
    /// ‖Wq − ỹ‖₁ over all queries, those without a row included.
    pub loss: f64,
    /// KL(q‖p).
    pub entropy: f64,
}

/// The outcome.
#[derive(Debug)]
pub struct Solution {
    /// The model after the last step.
    pub model: Distribution,
    /// How it ended.
    pub status: Status,
    /// All judgements, the last of the model itself.
    pub trace: Vec<Step>,
    /// For each partial workload how many queries have no row, and the sum of their answers as fractions.
    pub outside: Vec<(usize, f64)>,
}

/// A partial workload as the index sees it.
#[derive(Debug)]
struct Part {
    answers: Vec<f64>,
    /// For each supported cell the query that counts it.
    query: Vec<u32>,
    /// For each supported cell its mass under the prior.
    spread: Vec<f64>,
    /// Whether a query has a supported cell.
    present: Vec<bool>,
}

/// The estimate from the prior, or from other weights of the rows, some of which may be zero: with a base that is uniform on all
/// cells of a small domain this is the paper's update on the full domain. The index must be over the cliques of the partial workloads,
/// in their order; `total` is the number of records that the model stands for.
pub fn iterative(
    base: Arc<Base>,
    index: Arc<Index>,
    workloads: Vec<PartialAnswers>,
    total: f64,
    options: Options,
    start: Option<Vec<f64>>,
) -> Steps<Solution> {
    Steps::new(move |pace| async move {
        let start = start.map_or_else(|| copy(base.prior()), Ok)?;
        solve(base, index, workloads, total, options, start, &pace).await
    })
    .awake()
}

/// The same at a pace.
pub(super) async fn solve(
    base: Arc<Base>,
    index: Arc<Index>,
    workloads: Vec<PartialAnswers>,
    total: f64,
    options: Options,
    start: Vec<f64>,
    pace: &Pace,
) -> Result<Solution> {
    pace.keep_awake(true);
    check(&base, &index, &workloads, &options)?;
    let q = Distribution::from_weights(Arc::clone(&base), start, total)?.into_weights()?;
    let mut prior = zeros(index.cells())?;
    index.scatter(base.prior(), &mut prior);
    let of_marginals = workloads.into_iter().zip(index.marginals());
    let parts: Vec<Part> =
        of_marginals.map(|(workload, marginal)| Part::new(workload, marginal, &prior)).collect();
    let mut algorithm = Algorithm {
        seed: Seed::new(options.seed),
        order: (0..parts.len()).collect(),
        met: vec![false; parts.len()],
        base: &base,
        index: &index,
        parts,
        options,
        q,
        pending: None,
        steps: 0,
        judged: false,
        before: None,
        trace: Vec::new(),
        work: 0,
        pace,
    };
    let ended = pace.unless_stopped(algorithm.run()).await?;
    // The model as it is, judged.
    let status = match ended {
        Some(status) => status,
        None if algorithm.judged => Status::Stopped,
        None => match algorithm.judge(true)? {
            Some(Status::Limit) | None => Status::Stopped,
            Some(status) => status,
        },
    };
    let Algorithm { parts, q, trace, .. } = algorithm;
    let outside = parts.iter().map(Part::outside).collect();
    Ok(Solution { model: Distribution::from_weights(base, q, total)?, status, trace, outside })
}

/// Algorithm 1 at work.
struct Algorithm<'a> {
    base: &'a Base,
    index: &'a Index,
    parts: Vec<Part>,
    options: Options,
    q: Vec<f64>,
    /// A scaling that the next step's pass carries out: the marginal, and the ratios of its cells.
    pending: Option<(usize, Vec<f64>)>,
    seed: Seed,
    order: Vec<usize>,
    steps: usize,
    judged: bool,
    /// The loss to compare with, and which partial workloads have had a step since.
    before: Option<f64>,
    met: Vec<bool>,
    trace: Vec<Step>,
    /// Units done that were not counted yet.
    work: usize,
    pace: &'a Pace,
}

impl Algorithm<'_> {
    /// Steps and judgements to the end.
    async fn run(&mut self) -> Result<Status> {
        let every = if self.options.every == 0 { self.parts.len().max(1) } else { self.options.every };
        loop {
            let over = self.parts.is_empty() || self.steps >= self.options.steps;
            if over || self.steps.is_multiple_of(every) {
                let ended = self.judge(over)?;
                self.pace.did(take(&mut self.work)).await;
                if let Some(status) = ended {
                    return Ok(status);
                }
            }
            self.advance()?;
            self.pace.did(take(&mut self.work)).await;
        }
    }

    /// Algorithm 1, lines 4–11.
    fn advance(&mut self) -> Result<()> {
        let next = self.choose()?;
        let m = self.masses(next)?;
        let part = &self.parts[next];
        let mut update = update(&part.query, &part.answers, &m, &part.spread, self.options.choice);
        update.damp(self.options.damping, &m, &part.spread);
        self.apply(next, update)?;
        self.met[next] = true;
        self.steps += 1;
        self.judged = false;
        Ok(())
    }

    fn choose(&mut self) -> Result<usize> {
        let parts = self.parts.len();
        Ok(match self.options.order {
            Order::Random => self.seed.below(parts as u64) as usize,
            Order::Sweeps => {
                let place = self.steps % parts;
                if place == 0 {
                    self.seed.shuffle(&mut self.order);
                }
                self.order[place]
            }
            Order::Worst => {
                let losses = self.losses()?;
                (0..parts).fold(0, |worst, i| if losses[i] > losses[worst] { i } else { worst })
            }
        })
    }

    /// The masses of the cells of a marginal, in one pass with the scaling that was left over.
    fn masses(&mut self, marginal: usize) -> Result<Vec<f64>> {
        let mut m = zeros(self.parts[marginal].query.len())?;
        match self.pending.take() {
            Some((last, ratios)) => self.index.scale_and_sum(last, &ratios, marginal, &mut self.q, &mut m),
            None => self.index.sum(marginal, &self.q, &mut m),
        }
        self.work += 2 * self.index.rows();
        Ok(m)
    }

    fn apply(&mut self, marginal: usize, update: Update) -> Result<()> {
        self.pending = Some((marginal, update.ratios));
        if !update.revived.is_empty() {
            self.scale_rest();
            let mut revived = zeros(self.q.len())?;
            revived.copy_from_slice(self.base.prior());
            self.index.scale(marginal, &update.revived, &mut revived);
            self.q.iter_mut().zip(revived).for_each(|(q, revived)| *q += revived);
            self.work += 2 * self.index.rows();
        }
        Ok(())
    }

    /// Carries out the scaling that was left over.
    fn scale_rest(&mut self) {
        if let Some((marginal, ratios)) = self.pending.take() {
            self.index.scale(marginal, &ratios, &mut self.q);
            self.work += self.index.rows();
        }
    }

    /// A judgement; how it ends, if it does.
    fn judge(&mut self, over: bool) -> Result<Option<Status>> {
        let loss = self.losses()?.iter().sum();
        let entropy = relative_entropy(&self.q, self.base.prior());
        self.trace.push(Step { steps: self.steps, loss, entropy });
        self.judged = true;
        self.pace.judged();
        // Steps drawn at random may have been of few workloads: no change then says nothing.
        let all = self.options.order != Order::Random || self.met.iter().all(|met| *met);
        let unchanged = |before: f64| (before - loss).abs() <= self.options.tolerance * before;
        let ended = match self.options.tolerance > 0.0 && all && self.before.is_some_and(unchanged) {
            true => Some(Status::Converged),
            false => over.then_some(Status::Limit),
        };
        if all || self.before.is_none() {
            self.before = Some(loss);
            self.met.fill(false);
        }
        Ok(ended)
    }

    /// ‖W_s q − ỹ_s‖₁ of each partial workload.
    fn losses(&mut self) -> Result<Vec<f64>> {
        self.scale_rest();
        let mut m = zeros(self.index.cells())?;
        self.index.scatter(&self.q, &mut m);
        self.work += self.index.rows() * self.parts.len();
        let of_marginals = self.parts.iter().zip(self.index.marginals());
        Ok(of_marginals.map(|(part, marginal)| part.loss(&m[marginal.cells.clone()])).collect())
    }
}

impl Part {
    /// Of a partial workload on a marginal; `prior` has the masses of all cells.
    fn new(workload: PartialAnswers, marginal: &Marginal, prior: &[f64]) -> Self {
        let query = workload.partial.of_cells(&marginal.places);
        let mut present = vec![false; workload.answers.len()];
        let counted = query.iter().filter(|query| **query != NONE);
        counted.for_each(|query| present[*query as usize] = true);
        let spread = prior[marginal.cells.clone()].to_vec();
        Self { answers: workload.answers, query, spread, present }
    }

    fn loss(&self, m: &[f64]) -> f64 {
        let mut left = self.answers.clone();
        for (query, m) in self.query.iter().zip(m).filter(|(query, _)| **query != NONE) {
            left[*query as usize] -= m;
        }
        left.iter().map(|left| left.abs()).sum()
    }

    fn outside(&self) -> (usize, f64) {
        let absent = self.answers.iter().zip(&self.present).filter(|(_, present)| !**present);
        absent.fold((0, 0.0), |(queries, sum), (answer, _)| (queries + 1, sum + answer))
    }
}

fn check(base: &Base, index: &Index, workloads: &[PartialAnswers], options: &Options) -> Result<()> {
    if index.rows() != base.rows() || index.marginals().len() != workloads.len() {
        return Err(invalid("the index is over other rows or cliques than the partial workloads"));
    }
    for (workload, marginal) in workloads.iter().zip(index.marginals()) {
        let cells = base.cells(workload.partial.clique())? as usize;
        if workload.partial.all_cells() != cells || workload.partial.clique() != marginal.clique {
            return Err(invalid("a partial workload is over another clique than the index, or other cells"));
        }
    }
    let damping = options.damping > 0.0 && options.damping <= 1.0;
    if !damping || options.tolerance.is_nan() || options.tolerance < 0.0 {
        return Err(invalid("damping must be above 0 and at most 1, and the tolerance not negative"));
    }
    Ok(())
}
