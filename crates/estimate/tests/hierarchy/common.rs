//! A chain of two levels over three groups, and eight shared rows.

use marginalia_estimate::estimators::calibrated::CalibratedEstimator;
use marginalia_estimate::estimators::iterative;
use marginalia_estimate::hierarchy::{
    Derived, GroupEstimator, HierarchyPlan, Level, Prior, Released, Setup, Source, State, Strength,
    TotalRule, hierarchy,
};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::models::support::Base;
use marginalia_estimate::seed::Seed;
use marginalia_tables::{Codes, Domain};
use std::sync::Arc;

/// Attributes: sex, puma, age, state (of puma), work.
pub const SIZES: [u32; 5] = [2, 3, 3, 2, 2];
pub const STATE_OF: [u16; 3] = [0, 1, 0];

pub const ROWS: [[u16; 3]; 8] =
    [[0, 0, 0], [0, 1, 1], [0, 2, 1], [1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 2, 0], [1, 2, 1]];
pub const WEIGHTS: [f64; 8] = [5.0, 9.0, 2.0, 6.0, 4.0, 7.0, 1.0, 6.0];

pub fn column(size: u32, codes: &[u16]) -> Codes {
    let mut column = Codes::new(size as usize);
    column.extend(codes).unwrap();
    column
}

pub fn plan(levels: &[&[u16]]) -> Arc<HierarchyPlan> {
    let derived = Derived { attribute: 3, from: 1, codes: STATE_OF.to_vec() };
    let levels = levels.iter().map(|level| level.to_vec()).collect();
    Arc::new(HierarchyPlan::new(Domain::new(SIZES), levels, vec![derived]).unwrap())
}

pub fn two_levels() -> Arc<HierarchyPlan> {
    plan(&[&[3], &[1]])
}

/// The shared rows: sex, age, work.
pub fn base() -> Arc<Base> {
    let sizes = [2, 3, 2];
    let columns =
        (0..3).map(|a| column(sizes[a], &ROWS.iter().map(|row| row[a]).collect::<Vec<_>>())).collect();
    Arc::new(Base::new(Domain::new(sizes), columns, Some(&WEIGHTS)).unwrap())
}

pub fn calibrated() -> GroupEstimator {
    let options = CalibratedEstimator { tolerance: 1e-12, ..CalibratedEstimator::default() };
    GroupEstimator::calibrated(options, Strength::Harmonic { most: f64::INFINITY })
}

pub fn paper(workloads: usize) -> GroupEstimator {
    GroupEstimator::iterative(iterative::Options::paper(workloads))
}

/// Cliques of the shared rows: of states sex × age and work, of pumas age.
pub fn setup(estimators: [GroupEstimator; 2], seed: u64) -> Arc<Setup> {
    let base = base();
    let [state, puma] = estimators;
    let levels = vec![
        Level::new(&base, vec![vec![0, 1], vec![2]], state, 1 << 20).unwrap(),
        Level::new(&base, vec![vec![1]], puma, 1 << 20).unwrap(),
    ];
    Arc::new(Setup::new(two_levels(), Prior::new(base, 40.0), levels, seed).unwrap())
}

/// Noisy marginals with the group attributes among theirs: counts, (state, sex, age) in another order, (work,
/// state); counts, (age, puma).
pub fn measured(seed: u64, scale: f64) -> Vec<Vec<Measurement>> {
    let mut seed = Seed::new(seed);
    let mut one = |clique: &[u16], variance: f64| {
        let cells: u32 = clique.iter().map(|a| SIZES[usize::from(*a)]).product();
        let answers = (0..cells).map(|_| (scale * (seed.uniform() - 0.2)).round()).collect();
        Measurement { clique: clique.to_vec(), answers, variance }
    };
    vec![
        vec![one(&[3], 8.0), one(&[0, 3, 1 + 1], 3.0), one(&[4, 3], 2.0)],
        vec![one(&[1], 8.0), one(&[2, 1], 4.0)],
    ]
}

pub fn released(levels: Vec<Vec<Measurement>>, rule: TotalRule) -> Arc<Released> {
    Arc::new(Released::new(two_levels(), levels, rule).unwrap())
}

pub fn run(setup: &Arc<Setup>, source: Arc<dyn Source>) -> Vec<Option<Arc<State>>> {
    hierarchy(Arc::clone(setup), source, 1).unwrap().complete().unwrap()
}

pub fn weights(setup: &Arc<Setup>, states: &[Option<Arc<State>>], group: usize) -> Vec<f64> {
    let job = marginalia_estimate::hierarchy::weights(Arc::clone(setup), states, group).unwrap();
    job.complete().unwrap().into_weights().unwrap()
}

/// Each number within `tolerance` of the expected one.
pub fn near(numbers: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(numbers.len(), expected.len());
    for (number, expected) in numbers.iter().zip(expected) {
        assert!((number - expected).abs() <= tolerance, "{number} is not {expected}");
    }
}

/// The cell that a shared row lies in.
pub fn cell(row: &[u16; 3], clique: &[u16]) -> usize {
    clique.iter().fold(0, |cell, a| cell * [2, 3, 2][usize::from(*a)] + usize::from(row[usize::from(*a)]))
}
