//! Values that another solver computed (HiGHS, and closed forms).

use marginalia_lp::{Marginal, Options, Problem, Solution, Status, Target, TwoStage};
use marginalia_tables::Unmet;

fn solve(marginals: &[(usize, &[u32])], prior: &[f64], answers: &[f64], target: Target) -> Solution {
    let marginals: Vec<Marginal<'_>> =
        marginals.iter().map(|(cells, of_row)| Marginal { cells: *cells, of_row }).collect();
    let problem = Problem::new(&marginals, prior, answers, None).unwrap();
    let options = Options { target, tolerance: 1e-8, ..Options::default() };
    TwoStage::new(problem, options).unwrap().finish()
}

fn assert_close(found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((found - wanted).abs() <= tolerance, "{found} is not {wanted}");
    }
}

#[test]
fn three_rows_of_two_attributes() {
    let solution = solve(
        &[(2, &[0, 0, 0, 1, 1]), (3, &[0, 1, 2, 1, 2])],
        &[0.30, 0.20, 0.10, 0.15, 0.25],
        &[0.45, 0.52, -0.03, 0.55, 0.50],
        Target::Loss,
    );
    assert_eq!((solution.status, solution.reason), (Status::Converged, Some(Unmet::Negative)));
    assert_close(&[solution.certificate.loss], &[0.11], 1e-10);
    assert_close(&[solution.certificate.kl], &[0.357608850764], 1e-9);
    assert_close(&solution.q, &[0.0, 0.3, 0.15, 0.20625, 0.34375], 1e-9);
}

#[test]
fn three_pairs_of_binary_attributes_and_a_row_without_prior() {
    let rows: [[u32; 3]; 7] = [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 1, 0]];
    let pair = |a: usize, b: usize| -> Vec<u32> { rows.iter().map(|row| 2 * row[a] + row[b]).collect() };
    let (ab, bc, ac) = (pair(0, 1), pair(1, 2), pair(0, 2));
    let solution = solve(
        &[(4, &ab), (4, &bc), (4, &ac)],
        &[0.20, 0.15, 0.10, 0.05, 0.25, 0.25, 0.0],
        &[0.33, 0.20, 0.41, 0.04, 0.40, 0.36, 0.14, 0.12, 0.28, 0.22, 0.22, 0.30],
        Target::Loss,
    );
    assert_eq!((solution.status, solution.reason), (Status::Converged, Some(Unmet::Unsupported)));
    // The optimum over all cells, .28, is the sum of both.
    assert_close(&[solution.certificate.loss, solution.unsupported], &[0.24, 0.04], 1e-9);
    assert_close(&[solution.certificate.kl], &[0.010557880419], 1e-9);
    assert_close(
        &solution.q,
        &[0.180915390885, 0.149084609115, 0.129084609115, 0.070915390885, 0.22, 0.25, 0.0],
        1e-9,
    );
}
