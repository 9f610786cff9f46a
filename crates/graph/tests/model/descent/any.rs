//! Any measurements of any cliques: no way down ends above where it began, or beyond range.

use super::{SMOOTH, limits, run};
use crate::dense::any_cliques;
use marginalia_compute::seed::Seed;
use marginalia_graph::fit::descent::{Loss, Method, Steps};
use marginalia_graph::fit::{Operator, Problem};
use marginalia_graph::{Passes, plan};
use proptest::prelude::*;
use std::sync::Arc;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_measurements((sizes, cliques) in any_cliques(), seed: u64, weight in 1e-3..1e12f64, width in 0.01..10f64) {
        no_worse_than_its_base(&sizes, &cliques, seed, weight, width);
    }
}

/// Neither the last model nor the one near the mean of all is better than the base here.
#[test]
fn the_base_is_kept() {
    no_worse_than_its_base(
        &[2, 3, 4, 1, 4],
        &[vec![1], vec![1, 2, 4], vec![0, 2, 4]],
        16968566164677320078,
        6.48e11,
        6.08,
    );
}

fn no_worse_than_its_base(sizes: &[u32], cliques: &[Vec<u16>], seed: u64, weight: f64, width: f64) {
    let tree = Arc::new(plan(sizes, cliques, 1e9).unwrap());
    let mut seed = Seed::new(seed);
    let mut problem = Problem::new(Arc::new(Passes::new(Arc::clone(&tree))));
    for (leaf, of) in tree.leaves().iter().enumerate() {
        let y: Vec<f64> = (0..of.cells).map(|_| seed.uniform() - 0.3).collect();
        problem.measure(leaf, Operator::Identity, &y, weight).unwrap();
    }
    for loss in [Loss::Squares, Loss::Huber(width), Loss::Absolute] {
        for method in SMOOTH.into_iter().chain([Method::Mirror(Steps::Decreasing)]) {
            let smooth = !matches!(loss, Loss::Absolute);
            if !smooth && method != Method::Mirror(Steps::Decreasing) {
                continue;
            }
            let found = run(&problem, &loss, method, limits(30));
            assert!(
                found.loss <= found.trace[0].loss * (1.0 + 1e-12),
                "{loss:?} {method:?}: {} {}",
                found.loss,
                found.trace[0].loss
            );
            assert!(found.marginals.iter().all(|m| *m >= 0.0 && m.is_finite()));
        }
    }
}
