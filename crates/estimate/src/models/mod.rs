//! Distributions that answer any marginal, a folder for each kind. Kinds do not know each other.

mod check;
pub mod graphical;
pub mod product;
mod registry;
pub mod support;

pub use registry::{GRAPHICAL, Kinds, PLAIN, Restore, Saved, restore};

use crate::errors::{Question, Spread};
use crate::job::Boxed;
use crate::measurement::Measured;
use crate::records::Method;
use crate::total::Total;
use marginalia_tables::{Code, Error, Result, Schema, Table, Workload};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// A distribution of the records of a schema, and the number of records that it stands for.
pub trait Model: Any + Debug + Send + Sync {
    /// The name of its kind, which is also its kind in files.
    fn kind(&self) -> &'static str;

    /// What its records are.
    fn schema(&self) -> &Arc<Schema>;

    /// The number of records.
    fn total(&self) -> f64;

    /// How many numbers it is held by, about: the measure of the memory that work on it takes.
    fn size(&self) -> usize;

    /// The counts of all cells of a workload, clique after clique, in at most `limit` bytes.
    fn answer(self: Arc<Self>, workload: &Arc<Workload>, limit: u64) -> Result<Boxed<Vec<f64>>>;

    /// Whole records, in random order.
    fn records(self: Arc<Self>, request: RecordsRequest) -> Result<Boxed<Table>>;

    /// The distribution of the records that meet a condition, for as many records as those are: exact. Nothing where no
    /// record can meet it.
    fn part(&self, condition: &Condition) -> Result<Option<Arc<dyn Model>>>;

    /// What it is given by: [`restore`] makes a model of the same bits of it.
    fn form(&self) -> Result<Form>;

    /// As a prior: distinct rows, each weighted by the records that it stands for, in at most `limit` bytes. Nothing where
    /// a kind has no such rows.
    fn as_prior(self: Arc<Self>, limit: u64) -> Option<Result<Boxed<Table>>> {
        let _ = limit;
        None
    }

    /// The standard errors of its answers. Nothing where a kind knows none.
    fn standard_errors(self: Arc<Self>, request: ErrorsRequest) -> Option<Result<Boxed<Vec<Spread>>>> {
        let _ = request;
        None
    }
}

/// For some attributes the codes that are meant: whether each is.
pub type Condition = Vec<(u16, Vec<bool>)>;

/// How records are made.
#[derive(Debug, Clone)]
pub struct RecordsRequest {
    /// How many.
    pub records: u64,
    /// How what is due to each becomes whole.
    pub method: Method,
    /// The tables that [`Method::Controlled`] keeps.
    pub targets: Vec<Vec<u16>>,
    /// The seed of all draws.
    pub seed: u64,
}

/// What standard errors are of.
#[derive(Debug)]
pub struct ErrorsRequest {
    /// What the model was estimated from.
    pub measurements: Vec<Measured>,
    /// The number of records, and how it is known.
    pub total: Total,
    /// How many records the prior was worth, or the base in its place.
    pub strength: f64,
    /// The attributes of which the base had the model's own shares.
    pub refitted: Vec<u16>,
    /// Of which answers.
    pub questions: Vec<Question>,
    /// Which records are asked about.
    pub condition: Condition,
    /// Whether answers are shares.
    pub normalize: bool,
    /// The most bytes for what speeds it up.
    pub limit: u64,
}

/// What a model is given by, beside its schema, its total and the rows of a prior that it may be on.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// The cliques whose cells have a number each, where that is what it is given by.
    pub cliques: Option<Vec<Vec<u16>>>,
    /// The numbers.
    pub numbers: Vec<f64>,
}

/// A model as one of a kind, for what only that kind has.
pub fn narrowed<M: Model>(model: &Arc<dyn Model>) -> Result<Arc<M>> {
    let any: Arc<dyn Any + Send + Sync> = model.clone();
    any.downcast().map_err(|_| unsupported(model.kind(), "do this"))
}

/// The refusal of what a kind of model cannot do.
pub fn unsupported(kind: &str, what: &str) -> Error {
    Error::new(Code::ModelUnsupported, format!("a model of the kind {kind} cannot {what}"))
}
