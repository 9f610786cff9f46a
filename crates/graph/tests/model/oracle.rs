//! log Z, marginals and products with the covariance, against sums over all cells.

use crate::dense::{Dense, arranged, cells, hard_cliques, place, random, restored};
use marginalia_compute::seed::Seed;
use marginalia_graph::{Oracle, Passes, plan};
use proptest::prelude::*;
use std::sync::Arc;

/// All that an oracle says, beside the same from all cells.
fn check(
    sizes: &[u32],
    cliques: &[Vec<u16>],
    potentials: &[Vec<f64>],
    v: &[Vec<f64>],
    within: f64,
) -> Oracle {
    let tree = Arc::new(plan(sizes, cliques, 1e9).unwrap());
    let mut oracle = Oracle::new(Arc::new(Passes::new(Arc::clone(&tree))));
    let dense = Dense::new(sizes, cliques, potentials);
    let theta = arranged(&tree, potentials);
    let log_z = oracle.forward(&theta);
    let log_z = oracle.reverse(&theta).unwrap_or(log_z);
    let elsewhere: f64 = (0..sizes.len() as u16)
        .filter(|a| !cliques.iter().any(|clique| clique.contains(a)))
        .map(|a| f64::from(sizes[usize::from(a)]).ln())
        .sum();
    let close = |a: f64, b: f64, what: &str| {
        assert!(
            (a - b).abs() <= within * (1.0 + b.abs()),
            "{what}: {a} instead of {b}: {sizes:?} {cliques:?}"
        );
    };
    close(log_z + elsewhere, dense.log_z(), "log Z");

    let shares = dense.shares();
    let mut product = vec![0.0; tree.cells()];
    oracle.product(&arranged(&tree, v), &mut product);
    let (marginals, product) = (restored(&tree, oracle.marginals()), restored(&tree, &product));
    let values: Vec<f64> = dense
        .cells
        .iter()
        .map(|cell| cliques.iter().zip(v).map(|(clique, v)| v[place(sizes, clique, cell)]).sum())
        .collect();
    let mean: f64 = shares.iter().zip(&values).map(|(p, v)| p * v).sum();
    for (leaf, clique) in cliques.iter().enumerate() {
        let mut marginal = vec![0.0; cells(sizes, clique)];
        let mut covariance = vec![0.0; marginal.len()];
        for ((cell, p), value) in dense.cells.iter().zip(&shares).zip(&values) {
            marginal[place(sizes, clique, cell)] += p;
            covariance[place(sizes, clique, cell)] += p * (value - mean);
        }
        marginals[leaf].iter().zip(&marginal).for_each(|(a, b)| close(*a, *b, "a marginal"));
        product[leaf].iter().zip(&covariance).for_each(|(a, b)| close(*a, *b, "a covariance"));
    }
    oracle
}

fn checked(sizes: &[u32], cliques: &[Vec<u16>], spread: f64) {
    let mut seed = Seed::new(7);
    let potentials = random(&mut seed, sizes, cliques, spread);
    let v = random(&mut seed, sizes, cliques, 1.0);
    assert!(!check(sizes, cliques, &potentials, &v, 1e-12).logarithmic());
}

#[test]
fn cliques_of_every_shape() {
    let sizes = [3, 2, 5, 4, 1, 6];
    for cliques in hard_cliques() {
        checked(&sizes, &cliques, 2.0);
    }
}

#[test]
fn a_loop_of_twelve() {
    let cliques: Vec<Vec<u16>> = (0..12).map(|a| vec![a, (a + 1) % 12]).collect();
    checked(&[2; 12], &cliques, 2.0);
}

#[test]
fn vectors_of_every_width() {
    for width in [1, 2, 3, 4, 5, 8, 15, 16, 17, 33] {
        checked(&[3, width, 4], &[vec![0, 1], vec![1, 2], vec![0, 2]], 1.0);
        checked(&[7, width, 6], &[vec![0, 1], vec![2, 0], vec![2, 1]], 1.0);
        checked(&[2, width, 5, 3], &[vec![0, 1, 2], vec![1, 3], vec![2, 3], vec![3, 0]], 1.0);
    }
}

#[test]
fn potentials_that_numbers_do_not_reach() {
    // Opposite potentials in two factors: each alone makes likely what the other forbids.
    let cliques = [vec![0, 1], vec![1, 2], vec![2, 0]];
    let sizes = [4, 5, 6];
    let mut seed = Seed::new(3);
    let [mut first, mut second, third] =
        <[Vec<f64>; 3]>::try_from(random(&mut seed, &sizes, &cliques, 1.0)).unwrap();
    for a in 0..4 {
        for b in 0..5 {
            first[a * 5 + b] += 900.0 * b as f64;
        }
    }
    for b in 0..5 {
        for c in 0..6 {
            second[b * 6 + c] -= 900.0 * b as f64;
        }
    }
    let v = random(&mut seed, &sizes, &cliques, 1.0);
    let oracle = check(&sizes, &cliques, &[first, second, third], &v, 1e-11);
    assert!(oracle.logarithmic());
}

#[test]
fn impossible_cells() {
    let cliques = [vec![0, 1], vec![1, 2]];
    let sizes = [3, 4, 2];
    let mut seed = Seed::new(4);
    let mut potentials = random(&mut seed, &sizes, &cliques, 1.0);
    (0..5).for_each(|k| potentials[0][2 * k] = f64::NEG_INFINITY);
    potentials[1][3] = f64::NEG_INFINITY;
    let v = random(&mut seed, &sizes, &cliques, 1.0);
    check(&sizes, &cliques, &potentials, &v, 1e-12);
    potentials[1].fill(f64::NEG_INFINITY);
    let tree = Arc::new(plan(&sizes, &cliques, 1e9).unwrap());
    let mut oracle = Oracle::new(Arc::new(Passes::new(Arc::clone(&tree))));
    assert_eq!(oracle.forward(&arranged(&tree, &potentials)), f64::NEG_INFINITY);
}

#[test]
fn what_does_not_fit_is_refused_before_memory_is_taken() {
    let sizes = [100; 12];
    let cliques: Vec<Vec<u16>> = (0..12).flat_map(|a| (0..a).map(move |b| vec![a, b])).collect();
    let error = plan(&sizes, &cliques, 1e9).unwrap_err();
    assert_eq!(error.code, marginalia_tables::Code::ModelTooLarge);
    assert!(plan(&[2, 3], &[vec![0, 2]], 1e9).is_err());
    assert!(plan(&[2, 3], &[vec![0, 0]], 1e9).is_err());
}

#[test]
fn a_thousand_attributes_in_a_row() {
    let sizes = vec![10; 1000];
    let cliques: Vec<Vec<u16>> = (0..998).map(|a| vec![a, a + 1, a + 2]).collect();
    let tree = plan(&sizes, &cliques, 1e9).unwrap();
    // Each triple meets the next in a pair: nothing is over more than three attributes.
    assert!(tree.cost().multiplications <= 2.0 * 998.0 * 1000.0, "{:?}", tree.cost().multiplications);
}

prop_compose! {
    fn shapes()(sizes in prop::collection::vec(1u32..5, 2..7))
        (cliques in prop::collection::vec(prop::sample::subsequence((0..sizes.len() as u16).collect::<Vec<_>>(), 0..=sizes.len().min(4)).prop_shuffle(), 0..20), sizes in Just(sizes))
        -> (Vec<u32>, Vec<Vec<u16>>) { (sizes, cliques) }
}

proptest! {
    #[test]
    fn any_cliques((sizes, cliques) in shapes(), seed: u64, spread in prop::sample::select(vec![0.0, 1.0, 30.0, 600.0])) {
        let mut seed = Seed::new(seed);
        let potentials = random(&mut seed, &sizes, &cliques, spread);
        let v = random(&mut seed, &sizes, &cliques, 1.0);
        check(&sizes, &cliques, &potentials, &v, if spread > 100.0 { 1e-10 } else { 1e-11 });
    }
}
