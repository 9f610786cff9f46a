//! Algorithm 2, step by step, with given noise.

use crate::common::*;
use marginalia_estimate::deviates::child;
use marginalia_estimate::hierarchy::{TotalRule, whole};
use marginalia_estimate::seed::Seed;

/// IDE(W, ỹ, p, T) of marginals: T draws, each rescaled to its answers without their negative parts. Queries without a
/// row take no part.
fn ide(p: &[f64], tables: &[(Vec<u16>, Vec<f64>)], steps: usize, seed: u64) -> Vec<f64> {
    let mut seed = Seed::new(seed);
    let mut q = p.to_vec();
    for _ in 0..steps {
        let (clique, answers) = &tables[seed.below(tables.len() as u64) as usize];
        let present = |c: usize| ROWS.iter().any(|row| cell(row, clique) == c);
        let y: Vec<f64> =
            (0..answers.len()).map(|c| if present(c) { answers[c].max(0.0) } else { 0.0 }).collect();
        let sum: f64 = y.iter().sum();
        assert!(sum > 0.0);
        let mass = |w: &[f64], c: usize| -> f64 {
            ROWS.iter().zip(w).filter(|(row, _)| cell(row, clique) == c).map(|(_, q)| q).sum()
        };
        q = (0..8)
            .map(|row| {
                let c = cell(&ROWS[row], clique);
                let now = mass(&q, c);
                if now > 0.0 { q[row] * y[c] / sum / now } else { p[row] * y[c] / sum / mass(p, c) }
            })
            .collect();
    }
    q
}

#[test]
fn algorithm_2_is_the_listing() {
    for seed in [1, 2, 3] {
        let setup = setup([paper(2), paper(1)], seed);
        let levels = measured(seed + 10, 50.0);
        let source = released(levels.clone(), TotalRule::Count);
        let states = run(&setup, source);
        let p: Vec<f64> = WEIGHTS.iter().map(|w| w / 40.0).collect();
        for (place, s, pumas) in [(0usize, 0usize, &[0usize, 2][..]), (3, 1, &[1])] {
            // Lines 2–5: ñ ← ⌊max{ñ, 0}⌋, ỹ ← ỹ/ñ. Rescaled answers do not depend on it.
            let n = levels[0][0].answers[s].max(0.0).floor();
            let state = states[place].as_ref().unwrap();
            assert_eq!((state.total.value, whole(&state.total)), (n, n as u64));
            let sex_age =
                (0..6).map(|c| levels[0][1].answers[c / 3 * 6 + s * 3 + c % 3] / n.max(1.0)).collect();
            let work = (0..2).map(|c| levels[0][2].answers[c * 2 + s] / n.max(1.0)).collect();
            let tables = [(vec![0, 1], sex_age), (vec![2], work)];
            let p_s = ide(&p, &tables, 4, child(seed, &[0, s as u64]));
            near(&weights(&setup, &states, place), &p_s, 1e-12);
            // What the state emptied is there for its groups where they need it, as the public prior has it.
            let p_s: Vec<f64> = p_s.iter().zip(&p).map(|(q, p)| q.max(1e-280 * p)).collect();
            for (i, g) in pumas.iter().enumerate() {
                let age = (0..3).map(|c| levels[1][1].answers[c * 3 + g]).collect();
                let p_g = ide(&p_s, &[(vec![1], age)], 2, child(seed, &[1, *g as u64]));
                near(&weights(&setup, &states, place + 1 + i), &p_g, 1e-12);
                let n_g = levels[1][0].answers[*g].max(0.0) as u64;
                assert_eq!(whole(&states[place + 1 + i].as_ref().unwrap().total), n_g);
            }
        }
    }
}
