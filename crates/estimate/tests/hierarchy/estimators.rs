//! Groups by whichever estimator: what comes of one is what comes of its answers alone.

use crate::common::*;
use marginalia_estimate::estimators::{PLAIN, Request, estimator};
use marginalia_estimate::hierarchy::{GroupEstimation, GroupEstimator, Level, Prior, Task};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::{Law, Measured, Measurement};
use marginalia_estimate::models::narrowed;
use marginalia_estimate::models::support::SupportModel;
use marginalia_estimate::total::Total;
use marginalia_tables::query::Query;
use marginalia_tables::{Code, Schema};
use serde_json::{Value, json};
use std::sync::Arc;

fn answers() -> Vec<Measurement> {
    let of = |clique: &[u16], answers: &[f64]| Measurement {
        clique: clique.to_vec(),
        answers: answers.to_vec(),
        variance: 2.0,
    };
    vec![of(&[0, 1], &[9.0, 14.0, 3.0, 4.0, 22.0, 8.0]), of(&[2], &[31.0, 29.0])]
}

fn alone(name: &str, options: &Value) -> Vec<f64> {
    let measured = |one: Measurement| {
        let Measurement { clique, answers, variance } = one;
        Measured { clique, query: Query::Identity, answers, variance, law: Law::Gaussian }
    };
    let measurements = answers().into_iter().map(measured).collect();
    let schema = Arc::new(Schema::of_domain(base().domain()).unwrap());
    let request = Request::new(schema, Some(base()), measurements, Total::known(60.0).unwrap());
    let request = Request { public: 40.0, seed: 7, ..request };
    let found = estimator(PLAIN, name, options).unwrap().begin(request).unwrap().complete().unwrap();
    narrowed::<SupportModel>(&found.model).unwrap().distribution().copied().unwrap()
}

#[test]
fn a_group_is_estimated_as_a_table_is() {
    let calibrated = json!({ "loss": "l2", "strength": 20, "tolerance": 1e-9, "passes": 500 });
    let two = json!({ "target": "loss", "entropy": true, "tolerance": 1e-6, "solver": null });
    let least = json!({ "target": "loss", "entropy": false, "tolerance": 1e-6, "solver": null });
    for (name, options) in [("calibrated", calibrated), ("twoStage", two), ("twoStage", least)] {
        let group = GroupEstimator::new(estimator(PLAIN, name, &options).unwrap(), None).unwrap();
        let level = Level::new(&base(), vec![vec![0, 1], vec![2]], group, 1 << 20).unwrap();
        let task = Arc::new(Task { measurements: answers(), total: Total::known(60.0).unwrap() });
        let job = GroupEstimation::new(&level, Arc::new(Prior::new(base(), 40.0)), task, 7).unwrap();
        let outcome = job.steps().complete().unwrap();
        assert_eq!(outcome.model.weights().unwrap(), alone(name, &options), "{name}");
        assert_eq!(outcome.model.total(), 60.0);
    }
}

#[test]
fn a_group_that_nothing_was_measured_of_is_a_part_of_its_prior() {
    let calibrated = json!({ "loss": "l2", "strength": 20, "tolerance": 1e-9, "passes": 500 });
    let two = json!({ "target": "loss", "entropy": true, "tolerance": 1e-6, "solver": null });
    let least = json!({ "target": "loss", "entropy": false, "tolerance": 1e-6, "solver": null });
    for (name, options) in [("calibrated", calibrated), ("twoStage", two), ("twoStage", least)] {
        let group = GroupEstimator::new(estimator(PLAIN, name, &options).unwrap(), None).unwrap();
        let level = Level::new(&base(), Vec::new(), group, 1 << 20).unwrap();
        let task = Arc::new(Task { measurements: Vec::new(), total: Total::known(12.5).unwrap() });
        let job = GroupEstimation::new(&level, Arc::new(Prior::new(base(), 40.0)), task, 7).unwrap();
        let outcome = job.steps().complete().unwrap();
        assert_eq!(outcome.model.weights().unwrap(), base().prior(), "{name}");
        assert_eq!((outcome.model.total(), outcome.state.worth), (12.5, 40.0));
    }
}

#[test]
fn what_gives_no_rows_is_refused_by_code() {
    let independent = estimator(PLAIN, "independent", &json!({})).unwrap();
    assert_eq!(GroupEstimator::new(independent, None).unwrap_err().code, Code::ModelUnsupported);
}
