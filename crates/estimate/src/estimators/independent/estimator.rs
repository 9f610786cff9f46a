//! The product of single attributes from measurements of any cliques.

use crate::estimators::{
    Certificate, Estimate, Estimation, Estimator, Judgement, Missing, Request, Status, cells_only,
};
use crate::measurement::{Law, Measurement, cells_of};
use crate::models::product::{self, ProductModel};
use crate::models::support::Base;
use crate::simplex::project;
use marginalia_tables::query::Query;
use marginalia_tables::{Domain, Result};
use std::sync::Arc;

/// Every measurement that has an attribute is summed over its others; sums are weighted by the inverse of their variances.
/// Of an attribute that no measurement has, the prior's shares are taken, or equal ones.
#[derive(Debug, Clone, Copy)]
pub struct IndependentEstimator;

impl Estimator for IndependentEstimator {
    fn name(&self) -> &'static str {
        "independent"
    }

    fn kind(&self) -> &'static str {
        product::KIND
    }

    fn accepts(&self, _: &str, query: &Query, _: Law) -> Result<()> {
        cells_only(query)
    }

    fn begin(&self, request: Request) -> Result<Estimation> {
        request.accepted_by(self)?;
        let measurements = request.cells()?;
        Ok(Estimation::new(|pace| async move {
            let (domain, rows) = (request.domain(), request.rows.as_deref());
            let mut shares = Vec::new();
            let mut loss = 0.0;
            for attribute in 0..request.schema.base().len() as u16 {
                let found = single(&domain, attribute, &measurements, request.total.records());
                pace.did(measurements.iter().map(|one| one.answers.len()).sum::<usize>() + 1).await;
                let (own, off) = match found {
                    Some(found) => nearest(&found),
                    None => (unmeasured(&domain, attribute, rows), 0.0),
                };
                shares.push(own);
                loss += off;
            }
            pace.judged();
            let judgement = Judgement { at: 1.0, value: loss, gap: None, relative_entropy: 0.0 };
            let none = |_: &Measurement| Missing { answers: 0, records: 0.0 };
            Ok(Estimate {
                model: Arc::new(ProductModel::new(request.schema, shares, request.total.records())?),
                status: Status::Converged,
                certificate: Certificate::Independent { loss },
                trace: vec![judgement],
                total: request.total,
                missing: measurements.iter().map(none).collect(),
            })
        }))
    }
}

/// The shares of an attribute's codes by all measurements that have it.
fn single(domain: &Domain, attribute: u16, measurements: &[Measurement], total: f64) -> Option<Vec<f64>> {
    let size = domain.sizes()[usize::from(attribute)] as usize;
    let (mut sums, mut precision) = (vec![0.0; size], 0.0);
    for Measurement { clique, answers, variance } in measurements {
        let Some(place) = clique.iter().position(|a| *a == attribute) else { continue };
        let stride = cells_of(domain, &clique[place + 1..]).ok()? as usize;
        let weight = size as f64 / (variance * answers.len() as f64);
        precision += weight;
        for (cell, answer) in answers.iter().enumerate() {
            sums[cell / stride % size] += weight * answer;
        }
    }
    (precision > 0.0).then(|| sums.into_iter().map(|sum| sum / (precision * total)).collect())
}

/// The nearest distribution, and how far that is.
fn nearest(found: &[f64]) -> (Vec<f64>, f64) {
    let mut shares = found.to_vec();
    project(&mut shares, &vec![1.0; found.len()], &mut 0.0);
    let off = shares.iter().zip(found).map(|(share, found)| (share - found).abs()).sum();
    (shares, off)
}

/// What the prior gives to each code, or the same to all.
fn unmeasured(domain: &Domain, attribute: u16, rows: Option<&Base>) -> Vec<f64> {
    let size = domain.sizes()[usize::from(attribute)] as usize;
    let Some(base) = rows else { return vec![1.0 / size as f64; size] };
    let mut shares = vec![0.0; size];
    let column = &base.columns()[usize::from(attribute)];
    base.prior().iter().enumerate().for_each(|(row, p)| shares[usize::from(column.get(row))] += p);
    shares
}
