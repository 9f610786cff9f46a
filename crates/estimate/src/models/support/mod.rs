//! Distributions on the distinct rows of a prior.
//!
//! A [`Base`] holds the rows and what the prior gives to each. An [`Index`] says which cell of each measured
//! marginal a row lies in, and does the two passes of which all estimators are made: a sum of rows to cells, and a
//! scaling of rows by a table of cells. A [`Distribution`] gives each row its part, and with a schema it is a [`SupportModel`].

mod base;
mod build;
mod condition;
mod cover;
mod distribution;
pub mod index;
mod kernel;
mod marginals;
mod mixture;
mod model;
mod planner;
mod restore;
pub mod rows;

pub use super::Condition;
pub(crate) use base::cells_of_rows;
pub use base::{Base, Grid};
pub use distribution::Distribution;
pub use index::{Index, Marginal};
pub(crate) use kernel::BLOCK;
pub use marginalia_compute::number::Number;
pub(crate) use marginalia_compute::vector::{room, zeros};
pub use marginals::marginals;
pub use mixture::{full, mixture};
pub use model::{KIND, SupportModel, restore};
pub use restore::restored;
