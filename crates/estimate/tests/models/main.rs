//! Models of every kind through the interface that all have.

mod graphical;
mod graphical_errors;
mod graphical_rules;
mod product;
mod registry;
