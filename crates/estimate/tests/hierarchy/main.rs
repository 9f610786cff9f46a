//! Estimates of many groups, against dense calculations that are written down again here.

mod algorithm;
mod answers;
mod chain;
mod common;
mod errors;
mod estimators;
mod gate;
mod hard;
mod local;
mod release;
mod restore;
mod split;
mod totals;
