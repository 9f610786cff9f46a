//! Serves `ts/engine/operations/saved.ts`: tables and models taken apart, and put together again to the same bits.

use crate::error::Result;
use crate::model::Model;
use crate::prior::PriorBase;
use crate::public::cliques;
use crate::table::Table;
use marginalia_estimate::support::{Form, RestoreJob};
use marginalia_tables::restore::Restoring;
use marginalia_tables::room::listed;
use marginalia_tables::table::Raw;
use marginalia_tables::{Code, Error, Schema};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A copy of the raw numbers that a table keeps of one attribute.
#[wasm_bindgen]
pub struct RawNumbers {
    table: Arc<marginalia_tables::Table>,
    place: usize,
}

impl RawNumbers {
    fn raw(&self) -> &Raw {
        &self.table.raw()[self.place]
    }
}

#[wasm_bindgen]
impl RawNumbers {
    /// Those of the attribute that is number `place` of those with some; nothing where there are no more.
    pub fn of(table: &Table, place: usize) -> Option<RawNumbers> {
        let table = table.shared();
        (place < table.raw().len()).then_some(Self { table, place })
    }

    /// The attribute.
    pub fn attribute(&self) -> usize {
        self.raw().attribute
    }

    /// All numbers, row after row.
    pub fn values(&self) -> Result<Vec<f64>> {
        Ok(self.raw().values.to_vec()?)
    }

    /// How many each row has; nothing where each has one.
    pub fn counts(&self) -> Result<Option<Vec<u32>>> {
        let counts = |starts: &Vec<usize>| listed(starts.windows(2).map(|pair| (pair[1] - pair[0]) as u32));
        Ok(self.raw().starts.as_ref().map(counts).transpose()?)
    }

    /// For each number the weight of those of its row up to it; nothing where all weigh the same.
    pub fn sums(&self) -> Result<Option<Vec<f64>>> {
        Ok(self.raw().sums.as_ref().map(|sums| listed(sums.iter().copied())).transpose()?)
    }
}

/// A table that is put together from codes.
#[wasm_bindgen]
pub struct TableRestorer(Restoring);

#[wasm_bindgen]
impl TableRestorer {
    /// A table with weights and without rows, for the normal form of a schema.
    #[wasm_bindgen(constructor)]
    pub fn new(schema: &str) -> Result<TableRestorer> {
        Ok(Self(Restoring::new(Arc::new(Schema::from_json(schema)?))))
    }

    /// Appends rows: the codes of one attribute after another, and a weight for each row.
    pub fn push(&mut self, codes: &[u16], weights: &[f64]) -> Result<()> {
        Ok(self.0.push(codes, weights)?)
    }

    /// Puts raw numbers beside the rows that are there.
    pub fn number(&mut self, attribute: usize, numbers: &[f64], counts: &[u32], sums: &[f64]) -> Result<()> {
        Ok(self.0.number(attribute, numbers, counts, sums)?)
    }

    /// The table.
    pub fn finish(self) -> Table {
        Table::new(self.0.finish())
    }
}

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
) -> std::result::Result<marginalia_estimate::support::Condition, Error> {
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
