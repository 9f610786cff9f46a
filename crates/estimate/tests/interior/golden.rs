//! Values that a linear program and other solvers gave for the two small cases.

use crate::small::{case_a, case_b};
use marginalia_estimate::estimators::interior::{Fit, Status};

fn assert_close(values: &[f64], golden: &[f64], within: f64) {
    assert_eq!(values.len(), golden.len());
    for (value, golden) in values.iter().zip(golden) {
        assert!((value - golden).abs() <= within, "{values:?} are not {golden}");
    }
}

fn assert_solved(fit: &Fit) {
    assert_eq!(fit.status, Status::Converged, "{:?} {:?}", fit.certificate, fit.counts);
    assert_close(&[fit.weights.iter().sum()], &[1.0], 1e-14);
}

const TIGHT: f64 = 1e-13;

#[test]
fn case_a_at_three_bounds() {
    let (small, answers) = case_a();
    let half = small.solve(&answers, 0.5, TIGHT);
    assert_solved(&half);
    assert_close(&half.weights, &[0.129091882258, 0.233938745162, 0.116969372581, 0.195, 0.325], 1e-9);
    let certificate = half.certificate;
    let (kl, l1) = (certificate.divergence, certificate.distance);
    assert_close(&[certificate.primal, kl, l1], &[0.266665549552, 0.082573667295, 0.368183764515], 1e-9);

    let one = small.solve(&answers, 1.0, TIGHT);
    assert_solved(&one);
    let golden = [0.054821162439, 0.270051096446, 0.135025548223, 0.202538322335, 0.337563870558];
    assert_close(&one.weights, &golden, 1e-9);
    assert_close(
        &[one.certificate.divergence, one.certificate.distance],
        &[0.190651495764, 0.219642324878],
        1e-9,
    );

    let five = small.solve(&answers, 5.0, TIGHT);
    assert_solved(&five);
    assert_close(
        &[five.certificate.distance, five.certificate.divergence],
        &[0.110040858082, 0.357384130850],
        1e-9,
    );
}

/// The two-stage optimum has a zero, so that it is reached in the limit only, with an error of about e^−Λ.
#[test]
fn case_a_goes_to_the_two_stage_optimum_as_the_bound_grows() {
    let (small, answers) = case_a();
    for (bound, mass) in [(5.0, 2.0e-5), (10.0, 9.3e-10)] {
        let fit = small.solve(&answers, bound, TIGHT);
        assert_solved(&fit);
        assert!((fit.weights[0] / mass - 1.0).abs() < 0.05, "{bound}: {}", fit.weights[0]);
    }
    let fit = small.solve(&answers, 25.0, TIGHT);
    assert_solved(&fit);
    assert_close(&fit.weights, &[0.0, 0.3, 0.15, 0.20625, 0.34375], 1e-9);
    assert_close(&[fit.certificate.divergence, fit.certificate.distance], &[0.357608850764, 0.11], 1e-9);
}

/// The two-stage optimum is positive, so that it is reached at a finite Λ.
#[test]
fn case_b_is_the_two_stage_optimum_from_some_bound_on() {
    let (small, answers) = case_b();
    let golden = [0.180915390885, 0.149084609115, 0.129084609115, 0.070915390885, 0.22, 0.25];
    for bound in [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 50.0] {
        let fit = small.solve(&answers, bound, TIGHT);
        assert_solved(&fit);
        assert_close(&fit.weights, &golden, 1e-9);
        // The cell without support costs .04 more, whatever the weights.
        let (kl, l1) = (fit.certificate.divergence, fit.certificate.distance + 0.04);
        assert_close(&[kl, l1], &[0.010557880419, 0.28], 1e-9);
    }
    let fit = small.solve(&answers, 0.1, TIGHT);
    assert_solved(&fit);
    assert_close(&fit.weights, &[0.18, 0.15, 0.124719918338, 0.07, 0.22, 0.255280081662], 1e-9);
    let (kl, l1) = (fit.certificate.divergence, fit.certificate.distance + 0.04);
    assert_close(&[kl, l1], &[0.009350951600, 0.290560163324], 1e-9);
}
