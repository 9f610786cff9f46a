//! The same bits on every platform, with threads and without: what comes out of fixed inputs is a constant.

use marginalia_estimate::estimators::calibrated::{Options, Problem, calibrated};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::models::support::{Base, Index};
use marginalia_estimate::seed::Seed;
use marginalia_tables::{Codes, Domain};
use std::sync::Arc;

const SIZES: [u32; 4] = [9, 30, 5, 400];

/// FNV-1a of the bits.
fn digest(numbers: &[f64]) -> u64 {
    let bytes = numbers.iter().flat_map(|number| number.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn an_estimate_has_the_same_bits_everywhere() {
    let mut seed = Seed::new(11);
    // More than two chunks of rows.
    let rows = 40_000;
    let columns = SIZES.map(|size| {
        let codes: Vec<u16> = (0..rows).map(|_| seed.below(u64::from(size)) as u16).collect();
        let mut column = Codes::new(size as usize);
        column.extend(&codes).unwrap();
        column
    });
    let base = Arc::new(Base::new(Domain::new(SIZES), columns.to_vec(), None).unwrap());
    let cliques: [&[u16]; 5] = [&[0, 1], &[2], &[3, 0], &[1, 2, 0], &[3, 1]];
    let measured = cliques.map(|clique| {
        let cells = base.domain().cells(clique).unwrap();
        let answers = (0..cells).map(|_| 40_000.0 / cells as f64 + 60.0 * (seed.uniform() - 0.5)).collect();
        Measurement { clique: clique.to_vec(), answers, variance: 30.0 }
    });
    let cliques = cliques.map(<[u16]>::to_vec).to_vec();
    let index = Index::over(Arc::clone(&base), cliques, 1 << 30).unwrap().complete().unwrap();
    let problem = Problem::new(base, index, &measured, 4e4, 1e4).unwrap();
    let mut job = calibrated(problem, Options::default());
    while !job.step(1_000_000).over {}
    let solution = job.complete().unwrap();
    assert!(solution.steps > 1);
    assert_eq!(digest(solution.model.weights().unwrap()), 10_612_735_568_332_070_663);
}
