//! Calibrated estimation on small priors: golden values, hard cases, optimality.

use crate::common::{index, measured, near, prior};
use marginalia_estimate::estimators::Status;
use marginalia_estimate::estimators::calibrated::{Options, Problem, Solution, calibrated};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::models::support::Base;
use marginalia_estimate::seed::Seed;
use marginalia_tables::Code;
use proptest::prelude::*;
use std::sync::Arc;

/// The problem of some measurements: n₀ = 1, and n = 1 unless given.
fn problem(base: &Arc<Base>, measurements: &[Measurement], total: f64) -> Problem {
    let index = index(base, measurements);
    Problem::new(Arc::clone(base), index, measurements, total, 1.0).unwrap()
}

fn tight() -> Options {
    Options { tolerance: 1e-18, ..Options::default() }
}

fn solve(problem: &Problem, options: Options) -> Solution {
    let mut job = calibrated(problem.clone(), options);
    while !job.step(100_000).over {}
    job.complete().unwrap()
}

/// Golden vector A of an independent solver: λ = 10.
fn golden() -> Problem {
    let rows: [&[u16]; 5] = [&[0, 0], &[0, 1], &[0, 2], &[1, 1], &[1, 2]];
    let base = prior(&[2, 3], &rows, &[0.30, 0.20, 0.10, 0.15, 0.25]);
    problem(&base, &[measured(&[0], &[0.45, 0.52], 0.1), measured(&[1], &[-0.03, 0.55, 0.50], 0.1)], 1.0)
}

#[test]
fn the_golden_vector() {
    let solution = solve(&golden(), tight());
    let q = [0.073764380746, 0.270828456413, 0.122623703638, 0.212328448632, 0.320455010572];
    near(solution.model.weights().unwrap(), &q, 1e-10);
    let (_, u) = solution.model.potentials().unwrap();
    let expected = [-0.172165407967, -0.127834592033, -1.037643807459, 0.668430949556, 0.569212857903];
    near(u, &expected, 1e-9);
    let certificate = solution.certificate;
    near(&[certificate.primal, certificate.entropy], &[0.251652529449, 0.156978004763], 1e-10);
    near(&[solution.model.relative_entropy().unwrap()], &[0.156978004763], 1e-10);
    assert_eq!(solution.status, Status::Converged);
}

#[test]
fn sweeps_alone_and_newton_alone_reach_the_same() {
    let problem = golden();
    let expected = solve(&problem, tight());
    let sweeps = solve(&problem, Options { sweeps: 2000, ..tight() });
    assert_eq!((sweeps.steps, sweeps.status), (0, Status::Converged));
    let newton = solve(&problem, Options { sweeps: 0, ..tight() });
    assert!(newton.steps > 0);
    for other in [&sweeps, &newton] {
        near(other.model.weights().unwrap(), expected.model.weights().unwrap(), 1e-9);
    }
    let (_, u) = expected.model.potentials().unwrap();
    let warm = solve(&problem, Options { start: Some(u.to_vec()), tolerance: 1e-12, ..tight() });
    assert_eq!((warm.trace.len(), warm.products), (1, 0));
}

/// Golden vector B: a row without weight is dropped, and the cell that only it lies in is reported.
#[test]
fn cells_without_a_row_are_left_out_and_reported() {
    let rows: [&[u16]; 7] =
        [&[0, 0, 0], &[0, 0, 1], &[0, 1, 0], &[0, 1, 1], &[1, 0, 0], &[1, 0, 1], &[1, 1, 0]];
    let base = prior(&[2, 2, 2], &rows, &[0.20, 0.15, 0.10, 0.05, 0.25, 0.25, 0.0]);
    assert_eq!((base.rows(), base.dropped()), (6, 1));
    let answers = [[33.0, 20.0, 41.0, 4.0], [40.0, 36.0, 14.0, 12.0], [28.0, 22.0, 22.0, 30.0]];
    let cliques = [[0, 1], [1, 2], [0, 2]];
    let measurements: Vec<Measurement> =
        cliques.iter().zip(&answers).map(|(clique, answers)| measured(clique, answers, 1e-2)).collect();
    let problem = problem(&base, &measurements, 100.0);
    let outside: Vec<(usize, f64, f64)> =
        problem.outside.iter().map(|one| (one.cells, one.records, one.variance)).collect();
    assert_eq!(outside, [(1, 4.0, 0.01), (0, 0.0, 0.0), (0, 0.0, 0.0)]);
    assert_eq!(problem.index.cells(), 11);
    let solution = solve(&problem, tight());
    // The certificate again, from the weights alone.
    let q = solution.model.weights().unwrap();
    let mut m = vec![0.0; 11];
    problem.index.scatter(q, &mut m);
    let loss: f64 = m.iter().zip(&problem.y).map(|(m, y)| 0.5 * problem.lambda[0] * (y - m).powi(2)).sum();
    let primal = loss + solution.model.relative_entropy().unwrap();
    assert!((primal - solution.certificate.primal).abs() < 1e-9 * primal);
}

#[test]
fn an_undivided_and_a_divided_estimation_are_the_same() {
    let problem = golden();
    let whole = solve(&problem, tight());
    let mut job = calibrated(problem.clone(), tight());
    let mut steps = 0;
    while !job.step(1).over {
        steps += 1;
    }
    assert!(steps >= 15, "{steps}");
    assert_eq!(job.complete().unwrap().model.weights().unwrap(), whole.model.weights().unwrap());
    let other = solve(&problem, Options { seed: 1, ..tight() });
    assert_ne!(other.trace[0].certificate, whole.trace[0].certificate);
}

#[test]
fn an_estimation_that_is_ended_early_gives_its_best_with_its_gap() {
    let problem = golden();
    let prior = Box::new(calibrated(problem.clone(), tight())).finish().unwrap();
    near(prior.model.weights().unwrap(), problem.base.prior(), 1e-15);
    assert_eq!(prior.status, Status::Refused);
    let few = solve(&problem, Options { passes: 12, ..tight() });
    assert_eq!(few.status, Status::Limit);
    assert!(few.certificate.gap > 0.0 && few.certificate.relative() < 0.1);
    let exact = solve(&problem, tight()).certificate;
    assert!(few.certificate.dual <= exact.primal && exact.dual <= few.certificate.primal);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let base = prior(&[2], &[&[0], &[1]], &[0.5, 0.5]);
    let good = measured(&[0], &[1.0, 2.0], 1.0);
    let made = |measurement: Measurement, total: f64, strength: f64| {
        let index = index(&base, std::slice::from_ref(&good));
        Problem::new(Arc::clone(&base), index, &[measurement], total, strength)
            .map(|_| ())
            .map_err(|e| e.code)
    };
    assert_eq!(made(good.clone(), 3.0, 1.0), Ok(()));
    let wrong = [
        (measured(&[0], &[1.0], 1.0), 3.0, 1.0),
        (measured(&[0], &[1.0, f64::NAN], 1.0), 3.0, 1.0),
        (measured(&[0], &[1.0, 1.0], 0.0), 3.0, 1.0),
        (good.clone(), 0.0, 1.0),
        (good.clone(), 3.0, 0.0),
        (good.clone(), 3.0, f64::INFINITY),
    ];
    for (measurement, total, strength) in wrong {
        assert_eq!(made(measurement, total, strength), Err(Code::OptionInvalid));
    }
    let wide = prior(&[2, 2], &[&[0, 1], &[1, 0]], &[0.5, 0.5]);
    let of_other = index(&wide, &[measured(&[1], &[1.0, 2.0], 1.0)]);
    let other = Problem::new(wide, of_other, std::slice::from_ref(&good), 3.0, 1.0);
    assert_eq!(other.unwrap_err().code, Code::OptionInvalid);
    assert_eq!(made(measured(&[1], &[1.0, 2.0], 1.0), 3.0, 1.0), Err(Code::AttributeUnknown));
}

#[test]
fn nothing_measured_leaves_the_prior() {
    let base = prior(&[2], &[&[0], &[1]], &[0.25, 0.75]);
    let solution = solve(&problem(&base, &[], 5.0), tight());
    assert_eq!((solution.model.weights().unwrap(), solution.status), (&[0.25, 0.75][..], Status::Converged));
}

/// One marginal with λ for all cells: u = λ(y − ω(s − z)/λ) in closed form is what a sweep gives; a total alone
/// changes nothing; a stiff λ comes to the answers themselves.
#[test]
fn hard_cases_end_well() {
    let rows: [&[u16]; 3] = [&[0, 0], &[0, 1], &[1, 1]];
    let base = prior(&[2, 2], &rows, &[1e-12, 0.5, 0.5]);
    let single = prior(&[2, 2], &[&[1, 0]], &[3.0]);
    let cases: [&[Measurement]; 6] = [
        &[measured(&[0], &[0.0, 0.0], 1.0)],
        &[measured(&[0], &[-30.0, -7.0], 1.0)],
        &[measured(&[], &[17.0], 1.0)],
        &[measured(&[0], &[9.0, 2.0], 1e-3), measured(&[0], &[9.0, 2.0], 1e-3)],
        &[measured(&[0, 1], &[5.0, 2.0, 1.0, 2.0], 1e-4), measured(&[0], &[1.0, 9.0], 1e-4)],
        &[measured(&[1, 0], &[9.0, 0.0, 0.0, 1.0], 1e-4)],
    ];
    for measurements in cases {
        for base in [&base, &single] {
            let solution = solve(&problem(base, measurements, 10.0), Options::default());
            assert_eq!(solution.status, Status::Converged, "{measurements:?}");
            let q = solution.model.weights().unwrap();
            assert!((q.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
    let stiff = solve(&problem(&base, cases[5], 10.0), tight());
    near(stiff.model.weights().unwrap(), &[0.9, 0.0, 0.1], 1e-4);
    let total = solve(&problem(&base, cases[2], 10.0), tight());
    near(total.model.weights().unwrap(), base.prior(), 1e-12);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The optimum is unique: whatever the answers, no small move of weight between rows makes F less.
    #[test]
    fn no_move_is_better(seed: u64, stiffness in -1.0..4.0f64, spread in -3.0..3.0f64) {
        let mut seed = Seed::new(seed);
        let rows: Vec<Vec<u16>> =
            (0..8).map(|_| (0..3).map(|_| seed.below(3) as u16).collect()).collect();
        let rows: Vec<&[u16]> = rows.iter().map(Vec::as_slice).collect();
        let weights: Vec<f64> = (0..8).map(|_| 10f64.powf(-4.0 * seed.uniform())).collect();
        let base = prior(&[3, 3, 3], &rows, &weights);
        let variance = 10f64.powf(-stiffness);
        let mut draw = |cells: usize| -> Vec<f64> { (0..cells).map(|_| seed.uniform() * 0.8 - 0.1).collect() };
        let measurements = [measured(&[0, 1], &draw(9), variance), measured(&[2], &draw(3), variance * 10f64.powf(spread))];
        let problem = problem(&base, &measurements, 1.0);
        let solution = solve(&problem, Options { tolerance: 1e-10, ..Options::default() });
        prop_assert_eq!(solution.status, Status::Converged);
        let q = solution.model.weights().unwrap();
        let value = |q: &[f64]| -> f64 {
            let mut m = vec![0.0; problem.index.cells()];
            problem.index.scatter(q, &mut m);
            let loss = (0..m.len()).map(|i| 0.5 * problem.lambda[i] * (problem.y[i] - m[i]).powi(2));
            let entropy = q.iter().zip(base.prior()).map(|(q, p)| if *q > 0.0 { q * (q / p).ln() } else { 0.0 });
            loss.sum::<f64>() + entropy.sum::<f64>()
        };
        let best = value(q);
        prop_assert!((best - solution.certificate.primal).abs() < 1e-9 * best.max(1.0));
        for (from, to) in (0..8).flat_map(|from| (0..8).map(move |to| (from, to))) {
            for part in [0.5, 1e-3] {
                let mut moved = q.to_vec();
                let weight = moved[from] * part;
                moved[from] -= weight;
                moved[to] += weight;
                prop_assert!(value(&moved) >= best - 1e-9 * best.max(1e-3));
            }
        }
    }
}
