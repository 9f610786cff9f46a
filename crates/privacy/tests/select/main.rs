//! Selection through its public functions: laws, privacy, and what must not matter.

#[path = "../common/mod.rs"]
mod common;
mod law;
mod marginals;
mod privacy;
mod quantile;
mod sealed;
mod statistics;
mod streams;
mod support;
