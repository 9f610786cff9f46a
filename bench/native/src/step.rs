//! Sweeps of Algorithm 1 over a support: the native twin of what `estimate.iterative` does.

use crate::{Contender, sizes_of, table};
use marginalia_estimate::estimators::iterative::{Options, PartialAnswers, iterative};
use marginalia_estimate::job::Job;
use marginalia_estimate::models::support::{Base, Index};
use marginalia_tables::query::Query;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

pub struct Sweeping {
    base: Arc<Base>,
    index: Arc<Index>,
    measured: Vec<PartialAnswers>,
    sweeps: usize,
    total: f64,
}

impl Sweeping {
    pub fn new(task: &Value) -> Self {
        let sizes = sizes_of(task);
        let bytes = std::fs::read(task["columns"].as_str().expect("columns")).expect("the file is there");
        let columns: Vec<&[u8]> = bytes.chunks_exact(bytes.len() / sizes.len()).collect();
        let cliques: Vec<Vec<u16>> = serde_json::from_value(task["cliques"].clone()).expect("cliques");
        let base = Arc::new(Base::from_table(table(&sizes, &bytes)).expect("the prior is valid"));
        let index = Index::over(Arc::clone(&base), cliques.clone(), 1 << 34).and_then(Job::complete);
        let weight = |row: usize| {
            let twice = columns[9][row] == 1 && columns[12][row] == 0;
            (if columns[5][row] == 0 { 1.5 } else { 1.0 }) * if twice { 2.0 } else { 1.0 }
        };
        let weights: Vec<f64> = (0..columns[0].len()).map(weight).collect();
        let total = weights.iter().sum();
        let measured = cliques.iter().map(|clique| {
            let product = |cells: usize, a: &u16| cells * sizes[usize::from(*a)] as usize;
            let size = clique.iter().fold(1, product);
            let mut answers = vec![0.0; size];
            for (row, weight) in weights.iter().enumerate() {
                let place = |cell: usize, a: &u16| {
                    cell * sizes[usize::from(*a)] as usize + usize::from(columns[usize::from(*a)][row])
                };
                answers[clique.iter().fold(0, place)] += weight;
            }
            PartialAnswers::new(clique, size, &Query::Identity, &answers, total).expect("it is valid")
        });
        let measured = measured.collect();
        let sweeps = task["sweeps"].as_u64().expect("sweeps") as usize;
        Self { measured, index: index.expect("the index fits"), base, sweeps, total }
    }

    /// KL(q‖p) after so many sweeps, judged before and after them.
    fn swept(&self, sweeps: usize) -> f64 {
        let steps = sweeps * self.measured.len();
        let usual = Options::sweeps(self.measured.len());
        let options = Options { damping: 1.0, tolerance: 0.0, steps, every: steps, ..usual };
        let (base, index) = (Arc::clone(&self.base), Arc::clone(&self.index));
        let job = iterative(base, index, self.measured.clone(), self.total, options, None);
        let solution = job.complete().expect("there is a model");
        solution.trace.last().map_or(0.0, |step| step.entropy)
    }
}

impl Contender for Sweeping {
    fn answer(&mut self) -> Value {
        json!([(self.swept(self.sweeps) * 1e6).round() / 1e6])
    }

    fn run(&mut self) -> u64 {
        std::hint::black_box(self.swept(self.sweeps));
        (self.base.rows() * self.measured.len() * self.sweeps) as u64
    }

    /// As many sweeps are the difference of twice as many and of themselves: a call has other work too.
    fn timed(&mut self) -> (u64, u64) {
        let mut last = Instant::now();
        let total = self.run();
        let once = last.elapsed().as_nanos() as u64;
        last = Instant::now();
        std::hint::black_box(self.swept(2 * self.sweeps));
        (total, (last.elapsed().as_nanos() as u64).saturating_sub(once).max(1))
    }
}
