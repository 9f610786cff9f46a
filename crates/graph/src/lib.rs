//! Marginals of a product of factors over few attributes each, by a contraction tree: the factors are its leaves, and what two
//! neighbours have in common is summed as soon as nobody else needs it. Message passing on a junction tree, without its tables.

mod contraction;
pub mod fit;
mod kernels;
mod logarithmic;
mod marginals;
mod oracle;
mod plan;
mod range;
mod records;
mod reduction;
mod tree;

pub use marginals::{Factor, Names, factored, kronecker, marginals};
pub use oracle::{Oracle, Passes};
pub use plan::{Cost, cost, plan, plan_with_names};
pub use records::{Method, complete, condition, records};
pub use tree::{Leaf, Tree};
