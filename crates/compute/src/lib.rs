//! Long work piece by piece, on any number of threads, with the same bits everywhere. Knows no model.

pub mod block;
pub mod job;
pub mod math;
pub mod number;
pub mod par;
pub mod seed;
pub mod vector;
