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

pub(crate) use system::{System, mean};

use crate::job::{Pace, Steps};
use crate::measurement::{Measurement, check};
use crate::models::support::{Condition, Distribution, Index, cells_of_rows, room, zeros};
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

/// The variances of a model's answers to all questions, one after another, about the rows that meet a condition, in records or
/// as shares of these rows. The cells of rows are kept in at most `limit` bytes.
pub fn errors(
    model: Arc<Distribution>,
    evidence: Evidence,
    questions: Vec<Question>,
    condition: &Condition,
    normalize: bool,
    limit: u64,
) -> Result<Steps<Vec<Spread>>> {
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
    let mass = mean(model.weights()?, &met);
    if mass <= 0.0 {
        return Err(invalid("no row that meets the condition has any weight"));
    }
    let cliques = evidence.measurements.iter().map(|one| one.clique.clone()).collect();
    let index = Index::over(base, cliques, limit)?;
    Ok(Steps::new(move |pace| async move {
        pace.show(0, answers);
        let index = pace.quiet().run(index).await?;
        let Evidence { measurements, total, strength } = &evidence;
        let system = System::new(index, measurements, total.records(), *strength)?;
        let of_total = OfTotal::new(&system, &evidence)?;
        let estimate = Estimate { model, evidence, normalize, met, mass, system, of_total };
        let mut spreads = room(answers)?;
        for Question { clique, query } in &questions {
            let cells = estimate.cells(clique)?;
            for answer in 0..query.answers(estimate.model.base().cells(clique)? as usize)? {
                pace.did(2 * cells.len()).await;
                spreads.push(estimate.spread(query, answer, &cells, &pace).await?);
                pace.show(spreads.len(), answers);
            }
        }
        Ok(spreads)
    }))
}

/// What all answers have in common.
struct Estimate {
    model: Arc<Distribution>,
    evidence: Evidence,
    normalize: bool,
    /// Which rows are asked about, and their mass.
    met: Vec<f64>,
    mass: f64,
    system: System,
    of_total: OfTotal,
}

/// How the total moves with the answers: ω of each supported cell, and Σσ²ω² over the cells without a row.
struct OfTotal {
    share: Vec<f64>,
    outside: f64,
}

impl Estimate {
    /// The cell of a clique that each row lies in.
    fn cells(&self, clique: &[u16]) -> Result<Vec<u32>> {
        let base = self.model.base();
        let mut cells = room(base.rows())?;
        cells.resize(base.rows(), 0);
        cells_of_rows(base.domain(), base.columns().into(), clique, 0..base.rows(), &mut cells);
        Ok(cells)
    }

    /// The variances of one answer to a query.
    async fn spread(&self, query: &Query, answer: usize, cells: &[u32], pace: &Pace) -> Result<Spread> {
        let q = self.model.weights()?;
        let (a, mean) = self.query(query, answer, cells)?;
        let mut w: Vec<f64> = room(a.len())?;
        w.extend(a.iter().zip(q).map(|(a, q)| q * (a - mean)));
        let v = self.system.solve(&w, q, pace).await?;
        self.judge(&a, mean, &v)
    }

    /// What an answer counts each row for, and the mean of that.
    fn query(&self, query: &Query, answer: usize, cells: &[u32]) -> Result<(Vec<f64>, f64)> {
        let of = |cell: u32| f64::from(query.entry(answer, cell as usize));
        let mut a: Vec<f64> = room(cells.len())?;
        a.extend(cells.iter().zip(&self.met).map(|(cell, met)| of(*cell) * met));
        let mean = mean(self.model.weights()?, &a);
        if !self.normalize {
            return Ok((a, mean));
        }
        let share = mean / self.mass;
        a.iter_mut().zip(&self.met).for_each(|(a, met)| *a = (*a - share * met) / self.mass);
        Ok((a, 0.0))
    }

    fn judge(&self, a: &[f64], mean: f64, v: &[f64]) -> Result<Spread> {
        let Self { system, of_total: total, .. } = self;
        let q = self.model.weights()?;
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
        let square = self.evidence.total.records().powi(2);
        Ok(match self.normalize {
            true => Spread { noise: noise / square, open },
            false => Spread { noise, open: open * square },
        })
    }
}

impl OfTotal {
    fn new(system: &System, Evidence { measurements, total, .. }: &Evidence) -> Result<Self> {
        let (mut share, mut outside) = (room(system.index.cells())?, 0.0);
        let of_cells = system.index.marginals().iter().zip(&system.unsupported);
        for ((marginal, unsupported), one) in of_cells.zip(measurements) {
            let own = one.variance * one.answers.len() as f64;
            let weight = total.moves() / own;
            outside += one.variance * weight * weight * *unsupported as f64;
            share.extend(marginal.places.iter().map(|_| weight));
        }
        Ok(Self { share, outside })
    }
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
