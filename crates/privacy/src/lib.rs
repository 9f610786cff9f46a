//! The only crate that will hold private rows: sealed tables, the account gate, exact noise, measure and select.

pub mod random;
pub mod sampler;
pub mod account;
pub mod advantage;
pub mod budget;
pub mod convert;
pub mod cost;
mod directed;
pub mod rational;
pub mod sensitivity;
pub mod unit;
pub mod select;
