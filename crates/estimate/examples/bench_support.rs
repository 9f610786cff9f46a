//! Times the passes over the support: `bench_support [repeats]`, one line of JSON for each number of rows.
//!
//! Rows are drawn from a fixed seed, skewed towards small codes as in a survey; 31 marginals, as many as are
//! measured of a survey of 19 attributes. Figures are means, in nanoseconds for each row and
//! marginal: one fused step of a sweep, a gather, a scatter, and the same step where cells are not kept.

use marginalia_estimate::estimators::calibrated::{Options, Problem, calibrated};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::models::support::{Base, Index};
use marginalia_estimate::seed::Seed;
use marginalia_tables::{Codes, Domain};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

const SIZES: [u32; 19] = [5, 20, 2, 7, 5, 8, 7, 9, 3, 3, 20, 13, 11, 7, 3, 3, 2, 2, 10];

const PAIRS: [[u16; 2]; 12] = [
    [1, 3],
    [1, 11],
    [1, 12],
    [6, 7],
    [3, 12],
    [11, 12],
    [3, 11],
    [1, 10],
    [1, 6],
    [10, 12],
    [3, 7],
    [12, 18],
];

fn main() {
    let repeats = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(9);
    for rows in [10_000, 100_000, 1_000_000] {
        let base = base(rows);
        let repeats = repeats * (1_000_000 / rows);
        let cliques: Vec<Vec<u16>> =
            (0..19).map(|a| vec![a]).chain(PAIRS.iter().map(|pair| pair.to_vec())).collect();
        let kept = Index::over(Arc::clone(&base), cliques.clone(), 1 << 32);
        let start = now();
        let kept = kept.and_then(Job::complete).expect("the index fits");
        let build = (now() - start) / (rows * cliques.len()) as f64;
        // Enough for the tables of cells, and not for the cells of rows.
        let computed = Index::over(Arc::clone(&base), cliques.clone(), 20_000);
        let computed = computed.and_then(Job::complete).expect("the tables of cells fit");
        let per = |nanoseconds: f64| nanoseconds / (rows * kept.marginals().len()) as f64;
        let mut w = base.prior().to_vec();
        let (mut t, mut m) = (vec![0.0; rows], vec![0.0; kept.cells()]);
        let u = vec![1e-9; kept.cells()];
        println!(
            "{{\"rows\":{rows},\"threads\":{},\"index\":{build:.2},\"step\":{:.3},\"gather\":{:.3},\"scatter\":{:.3},\"computed_step\":{:.3},{}}}",
            cfg!(feature = "threads"),
            per(mean(repeats, || sweep(&kept, &mut w))),
            per(mean(repeats, || kept.gather(&u, &mut t))),
            per(mean(repeats, || kept.scatter(&w, &mut m))),
            per(mean(repeats, || sweep(&computed, &mut w))),
            solve(&base, &kept, &cliques),
        );
    }
}

/// A calibrated estimate to gap 1e-6 of as many records as rows, shifted and with noise as for ε = 1.
fn solve(base: &Arc<Base>, index: &Arc<Index>, cliques: &[Vec<u16>]) -> String {
    let mut seed = Seed::new(2);
    let total = base.rows() as f64;
    let sigma = 2f64.sqrt() * cliques.len() as f64;
    let shift: Vec<f64> =
        (0..index.marginals()[1].places.len()).map(|cell| 1.0 + 0.5 * (cell as f64).sin()).collect();
    let (mut w, mut m) = (base.prior().to_vec(), vec![0.0; index.cells()]);
    index.scale(1, &shift, &mut w);
    let all: f64 = w.iter().sum();
    index.scatter(&w, &mut m);
    let measured = index.marginals().iter().zip(cliques).map(|(marginal, clique)| {
        let cells = base.domain().cells(clique).expect("cliques are small") as usize;
        let mut noise = || (0..12).map(|_| seed.uniform() - 0.5).sum::<f64>() * sigma;
        let mut answers: Vec<f64> = (0..cells).map(|_| noise()).collect();
        let places = marginal.places.iter().zip(&m[marginal.cells.clone()]);
        places.for_each(|(place, m)| answers[*place as usize] += total * m / all);
        Measurement { clique: clique.clone(), answers, variance: sigma * sigma }
    });
    let measured: Vec<Measurement> = measured.collect();
    let problem = Problem::new(Arc::clone(base), Arc::clone(index), &measured, total, total / 2.0);
    let problem = problem.expect("the problem is valid");
    let start = now();
    let solution = calibrated(problem.clone(), Options::default()).complete().expect("there is a model");
    let passes = solution.trace.last().map_or(0.0, |last| last.passes);
    let (ms, gap) = ((now() - start) / 1e6, solution.certificate.relative());
    format!(
        "\"solve_passes\":{passes:.0},\"solve_ms\":{ms:.1},\"lambda\":{:.0},\"gap\":{gap:.1e}",
        problem.lambda[0]
    )
}

/// A step for each marginal: scaled by the last one's ratios, and summed into this one's cells.
fn sweep(index: &Index, w: &mut [f64]) {
    let ones = vec![1.0; index.cells()];
    let mut m = vec![0.0; index.cells()];
    let last = index.marginals().len() - 1;
    let mut from = last;
    for to in 0..=last {
        let ratios = &ones[..index.marginals()[from].places.len()];
        let cells = index.marginals()[to].places.len();
        index.scale_and_sum(from, ratios, to, w, &mut m[..cells]);
        from = to;
    }
}

/// The mean of so many repeats that the clock's grain does not matter, in nanoseconds.
fn mean(repeats: usize, mut f: impl FnMut()) -> f64 {
    f();
    let start = now();
    (0..repeats).for_each(|_| f());
    (now() - start) / repeats as f64
}

/// Nanoseconds that this process ran, where Linux says so and there is one thread: on a busy machine the clock also
/// counts the others. Otherwise those of the clock.
fn now() -> f64 {
    static START: OnceLock<Instant> = OnceLock::new();
    let ran = std::fs::read_to_string("/proc/self/schedstat").ok();
    let ran = ran.and_then(|text| text.split_whitespace().next().and_then(|ran| ran.parse().ok()));
    let clock = START.get_or_init(Instant::now).elapsed().as_nanos() as f64;
    if cfg!(feature = "threads") { clock } else { ran.unwrap_or(clock) }
}

fn base(rows: usize) -> Arc<Base> {
    let mut seed = Seed::new(1);
    let columns = SIZES.map(|size| {
        let skewed = |u: f64| ((u * u * f64::from(size)) as u16).min(size as u16 - 1);
        let codes: Vec<u16> = (0..rows).map(|_| skewed(seed.uniform())).collect();
        let mut column = Codes::new(size as usize);
        column.extend(&codes).expect("there is memory");
        column
    });
    Arc::new(Base::new(Domain::new(SIZES), columns.to_vec(), None).expect("the prior is valid"))
}
