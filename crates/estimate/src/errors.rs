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

use crate::measurement::{Measurement, check, targets};
use crate::support::rows::sum;
use crate::support::{Condition, Index, IndexJob, Model, cells_of_rows, room, zeros};
use crate::total::Total;
use marginalia_tables::query::Query;
use marginalia_tables::{Code, Error, Result};
use std::sync::Arc;

/// The part of the right side that conjugate gradients leave unsolved.
const TOLERANCE: f64 = 1e-6;

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
    model: Arc<Model>,
    evidence: Evidence,
    questions: Vec<Question>,
    normalize: bool,
    making: Option<IndexJob>,
    system: Option<System>,
    /// Which rows are asked about, and their mass.
    met: Vec<f64>,
    mass: f64,
    /// The question, and which of its answers is next.
    at: (usize, usize),
    cells: Vec<u32>,
    solving: Option<Solving>,
    answers: usize,
    spreads: Vec<Spread>,
    done: u64,
}

/// What all answers have in common.
struct System {
    index: Arc<Index>,
    y: Vec<f64>,
    /// 1/λ, σ² and ω of each supported cell.
    softness: Vec<f64>,
    variance: Vec<f64>,
    share: Vec<f64>,
    /// Σσ²ω² over the cells without a row.
    outside: f64,
}

/// Conjugate gradients for H v = c.
struct Solving {
    /// The query of rows, and its mean.
    a: Vec<f64>,
    mean: f64,
    v: Vec<f64>,
    rest: Vec<f64>,
    p: Vec<f64>,
    square: f64,
    stop: f64,
    left: usize,
}

impl ErrorsJob {
    /// The errors of a model's answers about the rows that meet a condition, in records or as shares of these rows. The
    /// cells of rows are kept in at most `limit` bytes.
    pub fn new(
        model: Arc<Model>,
        evidence: Evidence,
        questions: Vec<Question>,
        condition: &Condition,
        normalize: bool,
        limit: u64,
    ) -> Result<Self> {
        let base = Arc::clone(model.base());
        check(&base, &evidence.measurements)?;
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
        let mass = sum(met.len(), |row| q[row] * met[row]);
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
            solving: None,
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
                    self.system = Some(System::new(making.finish()?, &self.evidence)?);
                }
            } else if let Some(mut solving) = self.solving.take() {
                if self.advance(&mut solving)? {
                    self.judge(&solving)?;
                } else {
                    self.solving = Some(solving);
                }
            } else if self.at.0 < self.questions.len() {
                self.begin()?;
            } else {
                return Ok(true);
            }
        }
        Ok(self.making.is_none() && self.solving.is_none() && self.at.0 == self.questions.len())
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
        let mut mean = sum(a.len(), |row| q[row] * a[row]);
        if self.normalize {
            let share = mean / self.mass;
            a.iter_mut().zip(&self.met).for_each(|(a, met)| *a = (*a - share * met) / self.mass);
            mean = 0.0;
        }
        let Some(system) = &self.system else { return Err(invalid("the cells of rows are not known yet")) };
        self.solving = Some(Solving::new(system, q, a, mean)?);
        self.done += system.pass();
        Ok(())
    }

    /// An iteration; true at the end.
    fn advance(&mut self, solving: &mut Solving) -> Result<bool> {
        let Some(system) = &self.system else { return Ok(true) };
        if solving.square <= solving.stop || solving.left == 0 {
            return Ok(true);
        }
        let q = self.model.weights()?;
        let image = system.product(q, &solving.p)?;
        let curvature = dot(&solving.p, &image);
        let step = solving.square / curvature;
        if !step.is_finite() {
            return Ok(true);
        }
        add(&mut solving.v, step, &solving.p);
        add(&mut solving.rest, -step, &image);
        let before = std::mem::replace(&mut solving.square, dot(&solving.rest, &solving.rest));
        let beta = solving.square / before;
        solving.p.iter_mut().zip(&solving.rest).for_each(|(p, rest)| *p = rest + beta * *p);
        solving.left -= 1;
        self.done += 2 * system.pass();
        Ok(false)
    }

    fn judge(&mut self, solving: &Solving) -> Result<()> {
        let Some(system) = &self.system else { return Ok(()) };
        let Solving { a, mean, v, .. } = solving;
        let q = self.model.weights()?;
        let records = self.evidence.total.records();
        let of_total = mean - dot(v, &system.y);
        let terms = v.iter().zip(&system.variance).zip(&system.share);
        let inside: f64 = terms.map(|((v, variance), share)| variance * (v + of_total * share).powi(2)).sum();
        let noise = inside + of_total * of_total * system.outside;
        let mut t = zeros(a.len())?;
        system.index.gather(v, &mut t);
        let first = sum(a.len(), |row| q[row] * (a[row] - t[row]));
        let open = sum(a.len(), |row| q[row] * (a[row] - t[row] - first).powi(2)) / self.evidence.strength;
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

impl System {
    fn new(index: Arc<Index>, evidence: &Evidence) -> Result<Self> {
        let Evidence { measurements, total, strength } = evidence;
        let records = total.records();
        let (y, unsupported) = targets(&index, measurements, records)?;
        // A total that is known, or below what it is taken for, does not move.
        let moves = total.variance > 0.0 && total.value >= records;
        let (mut softness, mut variance, mut share) =
            (room(index.cells())?, room(index.cells())?, room(index.cells())?);
        let mut outside = 0.0;
        for ((marginal, one), unsupported) in index.marginals().iter().zip(measurements).zip(&unsupported) {
            let own = one.variance * one.answers.len() as f64;
            let weight = if moves { total.variance / own } else { 0.0 };
            outside += one.variance * weight * weight * unsupported.cells as f64;
            for _ in &marginal.places {
                softness.push(one.variance * strength / (records * records));
                variance.push(one.variance);
                share.push(weight);
            }
        }
        Ok(Self { index, y, softness, variance, share, outside })
    }

    /// `H p = M (diag q − q qᵀ) Mᵀ p + p/λ`.
    fn product(&self, q: &[f64], p: &[f64]) -> Result<Vec<f64>> {
        let mut t = zeros(self.index.rows())?;
        self.index.gather(p, &mut t);
        let mean = sum(t.len(), |row| q[row] * t[row]);
        t.iter_mut().zip(q).for_each(|(t, q)| *t = q * (*t - mean));
        let mut image = zeros(p.len())?;
        self.index.scatter(&t, &mut image);
        let soft = p.iter().zip(&self.softness);
        image.iter_mut().zip(soft).for_each(|(image, (p, softness))| *image += p * softness);
        Ok(image)
    }

    /// Row passes over one marginal in a pass over all.
    fn pass(&self) -> u64 {
        (self.index.rows() * self.index.marginals().len().max(1)) as u64
    }
}

impl Solving {
    fn new(system: &System, q: &[f64], a: Vec<f64>, mean: f64) -> Result<Self> {
        let mut w: Vec<f64> = room(a.len())?;
        w.extend(a.iter().zip(q).map(|(a, q)| q * (a - mean)));
        let mut c = zeros(system.index.cells())?;
        system.index.scatter(&w, &mut c);
        let square = dot(&c, &c);
        let left = 10 * c.len() + 100;
        let (v, mut p) = (zeros(c.len())?, room(c.len())?);
        p.extend_from_slice(&c);
        Ok(Self { a, mean, v, rest: c, p, square, stop: TOLERANCE * TOLERANCE * square, left })
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(x: &mut [f64], step: f64, d: &[f64]) {
    x.iter_mut().zip(d).for_each(|(x, d)| *x += step * d);
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
