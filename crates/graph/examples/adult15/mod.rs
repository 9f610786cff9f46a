//! Noisy counts of 15 triples of Adult.

use marginalia_graph::fit::{Operator, Problem};
use marginalia_graph::{Passes, plan};
use std::sync::Arc;

/// The sizes of the attributes, the triples, and the noisy shares of each.
pub struct Adult {
    pub sizes: Vec<u32>,
    pub cliques: Vec<Vec<u16>>,
    pub shares: Vec<Vec<f64>>,
}

/// The records, and the standard deviation of the noise.
const RECORDS: f64 = 48_842.0;
const SIGMA: f64 = 50.0;

impl Adult {
    /// As a folder has it.
    pub fn read(folder: &str) -> Self {
        let text = std::fs::read_to_string(format!("{folder}/adult15/measurements.json")).unwrap();
        let bytes = std::fs::read(format!("{folder}/adult15/measurements.f32")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let domain = json["domain"].as_object().unwrap();
        let names: Vec<&String> = domain.keys().collect();
        let sizes: Vec<u32> = domain.values().map(|size| size.as_u64().unwrap() as u32).collect();
        let place = |name: &serde_json::Value| {
            names.iter().position(|own| own.as_str() == name.as_str().unwrap()).unwrap() as u16
        };
        let clique = |one: &serde_json::Value| one["clique"].as_array().unwrap().iter().map(place).collect();
        let cliques: Vec<Vec<u16>> = json["measurements"].as_array().unwrap().iter().map(clique).collect();
        let (fours, _) = bytes.as_chunks::<4>();
        let mut shares = fours.iter().map(|four| f64::from(f32::from_le_bytes(*four)) / RECORDS);
        let cells = |clique: &Vec<u16>| clique.iter().map(|a| sizes[usize::from(*a)] as usize).product();
        let shares = cliques.iter().map(|clique| shares.by_ref().take(cells(clique)).collect()).collect();
        Self { sizes, cliques, shares }
    }

    /// The problem of its measurements, of known size.
    pub fn problem(&self) -> Problem {
        let tree = Arc::new(plan(&self.sizes, &self.cliques, 1e10).unwrap());
        let mut problem = Problem::new(Arc::new(Passes::new(Arc::clone(&tree))));
        let weight = (RECORDS / SIGMA).powi(2);
        for (leaf, y) in self.shares.iter().enumerate() {
            problem.measure(leaf, Operator::Identity, &tree.arranged(leaf, y), weight).unwrap();
        }
        problem
    }
}
