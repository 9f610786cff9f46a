//! The best mixture of the prior's rows (`papers/pmw-pub.txt`, Definition 2.1): the distribution on them whose worst answer is
//! least wrong. However the rows are weighted, some answer is as wrong as the bound says.

use super::linear::{Aim, Norm, least};
use super::request::on_rows;
use super::{
    Certificate, Estimate, Estimation, Estimator, Judgement, Missing, Options, Request, Status, cells_only,
    invalid,
};
use crate::measurement::{Law, Measurement, Outside, targets};
use crate::models::support::rows::relative_entropy;
use crate::models::support::{self, Distribution, Index, SupportModel, zeros};
use marginalia_tables::Result;
use marginalia_tables::query::Query;
use std::sync::Arc;

/// The most cells of a proof that are told.
const MOST: usize = 32;

/// Comes as near to the answers as any distribution on the prior's rows can, by the largest distance of all cells.
#[derive(Debug, Clone)]
pub struct MinimaxEstimator {
    /// The gap that is good enough, as a share of the total.
    pub tolerance: f64,
}

/// A cell that keeps the largest distance from being less.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binding {
    /// Which measurement it is of.
    pub measurement: usize,
    /// Its place among the cells of the clique.
    pub cell: usize,
    /// Its part in the proof, below zero where the rows cannot but have too much there.
    pub weight: f64,
    /// What was answered, and what the best mixture has, as shares of the total.
    pub answer: f64,
    /// The share of the best mixture.
    pub model: f64,
}

impl Binding {
    /// All that is told of it, in order.
    pub fn numbers(&self) -> [f64; 5] {
        [self.measurement as f64, self.cell as f64, self.weight, self.answer, self.model]
    }
}

impl MinimaxEstimator {
    /// One with such options.
    pub(super) fn read(options: Options<'_>) -> Result<Self> {
        Ok(Self { tolerance: options.number("tolerance")? })
    }
}

impl Estimator for MinimaxEstimator {
    fn name(&self) -> &'static str {
        "minimax"
    }

    fn kind(&self) -> &'static str {
        support::KIND
    }

    fn accepts(&self, kind: &str, query: &Query, _: Law) -> Result<()> {
        on_rows(kind)?;
        cells_only(query)
    }

    fn begin(&self, request: Request) -> Result<Estimation> {
        request.accepted_by(self)?;
        let measurements = request.cells()?;
        if measurements.is_empty() {
            return Err(invalid("the best mixture is that for some measurements: give one"));
        }
        let (base, tolerance) = (request.rows()?, self.tolerance);
        Ok(Estimation::new(|pace| async move {
            let index = request.index(&pace).await?;
            let total = request.total.records();
            let (answers, outside) = targets(&index, &measurements, total)?;
            let absent = absent(&index, &measurements, total);
            let norm = Norm::Largest(absent.map_or(0.0, |cell| cell.answer.abs()));
            let (prior, mut m, v) = (base.prior(), zeros(answers.len())?, zeros(answers.len())?);
            index.scatter(prior, &mut m);
            let start = norm.distance(&answers, &m);
            let aim = Aim { tolerance, of_start: tolerance };
            let found = least(&index, prior, &answers, (prior, &v), (norm, aim), &pace).await?;
            let (best, entropy) = (found.best, |q: &[f64]| relative_entropy(q, prior));
            let mut proof = bindings(&index, &answers, &best.m, &best.v);
            if proof.is_empty() {
                proof.extend(absent);
            }
            let gap = best.distance - best.bound;
            let last = Judgement {
                at: found.passes as f64,
                value: best.distance,
                gap: Some(gap),
                relative_entropy: entropy(&best.q),
            };
            let model = Distribution::from_weights(Arc::clone(&base), best.q, total)?;
            let missing = |one: &Outside| Missing { answers: one.cells, records: one.records };
            Ok(Estimate {
                model: Arc::new(SupportModel::new(request.schema, model)?),
                status: match gap <= tolerance {
                    true => Status::Converged,
                    false if pace.stopped() => Status::Stopped,
                    false => Status::Limit,
                },
                certificate: Certificate::Minimax { error: best.distance, bound: best.bound, start, proof },
                trace: vec![last],
                total: request.total,
                missing: outside.iter().map(missing).collect(),
            })
        }))
    }
}

/// The largest answer of a cell without a row.
fn absent(index: &Index, measurements: &[Measurement], total: f64) -> Option<Binding> {
    let mut most: Option<Binding> = None;
    for (measurement, (marginal, of)) in index.marginals().iter().zip(measurements).enumerate() {
        let mut supported = marginal.places.iter().peekable();
        for (cell, answer) in of.answers.iter().enumerate() {
            if supported.next_if_eq(&&(cell as u32)).is_some() {
                continue;
            }
            let answer = answer / total;
            if most.is_none_or(|most| answer.abs() > most.answer.abs()) {
                most = Some(Binding { measurement, cell, weight: answer.signum(), answer, model: 0.0 });
            }
        }
    }
    most
}

/// The cells of a dual point, those of most weight first.
fn bindings(index: &Index, answers: &[f64], m: &[f64], v: &[f64]) -> Vec<Binding> {
    let mut cells: Vec<usize> = (0..v.len()).filter(|cell| v[*cell] != 0.0).collect();
    cells.sort_by(|a, b| v[*b].abs().total_cmp(&v[*a].abs()));
    cells.truncate(MOST);
    let binding = |cell: usize| {
        let measurement = index.marginals().partition_point(|marginal| marginal.cells.end <= cell);
        let marginal = &index.marginals()[measurement];
        Binding {
            measurement,
            cell: marginal.places[cell - marginal.cells.start] as usize,
            weight: v[cell],
            answer: answers[cell],
            model: m[cell],
        }
    };
    cells.into_iter().map(binding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimators::{PLAIN, estimator};
    use crate::job::Job;
    use crate::measurement::Measured;
    use crate::models::support::Base;
    use crate::seed::Seed;
    use crate::total::Total;
    use marginalia_tables::{Codes, Domain, Schema};
    use serde_json::json;

    struct Case {
        sizes: Vec<u32>,
        columns: Vec<Vec<u16>>,
        measured: Vec<(Vec<u16>, Vec<f64>)>,
    }

    impl Case {
        fn estimate(&self, tolerance: f64) -> Estimate {
            let domain = Domain::new(self.sizes.clone());
            let column = |(codes, size): (&Vec<u16>, &u32)| {
                let mut column = Codes::new(*size as usize);
                column.extend(codes).unwrap();
                column
            };
            let columns = self.columns.iter().zip(&self.sizes).map(column).collect();
            let base = Arc::new(Base::new(domain.clone(), columns, None).unwrap());
            let schema = Arc::new(Schema::of_domain(&domain).unwrap());
            let measured = self.measured.iter().map(|(clique, answers)| Measured {
                clique: clique.clone(),
                query: Query::Identity,
                answers: answers.clone(),
                variance: 1.0,
                law: Law::Gaussian,
            });
            let total = Total::known(1.0).unwrap();
            let request = Request::new(schema, Some(base), measured.collect(), total);
            let minimax = estimator(PLAIN, "minimax", &json!({ "tolerance": tolerance })).unwrap();
            minimax.begin(request).unwrap().complete().unwrap()
        }

        /// The largest distance of a distribution on the rows, by the definition.
        fn error(&self, q: &[f64]) -> f64 {
            let of_row = |clique: &[u16], row: usize| {
                let step = |cell, a: &u16| {
                    let a = usize::from(*a);
                    cell * self.sizes[a] as usize + usize::from(self.columns[a][row])
                };
                clique.iter().fold(0, step)
            };
            let mut most = 0.0f64;
            for (clique, answers) in &self.measured {
                for (cell, answer) in answers.iter().enumerate() {
                    let rows = (0..q.len()).filter(|row| of_row(clique, *row) == cell);
                    most = most.max((answer - rows.map(|row| q[row]).sum::<f64>()).abs());
                }
            }
            most
        }
    }

    fn certificate(estimate: &Estimate) -> (f64, f64, f64, Vec<Binding>) {
        match estimate.certificate.clone() {
            Certificate::Minimax { error, bound, start, proof } => (error, bound, start, proof),
            other => panic!("{other:?}"),
        }
    }

    /// Rows (0, 0), (0, 1), (1, 0); wanted are halves of `a`, and all of `b` at 1. With (0, 1) at x the misses are x − ½ and
    /// 1 − x: a quarter at x = ¾, and no x does better.
    #[test]
    fn the_least_is_known_where_it_can_be_worked_out_by_hand() {
        let columns = vec![vec![0, 0, 1], vec![0, 1, 0]];
        let measured = vec![(vec![0], vec![0.5, 0.5]), (vec![1], vec![0.0, 1.0])];
        let found = Case { sizes: vec![2, 2], columns, measured }.estimate(1e-9);
        let (error, bound, start, proof) = certificate(&found);
        assert_eq!(found.status, Status::Converged);
        assert!(error - 0.25 < 1e-9 && 0.25 - bound < 1e-9 && bound <= 0.25 + 1e-15, "{error} {bound}");
        assert!((start - 2.0 / 3.0).abs() < 1e-15);
        let weight: f64 = proof.iter().map(|one| one.weight.abs()).sum();
        assert!((weight - 1.0).abs() < 1e-6 && proof.len() <= 4);
    }

    #[test]
    fn a_cell_without_a_row_is_missed_by_all_that_is_there() {
        let measured = vec![(vec![0], vec![0.4, 0.35, 0.25])];
        let found = Case { sizes: vec![3], columns: vec![vec![0, 2]], measured }.estimate(1e-9);
        let (error, bound, _, proof) = certificate(&found);
        assert_eq!((error, bound), (0.35, 0.35));
        let wanted = Binding { measurement: 0, cell: 1, weight: 1.0, answer: 0.35, model: 0.0 };
        assert_eq!((proof, found.missing[0].answers), (vec![wanted], 1));
    }

    #[test]
    fn no_distribution_is_nearer_than_the_bound_and_the_model_is_as_near_as_it_says() {
        let mut seed = Seed::new(11);
        for instance in 0..40 {
            let mut below = |n: usize| (seed.uniform() * n as f64) as usize;
            let sizes: Vec<u32> = (0..3).map(|_| 2 + below(3) as u32).collect();
            let rows = 2 + below(6);
            let columns: Vec<Vec<u16>> =
                sizes.iter().map(|size| (0..rows).map(|_| below(*size as usize) as u16).collect()).collect();
            let cliques = [vec![0, 1], vec![1, 2], vec![2]];
            let mut answers = |clique: &[u16]| {
                let cells = clique.iter().map(|a| sizes[usize::from(*a)] as usize).product::<usize>();
                (0..cells).map(|_| 2.0 * seed.uniform() / cells as f64 - 0.05).collect()
            };
            let measured = cliques.iter().map(|clique| (clique.clone(), answers(clique))).collect();
            let case = Case { sizes, columns, measured };
            let found = case.estimate(1e-8);
            let (error, bound, start, proof) = certificate(&found);
            assert!(found.status == Status::Converged && error - bound <= 1e-8 && error <= start + 1e-15);
            let model = crate::models::narrowed::<SupportModel>(&found.model).unwrap();
            let q = model.distribution().weights().unwrap();
            assert!((case.error(q) - error).abs() < 1e-12, "{instance}: {} {error}", case.error(q));
            assert!(!proof.is_empty());
            for _ in 0..300 {
                // Near to the best, where it would be missed first.
                let mut other: Vec<f64> = q.iter().map(|q| q * (1.0 + seed.uniform()) + 1e-9).collect();
                let all: f64 = other.iter().sum();
                other.iter_mut().for_each(|one| *one /= all);
                assert!(case.error(&other) >= bound - 1e-12, "{instance}");
            }
        }
    }
}
