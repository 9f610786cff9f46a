//! Models of every kind through the interface that all have.

mod product;
mod registry;
