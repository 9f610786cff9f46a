//! Calibrated estimation as what designs and pools is given, against plain sweeps.

use crate::solver::swept;
use crate::tables::table;
use marginalia_estimate::estimators::calibrated::{Options, Task};
use marginalia_estimate::job::Job;
use marginalia_estimate::models::support::Index;
use marginalia_estimate::priors::deny::Deny;
use marginalia_estimate::priors::dependencies::Dependencies;
use marginalia_estimate::priors::pool::{PoolOptions, pool};
use marginalia_estimate::seed::Seed;
use std::sync::Arc;

fn tight() -> Options {
    Options { tolerance: 1e-12, ..Options::default() }
}

/// All pairs of 3 attributes over 60 rows, some of which have no weight; the answers are of another table.
fn task(without: usize) -> Task {
    let mut seed = Seed::new(7);
    let rows: Vec<Vec<u16>> = (0..60).map(|i| vec![i % 4, i / 4 % 3, i / 12]).collect();
    let rows = table(&[4, 3, 5], &rows, None);
    let cliques: [&[u16]; 3] = [&[0, 1], &[1, 2], &[2, 0]];
    let index = Arc::new(Index::new(&rows.domain(), rows.columns(), &cliques).unwrap());
    let answers: Vec<f64> = (0..index.cells()).map(|_| 20.0 * seed.uniform() - 2.0).collect();
    let variances = answers.iter().map(|_| 1.0 + 5.0 * seed.uniform()).collect();
    // All rows of the last codes, so that cells are without support too.
    let prior =
        (0..60).map(|row| if row + without >= 60 { 0.0 } else { 1.0 + 3.0 * seed.uniform() }).collect();
    Task { rows, prior, index, answers, variances, total: 100.0, strength: 70.0 }
}

#[test]
fn it_is_where_sweeps_lead_and_rows_without_weight_stay_so() {
    for without in [0, 14] {
        let task = task(without);
        let weights = task.clone().weights(tight()).complete().unwrap();
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(weights[60 - without..].iter().all(|weight| *weight == 0.0));
        assert!(weights[..60 - without].iter().all(|weight| *weight > 0.0));
        let only = supported(task, without);
        let sweeps = swept(only, 1e-13, 20_000);
        for (row, weight) in sweeps.iter().enumerate() {
            assert!((weight - weights[row]).abs() < 1e-6, "{row}: {weight} {}", weights[row]);
        }
    }
}

/// The same problem on the first rows alone.
fn supported(task: Task, without: usize) -> Task {
    let rows: Vec<Vec<u16>> = (0..60 - without)
        .map(|row| task.rows.columns().iter().map(|codes| codes.get(row)).collect())
        .collect();
    let rows = table(&[4, 3, 5], &rows, None);
    let cliques: Vec<&[u16]> = task.index.marginals().iter().map(|m| m.clique.as_slice()).collect();
    let index = Index::new(&rows.domain(), rows.columns(), &cliques).unwrap();
    let (mut answers, mut variances) = (Vec::new(), Vec::new());
    for (kept, all) in index.marginals().iter().zip(task.index.marginals()) {
        for place in &kept.places {
            let cell = all.cells.start + all.places.iter().position(|other| other == place).unwrap();
            answers.push(task.answers[cell]);
            variances.push(task.variances[cell]);
        }
    }
    let prior = task.prior[..60 - without].to_vec();
    Task { rows, prior, index: Arc::new(index), answers, variances, ..task }
}

#[test]
fn a_pooled_table_has_the_rows_that_the_mixture_gives_weight_to() {
    let rows: Vec<Vec<u16>> = vec![vec![0, 0], vec![0, 1], vec![1, 1], vec![1, 1]];
    let public = table(&[3, 2], &rows, None);
    let options = PoolOptions {
        group: 0,
        groups: vec![0, 1, 2],
        strength: 4.0,
        independence: 4.0,
        cells: 100,
        most_rows: 100,
        deny: Deny::default(),
        dependencies: Dependencies::default(),
        estimation: tight(),
        seed: 1,
    };
    let pooled = pool(public, options).unwrap().complete().unwrap();
    for (alpha, expected) in [(0.0, 3), (0.5, pooled.mix(0.5).unwrap().iter().filter(|w| **w > 0.0).count())]
    {
        let table = pooled.table(alpha, 8.0).unwrap();
        let weights = table.weights().unwrap().to_vec().unwrap();
        assert_eq!((table.rows(), weights.len()), (expected, expected));
        assert!((weights.iter().sum::<f64>() - 8.0).abs() < 1e-9);
        assert!(weights.iter().all(|weight| *weight > 0.0));
    }
    let empirical = pooled.table(0.0, 4.0).unwrap();
    let row = |row: usize| empirical.columns().iter().map(|codes| codes.get(row)).collect::<Vec<u16>>();
    let mut found: Vec<(Vec<u16>, u64)> =
        (0..3).map(|i| (row(i), empirical.weights().unwrap().get(i).round() as u64)).collect();
    found.sort();
    assert_eq!(found, [(vec![0, 0], 1), (vec![0, 1], 1), (vec![1, 1], 2)]);
}
