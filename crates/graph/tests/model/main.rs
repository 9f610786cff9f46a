//! What a tree, its passes, fits and records say, against sums over all cells.

mod dense;
mod descent;
mod fit;
mod marginals;
mod oracle;
mod records;
