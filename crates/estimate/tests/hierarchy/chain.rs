//! The plan, and calibrated estimates against a dense calculation.

use crate::common::*;
use marginalia_estimate::hierarchy::{
    GroupEstimation, HierarchyPlan, Level, Prior, Released, Setup, Source, TotalRule, hierarchy, prior_below,
    resumed, slice, without,
};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::models::support::Base;
use marginalia_estimate::seed::Seed;
use marginalia_tables::{Code, Domain};
use std::sync::Arc;

#[test]
fn groups_are_the_declared_keys_each_after_its_parent() {
    let two = two_levels();
    let groups: Vec<_> = two.groups().iter().map(|group| (group.level, group.key, group.parent)).collect();
    assert_eq!(groups, [(0, 0, None), (1, 0, Some(0)), (1, 2, Some(0)), (0, 1, None), (1, 1, Some(3))]);
    assert_eq!(two.rest(), [0, 2, 4]);
    assert_eq!(two.path(2), [0, 2]);
    assert_eq!(two.code(&two.groups()[4], 3), Some(1));
    assert_eq!(two.code(&two.groups()[0], 1), None);
    // Nation, state, puma × work; the state may also be named beside the puma.
    let three = plan(&[&[], &[3], &[3, 1, 4]]);
    assert_eq!(three.groups().len(), 1 + 2 + 6);
    assert_eq!(three.of_level(2).count(), 6);
    assert!(three.of_level(2).all(|at| {
        let group = &three.groups()[at];
        three.code(group, 3) == three.code(group, 1).map(|puma| STATE_OF[usize::from(puma)])
    }));
}

#[test]
fn what_is_no_chain_is_refused() {
    let refused = |levels: &[&[u16]]| {
        let levels = levels.iter().map(|level| level.to_vec()).collect();
        HierarchyPlan::new(Domain::new(SIZES), levels, Vec::new()).unwrap_err().code
    };
    assert_eq!(refused(&[]), Code::OptionInvalid);
    assert_eq!(refused(&[&[3], &[1]]), Code::OptionInvalid);
    assert_eq!(refused(&[&[1, 1]]), Code::OptionInvalid);
    assert_eq!(refused(&[&[7]]), Code::AttributeUnknown);
    let wide = HierarchyPlan::new(Domain::new([60_000, 60_000]), vec![vec![0, 1]], Vec::new());
    assert_eq!(wide.unwrap_err().code, Code::ModelTooLarge);
}

#[test]
fn a_slice_is_the_cells_of_the_group() {
    let plan = two_levels();
    let clique = vec![4u16, 1, 0];
    let answers: Vec<f64> = (0..12).map(f64::from).collect();
    let measurement = Measurement { clique, answers, variance: 2.5 };
    // Puma 2: cells (work, 2, sex), of the shared attributes (2, 0).
    let of = slice(&plan, &plan.groups()[2], &measurement).unwrap();
    assert_eq!(of, Measurement { clique: vec![2, 0], answers: vec![4.0, 5.0, 10.0, 11.0], variance: 2.5 });
    // A state is several pumas, and a clique of sex alone is of no puma.
    assert_eq!(slice(&plan, &plan.groups()[0], &measurement).unwrap_err().code, Code::OptionInvalid);
    let sex = Measurement { clique: vec![0], answers: vec![1.0, 2.0], variance: 1.0 };
    assert_eq!(slice(&plan, &plan.groups()[2], &sex).unwrap_err().code, Code::OptionInvalid);
}

#[test]
fn shared_rows_are_distinct_and_carry_all_weight() {
    let plan = two_levels();
    let rows: [[u16; 5]; 5] =
        [[1, 0, 2, 0, 1], [0, 1, 0, 1, 0], [1, 2, 2, 0, 1], [0, 1, 0, 1, 1], [1, 1, 2, 1, 1]];
    let columns: Vec<_> =
        (0..5).map(|a| column(SIZES[a], &rows.iter().map(|row| row[a]).collect::<Vec<_>>())).collect();
    let base = without(&plan, &columns, Some(&[1.0, 2.0, 4.0, 8.0, 16.0])).unwrap();
    let row = |at: usize| base.columns().iter().map(|column| column.get(at)).collect::<Vec<_>>();
    assert_eq!([row(0), row(1), row(2)], [[0, 0, 0], [0, 0, 1], [1, 2, 1]]);
    near(base.prior(), &[2.0 / 31.0, 8.0 / 31.0, 21.0 / 31.0], 1e-15);
    assert!(without(&plan, &columns[1..], None).is_err());
}

/// Minimises `Σ n²/(2σ²)‖M q − y‖² + n₀ KL(q‖p)` by sweeps over single potentials with a bisection each: slow, and
/// nothing of the estimator's.
fn dense(p: &[f64], tables: &[(Vec<u16>, Vec<f64>, f64)], n: f64, n0: f64) -> Vec<f64> {
    let mut u: Vec<Vec<f64>> = tables.iter().map(|table| vec![0.0; table.1.len()]).collect();
    let weights = |u: &[Vec<f64>]| {
        let t = |row: &[u16; 3]| -> f64 { tables.iter().zip(u).map(|(t, u)| u[cell(row, &t.0)]).sum() };
        let q: Vec<f64> = ROWS.iter().zip(p).map(|(row, p)| p * t(row).exp()).collect();
        let all: f64 = q.iter().sum();
        q.iter().map(|q| q / all).collect::<Vec<f64>>()
    };
    for _ in 0..400 {
        for (i, (clique, answers, variance)) in tables.iter().enumerate() {
            let lambda = n * n / (variance * n0);
            for (c, answer) in answers.iter().enumerate() {
                let slope = |u: &[Vec<f64>]| {
                    let m: f64 = ROWS
                        .iter()
                        .zip(weights(u))
                        .filter(|(row, _)| cell(row, clique) == c)
                        .map(|(_, q)| q)
                        .sum();
                    answer / n - m - u[i][c] / lambda
                };
                if !ROWS.iter().any(|row| cell(row, clique) == c) {
                    continue;
                }
                let (mut low, mut high) = (-60.0, 60.0);
                for _ in 0..60 {
                    u[i][c] = 0.5 * (low + high);
                    if slope(&u) > 0.0 { low = u[i][c] } else { high = u[i][c] }
                }
            }
        }
    }
    weights(&u)
}

#[test]
fn calibrated_estimates_of_a_chain_are_those_of_a_dense_calculation() {
    let setup = setup([calibrated(), calibrated()], 1);
    let levels = measured(3, 40.0);
    let states = run(&setup, released(levels.clone(), TotalRule::Combined));
    let p: Vec<f64> = WEIGHTS.iter().map(|w| w / 40.0).collect();
    for (state, pumas) in [(0usize, &[0usize, 2][..]), (1, &[1])] {
        let at = |a: &[f64], sizes: [usize; 3], axis: usize, code: usize| -> Vec<f64> {
            let place = |i: usize| [i / (sizes[1] * sizes[2]), i / sizes[2] % sizes[1], i % sizes[2]];
            (0..a.len()).filter(|i| place(*i)[axis] == code).map(|i| a[i]).collect()
        };
        let total = |tables: &[(Vec<u16>, Vec<f64>, f64)], count: f64| {
            let mut sums: Vec<(f64, f64)> =
                tables.iter().map(|t| (t.1.iter().sum(), t.2 * t.1.len() as f64)).collect();
            sums.push((count, 8.0));
            let precision: f64 = sums.iter().map(|s| 1.0 / s.1).sum();
            (sums.iter().map(|s| s.0 / s.1).sum::<f64>() / precision).max(1.0)
        };
        let tables = [
            (vec![0, 1], at(&levels[0][1].answers, [2, 2, 3], 1, state), 3.0),
            (vec![2], at(&levels[0][2].answers, [1, 2, 2], 2, state), 2.0),
        ];
        let n = total(&tables, levels[0][0].answers[state]);
        let n0 = 40.0 * n / (40.0 + n);
        let parent = dense(&p, &tables, n, n0);
        let place = if state == 0 { 0 } else { 3 };
        near(&weights(&setup, &states, place), &parent, 1e-6);
        for (i, puma) in pumas.iter().enumerate() {
            let tables = [(vec![1], at(&levels[1][1].answers, [1, 3, 3], 2, *puma), 4.0)];
            let n_g = total(&tables, levels[1][0].answers[*puma]);
            let worth = n0 + n;
            let q = dense(&parent, &tables, n_g, worth * n_g / (worth + n_g));
            near(&weights(&setup, &states, place + 1 + i), &q, 1e-6);
        }
    }
}

#[test]
fn a_group_carried_out_anywhere_is_the_same() {
    for estimators in [[calibrated(), calibrated()], [paper(2), paper(1)]] {
        let setup = setup(estimators, 1);
        let source = released(measured(3, 40.0), TotalRule::Combined);
        let states = run(&setup, Arc::clone(&source) as Arc<dyn Source>);
        // From the state of the parent alone, a row at a time.
        let path = prior_below(Arc::clone(&setup), &states[..1], 0).unwrap();
        let prior: Arc<Prior> = Arc::new(path.complete().unwrap());
        let task = Arc::new(source.task(2).unwrap());
        let group = GroupEstimation::new(&setup.levels()[1], prior, task, setup.seed(2)).unwrap();
        let mut job = group.steps();
        while !job.step(1).over {}
        let outcome = job.complete().unwrap();
        assert_eq!(outcome.model.weights().unwrap(), weights(&setup, &states, 2));
    }
}

#[test]
fn any_order_and_number_of_lanes_gives_the_same_bits() {
    for estimators in [[calibrated(), calibrated()], [paper(2), paper(1)]] {
        let setup = setup(estimators, 7);
        let source: Arc<dyn Source> = released(measured(5, 60.0), TotalRule::Combined);
        let expected = run(&setup, Arc::clone(&source));
        let bits = |states: &[Option<Arc<_>>]| -> Vec<Vec<u64>> {
            (0..5).map(|at| weights(&setup, states, at).iter().map(|q| q.to_bits()).collect()).collect()
        };
        let expected_bits = bits(&expected);
        for lanes in [1, 2, 3, 8] {
            for work in [1, 100, u64::MAX] {
                let mut job = hierarchy(Arc::clone(&setup), Arc::clone(&source), lanes).unwrap();
                let mut seen = Vec::new();
                while !job.step(work).over {
                    seen.extend(job.take().iter().map(|finished| finished.group));
                }
                seen.extend(job.take().iter().map(|finished| finished.group));
                seen.sort_unstable();
                assert_eq!(seen, [0, 1, 2, 3, 4]);
                assert_eq!(job.step(1).done, 5);
                assert_eq!(bits(&job.states()), expected_bits);
            }
        }
        // Resumed from any part that has the parents of what it has.
        for have in [&[][..], &[0], &[3], &[0, 2, 3]] {
            let states = (0..5).map(|at| expected[at].clone().filter(|_| have.contains(&at))).collect();
            let job = resumed(Arc::clone(&setup), Arc::clone(&source), 2, states).unwrap();
            assert_eq!(bits(&job.complete().unwrap()), expected_bits);
        }
        // Another seed is another order of steps, and the order of the plan has no part in it.
        assert_ne!(setup.seed(0), setup.seed(3));
    }
}

#[test]
fn a_state_is_a_number_for_each_cell_and_no_row() {
    let setup = setup([calibrated(), calibrated()], 1);
    let states = run(&setup, released(measured(3, 40.0), TotalRule::Combined));
    let state = |at: usize| states[at].as_ref().unwrap();
    assert_eq!(state(1).potentials().unwrap().len(), 3);
    assert_eq!(state(0).bytes() - state(1).bytes(), 8 * (6 + 2 - 3));
}

#[test]
fn sources_that_do_not_fit_are_refused() {
    let plan = two_levels();
    assert!(Released::new(Arc::clone(&plan), vec![Vec::new()], TotalRule::Combined).is_err());
    let setup = setup([calibrated(), calibrated()], 1);
    // No measurement says how many records there are.
    let source = released(vec![Vec::new(), Vec::new()], TotalRule::Count);
    let mut job = hierarchy(Arc::clone(&setup), source, 2).unwrap();
    while !job.step(1).over {}
    assert!(job.step(1).over);
    assert_eq!(job.complete().unwrap_err().code, Code::OptionInvalid);
    assert!(hierarchy(setup, Arc::new(Vec::new()), 0).is_err());
}

/// Rows of several chunks, so that with threads one lane shares them among all, and several lanes do not.
#[test]
fn threads_across_groups_or_within_one_give_the_same_bits() {
    let mut seed = Seed::new(4);
    let columns = [2, 3, 2].map(|size| {
        let codes: Vec<u16> = (0..40_000).map(|_| seed.below(u64::from(size)) as u16).collect();
        column(size, &codes)
    });
    let weights: Vec<f64> = (0..40_000).map(|_| seed.uniform() + 0.01).collect();
    let base = Arc::new(Base::new(Domain::new([2, 3, 2]), columns.to_vec(), Some(&weights)).unwrap());
    for [state, puma] in [[calibrated(), calibrated()], [paper(2), paper(1)]] {
        let levels = vec![
            Level::new(&base, vec![vec![0, 1], vec![2]], state, 1 << 22).unwrap(),
            Level::new(&base, vec![vec![1]], puma, 1 << 22).unwrap(),
        ];
        let setup = Setup::new(two_levels(), Prior::new(Arc::clone(&base), 4e4), levels, 9).unwrap();
        let setup = Arc::new(setup);
        let source: Arc<dyn Source> = released(measured(5, 9e3), TotalRule::Combined);
        let expected = run(&setup, Arc::clone(&source));
        let mut job = hierarchy(Arc::clone(&setup), source, 3).unwrap();
        while !job.step(100_000).over {}
        for at in 0..5 {
            assert_eq!(
                crate::common::weights(&setup, &job.states(), at),
                crate::common::weights(&setup, &expected, at)
            );
        }
    }
}

#[test]
fn groups_that_are_streamed_are_not_kept() {
    let setup = setup([calibrated(), paper(1)], 7);
    let source: Arc<dyn Source> = released(measured(5, 60.0), TotalRule::Combined);
    let expected = run(&setup, Arc::clone(&source));
    let mut job = hierarchy(Arc::clone(&setup), source, 2).unwrap().streaming();
    let mut all = vec![None; 5];
    while !job.step(100).over {
        job.take().into_iter().for_each(|one| all[one.group] = Some(one.state));
    }
    job.take().into_iter().for_each(|one| all[one.group] = Some(one.state));
    let kept: Vec<bool> = job.states().iter().map(Option::is_some).collect();
    assert_eq!(kept, [true, false, false, true, false]);
    for at in 0..5 {
        assert_eq!(crate::common::weights(&setup, &all, at), crate::common::weights(&setup, &expected, at));
    }
}
