//! Records from weights: how often each row of a base occurs among `n` records, and the records in random order.
//!
//! [`Method::Controlled`] keeps what the weights say about the target tables, [`Method::Systematic`] only what
//! they say about single rows, and [`Method::Iid`] adds the noise of a sample to both. All of them work on weights
//! that are already public, so none costs privacy.

mod controlled;
mod iid;
mod of_rows;
mod order;
mod search;
mod shares;
mod systematic;
mod take;
mod unfold;

pub use controlled::ControlledJob;
pub use iid::IidJob;
pub use of_rows::records_of_rows;
pub use order::{RecordsJob, Shuffle};
pub use shares::{Shares, Totals};
pub use systematic::SystematicJob;
pub use take::TakeJob;
pub use unfold::{UnfoldJob, Unfolded};

use crate::models::support::Index;
use marginalia_tables::Result;
use std::sync::Arc;

/// How weights become numbers of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Every row occurs ⌊n q⌋ or ⌈n q⌉ times, chosen so that the target tables come close to theirs.
    Controlled,
    /// Every row occurs ⌊n q⌋ or ⌈n q⌉ times, the latter with the probability that makes the mean right.
    Systematic,
    /// Every record is drawn on its own, as a sample from a population would be.
    Iid,
}

/// Rounding in the making, which goes on in steps so that its caller can report progress or stop.
pub trait Rounding: Send {
    /// Does about `work` units, each about as long as looking up a row in one table; `true` at the end.
    fn step(&mut self, work: u64) -> Result<bool>;

    /// The units done.
    fn done(&self) -> u64;

    /// The units that it may come to.
    fn total(&self) -> u64;

    /// Does what is left and returns how often each row occurs.
    fn finish(self: Box<Self>) -> Result<Vec<u32>>;
}

/// Rounds weights to records. `targets` are the tables that [`Method::Controlled`] keeps.
pub fn begin(
    method: Method,
    weights: &[f64],
    totals: &Totals,
    targets: &Arc<Index>,
    seed: u64,
) -> Result<Box<dyn Rounding>> {
    Ok(match method {
        Method::Controlled => Box::new(ControlledJob::new(weights, totals, Arc::clone(targets), seed)?),
        Method::Systematic => Box::new(SystematicJob::new(Shares::new(weights, totals)?, seed)?),
        Method::Iid => Box::new(IidJob::new(weights, totals, seed)?),
    })
}
