//! Bindings of `pkg/model-simd` and `pkg/model-threads`, loaded when something is first estimated on rows or as a product. Memory,
//! errors, options, tables and answers are those of the core's module (`crates/binding`): tables cross from one to the other as copies.

pub mod dependencies;
pub mod design;
pub mod groups;
pub mod groups_errors;
pub mod groups_saved;
pub mod hierarchy;
mod kinds;
pub mod priors;
pub mod public;
pub mod rules;
mod shared;
pub mod split;
pub mod support;
pub mod weights;

use shared::{errors_of, estimate, job, model, prior, reading};
