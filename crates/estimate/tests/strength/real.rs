//! On real data: a good prior keeps the harmonic strength, a bad one loses it as soon as the answers are precise
//! enough to tell.

use crate::data::{Data, Known, folder};
use crate::sweeps::{Sweeps, wright_omega};
use marginalia_estimate::estimators::strength::{
    Choice, GAUSSIAN, Noise, Normals, Question, Rule, choice, harmonic,
};
use marginalia_estimate::job::Job;

/// The choice for answers about as precise as at `epsilon`: those at ε = 10 with the noise that is missing, and
/// rows of the support weighted by `prior`.
fn choose(data: &Data, known: &Known, sigma: f64, prior: &[f64], seed: u64) -> Choice {
    let (own, variance) = (1.0 / (known.weight * known.strength), sigma * sigma);
    let added = (variance - own).max(0.0).sqrt();
    let answers: Vec<f64> =
        (0..).zip(&known.answers).map(|(i, y)| y + added * Normals::new(seed).at(99, i)).collect();
    let cells = answers.len();
    let noise = Noise::new(vec![variance; cells], vec![GAUSSIAN; cells]).unwrap();
    let total = data.about["total"].as_f64().unwrap();
    let public = data.about["publicRows"].as_f64().unwrap();
    let question = Question { answers, noise, public, records: total, unmeasured: 1.0 };
    let mut sweeps = Sweeps::new(data.index.clone(), prior, &vec![variance; cells]);
    choice(Rule::default(), question, move |answers, strength, _| Ok(sweeps.fit(answers, strength)))
        .and_then(Job::complete)
        .unwrap()
}

#[test]
fn a_good_prior_keeps_its_strength_and_a_bad_one_loses_it() {
    let Some(folder) = folder() else { return };
    let data = Data::read(&folder, "acs-ma");
    let known = data.problems("l2").into_iter().find(|known| known.epsilon == 10.0).unwrap();
    let total = data.about["total"].as_f64().unwrap();
    // Rows are made rarer by their codes of one attribute after another: a population quite different.
    let mut tilt = vec![0.0; data.index.rows()];
    for marginal in data.index.marginals().iter().take(8) {
        let cells = marginal.cells.len() as f64;
        tilt.iter_mut().zip(&marginal.of_row).for_each(|(tilt, cell)| *tilt -= f64::from(*cell) / cells);
    }
    let bad: Vec<f64> = data.prior.iter().zip(&tilt).map(|(p, tilt)| p * (1.5 * tilt).exp()).collect();
    // σ = √(K/2ρ) records at δ = 1e-9.
    for (epsilon, rho) in [(0.3, 1.476745e-3), (1.0, 0.01497306)] {
        let sigma = f64::sqrt(31.0 / (2.0 * rho)) / total;
        let kept = choose(&data, &known, sigma, &data.prior, 1);
        let lost = choose(&data, &known, sigma, &bad, 1);
        assert_eq!(kept.strength, harmonic(7244.0, 7634.0));
        assert!(kept.consistency.unwrap() < 3.0, "ε = {epsilon}: {kept:?}");
        let lost_it = lost.consistency.unwrap() > 3.0 && lost.strength <= kept.strength / 4.0;
        assert!(lost_it, "ε = {epsilon}: {lost:?}");
    }
}

#[test]
fn the_plain_solver_of_these_tests_knows_the_omega_function() {
    for (s, omega) in
        [(0.0, 0.5671432904097838), (1.0, 1.0), (-5.0, 0.006693000497730955), (100.0, 95.44148664557584)]
    {
        assert!((wright_omega(s) / omega - 1.0).abs() < 1e-14);
    }
}
