//! The only crate that will hold private rows: sealed tables, the account gate, exact noise, measure and select.

pub mod select;
