//! How many records there are: known, or what all measurements together say of it.

use crate::measurement::{Measured, Measurement};
use crate::vector::{add, dot, scale_and_add};
use marginalia_tables::query::{Factor, Query};
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
        Err(invalid(
            "without a measurement that says it nothing is known of how many records there are: give the `total`",
        ))
    }

    /// The same of measurements whose queries may be others: each that has the total among the combinations of its answers says it by
    /// the one of least variance.
    pub fn of_queries(measurements: &[Measured]) -> Result<Self> {
        let said = |one: &Measured| {
            if matches!(one.query, Query::Identity) {
                return one.cells();
            }
            let sum = total_by(&one.query, one.answers.len())?;
            let (value, square): (f64, f64) =
                sum.iter().zip(&one.answers).fold((0.0, 0.0), |(v, s), (a, y)| (v + a * y, s + a * a));
            Some(Measurement { clique: Vec::new(), answers: vec![value], variance: one.variance * square })
        };
        Self::measured(&measurements.iter().filter_map(said).collect::<Vec<_>>())
    }

    /// The variance of what to divide by: of a number that is known, or below 1, none.
    pub(crate) fn moves(&self) -> f64 {
        if self.value >= self.records() { self.variance } else { 0.0 }
    }

    /// How much each answer of some measurements is part of it: nothing where it was known, or is taken for more than it is.
    pub(crate) fn parts(&self, measurements: &[Measured]) -> Vec<Vec<f64>> {
        let of = |one: &Measured| {
            let sum = total_by(&one.query, one.answers.len());
            let mut sum = sum.filter(|_| self.moves() > 0.0).unwrap_or_else(|| vec![0.0; one.answers.len()]);
            let weight = self.variance / (one.variance * dot(&sum, &sum)).max(f64::MIN_POSITIVE);
            sum.iter_mut().for_each(|part| *part *= weight);
            sum
        };
        measurements.iter().map(of).collect()
    }

    /// What to divide by and to stand for: at least 1, because noisy totals of few records may be zero or less.
    pub fn records(&self) -> f64 {
        self.value.max(1.0)
    }
}

/// The combination of answers of least squares that counts every cell once: a = Q x where QᵀQ x = 1, by conjugate gradients.
/// Nothing where none does.
fn total_by(query: &Query, answers: usize) -> Option<Vec<f64>> {
    let matrix = match query {
        Query::Identity => return Some(vec![1.0; answers]),
        Query::Linear(matrix) => matrix,
        // Of least squares, because these are products too.
        Query::Product(product) => {
            return product.factors().iter().try_fold(vec![1.0], |all, factor| {
                let own = match factor {
                    Factor::Identity(codes) => vec![1.0; *codes],
                    Factor::Linear(matrix) => total_by(&Query::Linear(matrix.clone()), factor.rows())?,
                };
                Some(all.iter().flat_map(|a| own.iter().map(move |b| a * b)).collect())
            });
        }
    };
    let ones = vec![1.0; matrix.columns()];
    let mut sum = vec![0.0; answers];
    let (mut residual, mut direction) = (ones.clone(), ones);
    let mut square = dot(&residual, &residual);
    for _ in 0..2 * answers {
        if square <= NEAR {
            return Some(sum);
        }
        let step = query.apply(&direction);
        let alpha = square / dot(&step, &step);
        if !alpha.is_finite() {
            break;
        }
        add(&mut sum, alpha, &step);
        add(&mut residual, -alpha, &query.transpose(&step));
        let before = std::mem::replace(&mut square, dot(&residual, &residual));
        scale_and_add(&mut direction, square / before, &residual);
    }
    // Where rounding is in the way, an answer that is the total says it all the same.
    let whole = matrix.rows().position(|row| row.iter().all(|entry| *entry == 1))?;
    sum.fill(0.0);
    sum[whole] = 1.0;
    Some(sum)
}

/// The square of what may be left of the cells' counts.
const NEAR: f64 = 1e-20;

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measurement::Law;
    use crate::seed::Seed;
    use marginalia_tables::query::Matrix;

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
    fn every_query_that_has_the_total_says_it_with_the_least_variance() {
        let sums = |rows: Vec<i32>, answers: &[f64]| Measured {
            clique: vec![0],
            query: Query::Linear(Matrix::new(3, rows).unwrap()),
            answers: answers.to_vec(),
            variance: 2.0,
            law: Law::Gaussian,
        };
        let of = |one: Measured| Total::of_queries(&[one]);
        // Prefixes: only the last one is the total.
        let prefix = of(sums(vec![1, 0, 0, 1, 1, 0, 1, 1, 1], &[3.0, 5.0, 9.0])).unwrap();
        assert!((prefix.value - 9.0).abs() < 1e-9 && (prefix.variance - 2.0).abs() < 1e-9);
        // Twice the same sum, and both halves: ⅔ of the mean and a third of the halves together have variance 2/3 · 2.
        let halves = of(sums(vec![1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1], &[9.0, 9.0, 4.0, 2.0])).unwrap();
        assert!(
            (halves.variance - 0.8).abs() < 1e-9 && (halves.value - (0.8 * 9.0 + 0.2 * 6.0)).abs() < 1e-9
        );
        // Some cell is in none of them.
        assert!(of(sums(vec![1, 1, 0], &[3.0])).is_err());
        let wide = Query::Linear(Matrix::prefix(700).unwrap());
        let sum = total_by(&wide, 700).unwrap();
        assert!((sum[699] - 1.0).abs() < 1e-6 && sum[..699].iter().all(|a| a.abs() < 1e-6));
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
