//! Published estimators of graphical models by their names: one optimum for all, losses of one's own, models to start from.

use marginalia_estimate::estimators::{
    Certificate, Estimate, Estimation, GRAPHICAL, Request, Status, estimator,
};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::{Law, Measured};
use marginalia_estimate::models::Model;
use marginalia_estimate::total::Total;
use marginalia_tables::query::{Matrix, Query};
use marginalia_tables::{Code, Domain, Error, Schema, Workload};
use serde_json::{Value, json};
use std::sync::Arc;

const NAMES: [&str; 4] = ["mirrorDescent", "dualAveraging", "interiorGradient", "accelerated"];

fn options(loss: &str) -> Value {
    json!({ "loss": loss, "steps": "adaptive", "iterations": 2000, "tolerance": 0, "until": null,
            "cliques": [[0, 1], [1, 2]], "lipschitz": 0.25 })
}

fn with(name: &str, value: Value) -> Value {
    let mut options = options("l2");
    options[name] = value;
    options
}

fn measured(clique: &[u16], query: Query, answers: &[f64]) -> Measured {
    Measured { clique: clique.to_vec(), query, answers: answers.to_vec(), variance: 4.0, law: Law::Gaussian }
}

const LEFT: [f64; 6] = [10.0, 20.0, 5.0, 25.0, 15.0, 25.0];
const RIGHT: [f64; 6] = [12.0, 10.0, 10.0, 40.0, 20.0, 8.0];

fn request() -> Request {
    let schema = Arc::new(Schema::of_domain(&Domain::new([3, 2, 3])).unwrap());
    let prefix = Query::Linear(Matrix::prefix(3).unwrap());
    let measurements = vec![
        measured(&[0, 1], Query::Identity, &LEFT),
        measured(&[1, 2], Query::Identity, &RIGHT),
        measured(&[2], prefix, &[50.0, 80.0, 100.0]),
    ];
    Request { outside: true, ..Request::new(schema, None, measurements, Total::known(100.0).unwrap()) }
}

fn estimate(name: &str, options: &Value, request: Request) -> Result<Estimate, Error> {
    estimator(GRAPHICAL, name, options)?.begin(request)?.complete()
}

fn pairs(model: &Arc<dyn Model>) -> Vec<f64> {
    let workload = Workload::from_cliques(Domain::new([3, 2, 3]), &[vec![0, 1], vec![1, 2]]).unwrap();
    Arc::clone(model).answer(&Arc::new(workload), 1 << 30).unwrap().complete().unwrap()
}

fn assert_alike(found: &[f64], wanted: &[f64], within: f64) {
    assert_eq!(found.len(), wanted.len());
    found
        .iter()
        .zip(wanted)
        .for_each(|(a, b)| assert!((a - b).abs() < within, "{found:?} is not {wanted:?}"));
}

#[test]
fn all_come_to_what_the_calibrated_one_does_for_a_base_worth_nothing() {
    let calibrated = json!({ "strength": 1e-6, "tolerance": 1e-10, "products": 10000 });
    let wanted = pairs(&estimate("graphical", &calibrated, request()).unwrap().model);
    for name in NAMES {
        let found = estimate(name, &options("l2"), request()).unwrap();
        assert_eq!((found.status, found.model.kind()), (Status::Limit, "graphical"));
        assert_alike(&pairs(&found.model), &wanted, 1e-3);
        let Certificate::Descent { estimator, noise, iterations, .. } = found.certificate else { panic!() };
        assert_eq!((estimator, noise, iterations), (name, Some(7.5), 2000));
        // Its sweeps are calls without a judgement.
        let unjudged = if name == "accelerated" { 5 } else { 0 };
        assert_eq!((found.trace[0].at, found.trace.len()), (0.0, 2001 - unjudged));
        let early = estimate(name, &with("until", json!("noise")), request()).unwrap();
        assert!(early.status == Status::Converged && early.trace.last().unwrap().value <= 7.5, "{name}");
        let at = estimate(name, &with("until", json!(30)), request()).unwrap();
        assert!(at.status == Status::Converged && at.trace.len() <= early.trace.len(), "{name}");
        let huber = estimate(name, &options("huber"), request()).unwrap();
        assert_alike(&pairs(&huber.model), &wanted, 3.0);
    }
    let decreasing = json!({ "loss": "l1", "steps": "decreasing", "iterations": 5000, "tolerance": 0 });
    let found = estimate("mirrorDescent", &decreasing, request()).unwrap();
    assert_alike(&pairs(&found.model), &wanted, 3.0);
}

/// The squares of what cells miss, over twice a variance of 4.
fn squares(counts: &[f64]) -> (f64, Vec<f64>) {
    let missed = counts.iter().zip(LEFT.iter().chain(&RIGHT)).map(|(count, wanted)| count - wanted);
    let slopes: Vec<f64> = missed.map(|missed| missed / 4.0).collect();
    (slopes.iter().map(|slope| 2.0 * slope * slope).sum(), slopes)
}

fn finished(mut estimation: Estimation, limit: usize) -> Result<Estimate, Error> {
    let mut steps = 0;
    while !estimation.step(u64::MAX).over && steps < limit {
        if let Some(counts) = estimation.counts() {
            let (loss, gradient) = squares(&counts);
            estimation.evaluated(loss, gradient);
            steps += 1;
        }
    }
    Box::new(estimation).finish()
}

#[test]
fn a_loss_of_ones_own_is_asked_from_outside() {
    let mut cells = request();
    cells.measurements.pop();
    for name in NAMES {
        let wanted = estimate(name, &options("l2"), cells.clone()).unwrap();
        let begun = || estimator(GRAPHICAL, name, &options("own")).unwrap().begin(request()).unwrap();
        let found = finished(begun(), usize::MAX).unwrap();
        assert_alike(&pairs(&found.model), &pairs(&wanted.model), 1e-3);
        let Certificate::Descent { loss, noise, .. } = found.certificate else { panic!() };
        assert!(noise.is_none() && (loss - squares(&pairs(&found.model)).0).abs() < 1e-6, "{name}");
        let stopped = finished(begun(), 7).unwrap();
        assert_eq!(stopped.status, Status::Stopped);
        assert!(pairs(&stopped.model).iter().all(|count| count.is_finite()));
    }
    let mut estimation =
        estimator(GRAPHICAL, "accelerated", &options("own")).unwrap().begin(request()).unwrap();
    while estimation.counts().is_none() {
        estimation.step(1);
    }
    estimation.evaluated(1.0, vec![0.0; 5]);
    assert_eq!(estimation.complete().unwrap_err().code, Code::OptionInvalid);
}

#[test]
fn it_goes_on_from_a_model() {
    let early = estimate("mirrorDescent", &with("iterations", json!(20)), request()).unwrap();
    let Certificate::Descent { loss: reached, .. } = early.certificate else { panic!() };
    for name in NAMES {
        let further = Request { start: Some(Arc::clone(&early.model)), ..request() };
        let found = estimate(name, &with("iterations", json!(3)), further).unwrap();
        assert!((found.trace[0].value - reached).abs() < 1e-9, "{name}");
    }
    let mut fewer = Request { start: Some(early.model), ..request() };
    fewer.measurements.remove(0);
    assert_eq!(estimate("accelerated", &options("l2"), fewer).unwrap_err().code, Code::OptionInvalid);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let code = |name: &str, options: Value| estimate(name, &options, request()).unwrap_err().code;
    assert_eq!(code("dualAveraging", options("l1")), Code::OptionInvalid);
    assert_eq!(code("accelerated", options("l1")), Code::OptionInvalid);
    assert_eq!(code("mirrorDescent", options("l1")), Code::OptionInvalid);
    assert_eq!(code("mirrorDescent", with("steps", json!("long"))), Code::OptionInvalid);
    assert_eq!(code("accelerated", options("l3")), Code::OptionInvalid);
    let alone = Request { outside: false, ..request() };
    assert_eq!(estimate("accelerated", &options("own"), alone).unwrap_err().code, Code::OptionInvalid);
    let until = json!({ "loss": "own", "cliques": [[0]], "iterations": 1, "tolerance": 0, "until": "noise" });
    assert_eq!(code("accelerated", until), Code::OptionInvalid);
}
