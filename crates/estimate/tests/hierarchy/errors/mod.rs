//! Standard errors of groups: beside those of one table, beside moving every answer, and against repeated draws.

mod coverage;
mod world;

use marginalia_estimate::deviates::normal;
use marginalia_estimate::errors::{self, Evidence, Question};
use marginalia_estimate::estimators::iterative;
use marginalia_estimate::estimators::strength::GAUSSIAN;
use marginalia_estimate::hierarchy::{
    ErrorShares, GroupErrorsRequest, GroupEstimator, Hierarchy, HierarchyPlan, HierarchyRequest,
    LevelAnswers, Strength, TotalRule, estimate_groups, weights,
};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::models::support::Condition;
use marginalia_estimate::seed::Seed;
use marginalia_tables::query::{Matrix, Query};
use marginalia_tables::{Code, Workload};
use std::sync::Arc;

use world::*;

#[test]
fn a_hierarchy_of_one_group_says_what_one_table_says() {
    let mut seed = Seed::new(5);
    let levels = vec![vec![(vec![1, 2], 9.0), (vec![3], 16.0), (vec![0, 3], 4.0)]];
    let plan = plan(&[&[]]);
    let measured = measured(&levels, &records(), || normal(&mut seed));
    for (strength, totals) in [
        (HARMONIC, AGREE),
        (Strength::Fixed(300.0), Totals { agree: false, ..AGREE }),
        (Strength::Fixed(9000.0), Totals { all: Some(2200.0), ..AGREE }),
    ] {
        let hierarchy = estimated(&plan, base(false), &measured, (strength, &totals));
        let Hierarchy { setup, states } = &hierarchy;
        let model = Arc::new(weights(Arc::clone(setup), states, 0).unwrap().complete().unwrap());
        let state = states[0].as_ref().unwrap();
        let evidence = Evidence {
            measurements: measured[0].clone(),
            total: state.total,
            strength: state.worth - state.total.records(),
        };
        let matrix = Matrix::new(4, vec![1, 1, 0, 0, 2, -1, 0, 3]).unwrap();
        let mut questions = questions(&[&[1, 2], &[3, 0], &[2]]);
        questions.push(Question { clique: vec![3], query: Query::Linear(matrix) });
        let some: Condition = vec![(1, vec![true, false, true, true]), (2, vec![true, true, false])];
        for (condition, normalize) in [(vec![], false), (vec![], true), (some.clone(), false), (some, true)] {
            let within = model.within(&condition).unwrap().unwrap();
            let workload: Vec<Vec<u16>> = questions.iter().map(|one| one.clique.clone()).collect();
            let workload = Workload::from_cliques(plan.domain().clone(), &workload).unwrap();
            let cells = Arc::new(within.clone()).answer(&Arc::new(workload), 1 << 20).unwrap();
            let (identity, last) = cells.split_at(cells.len() - 4);
            let linear = [last[0] + last[1], 2.0 * last[0] - last[1] + 3.0 * last[3]];
            let of: Vec<f64> = identity.iter().chain(&linear).map(|one| one / within.total()).collect();
            let shares = normalize.then(|| ErrorShares { records: within.total(), answers: of });
            let request = GroupErrorsRequest {
                groups: vec![0],
                questions: questions.clone(),
                condition: condition.clone(),
                shares,
            };
            let (model, evidence) = (Arc::clone(&model), evidence.clone());
            let flat = errors::errors(model, evidence, questions.clone(), &condition, normalize, 1 << 20);
            let flat = flat.unwrap().complete().unwrap();
            let found = errors(&hierarchy, &measured, &totals, request);
            assert_eq!(found.len(), flat.len());
            for (found, flat) in found.iter().zip(&flat) {
                let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-3 || a.max(b) < 1e-9;
                assert!(near(found.noise, flat.noise), "{found:?} {flat:?}");
                assert!(near(found.open, flat.open), "{found:?} {flat:?}");
            }
        }
    }
}

/// The root of the sum of the squares by which answers move with every measured value.
fn moved(
    (plan, measured): (&Arc<HierarchyPlan>, &[Vec<Measurement>]),
    how: (Strength, &Totals),
    answers: impl Fn(&Hierarchy) -> Vec<f64>,
) -> Vec<f64> {
    let step = 1e-2;
    let mut squares: Vec<f64> = Vec::new();
    for (i, level) in measured.iter().enumerate() {
        for (j, one) in level.iter().enumerate() {
            for cell in 0..one.answers.len() {
                let at = |by: f64| {
                    let mut changed = measured.to_vec();
                    changed[i][j].answers[cell] += by;
                    answers(&estimated(plan, base(true), &changed, how))
                };
                let (up, down) = (at(step), at(-step));
                squares.resize(up.len(), 0.0);
                for ((square, up), down) in squares.iter_mut().zip(up).zip(down) {
                    *square += one.variance * ((up - down) / (2.0 * step)).powi(2);
                }
            }
        }
    }
    squares
}

#[test]
fn noise_is_what_moving_each_measured_value_says() {
    let (plan, levels) = chain();
    let mut seed = Seed::new(2);
    let measured = measured(&levels, &records(), || normal(&mut seed));
    let totals: f64 = records().iter().flatten().sum();
    let free = |rule| Totals { rule, agree: false, ..AGREE };
    let known = Totals { all: Some(totals), known: vec![(5, 700.0)], ..AGREE };
    for (strength, totals, tolerance) in [
        (Strength::Fixed(500.0), AGREE, 0.02),
        (Strength::Fixed(500.0), Totals { all: Some(totals), ..AGREE }, 0.02),
        (Strength::Fixed(500.0), known, 0.02),
        (Strength::Fixed(500.0), free(TotalRule::Combined), 0.02),
        (HARMONIC, AGREE, 0.05),
    ] {
        let cliques: [&[u16]; 5] = [&[2], &[0, 3], &[3, 1], &[], &[1]];
        let of = |hierarchy: &Hierarchy| {
            let one = answers(hierarchy, &[3], &[&[2, 3], &[]]);
            [answers(hierarchy, &FINEST, &cliques), one, answers(hierarchy, &[2, 4], &[&[3]])].concat()
        };
        let squares = moved((&plan, &measured), (strength, &totals), of);
        let hierarchy = estimated(&plan, base(true), &measured, (strength, &totals));
        let found: Vec<f64> = [
            errors(&hierarchy, &measured, &totals, request(&FINEST, &cliques)),
            errors(&hierarchy, &measured, &totals, request(&[3], &[&[2, 3], &[]])),
            errors(&hierarchy, &measured, &totals, request(&[2, 4], &[&[3]])),
        ]
        .concat()
        .iter()
        .map(|one| one.noise)
        .collect();
        assert_eq!(found.len(), squares.len());
        for (found, expected) in found.iter().zip(&squares) {
            let (found, expected) = (found.sqrt(), expected.sqrt());
            assert!((found - expected).abs() <= tolerance * expected + 1e-6, "{found} {expected}");
        }
    }
}

#[test]
fn the_noise_of_a_number_of_records_is_that_of_the_total() {
    let (plan, mut levels) = chain();
    let mut seed = Seed::new(9);
    // Some say nothing of their own totals.
    levels[0].clear();
    levels[2][0].1 = 400.0;
    let measured = measured(&levels, &records(), || normal(&mut seed));
    for totals in [
        AGREE,
        Totals { all: Some(2000.0), ..AGREE },
        Totals { known: vec![(1, 1200.0)], ..AGREE },
        Totals { all: Some(2000.0), known: vec![(1, 1200.0)], ..AGREE },
    ] {
        // The coarsest groups are all records, and what is known of groups is of the level below.
        let hierarchy = estimated(&plan, base(true), &measured, (HARMONIC, &totals));
        let variance = |at: usize| hierarchy.states[at].as_ref().unwrap().total.variance;
        let of = |groups: &[usize]| errors(&hierarchy, &measured, &totals, request(groups, &[&[]]))[0];
        for (groups, at) in [(&FINEST[..1], 2), (&FINEST[1..2], 3), (&FINEST[..3], 1), (&FINEST[..], 0)] {
            let (found, expected) = (of(groups), variance(at));
            assert!((found.noise - expected).abs() <= 1e-6 * (1.0 + expected), "{found:?} {expected}");
            assert!(found.open < 1e-9, "{found:?}");
        }
    }
}

#[test]
fn groups_that_only_count_are_together_what_they_lie_within() {
    let plan = plan(&[&[], &[1]]);
    let levels = vec![vec![(vec![2, 3], 25.0)], vec![(vec![1], 9.0)]];
    let mut seed = Seed::new(4);
    let measured = measured(&levels, &records(), || normal(&mut seed));
    let hierarchy = estimated(&plan, base(true), &measured, (HARMONIC, &AGREE));
    let Hierarchy { setup, states } = &hierarchy;
    let model = Arc::new(weights(Arc::clone(setup), states, 0).unwrap().complete().unwrap());
    let state = states[0].as_ref().unwrap();
    let strength = state.worth - state.total.records();
    let evidence = Evidence {
        measurements: vec![Measurement { clique: vec![0, 1], ..measured[0][0].clone() }],
        total: state.total,
        strength,
    };
    let flat = errors::errors(model, evidence, questions(&[&[0], &[1]]), &Vec::new(), false, 1 << 20);
    let flat = flat.unwrap().complete().unwrap();
    let found = errors(&hierarchy, &measured, &AGREE, request(&[1, 2, 3, 4], &[&[2], &[3]]));
    for (found, flat) in found.iter().zip(&flat) {
        assert!((found.open / flat.open - 1.0).abs() < 1e-4, "{found:?} {flat:?}");
        // Counts of the groups say something of the total too.
        assert!((found.noise / flat.noise - 1.0).abs() < 0.1, "{found:?} {flat:?}");
    }
    // One alone is off by its part of that, and as a sample of its records without replacement from all of them.
    let one = errors(&hierarchy, &measured, &AGREE, request(&[1], &[&[2]]));
    let (n, all) = (states[1].as_ref().unwrap().total.value, state.total.value);
    for ((one, flat), count) in one.iter().zip(&flat).zip(answers(&hierarchy, &[1], &[&[2]])) {
        let sample = count * (1.0 - count / n) * (1.0 - n / all);
        let expected = (n / all).powi(2) * flat.open + sample;
        assert!((one.open / expected - 1.0).abs() < 1e-3, "{one:?} {expected}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (plan, levels) = chain();
    let measured = measured(&levels, &records(), || 0.0);
    let hierarchy = estimated(&plan, base(true), &measured, (HARMONIC, &AGREE));
    let ask = |hierarchy: &Hierarchy, request: GroupErrorsRequest| {
        job(hierarchy, &measured, &AGREE, request).err().map(|error| error.code)
    };
    let one = || request(&[2], &[&[2]]);
    assert_eq!(ask(&hierarchy, one()), None);
    assert_eq!(ask(&hierarchy, request(&[1], &[&[2]])), Some(Code::OptionInvalid));
    assert_eq!(ask(&hierarchy, request(&[99], &[&[2]])), Some(Code::OptionInvalid));
    let on_groups = GroupErrorsRequest { condition: vec![(1, vec![true; 4])], ..one() };
    assert_eq!(ask(&hierarchy, on_groups), Some(Code::OptionInvalid));
    let shares =
        GroupErrorsRequest { shares: Some(ErrorShares { records: 5.0, answers: vec![0.5] }), ..one() };
    assert_eq!(ask(&hierarchy, shares), Some(Code::OptionInvalid));
    let unknown = Hierarchy { states: vec![None; 7], ..hierarchy.clone() };
    assert_eq!(ask(&unknown, one()), Some(Code::OptionInvalid));
    let level = |measurements: &Vec<Measurement>| LevelAnswers {
        measurements: measurements.clone(),
        estimator: GroupEstimator::iterative(iterative::Options::paper(1)),
        public: Vec::new(),
        between: 1e9,
    };
    let request = HierarchyRequest {
        levels: measured.iter().map(level).collect(),
        rule: TotalRule::Combined,
        agree: true,
        all: None,
        known: Vec::new(),
        spread: GAUSSIAN,
        lanes: 1,
        seed: 3,
        limit: 1 << 20,
    };
    let paper = estimate_groups(plan, base(true), PUBLIC, request).unwrap().complete().unwrap();
    assert_eq!(ask(&paper, one()), Some(Code::QueryUnsupported));
}
