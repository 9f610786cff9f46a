//! Estimates of many groups (Tao, Bater and Machanavajjhala, Algorithm 2): the estimate of a group is the prior of
//! the groups within it.
//!
//! A [`HierarchyPlan`] lists the groups, from what the schema declares alone. All of them are distributions on the
//! rows of one [`Base`](crate::models::support::Base) that has no group attributes; what is kept of a group is its [`State`],
//! a number for each supported cell of its measurements. Weights of rows live only while a group is estimated
//! ([`GroupEstimation`]) or asked ([`weights`], [`answer`]). [`hierarchy`] takes the groups in order, several side by
//! side where there are threads.

mod algorithm;
mod answer;
mod declared;
mod errors;
mod gate;
mod group;
mod level;
mod local;
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

pub use algorithm::{Finished, GroupsJob, States, hierarchy, resumed};
pub use answer::answer;
pub use errors::{GroupErrorsRequest, GroupEvidence, Shares as ErrorShares, group_errors};
pub use group::{GroupEstimation, Outcome};
pub use level::{GroupEstimator, Judged, Level, Setup, Strength};
pub use local::{Local, between};
pub use part::parts;
pub use path::{prior_below, weights};
pub use plan::{Derived, Group, HierarchyPlan};
pub use records::{GroupRecordsRequest, records_of_groups, records_of_shared};
pub use restore::{Figures, Restorer, restorer};
pub use run::{Hierarchy, HierarchyRequest, LevelAnswers, estimate_groups};
pub use shared::{Shared, blanked, without};
pub use slice::slice;
pub use source::{Released, Source, Task, TotalRule};
pub use split::{Simulated, Spent, split};
pub use state::{Prior, State};
pub use table::model;
pub use totals::{UNKNOWN, apportion, consistent, consistent_with, whole};

use marginalia_tables::{Code, Error};

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
