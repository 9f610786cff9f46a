//! The problems of the test data without their price: the optimum of the linear program is HiGHS'.

#[path = "../problems/data.rs"]
mod data;

use data::{Data, folder};
use marginalia_estimate::estimators::two_stage::{Options, Solution, two_stage};
use marginalia_estimate::job::Job;

/// Of acs-ma with the answers at ε = 10 for Laplace noise: by HiGHS, and by crates/lp.
const LOSS: f64 = 0.282872511264;
const ENTROPY: f64 = 0.408055378;

fn solved(options: Options) -> Option<Solution> {
    let data = Data::read(&folder()?, "acs-ma");
    let answers = data.problems("l1").pop().unwrap().answers;
    let start = std::time::Instant::now();
    let found = two_stage(data.index.clone(), data.prior.clone(), answers, options).complete().unwrap();
    let certificate = found.certificate;
    eprintln!("{:?} {certificate:?} {:?}", start.elapsed(), found.rounds.last());
    assert!(found.converged, "{certificate:?}");
    assert!(certificate.loss >= LOSS * (1.0 - 1e-9), "{certificate:?}");
    assert!(certificate.loss - certificate.loss_gap <= LOSS * (1.0 + 1e-9), "{certificate:?}");
    Some(found)
}

#[test]
fn the_least_loss_is_that_of_the_linear_program() {
    let Some(found) = solved(Options { tolerance: 1e-6, entropy: true, seed: 0 }) else { return };
    let certificate = found.certificate;
    assert!((certificate.entropy - ENTROPY).abs() <= certificate.entropy_gap + 1e-6, "{certificate:?}");
}

#[test]
fn and_so_it_is_alone() {
    let Some(found) = solved(Options { tolerance: 1e-6, entropy: false, seed: 0 }) else { return };
    assert!(found.certificate.entropy >= ENTROPY, "{:?}", found.certificate);
}
