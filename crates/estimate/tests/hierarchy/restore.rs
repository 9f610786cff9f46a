//! Groups that are kept as numbers and put together again.

use crate::common::{base, measured, two_levels};
use marginalia_estimate::estimators::calibrated::CalibratedEstimator;
use marginalia_estimate::estimators::iterative;
use marginalia_estimate::estimators::strength::GAUSSIAN;
use marginalia_estimate::hierarchy::{
    self, Figures, GroupEstimator, Hierarchy, HierarchyRequest, LevelAnswers, Restorer, Strength, TotalRule,
    estimate_groups,
};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::total::Total;
use marginalia_tables::{Code, Result};
use proptest::prelude::*;
use std::sync::Arc;

/// Public counts of sex and of age in each puma.
fn public(answers: bool) -> Vec<Measurement> {
    let cells = |count: usize| (0..count).map(|cell| (cell * 5 % 7) as f64).collect();
    let one = |clique: &[u16], count: usize| Measurement {
        clique: clique.to_vec(),
        answers: if answers { cells(count) } else { Vec::new() },
        variance: 1.0,
    };
    vec![one(&[1, 0], 6), one(&[1, 2], 9)]
}

/// The two levels of `measured`, with public counts of the finer one or without.
fn levels(seed: u64, iterative: bool, known: bool, answers: bool) -> Vec<LevelAnswers> {
    let how = CalibratedEstimator { tolerance: 1e-6, ..CalibratedEstimator::default() };
    let lists = measured(seed, 60.0).into_iter().enumerate();
    let level = |(i, measurements): (usize, Vec<Measurement>)| LevelAnswers {
        estimator: match iterative {
            true => GroupEstimator::iterative(iterative::Options::paper(measurements.len() - 1)),
            false => GroupEstimator::calibrated(how.clone(), Strength::Harmonic { most: 100.0 }),
        },
        measurements,
        public: if known && i == 1 { public(answers) } else { Vec::new() },
        between: 20.0,
    };
    lists.map(level).collect()
}

fn run(seed: u64, iterative: bool, known: bool) -> Hierarchy {
    let levels = levels(seed, iterative, known, true);
    let (rule, all, known, spread) = (TotalRule::Combined, None, Vec::new(), GAUSSIAN);
    let (agree, lanes, seed, limit) = (true, 1, 9, 1 << 20);
    let request = HierarchyRequest { levels, rule, agree, all, known, spread, lanes, seed, limit };
    estimate_groups(two_levels(), base(), 40.0, request).unwrap().complete().unwrap()
}

fn restorer(seed: u64, iterative: bool, known: bool) -> Restorer {
    let levels = levels(seed, iterative, known, false);
    let mut job = hierarchy::restorer(two_levels(), base(), 40.0, levels, 9, 1 << 20).unwrap();
    while !job.step(7).over {}
    let last = job.step(7);
    assert_eq!(last.done, last.total);
    job.complete().unwrap()
}

/// What is kept of each group.
fn kept(hierarchy: &Hierarchy) -> Vec<(Figures, Vec<f64>)> {
    let of = hierarchy.states.iter().map(|state| {
        let state = state.as_ref().unwrap();
        let figures = Figures { total: state.total, worth: state.worth, steps: state.steps() };
        (figures, state.numbers().collect())
    });
    of.collect()
}

fn weights(hierarchy: &Hierarchy, group: usize) -> Vec<u64> {
    let Hierarchy { setup, states } = hierarchy;
    let model = hierarchy::weights(Arc::clone(setup), states, group).unwrap().complete().unwrap();
    let total = model.total().to_bits();
    model.into_weights().unwrap().iter().map(|q| q.to_bits()).chain([total]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn groups_come_back_to_the_same_bits(seed in 0u64..1000, iterative: bool, known: bool) {
        let live = run(seed, iterative, known);
        let mut again = restorer(seed, iterative, known);
        let groups = kept(&live);
        let all: usize = groups.iter().map(|(_, numbers)| numbers.len()).sum();
        prop_assert_eq!(again.numbers(usize::MAX), all);
        prop_assert_eq!(all == 0, iterative && !known);
        for (figures, numbers) in &groups {
            again.push(*figures, numbers).unwrap();
        }
        let again = again.finish().unwrap();
        prop_assert_eq!(again.lengths(), live.lengths());
        for group in 0..groups.len() {
            prop_assert_eq!(weights(&again, group), weights(&live, group));
        }
        for (a, b) in kept(&again).iter().zip(&groups) {
            prop_assert_eq!((&a.1, a.0.steps, a.0.worth), (&b.1, b.0.steps, b.0.worth));
        }
    }
}

#[test]
fn what_is_no_group_is_refused() {
    let groups = kept(&run(5, false, true));
    let (figures, numbers) = groups[0].clone();
    let push =
        |figures: Figures, numbers: &[f64]| -> Result<()> { restorer(5, false, true).push(figures, numbers) };
    push(figures, &numbers).unwrap();
    let refused = |result: Result<()>| assert_eq!(result.unwrap_err().code, Code::OptionInvalid);
    refused(push(figures, &numbers[1..]));
    refused(push(figures, &[numbers.as_slice(), &[0.0]].concat()));
    for wrong in [f64::NAN, f64::INFINITY, -1e200] {
        let mut changed = numbers.clone();
        changed[1] = wrong;
        refused(push(figures, &changed));
        refused(push(Figures { total: Total { value: wrong, variance: 1.0 }, ..figures }, &numbers));
        refused(push(Figures { total: Total { value: 1.0, variance: wrong }, ..figures }, &numbers));
        refused(push(Figures { worth: wrong, ..figures }, &numbers));
    }
    refused(push(Figures { worth: 0.0, ..figures }, &numbers));
    let mut few = restorer(5, false, true);
    few.push(figures, &numbers).unwrap();
    assert_eq!(few.finish().unwrap_err().code, Code::OptionInvalid);
    let mut many = restorer(5, false, true);
    groups.iter().for_each(|(figures, numbers)| many.push(*figures, numbers).unwrap());
    refused(many.push(figures, &numbers));
}

#[test]
fn answers_that_nobody_gave_are_refused() {
    let groups = kept(&run(5, true, false));
    for wrong in [f64::NAN, 1e200] {
        let mut levels = levels(5, true, false, false);
        levels[0].measurements[1].answers[0] = wrong;
        let job = hierarchy::restorer(two_levels(), base(), 40.0, levels, 9, 1 << 20).unwrap();
        let mut again = job.complete().unwrap();
        let ends: Vec<_> =
            groups.iter().map(|(figures, numbers)| again.push(*figures, numbers).is_err()).collect();
        assert!(ends.contains(&true));
    }
    let short = levels(5, true, false, false).into_iter().take(1).collect();
    let job = hierarchy::restorer(two_levels(), base(), 40.0, short, 9, 1 << 20);
    assert_eq!(job.err().unwrap().code, Code::OptionInvalid);
}
