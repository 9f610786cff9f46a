//! What public counts of groups do to their priors.

use crate::common::*;
use marginalia_estimate::hierarchy::{
    Level, Local, Prior, Released, Setup, State, TotalRule, between, hierarchy, resumed,
};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::models::support::Index;
use marginalia_tables::Code;
use std::sync::Arc;

const WORTH: f64 = 30.0;

fn counts(clique: &[u16], answers: &[f64]) -> Measurement {
    Measurement { clique: clique.to_vec(), answers: answers.to_vec(), variance: 1.0 }
}

/// Of pumas age × puma, in which the second has nobody; of states nothing.
fn public() -> Vec<Vec<Measurement>> {
    let ages = [[6.0, 11.0, 3.0], [0.0, 0.0, 0.0], [2.0, 0.0, 9.0]];
    let flat: Vec<f64> = (0..3).flat_map(|age| ages.map(|of| of[age])).collect();
    vec![Vec::new(), vec![counts(&[2, 1], &flat)]]
}

fn index() -> Arc<Index> {
    Index::over(base(), vec![vec![1]], 1 << 20).unwrap().complete().unwrap()
}

/// Measured is what `levels` says of each; priors of pumas are moved by public counts.
fn with_local(cliques: [Vec<Vec<u16>>; 2]) -> Arc<Setup> {
    let base = base();
    let [states, pumas] = cliques;
    let level = |cliques| Level::new(&base, cliques, calibrated(), 1 << 20).unwrap();
    let levels = vec![level(states), level(pumas)];
    let setup = Setup::new(two_levels(), Prior::new(Arc::clone(&base), 40.0), levels, 5).unwrap();
    let local = Local::new(two_levels(), index(), public(), vec![WORTH; 2]).unwrap();
    Arc::new(setup.with_local(local).unwrap())
}

fn masses(weights: &[f64], clique: &[u16], cells: usize) -> Vec<f64> {
    let mut masses = vec![0.0; cells];
    ROWS.iter().zip(weights).for_each(|(row, q)| masses[cell(row, clique)] += q);
    masses
}

fn only_counts() -> Arc<Released> {
    let list = vec![vec![counts(&[3], &[30.0, 12.0])], vec![counts(&[1], &[14.0, 11.0, 17.0])]];
    released(list, TotalRule::Combined)
}

#[test]
fn the_worth_of_a_parent_is_what_pearsons_statistic_says() {
    let plan = two_levels();
    // Pumas 0 and 2 are of one state: (60, 40) and (40, 60) of sex. The other is alone and says nothing.
    let sexes = counts(&[1, 0], &[60.0, 40.0, 5.0, 70.0, 40.0, 60.0]);
    let worth = between(&plan, &[Vec::new(), vec![sexes]]).unwrap();
    near(&[worth[1]], &[99.0 / 7.0 - 1.0], 1e-12);
    assert_eq!(worth[0], 1e9);
    let alike = counts(&[1, 0], &[60.0, 40.0, 0.0, 0.0, 30.0, 20.0]);
    assert_eq!(between(&plan, &[Vec::new(), vec![alike]]).unwrap(), [1e9, 1e9]);
    let apart = counts(&[1, 0], &[60.0, 0.0, 0.0, 0.0, 0.0, 50.0]);
    assert_eq!(between(&plan, &[Vec::new(), vec![apart]]).unwrap(), [1e9, 1.0]);
}

#[test]
fn without_private_answers_a_group_is_its_public_fit() {
    let setup = with_local([Vec::new(), Vec::new()]);
    let states = run(&setup, only_counts());
    let p: Vec<f64> = WEIGHTS.iter().map(|w| w / 40.0).collect();
    near(&weights(&setup, &states, 0), &p, 1e-15);
    let prior = masses(&p, &[1], 3);
    for (group, y) in [(1, [6.0, 11.0, 3.0]), (2, [2.0, 0.0, 9.0])] {
        let q = weights(&setup, &states, group);
        let fitted = masses(&q, &[1], 3);
        let n: f64 = y.iter().sum();
        // Where Σ (n m − y)²/(2 max(y, ½)) + ν KL is least, ln(m/p) + n (n m − y)/(max(y, ½) ν) is the same everywhere.
        let level: Vec<f64> = (0..3)
            .map(|i| (fitted[i] / prior[i]).ln() + n * (n * fitted[i] - y[i]) / (y[i].max(0.5) * WORTH))
            .collect();
        near(&level, &[level[0]; 3], 0.02);
        // Within a cell rows keep their shares.
        for (row, q) in ROWS.iter().zip(&q) {
            let at = cell(row, &[1]);
            let share = p[ROWS.iter().position(|other| other == row).unwrap()] / prior[at];
            near(&[q / fitted[at]], &[share], 1e-12);
        }
        assert!(states[group].as_ref().unwrap().tilt().is_some());
    }
    // Nobody was seen in puma 1: it is as its state.
    near(&weights(&setup, &states, 4), &p, 1e-15);
}

#[test]
fn a_group_moves_from_what_its_parent_became() {
    let setup = with_local([vec![vec![0, 1], vec![2]], vec![vec![1]]]);
    let states = run(&setup, released(measured(3, 40.0), TotalRule::Combined));
    let bare = with_local([vec![vec![0, 1], vec![2]], Vec::new()]);
    let mut levels = measured(3, 40.0);
    levels[1].truncate(1);
    let before = run(&bare, released(levels, TotalRule::Combined));
    let (index, parent) = (index(), weights(&setup, &states, 0));
    near(&parent, &weights(&bare, &before, 0), 1e-12);
    for group in [1, 2] {
        let state = before[group].as_ref().unwrap();
        let mut t = vec![0.0; 8];
        index.gather(state.tilt().unwrap(), &mut t);
        let moved: Vec<f64> = parent.iter().zip(&t).map(|(q, t)| q * t.exp()).collect();
        let all: f64 = moved.iter().sum();
        let moved: Vec<f64> = moved.iter().map(|q| q / all).collect();
        near(&weights(&bare, &before, group), &moved, 1e-12);
        // The private answers are balanced against that.
        let state = states[group].as_ref().unwrap();
        let mut t = vec![0.0; 8];
        setup.levels()[1].index().gather(state.potentials().unwrap(), &mut t);
        let fitted: Vec<f64> = moved.iter().zip(&t).map(|(q, t)| q * t.exp()).collect();
        let all: f64 = fitted.iter().sum();
        let fitted: Vec<f64> = fitted.iter().map(|q| q / all).collect();
        near(&weights(&setup, &states, group), &fitted, 1e-12);
    }
}

#[test]
fn what_is_resumed_and_what_is_made_in_lanes_is_the_same_bits() {
    let setup = with_local([vec![vec![0, 1], vec![2]], vec![vec![1]]]);
    let source = released(measured(8, 40.0), TotalRule::Combined);
    let all = run(&setup, source.clone());
    let bits = |states: &[Option<Arc<State>>], group: usize| -> Vec<u64> {
        weights(&setup, states, group).iter().map(|q| q.to_bits()).collect()
    };
    let some: Vec<_> = all.iter().enumerate().map(|(i, one)| one.clone().filter(|_| i < 2)).collect();
    let resumed = resumed(Arc::clone(&setup), source.clone(), 1, some).unwrap().complete().unwrap();
    let lanes = hierarchy(Arc::clone(&setup), source, 2).unwrap().complete().unwrap();
    for group in 0..5 {
        assert_eq!(bits(&all, group), bits(&resumed, group));
        assert_eq!(bits(&all, group), bits(&lanes, group));
    }
}

#[test]
fn counts_that_do_not_fit_are_refused() {
    let plan = two_levels;
    let wrong = |counts, between| Local::new(plan(), index(), counts, between).unwrap_err().code;
    assert_eq!(wrong(vec![Vec::new()], vec![1.0; 2]), Code::OptionInvalid);
    assert_eq!(wrong(public(), vec![1.0]), Code::OptionInvalid);
    assert_eq!(wrong(public(), vec![1.0, 0.0]), Code::OptionInvalid);
    let mut twice = public();
    let again = twice[1][0].clone();
    twice[1].push(again);
    assert_eq!(wrong(twice, vec![1.0; 2]), Code::OptionInvalid);
    assert_eq!(calibrated().name(), "calibrated", "the tests above are of calibrated estimates");
}
