//! The calibrated problems of the test data, each solved to between its bounds.

mod data;

use data::{Data, Known, folder};
use marginalia_estimate::estimators::interior::{Fit, Options, Problem, Status, interior};
use marginalia_estimate::job::{Job, Steps};

/// What a prototype took for a pass over all rows and marginals, and to a gap of 1e-6, in the order of the file: seconds.
const PROTOTYPE: [(&str, f64, [f64; 7]); 2] = [
    ("acs-ma", 0.9e-4, [0.047, 0.057, 0.064, 0.185, 0.220, 0.223, 0.383]),
    ("adult", 1.4e-4, [0.165, 0.261, 0.171, 1.025, 1.309, 1.110, 7.19]),
];

/// The same bound for all cells.
fn equal(data: &Data, known: &Known) -> Vec<f64> {
    vec![known.weight; data.index.cells()]
}

fn job(data: &Data, known: &Known, bounds: Vec<f64>, options: Options) -> Steps<Fit> {
    let problem = Problem::new(data.index.clone(), &data.prior, known.answers.clone(), bounds).unwrap();
    interior(problem, options)
}

fn solve(data: &Data, known: &Known, options: Options) -> Fit {
    job(data, known, equal(data, known), options).complete().unwrap()
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

/// All work, that of dense blocks too, counted in passes.
#[test]
fn every_l1_problem_is_solved_with_less_work_than_by_the_prototype() {
    let Some(folder) = folder() else { return };
    for (name, pass, prototype) in PROTOTYPE {
        let data = Data::read(&folder, name);
        for (known, theirs) in data.problems("l1").iter().zip(prototype) {
            if known.weight > 10.0 && cfg!(debug_assertions) {
                continue;
            }
            let mut job = job(&data, known, equal(&data, known), Options::default());
            let ours = worked(&mut job) as f64 / units_of_pass(&data);
            assert_between(&job.complete().unwrap(), known);
            assert!(ours <= theirs / pass, "{data} {known}: {ours} passes");
        }
    }
}

/// Does all of a job; its units of work.
fn worked(job: &mut Steps<Fit>) -> u64 {
    loop {
        let now = job.step(u64::MAX);
        if now.over {
            return now.work;
        }
    }
}

/// Units of work of a pass over all rows and marginals.
fn units_of_pass(data: &Data) -> f64 {
    (data.index.rows() * (data.index.marginals().len() + 1)) as f64
}

/// Λ = 68 meets the optimum of the linear program on acs-ma at ε = 10, which HiGHS gives as .282872511264.
#[test]
fn a_large_bound_reaches_the_optimum_of_the_linear_program() {
    let Some(folder) = folder() else { return };
    let data = Data::read(&folder, "acs-ma");
    let mut known = data.problems("l1").pop().unwrap();
    for (weight, excess) in [(20.0, 2e-5), (68.0, 1e-8), (680.0, 1e-8)] {
        known.weight = weight;
        // What is left of the gap, over Λ, is then below the excess.
        let fit = solve(&data, &known, Options { tolerance: 3e-8, ..Options::default() });
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
        let unequal = bounds.iter().map(|bound| known.weight * bound / mean).collect();
        let work = |bounds| {
            let mut job = job(&data, known, bounds, Options::default());
            let work = worked(&mut job) as f64;
            let fit = job.complete().unwrap();
            assert!(fit.status == Status::Converged && fit.certificate.relative <= 1e-6, "{known}");
            work
        };
        let ratio = work(unequal) / work(equal(&data, known));
        assert!(ratio < 1.5, "{known}: {ratio}");
    }
}

/// Whoever holds the job gets the hand back after each pass over the rows, and each use of the block.
#[test]
fn no_step_is_longer_than_three_passes() {
    let Some(folder) = folder() else { return };
    for (name, at, tolerance) in [("acs-ma", 3, 1e-3), ("adult", 3, 1e-1)] {
        let data = Data::read(&folder, name);
        let known = &data.problems("l1")[at];
        let options = Options { tolerance, ..Options::default() };
        let mut job = job(&data, known, equal(&data, known), options);
        let (mut longest, mut before) = (0, 0);
        loop {
            let now = job.step(1);
            if now.over {
                break;
            }
            longest = longest.max(now.work - before);
            before = now.work;
        }
        let pass = units_of_pass(&data);
        assert!(longest as f64 <= 3.0 * pass, "{data}: {longest} units, a pass is {pass}");
        assert!(job.complete().unwrap().counts.factorisations > 0);
    }
}
