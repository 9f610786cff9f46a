//! Which passes over the rows answer a workload. A plan needs the domain, the number of rows (or the number
//! expected) and the costs, never the rows, so whoever counts can use it: columns, a database, a sealed table.

use super::cost::CostModel;
use super::cover::cover;
use super::greedy::Cover;
use super::sets::Sets;
use crate::{Domain, Workload};

/// How the counts of a pass are held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Few enough cells for the caches; may answer several cliques.
    Block,
    /// A number for every cell of one large clique.
    Dense,
    /// The cells of one large clique that occur: it has far more cells than there are rows.
    Sparse,
}

/// One pass over the rows: a set of attributes to count, and the cliques that follow from it by summing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// The attributes, none twice, the one with most codes first: cells are row-major in this order.
    pub attributes: Vec<u16>,
    /// The number of cells.
    pub cells: u64,
    /// How the counts are held.
    pub form: Form,
    /// The cliques of the workload that this pass answers, ascending.
    pub cliques: Vec<usize>,
}

/// Passes that together answer every clique of a workload exactly once.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The passes.
    pub passes: Vec<Pass>,
    /// What the cost model says they cost, in nanoseconds of one core.
    pub cost: f64,
}

/// A clique whose cells outnumber the rows this many times is held sparse: its list of cells then takes at
/// most a quarter of the memory of all its cells.
const SPARSE_FACTOR: u64 = 8;

/// Plans the counting of `workload` over `rows` rows. The same arguments give the same plan, everywhere.
pub fn plan(workload: &Workload, rows: u64, cost: &CostModel) -> Plan {
    let domain = workload.domain();
    let sets = Sets::of(workload);
    let (small, large): (Vec<u32>, Vec<u32>) =
        (0..sets.len() as u32).partition(|set| sets.cells(*set) <= cost.max_cells);
    let covers = cover(domain, &sets, &small, rows, cost);
    let mut passes: Vec<Pass> = covers.iter().map(|cover| block(domain, &sets, cover)).collect();
    for set in large {
        let cells = sets.cells(set);
        let form = if cells / SPARSE_FACTOR > rows { Form::Sparse } else { Form::Dense };
        passes.push(Pass {
            attributes: sets.attributes(set).to_vec(),
            cells,
            form,
            cliques: sets.cliques(set).to_vec(),
        });
    }
    let of = |pass: &Pass| cost.of(rows, pass.attributes.len(), pass.cells, pass.cliques.len());
    let cost = passes.iter().map(of).sum();
    Plan { passes, cost }
}

/// The pass of a cover.
fn block(domain: &Domain, sets: &Sets, cover: &Cover) -> Pass {
    let mut attributes = cover.attributes.clone();
    attributes.sort_by_key(|a| (std::cmp::Reverse(domain.sizes()[usize::from(*a)]), *a));
    let mut cliques: Vec<usize> = cover.sets.iter().flat_map(|set| sets.cliques(*set)).copied().collect();
    cliques.sort_unstable();
    Pass { attributes, cells: cover.cells, form: Form::Block, cliques }
}
