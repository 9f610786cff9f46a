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
                    choice.scores = self.scores(bootstrap, harmonic).await?;
                    choice.strength = harmonic / halving(best(&choice.scores));
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

    /// The score of each strength HARM·2⁻ʲ: for each draw z of noise a fit to y + z/2 is judged by
    /// Σ (m − (y − 2z))²/2σ², and the mean over the draws by how far the strength is from HARM.
    async fn scores(&mut self, bootstrap: Bootstrap, harmonic: f64) -> Result<Vec<f64>> {
        let shrinkage = |j: usize| libm::log(halving(j)) / bootstrap.width;
        let mut scores: Vec<f64> =
            (0..=bootstrap.halvings).map(|j| 0.5 * shrinkage(j) * shrinkage(j)).collect();
        for draw in 0..bootstrap.draws {
            let (fitted, judging) = self.coupled(Normals::new(bootstrap.seed), draw as u64);
            for (j, score) in scores.iter_mut().enumerate() {
                self.fit(&fitted, harmonic / halving(j)).await?;
                *score += self.misfit(&judging) / bootstrap.draws as f64;
            }
        }
        Ok(scores)
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

    async fn fit(&mut self, answers: &[f64], strength: f64) -> Result<()> {
        self.solver.begin(answers, strength)?;
        while !self.solver.step(SLICE)? {
            self.pace.did(SLICE as usize).await;
        }
        self.pace.did(answers.len()).await;
        Ok(())
    }
}

/// 2ʲ.
fn halving(j: usize) -> f64 {
    libm::ldexp(1.0, j as i32)
}

/// The place of the least score; of equals the first.
fn best(scores: &[f64]) -> usize {
    (0..scores.len()).reduce(|best, j| if scores[j] < scores[best] { j } else { best }).unwrap_or(0)
}
