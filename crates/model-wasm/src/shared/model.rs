//! Serves `ts/estimate/model.ts`: what models of all kinds have.

use crate::errors_of::both;
use crate::job::Job;
use crate::kinds::KINDS;
use crate::prior::PriorBase;
use crate::reading::{cliques, seed};
use marginalia_binding::answers::Answers;
use marginalia_binding::error::Result;
use marginalia_binding::options::{parse, whole};
use marginalia_binding::table::Table;
use marginalia_estimate::errors::Question;
use marginalia_estimate::job::{Boxed, Steps};
use marginalia_estimate::measurement::cells_of;
use marginalia_estimate::models::support::Base;
use marginalia_estimate::models::{
    self, Condition, ErrorsRequest, Form, RecordsRequest, Saved, restore, unsupported,
};
use marginalia_estimate::records::Method;
use marginalia_estimate::total::Total;
use marginalia_tables::{Code, Domain, Error, Schema, Workload};
use serde_json::Value;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A model of any kind, behind a handle.
#[wasm_bindgen]
pub struct Model(Arc<dyn models::Model>);

impl Model {
    pub(crate) fn new(model: Arc<dyn models::Model>) -> Self {
        Self(model)
    }

    pub(crate) fn shared(&self) -> Arc<dyn models::Model> {
        Arc::clone(&self.0)
    }

    fn domain(&self) -> Domain {
        Domain::new(self.0.schema().sizes())
    }
}

/// Counts of the cells of a workload, one after another, as answers in at most `limit` bytes.
pub(crate) fn answers(workload: Arc<Workload>, cells: Vec<f64>, limit: u64) -> Result<Answers> {
    Ok(Answers::new(marginalia_tables::count::Answers::from_cells(workload, cells, limit)?))
}

#[wasm_bindgen]
impl Model {
    /// Its kind.
    pub fn kind(&self) -> String {
        self.0.kind().to_owned()
    }

    /// How many numbers it is held by, about.
    pub fn size(&self) -> usize {
        self.0.size()
    }

    /// The number of records.
    pub fn total(&self) -> f64 {
        self.0.total()
    }

    /// Answers a workload, clique `i` of which is `flat[starts[i]..starts[i + 1]]`, in at most `limit` bytes.
    #[wasm_bindgen(unchecked_return_type = "Job<Answers>")]
    pub fn answer(&self, flat: Vec<u16>, starts: Vec<u32>, limit: f64) -> Result<Job> {
        let starts = starts.into_iter().map(|start| start as usize).collect();
        let (workload, limit) = (Arc::new(Workload::new(self.domain(), flat, starts)?), limit as u64);
        let job = self.shared().answer(&workload, limit)?;
        Ok(Job::new(job, move |cells| Ok(answers(workload, cells, limit)?.into())))
    }

    /// So many records. `flat` and `starts` are the tables that controlled rounding keeps, `digits` the seed.
    #[wasm_bindgen(unchecked_return_type = "Job<Table>")]
    pub fn records(
        &self,
        records: f64,
        method: &str,
        flat: &[u16],
        starts: &[u32],
        digits: &str,
    ) -> Result<Job> {
        let (method, targets) = (Method::named(method)?, cliques(&self.domain(), flat, starts)?);
        let request = RecordsRequest { records: records as u64, method, targets, seed: seed(digits)? };
        Ok(Job::new(self.shared().records(request)?, |table| Ok(Table::new(table).into())))
    }

    /// The part that meets a condition: attributes, and whether each of their codes is meant. Nothing where no record
    /// can meet it.
    pub fn part(&self, attributes: &[u16], allowed: &[u8]) -> Result<Option<Model>> {
        let condition = condition(self.domain().sizes(), attributes, allowed)?;
        Ok(self.0.part(&condition)?.map(Self))
    }

    /// What it is given by.
    pub fn form(&self) -> Result<ModelForm> {
        Ok(ModelForm(self.0.form()?))
    }

    /// A prior of it, in at most `limit` bytes.
    #[wasm_bindgen(js_name = asPrior, unchecked_return_type = "Job<PriorBase>")]
    pub fn as_prior(&self, limit: f64) -> Result<Job> {
        let rows = self.shared().as_prior(limit as u64);
        let rows = rows.ok_or_else(|| unsupported(self.0.kind(), "be a prior: it has no rows"))??;
        let schema = Arc::clone(self.0.schema());
        Ok(Job::new(rows, |table| Ok(PriorBase { base: Arc::new(Base::from_table(table)?), schema }.into())))
    }

    /// For each answer the variance by the noise, and by what is left open: measurements as JSON and the values of one
    /// after another, and as JSON the total and its variance, the strength of the prior, the questions and whether answers
    /// are shares. `attributes` and `allowed` say which records are asked about. The cells of rows are kept in at most
    /// `limit` bytes.
    #[wasm_bindgen(js_name = standardErrors, unchecked_return_type = "Job<Float64Array<ArrayBuffer>>")]
    pub fn standard_errors(
        &self,
        measurements: &str,
        values: &[f64],
        options: &str,
        attributes: &[u16],
        allowed: &[u8],
        limit: f64,
    ) -> Result<Job> {
        let options: Value = parse(options)?;
        let (domain, number) = (self.domain(), crate::errors_of::number);
        let total = Total { value: number(&options["total"])?, variance: number(&options["variance"])? };
        let request = ErrorsRequest {
            measurements: crate::estimate::measured(self.0.schema(), measurements, values)?,
            total,
            strength: number(&options["strength"])?,
            refitted: whole(&options["refitted"])?,
            questions: questions(&domain, &options["questions"])?,
            condition: condition(domain.sizes(), attributes, allowed)?,
            normalize: options["normalize"].as_bool().unwrap_or_default(),
            limit: limit as u64,
        };
        let errors = self.shared().standard_errors(request);
        let errors =
            errors.ok_or_else(|| unsupported(self.0.kind(), "say how far its answers are off"))??;
        Ok(Job::new(errors, |spreads| Ok(both(&spreads)?.into())))
    }
}

fn questions(domain: &Domain, list: &Value) -> std::result::Result<Vec<Question>, Error> {
    crate::errors_of::questions(|clique| cells_of(domain, clique).ok().map(u64::from), list)
}

/// What a model is given by, beside its schema, its total and the rows that it may be on.
#[wasm_bindgen]
pub struct ModelForm(Form);

#[wasm_bindgen]
impl ModelForm {
    /// The attributes of one clique after another, where cells of cliques have the numbers.
    pub fn flat(&self) -> Option<Vec<u16>> {
        self.0.cliques.as_ref().map(|cliques| cliques.concat())
    }

    /// Where each clique begins, and where the last one ends.
    pub fn starts(&self) -> Vec<u32> {
        let mut end = 0;
        let ends = self.0.cliques.iter().flatten().map(|clique| {
            end += clique.len() as u32;
            end
        });
        std::iter::once(0).chain(ends).collect()
    }

    /// The numbers.
    pub fn values(self) -> Vec<f64> {
        self.0.numbers
    }
}

/// A model of a kind that is put together again: by its form, as [`Model::form`] gives it, without cliques where `flat` is
/// missing. What it is summed over is kept in at most `limit` bytes.
#[wasm_bindgen(js_name = restoreModel, unchecked_return_type = "Job<Model>")]
pub fn restore_model(
    kind: &str,
    schema: &str,
    flat: Option<Vec<u16>>,
    starts: &[u32],
    values: Vec<f64>,
    total: f64,
    limit: f64,
) -> Result<Job> {
    let schema = Arc::new(Schema::from_json(schema)?);
    let form = form_of(flat, starts, values)?;
    restoring(kind, Saved { schema, total, rows: None, form, limit: limit as u64 })
}

/// The same of a kind that is on the rows of a prior. The cells of rows are kept in at most `limit` bytes.
#[wasm_bindgen(js_name = restoreModelOn, unchecked_return_type = "Job<Model>")]
pub fn restore_model_on(
    prior: &PriorBase,
    kind: &str,
    flat: Option<Vec<u16>>,
    starts: &[u32],
    values: Vec<f64>,
    total: f64,
    limit: f64,
) -> Result<Job> {
    let (schema, rows) = (Arc::clone(&prior.schema), Some(Arc::clone(&prior.base)));
    restoring(kind, Saved { schema, total, rows, form: form_of(flat, starts, values)?, limit: limit as u64 })
}

fn restoring(kind: &str, saved: Saved) -> Result<Job> {
    let job: Boxed<Arc<dyn models::Model>> = restore(KINDS, kind, saved)?;
    Ok(Job::new(Steps::new(|pace| async move { pace.run(job).await }), |model| Ok(Model(model).into())))
}

/// A form whose clique `i` is `flat[starts[i]..starts[i + 1]]`.
fn form_of(flat: Option<Vec<u16>>, starts: &[u32], numbers: Vec<f64>) -> Result<Form> {
    let clique =
        |flat: &[u16], ends: &[u32]| flat.get(ends[0] as usize..ends[1] as usize).map(<[u16]>::to_vec);
    let cliques =
        flat.map(|flat| starts.windows(2).map(|ends| clique(&flat, ends)).collect::<Option<Vec<_>>>());
    match cliques {
        Some(None) => Err(invalid("the cliques of a model end before they begin, or beyond all").into()),
        Some(cliques) => Ok(Form { cliques, numbers }),
        None => Ok(Form { cliques: None, numbers }),
    }
}

/// A condition whose codes of one attribute after another are flagged.
pub(crate) fn condition(
    sizes: &[u32],
    attributes: &[u16],
    allowed: &[u8],
) -> std::result::Result<Condition, Error> {
    let unfit = || invalid("a condition does not fit its attributes");
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

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
