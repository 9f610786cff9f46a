//! Counting: how often each cell of each clique of a workload occurs.
//!
//! Three parts that know nothing of each other. The planner ([`plan`]) covers the cliques asked for by fewer,
//! larger passes, from domain, number of rows and a [`CostModel`] alone. A [`CountSource`] counts a pass; here
//! that is the kernel over columns in memory. Folding sums a pass down to the cliques that it answers.
//!
//! The result is the same to the bit for any number of threads, because rows are cut into segments by their
//! number alone and segments are added in order. Counts are exact integers up to 2⁵³.

mod admit;
mod answers;
mod cost;
mod cover;
mod dense;
mod effort;
mod facets;
mod fold;
mod greedy;
mod index;
mod job;
mod kernel;
mod par;
mod plan;
mod planner;
mod radix;
mod sets;
mod sparse;
mod unit;
mod wave;

pub use answers::Answers;
pub use cost::CostModel;
pub use job::CountJob;
pub use plan::{Form, Pass, Plan, plan};
pub use planner::Planner;
pub(crate) use radix::sorted;

use crate::{CHUNK_ROWS, Domain, Result, Table, Workload};
use std::sync::Arc;

/// The most rows that a pass counts in one go; sums of weights are added up segment by segment.
pub const SEGMENT_ROWS: u64 = 16 * CHUNK_ROWS as u64;

/// Anything that counts cliques exactly: columns in memory, a database, rows under a bound on contributions.
pub trait CountSource: Send + Sync {
    /// The number of codes of each attribute.
    fn domain(&self) -> Domain;

    /// The number of rows to plan for. For private rows this is the number declared or paid for.
    fn expected_rows(&self) -> u64;

    /// Prepares to count a workload in at most `limit` bytes. When that is not enough, this or a step refuses with
    /// `ModelTooLarge` before anything is counted.
    fn begin(self: Arc<Self>, workload: Arc<Workload>, limit: u64) -> Result<Box<dyn Counting>>;
}

/// A count in the making, which goes on in steps so that its caller can report progress or stop.
pub trait Counting: Send {
    /// Does about `work` units, one of which takes as long as a row counted in one pass (half a nanosecond or
    /// so); `true` when nothing is left to do. After an error every further step returns the same error.
    fn step(&mut self, work: u64) -> Result<bool>;

    /// The units done.
    fn done(&self) -> u64;

    /// All units; an estimate, mostly too high, until it is known how to count.
    fn total(&self) -> u64;

    /// Does what is left and returns the answers.
    fn finish(self: Box<Self>) -> Result<Answers>;
}

impl CountSource for Table {
    fn domain(&self) -> Domain {
        Table::domain(self)
    }

    fn expected_rows(&self) -> u64 {
        self.rows() as u64
    }

    fn begin(self: Arc<Self>, workload: Arc<Workload>, limit: u64) -> Result<Box<dyn Counting>> {
        Ok(Box::new(CountJob::new(self, workload, limit)?))
    }
}

/// Counts a workload over a table in one go, in at most `limit` bytes.
pub fn count(table: &Arc<Table>, workload: &Arc<Workload>, limit: u64) -> Result<Answers> {
    Arc::clone(table).begin(Arc::clone(workload), limit)?.finish()
}
