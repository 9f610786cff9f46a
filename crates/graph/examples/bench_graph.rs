//! What passes take: `cargo run --release -p marginalia-graph --example bench_graph -- FOLDER`, with adult15/ in the folder.

use marginalia_compute::seed::Seed;
use marginalia_graph::{Oracle, Passes, plan};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    if let Some(folder) = std::env::args().nth(1) {
        let (sizes, cliques) = adult(&folder);
        measured("adult15", &sizes, &cliques);
    }
    for d in [10u16, 100, 1000] {
        let cliques: Vec<Vec<u16>> = (0..d - 2).map(|a| vec![a, a + 1, a + 2]).collect();
        measured(&format!("{d} attributes in a row"), &vec![10; usize::from(d)], &cliques);
    }
}

/// The attributes and cliques of the fifteen triples.
fn adult(folder: &str) -> (Vec<u32>, Vec<Vec<u16>>) {
    let text = std::fs::read_to_string(format!("{folder}/adult15/measurements.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let domain = json["domain"].as_object().unwrap();
    let names: Vec<&String> = domain.keys().collect();
    let sizes = domain.values().map(|size| size.as_u64().unwrap() as u32).collect();
    let place = |name: &serde_json::Value| {
        names.iter().position(|own| own.as_str() == name.as_str().unwrap()).unwrap() as u16
    };
    let clique = |one: &serde_json::Value| one["clique"].as_array().unwrap().iter().map(place).collect();
    let cliques = json["measurements"].as_array().unwrap().iter().map(clique).collect();
    (sizes, cliques)
}

fn measured(name: &str, sizes: &[u32], cliques: &[Vec<u16>]) {
    let (tree, planning) = timed(3, || Arc::new(plan(sizes, cliques, 1e10).unwrap()));
    let cost = tree.cost().clone();
    let (passes, tables) = timed(3, || Arc::new(Passes::new(Arc::clone(&tree))));
    let mut oracle = Oracle::new(Arc::clone(&passes));
    let mut seed = Seed::new(1);
    let cells = oracle.tree().cells();
    let mut number = || seed.uniform() - 0.5;
    let (theta, v): (Vec<f64>, Vec<f64>) = (0..cells).map(|_| (number(), number())).unzip();
    let mut out = vec![0.0; cells];
    let (log_z, forward) = timed(50, || oracle.forward(&theta));
    let (_, reverse) = timed(50, || oracle.reverse(&theta));
    let (_, product) = timed(50, || oracle.product(&v, &mut out));
    println!(
        "{name}: {cells} cells, {:.3} M multiplications, {:.1} MB, plan {planning:.2} ms, tables {tables:.2} ms; log Z {log_z:.6} in {forward:.3}, \
         with all marginals {:.3}, product {product:.3} ms",
        cost.multiplications / 1e6,
        cost.bytes() / 1e6,
        forward + reverse
    );
}

/// What the last of some runs gave, and the milliseconds of the fastest.
fn timed<T>(runs: usize, mut f: impl FnMut() -> T) -> (T, f64) {
    let mut run = || {
        let start = Instant::now();
        let out = f();
        (out, 1e3 * start.elapsed().as_secs_f64())
    };
    let first = run();
    (1..runs).fold(first, |(_, least), _| {
        let (out, took) = run();
        (out, least.min(took))
    })
}
