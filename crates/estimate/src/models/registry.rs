//! The kinds of models, by the names that files know them by.

use super::check::invalid;
use super::support::Base;
use super::{Form, Model, graphical, product, support};
use crate::job::Boxed;
use marginalia_tables::{Result, Schema};
use std::sync::Arc;

/// A model that was kept elsewhere: nothing about it is trusted.
#[derive(Debug)]
pub struct Saved {
    /// What its records are.
    pub schema: Arc<Schema>,
    /// The number of records.
    pub total: f64,
    /// The rows that it is on, for a kind that is on rows.
    pub rows: Option<Arc<Base>>,
    /// What it is given by.
    pub form: Form,
    /// The most bytes for what speeds it up.
    pub limit: u64,
}

/// What makes a model of a kind again.
pub type Restore = fn(Saved) -> Result<Boxed<Arc<dyn Model>>>;

/// Kinds by their names. A module that knows one list only has no code of the others.
pub type Kinds = &'static [(&'static str, Restore)];

/// Models on rows, and products.
pub const PLAIN: Kinds = &[
    // A line for each.
    (support::KIND, support::restore),
    (product::KIND, product::restore),
];

/// Graphical models.
pub const GRAPHICAL: Kinds = &[(graphical::KIND, graphical::restore)];

/// The model of a kind that a form describes.
pub fn restore(known: Kinds, kind: &str, saved: Saved) -> Result<Boxed<Arc<dyn Model>>> {
    let known = known.iter().find(|(name, _)| *name == kind);
    known.ok_or_else(|| invalid("there is no such kind of model"))?.1(saved)
}
