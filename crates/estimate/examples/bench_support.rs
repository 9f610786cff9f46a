//! Times the passes over the support: `bench_support [repeats]`, one line of JSON for each number of rows.
//!
//! Rows are drawn from a fixed seed, skewed towards small codes as in a survey; 31 marginals, as many as are
//! measured of a survey of 19 attributes. Figures are the least of the repeats, in nanoseconds for each row and
//! marginal: one fused step of a sweep, a gather, a scatter, and the same step where cells are not kept.

use marginalia_estimate::seed::Seed;
use marginalia_estimate::support::{Base, Index, IndexJob};
use marginalia_tables::{Codes, Domain};
use std::sync::Arc;
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
        let cliques: Vec<Vec<u16>> =
            (0..19).map(|a| vec![a]).chain(PAIRS.iter().map(|pair| pair.to_vec())).collect();
        let kept = IndexJob::new(Arc::clone(&base), cliques.clone(), 1 << 32);
        let start = Instant::now();
        let kept = kept.and_then(IndexJob::finish).expect("the index fits");
        let build = start.elapsed().as_nanos() as f64 / (rows * cliques.len()) as f64;
        // Enough for the tables of cells, and not for the cells of rows.
        let computed = IndexJob::new(Arc::clone(&base), cliques, 20_000);
        let computed = computed.and_then(IndexJob::finish).expect("the tables of cells fit");
        let per = |nanoseconds: f64| nanoseconds / (rows * kept.marginals().len()) as f64;
        let mut w = base.prior().to_vec();
        let (mut t, mut m) = (vec![0.0; rows], vec![0.0; kept.cells()]);
        let u = vec![1e-9; kept.cells()];
        println!(
            "{{\"rows\":{rows},\"threads\":{},\"index\":{build:.2},\"step\":{:.3},\"gather\":{:.3},\"scatter\":{:.3},\"computed_step\":{:.3}}}",
            cfg!(feature = "threads"),
            per(least(repeats, || sweep(&kept, &mut w))),
            per(least(repeats, || kept.gather(&u, &mut t))),
            per(least(repeats, || kept.scatter(&w, &mut m))),
            per(least(repeats, || sweep(&computed, &mut w))),
        );
    }
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

fn least(repeats: usize, mut f: impl FnMut()) -> f64 {
    let timed = |_| {
        let start = Instant::now();
        f();
        start.elapsed().as_nanos() as f64
    };
    (0..repeats).map(timed).fold(f64::INFINITY, f64::min)
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
