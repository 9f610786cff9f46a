//! Small problems, written down by their rows.

use marginalia_estimate::estimators::interior::{Fit, Options, Problem, interior};
use marginalia_estimate::job::Job;
use marginalia_estimate::models::support::Index;
use marginalia_tables::{Codes, Domain};
use std::sync::Arc;

/// Rows over attributes of such sizes, and cliques.
#[derive(Debug, Clone)]
pub struct Small {
    pub sizes: Vec<u32>,
    pub rows: Vec<Vec<u16>>,
    pub prior: Vec<f64>,
    pub cliques: Vec<Vec<u16>>,
}

impl Small {
    pub fn new(sizes: &[u32], rows: &[&[u16]], prior: &[f64], cliques: &[&[u16]]) -> Self {
        let lists = |lists: &[&[u16]]| lists.iter().map(|list| list.to_vec()).collect();
        Self { sizes: sizes.into(), rows: lists(rows), prior: prior.into(), cliques: lists(cliques) }
    }

    pub fn index(&self) -> Arc<Index> {
        let column = |a: usize| {
            let mut column = Codes::new(self.sizes[a] as usize);
            column.extend(&self.rows.iter().map(|row| row[a]).collect::<Vec<_>>()).unwrap();
            column
        };
        let columns: Vec<Codes> = (0..self.sizes.len()).map(column).collect();
        let cliques: Vec<&[u16]> = self.cliques.iter().map(Vec::as_slice).collect();
        Arc::new(Index::new(&Domain::new(self.sizes.clone()), &columns, &cliques).unwrap())
    }

    /// The problem of answers to all cells, with one Λ: cells without support are left out.
    pub fn problem(&self, answers: &[Vec<f64>], bound: f64) -> Problem {
        let index = self.index();
        let supported = index.marginals().iter().zip(answers);
        let answers: Vec<f64> =
            supported.flat_map(|(m, y)| m.places.iter().map(|place| y[*place as usize])).collect();
        let bounds = vec![bound; answers.len()];
        Problem::new(index, &self.prior, answers, bounds).unwrap()
    }

    pub fn solve(&self, answers: &[Vec<f64>], bound: f64, tolerance: f64) -> Fit {
        let options = Options { tolerance, ..Options::default() };
        interior(self.problem(answers, bound), options).complete().unwrap()
    }
}

/// Case A of the golden values: two attributes, inconsistent answers, one of them negative.
pub fn case_a() -> (Small, Vec<Vec<f64>>) {
    let rows: [&[u16]; 5] = [&[0, 0], &[0, 1], &[0, 2], &[1, 1], &[1, 2]];
    let small = Small::new(&[2, 3], &rows, &[0.30, 0.20, 0.10, 0.15, 0.25], &[&[0], &[1]]);
    (small, vec![vec![0.45, 0.52], vec![-0.03, 0.55, 0.50]])
}

/// Case B: three pairs of three binary attributes, one cell of them without support.
pub fn case_b() -> (Small, Vec<Vec<f64>>) {
    let rows: [&[u16]; 6] = [&[0, 0, 0], &[0, 0, 1], &[0, 1, 0], &[0, 1, 1], &[1, 0, 0], &[1, 0, 1]];
    let small =
        Small::new(&[2, 2, 2], &rows, &[0.20, 0.15, 0.10, 0.05, 0.25, 0.25], &[&[0, 1], &[1, 2], &[0, 2]]);
    let answers = [[0.33, 0.20, 0.41, 0.04], [0.40, 0.36, 0.14, 0.12], [0.28, 0.22, 0.22, 0.30]];
    (small, answers.map(Vec::from).into())
}

/// A small linear congruential generator for tests: uniform in [0, 1).
pub struct Uniform(pub u64);

impl Uniform {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
