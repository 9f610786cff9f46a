//! Noisy counts of 15 triples of Adult.

use marginalia_graph::fit::{Operator, Problem};
use marginalia_graph::{Passes, plan};
use std::sync::Arc;

/// The problem of its measurements, of known size.
pub fn problem(folder: &str) -> Problem {
    let text = std::fs::read_to_string(format!("{folder}/adult15/measurements.json")).unwrap();
    let bytes = std::fs::read(format!("{folder}/adult15/measurements.f32")).unwrap();
    let answers: Vec<f64> =
        bytes.as_chunks::<4>().0.iter().map(|four| f64::from(f32::from_le_bytes(*four))).collect();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let domain = json["domain"].as_object().unwrap();
    let names: Vec<&String> = domain.keys().collect();
    let sizes: Vec<u32> = domain.values().map(|size| size.as_u64().unwrap() as u32).collect();
    let place = |name: &serde_json::Value| {
        names.iter().position(|own| own.as_str() == name.as_str().unwrap()).unwrap() as u16
    };
    let clique = |one: &serde_json::Value| one["clique"].as_array().unwrap().iter().map(place).collect();
    let cliques: Vec<Vec<u16>> = json["measurements"].as_array().unwrap().iter().map(clique).collect();
    let tree = Arc::new(plan(&sizes, &cliques, 1e10).unwrap());
    let mut problem = Problem::new(Arc::new(Passes::new(Arc::clone(&tree))));
    let (n, sigma) = (48842.0, 50.0);
    let mut at = 0;
    for (leaf, of) in tree.leaves().iter().enumerate() {
        let y: Vec<f64> = answers[at..at + of.cells].iter().map(|y| y / n).collect();
        problem.measure(leaf, Operator::Identity, &tree.arranged(leaf, &y), n * n / (sigma * sigma)).unwrap();
        at += of.cells;
    }
    problem
}
