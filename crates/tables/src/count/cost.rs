//! What counting costs, so that a planner can choose passes without knowing who counts.

/// Costs in nanoseconds of one core; only their ratios matter to a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct CostModel {
    /// A pass that covers several cliques has at most this many cells.
    pub max_cells: u64,
    /// Starting a pass, whatever its size.
    pub pass: f64,
    /// Each attribute of a pass, per row.
    pub attribute: f64,
    /// Finding the counter of a row and raising it, by the most cells for which that price holds, ascending.
    /// A pass with more cells than the last entry pays the last price.
    pub row: Vec<(u64, f64)>,
    /// Collecting a cell of a pass once for every so many rows.
    pub cell: (f64, u64),
    /// Adding a cell into a smaller table.
    pub fold: f64,
}

impl CostModel {
    /// The kernel over columns of unit weight: four counters of four bytes a cell up to 4,096 cells, then two.
    /// Measured in WebAssembly; steps where counters leave the caches of a common machine are priced higher
    /// than on the machine measured.
    pub fn counts() -> Self {
        Self {
            max_cells: 1 << 16,
            pass: 400.0,
            attribute: 0.02,
            row: vec![(1 << 11, 0.26), (1 << 13, 0.30), (1 << 14, 0.34), (1 << 15, 0.40), (1 << 16, 0.50)],
            cell: (1.2, crate::count::SEGMENT_ROWS),
            fold: 0.5,
        }
    }

    /// The same with a weight for each row: two sums of eight bytes a cell.
    pub fn sums() -> Self {
        Self {
            row: vec![(1 << 11, 0.32), (1 << 12, 0.36), (1 << 13, 0.42), (1 << 14, 0.5), (1 << 16, 0.7)],
            ..Self::counts()
        }
    }

    /// The cost of a pass with so many attributes and cells over `rows` rows, folded down to `cliques` others.
    pub fn of(&self, rows: u64, attributes: usize, cells: u64, cliques: usize) -> f64 {
        let per_row = self.row.iter().find(|(most, _)| cells <= *most).or(self.row.last());
        let per_row = per_row.map_or(0.0, |(_, cost)| *cost) + self.attribute * attributes as f64;
        let (cell, every) = self.cell;
        let collected = cells as f64 * rows.div_ceil(every).max(1) as f64;
        // A pass folds through common intermediate tables: about three times over all cells, see fold.rs.
        let folded = cells as f64 * cliques.min(3) as f64;
        self.pass + per_row * rows as f64 + cell * collected + self.fold * folded
    }
}
