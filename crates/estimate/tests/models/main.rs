//! Models of every kind through the interface that all have.

mod graphical;
mod product;
mod registry;
