//! The choice of the strength of a prior.

#[path = "../problems/data.rs"]
mod data;
mod many;
mod real;
mod ridge;
mod sweeps;
mod thin;
