//! Cases that estimators stumble over, against closed forms.

use marginalia_lp::{Marginal, Options, Problem, Solution, Status, Target, TwoStage};
use marginalia_tables::{Code, Unmet};

type CellsOfRows<'a> = (usize, &'a [u32]);

fn problem(
    marginals: &[CellsOfRows<'_>],
    prior: &[f64],
    answers: &[f64],
    weights: Option<&[f64]>,
) -> marginalia_tables::Result<Problem> {
    let marginals: Vec<Marginal<'_>> =
        marginals.iter().map(|(cells, of_row)| Marginal { cells: *cells, of_row }).collect();
    Problem::new(&marginals, prior, answers, weights)
}

fn solve(marginals: &[CellsOfRows<'_>], prior: &[f64], answers: &[f64], target: Target) -> Solution {
    let problem = problem(marginals, prior, answers, None).unwrap();
    TwoStage::new(problem, Options { target, ..Options::default() }).unwrap().finish()
}

fn assert_close(found: &[f64], wanted: &[f64], tolerance: f64) {
    assert_eq!(found.len(), wanted.len());
    for (found, wanted) in found.iter().zip(wanted) {
        assert!((found - wanted).abs() <= tolerance, "{found} is not {wanted}");
    }
}

const CELLS: [u32; 4] = [0, 1, 2, 3];

/// Of all nearest points of the simplex the one that is `min(ỹ⁺, c·m)`.
#[test]
fn one_marginal_with_too_much_mass_is_cut_from_the_top() {
    let found = solve(&[(4, &CELLS)], &[1.0; 4], &[0.6, 0.5, -0.1, 0.2], Target::Loss);
    assert_eq!((found.status, found.reason), (Status::Converged, Some(Unmet::Negative)));
    assert_close(&found.q, &[0.4, 0.4, 0.0, 0.2], 1e-8);
    assert_close(&[found.certificate.loss], &[0.4], 1e-9);
}

#[test]
fn one_marginal_with_too_little_mass_is_raised_in_proportion_to_the_prior() {
    let found = solve(&[(4, &CELLS)], &[4.0, 3.0, 2.0, 1.0], &[0.1, 0.1, 0.5, 0.1], Target::Loss);
    assert_eq!((found.status, found.reason), (Status::Converged, Some(Unmet::Totals)));
    // max(ỹ, c·m) with c = 4/7 for the first two.
    assert_close(&found.q, &[0.4 * 4.0 / 8.0, 0.4 * 3.0 / 8.0, 0.5, 0.4 / 8.0 + 0.05], 0.06);
    assert_close(&[found.certificate.loss], &[0.2], 1e-9);
}

/// Theorem 3.1: the one-step update, when every answer above zero has prior mass.
#[test]
fn a_consistent_marginal_is_met_by_scaling_its_rows() {
    let of_row = [0, 0, 1, 1, 2];
    let prior = [0.1, 0.2, 0.3, 0.3, 0.1];
    let found = solve(&[(3, &of_row)], &prior, &[0.6, 0.3, 0.1], Target::Answers);
    assert_eq!((found.status, found.reason), (Status::Converged, None));
    assert_close(&found.q, &[0.2, 0.4, 0.15, 0.15, 0.1], 1e-8);
}

/// Where Theorem 3.1 has no prior mass, the entropy would be infinite: the answer is not met, and that is said.
#[test]
fn an_answer_without_prior_mass_is_not_met() {
    let found = solve(&[(3, &[0, 0, 1, 2])], &[0.5, 0.2, 0.3, 0.0], &[0.4, 0.2, 0.4], Target::Answers);
    assert_eq!((found.status, found.reason), (Status::Infeasible, Some(Unmet::Unsupported)));
    assert_close(&[found.certificate.loss, found.unsupported], &[0.4, 0.4], 1e-8);
    // max(ỹ, c·m) on the two cells that have mass, 0.7 and 0.3.
    assert_close(&found.q, &[0.5, 0.2, 0.3, 0.0], 1e-8);
}

#[test]
fn answers_of_zero_leave_the_prior() {
    let prior = [0.4, 0.3, 0.2, 0.1];
    let found = solve(&[(4, &CELLS), (2, &[0, 0, 1, 1])], &prior, &[0.0; 6], Target::Loss);
    assert_eq!((found.status, found.reason), (Status::Converged, Some(Unmet::Totals)));
    assert_close(&found.q, &prior, 1e-7);
    assert_close(&[found.certificate.loss, found.certificate.kl], &[2.0, 0.0], 1e-9);
}

#[test]
fn one_row_takes_all() {
    let found = solve(&[(2, &[0]), (3, &[2])], &[7.0], &[0.5, 0.1, 0.2, 0.2, 0.9], Target::Loss);
    assert_eq!((found.status, found.reason), (Status::Converged, Some(Unmet::Unsupported)));
    assert_eq!(found.q, [1.0]);
    assert_close(&[found.certificate.loss, found.unsupported, found.certificate.kl], &[0.6, 0.5, 0.0], 1e-12);
}

#[test]
fn no_marginal_and_no_cell_leave_the_prior() {
    let found = solve(&[], &[1.0, 3.0], &[], Target::Loss);
    assert_eq!(found.status, Status::Converged);
    assert_close(&found.q, &[0.25, 0.75], 1e-9);
}

#[test]
fn marginals_that_disagree_are_told_from_those_that_do_not() {
    let twice: [CellsOfRows<'_>; 2] = [(2, &[0, 0, 1]), (2, &[0, 0, 1])];
    let found = solve(&twice, &[1.0; 3], &[0.4, 0.6, 0.5, 0.5], Target::Answers);
    assert_eq!((found.status, found.reason), (Status::Infeasible, Some(Unmet::Disagree)));
    assert_close(&[found.certificate.loss], &[0.2], 1e-8);
    // Anything between both has that loss; the nearest to the prior, 2/3, is .5.
    assert_close(&found.q, &[0.25, 0.25, 0.5], 1e-7);
}

#[test]
fn a_duplicated_clique_counts_twice_and_a_nested_one_once() {
    let (a, b): (&[u32], &[u32]) = (&[0, 0, 1, 1], &[0, 1, 0, 1]);
    let pair: &[u32] = &CELLS;
    let answers = [0.5, 0.4, 0.3, 0.6, 0.2, 0.3, 0.1, 0.3];
    let prior = [0.3, 0.3, 0.2, 0.2];
    let doubled = [&answers[..2], &answers].concat();
    let once = problem(
        &[(2, a), (2, b), (4, pair)],
        &prior,
        &answers,
        Some(&[2.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]),
    );
    let once = TwoStage::new(once.unwrap(), Options::default()).unwrap().finish();
    let twice = solve(&[(2, a), (2, a), (2, b), (4, pair)], &prior, &doubled, Target::Loss);
    assert_eq!(once.status, Status::Converged);
    assert_eq!(once.q, twice.q);
    assert_close(&[once.certificate.loss], &[twice.certificate.loss], 1e-12);
}

#[test]
fn weights_over_twelve_orders_of_magnitude_are_obeyed_in_their_order() {
    let (a, b): (&[u32], &[u32]) = (&[0, 0, 1, 1], &[0, 1, 0, 1]);
    let weights = [1e6, 1e6, 1.0, 1.0, 1e-6, 1e-6, 1e-6, 1e-6];
    let answers = [0.7, 0.3, 0.2, 0.8, 0.7, 0.0, 0.0, 0.3];
    let small = problem(&[(2, a), (2, b), (4, &CELLS)], &[0.25; 4], &answers, Some(&weights)).unwrap();
    let found = TwoStage::new(small, Options::default()).unwrap().finish();
    let (a, b) = (found.q[0] + found.q[1], found.q[0] + found.q[2]);
    assert_close(&[a, b], &[0.7, 0.2], 1e-9);
    assert!(found.certificate.relative_loss_gap < 1e-4, "{found:?}");
}

#[test]
fn priors_over_twelve_orders_of_magnitude_are_no_reason_to_lose_a_row() {
    let prior = [1.0, 1e-6, 1e-12, 1e-3];
    let found = solve(&[(4, &CELLS)], &prior, &[0.1, 0.2, 0.3, 0.4], Target::Answers);
    assert_eq!(found.status, Status::Converged, "{found:?}");
    assert_close(&found.q, &[0.1, 0.2, 0.3, 0.4], 1e-7);
}

#[test]
fn few_iterations_give_the_best_so_far_with_its_gap() {
    let marginals: [CellsOfRows<'_>; 2] = [(3, &[0, 1, 2, 0, 1, 2]), (2, &[0, 0, 0, 1, 1, 1])];
    let answers = [0.1, 0.6, 0.2, 0.8, 0.3];
    let small = problem(&marginals, &[1.0; 6], &answers, None).unwrap();
    let options = Options { iterations: 2, ..Options::default() };
    let found = TwoStage::new(small, options).unwrap().finish();
    assert_eq!(found.status, Status::Limit);
    let best = solve(&marginals, &[1.0; 6], &answers, Target::Loss);
    assert!(found.certificate.relative_gap > 1e-6);
    assert!(found.certificate.loss - found.certificate.loss_gap <= best.certificate.loss + 1e-12);
}

#[test]
fn a_watch_ends_a_stage_and_the_next_step_begins_it_again() {
    let small = problem(&[(4, &CELLS)], &[1.0; 4], &[0.6, 0.5, -0.1, 0.2], None).unwrap();
    let mut job = TwoStage::new(small, Options::default()).unwrap();
    assert!(!job.step(std::sync::Arc::new(|iteration| iteration == 2)));
    assert_eq!(job.done(), 0);
    assert!(!job.step(std::sync::Arc::new(|_| false)));
    assert_eq!(job.done(), 1);
    assert_close(&job.finish().q, &[0.4, 0.4, 0.0, 0.2], 1e-8);
}

#[test]
fn what_makes_no_sense_is_refused_by_its_option() {
    let refused = |found: marginalia_tables::Result<Problem>| found.unwrap_err().code == Code::OptionInvalid;
    let one: &[u32] = &[0, 1];
    assert!(refused(problem(&[(2, one)], &[1.0, 1.0], &[0.5], None)));
    assert!(refused(problem(&[(2, one)], &[1.0], &[0.5, 0.5], None)));
    assert!(refused(problem(&[(1, one)], &[1.0, 1.0], &[0.5], None)));
    assert!(refused(problem(&[(2, one)], &[0.0, 0.0], &[0.5, 0.5], None)));
    assert!(refused(problem(&[(2, one)], &[-1.0, 2.0], &[0.5, 0.5], None)));
    assert!(refused(problem(&[(2, one)], &[1.0, 2.0], &[f64::NAN, 0.5], None)));
    assert!(refused(problem(&[(2, one)], &[1.0, 2.0], &[0.5, 0.5], Some(&[1.0, f64::INFINITY]))));
    let small = problem(&[(2, one)], &[1.0, 2.0], &[0.5, 0.5], None).unwrap();
    assert!(TwoStage::new(small, Options { tolerance: 0.0, ..Options::default() }).is_err());
}
