//! Algorithm 1 and its step: the paper's vectors, its four cases, what it leaves open.

use crate::common::{near, prior};
use marginalia_estimate::estimators::Status;
use marginalia_estimate::estimators::iterative::{
    Choice, NONE, Options, Order, Partial, PartialAnswers, Solution, iterative, update,
};
use marginalia_estimate::job::{Job, Steps};
use marginalia_estimate::models::support::{Base, Index};
use marginalia_estimate::seed::Seed;
use marginalia_tables::{Code, Domain};
use proptest::prelude::*;
use std::sync::Arc;

/// A marginal and the answers of its cells.
fn marginal(clique: &[u16], answers: &[f64]) -> PartialAnswers {
    PartialAnswers { partial: Partial::marginal(clique, answers.len()), answers: answers.to_vec() }
}

fn job(
    base: &Arc<Base>,
    workloads: &[PartialAnswers],
    options: &Options,
    start: Option<&[f64]>,
) -> Steps<Solution> {
    let cliques = workloads.iter().map(|one| one.partial.clique().to_vec()).collect();
    let index = Index::over(Arc::clone(base), cliques, 1 << 30).unwrap().complete().unwrap();
    let (workloads, start) = (workloads.to_vec(), start.map(<[f64]>::to_vec));
    iterative(Arc::clone(base), index, workloads, 100.0, options.clone(), start)
}

fn run(base: &Arc<Base>, workloads: &[PartialAnswers], options: &Options, start: Option<&[f64]>) -> Solution {
    let mut job = job(base, workloads, options, start);
    while !job.step(1000).over {}
    job.complete().unwrap()
}

/// One undamped step for each workload, in a shuffled order.
fn once(choice: Choice) -> Options {
    Options { choice, damping: 1.0, steps: 1, tolerance: 0.0, ..Options::sweeps(1) }
}

fn two_by_two() -> Arc<Base> {
    prior(&[2, 2], &[&[0, 0], &[0, 1], &[1, 0], &[1, 1]], &[0.4, 0.1, 0.3, 0.2])
}

#[test]
fn the_table_of_two_by_two() {
    let base = two_by_two();
    let first = run(&base, &[marginal(&[0], &[0.7, 0.3])], &once(Choice::Kl), None);
    let q = first.model.weights().unwrap();
    near(q, &[0.56, 0.14, 0.18, 0.12], 1e-15);
    let second = run(&base, &[marginal(&[1], &[0.5, 0.5])], &once(Choice::Kl), Some(q));
    near(second.model.weights().unwrap(), &[0.378_378_38, 0.269_230_77, 0.121_621_62, 0.230_769_23], 5e-9);
    assert_eq!(second.trace.len(), 2);
    assert!(second.trace[1].loss < 1e-15 && second.trace[1].entropy > 0.0);
}

/// Where the answers agree with each other, sweeps end at the distribution of least entropy that has them
/// (Csiszár): on two attributes, the one with the odds ratio of the prior.
#[test]
fn consistent_answers_lead_to_the_projection() {
    let base = two_by_two();
    let workloads = [marginal(&[0], &[0.7, 0.3]), marginal(&[1], &[0.5, 0.5])];
    let options = Options { damping: 1.0, steps: 2000, tolerance: 1e-15, ..Options::sweeps(2) };
    for order in [Order::Sweeps, Order::Random, Order::Worst] {
        let solution = run(&base, &workloads, &Options { order, ..options.clone() }, None);
        let q = solution.model.weights().unwrap();
        near(&[q[0] + q[1], q[0] + q[2]], &[0.7, 0.5], 1e-12);
        let odds = q[0] * q[3] / (q[1] * q[2]);
        assert!((odds / (0.4 * 0.2 / (0.1 * 0.3)) - 1.0).abs() < 1e-10, "{odds}");
    }
    let damped = run(&base, &workloads, &Options { damping: 0.3, ..options }, None);
    assert!(damped.trace.last().unwrap().loss < 1e-10);
}

#[test]
fn answers_that_contradict_each_other_find_a_balance_when_damped() {
    let base = two_by_two();
    let workloads = [marginal(&[0], &[0.7, 0.3]), marginal(&[0], &[0.3, 0.7])];
    let undamped = Options { damping: 1.0, steps: 41, tolerance: 0.0, ..Options::sweeps(2) };
    let cycling = run(&base, &workloads, &undamped, None);
    let q = cycling.model.weights().unwrap();
    // The last one is met to the bit.
    assert!(((q[0] + q[1]) - 0.5).abs() > 0.2 - 1e-12);
    let damped = Options { damping: 0.1, steps: 4000, tolerance: 0.0, ..Options::sweeps(2) };
    let q = run(&base, &workloads, &damped, None);
    let q = q.model.weights().unwrap();
    assert!(((q[0] + q[1]) - 0.5).abs() < 0.05);
}

/// A cell that one answer empties comes back when another needs it: as the prior has its rows, not evenly.
#[test]
fn rows_without_weight_come_back_as_the_prior_has_them() {
    let rows: [&[u16]; 4] = [&[0, 0], &[0, 1], &[1, 0], &[1, 2]];
    let base = prior(&[2, 3], &rows, &[0.3, 0.1, 0.2, 0.4]);
    let emptied = run(&base, &[marginal(&[0], &[-0.2, 1.0])], &once(Choice::Rescale), None);
    near(emptied.model.weights().unwrap(), &[0.0, 0.0, 1.0 / 3.0, 2.0 / 3.0], 1e-15);
    let q = emptied.model.weights().unwrap();
    let back = run(&base, &[marginal(&[0], &[0.4, 0.6])], &once(Choice::Rescale), Some(q));
    near(back.model.weights().unwrap(), &[0.3, 0.1, 0.2, 0.4], 1e-15);
    // Least entropy keeps what is empty empty as long as the answers allow it.
    let kept = run(&base, &[marginal(&[0], &[0.4, 1.6])], &once(Choice::Kl), Some(q));
    near(kept.model.weights().unwrap(), q, 1e-15);
    let damped = run(
        &base,
        &[marginal(&[0], &[0.4, 0.6])],
        &Options { damping: 0.5, ..once(Choice::Rescale) },
        Some(q),
    );
    let all = 0.2 + 0.6f64.sqrt();
    let expected = [0.15 / all, 0.05 / all, 0.6f64.sqrt() / 3.0 / all, 2.0 * 0.6f64.sqrt() / 3.0 / all];
    near(damped.model.weights().unwrap(), &expected, 1e-15);
}

#[test]
fn what_no_row_has_is_left_out_and_reported() {
    let base = prior(&[3], &[&[0], &[2]], &[0.5, 0.5]);
    for choice in [Choice::Kl, Choice::Rescale, Choice::Euclidean] {
        let solution = run(&base, &[marginal(&[0], &[0.3, 0.4, 0.3])], &once(choice), None);
        near(solution.model.weights().unwrap(), &[0.5, 0.5], 1e-15);
        assert_eq!(solution.outside, [(1, 0.4)]);
        near(&[solution.trace[1].loss], &[0.8], 1e-15);
    }
}

/// Definition 3.1 on the full domain, all four cases, where empty sets of cells are filled evenly.
#[test]
fn the_full_domain_fills_what_is_empty_evenly() {
    let base = Arc::new(Base::full(Domain::new([2, 3]), 1 << 20).unwrap());
    let p = [0.5, 0.3, 0.2, 0.0, 0.0, 0.0];
    let first = run(&base, &[marginal(&[0], &[0.4, 0.6])], &once(Choice::Rescale), Some(&p));
    near(first.model.weights().unwrap(), &[0.2, 0.12, 0.08, 0.2, 0.2, 0.2], 1e-15);
    let cells = |answers: &[f64], chosen: &[u32]| PartialAnswers {
        partial: Partial::cells(&[0, 1], 6, chosen).unwrap(),
        answers: answers.to_vec(),
    };
    let third = run(&base, &[cells(&[0.2, 0.1], &[0, 4])], &once(Choice::Kl), Some(&p));
    near(third.model.weights().unwrap(), &[0.2, 0.42, 0.28, 0.0, 0.1, 0.0], 1e-15);
    let fourth = run(&base, &[cells(&[0.2, 0.3, 0.2], &[0, 1, 2])], &once(Choice::Kl), Some(&p));
    near(fourth.model.weights().unwrap(), &[0.2, 0.3, 0.2, 0.1, 0.1, 0.1], 1e-15);
    // Answers above 1 in sum leave nothing for the rest.
    let above = run(&base, &[cells(&[0.9, 0.6], &[0, 1])], &once(Choice::Rescale), Some(&p));
    near(above.model.weights().unwrap(), &[0.6, 0.4, 0.0, 0.0, 0.0, 0.0], 1e-15);
}

#[test]
fn sweeps_leave_nothing_out_and_random_orders_do() {
    let rows: Vec<Vec<u16>> = (0..256).map(|i| (0..8).map(|a| i >> a & 1).collect()).collect();
    let rows: Vec<&[u16]> = rows.iter().map(Vec::as_slice).collect();
    let base = prior(&[2; 8], &rows, &[1.0; 256]);
    let workloads: Vec<PartialAnswers> = (0..8).map(|a| marginal(&[a], &[0.2, 0.8])).collect();
    let options = Options { damping: 1.0, steps: 8, tolerance: 0.0, ..Options::sweeps(8) };
    let sweep = run(&base, &workloads, &options, None);
    assert!(sweep.trace.last().unwrap().loss < 1e-14);
    // Independent attributes, one step each: with replacement (7/8)^16 of them are left out on average.
    let mut left_out = 0.0;
    for seed in 0..200 {
        let solution = run(&base, &workloads, &Options { seed, ..Options::paper(8) }, None);
        left_out += solution.trace.last().unwrap().loss / 0.6 / 8.0 / 200.0;
    }
    let expected = (7f64 / 8.0).powi(16);
    assert!((left_out - expected).abs() < 0.02, "{left_out} is not {expected}");
    let worst = [marginal(&[0], &[0.4, 0.6]), marginal(&[1], &[0.1, 0.9])];
    let one = Options { order: Order::Worst, damping: 1.0, steps: 1, tolerance: 0.0, ..Options::sweeps(2) };
    near(&[run(&base, &worst, &one, None).trace.last().unwrap().loss], &[0.2], 1e-14);
}

#[test]
fn an_estimation_in_pieces_is_the_same_and_may_end_early() {
    let base = two_by_two();
    let workloads = [
        marginal(&[0], &[0.72, 0.31]),
        marginal(&[1], &[0.5, 0.45]),
        marginal(&[0, 1], &[0.5, 0.1, -0.1, 0.4]),
    ];
    let options = Options { tolerance: 0.0, ..Options::sweeps(3) };
    let whole = run(&base, &workloads, &options, None);
    assert_eq!(whole.status, Status::Limit);
    let mut pieces = job(&base, &workloads, &options, None);
    let mut count = 0;
    while !pieces.step(1).over {
        count += 1;
    }
    assert!(count > 60, "{count}");
    assert_eq!(pieces.complete().unwrap().model.weights().unwrap(), whole.model.weights().unwrap());
    let mut early = job(&base, &workloads, &options, None);
    early.step(20);
    let early = Box::new(early).finish().unwrap();
    assert!(early.status == Status::Stopped && early.trace.last().unwrap().steps < 10);
    let again = run(&base, &workloads[..2], &Options { steps: 10_000, tolerance: 1e-6, ..options }, None);
    assert_eq!(again.status, Status::Converged);
}

#[test]
fn what_does_not_fit_is_refused() {
    let base = two_by_two();
    let index = Index::over(Arc::clone(&base), vec![vec![0]], 1 << 20).unwrap().complete().unwrap();
    let made = |workloads: Vec<PartialAnswers>, options: Options| {
        iterative(Arc::clone(&base), Arc::clone(&index), workloads, 1.0, options, None)
            .complete()
            .map(|_| ())
            .map_err(|e| e.code)
    };
    let good = marginal(&[0], &[0.5, 0.5]);
    assert_eq!(made(vec![good.clone()], once(Choice::Kl)), Ok(()));
    assert_eq!(made(vec![], once(Choice::Kl)), Err(Code::OptionInvalid));
    assert_eq!(made(vec![marginal(&[0], &[0.5; 3])], once(Choice::Kl)), Err(Code::OptionInvalid));
    let damping = Options { damping: 0.0, ..once(Choice::Kl) };
    assert_eq!(made(vec![good], damping), Err(Code::OptionInvalid));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Theorem 3.1: of all distributions with the same answers, the update has the least entropy to what was before.
    #[test]
    fn the_update_has_the_least_entropy(seed: u64, queries in 1usize..4) {
        let mut seed = Seed::new(seed);
        let mut some = |n: usize| -> Vec<f64> { (0..n).map(|_| 0.05 + seed.uniform()).collect() };
        let mut m = some(8);
        let all: f64 = m.iter().sum();
        m.iter_mut().for_each(|m| *m /= all);
        let noisy: Vec<f64> = some(queries).iter().map(|y| 0.6 * y - 0.1).collect();
        let query: Vec<u32> =
            (0..8).map(|cell| if cell % 4 < queries { (cell % 4) as u32 } else { NONE }).collect();
        let moves = some(16);
        let update = update(&query, &noisy, &m, &[0.125; 8], Choice::Kl);
        let q: Vec<f64> = m.iter().zip(&update.ratios).map(|(m, ratio)| m * ratio).collect();
        prop_assert!((q.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let entropy = |q: &[f64]| -> f64 {
            q.iter().zip(&m).map(|(q, m)| if *q > 0.0 { q * (q / m).ln() } else { 0.0 }).sum()
        };
        for (i, part) in moves.iter().enumerate() {
            let (from, to) = (i % 8, (i * 5 + 4) % 8);
            if query[from] == query[to] {
                let mut moved = q.clone();
                moved[from] -= 0.3 * part * q[from];
                moved[to] += 0.3 * part * q[from];
                prop_assert!(entropy(&moved) >= entropy(&q) - 1e-12);
            }
        }
    }
}
