//! Pooled priors and the share of them.

use crate::tables::table;
use marginalia_estimate::counts::count_on;
use marginalia_estimate::design::{Candidate, Family, Law, Noise};
use marginalia_estimate::estimators::calibrated::Options;
use marginalia_estimate::job::{Job, Steps};
use marginalia_estimate::models::support::Index;
use marginalia_estimate::priors::deny::Deny;
use marginalia_estimate::priors::dependencies::Dependencies;
use marginalia_estimate::priors::pool::{
    self, AlphaOptions, Alphas, PoolOptions, Pooled, Product, ProductOptions, best_alpha,
};
use marginalia_estimate::seed::Seed;
use marginalia_tables::{Code, Result, Schema, Table};
use std::sync::Arc;

fn options(groups: u16) -> PoolOptions {
    PoolOptions {
        group: 0,
        groups: (0..groups).collect(),
        strength: 2000.0,
        independence: 2000.0,
        cells: 1000,
        most_rows: 100_000,
        deny: Deny::default(),
        dependencies: Dependencies::default(),
        estimation: Options { passes: 500, ..Options::default() },
        seed: 1,
    }
}

fn pool(table: &Arc<Table>, options: PoolOptions, step: u64) -> Pooled {
    let mut job = pool::pool(Arc::clone(table), options).unwrap();
    while !job.step(step).over {}
    job.complete().unwrap()
}

fn product(table: &Arc<Table>, groups: &[u16], most_rows: usize) -> Result<Steps<Product>> {
    let (groups, dependencies) = (groups.to_vec(), Dependencies::default());
    let options = ProductOptions { group: 0, groups, most_rows, dependencies, seed: 1 };
    pool::product(Arc::clone(table), options, Deny::default())
}

/// A group of 4, which sets how the others are distributed, and 3 attributes.
fn public(rows: usize, seed: u64) -> Vec<Vec<u16>> {
    let mut seed = Seed::new(seed);
    let row = |_| {
        let group = seed.below(4) as u16;
        let shift = (seed.below(u64::from(group) + 1)) as u16;
        let a = seed.below(4 - u64::from(group) / 2) as u16;
        vec![group, (a + shift) % 4, a, seed.below(3.min(u64::from(group) + 1)) as u16]
    };
    (0..rows).map(row).collect()
}

#[test]
fn every_row_is_in_every_group() {
    let rows = public(100, 5);
    let table = table(&[4, 4, 4, 3], &rows, None);
    let mut job = product(&table, &[3, 0, 1], 100_000).unwrap();
    while !job.step(7).over {}
    let made = job.complete().unwrap();
    assert_eq!(made.groups, [0, 1, 3]);
    let mut others: Vec<&[u16]> = rows.iter().map(|row| &row[1..]).collect();
    others.sort();
    others.dedup();
    assert_eq!(made.rows.rows(), others.len() * 3);
    let codes = |row: usize| made.rows.columns().iter().map(|column| column.get(row)).collect::<Vec<u16>>();
    let in_groups = rows.iter().filter(|row| row[0] != 2).count() as f64;
    for row in 0..made.rows.rows() {
        assert_eq!(codes(row)[0], [0, 1, 3][row % 3]);
        assert_eq!(codes(row)[1..], codes(row / 3 * 3)[1..]);
        let same = rows.iter().filter(|other| **other == codes(row)).count();
        assert_eq!(made.empirical[row], same as f64);
        let x = rows.iter().filter(|other| other[1..] == codes(row)[1..]).count() as f64;
        let g = rows.iter().filter(|other| other[0] == codes(row)[0]).count() as f64;
        assert!((made.independent[row] - x * g / in_groups).abs() < 1e-12);
    }
    let code =
        |groups: &[u16], most| product(&table, groups, most).and_then(Job::complete).err().map(|e| e.code);
    assert_eq!(code(&[0, 1], 50), Some(Code::ModelTooLarge));
    assert_eq!(code(&[4], 100_000), Some(Code::AttributeUnknown));
    assert_eq!(code(&[], 100_000), Some(Code::AttributeUnknown));
}

/// The pairs of the group are those of the public table; whatever else differs between groups is pooled.
#[test]
fn pooled_weights_keep_the_pairs_of_the_group() {
    let table = table(&[4, 4, 4, 3], &public(2000, 5), None);
    let pooled = pool(&table, options(4), 1000);
    let again = pool(&table, options(4), u64::MAX);
    assert_eq!((&pooled.pooled, &pooled.empirical), (&again.pooled, &again.empirical));
    let cliques: Vec<Vec<u16>> = (1..4).map(|a| vec![0, a]).chain([vec![0, 1, 2]]).collect();
    let lists: Vec<&[u16]> = cliques.iter().map(Vec::as_slice).collect();
    let index = Index::new(&table.domain(), pooled.rows.columns(), &lists).unwrap();
    let (truth, _) = count_on(&index, &cliques, &table, &[1.0 / 2000.0; 2000]);
    let distances = |weights: &[f64]| {
        let mut m = vec![0.0; index.cells()];
        index.scatter(weights, &mut m);
        let of = |cells: std::ops::Range<usize>| cells.map(|i| (m[i] - truth[i]).abs()).sum::<f64>();
        index.marginals().iter().map(|marginal| of(marginal.cells.clone())).collect::<Vec<f64>>()
    };
    assert!(distances(&pooled.empirical).iter().all(|distance| *distance < 1e-12));
    let independent = product(&table, &[0, 1, 2, 3], 1000).unwrap().complete().unwrap().independent;
    let before = distances(&independent.iter().map(|weight| weight / 2000.0).collect::<Vec<f64>>());
    let after = distances(&pooled.pooled);
    assert!((0..3).all(|i| after[i] < before[i]) && after[2] < 0.5 * before[2], "{before:?} {after:?}");
    let close = distances(&pool(&table, PoolOptions { independence: 1.0, ..options(4) }, 1000).pooled);
    assert!(close[..3].iter().all(|distance| *distance < 0.005), "{close:?}");
    assert!(after[3] > 0.1, "{after:?}");
    let mixed = pooled.mix(0.25).unwrap();
    assert!((mixed.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert!(
        mixed
            .iter()
            .zip(&pooled.empirical)
            .all(|(mixed, empirical)| *mixed > 0.0 && mixed - 0.75 * empirical > 0.0)
    );
}

/// A group that the public table lacks has rows all the same, with little weight.
#[test]
fn groups_without_public_rows_have_rows() {
    let rows: Vec<Vec<u16>> = public(500, 6).into_iter().filter(|row| row[0] != 2).collect();
    let table = table(&[4, 4, 4, 3], &rows, None);
    let pooled = pool(
        &table,
        PoolOptions { strength: rows.len() as f64, independence: rows.len() as f64, ..options(4) },
        1000,
    );
    let weight: f64 = (0..pooled.rows.rows()).filter(|row| row % 4 == 2).map(|row| pooled.pooled[row]).sum();
    assert!(weight > 0.0 && weight < 0.02, "{weight}");
}

/// No group gets a row from another that it cannot have.
#[test]
fn denied_rows_are_not_made_in_other_groups() {
    let table = table(&[4, 4, 4, 3], &public(500, 6), None);
    let deny = Deny::new(&table.domain(), &[vec![(0, vec![1, 3]), (2, vec![0])]]).unwrap();
    let all = pool(&table, options(4), 1000);
    let pooled = pool(&table, PoolOptions { deny: deny.clone(), ..options(4) }, 1000);
    assert!((0..pooled.rows.rows()).all(|row| !deny.denies_row(&pooled.rows, row)));
    let denied = (0..all.rows.rows()).filter(|row| deny.denies_row(&all.rows, *row)).count();
    assert!(denied > 0 && pooled.rows.rows() + denied == all.rows.rows());
    for weights in [&pooled.empirical, &pooled.pooled] {
        assert_eq!(weights.len(), pooled.rows.rows());
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn raw_numbers_are_those_of_the_row_in_any_group() {
    let json = r#"{"nulls":[],"attributes":[{"name":"g","type":"category","values":["a","b"]},
        {"name":"age","type":"integer","lows":[0,20,40,60],"max":99}]}"#;
    let mut table = Table::new(Arc::new(Schema::from_json(json).unwrap()), false, &[1]);
    let ages: Vec<f64> = (0..40).map(|i| f64::from(i * 2)).collect();
    let bins: Vec<u16> = ages.iter().map(|age| (*age / 20.0) as u16).collect();
    let groups: Vec<u16> = (0..40).map(|i| i / 30).collect();
    table.extend(&[&groups, &bins], None, &[&ages]).unwrap();
    let product = product(&Arc::new(table), &[0, 1], 100).unwrap().complete().unwrap();
    assert_eq!(product.rows.rows(), 8);
    let raw = &product.rows.raw()[0];
    for row in 0..8 {
        let age = raw.pick(row, 0).unwrap();
        assert_eq!((age / 20.0) as u16, product.rows.columns()[1].get(row));
    }
}

fn alphas(rows: &[Vec<u16>], step: u64) -> Alphas {
    let table = table(&[4, 4, 4, 3], rows, None);
    let plan =
        Candidate::new(&table.domain(), Family::GroupPairs, 0.0, vec![vec![0, 1], vec![0, 2], vec![0, 3]]);
    let options = AlphaOptions {
        pool: PoolOptions { strength: rows.len() as f64, independence: rows.len() as f64, ..options(4) },
        alphas: vec![0.02, 0.3, 0.6, 0.95],
        plan,
        noise: Noise { law: Law::Gaussian, budget: 0.05, sensitivity: 1.0 },
        expected: rows.len() as f64,
        tables: 10,
        seed: 4,
    };
    let mut job = best_alpha(&table, options).unwrap();
    loop {
        let now = job.step(step);
        assert!(now.done <= now.total);
        if now.over {
            return job.complete().unwrap();
        }
    }
}

/// Where groups differ in no more than their pairs and are small, nearly all is pooled; where they are large and differ
/// in how two attributes go together, little is.
#[test]
fn validation_finds_how_much_to_pool() {
    let mut seed = Seed::new(9);
    let small: Vec<Vec<u16>> = (0..300)
        .map(|_| {
            let a = seed.below(4) as u16;
            vec![seed.below(4) as u16, a, (a + u16::from(seed.below(3) == 0)) % 4, seed.below(3) as u16]
        })
        .collect();
    let pooled = alphas(&small, 100);
    assert_eq!(pooled, alphas(&small, u64::MAX));
    assert!(pooled.alpha >= 0.6, "{pooled:?}");
    let unlike: Vec<Vec<u16>> = (0..3000)
        .map(|_| {
            let (group, a) = (seed.below(4) as u16, seed.below(4) as u16);
            vec![group, a, (a + group) % 4, seed.below(3) as u16]
        })
        .collect();
    let apart = alphas(&unlike, u64::MAX);
    assert!(apart.alpha == 0.02 && apart.scores[0] > apart.scores[3] + 50.0, "{apart:?}");
}
