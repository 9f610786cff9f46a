//! Pooling over a group attribute: groups lend each other rows, weighted so that the pairs of the group with every
//! other attribute stay what the public table says. Reads public tables only.

mod alpha;
mod halves;
mod part;
mod pooled;
mod product;

pub use alpha::{Alpha, AlphaOptions, Alphas, PooledTable, best_alpha, pooled};
pub use pooled::{PoolOptions, Pooled, group_pairs, pool};
pub use product::{Product, ProductOptions, product};
