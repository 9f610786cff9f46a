//! Estimates of many groups (Tao, Bater and Machanavajjhala, Algorithm 2): the estimate of a group is the prior of
//! the groups within it.
//!
//! A [`HierarchyPlan`] lists the groups, from what the schema declares alone. All of them are distributions on the
//! rows of one [`Base`](crate::models::support::Base) that has no group attributes; what is kept of a group is its [`State`],
//! a number for each supported cell of its measurements. Weights of rows live only while a group is estimated
//! ([`GroupJob`]) or asked ([`PathJob`], [`AnswerJob`]). [`HierarchyJob`] takes the groups in order, several side by
//! side where there are threads.

mod answer;
mod declared;
mod errors;
mod gate;
mod group;
mod job;
mod level;
mod local;
mod making;
mod part;
mod path;
mod plan;
mod records;
mod restore;
mod rounding;
mod run;
mod shared;
mod slice;
mod source;
mod split;
mod state;
mod table;
mod totals;

pub use answer::AnswerJob;
pub use errors::{Asked as ErrorsAsked, GroupErrorsJob, GroupEvidence, Shares as ErrorShares};
pub use group::{GroupJob, Outcome, Status};
pub use job::{Finished, HierarchyJob};
pub use level::{Estimator, Judged, Level, Setup, Strength};
pub use local::{Local, between};
pub use making::GroupRecordsJob;
pub use part::PartJob;
pub use path::PathJob;
pub use plan::{Derived, Group, HierarchyPlan};
pub use records::{begin, group_totals};
pub use restore::{Figures, RestoreJob, Restorer};
pub use run::{Answered, Asked, Hierarchy, RunJob};
pub use shared::{BlankJob, Shared, without};
pub use slice::slice;
pub use source::{Released, Source, Task, TotalRule};
pub use split::{Simulated, Spent, SplitJob};
pub use state::{Prior, State};
pub use table::model;
pub use totals::{UNKNOWN, apportion, consistent, consistent_with, whole};

use marginalia_tables::{Code, Error};

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
