//! Tiny problems against closed forms, and against all vertices that an optimum of the linear program can be at.

use marginalia_estimate::estimators::two_stage::{Options, Solution, Target, TwoStageEstimator, two_stage};
use marginalia_estimate::estimators::{Certificate, Estimator, Request};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::{Law, Measured};
use marginalia_estimate::models::support::{Base, Index};
use marginalia_estimate::total::Total;
use marginalia_tables::query::Query;
use marginalia_tables::{Code, Codes, Domain, Schema, Unmet};
use proptest::prelude::*;
use std::sync::Arc;

const TIGHT: Options = Options { tolerance: 1e-6, entropy: true, seed: 0 };
const ESTIMATOR: TwoStageEstimator =
    TwoStageEstimator { target: Target::Loss, entropy: true, tolerance: 1e-6, solver: None };
const LOSS: Options = Options { entropy: false, ..TIGHT };

fn base(sizes: &[u32], rows: &[&[u16]], prior: &[f64]) -> Arc<Base> {
    let columns = sizes.iter().enumerate().map(|(a, size)| {
        let mut column = Codes::new(*size as usize);
        column.extend(&rows.iter().map(|row| row[a]).collect::<Vec<_>>()).unwrap();
        column
    });
    Arc::new(Base::new(Domain::new(sizes.to_vec()), columns.collect(), Some(prior)).unwrap())
}

fn index(base: &Arc<Base>, cliques: &[&[u16]]) -> Arc<Index> {
    let cliques = cliques.iter().map(|clique| clique.to_vec()).collect();
    Index::over(Arc::clone(base), cliques, 1 << 20).unwrap().complete().unwrap()
}

/// Answers to all cells of the cliques, of which only the supported ones count.
fn solve(base: &Arc<Base>, cliques: &[&[u16]], answers: &[&[f64]], options: Options) -> Solution {
    let index = index(base, cliques);
    let supported = index.marginals().iter().zip(answers);
    let supported = supported.flat_map(|(one, all)| one.places.iter().map(|place| all[*place as usize]));
    let mut job = two_stage(index.clone(), base.prior().to_vec(), supported.collect(), options);
    while !job.step(1000).over {}
    job.complete().unwrap()
}

fn near(found: &[f64], wanted: &[f64], within: f64) {
    assert_eq!(found.len(), wanted.len());
    found.iter().zip(wanted).for_each(|(found, wanted)| {
        assert!((found - wanted).abs() <= within, "{found:?} is not {wanted}");
    });
}

const A: [&[u16]; 5] = [&[0, 0], &[0, 1], &[0, 2], &[1, 1], &[1, 2]];

#[test]
fn the_golden_vectors() {
    let a = base(&[2, 3], &A, &[0.30, 0.20, 0.10, 0.15, 0.25]);
    let found = solve(&a, &[&[0], &[1]], &[&[0.45, 0.52], &[-0.03, 0.55, 0.50]], TIGHT);
    assert!(found.converged, "{:?}", found.certificate);
    near(&found.weights, &[0.0, 0.3, 0.15, 0.20625, 0.34375], 1e-6);
    near(&[found.certificate.loss, found.certificate.entropy], &[0.11, 0.357608850764], 1e-6);
    let rows: [&[u16]; 6] = [&[0, 0, 0], &[0, 0, 1], &[0, 1, 0], &[0, 1, 1], &[1, 0, 0], &[1, 0, 1]];
    let b = base(&[2, 2, 2], &rows, &[0.20, 0.15, 0.10, 0.05, 0.25, 0.25]);
    let answers: [&[f64]; 3] =
        [&[0.33, 0.20, 0.41, 0.04], &[0.40, 0.36, 0.14, 0.12], &[0.28, 0.22, 0.22, 0.30]];
    let found = solve(&b, &[&[0, 1], &[1, 2], &[0, 2]], &answers, TIGHT);
    assert!(found.converged, "{:?}", found.certificate);
    let q = [0.180915390885, 0.149084609115, 0.129084609115, 0.070915390885, 0.22, 0.25];
    near(&found.weights, &q, 1e-6);
    near(&[found.certificate.loss, found.certificate.entropy], &[0.24, 0.010557880419], 1e-7);
}

/// Answers that some distribution gives: Csiszár's projection keeps the odds ratio of the prior.
#[test]
fn consistent_answers_are_projected_onto() {
    let rows: [&[u16]; 4] = [&[0, 0], &[0, 1], &[1, 0], &[1, 1]];
    let prior = base(&[2, 2], &rows, &[0.4, 0.1, 0.3, 0.2]);
    let found = solve(&prior, &[&[0], &[1]], &[&[0.7, 0.3], &[0.5, 0.5]], TIGHT);
    let q = &found.weights;
    assert!(found.converged && found.certificate.loss < 1e-7, "{:?}", found.certificate);
    near(&[q[0] + q[1], q[0] + q[2]], &[0.7, 0.5], 1e-7);
    near(&[q[0] * q[3] / (q[1] * q[2])], &[0.4 * 0.2 / (0.1 * 0.3)], 1e-4);
}

#[test]
fn whatever_was_found_can_be_had_early_with_its_gap() {
    let a = base(&[2, 3], &A, &[0.30, 0.20, 0.10, 0.15, 0.25]);
    let index = index(&a, &[&[0], &[1]]);
    let answers = vec![0.45, 0.52, -0.03, 0.55, 0.50];
    for options in [TIGHT, LOSS] {
        let begun = || two_stage(index.clone(), a.prior().to_vec(), answers.clone(), options);
        let nothing = Box::new(begun()).finish().unwrap();
        near(&nothing.weights, a.prior(), 1e-12);
        assert!(!nothing.converged && nothing.certificate.loss - nothing.certificate.loss_gap <= 0.11);
        let (mut job, mut steps) = (begun(), 0);
        loop {
            let now = job.step(1);
            assert!(now.work > 0);
            if now.over {
                break;
            }
            steps += 1;
            assert!(job.judgements() <= steps + 1);
        }
        assert!(steps > 10);
        let judged = job.judgements();
        let found = job.complete().unwrap();
        assert_eq!(found.rounds.len(), judged);
        assert!(found.converged);
        let falling = found.rounds.is_sorted_by(|a, b| a.passes < b.passes && a.loss >= b.loss);
        assert!(options.entropy || falling);
    }
    let wrong = two_stage(index, a.prior().to_vec(), answers, Options { tolerance: 0.0, ..TIGHT });
    assert_eq!(wrong.complete().err().map(|error| error.code), Some(Code::OptionInvalid));
}

/// The first stage alone, where it is hard: nothing to choose, answers that agree, none at all, rows of next to no prior, and
/// duplicated, nested and one-celled cliques.
#[test]
fn the_least_loss_alone() {
    let a = base(&[2, 3], &A, &[0.30, 0.20, 0.10, 0.15, 0.25]);
    let least = |base: &Arc<Base>, cliques: &[&[u16]], answers: &[&[f64]], wanted: f64| {
        let found = solve(base, cliques, answers, LOSS);
        let certificate = found.certificate;
        assert!(found.converged, "{certificate:?}");
        near(&[found.weights.iter().sum::<f64>()], &[1.0], 1e-12);
        assert!(found.weights.iter().all(|q| *q >= 0.0));
        assert!((certificate.loss - wanted).abs() <= 1e-6 * wanted + 2e-9, "{certificate:?} {wanted}");
        let near_entropy = certificate.entropy_gap == certificate.entropy && certificate.entropy >= 0.0;
        assert!(near_entropy, "{certificate:?}");
        assert!(found.rounds.iter().all(|round| round.price == 0.0));
    };
    least(&a, &[&[0], &[1]], &[&[0.45, 0.52], &[-0.03, 0.55, 0.50]], 0.11);
    let one = base(&[2, 3], &[&[1, 2]], &[3.0]);
    least(&one, &[&[0], &[0, 1]], &[&[0.0, 0.4], &[0.0, 0.0, 0.0, 0.0, 0.0, 1.7]], 1.3);
    let rows: [&[u16]; 4] = [&[0, 0], &[0, 1], &[1, 0], &[1, 1]];
    for weights in [[0.4, 0.1, 0.3, 0.2], [1e-12, 1.0, 1e-6, 1e-9]] {
        let prior = base(&[2, 2], &rows, &weights);
        least(&prior, &[&[0], &[1]], &[&[0.7, 0.3], &[0.5, 0.5]], 0.0);
        least(&prior, &[&[0], &[0], &[0, 1]], &[&[0.7, 0.3], &[0.6, 0.4], &[0.9, 0.0, 0.0, 0.0]], 0.7);
        least(&prior, &[&[0], &[1]], &[&[0.0, 0.0], &[0.0, 0.0]], 2.0);
        least(&prior, &[&[]], &[&[0.8]], 0.2);
    }
}

/// Whole estimations: what nobody can meet is named.
#[test]
fn why_answers_cannot_be_met() {
    let prior = base(&[2, 3], &A, &[0.30, 0.20, 0.10, 0.15, 0.25]);
    let because = |measured: &[(&[u16], &[f64])]| {
        let of = |(clique, answers): &(&[u16], &[f64])| Measured {
            clique: clique.to_vec(),
            query: Query::Identity,
            answers: answers.to_vec(),
            variance: 1.0,
            law: Law::Gaussian,
        };
        let total = Total::known(100.0).unwrap();
        let measurements = measured.iter().map(of).collect();
        let schema = Arc::new(Schema::of_domain(prior.domain()).unwrap());
        let request = Request::new(schema, Some(Arc::clone(&prior)), measurements, total);
        let mut job = ESTIMATOR.begin(Request { outside: true, limit: 1 << 20, ..request.clone() }).unwrap();
        let small = loop {
            job.step(1);
            if let Some(small) = job.outside() {
                break small;
            }
        };
        assert_eq!(small.cells.len(), 5 * measured.len());
        assert_eq!(small.answers.len(), small.sizes.iter().sum::<u32>() as usize);
        let here = ESTIMATOR.begin(Request { limit: 1 << 20, ..request }).unwrap().complete().unwrap();
        match here.certificate {
            Certificate::TwoStage { unmet, .. } => unmet,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(because(&[(&[0], &[40.0, 60.0])]), None);
    assert_eq!(because(&[(&[0, 1], &[20.0, 20.0, 10.0, 5.0, 15.0, 30.0])]), Some(Unmet::Unsupported));
    assert_eq!(because(&[(&[1], &[-10.0, 60.0, 50.0])]), Some(Unmet::Negative));
    assert_eq!(because(&[(&[0], &[40.0, 50.0])]), Some(Unmet::Totals));
    assert_eq!(because(&[(&[0], &[40.0, 60.0]), (&[0], &[60.0, 40.0])]), Some(Unmet::Disagree));
    // Cell (1, 0) of the pair has no row, so that b = 0 is at most as frequent as a = 0.
    assert_eq!(because(&[(&[0], &[40.0, 60.0]), (&[1], &[50.0, 30.0, 20.0])]), Some(Unmet::Disagree));
}

/// Solves a square system by elimination; nothing where it is singular.
fn met(mut planes: Vec<(Vec<f64>, f64)>) -> Option<Vec<f64>> {
    let n = planes.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|a, b| planes[*a].0[k].abs().total_cmp(&planes[*b].0[k].abs()))?;
        planes.swap(k, pivot);
        if planes[k].0[k].abs() < 1e-9 {
            return None;
        }
        let (row, right) = planes[k].clone();
        for (other, value) in planes.iter_mut().enumerate().filter(|(i, _)| *i != k).map(|(_, plane)| plane) {
            let factor = other[k] / row[k];
            other.iter_mut().zip(&row).for_each(|(a, b)| *a -= factor * b);
            *value -= factor * right;
        }
    }
    Some((0..n).map(|k| planes[k].1 / planes[k].0[k]).collect())
}

/// Where one half stands still the other still has to go: the balance of steps once ran away.
#[test]
fn a_row_of_next_to_no_prior_can_take_all() {
    let prior = base(&[2, 3], &[&[0, 1], &[1, 0]], &[6.025595860743581e-8, 0.09120108393559097]);
    let answers: [&[f64]; 3] = [&[-0.1, 0.58], &[0.0, 0.77, 0.0, 0.66, 0.0, 0.0], &[0.79, -0.12, 0.0]];
    let found = solve(&prior, &[&[0], &[0, 1], &[1]], &answers, LOSS);
    assert!(found.converged, "{:?}", found.certificate);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_least_loss_comes_with_its_proof_whatever_the_prior(
        orders in prop::collection::vec(0.0f64..12.0, 5),
        answers in prop::collection::vec(-20i32..80, 10),
    ) {
        let weights: Vec<f64> = orders.iter().map(|order| 10f64.powf(-order)).collect();
        let answers: Vec<f64> = answers.iter().map(|y| f64::from(*y) / 100.0).collect();
        let parts: [&[f64]; 3] = [&answers[..2], &answers[2..5], &answers[4..]];
        let found = solve(&base(&[2, 3], &A, &weights), &[&[0], &[1], &[0, 1]], &parts, LOSS);
        prop_assert!(found.converged, "{:?}", found.certificate);
    }

    /// Eq. (4): the loss is the least at any vertex, and towards no vertex of that loss does the entropy fall. Prices
    /// are exact unless the optimum empties a row, where the entropy may be off by what the row still has.
    #[test]
    fn the_loss_is_least_and_then_the_entropy(
        weights in prop::collection::vec(0.05f64..1.0, 5),
        answers in prop::collection::vec(-0.1f64..0.8, 5),
    ) {
        let prior = base(&[2, 3], &A, &weights);
        let cliques: [&[u16]; 2] = [&[0], &[1]];
        let found = solve(&prior, &cliques, &[&answers[..2], &answers[2..]], TIGHT);
        let cell = |cell: usize| -> Vec<f64> {
            A.iter().map(|row| f64::from(u8::from(usize::from(row[0]) == cell || usize::from(row[1]) + 2 == cell))).collect()
        };
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let loss = |q: &[f64]| (0..5).map(|i| (dot(&cell(i), q) - answers[i]).abs()).sum::<f64>();
        let mut planes: Vec<(Vec<f64>, f64)> =
            (0..5).map(|x| ((0..5).map(|i| f64::from(u8::from(i == x))).collect(), 0.0)).collect();
        planes.extend((0..5).map(|i| (cell(i), answers[i])));
        let vertices: Vec<Vec<f64>> = (0u32..1 << 10)
            .filter(|set| set.count_ones() == 4)
            .filter_map(|set| {
                let mut chosen: Vec<_> = (0..10).filter(|i| set >> i & 1 == 1).map(|i| planes[i].clone()).collect();
                chosen.push((vec![1.0; 5], 1.0));
                met(chosen)
            })
            .filter(|q| q.iter().all(|q| *q >= -1e-9))
            .collect();
        let least = vertices.iter().map(|q| loss(q)).fold(f64::INFINITY, f64::min);
        let first = solve(&prior, &cliques, &[&answers[..2], &answers[2..]], LOSS);
        prop_assert!(first.converged && first.u.is_none(), "{:?}", first.certificate);
        prop_assert!((loss(&first.weights) - first.certificate.loss).abs() < 1e-12);
        prop_assert!(first.certificate.loss - first.certificate.loss_gap <= least + 1e-9);
        prop_assert!((first.certificate.loss - least).abs() <= 1e-6 * least + 1e-8, "{:?} {least}", first.certificate);
        let certificate = found.certificate;
        prop_assert!(found.converged, "{certificate:?}");
        prop_assert!((loss(&found.weights) - certificate.loss).abs() < 1e-12);
        prop_assert!(certificate.loss - certificate.loss_gap <= least + 1e-9, "{certificate:?} {least}");
        prop_assert!(certificate.loss >= least - 1e-9 && certificate.loss <= least * (1.0 + 1e-5) + 1e-8);
        for vertex in vertices.iter().filter(|q| loss(q) < least + 1e-9) {
            let slope: f64 = vertex.iter().zip(&found.weights).zip(prior.prior())
                .map(|((v, q), p)| if v.max(*q) > 1e-9 { (v - q) * (q.max(1e-300) / p).ln() } else { 0.0 })
                .sum();
            prop_assert!(slope > -1e-4, "{slope} {found:?}");
        }
    }
}
