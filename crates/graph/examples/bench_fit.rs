//! What estimates take, and how good they are: `cargo run --release -p marginalia-graph --example bench_fit -- FOLDER`, with
//! adult15/ in the folder.

#[path = "adult15/mod.rs"]
mod adult15;

use marginalia_compute::job::{Job, Steps};
use marginalia_graph::fit::{Base, Calibrated, Choice, Fit, Options, calibrate, fit};
use std::time::Instant;

fn main() {
    let folder = std::env::args().nth(1).expect("the folder of adult15/");
    let problem = adult15::Adult::read(&folder).problem();
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
