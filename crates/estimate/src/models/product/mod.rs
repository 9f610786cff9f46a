//! Independent attributes: a distribution that is the product of those of single attributes. Derived attributes follow
//! from theirs. It has no rows, and knows of no pair more than its parts say: the baseline of everything that does.

mod answers;
mod model;
mod prior;
mod records;

pub use model::{KIND, ProductModel, restore};
