//! From a schema and a public table to records of groups.

use crate::common::near;
use marginalia_estimate::estimators::calibrated::CalibratedEstimator;
use marginalia_estimate::estimators::strength::GAUSSIAN;
use marginalia_estimate::hierarchy::{
    GroupEstimator, GroupRecordsRequest, Hierarchy, HierarchyPlan, HierarchyRequest, LevelAnswers, Shared,
    Strength, TotalRule, blanked, estimate_groups, model, records_of_groups, weights,
};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::records::{Method, unfold};
use marginalia_tables::distinct::DistinctJob;
use marginalia_tables::{Code, Schema, Table};
use proptest::prelude::*;
use std::sync::Arc;

/// Age (with raw numbers), puma, sex; state and region follow from puma, old from age.
fn schema() -> Arc<Schema> {
    let json = r#"{"nulls":[],"attributes":[
        {"name":"age","type":"integer","lows":[0,10,20],"max":29},
        {"name":"puma","type":"category","values":["a1","a2","b1","b2"]},
        {"name":"sex","type":"category","values":["f","m"]},
        {"name":"state","type":"derived","from":"puma","values":["a","b"],"codes":[0,0,1,1]},
        {"name":"region","type":"derived","from":"state","values":["x","y"],"codes":[1,0]},
        {"name":"old","type":"derived","from":"age","values":["no","yes"],"codes":[0,0,1]}]}"#;
    Arc::new(Schema::from_json(json).unwrap())
}

fn plan(levels: &[&[u16]]) -> Arc<HierarchyPlan> {
    let levels = levels.iter().map(|level| level.to_vec()).collect();
    Arc::new(HierarchyPlan::of_schema(&schema(), levels).unwrap())
}

fn public(rows: u16) -> Arc<Table> {
    let mut table = Table::new(schema(), false, &[0]);
    let ages: Vec<u16> = (0..rows).map(|row| row * 7 % 30).collect();
    let raw: Vec<f64> = ages.iter().map(|age| f64::from(*age)).collect();
    let codes: Vec<u16> = ages.iter().map(|age| age / 10).collect();
    let (pumas, sexes): (Vec<u16>, Vec<u16>) = (0..rows).map(|row| (row % 3, row / 5 % 2)).unzip();
    table.extend(&[&codes, &pumas, &sexes], None, &[&raw]).unwrap();
    Arc::new(table)
}

fn shared(plan: &HierarchyPlan, rows: u16) -> Shared {
    let blank = blanked(plan, public(rows), 1000, 1).unwrap().complete().unwrap();
    let distinct = DistinctJob::new(Arc::new(blank)).unwrap().finish().unwrap();
    Shared::new(plan, Arc::new(distinct)).unwrap()
}

fn counts(clique: &[u16], answers: &[f64], variance: f64) -> Measurement {
    Measurement { clique: clique.to_vec(), answers: answers.to_vec(), variance }
}

fn request(agree: bool, pumas: [f64; 4]) -> HierarchyRequest {
    let how = CalibratedEstimator { tolerance: 1e-9, ..CalibratedEstimator::default() };
    let level = |measurements| LevelAnswers {
        measurements,
        estimator: GroupEstimator::calibrated(how.clone(), Strength::Harmonic { most: 100.0 }),
        public: Vec::new(),
        between: 50.0,
    };
    let states = vec![counts(&[3], &[40.0, 20.0], 3.0), counts(&[3, 2], &[25.0, 14.0, 11.0, 12.0], 4.0)];
    let pumas = vec![counts(&[1], &pumas, 2.0)];
    let levels = vec![level(states), level(pumas)];
    let (all, known, spread) = (None, Vec::new(), GAUSSIAN);
    let rule = TotalRule::Combined;
    HierarchyRequest { levels, rule, agree, all, known, spread, lanes: 1, seed: 9, limit: 1 << 20 }
}

fn hierarchy(agree: bool, pumas: [f64; 4]) -> (Hierarchy, Shared) {
    let plan = plan(&[&[3], &[1]]);
    let shared = shared(&plan, 40);
    let job = estimate_groups(plan, Arc::clone(&shared.base), 40.0, request(agree, pumas)).unwrap();
    (job.complete().unwrap(), shared)
}

#[test]
fn what_follows_from_groups_is_no_shared_attribute() {
    let two = plan(&[&[4], &[3], &[1]]);
    assert_eq!(two.rest(), [0, 2, 5]);
    let puma = two.groups().iter().find(|one| one.level == 2 && one.key == 2).unwrap();
    assert_eq!((two.code(puma, 3), two.code(puma, 4)), (Some(1), Some(0)));
    assert_eq!(plan(&[&[]]).rest(), [0, 1, 2, 3, 4, 5]);
    for levels in [vec![vec![3]], vec![vec![5], vec![1, 5]], vec![vec![9]]] {
        assert!(HierarchyPlan::of_schema(&schema(), levels).is_err());
    }
}

#[test]
fn shared_rows_are_the_public_ones_without_groups() {
    let plan = plan(&[&[3], &[1]]);
    let Shared { rows, base } = shared(&plan, 40);
    assert_eq!(base.domain().sizes(), [3, 2, 2]);
    near(&[base.prior().iter().sum(), base.weight()], &[1.0, 40.0], 1e-12);
    assert!((0..rows.rows()).all(|row| rows.columns()[1].get(row) == 0 && rows.columns()[3].get(row) == 0));
    let direct =
        |age: u16, sex: u16| (0..40u16).filter(move |row| row * 7 % 30 / 10 == age && row / 5 % 2 == sex);
    for row in 0..base.rows() {
        let [age, sex] = [0, 1].map(|a: usize| base.columns()[a].get(row));
        near(&[base.prior()[row] * 40.0], &[direct(age, sex).count() as f64], 1e-12);
    }
}

#[test]
fn a_sample_of_public_rows_keeps_their_weight() {
    let plan = plan(&[&[1]]);
    let blank = blanked(&plan, public(997), 100, 1).unwrap().complete().unwrap();
    assert!((99..=101).contains(&blank.rows()));
    let weight: f64 = (0..blank.rows()).map(|row| blank.weights().unwrap().get(row)).sum();
    assert!((weight / 997.0 - 1.0).abs() < 0.011, "{weight}");
}

#[test]
fn totals_sum_to_what_groups_lie_within_when_asked() {
    for agree in [true, false] {
        let (Hierarchy { setup, states }, _) = hierarchy(agree, [9.0, 24.0, -3.0, 16.0]);
        let total = |at: usize| states[at].as_ref().unwrap().total.value;
        let sums: f64 = [1, 2].map(total).iter().sum();
        assert_eq!((total(0) - sums).abs() < 1e-9, agree);
        assert_eq!(setup.plan().groups().len(), 6);
    }
}

#[test]
fn the_model_of_a_group_has_its_codes() {
    let (Hierarchy { setup, states }, _) = hierarchy(true, [9.0, 24.0, 3.0, 16.0]);
    let path = weights(Arc::clone(&setup), &states, 2).unwrap().complete().unwrap();
    let of = model(setup.plan(), 2, &path).unwrap();
    near(of.weights().unwrap(), path.weights().unwrap(), 1e-15);
    let codes = |a: usize| of.base().columns()[a].get(3);
    assert_eq!([codes(1), codes(3), codes(4)], [1, 0, 1]);
    let state = weights(Arc::clone(&setup), &states, 0).unwrap().complete().unwrap();
    assert_eq!(model(setup.plan(), 0, &state).unwrap_err().code, Code::OptionInvalid);
}

#[test]
fn records_of_a_part_are_rows_that_meet_the_condition() {
    for method in [Method::Controlled, Method::Systematic, Method::Iid] {
        let (hierarchy, shared) = hierarchy(true, [9.0, 24.0, 3.0, 16.0]);
        let unfolded = unfold(shared.rows, shared.base.prior().to_vec()).complete().unwrap();
        let targets = unfolded.index(&[vec![0, 2]]).unwrap().complete().unwrap();
        let condition = vec![(0, vec![true, false, true]), (2, vec![false, true])];
        let wanted = vec![(1, 7), (4, 12)];
        let request = GroupRecordsRequest { wanted, method, seed: 4, condition, lanes: 1 };
        let table = records_of_groups(hierarchy, unfolded, targets, request).unwrap().complete().unwrap();
        assert_eq!(table.rows(), 19);
        let column = |a: usize, row| table.columns()[a].get(row);
        assert!((0..19).all(|row| column(0, row) != 1 && column(2, row) == 1));
        assert_eq!((0..19).filter(|row| column(1, *row) == 0).count(), 7);
    }
}

fn records(wanted: Vec<(usize, u64)>, method: Method, work: u64, lanes: usize) -> Table {
    let (hierarchy, shared) = hierarchy(true, [9.0, 24.0, 3.0, 16.0]);
    let unfolded = unfold(shared.rows, shared.base.prior().to_vec()).complete().unwrap();
    let targets = unfolded.index(&[vec![0, 2]]).unwrap().complete().unwrap();
    let request = GroupRecordsRequest { wanted, method, seed: 4, condition: Vec::new(), lanes };
    let mut job = records_of_groups(hierarchy, unfolded, targets, request).unwrap();
    let mut steps = 0;
    while !job.step(work).over {
        steps += 1;
        assert!(steps < 1_000_000);
    }
    job.complete().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn every_group_has_exactly_its_records(n in prop::array::uniform4(0u64..300), which in 0usize..3, work in 1u64..5000) {
        let method = [Method::Controlled, Method::Systematic, Method::Iid][which];
        // Pumas stand after their states.
        let wanted: Vec<(usize, u64)> = [1, 2, 4, 5].into_iter().zip(n).collect();
        let table = records(wanted, method, work, 1 + work as usize % 3);
        prop_assert_eq!(table.rows() as u64, n.iter().sum::<u64>());
        for (puma, n) in (0u16..).zip(n) {
            let of = (0..table.rows()).filter(|row| table.columns()[1].get(*row) == puma).count();
            prop_assert_eq!(of as u64, n);
        }
        for row in 0..table.rows() {
            let age = table.raw()[0].values.get(row);
            prop_assert_eq!((age / 10.0) as u16, table.columns()[0].get(row));
            prop_assert_eq!(table.columns()[3].get(row), table.columns()[1].get(row) / 2);
        }
    }
}

#[test]
fn records_do_not_depend_on_steps_or_lanes() {
    let of = |work, lanes| {
        let table = records(vec![(1, 40), (2, 0), (4, 7), (5, 900)], Method::Controlled, work, lanes);
        (0..947).map(|row| table.columns().iter().map(|c| c.get(row)).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    assert_eq!(of(3, 1), of(u64::MAX, 1));
    assert_eq!(of(50, 3), of(u64::MAX, 1));
}

#[test]
fn records_are_of_the_finest_groups() {
    let (hierarchy, shared) = hierarchy(true, [1.0; 4]);
    let unfolded = unfold(shared.rows, shared.base.prior().to_vec()).complete().unwrap();
    let targets = unfolded.index(&[]).unwrap().complete().unwrap();
    let (wanted, condition) = (vec![(0, 3)], Vec::new());
    let request = GroupRecordsRequest { wanted, method: Method::Iid, seed: 4, condition, lanes: 1 };
    let job = records_of_groups(hierarchy, unfolded, targets, request);
    assert_eq!(job.err().map(|error| error.code), Some(Code::OptionInvalid));
}
