//! Every estimator by its name: what it takes and refuses, and what comes of it.

use marginalia_estimate::estimators::{Certificate, Estimate, Figure, PLAIN, Request, Status, estimator};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::{Law, Measured};
use marginalia_estimate::models::narrowed;
use marginalia_estimate::models::product::ProductModel;
use marginalia_estimate::models::support::{Base, SupportModel};
use marginalia_estimate::total::Total;
use marginalia_tables::query::{Factor, Matrix, Product, Query};
use marginalia_tables::{Code, Codes, Domain, Result, Schema};
use serde_json::{Value, json};
use std::sync::Arc;

const LAPLACE: Law = Law::Laplace(1.0);

fn options(name: &str) -> Value {
    match name {
        "calibrated" => {
            json!({ "loss": "l2", "strength": "coupledBootstrap", "tolerance": 1e-6, "passes": 500 })
        }
        "iterative" => {
            json!({ "order": "sweeps", "damping": 0.3, "choice": "kl", "steps": 40, "tolerance": 1e-4, "every": 2 })
        }
        "twoStage" => json!({ "target": "loss", "entropy": true, "tolerance": 1e-6, "solver": null }),
        _ => json!({}),
    }
}

const ON_ROWS: [&str; 3] = ["calibrated", "iterative", "twoStage"];

fn base() -> Arc<Base> {
    let columns = [[0u16, 0, 0, 1, 1], [0, 1, 2, 1, 2]].into_iter().zip([2, 3]).map(|(codes, size)| {
        let mut column = Codes::new(size);
        column.extend(&codes).unwrap();
        column
    });
    Arc::new(Base::new(Domain::new([2, 3]), columns.collect(), Some(&[3.0, 2.0, 1.0, 2.0, 2.0])).unwrap())
}

fn measured(clique: &[u16], answers: &[f64], variance: f64) -> Measured {
    let (clique, answers) = (clique.to_vec(), answers.to_vec());
    Measured { clique, query: Query::Identity, answers, variance, law: LAPLACE }
}

fn request(measurements: Vec<Measured>) -> Request {
    let base = base();
    let schema = Arc::new(Schema::of_domain(base.domain()).unwrap());
    Request::new(schema, Some(base), measurements, Total::known(100.0).unwrap())
}

fn singles() -> Vec<Measured> {
    vec![measured(&[0], &[45.0, 55.0], 2.0), measured(&[1], &[30.0, 30.0, 40.0], 2.0)]
}

fn estimate(name: &str, request: Request) -> Result<Estimate> {
    estimator(PLAIN, name, &options(name))?.begin(request)?.complete()
}

#[test]
fn each_gives_a_model_of_its_kind() {
    for name in ON_ROWS.into_iter().chain(["independent"]) {
        let made = estimator(PLAIN, name, &options(name)).unwrap();
        let found = made.begin(request(singles())).unwrap().complete().unwrap();
        assert_eq!((made.name(), found.model.kind()), (name, made.kind()));
        assert_eq!((found.model.total(), found.missing.len()), (100.0, 2));
        assert!(
            matches!(found.status, Status::Converged | Status::Limit) && !found.trace.is_empty(),
            "{name}: {:?}",
            found.status
        );
        assert_eq!(found.certificate.figures()[0], ("estimator", Figure::Name(made.name())));
    }
    assert_eq!(estimator(PLAIN, "newton", &json!({})).unwrap_err().code, Code::OptionInvalid);
    let wrong = [("calibrated", json!({})), ("twoStage", json!({ "target": 3 }))];
    for (name, options) in wrong {
        assert_eq!(estimator(PLAIN, name, &options).unwrap_err().code, Code::OptionInvalid);
    }
}

#[test]
fn what_an_estimator_cannot_take_is_refused_by_code() {
    let code = |name: &str, kind: &str, query: &Query, law: Law| {
        let made = estimator(PLAIN, name, &options(name)).unwrap();
        made.accepts(kind, query, law).err().map(|error| error.code)
    };
    let disjoint = Query::Linear(Matrix::new(3, vec![1, 0, 0, 0, 1, 1]).unwrap());
    let prefix = Query::Linear(Matrix::prefix(3).unwrap());
    for name in ON_ROWS {
        assert_eq!(code(name, "support", &Query::Identity, Law::Gaussian), None);
        assert_eq!(code(name, "product", &Query::Identity, LAPLACE), Some(Code::ModelUnsupported));
        assert_eq!(code(name, "support", &prefix, LAPLACE), Some(Code::QueryUnsupported));
    }
    assert_eq!(code("iterative", "support", &disjoint, LAPLACE), None);
    let sums = |sums: &Query| match sums {
        Query::Linear(matrix) => {
            let factors = vec![Factor::Identity(2), Factor::Linear(matrix.clone())];
            Query::Product(Product::new(factors).unwrap())
        }
        _ => unreachable!(),
    };
    assert_eq!(code("iterative", "support", &sums(&disjoint), LAPLACE), None);
    assert_eq!(code("iterative", "support", &sums(&prefix), LAPLACE), Some(Code::QueryUnsupported));
    assert_eq!(code("calibrated", "support", &sums(&disjoint), LAPLACE), Some(Code::QueryUnsupported));
    assert_eq!(code("calibrated", "support", &disjoint, LAPLACE), Some(Code::QueryUnsupported));
    assert_eq!(code("independent", "product", &Query::Identity, Law::Gaussian), None);
    assert_eq!(code("independent", "product", &disjoint, LAPLACE), Some(Code::QueryUnsupported));
    let l1 = json!({ "loss": "l1", "strength": 30, "tolerance": 1e-6, "passes": 500 });
    let l1 = estimator(PLAIN, "calibrated", &l1).unwrap();
    assert!(l1.accepts("support", &Query::Identity, LAPLACE).is_ok());
    let refused = l1.accepts("support", &Query::Identity, Law::Gaussian);
    assert_eq!(refused.unwrap_err().code, Code::OptionInvalid);
}

/// Those that move rows need some; what is measured must fit the schema all the same.
#[test]
fn requests_are_checked_against_the_schema() {
    for name in ON_ROWS {
        let without = Request { rows: None, ..request(singles()) };
        assert_eq!(estimate(name, without).unwrap_err().code, Code::ModelUnsupported);
    }
    for name in ON_ROWS.into_iter().chain(["independent"]) {
        let unknown = request(vec![measured(&[7], &[1.0], 1.0)]);
        assert_eq!(estimate(name, unknown).unwrap_err().code, Code::AttributeUnknown, "{name}");
        let short = request(vec![measured(&[0], &[1.0], 1.0)]);
        assert_eq!(estimate(name, short).unwrap_err().code, Code::OptionInvalid, "{name}");
    }
}

#[test]
fn an_estimate_may_start_from_a_model_on_the_same_rows() {
    let start = estimate("calibrated", request(singles())).unwrap().model;
    let again = Request { start: Some(Arc::clone(&start)), ..request(singles()) };
    let found = estimate("iterative", again).unwrap();
    assert!(narrowed::<SupportModel>(&found.model).is_ok());
    let product = estimate("independent", request(singles())).unwrap().model;
    let other = Request { start: Some(product), ..request(singles()) };
    assert_eq!(estimate("iterative", other).unwrap_err().code, Code::ModelUnsupported);
}

fn shares(request: Request) -> Vec<Vec<f64>> {
    let found = estimate("independent", request).unwrap();
    assert!(matches!(found.certificate, Certificate::Independent { .. }));
    narrowed::<ProductModel>(&found.model).unwrap().shares().to_vec()
}

fn near(found: &[f64], wanted: &[f64]) {
    assert_eq!(found.len(), wanted.len());
    found.iter().zip(wanted).for_each(|(a, b)| assert!((a - b).abs() < 1e-12, "{found:?} is not {wanted:?}"));
}

#[test]
fn sums_of_one_attribute_are_weighted_by_their_precision() {
    // The pair's sums of the first attribute have the variance 3 · 1, and of the second 2 · 1.
    let pair = measured(&[1, 0], &[10.0, 20.0, 5.0, 25.0, 15.0, 25.0], 1.0);
    let found = shares(request(vec![pair, measured(&[0], &[40.0, 60.0], 6.0)]));
    near(
        &found[0],
        &[(2.0 / 3.0 * 30.0 + 1.0 / 3.0 * 40.0) / 100.0, (2.0 / 3.0 * 70.0 + 1.0 / 3.0 * 60.0) / 100.0],
    );
    near(&found[1], &[0.3, 0.3, 0.4]);
}

#[test]
fn noise_below_zero_is_projected_away_and_the_rest_is_the_priors() {
    let found = shares(request(vec![measured(&[1], &[-10.0, 60.0, 50.0], 1.0)]));
    near(&found[1], &[0.0, 0.55, 0.45]);
    near(&found[0], &[0.6, 0.4]);
    let without = Request { rows: None, ..request(vec![measured(&[1], &[50.0, 30.0, 20.0], 1.0)]) };
    near(&shares(without)[0], &[0.5, 0.5]);
}
