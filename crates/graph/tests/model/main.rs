//! What is made of a model, against sums over all its cells.

mod dense;
mod records;
