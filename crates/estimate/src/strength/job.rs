//! The choice of a strength, in steps.

use super::Solver;
use super::consistency::consistency;
use super::normal::Normals;
use super::rule::{Bootstrap, Choice, Question, Rule, harmonic};
use crate::steps::{Pace, Steps};
use marginalia_tables::Result;

/// Units of work that a fit does at a time.
const SLICE: u64 = 1 << 20;

/// The choice of one strength by fits of a solver.
pub struct StrengthJob<S>(Steps<Result<(Choice, S)>>);

impl<S: Solver + Send + 'static> StrengthJob<S> {
    /// Nothing is computed before the first step.
    pub fn new(rule: Rule, question: Question, solver: S) -> Result<Self> {
        rule.check()?;
        question.check()?;
        let choose = |pace| async move {
            let mut fits = Fits { question, solver, pace };
            let choice = fits.choose(rule).await?;
            Ok((choice, fits.solver))
        };
        Ok(Self(Steps::new(choose)))
    }

    /// Does about `work` units, of about a nanosecond each; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        if !self.0.step(work) {
            return Ok(false);
        }
        match self.0.result() {
            Some(Err(error)) => Err(error.clone()),
            _ => Ok(true),
        }
    }

    /// The units done.
    pub fn done(&self) -> u64 {
        self.0.done()
    }

    /// Does what is left; the choice, and the solver as it was left.
    pub fn finish(self) -> Result<(Choice, S)> {
        self.0.finish()
    }
}

/// Fits to the answers of a question.
struct Fits<S> {
    question: Question,
    solver: S,
    pace: Pace,
}

impl<S: Solver> Fits<S> {
    async fn choose(&mut self, rule: Rule) -> Result<Choice> {
        let harmonic = harmonic(self.question.public, self.question.records);
        let mut choice = Choice { strength: harmonic, harmonic, consistency: None, scores: Vec::new() };
        match rule {
            Rule::Fixed(strength) => choice.strength = strength,
            Rule::Harmonic => {}
            Rule::Bootstrap(bootstrap) => {
                let z = self.consistency(harmonic).await?;
                choice.consistency = Some(z);
                if bootstrap.gate.is_none_or(|gate| z > gate) {
                    choice.scores = self.search(bootstrap, harmonic).await?;
                    choice.strength = best(&choice.scores);
                }
            }
        }
        Ok(choice)
    }

    /// z at a strength.
    async fn consistency(&mut self, strength: f64) -> Result<f64> {
        let answers = self.question.answers.clone();
        self.fit(&answers, strength).await?;
        Ok(consistency(&answers, self.solver.marginals(), &self.question.noise))
    }

    /// The strengths HARM·2ᵏ that were tried, with their scores: first stronger ones, whose fits are quick, and weaker
    /// ones where no stronger one is better; in either direction as long as the score falls.
    async fn search(&mut self, bootstrap: Bootstrap, harmonic: f64) -> Result<Vec<(f64, f64)>> {
        let mut scores = vec![(harmonic, self.score(bootstrap, harmonic, 0).await?)];
        for (sign, most) in [(1, bootstrap.doublings), (-1, bootstrap.halvings)] {
            for k in 1..=most as i32 {
                let last = scores[if k == 1 { 0 } else { scores.len() - 1 }].1;
                let score = self.score(bootstrap, harmonic, sign * k).await?;
                scores.push((harmonic * libm::ldexp(1.0, sign * k), score));
                if score >= last {
                    break;
                }
            }
            if best(&scores) > harmonic {
                break;
            }
        }
        Ok(scores)
    }

    /// The score of HARM·2ᵏ: (√A + √S)² and how far the strength is from HARM. A is what the marginals that were
    /// measured miss, Σ (m − μ)²/2σ²: for each draw z of noise a fit to y + z/2 is judged by y − 2z. S is the same of
    /// marginals that were not measured, as far as it comes from having few rows ([`Solver::sampling`]). So what is
    /// least is the distance from the truth, half of it on what was measured and half on what was not.
    async fn score(&mut self, bootstrap: Bootstrap, harmonic: f64, k: i32) -> Result<f64> {
        let (mut measured, mut sampling) = (0.0, 0.0);
        for draw in 0..bootstrap.draws {
            let (fitted, judging) = self.coupled(Normals::new(bootstrap.seed), draw as u64);
            self.fit(&fitted, harmonic * libm::ldexp(1.0, k)).await?;
            measured += self.misfit(&judging) / bootstrap.draws as f64;
            sampling += self.sampling() / bootstrap.draws as f64;
        }
        // The noise of y − 2z is 5σ².
        measured -= 2.5 * self.question.answers.len() as f64;
        let both = 2.0 * libm::sqrt(measured.max(0.0) * sampling);
        let shrinkage = f64::from(k) * std::f64::consts::LN_2 / bootstrap.width;
        Ok(measured + sampling + both + 0.5 * shrinkage * shrinkage)
    }

    /// y + z/2 and y − 2z for one draw of noise z: uncorrelated, and independent where the answers' noise is
    /// Gaussian too.
    fn coupled(&self, normals: Normals, draw: u64) -> (Vec<f64>, Vec<f64>) {
        let Question { answers, noise, .. } = &self.question;
        let added =
            (0..).zip(&noise.variance).map(|(i, variance)| libm::sqrt(*variance) * normals.at(draw, i));
        answers.iter().zip(added).map(|(y, z)| (y + 0.5 * z, y - 2.0 * z)).unzip()
    }

    /// Σ (m − y)²/2σ².
    fn misfit(&self, answers: &[f64]) -> f64 {
        let residuals = answers.iter().zip(self.solver.marginals()).map(|(y, m)| y - m);
        residuals.zip(&self.question.noise.variance).map(|(r, variance)| r * r / (2.0 * variance)).sum()
    }

    /// (Σ s/σ)²/2M for the sampling deviations s of the model's shares in M cells.
    fn sampling(&self) -> f64 {
        let of_one = self.solver.sampling().iter().zip(&self.question.noise.variance);
        let sum: f64 = of_one.map(|(sampling, variance)| libm::sqrt(sampling / variance)).sum();
        sum * sum / (2.0 * self.question.answers.len() as f64 * self.question.public)
    }

    async fn fit(&mut self, answers: &[f64], strength: f64) -> Result<()> {
        self.solver.begin(answers, strength)?;
        while !self.solver.step(SLICE)? {
            self.pace.did(SLICE as usize).await;
        }
        self.pace.did(answers.len()).await;
        Ok(())
    }
}

/// The strength of the least score; of equals the first.
fn best(scores: &[(f64, f64)]) -> f64 {
    scores.iter().copied().reduce(|best, one| if one.1 < best.1 { one } else { best }).map_or(1.0, |best| best.0)
}
