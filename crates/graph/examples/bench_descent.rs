//! Calls of the oracle and seconds to losses on Adult: `cargo run --release -p marginalia-graph --example bench_descent --
//! FOLDER`, with adult15/ in the folder.

#[path = "adult15/mod.rs"]
mod adult15;

use marginalia_compute::job::{Job, Steps as Work};
use marginalia_graph::fit::descent::{Limits, Loss, Method, Steps, descend};
use std::time::Instant;

const LEVELS: [f64; 7] = [36_855.0, 32_274.0, 29_987.0, 28_685.0, 28_600.0, 28_550.0, 28_512.0];

fn main() {
    let folder = std::env::args().nth(1).expect("the folder of adult15/");
    let problem = adult15::Adult::read(&folder).problem();
    let iterations = std::env::args().nth(2).map_or(2000, |n| n.parse().expect("iterations"));
    println!("K = {:.3e}", Loss::Squares.lipschitz(&problem).unwrap());
    let methods = [
        ("mirror, search", Method::Mirror(Steps::Search)),
        ("mirror, adaptive", Method::Mirror(Steps::Adaptive)),
        ("mirror, decreasing", Method::Mirror(Steps::Decreasing)),
        ("dual averaging", Method::DualAveraging),
        ("interior gradient", Method::InteriorGradient),
        ("accelerated", Method::Accelerated),
    ];
    for (name, method) in methods {
        let own = problem.clone();
        let limits = Limits { iterations, tolerance: 0.0, until: None };
        let start = Instant::now();
        let found =
            Work::new(|pace| async move { descend(&own, &Loss::Squares, method, &limits, &pace).await })
                .complete()
                .unwrap();
        let seconds = start.elapsed().as_secs_f64();
        let calls = |level: f64| {
            found.trace.iter().find(|one| one.loss <= level).map_or("–".into(), |one| one.calls.to_string())
        };
        let least = found.trace.iter().map(|one| one.loss).fold(f64::INFINITY, f64::min);
        println!(
            "{name}: {} | least {least:.1}, of the model {:.1}, {:.3} ms per call",
            LEVELS.map(calls).join(" "),
            found.loss,
            1e3 * seconds / found.trace.last().unwrap().calls as f64
        );
    }
}
