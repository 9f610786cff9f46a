//! Bindings of `pkg/model-simd` and `pkg/model-threads`, loaded when something is first estimated. Memory, errors, options,
//! tables and answers are those of the core's module (`crates/binding`): tables cross from one to the other as copies.

pub mod dependencies;
pub mod design;
pub mod errors_of;
pub mod estimate;
pub mod groups;
pub mod groups_errors;
pub mod groups_saved;
pub mod hierarchy;
pub mod job;
pub mod model;
mod objects;
pub mod prior;
pub mod priors;
pub mod public;
pub mod rules;
pub mod split;
pub mod support;
