//! Published ways down against their listings over all cells, Newton's method, and what others found.

mod any;
mod golden;
mod listings;

use crate::dense::{Dense, arranged, random};
use listings::{All, listing_1, listing_2};
use marginalia_compute::job::{Job, Pace, Steps as Work};
use marginalia_compute::seed::Seed;
use marginalia_graph::fit::descent::{
    Descent, Evaluation, Judged, Limits, Loss, Method, Own, Steps, descend,
};
use marginalia_graph::fit::{Operator, Options, Problem, fit};
use marginalia_graph::{Passes, Tree, plan};
use marginalia_tables::query::Matrix;
use std::future::ready;
use std::sync::Arc;

const SIZES: [u32; 5] = [3, 2, 4, 1, 3];

const SMOOTH: [Method; 5] = [
    Method::Mirror(Steps::Search),
    Method::Mirror(Steps::Adaptive),
    Method::DualAveraging,
    Method::InteriorGradient,
    Method::Accelerated,
];

fn limits(iterations: usize) -> Limits {
    Limits { iterations, tolerance: 0.0, until: None }
}

fn run(problem: &Problem, loss: &Loss, method: Method, limits: Limits) -> Descent {
    let (problem, loss) = (problem.clone(), loss.clone());
    Work::new(|pace| async move { descend(&problem, &loss, method, &limits, &pace).await })
        .complete()
        .unwrap()
}

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

/// Noisy answers of every cell of some cliques, from some distribution, by several weights.
fn measured(cliques: &[Vec<u16>], weight: f64) -> (Problem, Arc<Tree>) {
    let (tree, mut seed) = (Arc::new(plan(&SIZES, cliques, 1e9).unwrap()), Seed::new(3));
    let mut problem = Problem::new(Arc::new(Passes::new(Arc::clone(&tree))));
    let truth = Dense::new(&SIZES, cliques, &random(&mut seed, &SIZES, cliques, 1.0));
    for (leaf, clique) in cliques.iter().enumerate() {
        let mut y = truth.marginal(&SIZES, clique);
        y.iter_mut().for_each(|y| *y += 3.0 * (seed.uniform() - 0.5) / weight.sqrt());
        let weight = weight * (1.0 + leaf as f64);
        problem.measure(leaf, Operator::Identity, &tree.arranged(leaf, &y), weight).unwrap();
    }
    (problem, tree)
}

/// The least loss, in squares, and the relative entropy of a model that has it nearly.
fn least(problem: &Problem) -> (f64, f64, Vec<f64>) {
    let mut problem = problem.clone();
    problem.set_strength(1e-4);
    let options = Options { tolerance: 1e-10, ..Options::default() };
    let found = Work::new(|pace| async move {
        let found = fit(&problem, None, &options, &pace).await?;
        Ok((0.5 * found.point.residual(&problem), found.gap.entropy, found.point.marginals().to_vec()))
    });
    found.complete().unwrap()
}

/// A loss and its gradient.
fn evaluated(problem: &Problem, loss: &Loss, cells: &[f64]) -> (f64, Vec<f64>) {
    let (problem, loss, cells) = (problem.clone(), loss.clone(), cells.to_vec());
    let evaluated = Work::new(|_: Pace| async move {
        let mut gradient = vec![f64::NAN; cells.len()];
        Ok((loss.at(&problem, &cells, &mut gradient).await?, gradient))
    });
    evaluated.complete().unwrap()
}

fn assert_alike(found: &[f64], wanted: &[f64], within: f64) {
    assert_eq!(found.len(), wanted.len());
    found.iter().zip(wanted).for_each(|(a, b)| assert!((a - b).abs() <= within, "{a} is not {b}"));
}

#[test]
fn each_listing_over_all_cells_has_the_same_losses() {
    for cliques in shapes_of_cliques() {
        let (problem, tree) = measured(&cliques, 4e3);
        for loss in [Loss::Squares, Loss::Huber(1.0)] {
            let all = All { cliques: &cliques, tree: &tree, problem: &problem, loss: &loss };
            let found = run(&problem, &loss, Method::Mirror(Steps::Search), limits(60));
            let mut kept: Vec<f64> = found.trace.iter().map(|one| one.loss).collect();
            kept.dedup();
            kept.truncate(16);
            assert_alike(&kept, &listing_1(&all, 40)[..kept.len()], 1e-7);
            let found = run(&problem, &loss, Method::DualAveraging, limits(30));
            let losses: Vec<f64> = found.trace.iter().map(|one| one.loss).collect();
            assert_alike(&losses, &listing_2(&all, 30), 1e-9);
        }
    }
}

#[test]
fn all_come_to_the_same_optimum_as_newtons_method() {
    for cliques in shapes_of_cliques() {
        let (problem, tree) = measured(&cliques, 2e3);
        let (optimum, _, marginals) = least(&problem);
        for method in SMOOTH {
            let found = run(&problem, &Loss::Squares, method, limits(4000));
            let all = All { cliques: &cliques, tree: &tree, problem: &problem, loss: &Loss::Squares };
            assert!((found.loss - optimum).abs() < 1e-6, "{cliques:?} {method:?}: {} {optimum}", found.loss);
            assert!(
                all.gap(&found.marginals) < 0.05,
                "{cliques:?} {method:?}: {}",
                all.gap(&found.marginals)
            );
            assert_alike(&found.marginals, &marginals, 1e-5);
        }
    }
}

#[test]
fn accelerated_ones_keep_their_bounds() {
    for cliques in shapes_of_cliques() {
        let (problem, _) = measured(&cliques, 4e4);
        let (optimum, entropy, _) = least(&problem);
        let k = Loss::Squares.lipschitz(&problem).unwrap();
        let found = run(&problem, &Loss::Squares, Method::DualAveraging, limits(300));
        for (t, Judged { loss, .. }) in found.trace.iter().enumerate().skip(1) {
            let t = t as f64;
            assert!(loss - optimum <= 4.0 * k * entropy / (t * (t + 1.0)) + 1e-9, "{cliques:?} {t}");
        }
        let found = run(&problem, &Loss::Squares, Method::InteriorGradient, limits(300));
        let (mut c, first) = (1.0f64, found.trace[0].loss);
        for Judged { loss, .. } in found.trace {
            assert!(loss - optimum <= c * (first - optimum + k * entropy) + 1e-9, "{cliques:?} {c}");
            c *= 1.0 - 0.5 * ((c * (c + 4.0)).sqrt() - c);
        }
    }
}

#[test]
fn searched_and_adaptive_steps_never_lead_up() {
    for cliques in shapes_of_cliques() {
        let (problem, _) = measured(&cliques, 4e6);
        for loss in [Loss::Squares, Loss::Huber(0.5)] {
            for steps in [Steps::Search, Steps::Adaptive] {
                let found = run(&problem, &loss, Method::Mirror(steps), limits(200));
                assert!(
                    found.trace.windows(2).all(|two| two[1].loss <= two[0].loss),
                    "{cliques:?} {steps:?}"
                );
                assert!(found.trace.iter().enumerate().all(|(i, one)| one.calls == i + 1));
            }
        }
    }
}

#[test]
fn gradients_are_what_differences_say() {
    let cliques = vec![vec![0, 1], vec![1, 2]];
    let (mut problem, tree) = measured(&cliques, 4e2);
    let prefix = Matrix::prefix(8).unwrap();
    problem.measure(1, Operator::Linear(prefix), &[0.1, 0.2, 0.3, 0.5, 0.6, 0.8, 0.9, 1.0], 500.0).unwrap();
    let classes = Operator::Classes { of: vec![0, 1, 1, 2, 0, 2], classes: 3 };
    problem.measure(0, classes, &[0.5, 0.2, 0.3], 100.0).unwrap();
    let mut seed = Seed::new(8);
    for loss in [Loss::Squares, Loss::Absolute, Loss::Huber(0.7), Loss::Huber(3.0), own(&problem)] {
        let at = |cells: &[f64]| evaluated(&problem, &loss, cells);
        let here: Vec<f64> = (0..tree.cells()).map(|_| seed.uniform()).collect();
        let (_, gradient) = at(&here);
        for cell in 0..here.len() {
            let moved = |by: f64| {
                let mut there = here.clone();
                there[cell] += by;
                at(&there).0
            };
            let slope = (moved(1e-6) - moved(-1e-6)) / 2e-6;
            assert!(
                (slope - gradient[cell]).abs() < 1e-4 * (1.0 + slope.abs()),
                "{loss:?} {slope} {gradient:?}"
            );
        }
    }
}

/// Squares of cells, in the place of the answers of their cliques.
#[derive(Debug)]
struct OfCells {
    y: Vec<f64>,
    weight: f64,
}

impl Own for OfCells {
    fn at<'a>(&'a self, cells: &'a [f64], gradient: &'a mut [f64]) -> Evaluation<'a> {
        let mut loss = 0.0;
        for ((g, m), y) in gradient.iter_mut().zip(cells).zip(&self.y) {
            *g = self.weight * (m - y);
            loss += 0.5 * self.weight * (m - y) * (m - y);
        }
        Box::pin(ready(Ok(loss)))
    }
}

fn own(problem: &Problem) -> Loss {
    let y = (0..14).map(|cell| problem.shares()[cell]).collect();
    Loss::Own(Arc::new(OfCells { y, weight: 4e2 }))
}

#[test]
fn a_loss_of_ones_own() {
    let cliques = vec![vec![0, 1], vec![1, 2]];
    let tree = Arc::new(plan(&SIZES, &cliques, 1e9).unwrap());
    let mut problem = Problem::new(Arc::new(Passes::new(tree)));
    let y = [[0.1, 0.2, 0.1, 0.2, 0.2, 0.2].as_slice(), &[0.1, 0.1, 0.2, 0.1, 0.2, 0.1, 0.1, 0.1]];
    for (leaf, y) in y.iter().enumerate() {
        problem.measure(leaf, Operator::Identity, y, 4e2).unwrap();
    }
    for method in [Method::Mirror(Steps::Search), Method::Mirror(Steps::Adaptive), Method::Accelerated] {
        let squares = run(&problem, &Loss::Squares, method, limits(300));
        let found = run(&problem, &own(&problem), method, limits(300));
        assert!((found.loss - squares.loss).abs() < 1e-9, "{method:?} {} {}", found.loss, squares.loss);
        assert_alike(&found.marginals, &squares.marginals, 1e-5);
    }
    // Without its constant, and with a loss that has none.
    for (loss, method) in [
        (own(&problem), Method::DualAveraging),
        (Loss::Absolute, Method::Accelerated),
        (Loss::Absolute, Method::Mirror(Steps::Search)),
    ] {
        let problem = problem.clone();
        let refused =
            Work::new(|pace| async move { descend(&problem, &loss, method, &limits(9), &pace).await });
        assert_eq!(refused.complete().unwrap_err().code, marginalia_tables::Code::OptionInvalid);
    }
}

/// Two records that agree in nothing are as far apart as the constant says, and no two distributions are farther.
#[test]
fn the_constant_is_the_least_one() {
    let (problem, tree) = measured(&[vec![0, 1], vec![1, 2], vec![2, 4]], 4e2);
    let k = Loss::Squares.lipschitz(&problem).unwrap();
    let squares = |difference: &[f64]| -> f64 {
        let of = problem.terms().iter().map(|term| {
            let leaf = &tree.leaves()[term.leaf];
            let sum: f64 = difference[leaf.at..leaf.at + leaf.cells].iter().map(|d| d * d).sum();
            problem.weights()[term.answers.start] * sum
        });
        of.sum()
    };
    let cliques = [vec![0, 1], vec![1, 2], vec![2, 4]];
    let marginals = |shares: &[f64]| {
        let dense = Dense { logs: shares.iter().map(|p| p.ln()).collect(), ..Dense::new(&SIZES, &[], &[]) };
        arranged(&tree, &cliques.iter().map(|clique| dense.marginal(&SIZES, clique)).collect::<Vec<_>>())
    };
    let apart = |p: &[f64], q: &[f64]| {
        let difference: Vec<f64> = marginals(p).iter().zip(marginals(q)).map(|(p, q)| p - q).collect();
        let length: f64 = p.iter().zip(q).map(|(p, q)| (p - q).abs()).sum();
        squares(&difference) / (length * length)
    };
    let (mut first, mut last) = (vec![0.0; 72], vec![0.0; 72]);
    (first[0], last[71]) = (1.0, 1.0);
    assert!((apart(&first, &last) / k - 1.0).abs() < 1e-12);
    let mut seed = Seed::new(5);
    for _ in 0..200 {
        let mut shares = || {
            let list: Vec<f64> = (0..72).map(|_| seed.uniform().powi(9)).collect();
            let all: f64 = list.iter().sum();
            list.into_iter().map(|p| p / all).collect::<Vec<f64>>()
        };
        assert!(apart(&shares(), &shares()) <= k);
    }
}

#[test]
fn absolute_distances_find_the_median() {
    let tree = Arc::new(plan(&[2], &[vec![0]], 1e9).unwrap());
    let mut problem = Problem::new(Arc::new(Passes::new(tree)));
    problem.keep_apart();
    for share in [0.2, 0.3, 0.7, 0.75, 0.35] {
        problem.measure(0, Operator::Identity, &[share, 1.0 - share], 5e3).unwrap();
    }
    assert_eq!(problem.answers(), 10);
    let found = run(&problem, &Loss::Absolute, Method::Mirror(Steps::Decreasing), limits(5000));
    assert!((found.marginals[0] - 0.35).abs() < 2e-3, "{:?}", found.marginals);
    let found = run(&problem, &Loss::Huber(0.01), Method::Accelerated, limits(3000));
    assert!((found.marginals[0] - 0.35).abs() < 2e-3, "{:?}", found.marginals);
    assert!((found.loss - 2.0 * 1e4f64.sqrt() * (0.15 + 0.05 + 0.35 + 0.4)).abs() < 0.1, "{}", found.loss);
}

#[test]
fn it_ends_where_the_noise_begins_and_goes_on_from_potentials() {
    let cliques = vec![vec![0, 1], vec![1, 2], vec![2, 4], vec![4, 0]];
    let (problem, _) = measured(&cliques, 4e4);
    for method in SMOOTH {
        let noise = Loss::Squares.noise(&problem).unwrap();
        assert_eq!(noise, 0.5 * problem.answers() as f64);
        let early = run(&problem, &Loss::Squares, method, Limits { until: Some(noise), ..limits(3000) });
        let (last, before) = (early.trace[early.trace.len() - 1], early.trace[early.trace.len() - 2]);
        assert!(early.converged && last.loss <= noise && before.loss > noise, "{method:?}");
        let mut warm = problem.clone();
        warm.set_base(&early.potentials);
        let further = run(&warm, &Loss::Squares, method, limits(500));
        assert!((further.trace[0].loss - early.loss).abs() < 1e-9, "{method:?}");
        assert!(further.loss < early.loss);
        let steady = run(&problem, &Loss::Squares, method, Limits { tolerance: 1e-3, ..limits(3000) });
        assert!(steady.converged && steady.trace.len() < 1000, "{method:?}: {}", steady.trace.len());
    }
}

#[test]
fn stopped_at_any_time_it_has_a_model() {
    let (problem, _) = measured(&[vec![0, 1], vec![1, 2]], 4e4);
    for method in SMOOTH {
        for pieces in [0, 1, 5, 40] {
            let problem = problem.clone();
            let mut work = Work::new(|pace| async move {
                descend(&problem, &Loss::Squares, method, &limits(1000), &pace).await
            });
            (0..pieces).for_each(|_| assert!(!work.step(1).over));
            let found = Box::new(work).finish().unwrap();
            assert!(!found.ended && !found.converged);
            assert!(found.trace.len() <= pieces && found.loss.is_finite());
            assert!((found.marginals.iter().sum::<f64>() - 2.0).abs() < 1e-12);
        }
    }
}

#[test]
fn nothing_measured_is_met_at_once() {
    let tree = Arc::new(plan(&[3, 4], &[vec![0], vec![1]], 1e9).unwrap());
    let problem = Problem::new(Arc::new(Passes::new(Arc::clone(&tree))));
    let mut total = problem.clone();
    total.measure(0, Operator::Linear(Matrix::new(3, vec![1, 1, 1]).unwrap()), &[0.9], 100.0).unwrap();
    for method in SMOOTH.into_iter().chain([Method::Mirror(Steps::Decreasing)]) {
        let found = run(&problem, &Loss::Squares, method, limits(9));
        assert!(found.converged && found.trace.len() == 1 && found.loss == 0.0);
        let found = run(&total, &Loss::Squares, method, limits(9));
        assert!((found.loss - 0.5).abs() < 1e-12);
        assert_alike(&found.marginals[..3], &[1.0 / 3.0; 3], 1e-12);
    }
}

/// What nothing tells apart stays equally likely; what cannot be stays impossible.
#[test]
fn the_entropy_is_largest() {
    let tree = Arc::new(plan(&[3, 4], &[vec![0, 1]], 1e9).unwrap());
    let mut problem = Problem::new(Arc::new(Passes::new(tree)));
    let of: Vec<u32> = (0..12).map(|cell| u32::from(cell / 4 == 2)).collect();
    problem.measure(0, Operator::Classes { of, classes: 2 }, &[0.7, 0.3], 5e3).unwrap();
    let mut mask = vec![0.0; 12];
    mask[1] = f64::NEG_INFINITY;
    problem.forbid(mask).unwrap();
    for method in SMOOTH {
        let m = run(&problem, &Loss::Squares, method, limits(400)).marginals;
        let wanted = |cell| match cell {
            1 => 0.0,
            8.. => 0.3 / 4.0,
            _ => 0.7 / 7.0,
        };
        assert_alike(&m, &(0..12).map(wanted).collect::<Vec<_>>(), 1e-6);
    }
}
