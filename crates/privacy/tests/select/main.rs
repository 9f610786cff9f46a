//! Selection through its public functions: laws, privacy, and what must not matter.

mod law;
mod marginals;
mod privacy;
mod statistics;
mod streams;
mod support;
