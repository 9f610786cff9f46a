//! Marginals and factored queries, against sums over all cells.

use super::dense::{Dense, arranged, hard_cliques, place, random};
use marginalia_compute::job::{Job, Steps};
use marginalia_compute::seed::Seed;
use marginalia_graph::{Factor, Oracle, Passes, factored, kronecker, marginals, plan};
use marginalia_tables::{Code, Result};
use proptest::prelude::*;
use std::sync::Arc;

fn oracle(sizes: &[u32], cliques: &[Vec<u16>], potentials: &[Vec<f64>]) -> Oracle {
    let tree = Arc::new(plan(sizes, cliques, 1e9).unwrap());
    let theta = arranged(&tree, potentials);
    let mut oracle = Oracle::new(Arc::new(Passes::new(tree)));
    oracle.forward(&theta);
    oracle.reverse(&theta);
    oracle
}

fn name(attribute: u16) -> String {
    format!("a{attribute}")
}

fn marginals_of(oracle: Oracle, sets: Vec<Vec<u16>>, limit: f64) -> Result<(Vec<Vec<f64>>, Oracle)> {
    Steps::new(move |pace| async move { Ok((marginals(&oracle, &sets, limit, &name, &pace).await?, oracle)) })
        .complete()
}

fn means_of(oracle: Oracle, factors: Vec<Factor>, grid: bool) -> Result<(Vec<f64>, Oracle)> {
    let job = move |pace| async move {
        let answers = match grid {
            true => kronecker(&oracle, &factors, 1e9, &name, &pace).await?,
            false => factored(&oracle, &factors, 1e9, &name, &pace).await?,
        };
        Ok((answers, oracle))
    };
    Steps::new(job).complete()
}

/// Rows of numbers on both sides of 0.
fn factors(seed: &mut Seed, sizes: &[u32], attributes: &[u16], rows: impl Fn(u16) -> usize) -> Vec<Factor> {
    let one = |attribute: &u16| {
        let entries = rows(*attribute) * sizes[usize::from(*attribute)] as usize;
        Factor { attribute: *attribute, rows: (0..entries).map(|_| 2.0 * seed.uniform() - 1.0).collect() }
    };
    attributes.iter().map(one).collect()
}

/// Everything that can be asked, beside the same from all cells.
fn check(sizes: &[u32], cliques: &[Vec<u16>], potentials: &[Vec<f64>], within: f64) -> bool {
    let dense = Dense::new(sizes, cliques, potentials);
    let own = oracle(sizes, cliques, potentials);
    let close = |a: &[f64], b: &[f64], what: &dyn std::fmt::Debug| {
        assert_eq!(a.len(), b.len());
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() <= within, "{a} instead of {b}: {what:?} of {sizes:?} {cliques:?}");
        }
    };
    let d = sizes.len() as u16;
    let subset = |bits: u32| (0..d).filter(move |a| bits >> a & 1 == 1);
    let forwards = (0..1 << d).map(|bits| subset(bits).collect());
    let backwards = (0..1 << d).map(|bits| subset(bits).rev().collect());
    let sets: Vec<Vec<u16>> = forwards.chain(backwards).collect();
    let (found, mut own) = marginals_of(own, sets.clone(), 1e9).unwrap();
    for (set, found) in sets.iter().zip(&found) {
        close(found, &dense.marginal(sizes, set), set);
    }

    let mut seed = Seed::new(9);
    let shares = dense.shares();
    for set in sets.iter().step_by(3) {
        // Paired: as many rows for each.
        let rows = 1 + seed.below(5) as usize;
        let paired = factors(&mut seed, sizes, set, |_| rows);
        let brute = |query: usize| -> f64 {
            let of = |(cell, p): (&Vec<u32>, &f64)| {
                let entry = |factor: &Factor| {
                    let a = usize::from(factor.attribute);
                    factor.rows[query * sizes[a] as usize + cell[a] as usize]
                };
                p * paired.iter().map(entry).product::<f64>()
            };
            dense.cells.iter().zip(&shares).map(of).sum()
        };
        let expected: Vec<f64> = (0..if set.is_empty() { 0 } else { rows }).map(brute).collect();
        let found;
        (found, own) = means_of(own, paired.clone(), false).unwrap();
        close(&found, &expected, &paired);

        // All combinations of one or two rows.
        let grid = factors(&mut seed, sizes, set, |a| 1 + usize::from(a % 2));
        let rows: Vec<u32> = grid.iter().map(|factor| 1 + u32::from(factor.attribute % 2)).collect();
        let all: Vec<u16> = (0..set.len() as u16).collect();
        let mut expected = vec![0.0; rows.iter().product::<u32>() as usize];
        for combination in Dense::new(&rows, &[], &[]).cells {
            for (cell, p) in dense.cells.iter().zip(&shares) {
                let entry = |(factor, row): (&Factor, &u32)| {
                    let a = usize::from(factor.attribute);
                    factor.rows[(row * sizes[a] + cell[a]) as usize]
                };
                expected[place(&rows, &all, &combination)] +=
                    p * grid.iter().zip(&combination).map(entry).product::<f64>();
            }
        }
        let found;
        (found, own) = means_of(own, grid.clone(), true).unwrap();
        close(&found, &expected, &grid);
    }
    own.logarithmic()
}

#[test]
fn every_set_of_cliques_of_every_shape() {
    let sizes = [3, 2, 4, 3, 1, 3];
    for cliques in hard_cliques() {
        let potentials = random(&mut Seed::new(3), &sizes, &cliques, 2.0);
        assert!(!check(&sizes, &cliques, &potentials, 1e-13));
    }
}

#[test]
fn a_loop_of_ten() {
    let cliques: Vec<Vec<u16>> = (0..10).map(|a| vec![a, (a + 1) % 10]).collect();
    let potentials = random(&mut Seed::new(4), &[2; 10], &cliques, 2.0);
    let dense = Dense::new(&[2; 10], &cliques, &potentials);
    let sets: Vec<Vec<u16>> = (1..10).map(|a| vec![a, 0]).chain([vec![0, 3, 5, 8]]).collect();
    let (found, _) = marginals_of(oracle(&[2; 10], &cliques, &potentials), sets.clone(), 1e9).unwrap();
    for (set, found) in sets.iter().zip(found) {
        let expected = dense.marginal(&[2; 10], set);
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14));
    }
}

#[test]
fn numbers_that_do_not_reach() {
    // Opposite potentials in factors along a chain: messages of the oracle reach, what lies between them does not.
    let sizes = [3, 5, 5, 5, 2];
    let cliques = [vec![0, 1], vec![1, 2], vec![2, 3], vec![3, 4]];
    for weight in [100.0, 300.0, 900.0] {
        let mut potentials = random(&mut Seed::new(6), &sizes, &cliques, 1.0);
        let of = |b: usize| weight * b as f64;
        potentials[1].iter_mut().enumerate().for_each(|(at, theta)| *theta += of(at % 5));
        potentials[2].iter_mut().enumerate().for_each(|(at, theta)| *theta -= of(at / 5));
        check(&sizes, &cliques, &potentials, 1e-11);
        let impossible = vec![f64::NEG_INFINITY; 15];
        let none = marginals_of(oracle(&sizes, &cliques[..1], &[impossible]), vec![vec![0, 2]], 1e9);
        assert_eq!(none.map(|_| ()).unwrap_err().code, Code::OptionInvalid);
    }
}

#[test]
fn a_product_over_more_cells_than_there_are_numbers() {
    // A chain of 400 attributes whose factors know single attributes only: every answer is a product.
    let (d, size) = (400u16, 6u32);
    let sizes = vec![size; usize::from(d)];
    let cliques: Vec<Vec<u16>> = (0..d - 1).map(|a| vec![a, a + 1]).collect();
    let single = random(&mut Seed::new(8), &sizes, &(0..d).map(|a| vec![a]).collect::<Vec<_>>(), 1.0);
    let potentials: Vec<Vec<f64>> = cliques
        .iter()
        .map(|clique| {
            let [a, b] = [&single[usize::from(clique[0])], &single[usize::from(clique[1])]];
            let half = |a: u16| if a == 0 || a == d - 1 { 1.0 } else { 0.5 };
            let [of_a, of_b] = [half(clique[0]), half(clique[1])];
            a.iter().flat_map(|x| b.iter().map(move |y| of_a * x + of_b * y)).collect()
        })
        .collect();
    let shares: Vec<Vec<f64>> = single
        .iter()
        .map(|theta| {
            let all: f64 = theta.iter().map(|theta| theta.exp()).sum();
            theta.iter().map(|theta| theta.exp() / all).collect()
        })
        .collect();
    let own = oracle(&sizes, &cliques, &potentials);
    let (found, own) = marginals_of(own, vec![vec![399, 0, 200]], 1e8).unwrap();
    for (cell, share) in found[0].iter().enumerate() {
        let expected = shares[399][cell / 36] * shares[0][cell / 6 % 6] * shares[200][cell % 6];
        assert!((share - expected).abs() < 1e-12);
    }
    // Rows near 1, with a sign now and then: products of 400 numbers.
    let mut seed = Seed::new(9);
    let mut entry = || if seed.uniform() < 0.01 { -0.5 } else { 0.9 + 0.2 * seed.uniform() };
    let factors: Vec<Factor> = (0..d)
        .map(|attribute| Factor { attribute, rows: (0..300 * size).map(|_| entry()).collect() })
        .collect();
    let (found, _) = means_of(own, factors.clone(), false).unwrap();
    for (query, found) in found.iter().enumerate() {
        let mean = |(factor, shares): (&Factor, &Vec<f64>)| -> f64 {
            factor.rows[6 * query..6 * query + 6].iter().zip(shares).map(|(row, p)| row * p).sum()
        };
        let expected: f64 = factors.iter().zip(&shares).map(mean).product();
        assert!((found - expected).abs() < 1e-10 * expected.abs(), "{found} instead of {expected}");
    }
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let cliques: Vec<Vec<u16>> = (0..9).map(|a| vec![a, a + 1]).collect();
    let own = || oracle(&[40; 10], &cliques, &random(&mut Seed::new(1), &[40; 10], &cliques, 1.0));
    let error = marginals_of(own(), vec![vec![0, 2], vec![0, 2, 4, 6]], 1e7).map(|_| ()).unwrap_err();
    assert_eq!(error.code, Code::ModelTooLarge);
    assert!(error.message.contains("(a0, a2, a4, a6)"), "{}", error.message);
    assert!(marginals_of(own(), vec![vec![0, 2, 4, 6, 8, 1, 3]], 1e300).is_err());
    assert_eq!(
        marginals_of(own(), vec![vec![0, 10]], 1e9).map(|_| ()).unwrap_err().code,
        Code::AttributeUnknown
    );
    assert_eq!(marginals_of(own(), vec![vec![3, 3]], 1e9).map(|_| ()).unwrap_err().code, Code::OptionInvalid);
    let uneven = |rows: [usize; 2]| {
        (0..2).map(move |a| Factor { attribute: a, rows: vec![1.0; rows[usize::from(a)]] })
    };
    assert!(means_of(own(), uneven([40, 80]).collect(), false).is_err());
    assert!(means_of(own(), uneven([40, 41]).collect(), true).is_err());
    assert!(means_of(own(), uneven([40, 80]).collect(), true).is_ok());
}

#[test]
fn steps_of_any_length_give_the_same_answers() {
    let cliques: Vec<Vec<u16>> = (0..9).map(|a| vec![a, a + 1]).collect();
    let own = || oracle(&[20; 10], &cliques, &random(&mut Seed::new(1), &[20; 10], &cliques, 1.0));
    let sets: Vec<Vec<u16>> = (2..10).map(|a| vec![0, a]).collect();
    let (whole, _) = marginals_of(own(), sets.clone(), 1e9).unwrap();
    let oracle = own();
    let mut job = Steps::new(move |pace| async move { marginals(&oracle, &sets, 1e9, &name, &pace).await });
    let mut steps = 0;
    while !job.step(1).over {
        steps += 1;
    }
    assert!(steps > 20, "{steps}");
    assert_eq!(job.complete().unwrap(), whole);
}

prop_compose! {
    fn shapes()(sizes in prop::collection::vec(1u32..4, 2..6))
        (cliques in prop::collection::vec(prop::sample::subsequence((0..sizes.len() as u16).collect::<Vec<_>>(), 0..=sizes.len().min(3)).prop_shuffle(), 0..10), sizes in Just(sizes))
        -> (Vec<u32>, Vec<Vec<u16>>) { (sizes, cliques) }
}

proptest! {
    #[test]
    fn any_cliques((sizes, cliques) in shapes(), seed: u64, spread in prop::sample::select(vec![0.0, 1.0, 30.0, 600.0])) {
        let potentials = random(&mut Seed::new(seed), &sizes, &cliques, spread);
        check(&sizes, &cliques, &potentials, if spread > 100.0 { 1e-9 } else { 1e-11 });
    }
}
