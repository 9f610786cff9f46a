//! Priors that the answers of groups contradict.

use crate::common::{column, near};
use marginalia_estimate::deviates::normal;
use marginalia_estimate::estimators::calibrated::CalibratedEstimator;
use marginalia_estimate::estimators::strength::GAUSSIAN;
use marginalia_estimate::hierarchy::{
    GroupEstimator, Hierarchy, HierarchyPlan, HierarchyRequest, LevelAnswers, Strength, TotalRule,
    estimate_groups, weights,
};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::models::support::Base;
use marginalia_estimate::seed::Seed;
use marginalia_tables::Domain;
use std::sync::Arc;

const GROUPS: usize = 30;
const RECORDS: f64 = 400.0;
const CELLS: usize = 12;

/// A group, an attribute, another: rows are all pairs of the two.
fn plan() -> Arc<HierarchyPlan> {
    let domain = Domain::new([GROUPS as u32, CELLS as u32, 3]);
    Arc::new(HierarchyPlan::new(domain, vec![Vec::new(), vec![0]], Vec::new()).unwrap())
}

fn base(share: impl Fn(usize) -> f64) -> Arc<Base> {
    let rows: Vec<(u16, u16)> = (0..CELLS as u16).flat_map(|x| (0..3).map(move |y| (x, y))).collect();
    let [xs, ys]: [Vec<u16>; 2] =
        [rows.iter().map(|row| row.0).collect(), rows.iter().map(|row| row.1).collect()];
    let weights: Vec<f64> = xs.iter().map(|x| share(usize::from(*x))).collect();
    let domain = Domain::new([CELLS as u32, 3]);
    let columns = vec![column(CELLS as u32, &xs), column(3, &ys)];
    Arc::new(Base::new(domain, columns, Some(&weights)).unwrap())
}

/// What is true of all groups: many of the first, few of the last.
fn truth(x: usize) -> f64 {
    let all: f64 = (0..CELLS).map(|x| 0.7f64.powi(x as i32)).sum();
    0.7f64.powi(x as i32) / all
}

/// Counts of the attribute in each group with noise of a deviation, and how many records each has; nothing of all of them.
fn released(deviation: f64, seed: u64) -> HierarchyRequest {
    let mut seed = Seed::new(seed);
    let mut noisy = |count: f64| count + deviation * normal(&mut seed);
    let answers: Vec<f64> = (0..GROUPS)
        .flat_map(|_| (0..CELLS).map(truth).collect::<Vec<_>>())
        .map(|share| noisy(RECORDS * share))
        .collect();
    let counts: Vec<f64> = (0..GROUPS).map(|_| noisy(RECORDS)).collect();
    let variance = deviation * deviation;
    let one = |clique: &[u16], answers| Measurement { clique: clique.to_vec(), answers, variance };
    let options = CalibratedEstimator { tolerance: 1e-6, ..Default::default() };
    let level = |measurements| LevelAnswers {
        measurements,
        estimator: GroupEstimator::calibrated(options.clone(), Strength::Harmonic { most: f64::INFINITY }),
        public: Vec::new(),
        between: 1e9,
    };
    HierarchyRequest {
        levels: vec![level(Vec::new()), level(vec![one(&[0], counts), one(&[0, 1], answers)])],
        rule: TotalRule::Combined,
        agree: true,
        all: None,
        known: Vec::new(),
        spread: GAUSSIAN,
        lanes: 1,
        seed: 3,
        limit: 1 << 20,
    }
}

fn estimated(base: Arc<Base>, deviation: f64, seed: u64) -> Hierarchy {
    estimate_groups(plan(), base, 1e5, released(deviation, seed)).unwrap().complete().unwrap()
}

/// The mean L1 distance of the attribute in groups from the truth.
fn error(Hierarchy { setup, states }: &Hierarchy) -> f64 {
    let of = |group: usize| {
        let weights =
            weights(Arc::clone(setup), states, group).unwrap().complete().unwrap().into_weights().unwrap();
        (0..CELLS).map(|x| (weights[3 * x..3 * x + 3].iter().sum::<f64>() - truth(x)).abs()).sum::<f64>()
    };
    (1..=GROUPS).map(of).sum::<f64>() / GROUPS as f64
}

#[test]
fn a_good_prior_is_trusted_and_a_bad_one_is_not_when_all_groups_say_so() {
    for seed in 0..5 {
        let good = estimated(base(truth), 10.0, seed);
        assert_eq!(good.setup.levels()[1].trust(), 1.0);
        let bad = estimated(base(|x| truth(CELLS - 1 - x)), 10.0, seed);
        let trust = bad.setup.levels()[1].trust();
        assert!(trust < 0.3, "{trust}");
        // What is not measured of a level has nothing to contradict.
        assert_eq!(bad.setup.levels()[0].trust(), 1.0);
        let even = estimated(base(|_| 1.0), 10.0, seed);
        let [good, bad, even] = [&good, &bad, &even].map(error);
        assert!(good < 0.5 * even, "{good} {even}");
        assert!(bad < 1.25 * even, "{bad} {even}");
    }
}

#[test]
fn one_group_alone_would_not_know() {
    // Deviations of 30 beside cells of 33 records on average: of a single group hardly more than noise.
    let bad = estimated(base(|x| truth(CELLS - 1 - x)), 30.0, 1);
    assert!(bad.setup.levels()[1].trust() < 1.0);
}

#[test]
fn known_numbers_of_records_hold() {
    let job = |request| estimate_groups(plan(), base(truth), 1e5, request).unwrap().complete();
    let Hierarchy { states, .. } =
        job(HierarchyRequest { all: Some(11_000.0), known: vec![(1, 500.0)], ..released(20.0, 1) }).unwrap();
    let total = |at: usize| states[at].as_ref().unwrap().total.value;
    near(&[total(0), total(1), (1..=GROUPS).map(total).sum()], &[11_000.0, 500.0, 11_000.0], 1e-6);
    for wrong in [
        HierarchyRequest { agree: false, all: Some(3.0), ..released(1.0, 1) },
        HierarchyRequest { agree: false, ..released(1.0, 1) },
        HierarchyRequest { known: vec![(99, 1.0)], ..released(1.0, 1) },
        HierarchyRequest { known: vec![(1, -1.0)], ..released(1.0, 1) },
    ] {
        assert!(job(wrong).is_err());
    }
}
