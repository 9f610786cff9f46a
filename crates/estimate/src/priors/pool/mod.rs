//! Pooling over a group attribute: groups lend each other rows, weighted so that the pairs of the group with every
//! other attribute stay what the public table says. Reads public tables only.

mod alpha;
mod halves;
mod part;
mod pooled;
mod product;

pub use alpha::{AlphaJob, AlphaOptions, Alphas};
pub use pooled::{PoolJob, PoolOptions, Pooled, group_pairs};
pub use product::{Product, ProductJob};
