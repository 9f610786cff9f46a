//! What an estimate starts from, made of public tables alone.

pub mod deny;
pub mod dependencies;
pub mod pool;
pub mod widen;

mod mixed;

pub use mixed::mixed;
pub(crate) use mixed::{distinct, distinct_among};
