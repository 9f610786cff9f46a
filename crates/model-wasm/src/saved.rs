//! Serves `ts/engine/operations/saved.ts`: models taken apart, and put together again to the same bits.

use crate::model::Model;
use crate::prior::PriorBase;
use crate::public::cliques;
use marginalia_binding::error::Result;
use marginalia_estimate::models::support::{Form, RestoreJob};
use marginalia_tables::room::listed;
use marginalia_tables::{Code, Error, Schema};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// What a model is given by, where that is less than its weights.
#[wasm_bindgen]
pub struct Potentials {
    flat: Vec<u16>,
    starts: Vec<u32>,
    values: Vec<f64>,
}

#[wasm_bindgen]
impl Potentials {
    /// Those of a model; nothing where it is given by weights.
    pub fn of(model: &Model) -> Result<Option<Potentials>> {
        let model = model.shared();
        let Some((cliques, u)) = model.form() else { return Ok(None) };
        let mut starts = vec![0];
        let mut flat = Vec::new();
        for clique in cliques {
            flat.extend_from_slice(clique);
            starts.push(flat.len() as u32);
        }
        Ok(Some(Self { flat, starts, values: listed(u.iter().copied())? }))
    }

    /// The attributes of one clique after another.
    pub fn flat(&self) -> Vec<u16> {
        self.flat.clone()
    }

    /// Where each clique begins, and where the last one ends.
    pub fn starts(&self) -> Vec<u32> {
        self.starts.clone()
    }

    /// A number for each cell of each clique that a row lies in.
    pub fn values(self) -> Vec<f64> {
        self.values
    }
}

/// A model that is put together again.
#[wasm_bindgen]
pub struct ModelRestorer {
    job: RestoreJob,
    schema: Arc<Schema>,
}

#[wasm_bindgen]
impl ModelRestorer {
    /// From a weight for each row of a prior.
    pub fn weights(prior: &PriorBase, weights: Vec<f64>, total: f64) -> Result<ModelRestorer> {
        let job = RestoreJob::new(Arc::clone(&prior.base), Form::Weights(weights), total, 0)?;
        Ok(Self { job, schema: Arc::clone(&prior.schema) })
    }

    /// From potentials. The cells of rows are kept in at most `limit` bytes.
    pub fn potentials(
        prior: &PriorBase,
        flat: &[u16],
        starts: &[u32],
        values: Vec<f64>,
        total: f64,
        limit: f64,
    ) -> Result<ModelRestorer> {
        let form = Form::Potentials(cliques(prior.base.domain(), flat, starts)?, values);
        let job = RestoreJob::new(Arc::clone(&prior.base), form, total, limit as u64)?;
        Ok(Self { job, schema: Arc::clone(&prior.schema) })
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        Ok(self.job.step(work as u64)?)
    }

    /// The units done.
    pub fn done(&self) -> f64 {
        self.job.done() as f64
    }

    /// All units.
    pub fn total(&self) -> f64 {
        self.job.total() as f64
    }

    /// The model.
    pub fn finish(self) -> Result<Model> {
        Ok(Model::new(self.job.finish()?, self.schema))
    }
}

/// The part of a model that meets a condition: attributes, and whether each of their codes is meant. Nothing where no
/// row that meets it has any weight.
#[wasm_bindgen(js_name = modelWithin)]
pub fn model_within(model: &Model, attributes: &[u16], allowed: &[u8]) -> Result<Option<Model>> {
    let shared = model.shared();
    let condition = condition(shared.base().domain().sizes(), attributes, allowed)?;
    Ok(shared.within(&condition)?.map(|part| Model::new(part, Arc::clone(&model.schema))))
}

/// The number of records of a model.
#[wasm_bindgen(js_name = modelTotal)]
pub fn model_total(model: &Model) -> f64 {
    model.shared().total()
}

/// A condition whose codes of one attribute after another are flagged.
pub(crate) fn condition(
    sizes: &[u32],
    attributes: &[u16],
    allowed: &[u8],
) -> std::result::Result<marginalia_estimate::models::support::Condition, Error> {
    let unfit = || Error::new(Code::OptionInvalid, "a condition does not fit its attributes");
    let mut rest = allowed;
    let mut all = Vec::new();
    for attribute in attributes {
        let size = *sizes.get(usize::from(*attribute)).ok_or_else(unfit)? as usize;
        let (flags, later) = rest.split_at_checked(size).ok_or_else(unfit)?;
        all.push((*attribute, flags.iter().map(|flag| *flag != 0).collect()));
        rest = later;
    }
    Ok(all)
}
