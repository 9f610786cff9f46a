//! Calibrated estimates of the problems in MARGINALIA_DATA, natively: the same estimations, with the same seed, that the
//! package carries out; the cells of rows are found anew in each run here too.

use crate::Contender;
use marginalia_estimate::estimators::calibrated::{CalibratedEstimator, Loss};
use marginalia_estimate::estimators::strength::Rule;
use marginalia_estimate::estimators::{Certificate, Estimator, Request};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::{Law, Measured};
use marginalia_estimate::models::support::Base;
use marginalia_estimate::total::Total;
use marginalia_tables::query::Query;
use marginalia_tables::{Codes, Domain, Schema};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// Bytes for the cells of rows: more than there are.
const LIMIT: u64 = 1 << 34;
/// The package's own.
const PASSES: u64 = 20_000;

pub struct Solving {
    estimator: CalibratedEstimator,
    request: Request,
}

fn floats(path: &Path) -> Vec<f64> {
    let bytes = std::fs::read(path).expect("the file is there");
    bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
}

impl Solving {
    pub fn new(task: &Value) -> Self {
        let folder = Path::new(task["folder"].as_str().expect("folder"));
        let number = |key: &str| task[key].as_f64().expect("a number");
        let (total, strength) = (number("totalRecords"), number("strength"));
        let sizes: Vec<u32> = serde_json::from_value(task["sizes"].clone()).expect("sizes");
        let cliques: Vec<Vec<u16>> = serde_json::from_value(task["cliques"].clone()).expect("cliques");
        let rows =
            std::fs::read(folder.join(task["rowsFile"].as_str().expect("rows"))).expect("the file is there");
        let columns = sizes.iter().enumerate().map(|(a, size)| {
            let mut column = Codes::new(*size as usize);
            let codes: Vec<u16> =
                rows.iter().skip(a).step_by(sizes.len()).map(|code| u16::from(*code)).collect();
            column.extend(&codes).expect("there is memory");
            column
        });
        let prior = floats(&folder.join(task["priorFile"].as_str().expect("prior")));
        let base = Base::new(Domain::new(sizes.clone()), columns.collect(), Some(&prior));
        let base = Arc::new(base.expect("the prior is valid"));
        let b = total / (number("weight") * strength);
        let (loss, law, variance) = match task["loss"].as_str() {
            Some("l1") => (Loss::L1, Law::Laplace(b), 2.0 * b * b),
            _ => (Loss::L2, Law::Gaussian, total * b),
        };
        let answers = floats(&folder.join(task["answers"].as_str().expect("answers")));
        let mut rest = answers.as_slice();
        let measurements = cliques.into_iter().map(|clique| {
            let product = |cells: usize, a: &u16| cells * sizes[usize::from(*a)] as usize;
            let (now, later) = rest.split_at(clique.iter().fold(1, product));
            rest = later;
            let answers = now.iter().map(|y| y * total).collect();
            Measured { clique, query: Query::Identity, answers, variance, law }
        });
        let measurements = measurements.collect();
        let estimator = CalibratedEstimator {
            loss,
            strength: Rule::Fixed(strength),
            tolerance: number("tolerance"),
            passes: PASSES,
            ..CalibratedEstimator::default()
        };
        let schema = Arc::new(Schema::of_domain(base.domain()).expect("its sizes are valid"));
        let total = Total::known(total).expect("it is positive");
        let mut request = Request::new(schema, Some(base), measurements, total);
        request.public = strength;
        request.seed = task["seed"].as_str().and_then(|seed| seed.parse().ok()).expect("a seed");
        request.limit = LIMIT;
        Self { estimator, request }
    }

    /// The value of what is minimised, and its relative gap.
    fn solved(&self) -> (f64, f64) {
        let job = self.estimator.begin(self.request.clone()).expect("it is valid");
        match job.complete().expect("there is a model").certificate {
            Certificate::Calibrated { value, relative_gap, .. } => (value, relative_gap),
            other => panic!("{other:?} is of another estimator"),
        }
    }
}

impl Contender for Solving {
    fn answer(&mut self) -> Value {
        json!(self.solved().0)
    }

    fn run(&mut self) -> u64 {
        u64::from(self.solved().1 <= self.estimator.tolerance)
    }
}
