//! Estimators against golden values, brute force and problems of real size.

mod calibrated;
mod common;
mod descent;
mod iterative;
mod problems;
mod registry;
