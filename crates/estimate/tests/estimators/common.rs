//! What several tests need: priors from rows, indices over cliques.

use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::models::support::{Base, Index};
use marginalia_tables::{Codes, Domain};
use std::sync::Arc;

/// A prior from rows of codes.
pub fn prior(sizes: &[u32], rows: &[&[u16]], weights: &[f64]) -> Arc<Base> {
    let columns = sizes.iter().enumerate().map(|(a, size)| {
        let codes: Vec<u16> = rows.iter().map(|row| row[a]).collect();
        let mut column = Codes::new(*size as usize);
        column.extend(&codes).unwrap();
        column
    });
    Arc::new(Base::new(Domain::new(sizes), columns.collect(), Some(weights)).unwrap())
}

/// The index over the cliques of some measurements.
pub fn index(base: &Arc<Base>, measurements: &[Measurement]) -> Arc<Index> {
    let cliques = measurements.iter().map(|one| one.clique.clone()).collect();
    Index::over(Arc::clone(base), cliques, 1 << 30).unwrap().complete().unwrap()
}

/// A measurement of counts.
pub fn measured(clique: &[u16], answers: &[f64], variance: f64) -> Measurement {
    Measurement { clique: clique.to_vec(), answers: answers.to_vec(), variance }
}

/// Each number within `tolerance` of the expected one.
pub fn near(numbers: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(numbers.len(), expected.len());
    for (number, expected) in numbers.iter().zip(expected) {
        assert!((number - expected).abs() <= tolerance, "{number} is not {expected}");
    }
}
