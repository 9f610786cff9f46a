//! The rules for n₀, what they are asked and what they answer.

use super::consistency::Noise;
use marginalia_tables::{Code, Error, Result};

/// Eight draws of 2¹⁵ answers. One of that many is as good as eight are (tests/strength/many.rs).
const ENOUGH: usize = 1 << 18;

/// A rule for the strength of a prior.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// So many observations.
    Fixed(f64),
    /// N·n/(N + n).
    Harmonic,
    /// The harmonic strength where it is consistent with the answers, else the coupled bootstrap's.
    Bootstrap(Bootstrap),
}

impl Default for Rule {
    fn default() -> Self {
        Self::Bootstrap(Bootstrap::default())
    }
}

/// The coupled bootstrap: strengths HARM·2ᵏ, each judged by `draws` fits to answers with added noise.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// The harmonic strength is kept while z is not above this; without a gate the bootstrap always decides.
    pub gate: Option<f64>,
    /// Draws of added noise, B, at most.
    pub draws: usize,
    /// So many answers are enough to tell strengths apart: fewer draws are made where each is of many answers, but one at least.
    pub enough: usize,
    /// How often HARM is halved at most.
    pub halvings: usize,
    /// How often it is doubled at most.
    pub doublings: usize,
    /// The standard deviation of ln(n₀/HARM) before any answer is seen, s.
    pub width: f64,
    /// What the added noise is drawn from.
    pub seed: u64,
}

impl Default for Bootstrap {
    fn default() -> Self {
        Self { gate: Some(3.0), draws: 8, enough: ENOUGH, halvings: 8, doublings: 8, width: 1.0, seed: 0 }
    }
}

impl Bootstrap {
    /// The same with as many draws as are made of so many answers.
    pub(super) fn of(self, answers: usize) -> Self {
        let draws = self.draws.min((self.enough / answers.max(1)).max(1));
        Self { draws, ..self }
    }
}

/// What a rule is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// Answers as fractions of the total, for each supported cell.
    pub answers: Vec<f64>,
    /// Their noise.
    pub noise: Noise,
    /// N, the size of the sample that the prior is; infinite for one that is no sample.
    pub public: f64,
    /// n, the number of private records as far as it is known; less than 1 counts as 1.
    pub records: f64,
    /// How many pairs of attributes were not measured for each that was, 1 at most: so much do errors of what was not
    /// measured count.
    pub unmeasured: f64,
}

/// What a rule answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// n₀.
    pub strength: f64,
    /// N·n/(N + n), what the prior is worth if it is of the same population.
    pub harmonic: f64,
    /// z of the fit at that strength, where one was made.
    pub consistency: Option<f64>,
    /// The strengths that the bootstrap tried, each with its score: the least is best. Empty where it was not needed.
    pub scores: Vec<(f64, f64)>,
}

/// N·n/(N + n): 1/n₀ = 1/N + 1/n, since prior and data are both samples.
pub fn harmonic(public: f64, records: f64) -> f64 {
    let records = records.max(1.0);
    records / (1.0 + records / public)
}

impl Rule {
    pub(super) fn check(&self) -> Result<()> {
        let refuse = |message: &str| Err(Error::new(Code::OptionInvalid, message));
        match self {
            Self::Fixed(strength) if !(*strength > 0.0 && strength.is_finite()) => {
                refuse("the strength of a prior is a number of observations above 0")
            }
            Self::Bootstrap(bootstrap)
                if bootstrap.draws == 0 || bootstrap.width.is_nan() || bootstrap.width <= 0.0 =>
            {
                refuse("the coupled bootstrap needs at least one draw and a width above 0")
            }
            _ => Ok(()),
        }
    }
}

impl Question {
    pub(super) fn check(&self) -> Result<()> {
        let refuse = |message: &str| Err(Error::new(Code::OptionInvalid, message));
        if self.answers.len() != self.noise.variance.len() {
            return refuse("the noise needs a variance for each supported cell");
        }
        if self.public.is_nan() || self.public <= 0.0 {
            return refuse("the public sample has a size above 0");
        }
        if !self.records.is_finite() || !self.answers.iter().all(|answer| answer.is_finite()) {
            return refuse("the number of records and the answers are finite");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_harmonic_strength_is_below_both_samples() {
        assert_eq!(harmonic(100.0, 100.0), 50.0);
        assert!((harmonic(7244.0, 7634.0) - 3716.944212931846).abs() < 1e-9);
        assert_eq!(harmonic(f64::INFINITY, 30.0), 30.0);
        assert_eq!(harmonic(1.0, -5.0), 0.5);
    }

    #[test]
    fn draws_are_fewer_of_many_answers() {
        let draws = |answers| Bootstrap::default().of(answers).draws;
        assert_eq!(
            [0, 1, 1 << 15, (1 << 15) + 1, 1 << 17, 1 << 18, 1 << 30].map(draws),
            [8, 8, 8, 7, 2, 1, 1]
        );
    }

    #[test]
    fn rules_and_questions_out_of_range_are_refused() {
        let bootstrap = Bootstrap::default();
        for rule in [
            Rule::Fixed(0.0),
            Rule::Fixed(f64::INFINITY),
            Rule::Bootstrap(Bootstrap { draws: 0, ..bootstrap }),
            Rule::Bootstrap(Bootstrap { width: 0.0, ..bootstrap }),
        ] {
            assert_eq!(rule.check().unwrap_err().code, Code::OptionInvalid);
        }
        Rule::default().check().unwrap();
        let noise = Noise::new(vec![1.0], vec![2.0]).unwrap();
        let question = Question { answers: vec![0.5], noise, public: 10.0, records: 10.0, unmeasured: 1.0 };
        question.check().unwrap();
        for wrong in [
            Question { answers: vec![], ..question.clone() },
            Question { answers: vec![f64::NAN], ..question.clone() },
            Question { public: 0.0, ..question.clone() },
            Question { records: f64::INFINITY, ..question.clone() },
        ] {
            assert_eq!(wrong.check().unwrap_err().code, Code::OptionInvalid);
        }
    }
}
