//! Answers of groups against sums over rows, and records.

use crate::common::*;
use marginalia_estimate::hierarchy::{self, TotalRule, answer, parts, whole};
use marginalia_estimate::job::Job;
use marginalia_estimate::models::support::Condition;
use marginalia_estimate::records::{Method, Totals, rounded};
use marginalia_tables::{Code, Domain, Workload};
use std::sync::Arc;

fn workload(cliques: &[&[u16]]) -> Arc<Workload> {
    Arc::new(Workload::from_cliques(Domain::new(SIZES), cliques).unwrap())
}

#[test]
fn answers_are_sums_over_the_rows_of_all_groups() {
    for estimators in [[calibrated(), calibrated()], [paper(2), paper(1)]] {
        let setup = setup(estimators, 1);
        let states = run(&setup, released(measured(3, 40.0), TotalRule::Combined));
        let cliques: [&[u16]; 7] = [&[1], &[3], &[], &[2, 1, 0], &[4, 2], &[3, 4, 1], &[0]];
        let leaves = [(1usize, 0u16), (2, 2), (4, 1)];
        for chosen in [&leaves[..], &leaves[1..2]] {
            let mut expected: Vec<Vec<f64>> = cliques
                .iter()
                .map(|clique| vec![0.0; clique.iter().map(|a| SIZES[usize::from(*a)] as usize).product()])
                .collect();
            for (at, puma) in chosen {
                let n = states[*at].as_ref().unwrap().total.value.max(0.0);
                for (row, q) in ROWS.iter().zip(weights(&setup, &states, *at)) {
                    let full = [row[0], *puma, row[1], STATE_OF[usize::from(*puma)], row[2]];
                    for (clique, answers) in cliques.iter().zip(&mut expected) {
                        let place = clique.iter().fold(0, |place, a| {
                            let a = usize::from(*a);
                            place * SIZES[a] as usize + usize::from(full[a])
                        });
                        answers[place] += n * q;
                    }
                }
            }
            let groups: Vec<usize> = chosen.iter().map(|(at, _)| *at).collect();
            if chosen.len() == 3 {
                assert_eq!(groups, setup.plan().of_level(1).collect::<Vec<_>>());
            }
            let mut job =
                answer(Arc::clone(&setup), states.clone(), groups, workload(&cliques), 1 << 20).unwrap();
            while !job.step(1).over {}
            near(&job.complete().unwrap(), &expected.concat(), 1e-10);
        }
    }
}

#[test]
fn the_part_that_meets_a_condition_is_that_of_its_rows() {
    for estimators in [[calibrated(), calibrated()], [paper(2), paper(1)]] {
        let setup = setup(estimators, 1);
        let states = run(&setup, released(measured(3, 40.0), TotalRule::Combined));
        let leaves = vec![1, 2, 4];
        let condition = vec![(2, vec![true, false, true]), (0, vec![false, true])];
        let expected: Vec<f64> = leaves
            .iter()
            .map(|at| {
                let weights = weights(&setup, &states, *at);
                let met = |row: &[u16; 3]| row[0] == 1 && row[1] != 1;
                ROWS.iter().zip(weights).filter(|(row, _)| met(row)).map(|(_, q)| q).sum()
            })
            .collect();
        let job =
            |condition: &Condition| parts(Arc::clone(&setup), states.clone(), leaves.clone(), condition);
        let mut steps = job(&condition).unwrap();
        while !steps.step(1).over {}
        let last = steps.step(1);
        assert_eq!((last.done, last.total), (3, 3));
        near(&steps.complete().unwrap(), &expected, 1e-12);
        near(&job(&Vec::new()).unwrap().complete().unwrap(), &[1.0; 3], 1e-12);
        // On what tells groups apart, and with flags for other codes.
        for wrong in [(1, vec![true; 3]), (2, vec![true; 2])] {
            assert_eq!(job(&vec![wrong]).err().map(|error| error.code), Some(Code::OptionInvalid));
        }
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let setup = setup([calibrated(), calibrated()], 1);
    let states = vec![None; 5];
    let ask = |groups: &[usize], cliques: &[&[u16]], limit: u64| {
        let job = answer(Arc::clone(&setup), states.clone(), groups.to_vec(), workload(cliques), limit);
        job.and_then(Job::complete).unwrap_err().code
    };
    // A state is no puma; a group that is not estimated; too little memory; no such group.
    assert_eq!(ask(&[0], &[&[1]], 1 << 20), Code::OptionInvalid);
    assert_eq!(ask(&[1], &[&[0]], 1 << 20), Code::OptionInvalid);
    assert_eq!(ask(&[1], &[&[0, 1, 2]], 100), Code::ModelTooLarge);
    assert_eq!(ask(&[9], &[&[0]], 1 << 20), Code::OptionInvalid);
}

#[test]
fn records_of_a_group_have_its_total() {
    let setup = setup([calibrated(), calibrated()], 1);
    let states = run(&setup, released(measured(3, 40.0), TotalRule::Combined));
    let index = setup.levels()[1].index();
    let mut blocks = Vec::new();
    let mut totals = Vec::new();
    for at in [1, 2, 4] {
        let model = hierarchy::weights(Arc::clone(&setup), &states, at).unwrap().complete().unwrap();
        let n = whole(&states[at].as_ref().unwrap().total) + 3;
        for method in [Method::Controlled, Method::Systematic, Method::Iid] {
            let of = || {
                let weights = model.weights().unwrap().to_vec();
                let job = rounded(method, weights, Totals::all(n), Arc::clone(index), setup.seed(at));
                job.complete().unwrap()
            };
            assert_eq!(of().iter().map(|n| u64::from(*n)).sum::<u64>(), n);
            assert_eq!(of(), of());
        }
        blocks.extend_from_slice(model.weights().unwrap());
        totals.push(n);
    }
    // Three groups in one rounding.
    let of_row = (0..3).flat_map(|group| [group; 8]).collect();
    let groups = Totals::groups(of_row, totals.clone()).unwrap();
    let rows = rounded(Method::Systematic, blocks, groups, Arc::clone(index), 5).complete().unwrap();
    let sums: Vec<u64> = rows.chunks(8).map(|group| group.iter().map(|n| u64::from(*n)).sum()).collect();
    assert_eq!(sums, totals);
}
