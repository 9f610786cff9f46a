//! What a tree, its passes, fits and records say, against sums over all cells.

mod dense;
mod fit;
mod oracle;
mod records;
