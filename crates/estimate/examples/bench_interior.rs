//! Passes and seconds of the L1 problems of MARGINALIA_DATA, to gaps 1e-3 and 1e-6.
//!
//!   cargo run --release -p marginalia-estimate --example bench_interior [name]

#[path = "../tests/problems/data.rs"]
mod data;

use data::Data;
use marginalia_estimate::interior::{InteriorJob, Options, Problem};
use std::time::Instant;

fn main() {
    let Some(folder) = data::folder() else { return };
    let wanted = std::env::args().nth(1);
    println!("table rule epsilon Lambda tolerance: seconds, row passes, sweeps, steps, products, factorisations, gap");
    for name in ["acs-ma", "adult"] {
        if wanted.as_ref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        let data = Data::read(&folder, name);
        println!("{name}: {} rows, {} cells", data.index.rows(), data.index.cells());
        for known in data.problems("l1") {
            for tolerance in [1e-3, 1e-6] {
                let bounds = vec![known.weight; data.index.cells()];
                let problem = Problem::new(data.index.clone(), &data.prior, known.answers.clone(), bounds);
                let start = Instant::now();
                let options = Options { tolerance, ..Options::default() };
                let fit = InteriorJob::new(problem.unwrap(), options).finish().unwrap();
                let seconds = start.elapsed().as_secs_f64();
                let counts = fit.counts;
                println!(
                    "{} {} {} {:.3} {tolerance:e}: {seconds:.3} s, {} passes, {}, {}, {}, {}, {:.1e} {}",
                    data.name,
                    known.rule,
                    known.epsilon,
                    known.weight,
                    counts.row_passes,
                    counts.sweeps,
                    counts.steps,
                    counts.products,
                    counts.factorisations,
                    fit.certificate.relative,
                    fit.status.as_str()
                );
            }
        }
    }
}
