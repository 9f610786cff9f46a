//! Measurements: exact counts of cliques, queries on them, and noise of a known law.
//!
//! Theorem: the values of a call are `W x + Z` for each request, with `x` the counts of its clique and `Z` independent
//! draws of its law. Their joint cost is the sum of the requests' costs (`cost`), each from its scale and its
//! sensitivity for the declared neighbours (`sensitivity/mod.rs`).

use crate::account::{Grant, Paid};
use crate::cost::Cost;
use crate::drawing::noisy;
use crate::random::Generator;
use crate::sampler::Law;
use crate::sealed::Sealed;
use crate::sensitivity::{self, Sensitivity, Spread};
use crate::unit::Neighbours;
use marginalia_tables::count::{CountSource, Counting};
use marginalia_tables::held::Held;
use marginalia_tables::query::Query;
use marginalia_tables::{Code, Domain, Error, Result, Workload};
use std::sync::Arc;

/// What is asked of one clique, and by which noise it is answered.
#[derive(Debug, Clone)]
pub struct Request {
    /// The attributes, in the order that its cells have.
    pub clique: Vec<u16>,
    /// What is asked of its cells.
    pub query: Query,
    /// The law of the noise.
    pub law: Law,
    /// The attributes whose combinations are groups: it is asked in each of them, one after another. None: it is asked
    /// once, of all rows.
    pub groups: Vec<u16>,
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

impl Request {
    /// The attributes of its cells: those of the groups, then its own.
    fn counted(&self) -> Vec<u16> {
        [&self.groups[..], &self.clique].concat()
    }
}

fn sensitivity_of(neighbours: &Neighbours, domain: &Domain, request: &Request) -> Result<Sensitivity> {
    cells_of(domain, &request.counted())?;
    let cells = cells_of(domain, &request.clique)?;
    request.query.answers(cells)?;
    let spread = if cells_of(domain, &request.groups)? > 1 { Spread::Groups } else { Spread::Whole };
    match &request.query {
        // The number of rows: those that come and those that go stand in one count, and cancel.
        Query::Identity if cells == 1 => Ok(Sensitivity::count(neighbours, spread)),
        Query::Identity => Ok(Sensitivity::marginals(neighbours, 1)),
        Query::Linear(matrix) => {
            let values: Vec<i64> = matrix.values().iter().map(|value| i64::from(*value)).collect();
            let matrix = sensitivity::Matrix::new(matrix.columns(), &values)?;
            Ok(Sensitivity::linear(neighbours, matrix, spread))
        }
        Query::Product(product) => Ok(Sensitivity::product(neighbours, product, spread)),
    }
}

pub(crate) fn cells_of(domain: &Domain, clique: &[u16]) -> Result<usize> {
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
        Ok(Measuring { counting, requests, paid, _held: Held::default() })
    }
}

/// The cliques of requests. Refused by the number of cells alone, which is public: three tables of doubles are made of
/// them.
pub fn workload(domain: Domain, requests: &[Request], limit: u64) -> Result<Workload> {
    let cliques: Vec<Vec<u16>> = requests.iter().map(Request::counted).collect();
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

    /// Adds the noise: each generator draws that of other answers, all at the same time where there are threads. One is
    /// enough, and [`threads`](crate::drawing::threads) as many as are of use.
    pub fn finish(self, generators: &mut [Generator]) -> Result<Vec<Noisy>> {
        let answers = self.counting.finish()?;
        noisy(&answers, &self.requests, generators)
    }
}
