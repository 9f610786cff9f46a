//! Block sweeps: one marginal at a time is solved exactly, by one pass that scales the rows by what the last one asked for
//! and sums them into the cells of this one.

use super::point::Point;
use super::problem::Problem;
use super::watch::Watch;
use super::{Options, certificate::Certificate};
use crate::estimators::blocks::Blocks;
use crate::job::Pace;
use crate::math::{exp, ln};
use crate::vector;
use marginalia_tables::draw::Draws;

/// Sweeps between two looks at the gap.
const BETWEEN_CHECKS: usize = 5;
/// Exponents end here, as far from overflow as from what matters.
const MOST_EXPONENT: f64 = 700.0;
/// How far the search for the root goes where the line leads nowhere, and how many trials it may take.
const BRACKET: f64 = 25.0;
const MOST_TRIALS: usize = 200;

/// Sweeps over the marginals in shuffled order until the gap is within the tolerance, or will not be after as many
/// sweeps as are allowed; true in the first case.
pub(super) async fn sweep(
    problem: &Problem,
    options: &Options,
    point: &mut Point,
    watch: &Watch,
    pace: &Pace,
) -> bool {
    let mut order: Vec<usize> = (0..problem.index.marginals().len()).collect();
    let mut blocks = Blocks::default();
    let mut last: Option<Certificate> = None;
    for sweep in 1..=options.sweeps {
        shuffle(&mut order, Draws::new(options.seed), sweep as u64);
        for i in &order {
            step(problem, *i, point, &mut blocks);
            pace.did(2 * problem.index.rows()).await;
        }
        watch.count(|counts| {
            counts.sweeps += 1;
            counts.row_passes += 2;
        });
        if sweep % BETWEEN_CHECKS == 0 || sweep == options.sweeps {
            blocks = Blocks::default();
            point.refresh(problem, watch);
            pace.did(2 * problem.pass_work()).await;
            let certificate = point.certificate(problem);
            watch.offer(certificate, point);
            if certificate.relative <= options.tolerance {
                return true;
            }
            let left = (options.sweeps - sweep) as f64 / BETWEEN_CHECKS as f64;
            let before = last.replace(certificate).map_or(f64::INFINITY, |last| last.relative);
            let ahead = left * libm::log(certificate.relative / before);
            if before.is_finite() && ahead > libm::log(options.tolerance / certificate.relative) {
                return false;
            }
        }
    }
    false
}

/// Solves one marginal exactly: u of its cells, and q but for its last scaling; m and t of the point are not kept up.
fn step(problem: &Problem, marginal: usize, point: &mut Point, blocks: &mut Blocks) {
    let cells = problem.index.marginals()[marginal].cells.clone();
    let (answers, bounds) = (&problem.answers[cells.clone()], &problem.bounds[cells.clone()]);
    let exact = |m: &[f64], ratios: &mut [f64]| solve(m, answers, bounds, &mut point.u[cells], ratios);
    blocks.step(&problem.index, marginal, &mut point.q, exact);
}

/// A random permutation (Durstenfeld 1964).
fn shuffle(order: &mut [usize], draws: Draws, sweep: u64) {
    for i in (1..order.len()).rev() {
        // The high half of the product with a uniform 64-bit number is uniform to within 2⁻⁶⁰.
        let other = (u128::from(draws.at(sweep, i as u64)) * (i as u128 + 1)) >> 64;
        order.swap(i, other as usize);
    }
}

/// From the masses of the cells of one marginal moves u to the maximum over its potentials, and gives the ratios by which
/// the rows of each cell are to be scaled.
fn solve(m: &[f64], answers: &[f64], bounds: &[f64], u: &mut [f64], ratios: &mut [f64]) {
    let limits = |sign: f64| -> Vec<f64> {
        let of_cells = m.iter().zip(u.iter().zip(bounds));
        let least = |m: f64| if m > f64::MIN_POSITIVE { m } else { f64::MIN_POSITIVE };
        of_cells.map(|(m, (u, bound))| least(*m) * exp(sign * bound - u)).collect()
    };
    let (lower, upper) = (limits(-1.0), limits(1.0));
    let k = root(answers, &lower, &upper);
    let growth = exp(k);
    for i in 0..m.len() {
        let target = clipped(answers[i], growth * lower[i], growth * upper[i]);
        let mass = m[i].max(f64::MIN_POSITIVE);
        ratios[i] = target / mass;
        // At its limits a cell has u = ±Λ.
        u[i] = if target > answers[i] {
            -bounds[i]
        } else if target < answers[i] {
            bounds[i]
        } else {
            (u[i] + ln(ratios[i]) - k).clamp(-bounds[i], bounds[i])
        };
    }
}

/// min(max(y, lower), upper).
fn clipped(y: f64, lower: f64, upper: f64) -> f64 {
    let y = if y > lower { y } else { lower };
    if y < upper { y } else { upper }
}

/// k with Σ min(max(y, e^k·lower), e^k·upper) = 1: the sum rises from 0 to infinity, linear in e^k between the
/// points where a cell meets its limits, so that a step along the line is exact once the piece is found.
fn root(answers: &[f64], lower: &[f64], upper: &[f64]) -> f64 {
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let (mut k, mut reach): (f64, f64) = (0.0, BRACKET);
    for _ in 0..MOST_TRIALS {
        let (sum, moving) = sums(answers, lower, upper, exp(k));
        if sum == 1.0 {
            break;
        }
        if sum < 1.0 {
            low = k
        } else {
            high = k
        }
        let along = k + ln((1.0 - sum + moving) / moving);
        let next = if along > low && along < high {
            along
        } else if low.is_finite() && high.is_finite() {
            0.5 * (low + high)
        } else {
            reach = (2.0 * reach).min(MOST_EXPONENT);
            if sum < 1.0 { reach } else { -reach }
        };
        if next == k || next <= low || next >= high {
            break;
        }
        k = next;
    }
    k
}

/// Σ min(max(y, growth·lower), growth·upper), and the part of it of the cells at their limits; in four sums side by side.
fn sums(answers: &[f64], lower: &[f64], upper: &[f64], growth: f64) -> (f64, f64) {
    const LANES: usize = 4;
    let mut sums = [[0.0; LANES]; 2];
    let mut add = |lane: usize, y: f64, lower: f64, upper: f64| {
        let mass = clipped(y, growth * lower, growth * upper);
        sums[0][lane] += mass;
        sums[1][lane] += if mass == y { 0.0 } else { mass };
    };
    let ((y, y_rest), (low, low_rest), (up, up_rest)) =
        (answers.as_chunks::<LANES>(), lower.as_chunks::<LANES>(), upper.as_chunks::<LANES>());
    for (y, (low, up)) in y.iter().zip(low.iter().zip(up)) {
        (0..LANES).for_each(|lane| add(lane, y[lane], low[lane], up[lane]));
    }
    for (lane, (y, (low, up))) in y_rest.iter().zip(low_rest.iter().zip(up_rest)).enumerate() {
        add(lane, *y, *low, *up);
    }
    let [sum, moving] = sums.map(|[a, b, c, d]| (a + b) + (c + d));
    (sum, moving)
}

/// Whether sweeps alone can be expected to do: where no answer outweighs the prior by much.
pub(super) fn promising(problem: &Problem) -> bool {
    const EASY: f64 = 0.2;
    vector::sum(&problem.bounds) <= EASY * problem.bounds.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, Steps};
    use crate::models::support::Index;
    use marginalia_tables::{Codes, Domain};
    use std::sync::Arc;

    /// Case A of the golden values: rows (0,0), (0,1), (0,2), (1,1), (1,2) and both attributes.
    fn case_a(bound: f64) -> (Problem, Point) {
        let column = |codes: &[u16]| {
            let mut column = Codes::new(3);
            column.extend(codes).unwrap();
            column
        };
        let columns = [column(&[0, 0, 0, 1, 1]), column(&[0, 1, 2, 1, 2])];
        let index = Index::new(&Domain::new([2, 3]), &columns, &[&[0], &[1]]).unwrap();
        let (prior, answers) = ([0.30, 0.20, 0.10, 0.15, 0.25], vec![0.45, 0.52, -0.03, 0.55, 0.50]);
        let problem = Problem::new(Arc::new(index), &prior, answers, vec![bound; 5]).unwrap();
        let point = Point::prior(&problem, &Watch::new(&Pace::default())).unwrap();
        (problem, point)
    }

    /// The step of the first marginal, and its scaling.
    fn take(problem: &Problem, point: &mut Point) {
        let mut blocks = Blocks::default();
        step(problem, 0, point, &mut blocks);
        problem.index.scale(0, &blocks.ratios, &mut point.q);
    }

    #[test]
    fn one_block_step_is_the_golden_one() {
        let (problem, mut point) = case_a(0.5);
        take(&problem, &mut point);
        for (q, golden) in point.q.iter().zip([0.24, 0.16, 0.08, 0.195, 0.325]) {
            assert!((q - golden).abs() < 1e-12, "{:?}", point.q);
        }
        assert_eq!(point.u[0], -0.5);
        assert!((point.u[1] + 0.014492184218).abs() < 1e-12);
    }

    /// With u = 0 and no bound to speak of, a block step is the projection of least divergence: min(y⁺, Cm) where
    /// the answers sum to more than 1, else max(y⁺, Cm).
    #[test]
    fn a_block_step_without_bounds_is_the_projection() {
        for answers in [[0.9, 0.6], [0.3, 0.2], [0.7, 0.1], [0.2, 0.9]] {
            let (mut problem, mut point) = case_a(500.0);
            problem.answers[..2].copy_from_slice(&answers);
            let marginal = &problem.index.marginals()[0];
            take(&problem, &mut point);
            let mass = |cell: u32| -> f64 {
                point.q.iter().zip(&marginal.of_row).filter(|(_, c)| **c == cell).map(|(q, _)| q).sum()
            };
            let (mass, m) = ([mass(0), mass(1)], [0.6, 0.4]);
            let clip = |c: f64, i: usize| {
                if answers[0] + answers[1] > 1.0 {
                    (c * m[i]).min(answers[i])
                } else {
                    (c * m[i]).max(answers[i])
                }
            };
            // The constant by bisection, apart from the code under test.
            let (mut low, mut high) = (0.0, 1e3);
            for _ in 0..200 {
                let c = 0.5 * (low + high);
                if clip(c, 0) + clip(c, 1) < 1.0 { low = c } else { high = c }
            }
            for i in 0..2 {
                assert!((mass[i] - clip(low, i)).abs() < 1e-11, "{answers:?}: {mass:?}");
            }
        }
    }

    #[test]
    fn sweeps_approach_the_optimum() {
        let (problem, mut point) = case_a(0.1);
        let options = Options { tolerance: 1e-9, sweeps: 500, ..Options::default() };
        let steps = Steps::new(move |pace| async move {
            let watch = Watch::new(&pace);
            let done = sweep(&problem, &options, &mut point, &watch, &pace).await;
            Ok((done, point.certificate(&problem), watch.counts()))
        });
        let (done, certificate, counts) = steps.complete().unwrap();
        assert!(done && certificate.relative <= 1e-9, "{certificate:?} {counts:?}");
        assert_eq!(counts.row_passes, 2 * counts.sweeps + 2 * counts.sweeps.div_ceil(BETWEEN_CHECKS));
    }
}
