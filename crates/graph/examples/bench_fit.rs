//! What estimates take, and how good they are: `cargo run --release -p marginalia-graph --example bench_fit -- FOLDER`, with
//! adult15/ in the folder.

use marginalia_compute::job::{Job, Steps};
use marginalia_graph::fit::{Base, Calibrated, Choice, Fit, Operator, Options, Problem, calibrate, fit};
use marginalia_graph::{Passes, plan};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let folder = std::env::args().nth(1).expect("the folder of adult15/");
    let problem = adult(&folder);
    for strength in [3000.0, 1000.0, 300.0, 100.0, 30.0] {
        let mut problem = problem.clone();
        problem.set_strength(strength);
        let start = Instant::now();
        let Fit { gap, trace, point, .. } = Steps::new(|pace| async move {
            let found = fit(&problem, None, &Options::default(), &pace).await?;
            Ok((found, problem))
        })
        .complete()
        .map(|(found, problem)| {
            println!("loss {:.1}", 0.5 * found.point.residual(&problem));
            found
        })
        .unwrap();
        let products = trace.last().map_or(0, |step| step.products);
        println!(
            "n0 {strength}: gap {:.1e}, {} steps, {products} products, KL {:.5}, {:.3} s, {}",
            gap.relative(),
            trace.len(),
            gap.entropy,
            start.elapsed().as_secs_f64(),
            point.marginals().len()
        );
    }
    let start = Instant::now();
    let mut own = problem.clone();
    let base = Base::own(problem.tree());
    let options = Options { tolerance: 1e-3, ..Options::default() };
    let Calibrated { fit, strength, freedom, residual, rounds } =
        Steps::new(|pace| async move { calibrate(&mut own, &base, Choice::Residual, &options, &pace).await })
            .complete()
            .unwrap();
    println!(
        "recipe: n0 {strength:.0}, df {freedom:?}, residual {residual:.0}, {rounds} rounds, gap {:.1e}, {:.3} s",
        fit.gap.relative(),
        start.elapsed().as_secs_f64()
    );
}

fn adult(folder: &str) -> Problem {
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
