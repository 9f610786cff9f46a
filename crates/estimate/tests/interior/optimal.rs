//! Random and hard problems: each solution is proved optimal by values that the tests compute themselves.

use crate::small::{Small, case_a};
use marginalia_estimate::estimators::interior::{Fit, Options, Problem, Status, interior};
use marginalia_estimate::job::{Job, Steps};
use marginalia_estimate::models::support::Index;
use marginalia_tables::Code;
use proptest::prelude::*;

/// A small problem with a bound for each supported cell.
#[derive(Debug, Clone)]
struct Case {
    small: Small,
    answers: Vec<f64>,
    bounds: Vec<f64>,
}

impl Case {
    fn new(small: Small, answer: impl Fn(usize) -> f64, bound: impl Fn(usize) -> f64) -> Self {
        let cells = small.index().cells();
        Self { small, answers: (0..cells).map(answer).collect(), bounds: (0..cells).map(bound).collect() }
    }

    fn job(&self, options: Options) -> Steps<Fit> {
        let (answers, bounds) = (self.answers.clone(), self.bounds.clone());
        let problem = Problem::new(self.small.index(), &self.small.prior, answers, bounds);
        interior(problem.unwrap(), options)
    }

    fn solve(&self) -> Fit {
        self.job(Options { tolerance: 1e-9, ..Options::default() }).complete().unwrap()
    }

    /// Primal value of weights, from the definition.
    fn primal(&self, index: &Index, weights: &[f64]) -> f64 {
        let total: f64 = self.small.prior.iter().sum();
        let mut m = vec![0.0; index.cells()];
        index.scatter(weights, &mut m);
        let misfit = m.iter().zip(&self.answers).zip(&self.bounds);
        let loss: f64 = misfit.map(|((m, y), bound)| bound * (m - y).abs()).sum();
        let terms = weights.iter().zip(&self.small.prior).filter(|(q, _)| **q > 0.0);
        loss + terms.map(|(q, p)| q * (q / (p / total)).ln()).sum::<f64>()
    }

    /// Dual value of u, from the definition.
    fn dual(&self, index: &Index, u: &[f64]) -> f64 {
        let total: f64 = self.small.prior.iter().sum();
        let mut t = vec![0.0; index.rows()];
        index.gather(u, &mut t);
        let logs: Vec<f64> = t.iter().zip(&self.small.prior).map(|(t, p)| t + (p / total).ln()).collect();
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let log_z = largest + logs.iter().map(|log| (log - largest).exp()).sum::<f64>().ln();
        u.iter().zip(&self.answers).map(|(u, y)| u * y).sum::<f64>() - log_z
    }

    /// Weak duality: no distribution is better than the dual value, so a fit whose values meet is optimal.
    fn assert_optimal(&self, fit: &Fit) {
        let index = self.small.index();
        let (primal, dual) = (self.primal(&index, &fit.weights), self.dual(&index, &fit.u));
        assert!((fit.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!(fit.u.iter().zip(&self.bounds).all(|(u, bound)| u.abs() <= bound.max(1e-29)));
        let scale =
            1.0 + self.bounds.iter().zip(&self.answers).map(|(b, y)| b * (1.0 + y.abs())).sum::<f64>();
        let within = 1e-9 * primal.max(1e-9) + 1e-13 * scale;
        assert!(primal - dual <= within, "{primal} − {dual}: {:?} {:?}", fit.status, fit.counts);
        assert!((fit.certificate.primal - primal).abs() <= within);
        assert!((fit.certificate.dual() - dual).abs() <= within);
    }

    fn check(&self) -> Fit {
        let fit = self.solve();
        assert_eq!(fit.status, Status::Converged, "{:?} {:?}", fit.certificate, fit.counts);
        self.assert_optimal(&fit);
        fit
    }
}

/// Problems over up to four attributes: cliques may repeat and nest, answers be negative and contradictory, and
/// bounds and weights differ by orders of magnitude. Bounds are below 3·10⁴.
fn cases() -> impl Strategy<Value = Case> {
    cases_up_to(3.0)
}

/// The same with bounds up to 30 times this power of ten.
fn cases_up_to(most: f64) -> impl Strategy<Value = Case> {
    let sizes = prop::collection::vec(1u32..4, 1..5);
    sizes.prop_flat_map(move |sizes| {
        let row = sizes.iter().map(|size| 0..*size as u16).collect::<Vec<_>>();
        let rows = prop::collection::vec((row, -12.0..0.0), 1..12);
        let clique = prop::sample::subsequence((0..sizes.len() as u16).collect::<Vec<_>>(), 1..=sizes.len());
        let cells = prop::collection::vec((-0.2..0.8, -1.5..1.5), 1..64);
        (Just(sizes), rows, prop::collection::vec(clique, 1..5), cells, -3.0..most).prop_map(
            |(sizes, rows, cliques, cells, size)| {
                let prior = rows.iter().map(|(_, weight)| 10f64.powf(*weight)).collect();
                let small =
                    Small { sizes, rows: rows.into_iter().map(|row| row.0).collect(), prior, cliques };
                let cell = |i: usize| cells[i % cells.len()];
                Case::new(small, |i| cell(i).0, |i| 10f64.powf(size + cell(i).1))
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_problem_is_solved_to_a_gap_that_holds(case in cases()) {
        case.check();
    }

    /// Bounds so large that one cell outweighs all entropy.
    #[test]
    fn any_larger_problem_is_solved_too(case in cases_up_to(4.0)) {
        case.check();
    }

    #[test]
    fn sweeps_and_steps_of_any_size_change_nothing(case in cases(), work in 1u64..5000) {
        let whole = case.solve();
        let mut job = case.job(Options { tolerance: 1e-9, ..Options::default() });
        while !job.step(work).over {}
        let pieces = job.complete().unwrap();
        prop_assert_eq!(whole.u, pieces.u);
        prop_assert_eq!(whole.weights, pieces.weights);
        prop_assert_eq!(whole.counts, pieces.counts);
    }

    #[test]
    fn a_solution_that_is_stopped_keeps_the_best_point(case in cases(), work in 1u64..20_000) {
        let mut job = case.job(Options { tolerance: 1e-9, ..Options::default() });
        job.step(work);
        let judged = job.judgements();
        let fit = Box::new(job).finish().unwrap();
        prop_assert_eq!(fit.trace.len(), judged);
        let index = case.small.index();
        let gap = case.primal(&index, &fit.weights) - case.dual(&index, &fit.u);
        let scale = 1.0 + case.bounds.iter().sum::<f64>();
        prop_assert!((fit.certificate.gap - gap).abs() <= 1e-12 * scale);
        if let Some((_, seen)) = fit.trace.last() {
            let rounding = 1e-12 * scale / fit.certificate.primal.max(1e-9);
            prop_assert!(fit.certificate.relative <= seen.relative * (1.0 + 1e-6) + rounding);
        }
    }
}

fn binary(prior: &[f64], cliques: &[&[u16]]) -> Small {
    Small::new(&[2, 2], &[&[0, 0], &[0, 1], &[1, 0], &[1, 1]], prior, cliques)
}

#[test]
fn answers_that_are_all_zero_or_negative_are_legal() {
    let small = binary(&[0.4, 0.3, 0.2, 0.1], &[&[0], &[1], &[0, 1]]);
    for bound in [0.05, 1.0, 100.0] {
        // All answers too low by the same: what is nearest is everything alike, so the prior stays.
        let fit = Case::new(small.clone(), |_| 0.0, |_| bound).check();
        fit.weights.iter().zip(&small.prior).for_each(|(q, p)| assert!((q - p).abs() < 1e-5));
        Case::new(small.clone(), |i| -(i as f64) / 10.0, |_| bound).check();
        Case::new(small.clone(), |i| 2.0 + i as f64, |_| bound).check();
    }
}

#[test]
fn one_row_is_its_own_answer() {
    let small = Small::new(&[2], &[&[1]], &[3.0], &[&[0]]);
    let fit = Case::new(small, |_| 0.4, |_| 10.0).check();
    assert_eq!(fit.weights, [1.0]);
    assert!((fit.certificate.primal - 6.0).abs() < 1e-12);
}

#[test]
fn nothing_measured_or_nothing_counted_leaves_the_prior() {
    for (cliques, bound) in [(&[][..], 1.0), (&[&[0u16][..]][..], 0.0)] {
        let small = binary(&[4.0, 3.0, 2.0, 1.0], cliques);
        let fit = Case::new(small, |_| 0.5, |_| bound).check();
        for (q, p) in fit.weights.iter().zip([0.4, 0.3, 0.2, 0.1]) {
            assert!((q - p).abs() < 1e-15);
        }
    }
}

#[test]
fn a_clique_given_twice_counts_twice() {
    let weights = [0.4, 0.3, 0.2, 0.1];
    let twice = Case::new(binary(&weights, &[&[0], &[0]]), |i| [0.1, 0.9][i % 2], |_| 0.3).check();
    let once = Case::new(binary(&weights, &[&[0]]), |i| [0.1, 0.9][i], |_| 0.6).check();
    twice.weights.iter().zip(&once.weights).for_each(|(a, b)| assert!((a - b).abs() < 1e-4, "{a} {b}"));
}

#[test]
fn bounds_over_twelve_orders_of_magnitude() {
    let small = binary(&[1e-12, 1.0, 1e-6, 1e-3], &[&[0], &[1], &[0, 1]]);
    for smallest in [-12, -6] {
        let bound = |i: usize| 10f64.powi(smallest + 12 * i as i32 / 7);
        Case::new(small.clone(), |i| 0.1 * (i as f64 + 1.0), bound).check();
    }
}

/// The least primal value over a grid of the simplex of three rows is no better, and nearly as good.
#[test]
fn a_grid_over_all_distributions_finds_nothing_better() {
    let small = Small::new(&[2, 2], &[&[0, 0], &[0, 1], &[1, 1]], &[0.5, 0.2, 0.3], &[&[0], &[1]]);
    for bound in [0.1, 0.7, 3.0] {
        let case = Case::new(small.clone(), |i| [0.3, 0.6, -0.1, 0.9][i], |i| bound * (1.0 + i as f64));
        let (fit, index) = (case.check(), small.index());
        let n = 400;
        let grid = (0..=n).flat_map(|a| (0..=n - a).map(move |b| [a, b, n - a - b]));
        let values = grid.map(|q| case.primal(&index, &q.map(|q| q as f64 / n as f64)));
        let least = values.fold(f64::INFINITY, f64::min);
        let primal = fit.certificate.primal;
        assert!(primal <= least + 1e-8 && least < primal + 0.02 * bound, "{primal} {least}");
    }
}

#[test]
fn a_limit_of_steps_is_reported_and_what_was_reached_is_kept() {
    let (small, answers) = case_a();
    let options = Options { tolerance: 1e-12, sweeps: 0, steps: 3, seed: 0 };
    let fit = interior(small.problem(&answers, 5.0), options).complete().unwrap();
    assert_eq!((fit.status, fit.counts.steps), (Status::IterationLimit, 3));
    assert!(fit.certificate.relative < 1.0 && fit.certificate.relative > 1e-12);
}

/// One attribute measured four times, with contradictory answers that outweigh the prior by far: without steps to the
/// central path the method goes in circles here, from one row to another and back.
#[test]
fn a_problem_that_invites_circles_is_solved() {
    let prior = [1.2187424102398249e-5, 0.00633041823452021, 7.383735913499418e-5];
    let small = Small::new(&[3], &[&[0], &[2], &[1]], &prior, &[&[0], &[0], &[0], &[0]]);
    let answers = [
        0.5932084660950747,
        0.19453763116135628,
        0.6675792518897062,
        0.0,
        0.7214799772578506,
        0.33732569384422423,
        0.0,
        0.11672727716832641,
        -0.11238986157025735,
        0.6193762206169191,
        0.7068248384365176,
        0.42034112823430503,
    ];
    let bounds = [
        23.460839408079455,
        4.1727018310578226,
        25.0502710623465,
        0.2839711362237024,
        7.1055274013665155,
        6.766001739134895,
        1.7782953686436553,
        14.181018290163935,
        62.025960802503775,
        44.388327223115915,
        7.631559301052617,
        72.96238564725458,
    ];
    Case::new(small, |i| answers[i], |i| bounds[i]).check();
}

#[test]
fn a_tolerance_that_nobody_reaches_ends_with_the_best_point() {
    let (small, answers) = case_a();
    for bound in [0.3, 3.0, 300.0] {
        let options = Options { tolerance: 0.0, ..Options::default() };
        let fit = interior(small.problem(&answers, bound), options).complete().unwrap();
        assert_ne!(fit.status, Status::Stopped);
        assert!(fit.certificate.relative < 1e-12, "{bound}: {:?} {:?}", fit.status, fit.certificate);
    }
}

#[test]
fn what_makes_no_problem_is_refused() {
    let (small, _) = case_a();
    let index = small.index();
    let (prior, answers, bounds) = ([0.2; 5], vec![0.1; 5], vec![1.0; 5]);
    Problem::new(index.clone(), &prior, answers.clone(), bounds.clone()).unwrap();
    let refused = |prior: &[f64], answers: &[f64], bounds: &[f64]| {
        let problem = Problem::new(index.clone(), prior, answers.to_vec(), bounds.to_vec());
        assert_eq!(problem.unwrap_err().code, Code::OptionInvalid);
    };
    refused(&prior[1..], &answers, &bounds);
    refused(&prior, &answers[1..], &bounds);
    refused(&prior, &answers, &bounds[1..]);
    refused(&[0.2, 0.2, 0.0, 0.2, 0.2], &answers, &bounds);
    refused(&[0.2, 0.2, f64::INFINITY, 0.2, 0.2], &answers, &bounds);
    refused(&prior, &[0.1, f64::NAN, 0.1, 0.1, 0.1], &bounds);
    refused(&prior, &answers, &[1.0, -1.0, 1.0, 1.0, 1.0]);
    refused(&prior, &answers, &[1.0, f64::INFINITY, 1.0, 1.0, 1.0]);
    let none = Small::new(&[2], &[], &[], &[&[0]]);
    assert_eq!(Problem::new(none.index(), &[], vec![], vec![]).unwrap_err().code, Code::OptionInvalid);
}
