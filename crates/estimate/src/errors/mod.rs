//! Standard errors of what a calibrated estimate answers.
//!
//! The estimate minimises Σλ(Mq − y)²/2 + KL(q‖p) with λ = n²/(σ²n₀), so its potentials solve M q(u) − y + u/λ = 0. When
//! the answers move by δy, the potentials move by H⁻¹δy, with H = C + diag 1/λ and C the covariance under q of the cells,
//! and the answer A = Σ q a to a query a of rows moves by cᵀH⁻¹δy with c = cov(a, cells). With v = H⁻¹c:
//!
//! - *noise*: y = ỹ/n̂, where n̂ is itself a weighted sum of all ỹ. So n̂A moves by v·δỹ + (A − v·y)δn̂, and with the
//!   weights ω of n̂ its variance is Σσ²(v + (A − v·y)ω)², over cells without a row too, for which v is 0. A share moves by
//!   (v·δỹ − (v·y)δn̂)/n̂.
//! - *what is left open*: a prior worth n₀ records of the same population is off in the direction of a by a variance of
//!   var(a)/n₀, of which what answers say about v is known: var(a − Mᵀv)/n₀ is left.
//!
//! Both are of first order. How λ and n₀ follow n̂ is left out: it is of the order of a residual times the relative error of
//! n̂.

mod system;

pub(crate) use system::{Solving, System, mean};

use crate::measurement::{Measurement, check};
use crate::models::support::{Condition, Distribution, IndexJob, cells_of_rows, room, zeros};
use crate::total::Total;
use crate::vector::dot;
use marginalia_tables::query::Query;
use marginalia_tables::{Code, Error, Result};
use std::sync::Arc;

/// What an estimate was made of.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// The answers, each with its variance.
    pub measurements: Vec<Measurement>,
    /// The number of records, and how it is known.
    pub total: Total,
    /// How many records the prior was worth.
    pub strength: f64,
}

/// What is asked of a clique.
#[derive(Debug, Clone)]
pub struct Question {
    /// The attributes.
    pub clique: Vec<u16>,
    /// Of its cells.
    pub query: Query,
}

/// The variances of an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// By the noise of the measurements.
    pub noise: f64,
    /// By what measurements and prior leave open.
    pub open: f64,
}

/// The working out of the variances of answers, one after another.
pub struct ErrorsJob {
    model: Arc<Distribution>,
    evidence: Evidence,
    questions: Vec<Question>,
    normalize: bool,
    making: Option<IndexJob>,
    system: Option<(System, OfTotal)>,
    /// Which rows are asked about, and their mass.
    met: Vec<f64>,
    mass: f64,
    /// The question, and which of its answers is next.
    at: (usize, usize),
    cells: Vec<u32>,
    asking: Option<Asking>,
    answers: usize,
    spreads: Vec<Spread>,
    done: u64,
}

/// How the total moves with the answers: ω of each supported cell, and Σσ²ω² over the cells without a row.
struct OfTotal {
    share: Vec<f64>,
    outside: f64,
}

/// An answer in the making: its query of rows, and the mean of that.
struct Asking {
    a: Vec<f64>,
    mean: f64,
    solving: Solving,
}

impl ErrorsJob {
    /// The errors of a model's answers about the rows that meet a condition, in records or as shares of these rows. The
    /// cells of rows are kept in at most `limit` bytes.
    pub fn new(
        model: Arc<Distribution>,
        evidence: Evidence,
        questions: Vec<Question>,
        condition: &Condition,
        normalize: bool,
        limit: u64,
    ) -> Result<Self> {
        let base = Arc::clone(model.base());
        check(base.domain(), &evidence.measurements)?;
        if !(evidence.strength > 0.0 && evidence.strength.is_finite()) {
            return Err(invalid("the strength of a prior must be a positive number of records"));
        }
        let mut answers = 0usize;
        for question in &questions {
            answers += question.query.answers(base.cells(&question.clique)? as usize)?;
        }
        let mut met = zeros(base.rows())?;
        model.mask(condition, &mut met)?;
        let q = model.weights()?;
        let mass = mean(q, &met);
        if mass <= 0.0 {
            return Err(invalid("no row that meets the condition has any weight"));
        }
        let cliques = evidence.measurements.iter().map(|one| one.clique.clone()).collect();
        let making = Some(IndexJob::new(base, cliques, limit)?);
        Ok(Self {
            model,
            evidence,
            questions,
            normalize,
            making,
            system: None,
            met,
            mass,
            at: (0, 0),
            cells: Vec::new(),
            asking: None,
            answers,
            spreads: Vec::new(),
            done: 0,
        })
    }

    /// Does about `work` units, one of which takes as long as a row in a pass over one marginal; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let until = self.done.saturating_add(work.max(1));
        while self.done < until {
            if let Some(making) = &mut self.making {
                let before = making.done();
                let ready = making.step(until - self.done)?;
                self.done += making.done() - before;
                if let Some(making) = self.making.take_if(|_| ready) {
                    let Evidence { measurements, total, strength } = &self.evidence;
                    let system = System::new(making.finish()?, measurements, total.records(), *strength)?;
                    let of_total = OfTotal::new(&system, &self.evidence)?;
                    self.system = Some((system, of_total));
                }
            } else if let Some(mut asking) = self.asking.take() {
                if self.advance(&mut asking)? {
                    self.judge(&asking)?;
                } else {
                    self.asking = Some(asking);
                }
            } else if self.at.0 < self.questions.len() {
                self.begin()?;
            } else {
                return Ok(true);
            }
        }
        Ok(self.making.is_none() && self.asking.is_none() && self.at.0 == self.questions.len())
    }

    /// The answers done.
    pub fn done(&self) -> usize {
        self.spreads.len()
    }

    /// All answers.
    pub fn total(&self) -> usize {
        self.answers
    }

    /// Does what is left and returns the variances of all answers, question after question.
    pub fn finish(mut self) -> Result<Vec<Spread>> {
        while !self.step(u64::MAX)? {}
        Ok(self.spreads)
    }

    /// The next answer: its query of rows, and the system that is to be solved.
    fn begin(&mut self) -> Result<()> {
        let (question, answer) = self.at;
        let base = Arc::clone(self.model.base());
        let Question { clique, query } = &self.questions[question];
        let cells = base.cells(clique)? as usize;
        if answer == 0 {
            self.cells = room(base.rows())?;
            self.cells.resize(base.rows(), 0);
            cells_of_rows(base.domain(), base.columns(), clique, 0..base.rows(), &mut self.cells);
        }
        let coefficients: Option<&[i32]> = match query {
            Query::Identity => None,
            Query::Linear(matrix) => matrix.rows().nth(answer),
        };
        let of = |cell: u32| match coefficients {
            Some(row) => f64::from(row[cell as usize]),
            None => f64::from(u8::from(cell as usize == answer)),
        };
        let mut a: Vec<f64> = room(base.rows())?;
        a.extend(self.cells.iter().zip(&self.met).map(|(cell, met)| of(*cell) * met));
        let answers = query.answers(cells)?;
        self.at = if answer + 1 < answers { (question, answer + 1) } else { (question + 1, 0) };
        self.done += 2 * base.rows() as u64;
        let q = self.model.weights()?;
        let mut mean = mean(q, &a);
        if self.normalize {
            let share = mean / self.mass;
            a.iter_mut().zip(&self.met).for_each(|(a, met)| *a = (*a - share * met) / self.mass);
            mean = 0.0;
        }
        let Some((system, _)) = &self.system else {
            return Err(invalid("the cells of rows are not known yet"));
        };
        let mut w: Vec<f64> = room(a.len())?;
        w.extend(a.iter().zip(q).map(|(a, q)| q * (a - mean)));
        self.asking = Some(Asking { a, mean, solving: Solving::new(system, &w)? });
        self.done += system.pass();
        Ok(())
    }

    /// An iteration; true at the end.
    fn advance(&mut self, asking: &mut Asking) -> Result<bool> {
        let Some((system, _)) = &self.system else { return Ok(true) };
        let over = asking.solving.advance(system, self.model.weights()?)?;
        self.done += if over { 0 } else { 2 * system.pass() };
        Ok(over)
    }

    fn judge(&mut self, asking: &Asking) -> Result<()> {
        let Some((system, total)) = &self.system else { return Ok(()) };
        let Asking { a, mean, solving: Solving { v, .. } } = asking;
        let q = self.model.weights()?;
        let records = self.evidence.total.records();
        let of_total = mean - dot(v, &system.y);
        let terms = v.iter().zip(&system.variance).zip(&total.share);
        let inside: f64 = terms.map(|((v, variance), share)| variance * (v + of_total * share).powi(2)).sum();
        let noise = inside + of_total * of_total * total.outside;
        let mut t = zeros(a.len())?;
        system.index.gather(v, &mut t);
        t.iter_mut().zip(a).for_each(|(t, a)| *t = a - *t);
        let first = system::mean(q, &t);
        t.iter_mut().for_each(|t| *t = (*t - first).powi(2));
        let open = system::mean(q, &t) / self.evidence.strength;
        let square = records * records;
        self.spreads.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<Spread>()))?;
        self.spreads.push(if self.normalize {
            Spread { noise: noise / square, open }
        } else {
            Spread { noise, open: open * square }
        });
        self.done += system.pass();
        Ok(())
    }
}

impl OfTotal {
    fn new(system: &System, Evidence { measurements, total, .. }: &Evidence) -> Result<Self> {
        // A total that is known, or below what it is taken for, does not move.
        let moves = total.variance > 0.0 && total.value >= total.records();
        let (mut share, mut outside) = (room(system.index.cells())?, 0.0);
        let of_cells = system.index.marginals().iter().zip(&system.unsupported);
        for ((marginal, unsupported), one) in of_cells.zip(measurements) {
            let own = one.variance * one.answers.len() as f64;
            let weight = if moves { total.variance / own } else { 0.0 };
            outside += one.variance * weight * weight * *unsupported as f64;
            share.extend(marginal.places.iter().map(|_| weight));
        }
        Ok(Self { share, outside })
    }
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
