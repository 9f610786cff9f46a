//! A graphical model: p(x) ∝ exp Σ θ(x) over the cells of some cliques, for domains of any size. Derived attributes follow from
//! theirs.

mod answers;
mod model;
mod places;

pub use model::{Cliques, GraphicalModel, KIND, restore};
pub use places::{Places, cells_of_some};
