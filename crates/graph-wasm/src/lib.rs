//! Bindings of `pkg/graph`, loaded when something is first estimated as a graphical model. One build, for its work is not split among
//! threads.

pub mod graphical;
mod kinds;
mod prior_of;
#[path = "../../model-wasm/src/shared/mod.rs"]
mod shared;

use shared::{errors_of, estimate, job, model, prior, reading};
