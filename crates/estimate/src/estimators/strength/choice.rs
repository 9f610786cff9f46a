//! The choice of a strength.

use super::Fitted;
use super::consistency::consistency;
use super::normal::Normals;
use super::rule::{Bootstrap, Choice, Question, Rule, harmonic};
use crate::job::{Job, Pace, Steps};
use crate::models::support::zeros;
use marginalia_tables::Result;
use std::f64::consts::LN_2;

/// By how many standard errors a strength must be better than that of the sources.
const DOUBT: f64 = 2.0;

/// The part of their sampling deviation that marginals miss which were not measured: what was measured explains the
/// rest. It was .61 to .71 for all pairs of six tables, and .48 of a seventh (docs/estimation.md).
const UNEXPLAINED: f64 = 2.0 / 3.0;

/// The choice of one strength by fits: `fit` begins one to answers, as fractions of the total for each supported cell, with a prior
/// that is worth so many observations, from the potentials that the last one may have left.
pub fn choice<J: Job<Output = Fitted> + Send + 'static>(
    rule: Rule,
    question: Question,
    fit: impl FnMut(&[f64], f64, Option<Vec<f64>>) -> Result<J> + Send + 'static,
) -> Result<Steps<Choice>> {
    rule.check()?;
    question.check()?;
    let choose = |pace| async move {
        let last = Fitted::default();
        Fits { question, fit, pace, last, strength: 0.0 }.choose(rule).await
    };
    Ok(Steps::new(choose).awake())
}

/// The score of a strength, and the mean marginals of its fits.
#[derive(Clone)]
struct Scored {
    points: f64,
    marginals: Vec<f64>,
}

/// Fits to the answers of a question.
struct Fits<F> {
    question: Question,
    fit: F,
    pace: Pace,
    /// The last one, and at which strength it was.
    last: Fitted,
    strength: f64,
}

impl<J: Job<Output = Fitted> + Send, F: FnMut(&[f64], f64, Option<Vec<f64>>) -> Result<J>> Fits<F> {
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
                    let bootstrap = bootstrap.of(self.question.answers.len());
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
        Ok(consistency(&answers, &self.last.marginals, self.last.divergence, &self.question.noise))
    }

    /// The strengths HARM·2ᵏ that were tried, with their scores, which are what they are expected to miss and the doubt about it: from
    /// the strongest, whose fits are quick, to weaker ones until two after each other are no better than what was found before.
    async fn search(&mut self, bootstrap: Bootstrap, harmonic: f64) -> Result<Vec<(f64, f64)>> {
        let (most, least) = (bootstrap.doublings as i32, -(bootstrap.halvings as i32));
        let sources = self.score(bootstrap, harmonic, 0).await?;
        let (mut scores, mut worse) = (Vec::new(), 0);
        for k in (least..=most).rev() {
            let Scored { points, marginals } = match k {
                0 => sources.clone(),
                _ => self.score(bootstrap, harmonic, k).await?,
            };
            let score = points + self.doubt(bootstrap, &marginals, &sources.marginals);
            let better = scores.iter().all(|(_, before)| score < *before);
            scores.push((harmonic * libm::ldexp(1.0, k), score));
            worse = if better { 0 } else { worse + 1 };
            if worse == 2 {
                break;
            }
        }
        Ok(scores)
    }

    /// What HARM·2ᵏ is expected to miss: (√A + √S)², and how far the strength is from HARM. A is what the marginals that were
    /// measured miss, Σ (m − μ)²/2σ²: for each draw z of noise a fit to y + z/2 is judged by y − 2z. S is the same of
    /// marginals that were not measured. So what is least is a distance from the truth, half of it on what was measured
    /// and half on what was not.
    async fn score(&mut self, bootstrap: Bootstrap, harmonic: f64, k: i32) -> Result<Scored> {
        let (mut measured, mut unmeasured) = (0.0, 0.0);
        let mut marginals = zeros(self.question.answers.len())?;
        let part = 1.0 / bootstrap.draws as f64;
        for draw in 0..bootstrap.draws {
            let (fitted, judging) = self.coupled(Normals::new(bootstrap.seed), draw as u64);
            self.fit(&fitted, harmonic * libm::ldexp(1.0, k)).await?;
            measured += part * self.misfit(&judging);
            unmeasured += part * self.unmeasured();
            marginals.iter_mut().zip(&self.last.marginals).for_each(|(mean, m)| *mean += part * m);
        }
        // The variance of y − 2z is 5σ².
        measured -= 2.5 * self.question.answers.len() as f64;
        let both = 2.0 * libm::sqrt(measured.max(0.0) * unmeasured);
        let shrinkage = f64::from(k) * LN_2 / bootstrap.width;
        let points = measured + unmeasured + both + 0.5 * shrinkage * shrinkage;
        Ok(Scored { points, marginals })
    }

    /// By how much a score must be lower than that of the sources' strength to be believed. Noise e of the answers and 2z of the
    /// draws make their difference Σ (m − m′)(e + 2z)/σ², where all draws have e in common.
    fn doubt(&self, bootstrap: Bootstrap, m: &[f64], sources: &[f64]) -> f64 {
        let differences = m.iter().zip(sources).map(|(m, other)| (m - other) * (m - other));
        let sum: f64 = differences.zip(&self.question.noise.variance).map(|(square, v)| square / v).sum();
        DOUBT * libm::sqrt((1.0 + 4.0 / bootstrap.draws as f64) * sum)
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
        let residuals = answers.iter().zip(&self.last.marginals).map(|(y, m)| y - m);
        residuals.zip(&self.question.noise.variance).map(|(r, variance)| r * r / (2.0 * variance)).sum()
    }

    /// What a marginal that was not measured misses by having few rows, in units of the misfit: M cells with the mean of
    /// s/σ, for the sampling deviations s of the model's shares, and without the part of them that answers explain. It counts for
    /// less where there are fewer of these than of others.
    fn unmeasured(&self) -> f64 {
        let variances = self.last.sampling.iter().zip(&self.question.noise.variance);
        let sum: f64 = variances.map(|(sampling, variance)| libm::sqrt(sampling / variance)).sum();
        let sum = UNEXPLAINED * self.question.unmeasured * sum;
        if sum > 0.0 { sum * sum / (2.0 * self.question.answers.len() as f64) } else { 0.0 }
    }

    async fn fit(&mut self, answers: &[f64], strength: f64) -> Result<()> {
        // Potentials of a weaker prior would lead far astray.
        let start = self.last.potentials.take().filter(|_| self.strength >= strength);
        self.last = self.pace.run((self.fit)(answers, strength, start)?).await?;
        self.strength = strength;
        self.pace.did(answers.len()).await;
        Ok(())
    }
}

/// The strength of the least score; of equals the first.
fn best(scores: &[(f64, f64)]) -> f64 {
    scores
        .iter()
        .copied()
        .reduce(|best, one| if one.1 < best.1 { one } else { best })
        .map_or(1.0, |best| best.0)
}
