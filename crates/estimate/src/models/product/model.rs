//! The shares of the codes of each attribute.

use super::{answers, prior, records};
use crate::job::{Boxed, Steps};
use crate::models::check::{self, invalid};
use crate::models::{Condition, Form, Model, RecordsRequest, Saved};
use marginalia_tables::{Result, Schema, Table, Workload};
use std::sync::Arc;

/// The name of the kind.
pub const KIND: &str = "product";

/// By how much the shares of an attribute may be off 1 by rounding.
const ROUNDING: f64 = 1e-9;

/// Independent attributes, for so many records.
#[derive(Debug, Clone)]
pub struct ProductModel {
    schema: Arc<Schema>,
    /// Of each attribute that is not derived the share of each code; those of an attribute sum to 1.
    shares: Vec<Vec<f64>>,
    total: f64,
}

impl ProductModel {
    /// Shares of the codes of each attribute that is not derived, in the order of the schema.
    pub fn new(schema: Arc<Schema>, shares: Vec<Vec<f64>>, total: f64) -> Result<Self> {
        check::total(total)?;
        let proper = |(shares, size): (&Vec<f64>, usize)| {
            let sum: f64 = shares.iter().sum();
            shares.len() == size && shares.iter().all(|share| *share >= 0.0) && (sum - 1.0).abs() <= ROUNDING
        };
        let sizes = schema.base().iter().map(|attribute| attribute.size());
        if shares.len() != schema.base().len() || !shares.iter().zip(sizes).all(proper) {
            return Err(invalid("a product needs for each attribute shares of its codes that sum to 1"));
        }
        Ok(Self { schema, shares, total })
    }

    /// The shares of the codes of each attribute that is not derived.
    pub fn shares(&self) -> &[Vec<f64>] {
        &self.shares
    }
}

impl Model for ProductModel {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn total(&self) -> f64 {
        self.total
    }

    fn size(&self) -> usize {
        self.shares.iter().map(Vec::len).sum()
    }

    fn answer(self: Arc<Self>, workload: &Arc<Workload>, limit: u64) -> Result<Boxed<Vec<f64>>> {
        if workload.domain().sizes() != self.schema.sizes() {
            return Err(invalid(
                "the workload is over another schema: build it from the schema of the model",
            ));
        }
        check::answers(workload, limit)?;
        let workload = Arc::clone(workload);
        Ok(Box::new(Steps::new(|pace| async move { answers::answers(&self, &workload, &pace).await })))
    }

    fn records(self: Arc<Self>, request: RecordsRequest) -> Result<Boxed<Table>> {
        Ok(Box::new(Steps::new(|pace| async move { records::records(&self, &request, &pace).await })))
    }

    fn part(&self, condition: &Condition) -> Result<Option<Arc<dyn Model>>> {
        check::condition(&self.schema.sizes(), condition)?;
        let (mut shares, mut total) = (self.shares.clone(), self.total);
        for (attribute, allowed) in condition {
            let (root, codes) = self.schema.root(usize::from(*attribute));
            for (code, share) in shares[root].iter_mut().enumerate() {
                let met = allowed[codes.as_ref().map_or(code, |codes| usize::from(codes[code]))];
                *share *= f64::from(u8::from(met));
            }
        }
        for shares in &mut shares {
            let mass: f64 = shares.iter().sum();
            if mass <= 0.0 {
                return Ok(None);
            }
            shares.iter_mut().for_each(|share| *share /= mass);
            total *= mass;
        }
        Ok(Some(Arc::new(Self { schema: Arc::clone(&self.schema), shares, total })))
    }

    fn form(&self) -> Result<Form> {
        let cliques = (0..self.shares.len() as u16).map(|attribute| vec![attribute]);
        Ok(Form { cliques: Some(cliques.collect()), numbers: self.shares.concat() })
    }

    fn as_prior(self: Arc<Self>, limit: u64) -> Option<Result<Boxed<Table>>> {
        Some(prior::rows(self, limit))
    }
}

/// A product from the shares of one attribute after another.
pub fn restore(saved: Saved) -> Result<Boxed<Arc<dyn Model>>> {
    let Saved { schema, total, form, .. } = saved;
    let single = |(i, clique): (usize, &Vec<u16>)| clique[..] == [i as u16];
    if !form.cliques.is_some_and(|cliques| cliques.iter().enumerate().all(single)) {
        return Err(invalid("a product is given by shares of single attributes"));
    }
    let mut rest = &form.numbers[..];
    let mut shares = Vec::new();
    for attribute in schema.base() {
        let all = rest.split_at_checked(attribute.size());
        let (now, later) = all.ok_or_else(|| invalid("a product has a share for each code"))?;
        shares.push(now.to_vec());
        rest = later;
    }
    let model = ProductModel::new(schema, shares, total)?;
    Ok(Box::new(Steps::new(|_| async move { Ok(Arc::new(model) as Arc<dyn Model>) })))
}
