//! Groups that are empty, unknown, measured as negative, or contradict what they lie within.

use crate::common::*;
use marginalia_estimate::estimators::iterative;
use marginalia_estimate::hierarchy::{
    GroupEstimator, Level, Prior, Released, Setup, Source, Task, TotalRule, hierarchy, whole,
};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::total::Total;
use marginalia_tables::Code;
use std::sync::Arc;

/// The same answers for every cell of all measurements.
fn constant(answer: f64) -> Vec<Vec<Measurement>> {
    let mut levels = measured(1, 1.0);
    levels.iter_mut().flatten().for_each(|one| one.answers.fill(answer));
    levels
}

fn proper(q: &[f64]) {
    assert!(q.iter().all(|q| q.is_finite() && *q >= 0.0));
    assert!((q.iter().sum::<f64>() - 1.0).abs() < 1e-12);
}

#[test]
fn empty_and_negative_groups_have_a_distribution_and_no_records() {
    for estimators in [[calibrated(), calibrated()], [paper(2), paper(1)]] {
        for rule in [TotalRule::Count, TotalRule::Combined] {
            for answer in [0.0, -30.0, -1e9] {
                let setup = setup(estimators.clone(), 1);
                let states = run(&setup, released(constant(answer), rule));
                for (at, state) in states.iter().enumerate() {
                    let q = weights(&setup, &states, at);
                    proper(&q);
                    assert_eq!(whole(&state.as_ref().unwrap().total), 0);
                    if answer == 0.0 && state.as_ref().unwrap().potentials().is_none() {
                        near(&q, &WEIGHTS.map(|w| w / 40.0), 1e-12);
                    }
                }
            }
        }
    }
}

/// A state that empties all rows of an age, and a group within it that has nothing else: its rows come back as the
/// prior has them.
#[test]
fn rows_that_a_parent_emptied_come_back_where_nothing_else_is_left() {
    // Drawn at random, a few steps would leave one of two marginals out now and then.
    let sweep = iterative::Options { order: iterative::Order::Sweeps, ..iterative::Options::paper(2) };
    let setup = setup([GroupEstimator::iterative(sweep), paper(1)], 3);
    let mut levels = constant(10.0);
    // Sex × state × age: no age 2.
    levels[0][1].answers.iter_mut().skip(2).step_by(3).for_each(|answer| *answer = -5.0);
    // Age × puma: only age 2.
    levels[1][1].answers = [vec![-3.0; 6], vec![30.0; 3]].concat();
    let states = run(&setup, released(levels, TotalRule::Count));
    near(&weights(&setup, &states, 0)[2..3], &[0.0], 0.0);
    for at in [1, 2, 4] {
        let q = weights(&setup, &states, at);
        near(&q, &[0.0, 0.0, 2.0 / 9.0, 0.0, 0.0, 0.0, 1.0 / 9.0, 6.0 / 9.0], 1e-12);
    }
}

/// Potentials so large that weights underflow do not lose the group.
#[test]
fn exact_contradictions_stay_finite() {
    let setup = setup([calibrated(), calibrated()], 3);
    let mut levels = constant(1e7);
    levels.iter_mut().flatten().for_each(|one| one.variance = 1e-3);
    levels[0][1].answers.iter_mut().skip(2).step_by(3).for_each(|answer| *answer = -1e6);
    levels[1][1].answers = [vec![0.0; 6], vec![1e7; 3]].concat();
    let states = run(&setup, released(levels, TotalRule::Combined));
    (0..5).for_each(|at| proper(&weights(&setup, &states, at)));
    let q = weights(&setup, &states, 1);
    assert!(q[2] + q[6] + q[7] > 0.99, "{q:?}");
}

/// The public rows know no group at all, so every group has the estimate of its parent as its prior, and without
/// measurements of its own that is its estimate.
#[test]
fn a_group_without_tables_is_what_it_lies_within() {
    let base = base();
    let level = |cliques, estimator| Level::new(&base, cliques, estimator, 1 << 20).unwrap();
    for own in [calibrated(), paper(1)] {
        let levels = vec![level(vec![vec![1]], calibrated()), level(Vec::new(), own)];
        let prior = Prior::new(Arc::clone(&base), 40.0);
        let setup = Setup::new(two_levels(), prior, levels, 1).unwrap();
        let setup = Arc::new(setup);
        let age = Measurement { clique: vec![1], answers: vec![50.0, 1.0, 3.0], variance: 2.0 };
        let total = |value| Total { value, variance: 1.0 };
        let task = |measurements, value| Task { measurements, total: total(value) };
        let tasks = vec![
            task(vec![age.clone()], 54.0),
            task(Vec::new(), 20.0),
            task(Vec::new(), 0.0),
            task(vec![age], -4.0),
            task(Vec::new(), 9.0),
        ];
        let states = run(&setup, Arc::new(tasks));
        near(&weights(&setup, &states, 1), &weights(&setup, &states, 0), 1e-15);
        near(&weights(&setup, &states, 2), &weights(&setup, &states, 0), 1e-15);
        near(&weights(&setup, &states, 4), &weights(&setup, &states, 3), 1e-15);
    }
}

#[test]
fn cells_without_a_row_are_reported_in_records() {
    // Sex 0 × age 2 × work 0 has no row, but sex × age are all there: take work × age × sex of one level.
    let base = base();
    let estimator = calibrated();
    let level = Level::new(&base, vec![vec![0, 1, 2]], estimator, 1 << 20).unwrap();
    let prior = Prior::new(Arc::clone(&base), 40.0);
    let setup = Arc::new(Setup::new(plan(&[&[1]]), prior, vec![level], 1).unwrap());
    let answers: Vec<f64> = (0..36).map(f64::from).collect();
    let all = Measurement { clique: vec![1, 0, 2, 4], answers, variance: 1.0 };
    let source = Released::new(plan(&[&[1]]), vec![vec![all]], TotalRule::Combined).unwrap();
    assert_eq!(source.task(3).unwrap_err().code, Code::OptionInvalid);
    let mut job = hierarchy(setup, Arc::new(source), 1).unwrap();
    while !job.step(1).over {}
    let mut finished = job.take();
    finished.sort_by_key(|one| one.group);
    // Cells 1, 2, 4, 7 of 12 have no row: (0,0,1), (0,1,0), (0,2,0), (1,0,1).
    let outside: Vec<f64> = finished.iter().map(|one| one.outside[0]).collect();
    assert_eq!(outside, [14.0, 14.0 + 48.0, 14.0 + 96.0]);
}
