//! Passes and seconds of the L1 problems of MARGINALIA_DATA, to gaps 1e-3 and 1e-6.
//!
//!   cargo run --release -p marginalia-estimate --example bench_interior [name]

#[path = "../tests/problems/data.rs"]
mod data;

use data::Data;
use marginalia_estimate::estimators::interior::{Options, Problem, interior};
use marginalia_estimate::job::Job;
use marginalia_estimate::models::support::Index;
use std::time::Instant;

/// Seconds of one gather and one scatter, the least of some.
fn passes(index: &Index) -> (f64, f64) {
    let (mut t, mut m) = (vec![0.0; index.rows()], vec![1.0; index.cells()]);
    let mut least = (f64::INFINITY, f64::INFINITY);
    for _ in 0..50 {
        let start = Instant::now();
        index.gather(&m, &mut t);
        let between = Instant::now();
        index.scatter(&t, &mut m);
        let (gather, scatter) = ((between - start).as_secs_f64(), between.elapsed().as_secs_f64());
        least = (least.0.min(gather), least.1.min(scatter));
    }
    least
}

fn main() {
    let Some(folder) = data::folder() else { return };
    let wanted = std::env::args().nth(1);
    for name in ["acs-ma", "adult"] {
        if wanted.as_ref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        let data = Data::read(&folder, name);
        let (gather, scatter) = passes(&data.index);
        println!("gather {:.0} us, scatter {:.0} us", 1e6 * gather, 1e6 * scatter);
        println!("{data}");
        for known in data.problems("l1") {
            for tolerance in [1e-3, 1e-6] {
                let bounds = vec![known.weight; data.index.cells()];
                let problem = Problem::new(data.index.clone(), &data.prior, known.answers.clone(), bounds);
                let start = Instant::now();
                let options = Options { tolerance, ..Options::default() };
                let fit = interior(problem.unwrap(), options).complete().unwrap();
                let seconds = start.elapsed().as_secs_f64();
                println!(
                    "{known}, gap {tolerance:e}: {seconds:.3} s, {:.1e}, {}, {:?}",
                    fit.certificate.relative,
                    fit.status.as_str(),
                    fit.counts,
                );
            }
        }
    }
}
