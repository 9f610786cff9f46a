//! Fits against sums over all cells: the optimum, its certificate, operators, bases, degrees of freedom.

use crate::dense::{Dense, any_cliques, random, restored};
use marginalia_compute::job::{Job, Steps};
use marginalia_compute::seed::Seed;
use marginalia_graph::fit::{
    Base, Calibrated, Choice, Fit, Operator, Options, Problem, calibrate, fit, product_of_oneways,
};
use marginalia_graph::{Passes, Tree, plan};
use marginalia_tables::query::Matrix;
use proptest::prelude::*;
use std::sync::Arc;

fn tree(sizes: &[u32], cliques: &[Vec<u16>]) -> Arc<Tree> {
    Arc::new(plan(sizes, cliques, 1e9).unwrap())
}

fn problem_on(tree: &Arc<Tree>) -> Problem {
    Problem::new(Arc::new(Passes::new(Arc::clone(tree))))
}

fn fitted(problem: &Problem, tolerance: f64) -> Fit {
    let (problem, options) = (problem.clone(), Options { tolerance, ..Options::default() });
    Steps::new(|pace| async move { fit(&problem, None, &options, &pace).await }).complete().unwrap()
}

fn calibrated(problem: &Problem, base: Option<Base>, choice: Choice) -> (Calibrated, Problem) {
    let mut problem = problem.clone();
    let options = Options { tolerance: 1e-3, ..Options::default() };
    Steps::new(|pace| async move {
        let base = base.unwrap_or_else(|| Base::own(problem.tree()));
        let found = calibrate(&mut problem, &base, choice, &options, &pace).await?;
        Ok((found, problem))
    })
    .complete()
    .unwrap()
}

/// Noisy answers of every cell of some cliques, from some distribution, by several weights.
fn measured(sizes: &[u32], cliques: &[Vec<u16>], weight: f64, seed: u64) -> Problem {
    let (tree, mut seed) = (tree(sizes, cliques), Seed::new(seed));
    let mut problem = problem_on(&tree);
    let truth = Dense::new(sizes, cliques, &random(&mut seed, sizes, cliques, 1.0));
    for (leaf, clique) in cliques.iter().enumerate() {
        let mut y = truth.marginal(sizes, clique);
        y.iter_mut().for_each(|y| *y += 3.0 * (seed.uniform() - 0.5) / weight.sqrt());
        let weight = weight * (1.0 + leaf as f64);
        problem.measure(leaf, Operator::Identity, &tree.arranged(leaf, &y), weight).unwrap();
    }
    problem
}

/// loss + n₀·KL(p‖uniform) of any distribution over all cells.
fn value(sizes: &[u32], cliques: &[Vec<u16>], problem: &Problem, shares: &[f64], tree: &Tree) -> f64 {
    let dense = Dense { logs: shares.iter().map(|p| p.ln()).collect(), ..Dense::new(sizes, &[], &[]) };
    let mut loss = 0.0;
    for (term, clique) in problem.terms().iter().zip(cliques) {
        let m = tree.arranged(term.leaf, &dense.marginal(sizes, clique));
        let pairs = m.iter().zip(&problem.shares()[term.answers.clone()]);
        let of = pairs.zip(&problem.weights()[term.answers.clone()]);
        loss += of.map(|((m, y), w)| 0.5 * w * (m - y) * (m - y)).sum::<f64>();
    }
    let all = shares.len() as f64;
    let kl: f64 = shares.iter().filter(|p| **p > 0.0).map(|p| p * (p * all).ln()).sum();
    loss / problem.strength() + kl
}

const SIZES: [u32; 5] = [3, 2, 4, 1, 3];

fn shapes_of_cliques() -> Vec<Vec<Vec<u16>>> {
    vec![
        vec![vec![2]],
        vec![vec![0, 1, 2, 3, 4]],
        vec![vec![2, 0], vec![0, 2], vec![0], vec![2, 0, 3]],
        vec![vec![0, 1], vec![4, 2]],
        vec![vec![0, 1], vec![1, 2], vec![2, 4], vec![4, 0]],
        vec![vec![], vec![1, 4]],
    ]
}

#[test]
fn no_distribution_has_less_than_the_optimum() {
    for cliques in shapes_of_cliques() {
        for strength in [3000.0, 100.0, 3.0] {
            let mut problem = measured(&SIZES, &cliques, 4e4, 3);
            problem.set_strength(strength);
            let found = fitted(&problem, 1e-9);
            assert!(found.converged, "{cliques:?} {strength}: {:?}", found.gap);
            let tree = tree(&SIZES, &cliques);
            let potentials = restored(&tree, found.point.potentials());
            let model = Dense::new(&SIZES, &cliques, &potentials).shares();
            let least = value(&SIZES, &cliques, &problem, &model, &tree);
            assert!((least / found.gap.value - 1.0).abs() < 1e-9, "{least} {:?}", found.gap);
            let mut seed = Seed::new(1);
            for _ in 0..30 {
                let other: Vec<f64> =
                    model.iter().map(|p| p * (1.0 + 0.2 * (seed.uniform() - 0.5))).collect();
                let all: f64 = other.iter().sum();
                let other: Vec<f64> = other.iter().map(|p| p / all).collect();
                let there = value(&SIZES, &cliques, &problem, &other, &tree);
                assert!(there >= found.gap.value - found.gap.gap, "{there} {:?}", found.gap);
            }
        }
    }
}

#[test]
fn the_gap_is_the_distance_of_primal_and_dual() {
    // A tolerance that one sweep meets leaves a gap that can be seen.
    let cliques = vec![vec![0, 1], vec![1, 2], vec![2, 4], vec![4, 0]];
    let problem = measured(&SIZES, &cliques, 4e4, 5);
    let (rough, close) = (fitted(&problem, 1e-2).gap, fitted(&problem, 1e-11).gap);
    assert!(rough.gap > 0.0 && rough.relative() <= 1e-2);
    assert!(rough.value >= close.value - 1e-9 && rough.value - rough.gap <= close.value);
}

#[test]
fn answers_that_no_distribution_has_are_met_as_well_as_can_be() {
    let cliques = vec![vec![0], vec![0]];
    let tree = tree(&[2], &cliques);
    let mut problem = problem_on(&tree);
    problem.measure(0, Operator::Identity, &[-0.3, 0.9], 1e6).unwrap();
    problem.measure(1, Operator::Identity, &[0.1, 1.5], 1e6).unwrap();
    problem.set_strength(1e-3);
    let found = fitted(&problem, 1e-6);
    assert!(found.gap.gap.is_finite() && found.point.marginals()[0] < 1e-3);
}

#[test]
fn an_answer_that_comes_twice_counts_twice() {
    let cliques = vec![vec![0, 1], vec![1, 2]];
    let [once, twice] = [1, 2].map(|times| {
        let tree = tree(&SIZES, &cliques);
        let mut problem = problem_on(&tree);
        for _ in 0..times {
            let y = [0.3, 0.1, 0.1, 0.2, 0.25, 0.05];
            problem.measure(0, Operator::Identity, &tree.arranged(0, &y), 200.0 / f64::from(times)).unwrap();
        }
        assert_eq!(problem.answers(), 6);
        fitted(&problem, 1e-10).point.marginals().to_vec()
    });
    once.iter().zip(twice).for_each(|(a, b)| assert!((a - b).abs() < 1e-9));
}

#[test]
fn classes_and_combinations_of_cells() {
    // The class of the first code, by classes and by a matrix; prefixes of the second.
    let sizes = [3, 4];
    let cliques = vec![vec![0, 1]];
    let tree = tree(&sizes, &cliques);
    // The tree has the same order here: the larger attribute is the last.
    let of: Vec<u32> = (0..12).map(|cell| u32::from(cell / 4 == 2)).collect();
    let rows = (0..2).flat_map(|class| of.iter().map(move |own| i32::from(*own == class)));
    let matrix = Matrix::new(12, rows.collect()).unwrap();
    let prefix = Matrix::new(
        12,
        (0..4).flat_map(|last| (0..12).map(move |cell| i32::from(cell % 4 <= last))).collect(),
    );
    let both = [Operator::Classes { of, classes: 2 }, Operator::Linear(matrix)].map(|operator| {
        let mut problem = problem_on(&tree);
        problem.measure(0, operator, &[0.7, 0.3], 5e3).unwrap();
        problem.measure(0, Operator::Linear(prefix.clone().unwrap()), &[0.1, 0.3, 0.6, 1.0], 9e3).unwrap();
        let found = fitted(&problem, 1e-11);
        assert!(found.converged);
        let m = found.point.marginals().to_vec();
        let last: f64 = m[8..].iter().sum();
        assert!((last - 0.3).abs() < 1e-3, "{last}");
        let second: f64 = (0..3).map(|row| m[4 * row] + m[4 * row + 1]).sum();
        assert!((second - 0.3).abs() < 1e-3, "{second}");
        m
    });
    both[0].iter().zip(&both[1]).for_each(|(a, b)| assert!((a - b).abs() < 1e-7));
}

#[test]
fn cells_that_cannot_be() {
    let cliques = vec![vec![0, 1], vec![1, 2]];
    let problem = measured(&SIZES, &cliques, 4e4, 8);
    let mut mask = vec![0.0; tree(&SIZES, &cliques).cells()];
    mask[1] = f64::NEG_INFINITY;
    let mut forbidden = problem.clone();
    forbidden.forbid(mask.clone()).unwrap();
    let found = fitted(&forbidden, 1e-9);
    assert!(found.converged && found.point.marginals()[1] == 0.0);
    mask.fill(f64::NEG_INFINITY);
    forbidden.forbid(mask).unwrap();
    let options = Options::default();
    let nothing = Steps::new(|pace| async move { fit(&forbidden, None, &options, &pace).await }).complete();
    assert_eq!(nothing.unwrap_err().code, marginalia_tables::Code::OptionInvalid);
}

#[test]
fn the_nearest_product_has_the_same_single_attributes() {
    let cliques = vec![vec![0, 1], vec![1, 2], vec![2, 4], vec![4, 0]];
    let tree = tree(&SIZES, &cliques);
    let problem = measured(&SIZES, &cliques, 4e4, 2);
    let found = fitted(&problem, 1e-6);
    let base = product_of_oneways(&tree, found.point.marginals(), |_| true);
    let product = Dense::new(&SIZES, &cliques, &restored(&tree, &base));
    let potentials = restored(&tree, found.point.potentials());
    let model = Dense::new(&SIZES, &cliques, &potentials);
    for a in 0..5u16 {
        let (one, other) = (product.marginal(&SIZES, &[a]), model.marginal(&SIZES, &[a]));
        one.iter().zip(other).for_each(|(a, b)| assert!((a - b).abs() < 1e-12));
    }
    let (p, a, b) =
        (product.marginal(&SIZES, &[0, 2]), product.marginal(&SIZES, &[0]), product.marginal(&SIZES, &[2]));
    (0..12).for_each(|cell| assert!((p[cell] - a[cell / 4] * b[cell % 4]).abs() < 1e-12));
}

#[test]
fn a_strength_of_its_own_leaves_the_noise() {
    // So many answers that the residual is near what it is on average.
    let sizes = [20, 15, 12, 10];
    let cliques = vec![vec![0, 1], vec![1, 2], vec![2, 3], vec![3, 0]];
    let problem = measured(&sizes, &cliques, 3e5, 4);
    let (found, _) = calibrated(&problem, None, Choice::Residual);
    let answers = problem.answers() as f64;
    let df = found.freedom.unwrap();
    assert!(df > 0.0 && df < answers);
    // The noise is uniform with variance 9/12 of what its weight says, and more so for later cliques: by the sum of these.
    assert!(
        (found.residual - (answers - df)).abs() < 0.05 * answers,
        "{} of {answers}, {df}",
        found.residual
    );
    assert!(found.rounds >= 5 && found.fit.converged);
    let fixed_base = Base {
        potentials: vec![0.0; problem.terms().iter().map(|term| term.answers.len()).sum()],
        refitted: vec![false; 4],
    };
    let (fixed, own) = calibrated(&problem, Some(fixed_base), Choice::Fixed(40.0));
    assert_eq!((fixed.strength, fixed.rounds, own.strength()), (40.0, 0, 40.0));
}

/// Over some trials the errors, by their noise, of normal answers of such weights: of a free choice, of the residual's, and of the best
/// strengths of a grid.
fn errors(sizes: &[u32], cliques: &[Vec<u16>], uneven: f64, weights: &[f64], trials: u64) -> [f64; 3] {
    let tree = tree(sizes, cliques);
    let mut sums = [0.0; 3];
    for trial in 0..trials {
        let mut seed = Seed::new(trial);
        let truth = Dense::new(sizes, cliques, &random(&mut seed, sizes, cliques, uneven));
        let mut normal = || {
            let (u, v) = (seed.uniform(), seed.uniform());
            (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
        };
        let mut problem = problem_on(&tree);
        let weight = weights[trial as usize % weights.len()];
        let mut right = Vec::new();
        for (leaf, clique) in cliques.iter().enumerate() {
            let shares = tree.arranged(leaf, &truth.marginal(sizes, clique));
            let y: Vec<f64> = shares.iter().map(|p| p + normal() / weight.sqrt()).collect();
            problem.measure(leaf, Operator::Identity, &y, weight).unwrap();
            right.extend(shares);
        }
        let error = |choice| {
            let found = calibrated(&problem, None, choice).0.fit.point;
            let off = found.marginals().iter().zip(&right).map(|(found, right)| (found - right).powi(2));
            off.sum::<f64>() * weight
        };
        sums[0] += error(Choice::Free(2.0));
        sums[1] += error(Choice::Residual);
        let grid = (-6..=6).map(|i| error(Choice::Fixed(weight / 300.0 * 10f64.powf(f64::from(i) / 3.0))));
        sums[2] += grid.fold(f64::INFINITY, f64::min);
    }
    sums
}

/// Of few answers, whatever their noise, the error of a strength that was chosen is near to that of the best one.
#[test]
fn the_least_risk_of_few_answers() {
    let cliques = [vec![0u16, 1], vec![1, 2], vec![0], vec![1], vec![2]];
    let [chosen, _, best] = errors(&[8, 6, 5], &cliques, 0.7, &[1e4, 1e5, 1e6], 60);
    // The best by the truth knows the noise of each trial.
    assert!(chosen < 1.15 * best, "{chosen} {best}");
}

/// So it is of many answers that say little beside their noise, whose distance from a fit says nothing.
#[test]
fn the_least_risk_of_many_answers_that_say_little() {
    let cliques = [vec![0u16, 1], vec![0, 2], vec![0], vec![1], vec![2]];
    let [chosen, residual, best] = errors(&[70, 60, 4], &cliques, 3.0, &[1e5, 1e6], 12);
    assert!(chosen < 1.15 * best && chosen < 0.9 * residual, "{chosen} {residual} {best}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_measurements((sizes, cliques) in any_cliques(), seed: u64, weight in 1e1..1e9f64, strength in 1e-1..1e6f64) {
        let mut problem = measured(&sizes, &cliques, weight, seed);
        problem.set_strength(strength);
        let found = fitted(&problem, 1e-6);
        prop_assert!(found.gap.gap.is_finite() && found.gap.entropy >= -1e-9);
        prop_assert!(found.point.marginals().iter().all(|m| *m >= 0.0 && m.is_finite()));
        prop_assert!(found.gap.relative() < 1e-3 || found.gap.gap < 1e-6, "{:?}", found.gap);
        let (found, _) = calibrated(&problem, None, Choice::Residual);
        prop_assert!(found.strength.is_finite() && found.strength > 0.0 && found.fit.gap.gap.is_finite());
    }
}
