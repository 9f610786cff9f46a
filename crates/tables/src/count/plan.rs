//! Which passes over the rows answer a workload. A plan needs the domain, the number of rows (or the number
//! expected) and the costs, never the rows, so whoever counts can use it: columns, a database, a sealed table.

use super::cost::CostModel;
use super::planner::Planner;
use crate::{Result, Workload};

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

/// A clique whose cells outnumber the rows this many times is held sparse: its list of cells then takes at
/// most a quarter of the memory of all its cells.
const SPARSE_FACTOR: u64 = 8;

impl Form {
    /// How a clique is held that has too many cells for a block.
    pub(super) fn of_large(cells: u64, rows: u64) -> Self {
        if cells / SPARSE_FACTOR > rows { Form::Sparse } else { Form::Dense }
    }
}

/// One pass over the rows: a set of attributes to count, and the cliques that follow from it by summing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// The attributes, none twice: cells are row-major in this order. Blocks have the one with most codes first.
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

/// Plans the counting of `workload` over `rows` rows in one go. The same arguments give the same plan, everywhere.
pub fn plan(workload: &Workload, rows: u64, cost: &CostModel) -> Result<Plan> {
    let mut planner = Planner::new(workload, rows, cost.clone())?;
    while !planner.step(workload, u64::MAX)? {}
    Ok(planner.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Domain;
    use proptest::prelude::*;

    /// Sizes of up to 12 attributes, and cliques of up to five of them.
    fn workloads() -> impl Strategy<Value = Workload> {
        prop::collection::vec(prop_oneof![Just(1u32), 2u32..40, 200u32..2000], 1..12)
            .prop_flat_map(|sizes| {
                let all: Vec<u16> = (0..sizes.len() as u16).collect();
                let clique = prop::sample::subsequence(all, 0..=sizes.len().min(5)).prop_shuffle();
                (Just(sizes), prop::collection::vec(clique, 0..40))
            })
            .prop_filter_map("too many cells", |(sizes, cliques)| {
                Workload::from_cliques(Domain::new(sizes), &cliques).ok()
            })
    }

    fn k_way(attributes: u16, k: usize, size: impl Fn(u16) -> u32) -> Workload {
        let mut cliques: Vec<Vec<u16>> = vec![vec![]];
        for _ in 0..k {
            let longer = |clique: &Vec<u16>| {
                let next = clique.last().map_or(0, |a| a + 1);
                (next..attributes).map(|a| [clique.as_slice(), &[a]].concat()).collect::<Vec<_>>()
            };
            cliques = cliques.iter().flat_map(longer).collect();
        }
        let sizes: Vec<u32> = (0..attributes).map(size).collect();
        Workload::from_cliques(Domain::new(sizes), &cliques).unwrap()
    }

    fn check(workload: &Workload, rows: u64, cost: &CostModel) -> Plan {
        let plan = plan(workload, rows, cost).unwrap();
        let mut answers = vec![0; workload.len()];
        for pass in &plan.passes {
            assert_eq!(Some(pass.cells), workload.domain().cells(&pass.attributes));
            assert!(!pass.cliques.is_empty(), "a pass answers nothing");
            assert!((1..pass.attributes.len()).all(|i| !pass.attributes[..i].contains(&pass.attributes[i])));
            assert_eq!(pass.form == Form::Block, pass.cells <= cost.max_cells);
            for &i in &pass.cliques {
                answers[i] += 1;
                let clique = workload.clique(i);
                assert!(clique.iter().all(|a| pass.attributes.contains(a)), "a pass lacks an attribute");
                assert!(pass.form == Form::Block || clique.len() == pass.attributes.len());
            }
        }
        assert!(answers.iter().all(|n| *n == 1), "a clique is not answered exactly once");
        plan
    }

    proptest! {
        #[test]
        fn every_clique_is_answered_once_by_a_pass_that_contains_it(
            workload in workloads(),
            rows in prop_oneof![0u64..10_000, Just(1_000_000), Just(1 << 40)],
            max_cells in prop_oneof![Just(1u64), Just(500), Just(1 << 16)],
            weighted: bool,
        ) {
            let cost = if weighted { CostModel::sums() } else { CostModel::counts() };
            let cost = CostModel { max_cells, ..cost };
            let plan = check(&workload, rows, &cost);
            prop_assert_eq!(plan, super::plan(&workload, rows, &cost).unwrap());
        }
    }

    #[test]
    fn many_rows_are_gone_over_seldom_and_few_rows_are_not_folded_at_length() {
        let pairs = k_way(20, 2, |a| [20, 2, 5, 9, 24, 6, 2, 12, 30, 8][usize::from(a) % 10]);
        let many = check(&pairs, 1_000_000, &CostModel::counts());
        assert!(many.passes.len() <= 35, "{} passes", many.passes.len());
        let few = check(&pairs, 10, &CostModel::counts());
        assert!(few.passes.iter().map(|pass| pass.cells).sum::<u64>() < 2 * pairs.total_cells());
        let alone = |rows: u64| -> f64 {
            let of = |i| CostModel::counts().of(rows, 2, pairs.cells(i).end - pairs.cells(i).start, 1);
            (0..pairs.len()).map(of).sum()
        };
        assert!(many.cost < 0.25 * alone(1_000_000) && few.cost <= alone(10));
    }

    #[test]
    fn binary_attributes_share_passes_of_up_to_sixteen() {
        let plan = check(&k_way(16, 3, |_| 2), 10_000_000, &CostModel::counts());
        assert!(plan.passes.len() <= 4, "{} passes", plan.passes.len());
    }

    #[test]
    fn sparse_is_what_has_far_more_cells_than_there_are_rows() {
        let workload = Workload::from_cliques(Domain::new([400, 400]), &[[1u16, 0]]).unwrap();
        let form = |rows| plan(&workload, rows, &CostModel::counts()).unwrap().passes[0].form;
        assert_eq!([form(0), form(10_000), form(20_000)], [Form::Sparse, Form::Sparse, Form::Dense]);
    }
}
