//! Calibrated estimates of the problems in MARGINALIA_DATA, natively.

use crate::Contender;
use marginalia_estimate::calibrated::{self, Calibrated};
use marginalia_estimate::interior::{self, InteriorJob};
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::support::{Base, Index, IndexJob};
use marginalia_tables::{Codes, Domain};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

pub struct Solving {
    task: Value,
    base: Arc<Base>,
    index: Arc<Index>,
    measurements: Vec<Measurement>,
    total: f64,
    strength: f64,
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
        let rows = std::fs::read(folder.join(task["rowsFile"].as_str().expect("rows"))).expect("the file is there");
        let columns = sizes.iter().enumerate().map(|(a, size)| {
            let mut column = Codes::new(*size as usize);
            let codes: Vec<u16> = rows.iter().skip(a).step_by(sizes.len()).map(|code| u16::from(*code)).collect();
            column.extend(&codes).expect("there is memory");
            column
        });
        let prior = floats(&folder.join(task["priorFile"].as_str().expect("prior")));
        let base = Base::new(Domain::new(sizes.clone()), columns.collect(), Some(&prior));
        let base = Arc::new(base.expect("the prior is valid"));
        let index = IndexJob::new(Arc::clone(&base), cliques.clone(), 1 << 34).and_then(IndexJob::finish);
        let answers = floats(&folder.join(task["answers"].as_str().expect("answers")));
        let mut rest = answers.as_slice();
        let measurements = cliques.into_iter().map(|clique| {
            let product = |cells: usize, a: &u16| cells * sizes[usize::from(*a)] as usize;
            let (now, later) = rest.split_at(clique.iter().fold(1, product));
            rest = later;
            let variance = total * total / (number("weight") * strength);
            Measurement { clique, answers: now.iter().map(|y| y * total).collect(), variance }
        });
        let measurements = measurements.collect();
        Self { task: task.clone(), base, index: index.expect("it fits"), measurements, total, strength }
    }

    /// The value of what is minimised, and its relative gap.
    fn solved(&self) -> (f64, f64) {
        let number = |key: &str| self.task[key].as_f64().expect("a number");
        let tolerance = number("tolerance");
        let (base, index) = (Arc::clone(&self.base), Arc::clone(&self.index));
        let problem = calibrated::Problem::new(base, index, &self.measurements, self.total, self.strength);
        let problem = problem.expect("it is valid");
        if self.task["loss"] == "l1" {
            let bounds = vec![number("weight"); problem.y.len()];
            let problem = interior::Problem::new(Arc::clone(&self.index), self.base.prior(), problem.y, bounds);
            let options = interior::Options { tolerance, ..interior::Options::default() };
            let fit = InteriorJob::new(problem.expect("it is valid"), options).finish();
            let certificate = fit.expect("there is memory").certificate;
            return (certificate.primal, certificate.relative);
        }
        let options = calibrated::Options { tolerance, ..calibrated::Options::default() };
        let mut job = Calibrated::new(Arc::new(problem), options).expect("there is memory");
        while !job.step(u64::MAX).expect("there is memory") {}
        let certificate = job.finish().expect("there is a model").certificate;
        (certificate.primal, certificate.relative())
    }
}

impl Contender for Solving {
    fn answer(&mut self) -> Value {
        json!(self.solved().0)
    }

    fn run(&mut self) -> u64 {
        u64::from(self.solved().1 <= self.task["tolerance"].as_f64().expect("a number"))
    }
}
