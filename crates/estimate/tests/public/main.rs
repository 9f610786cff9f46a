//! What is made from public tables and weights alone.

mod data;
mod records;
mod tables;
mod widen;
