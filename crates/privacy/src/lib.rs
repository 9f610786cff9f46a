//! The only crate that holds private rows: sealed tables, the account gate, exact noise, measure and select.

pub mod account;
pub mod advantage;
mod bounded;
pub mod budget;
pub mod convert;
pub mod cost;
pub mod counts;
mod directed;
pub mod drawing;
mod id;
pub mod measure;
pub mod random;
pub mod rational;
pub mod sampler;
pub mod sealed;
pub mod select;
pub mod sensitivity;
pub mod unit;
