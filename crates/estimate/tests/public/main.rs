//! What is made from public tables and weights alone.

mod data;
mod dependencies;
mod design;
mod gap;
mod pool;
mod records;
mod solver;
mod tables;
mod unfold;
mod widen;
