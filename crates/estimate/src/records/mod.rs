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

pub use controlled::{Controlled, controlled};
pub(crate) use iid::sample;
pub use of_rows::records_of_rows;
pub use order::in_random_order;
pub(crate) use order::{shuffle, shuffled};
pub use shares::{Shares, Totals};
pub(crate) use systematic::systematic;
pub(crate) use take::ROW;
pub use take::take;
pub use unfold::{Unfolded, unfold};

use crate::job::Steps;
use crate::models::support::Index;
use marginalia_tables::{Code, Error, Result};
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

impl Method {
    /// By its name.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "controlled" => Ok(Self::Controlled),
            "systematic" => Ok(Self::Systematic),
            "iid" => Ok(Self::Iid),
            _ => Err(invalid("`method` is none of controlled, systematic, iid")),
        }
    }
}

/// How often each row of such a weight occurs. `targets` are the tables that [`Method::Controlled`] keeps.
pub fn rounded(
    method: Method,
    weights: Vec<f64>,
    totals: Totals,
    targets: Arc<Index>,
    seed: u64,
) -> Steps<Vec<u32>> {
    Steps::new(move |pace| async move {
        Ok(match method {
            Method::Controlled => controlled::search(weights, &totals, &targets, seed, &pace).await?.counts,
            Method::Systematic => systematic(Shares::new(&weights, &totals)?, seed, &pace).await?,
            Method::Iid => sample(&weights, &totals, seed, &pace).await?,
        })
    })
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
