//! Measurements: exact counts of cliques, queries on them, and noise of a known law.
//!
//! Theorem: the values of a call are `W x + Z` for each request, with `x` the counts of its clique and `Z` independent
//! draws of its law. Their joint cost is the sum of the requests' costs (`cost`), each from its scale and its
//! sensitivity for the declared neighbours (`sensitivity.rs`).

use crate::account::{Grant, Paid};
use crate::cost::Cost;
use crate::held::Held;
use crate::random::Generator;
use crate::sampler::{Law, Noise};
use crate::sealed::Sealed;
use crate::sensitivity::{self, Sensitivity, Spread};
use crate::unit::Neighbours;
use marginalia_tables::count::{CountSource, Counting};
use marginalia_tables::query::Query;
use marginalia_tables::{Code, Domain, Error, Result, Workload};
use std::sync::Arc;

/// Values beyond ±2⁵² are ±2⁵², by definition: whole numbers that a double holds exactly.
///
/// Noise is cut at twice that, which no sum may show: a count added to the largest noise would be seen as it is. So
/// counts are cut here as well, which brings neighbours no farther apart, and then the largest noise leads beyond ±2⁵²
/// whatever the count, where all sums are one.
const MOST: i128 = 1 << 52;

/// What is asked of one clique, and by which noise it is answered.
#[derive(Debug, Clone)]
pub struct Request {
    /// The attributes, in the order that its cells have.
    pub clique: Vec<u16>,
    /// What is asked of its cells.
    pub query: Query,
    /// The law of the noise.
    pub law: Law,
    /// Whether it is asked once, or in every group of a declared partition of the rows.
    pub spread: Spread,
}

/// The answer to a request: safe to publish.
#[derive(Debug, Clone, PartialEq)]
pub struct Noisy {
    /// A whole number for each query.
    pub values: Vec<f64>,
    /// The law that the noise was drawn from.
    pub law: Law,
    /// The exact variance of the noise of each.
    pub variance: f64,
}

/// What all requests cost together. A request in every group is paid for once: the groups share what a unit can change.
pub fn cost(neighbours: &Neighbours, domain: &Domain, requests: &[Request]) -> Result<Cost> {
    requests.iter().try_fold(Cost::none(), |mut sum, request| {
        let sensitivity = sensitivity_of(neighbours, domain, request)?;
        let scale = request.law.scale().to_ratio();
        let own = match request.law {
            Law::Laplace(_) => Cost::laplace(&sensitivity, &scale)?,
            Law::Gaussian(_) => Cost::gaussian(&sensitivity, &scale)?,
        };
        sum += &own;
        Ok(sum)
    })
}

fn sensitivity_of(neighbours: &Neighbours, domain: &Domain, request: &Request) -> Result<Sensitivity> {
    let cells = cells_of(domain, &request.clique)?;
    request.query.answers(cells)?;
    match &request.query {
        Query::Identity => Ok(Sensitivity::marginals(neighbours, 1)),
        Query::Linear(matrix) => {
            let values: Vec<i64> = matrix.values().iter().map(|value| i64::from(*value)).collect();
            let matrix = sensitivity::Matrix::new(matrix.columns(), &values)?;
            Ok(Sensitivity::linear(neighbours, matrix, request.spread))
        }
    }
}

fn cells_of(domain: &Domain, clique: &[u16]) -> Result<usize> {
    let cells = domain.cells(clique).and_then(|cells| usize::try_from(cells).ok());
    cells.ok_or_else(|| Error::new(Code::ModelTooLarge, "a clique has too many cells: use fewer attributes"))
}

/// Measurements in the making: first the counts in steps, then the noise.
pub struct Measuring {
    counting: Box<dyn Counting>,
    requests: Vec<Request>,
    paid: Paid,
    _held: Held,
}

impl Sealed {
    /// Begins to measure, in at most `limit` bytes. The grant must cover what the requests cost.
    pub fn measure(&self, grant: Grant, requests: Vec<Request>, limit: u64) -> Result<Measuring> {
        let cost = cost(&self.neighbours, &self.domain(), &requests)?;
        let paid = grant.redeem(&cost)?;
        let workload = workload(self.domain(), &requests, limit)?;
        // What counting needs depends on the rows, so its own admission must not be asked.
        let counting = self.table.clone().begin(Arc::new(workload), u64::MAX)?;
        Ok(Measuring { counting, requests, paid, _held: Held::new() })
    }
}

/// The cliques of requests. Refused by the number of cells alone, which is public: three tables of doubles are made of
/// them.
pub fn workload(domain: Domain, requests: &[Request], limit: u64) -> Result<Workload> {
    let cliques: Vec<&[u16]> = requests.iter().map(|request| &request.clique[..]).collect();
    let workload = Workload::from_cliques(domain, &cliques)?;
    let bytes = workload.total_cells().saturating_mul(3 * size_of::<f64>() as u64);
    if bytes <= limit {
        return Ok(workload);
    }
    let message = format!(
        "the measurements need {bytes} bytes, and the limit is {limit}: measure fewer or smaller cliques at once, or raise `memoryLimit`"
    );
    Err(Error::new(Code::ModelTooLarge, message))
}

impl Measuring {
    /// Does about `work` units of counting; true when the noise is next.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        self.counting.step(work)
    }

    /// What was paid.
    pub fn paid(&self) -> &Paid {
        &self.paid
    }

    /// Draws from the laws with b and σ halved, for audits that must find out.
    #[cfg(feature = "test-noise")]
    pub fn halve(&mut self) -> Result<()> {
        for request in &mut self.requests {
            request.law = request.law.halved()?;
        }
        Ok(())
    }

    /// Adds the noise.
    pub fn finish(self, generator: &mut Generator) -> Result<Vec<Noisy>> {
        let answers = self.counting.finish()?;
        let mut samplers = Vec::new();
        for (i, request) in self.requests.iter().enumerate() {
            let cells = answers.workload().cells(i);
            let draws = request.query.answers((cells.end - cells.start) as usize)?;
            sampler(&mut samplers, request.law).expect(draws);
        }
        let noisy = |(i, request): (usize, &Request)| {
            let exact = apply(&request.query, &answers.clique(i)?);
            let mut noise = vec![0; exact.len()];
            sampler(&mut samplers, request.law).fill(generator, &mut noise);
            let values = exact.iter().zip(&noise).map(|(exact, noise)| sum(*exact, *noise)).collect();
            Ok(Noisy { values, law: request.law, variance: request.law.variance() })
        };
        self.requests.iter().enumerate().map(noisy).collect()
    }
}

/// The sampler of a law; requests with one law share it, so that many small ones draw as fast as a large one.
fn sampler(samplers: &mut Vec<Noise>, law: Law) -> &mut Noise {
    let at = samplers.iter().position(|noise| noise.law() == law).unwrap_or_else(|| {
        samplers.push(Noise::new(law));
        samplers.len() - 1
    });
    &mut samplers[at]
}

fn sum(exact: i128, noise: i64) -> f64 {
    (exact.clamp(-MOST, MOST) + i128::from(noise)).clamp(-MOST, MOST) as f64
}

/// `W x` in integers; no sum of 2³² rows times 2³¹ over 2²² cells can overflow.
fn apply(query: &Query, counts: &[f64]) -> Vec<i128> {
    match query {
        Query::Identity => counts.iter().map(|count| *count as i128).collect(),
        Query::Linear(matrix) => {
            let dot =
                |row: &[i32]| row.iter().zip(counts).map(|(w, count)| i128::from(*w) * *count as i128).sum();
            matrix.rows().map(dot).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::LIMIT;

    #[test]
    fn noise_at_its_limit_hides_every_count() {
        for exact in [0, 1, 1 << 31, -5, MOST, -MOST, 1 << 90, -1 << 90] {
            assert_eq!([sum(exact, LIMIT), sum(exact, -LIMIT)], [MOST as f64, -MOST as f64], "{exact}");
        }
        assert_eq!(
            (sum(7, -9), sum(MOST, -1), sum(1 << 90, -1)),
            (-2.0, MOST as f64 - 1.0, MOST as f64 - 1.0)
        );
    }
}
