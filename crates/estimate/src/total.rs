//! How many records there are: known, or what all measurements together say of it.

use crate::measurement::Measurement;
use marginalia_tables::{Code, Error, Result};

/// A number of records with the variance of its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Total {
    /// The number as it was estimated; it may be below zero.
    pub value: f64,
    /// The variance of its error; 0 where it is known.
    pub variance: f64,
}

impl Total {
    /// A number that is public.
    pub fn known(records: f64) -> Result<Self> {
        if records.is_finite() && records >= 0.0 {
            return Ok(Self { value: records, variance: 0.0 });
        }
        Err(invalid("a total must be a finite number of records, and not negative"))
    }

    /// The sum of the answers of each measurement is an unbiased total with variance σ²·cells; they are weighted by
    /// the inverse of these. A count is the measurement of the empty clique.
    pub fn measured(measurements: &[Measurement]) -> Result<Self> {
        let (mut precision, mut weighted) = (0.0, 0.0);
        for measurement in measurements.iter().filter(|one| !one.answers.is_empty()) {
            let variance = measurement.variance * measurement.answers.len() as f64;
            if !(variance > 0.0 && variance.is_finite()) {
                return Err(invalid("the variance of a measurement must be positive and finite"));
            }
            precision += 1.0 / variance;
            weighted += measurement.answers.iter().sum::<f64>() / variance;
        }
        if precision > 0.0 && weighted.is_finite() {
            return Ok(Self { value: weighted / precision, variance: 1.0 / precision });
        }
        Err(invalid("without a measurement, or a known total, nothing says how many records there are"))
    }

    /// What to divide by and to stand for: at least 1, because noisy totals of few records may be zero or less.
    pub fn records(&self) -> f64 {
        self.value.max(1.0)
    }
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed::Seed;

    fn measured(answers: &[f64], variance: f64) -> Measurement {
        Measurement { clique: vec![0], answers: answers.to_vec(), variance }
    }

    #[test]
    fn totals_are_weighted_by_the_inverse_of_their_variances() {
        // Variances 2 · 3 = 6 and 1 · 2 = 2: weights 1/4 and 3/4.
        let total = Total::measured(&[measured(&[4.0, 5.0, 7.0], 2.0), measured(&[9.0, 3.0], 1.0)]).unwrap();
        assert!((total.value - 13.0).abs() < 1e-12 && (total.variance - 1.5).abs() < 1e-12);
        assert_eq!(total.records(), total.value);
    }

    #[test]
    fn few_records_count_as_one() {
        let total = Total::measured(&[measured(&[-4.0, 1.0], 2.0)]).unwrap();
        assert_eq!((total.value, total.records()), (-3.0, 1.0));
        assert_eq!(Total::known(0.0).unwrap().records(), 1.0);
        for wrong in [
            Total::known(-1.0),
            Total::known(f64::NAN),
            Total::measured(&[]),
            Total::measured(&[measured(&[1.0], 0.0)]),
        ] {
            assert_eq!(wrong.unwrap_err().code, Code::OptionInvalid);
        }
    }

    #[test]
    fn the_variance_is_that_of_the_error() {
        let mut seed = Seed::new(3);
        // Uniform noise on ±√3 has variance 1.
        let mut noise = move |scale: f64| scale * (seed.uniform() - 0.5) * 12f64.sqrt();
        let errors: Vec<f64> = (0..20_000)
            .map(|_| {
                let mut one = |cells: usize, scale: f64| {
                    let answers: Vec<f64> = (0..cells).map(|_| 10.0 / cells as f64 + noise(scale)).collect();
                    measured(&answers, scale * scale)
                };
                let total = Total::measured(&[one(2, 1.0), one(5, 0.5), one(1, 3.0)]).unwrap();
                (total.value - 10.0) / total.variance.sqrt()
            })
            .collect();
        let mean = errors.iter().sum::<f64>() / 2e4;
        let variance = errors.iter().map(|e| e * e).sum::<f64>() / 2e4;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
    }
}
