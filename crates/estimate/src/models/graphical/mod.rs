//! A graphical model: p(x) ∝ exp Σ θ(x) over the cells of some cliques, for domains of any size. Derived attributes follow from
//! theirs.

mod answers;
mod errors;
mod form;
mod model;
mod places;
mod records;
mod rules;
mod terms;

pub use form::restore;
pub use marginalia_graph::{Cost, Factor, cost};
pub use model::{Cliques, GraphicalModel, KIND};
pub use places::{Places, Roots, cells_of_some};
pub use records::Partial;
pub use rules::{Rule, Ruled};
pub(crate) use terms::{Question, measure, problem};
