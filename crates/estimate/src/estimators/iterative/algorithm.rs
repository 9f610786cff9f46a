//! Algorithm 1: one partial workload after another is met.

use super::partial::{NONE, PartialAnswers};
use super::project::Choice;
use super::update::{Update, update};
use crate::estimators::Status;
use crate::models::support::rows::relative_entropy;
use crate::models::support::{Base, Distribution, Index, zeros};
use crate::par::awake;
use crate::seed::Seed;
use marginalia_tables::{Code, Error, Result};
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

/// An estimation in the making.
#[derive(Debug)]
pub struct Iterative {
    base: Arc<Base>,
    index: Arc<Index>,
    parts: Vec<Part>,
    options: Options,
    total: f64,
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
    finished: Option<Status>,
    done: u64,
}

impl Iterative {
    /// An estimation that has done nothing yet, from the prior. The index must be over the cliques of the partial
    /// workloads, in their order; `total` is the number of records that the model stands for.
    pub fn new(
        base: Arc<Base>,
        index: Arc<Index>,
        workloads: Vec<PartialAnswers>,
        total: f64,
        options: Options,
    ) -> Result<Self> {
        let mut start = zeros(base.rows())?;
        start.copy_from_slice(base.prior());
        Self::from(base, index, workloads, total, options, start)
    }

    /// The same from other weights of the rows, some of which may be zero. With a base that is uniform on all cells
    /// of a small domain this is the paper's update on the full domain.
    pub fn from(
        base: Arc<Base>,
        index: Arc<Index>,
        workloads: Vec<PartialAnswers>,
        total: f64,
        options: Options,
        start: Vec<f64>,
    ) -> Result<Self> {
        check(&base, &index, &workloads, &options)?;
        let q = Distribution::from_weights(Arc::clone(&base), start, total)?.into_weights()?;
        let mut prior = zeros(index.cells())?;
        index.scatter(base.prior(), &mut prior);
        let of_marginals = workloads.into_iter().zip(index.marginals());
        let parts: Vec<Part> = of_marginals
            .map(|(workload, marginal)| {
                let query = workload.partial.of_cells(&marginal.places);
                let mut present = vec![false; workload.answers.len()];
                query
                    .iter()
                    .filter(|query| **query != NONE)
                    .for_each(|query| present[*query as usize] = true);
                Part {
                    answers: workload.answers,
                    query,
                    spread: prior[marginal.cells.clone()].to_vec(),
                    present,
                }
            })
            .collect();
        let order = (0..parts.len()).collect();
        let seed = Seed::new(options.seed);
        let met = vec![false; parts.len()];
        Ok(Self {
            base,
            index,
            parts,
            options,
            total,
            q,
            pending: None,
            seed,
            order,
            steps: 0,
            judged: false,
            before: None,
            met,
            trace: Vec::new(),
            finished: None,
            done: 0,
        })
    }

    /// Does about `work` units, one of which takes as long as a row in a pass over one marginal; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let until = self.done.saturating_add(work.max(1));
        awake(|| self.walk(until))?;
        Ok(self.finished.is_some())
    }

    /// Steps and judgements until so many units are done.
    fn walk(&mut self, until: u64) -> Result<()> {
        while self.finished.is_none() && self.done < until {
            let every = if self.options.every == 0 { self.parts.len().max(1) } else { self.options.every };
            let over = self.parts.is_empty() || self.steps >= self.options.steps;
            if !self.judged && (over || self.steps.is_multiple_of(every)) {
                self.judge(over)?;
            } else {
                self.advance()?;
            }
        }
        Ok(())
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// Steps done, of those of the options.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// How many judgements there are so far.
    pub fn judgements(&self) -> usize {
        self.trace.len()
    }

    /// The model as it is, judged.
    pub fn finish(mut self) -> Result<Solution> {
        if !self.judged {
            self.judge(true)?;
        }
        let status = self.finished.unwrap_or(Status::Limit);
        let outside = self.parts.iter().map(Part::outside).collect();
        let model = Distribution::from_weights(self.base, self.q, self.total)?;
        Ok(Solution { model, status, trace: self.trace, outside })
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
        self.done += 2 * self.index.rows() as u64;
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
            self.done += 2 * self.index.rows() as u64;
        }
        Ok(())
    }

    /// Carries out the scaling that was left over.
    fn scale_rest(&mut self) {
        if let Some((marginal, ratios)) = self.pending.take() {
            self.index.scale(marginal, &ratios, &mut self.q);
            self.done += self.index.rows() as u64;
        }
    }

    fn judge(&mut self, over: bool) -> Result<()> {
        let loss = self.losses()?.iter().sum();
        let entropy = relative_entropy(&self.q, self.base.prior());
        self.trace.push(Step { steps: self.steps, loss, entropy });
        self.judged = true;
        // Steps drawn at random may have been of few workloads: no change then says nothing.
        let all = self.options.order != Order::Random || self.met.iter().all(|met| *met);
        let unchanged = |before: f64| (before - loss).abs() <= self.options.tolerance * before;
        if self.options.tolerance > 0.0 && all && self.before.is_some_and(unchanged) {
            self.finished = Some(Status::Converged);
        } else if over {
            self.finished = Some(Status::Limit);
        }
        if all || self.before.is_none() {
            self.before = Some(loss);
            self.met.fill(false);
        }
        Ok(())
    }

    /// ‖W_s q − ỹ_s‖₁ of each partial workload.
    fn losses(&mut self) -> Result<Vec<f64>> {
        self.scale_rest();
        let mut m = zeros(self.index.cells())?;
        self.index.scatter(&self.q, &mut m);
        self.done += (self.index.rows() * self.parts.len()) as u64;
        let of_marginals = self.parts.iter().zip(self.index.marginals());
        Ok(of_marginals.map(|(part, marginal)| part.loss(&m[marginal.cells.clone()])).collect())
    }
}

impl Part {
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

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
