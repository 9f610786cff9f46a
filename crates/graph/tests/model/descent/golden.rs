//! Losses and marginals that mbi 2.0.0 found after 20,000 iterations: golden.py.

use super::{SMOOTH, assert_alike, limits, run};
use crate::dense::restored;
use marginalia_graph::fit::descent::Loss;
use marginalia_graph::fit::{Operator, Problem};
use marginalia_graph::{Passes, plan};
use marginalia_tables::query::Matrix;
use std::sync::Arc;

#[test]
fn mbi_finds_the_same() {
    let golden: serde_json::Value = serde_json::from_str(include_str!("golden.json")).unwrap();
    let numbers = |list: &serde_json::Value| -> Vec<f64> {
        list.as_array().unwrap().iter().map(|one| one.as_f64().unwrap()).collect()
    };
    for case in golden["cases"].as_array().unwrap() {
        let sizes: Vec<u32> = numbers(&case["sizes"]).into_iter().map(|size| size as u32).collect();
        let measured = case["measurements"].as_array().unwrap();
        let clique =
            |one: &serde_json::Value| numbers(&one["clique"]).into_iter().map(|a| a as u16).collect();
        let cliques: Vec<Vec<u16>> = measured.iter().map(clique).collect();
        let tree = Arc::new(plan(&sizes, &cliques, 1e9).unwrap());
        let total = case["total"].as_f64().unwrap();
        let mut problem = Problem::new(Arc::new(Passes::new(Arc::clone(&tree))));
        for (leaf, one) in measured.iter().enumerate() {
            let shares: Vec<f64> = numbers(&one["values"]).into_iter().map(|value| value / total).collect();
            let weight = (total / one["sigma"].as_f64().unwrap()).powi(2);
            let (operator, shares) = match one["prefix"].as_bool().unwrap() {
                true => (Operator::Linear(Matrix::prefix(shares.len()).unwrap()), shares),
                false => (Operator::Identity, tree.arranged(leaf, &shares)),
            };
            problem.measure(leaf, operator, &shares, weight).unwrap();
        }
        for method in SMOOTH {
            let found = run(&problem, &Loss::Squares, method, limits(5000));
            let loss = case["loss"].as_f64().unwrap();
            assert!((found.loss / loss - 1.0).abs() < 1e-7, "{method:?}: {} {loss}", found.loss);
            let marginals = restored(&tree, &found.marginals);
            for (one, shares) in measured.iter().zip(marginals) {
                let counts: Vec<f64> = shares.iter().map(|share| total * share).collect();
                assert_alike(&counts, &numbers(&one["marginal"]), 3e-3);
            }
        }
    }
}
