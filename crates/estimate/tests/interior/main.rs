//! Calibrated estimation under Laplace noise on problems small enough to be solved in other ways.

mod golden;
mod limits;
mod optimal;
mod small;
