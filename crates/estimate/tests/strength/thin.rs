//! A prior of few rows, exact answers that contradict it, and pairs that nobody measured.

use marginalia_estimate::deviates::laplace;
use marginalia_estimate::estimators::calibrated::CalibratedEstimator;
use marginalia_estimate::estimators::strength::{Rule, harmonic};
use marginalia_estimate::estimators::{Certificate, Estimate, Estimator, Request};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::{Law, Measured, Measurement};
use marginalia_estimate::models::narrowed;
use marginalia_estimate::models::support::{Base, SupportModel};
use marginalia_estimate::seed::Seed;
use marginalia_estimate::total::Total;
use marginalia_tables::query::Query;
use marginalia_tables::{Codes, Domain, Schema};
use std::sync::Arc;

const ATTRIBUTES: usize = 8;
const VALUES: usize = 6;
const PUBLIC: usize = 500;
const PRIVATE: usize = 40_000;
/// The scale of the noise, in records.
const SCALE: f64 = 2.0;

/// A chain of attributes, each of which mostly repeats the one before, and the first is skewed by a power.
fn records(attributes: usize, rows: usize, power: f64, seed: u64) -> Vec<Vec<u16>> {
    let mut seed = Seed::new(seed);
    let mut columns = vec![Vec::new(); attributes];
    for _ in 0..rows {
        let mut value = (seed.uniform().powf(power) * VALUES as f64) as usize;
        for column in &mut columns {
            if seed.uniform() > 0.6 {
                value = (seed.uniform().powf(1.5) * VALUES as f64) as usize;
            }
            column.push(value.min(VALUES - 1) as u16);
        }
    }
    columns
}

fn counts(columns: &[Vec<u16>], weights: &[f64], clique: &[u16]) -> Vec<f64> {
    let mut counts = vec![0.0; VALUES.pow(clique.len() as u32)];
    for (row, weight) in weights.iter().enumerate() {
        let cell = clique.iter().fold(0, |cell, a| cell * VALUES + columns[*a as usize][row] as usize);
        counts[cell] += weight;
    }
    counts
}

pub struct Case {
    public: Vec<Vec<u16>>,
    base: Arc<Base>,
    cliques: Vec<Vec<u16>>,
    private: Vec<Vec<u16>>,
    measurements: Vec<Measurement>,
}

/// Each attribute and the pairs of neighbours.
fn case(public: usize, power: f64, scale: f64) -> Case {
    let ones = (0..ATTRIBUTES as u16).map(|a| vec![a]);
    let cliques = ones.chain((1..ATTRIBUTES as u16).map(|a| vec![a - 1, a])).collect();
    measured(ATTRIBUTES, cliques, public, power, scale)
}

fn pairs(attributes: usize) -> Vec<Vec<u16>> {
    (0..attributes as u16).flat_map(|b| (0..b).map(move |a| vec![a, b])).collect()
}

fn measured(attributes: usize, cliques: Vec<Vec<u16>>, public: usize, power: f64, scale: f64) -> Case {
    let (public, private) = (records(attributes, public, power, 1), records(attributes, PRIVATE, 1.0, 2));
    let columns = public.iter().map(|codes| {
        let mut column = Codes::new(VALUES);
        column.extend(codes).unwrap();
        column
    });
    let domain = Domain::new(vec![VALUES as u32; attributes]);
    let base = Arc::new(Base::new(domain, columns.collect(), None).unwrap());
    let mut seed = Seed::new(3);
    let measured = |clique: &Vec<u16>| {
        let counts = counts(&private, &vec![1.0; PRIVATE], clique);
        let answers = counts.iter().map(|count| (count + scale * laplace(&mut seed)).round()).collect();
        Measurement { clique: clique.clone(), answers, variance: 2.0 * scale * scale }
    };
    let measurements = cliques.iter().map(measured).collect();
    Case { public, base, cliques, private, measurements }
}

impl Case {
    /// All pairs of twenty attributes.
    pub fn of_all_pairs(public: usize, power: f64, scale: f64) -> Self {
        measured(20, pairs(20), public, power, scale)
    }

    pub fn fit(&self, rule: Rule) -> Estimate {
        let estimator = CalibratedEstimator {
            strength: rule,
            tolerance: 1e-4,
            passes: 5000,
            ..CalibratedEstimator::default()
        };
        let law = Law::Laplace((self.measurements[0].variance / 2.0).sqrt());
        let measured = |one: &Measurement| {
            let Measurement { clique, answers, variance } = one.clone();
            Measured { clique, query: Query::Identity, answers, variance, law }
        };
        let measurements = self.measurements.iter().map(measured).collect();
        let total = Total::known(PRIVATE as f64).unwrap();
        let schema = Arc::new(Schema::of_domain(self.base.domain()).unwrap());
        let request = Request::new(schema, Some(Arc::clone(&self.base)), measurements, total);
        estimator.begin(request).unwrap().complete().unwrap()
    }

    /// Half the L1 distance, the mean over pairs that were measured and over those that were not.
    pub fn errors(&self, estimate: &Estimate) -> [f64; 2] {
        let model = narrowed::<SupportModel>(&estimate.model).unwrap();
        let weights = model.distribution().weights().unwrap();
        let mut sums = [(0.0, 0.0); 2];
        for pair in pairs(self.public.len()) {
            let truth = counts(&self.private, &vec![1.0; PRIVATE], &pair);
            let found = counts(&self.public, weights, &pair);
            let distance = |(m, count): (&f64, &f64)| (m - count / PRIVATE as f64).abs() / 2.0;
            let far: f64 = found.iter().zip(&truth).map(distance).sum();
            let sum = &mut sums[usize::from(!self.cliques.contains(&pair))];
            *sum = (sum.0 + far, sum.1 + 1.0);
        }
        sums.map(|(sum, pairs)| sum / pairs)
    }
}

/// The strength that was chosen, and the consistency that it was chosen by.
pub fn choice(estimate: &Estimate) -> (f64, f64) {
    match estimate.certificate {
        Certificate::Calibrated { strength, consistency, .. } => (strength, consistency.unwrap()),
        _ => panic!("another estimator"),
    }
}

#[test]
fn rows_that_are_too_few_are_bent_less() {
    let case = case(PUBLIC, 1.6, SCALE);
    let harmonic = harmonic(PUBLIC as f64, PRIVATE as f64);
    let chosen = case.fit(Rule::default());
    let (strength, consistency) = choice(&chosen);
    assert!(consistency > 2.0, "{consistency:?}");
    assert!(strength >= 4.0 * harmonic, "{strength}, and {harmonic} is the harmonic one");
    let [measured, other] = case.errors(&chosen);
    let [measured_before, other_before] = case.errors(&case.fit(Rule::Harmonic));
    // What is gained on pairs that were not measured is more than what is lost on those that were.
    assert!(
        other_before - other > measured - measured_before,
        "{measured_before} {other_before} {measured} {other}"
    );
    assert!(other < 0.96 * other_before, "{other}, {other_before} before");
}

#[test]
fn a_foreign_prior_of_many_rows_is_still_weakened() {
    let case = case(20 * PUBLIC, 4.0, 40.0 * SCALE);
    let harmonic = harmonic(20.0 * PUBLIC as f64, PRIVATE as f64);
    let chosen = case.fit(Rule::default());
    let (strength, consistency) = choice(&chosen);
    assert!(consistency > 2.0 && strength <= harmonic / 2.0, "{strength}, {harmonic}");
    let [measured, other] = case.errors(&chosen);
    let [measured_before, other_before] = case.errors(&case.fit(Rule::Harmonic));
    assert!(measured < measured_before && other < other_before);
}
