//! What data is: a declared [`schema`], columns of codes, cliques of attributes and how often each
//! combination occurs. No entropy, no privacy: `crates/privacy` wraps what is private.
//!
//! Vocabulary: an *attribute* has finitely many *codes*; a *clique* is an ordered set of attributes; its
//! *cells* are the combinations of their codes, row-major with the last attribute fastest; a *workload* is a
//! list of cliques; *answers* are one number per cell of a workload.

pub mod column;
pub mod count;
pub mod date;
pub mod distinct;
pub mod draw;
pub mod error;
pub mod held;
pub mod information;
pub mod query;
pub mod read;
pub mod restore;
pub mod room;
pub mod schema;
pub mod table;
pub mod unmet;
pub mod workload;
pub mod write;

pub use column::{CHUNK_ROWS, Chunks, Codes};
pub use error::{Code, Error, Result};
pub use read::{ReadOptions, Reader};
pub use schema::{Attribute, Kind, Other, Schema};
pub use table::Table;
pub use unmet::Unmet;
pub use workload::{Domain, Workload};
