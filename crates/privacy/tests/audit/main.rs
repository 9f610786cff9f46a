//! Audits: what can be learned of one unit, as an attacker would find out, stays below what is claimed; and a build
//! that halves the noise is found out by the same attack.
//!
//! Sample sizes are chosen so that both show: an honest mechanism whose claim is tight is found to spend most of it, a
//! dishonest one more than it. Keys are fixed, so a test that passed once passes always.

mod attacks;
#[path = "../common/mod.rs"]
mod common;
mod composed;
mod distinguisher;
mod grouped;
mod measure;
mod select;
