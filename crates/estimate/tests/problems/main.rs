//! The calibrated problems of the test data, each solved to between its bounds.

mod data;

use data::{Data, Known, folder};
use marginalia_estimate::interior::{Fit, InteriorJob, Options, Problem, Status};

/// Row passes and factorisations to a gap of 1e-6 that a prototype took, in the order of the file.
const PROTOTYPE: [(&str, [(usize, usize); 7]); 2] = [
    ("acs-ma", [(484, 0), (558, 1), (670, 0), (294, 10), (371, 11), (386, 12), (774, 14)]),
    ("adult", [(1006, 0), (1289, 6), (1094, 0), (5432, 14), (7146, 14), (5908, 14), (42_828, 23)]),
];
/// As many passes a factorisation counts for. Here it takes as long as a hundred and more.
const FACTORISATION: usize = 20;

fn solve(data: &Data, known: &Known, options: Options) -> Fit {
    let bounds = vec![known.weight; data.index.cells()];
    let problem = Problem::new(data.index.clone(), &data.prior, known.answers.clone(), bounds).unwrap();
    InteriorJob::new(problem, options).finish().unwrap()
}

/// Whether the values of a fit and the bounds of the file agree.
fn assert_between(fit: &Fit, known: &Known) {
    let name = format!("{} {} {}", known.loss, known.rule, known.epsilon);
    let certificate = fit.certificate;
    assert_eq!(fit.status, Status::Converged, "{name}");
    assert!(certificate.relative <= 1e-6 && certificate.gap >= 0.0, "{name}: {certificate:?}");
    assert!(
        certificate.primal >= known.dual && certificate.dual() <= known.primal,
        "{name}: {certificate:?}"
    );
}

#[test]
fn every_l1_problem_is_solved_with_about_as_much_work_as_by_the_prototype() {
    let Some(folder) = folder() else { return };
    for (name, prototype) in PROTOTYPE {
        let data = Data::read(&folder, name);
        for (known, (passes, factorisations)) in data.problems("l1").iter().zip(prototype) {
            if known.weight > 10.0 && cfg!(debug_assertions) {
                continue;
            }
            let fit = solve(&data, known, Options::default());
            assert_between(&fit, known);
            let work = |passes, factorisations| passes + FACTORISATION * factorisations;
            let (ours, theirs) =
                (work(fit.counts.row_passes, fit.counts.factorisations), work(passes, factorisations));
            assert!(ours <= theirs * 5 / 4, "{data} {known}: {:?}", fit.counts);
        }
    }
}

/// Λ = 68 meets the optimum of the linear program on acs-ma at ε = 10, which HiGHS gives as .282872511264.
#[test]
fn a_large_bound_reaches_the_optimum_of_the_linear_program() {
    let Some(folder) = folder() else { return };
    let data = Data::read(&folder, "acs-ma");
    let mut known = data.problems("l1").pop().unwrap();
    for (weight, excess) in [(20.0, 2e-5), (68.0, 1e-8), (680.0, 1e-8)] {
        known.weight = weight;
        let fit = solve(&data, &known, Options { tolerance: 1e-7, ..Options::default() });
        assert_eq!(fit.status, Status::Converged, "Λ = {weight}: {:?} {:?}", fit.certificate, fit.counts);
        let above = fit.certificate.distance - 0.282872511264;
        assert!(above > -1e-9 && above < excess, "Λ = {weight}: {above}");
    }
}

/// Shares of the budget in proportion to the square roots of the cells, so that the bounds differ manifold.
#[test]
fn unequal_bounds_are_as_easy() {
    let Some(folder) = folder() else { return };
    let data = Data::read(&folder, "acs-ma");
    for known in data.problems("l1").iter().filter(|known| known.rule == "HARM") {
        let shares =
            data.index.marginals().iter().map(|marginal| (marginal.cells.len(), marginal.cells.len() as f64));
        let bounds: Vec<f64> = shares.flat_map(|(n, cells)| vec![cells.sqrt(); n]).collect();
        let mean = bounds.iter().sum::<f64>() / bounds.len() as f64;
        let bounds = bounds.iter().map(|bound| known.weight * bound / mean).collect();
        let problem = Problem::new(data.index.clone(), &data.prior, known.answers.clone(), bounds).unwrap();
        let fit = InteriorJob::new(problem, Options::default()).finish().unwrap();
        assert_eq!(fit.status, Status::Converged);
        assert!(fit.certificate.relative <= 1e-6 && fit.counts.row_passes < 500, "{known}: {:?}", fit.counts);
    }
}

/// Whoever holds the job gets the hand back after each pass over the rows, and each use of the block.
#[test]
fn no_step_is_longer_than_three_passes() {
    let Some(folder) = folder() else { return };
    for (name, at, tolerance) in [("acs-ma", 3, 1e-3), ("adult", 3, 1e-1)] {
        let data = Data::read(&folder, name);
        let known = &data.problems("l1")[at];
        let bounds = vec![known.weight; data.index.cells()];
        let problem = Problem::new(data.index.clone(), &data.prior, known.answers.clone(), bounds).unwrap();
        let mut job = InteriorJob::new(problem, Options { tolerance, ..Options::default() });
        let (mut longest, mut before) = (0, 0);
        while !job.step(1).unwrap() {
            longest = longest.max(job.done() - before);
            before = job.done();
        }
        let pass = data.index.rows() * (data.index.marginals().len() + 1);
        assert!(longest <= 3 * pass as u64, "{data}: {longest} units, a pass is {pass}");
        assert!(job.progress().1.factorisations > 0);
    }
}
