//! A model in closed form: cells that know nothing of each other, with a Gaussian prior.

use marginalia_estimate::estimators::strength::{
    Bootstrap, Choice, Fitted, LAPLACE, Noise, Normals, Question, Rule, choice,
};
use marginalia_estimate::job::{Job, Steps};
use marginalia_tables::{Code, Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// m minimises Σ (m − y)²/2σ² + n₀ Σ (m − p)²/2v for cells of one σ²: the variance-weighted mean of y and p.
#[derive(Clone)]
struct Ridge {
    prior: f64,
    /// v.
    spread: f64,
    variance: f64,
    /// Σ s² of a fit, times its strength.
    thin: f64,
}

impl Ridge {
    fn mean(&self, y: f64, strength: f64) -> f64 {
        let (answer, prior) = (1.0 / self.variance, strength / self.spread);
        (answer * y + prior * self.prior) / (answer + prior)
    }

    fn variance_of_fit(&self, strength: f64) -> f64 {
        1.0 / (1.0 / self.variance + strength / self.spread)
    }

    /// A fit in three steps.
    fn fit(&self, answers: &[f64], strength: f64) -> Result<Steps<Fitted>> {
        if strength < 1e-6 {
            return Err(Error::new(Code::OptionInvalid, "too weak"));
        }
        let marginals: Vec<f64> = answers.iter().map(|y| self.mean(*y, strength)).collect();
        let squares: f64 = marginals.iter().map(|m| (m - self.prior) * (m - self.prior)).sum();
        let divergence = strength * squares / (2.0 * self.spread);
        let sampling = vec![self.thin / (strength * CELLS as f64); CELLS];
        Ok(Steps::new(|pace| async move {
            for _ in 0..2 {
                pace.did(1 << 20).await;
            }
            Ok(Fitted { marginals, divergence, sampling, potentials: None })
        }))
    }
}

const CELLS: usize = 400;
const PUBLIC: f64 = 1000.0;
const SIGMA: f64 = 0.02;

/// Answers about a truth that lies off the prior by `off` in every cell; v such that the prior's own error is that
/// of 1000 observations.
fn case(off: f64, seed: u64) -> (Question, Ridge) {
    let variance = SIGMA * SIGMA;
    let truth = |i: u64| 0.1 + if i.is_multiple_of(2) { off } else { -off };
    let answers = (0..CELLS as u64).map(|i| truth(i) + SIGMA * Normals::new(seed).at(1_000_000, i)).collect();
    let noise = Noise::new(vec![variance; CELLS], vec![2.0; CELLS]).unwrap();
    let ridge = Ridge { prior: 0.1, spread: 0.1, variance, thin: 0.0 };
    (Question { answers, noise, public: PUBLIC, records: PUBLIC, unmeasured: 1.0 }, ridge)
}

/// A choice by fits of a ridge, and how many of them were begun.
fn begin(rule: Rule, question: &Question, ridge: &Ridge) -> (Steps<Choice>, Arc<AtomicUsize>) {
    let (ridge, begun) = (ridge.clone(), Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&begun);
    let fit = move |answers: &[f64], strength, _| {
        count.fetch_add(1, SeqCst);
        ridge.fit(answers, strength)
    };
    (choice(rule, question.clone(), fit).unwrap(), begun)
}

fn choose(rule: Rule, question: &Question, ridge: &Ridge) -> (Choice, usize) {
    let (job, begun) = begin(rule, question, ridge);
    (job.complete().unwrap(), begun.load(SeqCst))
}

#[test]
fn fixed_and_harmonic_need_no_fit() {
    let (question, ridge) = case(0.1, 1);
    for (rule, strength) in [(Rule::Fixed(7.0), 7.0), (Rule::Harmonic, 500.0)] {
        let (choice, begun) = choose(rule, &question, &ridge);
        assert_eq!((choice.strength, choice.harmonic, begun), (strength, 500.0, 0));
        assert_eq!((choice.consistency, choice.scores), (None, vec![]));
    }
}

#[test]
fn a_prior_that_is_consistent_with_the_answers_keeps_the_harmonic_strength() {
    for seed in 0..20 {
        let (question, ridge) = case(0.0, seed);
        let (choice, begun) = choose(Rule::default(), &question, &ridge);
        assert_eq!((choice.strength, begun), (500.0, 1));
        assert!(choice.consistency.unwrap() < 3.0 && choice.scores.is_empty());
    }
}

/// Where prior and answers are samples of one population z is about standard normal, however precise the answers are.
#[test]
fn the_gate_opens_as_rarely_for_precise_answers() {
    const DRAWS: u64 = 300;
    for sigma in [0.002, 0.02, 0.2] {
        let (question, ridge) = case(0.0, 1);
        let variance = sigma * sigma;
        let ridge = Ridge { variance, ..ridge };
        let noise = Noise::new(vec![variance; CELLS], vec![2.0; CELLS]).unwrap();
        let z = |draw: u64| {
            let normals = Normals::new(draw);
            let off = |i| (ridge.spread / 500.0).sqrt() * normals.at(1, i) + sigma * normals.at(2, i);
            let answers = (0..CELLS as u64).map(|i| ridge.prior + off(i)).collect();
            let question = Question { answers, noise: noise.clone(), ..question };
            choose(Rule::default(), &question, &ridge).0.consistency.unwrap()
        };
        let all: Vec<f64> = (0..DRAWS).map(z).collect();
        let mean = all.iter().sum::<f64>() / DRAWS as f64;
        let square = all.iter().map(|z| z * z).sum::<f64>() / DRAWS as f64;
        // 5.5 deviations of each: a right formula fails once in 10⁷ times.
        assert!(mean.abs() < 5.5 / (DRAWS as f64).sqrt(), "σ = {sigma}: {mean}");
        assert!((square - 1.0).abs() < 5.5 * (2.0 / DRAWS as f64).sqrt(), "σ = {sigma}: {square}");
    }
}

#[test]
fn a_prior_that_is_far_off_is_weakened() {
    // Σ (y − p)²/(σ² + v/n₀) is Σ r²/σ² + 2n₀ KL, whatever part of y − p the fit follows.
    let (off, strength): (f64, f64) = (0.05, 500.0);
    for seed in 0..20 {
        let (question, ridge) = case(off, seed);
        let (choice, begun) = choose(Rule::default(), &question, &ridge);
        let both = ridge.variance + ridge.spread / strength;
        let z = ((off * off + ridge.variance) / both - 1.0) / (2.0 / CELLS as f64).sqrt();
        assert!((choice.consistency.unwrap() / z - 1.0).abs() < 0.3, "{choice:?}, not {z}");
        let reached = choice.scores.iter().any(|(strength, _)| *strength == 500.0);
        assert_eq!(begun, 1 + (choice.scores.len() + usize::from(!reached)) * 8);
        // The oracle: (1 − w)²σ² + w²·off² is least where w = σ²/(σ² + off²), n₀ = v/off² = 40.
        assert!((15.0..=130.0).contains(&choice.strength), "{choice:?}");
    }
}

#[test]
fn scores_are_those_of_the_definition() {
    let (mut question, mut ridge) = case(0.03, 5);
    (question.unmeasured, ridge.thin) = (0.5, 100.0);
    let bootstrap = Bootstrap {
        gate: None,
        draws: 3,
        halvings: 4,
        doublings: 2,
        width: 0.7,
        seed: 11,
        ..Bootstrap::default()
    };
    let (choice, _) = choose(Rule::Bootstrap(bootstrap), &question, &ridge);
    assert!(choice.scores.len() >= 3);
    for (k, (strength, score)) in (-2..).zip(choice.scores.iter().copied()) {
        assert_eq!(strength, 500.0 / 2f64.powi(k));
        let (mut measured, mut apart) = (0.0, 0.0);
        for (i, y) in (0..).zip(&question.answers) {
            let mut difference = 0.0;
            for draw in 0..3 {
                let z = SIGMA * Normals::new(11).at(draw, i);
                let m = ridge.mean(y + z / 2.0, strength);
                measured += ((m - (y - 2.0 * z)).powi(2) / ridge.variance - 5.0) / 2.0 / 3.0;
                difference += (m - ridge.mean(y + z / 2.0, 500.0)) / 3.0;
            }
            apart += difference * difference / ridge.variance;
        }
        // All cells alike, so that the mean deviation is that of one.
        let unmeasured = (0.5 * 2.0_f64 / 3.0).powi(2) * ridge.thin / strength / (2.0 * ridge.variance);
        let far = (strength / 500.0).ln().powi(2) / (2.0 * 0.7 * 0.7);
        let doubt = 2.0 * ((1.0 + 4.0 / 3.0) * apart).sqrt();
        let wanted = (measured.max(0.0).sqrt() + unmeasured.sqrt()).powi(2) + measured.min(0.0) + far + doubt;
        assert!((score / wanted - 1.0).abs() < 1e-12, "{strength}: {score}, not {wanted}");
    }
    let least = choice.scores.iter().copied().reduce(|best, one| if one.1 < best.1 { one } else { best });
    assert_eq!(choice.strength, least.unwrap().0);
}

/// What a prior costs on marginals that were not measured counts, and what shows no such cost is judged as before.
#[test]
fn few_rows_make_a_prior_stronger() {
    let (question, ridge) = case(0.05, 3);
    let of = |thin: f64| choose(Rule::default(), &question, &Ridge { thin, ..ridge.clone() }).0;
    let strengths = [0.0, 10.0, 1e3, 1e6].map(|thin| of(thin).strength);
    assert!(strengths.windows(2).all(|pair| pair[0] <= pair[1]), "{strengths:?}");
    assert!(strengths[0] < 130.0 && strengths[3] > 1000.0, "{strengths:?}");
}

/// Two strengths after each other that are no better end the search.
#[test]
fn the_search_ends_behind_the_best() {
    let (question, ridge) = case(0.05, 6);
    let (choice, _) = choose(Rule::default(), &question, &ridge);
    let place = choice.scores.iter().position(|(strength, _)| *strength == choice.strength).unwrap();
    assert_eq!((choice.scores[0].0, choice.scores.len()), (500.0 * 256.0, place + 3));
}

/// In expectation what is judged by answers that no fit saw is the true error.
#[test]
fn the_score_follows_the_true_error() {
    let (question, ridge) = case(0.03, 9);
    let bootstrap = Bootstrap {
        gate: None,
        draws: 200,
        halvings: 5,
        doublings: 0,
        width: 1e9,
        seed: 3,
        ..Bootstrap::default()
    };
    let (choice, _) = choose(Rule::Bootstrap(bootstrap), &question, &ridge);
    let (variance, cells) = (ridge.variance, CELLS as f64);
    assert!(choice.scores.len() >= 3);
    for (strength, score) in &choice.scores {
        let kept = ridge.variance_of_fit(*strength) / variance;
        // m = kept·(y + z/2) + (1 − kept)·p; the noise of y + z/2 has 1.25 times the variance.
        let error = kept * kept * 1.25 * variance + (1.0 - kept).powi(2) * 0.03 * 0.03;
        let apart = kept - ridge.variance_of_fit(500.0) / variance;
        let doubt = 2.0 * (1.02 * cells * (0.03 * 0.03 / variance + 1.0)).sqrt() * apart.abs();
        let wanted = cells * error / (2.0 * variance) + doubt;
        assert!((score - wanted).abs() < 0.1 * (wanted + 2.5 * cells), "{strength}: {score}, not {wanted}");
    }
}

#[test]
fn steps_of_any_size_choose_the_same() {
    let (question, ridge) = case(0.05, 2);
    let (whole, begun) = choose(Rule::default(), &question, &ridge);
    for work in [1, 1000, 1 << 22] {
        let mut job = begin(Rule::default(), &question, &ridge).0;
        let mut steps = 1;
        while !job.step(work).over {
            steps += 1;
        }
        assert!(work > 1000 || steps > begun);
        assert_eq!(job.complete().unwrap(), whole);
    }
}

#[test]
fn what_the_solver_refuses_is_passed_on() {
    let (mut question, ridge) = case(0.05, 2);
    question.public = 1e-7;
    let mut job = begin(Rule::default(), &question, &ridge).0;
    assert!(job.step(u64::MAX).over && job.step(1).over);
    assert_eq!(job.complete().unwrap_err().message, "too weak");
}

#[test]
fn laplace_noise_widens_the_gate() {
    let (mut question, ridge) = case(0.025, 4);
    let z = |question: &Question| choose(Rule::default(), question, &ridge).0.consistency.unwrap();
    let gaussian = z(&question);
    question.noise = Noise::new(vec![SIGMA * SIGMA; CELLS], vec![LAPLACE; CELLS]).unwrap();
    assert!((gaussian / z(&question) - 2.5f64.sqrt()).abs() < 1e-9);
}
