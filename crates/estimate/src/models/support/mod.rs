//! Distributions on the distinct rows of a prior.
//!
//! A [`Base`] holds the rows and what the prior gives to each. An [`Index`] says which cell of each measured
//! marginal a row lies in, and does the two passes of which all estimators are made: a sum of rows to cells, and a
//! scaling of rows by a table of cells. A [`Model`] is a distribution on the rows that answers any marginal.

mod base;
mod build;
mod condition;
mod cover;
pub mod index;
mod kernel;
mod marginals;
mod mixture;
mod model;
mod number;
mod restore;
pub mod rows;

pub use base::Base;
pub(crate) use base::{cells_of_rows, room, zeros};
pub use build::IndexJob;
pub use condition::Condition;
pub use index::{Index, Marginal};
pub(crate) use kernel::BLOCK;
pub use marginals::MarginalsJob;
pub use mixture::{FullJob, MixtureJob};
pub use model::Model;
pub use number::Number;
pub use restore::{Form, RestoreJob};
