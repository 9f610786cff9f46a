//! Standard errors beside the same formulas with dense matrices.

use marginalia_estimate::errors::{Evidence, Question, Spread, errors};
use marginalia_estimate::job::{Job, Steps};
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::models::support::{Base, Condition, Distribution};
use marginalia_estimate::seed::Seed;
use marginalia_estimate::total::Total;
use marginalia_tables::query::{Matrix, Query};
use marginalia_tables::{Code, Codes, Domain};
use proptest::prelude::*;
use std::sync::Arc;

const SIZES: [u32; 3] = [3, 4, 2];

struct Problem {
    model: Arc<Distribution>,
    rows: Vec<[u16; 3]>,
    evidence: Evidence,
}

/// A model on random rows that need not be an estimate: the formulas hold at any weights.
fn problem(seed: u64, known: bool) -> Problem {
    let mut seed = Seed::new(seed);
    let mut rows: Vec<[u16; 3]> =
        (0..15).map(|_| SIZES.map(|size| seed.below(u64::from(size)) as u16)).collect();
    rows.sort_unstable();
    rows.dedup();
    let columns = (0..3).map(|a| {
        let codes: Vec<u16> = rows.iter().map(|row| row[a]).collect();
        let mut column = Codes::new(SIZES[a] as usize);
        column.extend(&codes).unwrap();
        column
    });
    let base = Arc::new(Base::new(Domain::new(SIZES), columns.collect(), None).unwrap());
    let weights = rows.iter().map(|_| 0.05 + seed.uniform()).collect();
    let model = Arc::new(Distribution::from_weights(base, weights, 200.0).unwrap());
    let mut measured = |clique: &[u16], variance: f64| {
        let cells = clique.iter().map(|a| SIZES[usize::from(*a)]).product::<u32>();
        let answers = (0..cells).map(|_| 400.0 * seed.uniform() / f64::from(cells)).collect();
        Measurement { clique: clique.to_vec(), answers, variance }
    };
    let measurements = vec![measured(&[1, 0], 9.0), measured(&[2], 30.0), measured(&[0, 2], 4.0)];
    let total = if known { Total::known(200.0) } else { Total::measured(&measurements) }.unwrap();
    Problem { model, rows, evidence: Evidence { measurements, total, strength: 50.0 } }
}

fn cell(clique: &[u16], row: &[u16; 3]) -> usize {
    clique.iter().fold(0, |cell, a| {
        let a = usize::from(*a);
        cell * SIZES[a] as usize + usize::from(row[a])
    })
}

/// `A x = b` by elimination with pivots.
fn solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|x, y| a[*x][i].abs().total_cmp(&a[*y][i].abs())).unwrap();
        a.swap(i, pivot);
        b.swap(i, pivot);
        for j in 0..n {
            if j != i {
                let factor = a[j][i] / a[i][i];
                let row = a[i].clone();
                a[j].iter_mut().zip(row).for_each(|(to, from)| *to -= factor * from);
                b[j] -= factor * b[i];
            }
        }
    }
    (0..n).map(|i| b[i] / a[i][i]).collect()
}

/// The variances of the answer to a query of rows, with every cell of every clique in its place.
fn dense(problem: &Problem, a: &[f64], met: &[f64], normalize: bool) -> Spread {
    let Problem { model, rows, evidence } = problem;
    let q = model.weights().unwrap();
    let n = evidence.total.records();
    let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    let cov = |x: &[f64], y: &[f64]| {
        let products: Vec<f64> = x.iter().zip(y).map(|(x, y)| x * y).collect();
        dot(q, &products) - dot(q, x) * dot(q, y)
    };
    let mass = dot(q, met);
    let share = dot(q, a) / mass;
    let a: Vec<f64> =
        a.iter().zip(met).map(|(a, met)| if normalize { (a - share * met) / mass } else { *a }).collect();
    // Cells with a row come first, then those without.
    let (mut inside, mut y, mut variances, mut shares) = (vec![], vec![], vec![], vec![]);
    let mut without = 0.0;
    let precision: f64 =
        evidence.measurements.iter().map(|one| 1.0 / (one.variance * one.answers.len() as f64)).sum();
    for one in &evidence.measurements {
        let weight = if evidence.total.variance > 0.0 {
            1.0 / (one.variance * one.answers.len() as f64) / precision
        } else {
            0.0
        };
        for (at, answer) in one.answers.iter().enumerate() {
            let of: Vec<f64> =
                rows.iter().map(|row| f64::from(u8::from(cell(&one.clique, row) == at))).collect();
            if of.iter().all(|row| *row == 0.0) {
                without += one.variance * weight * weight;
                continue;
            }
            inside.push(of);
            y.push(answer / n);
            variances.push(one.variance);
            shares.push(weight);
        }
    }
    let hessian = (0..y.len()).map(|i| {
        let soft = variances[i] * evidence.strength / (n * n);
        (0..y.len()).map(|j| cov(&inside[i], &inside[j]) + if i == j { soft } else { 0.0 }).collect()
    });
    let c = inside.iter().map(|of| cov(&a, of)).collect();
    let v = solve(hessian.collect(), c);
    let of_total = if normalize { 0.0 } else { dot(q, &a) } - dot(&v, &y);
    let noise: f64 = (0..v.len()).map(|i| variances[i] * (v[i] + of_total * shares[i]).powi(2)).sum();
    let noise = noise + of_total * of_total * without;
    let left: Vec<f64> = (0..rows.len())
        .map(|row| a[row] - inside.iter().zip(&v).map(|(of, v)| of[row] * v).sum::<f64>())
        .collect();
    let open = cov(&left, &left) / evidence.strength;
    if normalize { Spread { noise: noise / (n * n), open } } else { Spread { noise, open: open * n * n } }
}

fn job(
    problem: &Problem,
    questions: Vec<Question>,
    condition: &Condition,
    normalize: bool,
) -> Steps<Vec<Spread>> {
    let (model, evidence) = (Arc::clone(&problem.model), problem.evidence.clone());
    errors(model, evidence, questions, condition, normalize, u64::MAX).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn agree_with_dense_matrices(seed in 0u64..1000, known: bool, normalize: bool, part: bool, work in 1u64..500) {
        let problem = problem(seed, known);
        let condition: Condition =
            if part { vec![(1, vec![true, false, true, true]), (0, vec![true, true, false])] } else { vec![] };
        let allowed = |row: &[u16; 3]| condition.iter().all(|(a, ok)| ok[usize::from(row[usize::from(*a)])]);
        let met: Vec<f64> = problem.rows.iter().map(|row| f64::from(u8::from(allowed(row)))).collect();
        prop_assume!(met.iter().any(|met| *met > 0.0));
        let matrix = Matrix::new(4, vec![1, 1, 0, 0, 2, -1, 0, 3]).unwrap();
        let questions = vec![
            Question { clique: vec![2, 0], query: Query::Identity },
            Question { clique: vec![1], query: Query::Linear(matrix.clone()) },
        ];
        let mut job = job(&problem, questions, &condition, normalize);
        prop_assert_eq!(job.step(1).total, 8);
        while !job.step(work).over {}
        prop_assert_eq!(job.step(1).done, 8);
        let spreads = job.complete().unwrap();
        for (i, spread) in spreads.iter().enumerate() {
            let a: Vec<f64> = problem.rows.iter().zip(&met).map(|(row, met)| met * if i < 6 {
                f64::from(u8::from(cell(&[2, 0], row) == i))
            } else {
                f64::from(matrix.rows().nth(i - 6).unwrap()[usize::from(row[1])])
            }).collect();
            let expected = dense(&problem, &a, &met, normalize);
            let near = |x: f64, y: f64| (x - y).abs() <= 1e-4 * y.abs() + 1e-9;
            prop_assert!(near(spread.noise, expected.noise), "{:?} {:?}", spread, expected);
            prop_assert!(near(spread.open, expected.open), "{:?} {:?}", spread, expected);
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let problem = problem(1, true);
    let new = |evidence: Evidence, clique: Vec<u16>, condition: Condition| {
        let questions = vec![Question { clique, query: Query::Identity }];
        let model = Arc::clone(&problem.model);
        errors(model, evidence, questions, &condition, false, u64::MAX).err().map(|error| error.code)
    };
    let evidence = || problem.evidence.clone();
    assert_eq!(new(evidence(), vec![0], vec![]), None);
    assert_eq!(new(evidence(), vec![9], vec![]), Some(Code::AttributeUnknown));
    assert_eq!(new(Evidence { strength: 0.0, ..evidence() }, vec![0], vec![]), Some(Code::OptionInvalid));
    assert_eq!(new(evidence(), vec![0], vec![(0, vec![false; 3])]), Some(Code::OptionInvalid));
    let mut short = evidence();
    short.measurements[0].answers.pop();
    assert_eq!(new(short, vec![0], vec![]), Some(Code::OptionInvalid));
}
