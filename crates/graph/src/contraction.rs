//! One contraction: out = Σ a·b, where an axis of two tensors alone is a row, a column or summed.

use crate::tree::{Axes, offsets};

/// `out[batch, row, column] = Σ a[batch, row, sum] · b[batch, column, sum]`, with the places of each group in its tensors.
#[derive(Debug, Clone)]
pub(crate) struct Contraction {
    /// Whether a and b have changed places, so that no column is the vector.
    pub swapped: bool,
    /// In out, a and b.
    pub batch: Vec<[u32; 3]>,
    /// In out and a.
    pub rows: Vec<[u32; 2]>,
    /// In out and b.
    pub columns: Vec<[u32; 2]>,
    /// In a and b.
    pub sums: Vec<[u32; 2]>,
    /// The group of the last axes of all: these lie side by side wherever they are.
    pub vector: Group,
    /// Their cells.
    pub width: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    Batch,
    Row,
    Column,
    Sum,
}

impl Contraction {
    /// Every axis is in at least two of the tensors.
    pub fn new(out: &Axes, a: &Axes, b: &Axes, sizes: &[u32]) -> Self {
        let group = |axis: &u16| {
            let has = |axes: &Axes| axes.binary_search(axis).is_ok();
            match (has(out), has(a), has(b)) {
                (true, true, true) => Group::Batch,
                (true, true, false) => Group::Row,
                (true, false, true) => Group::Column,
                _ => Group::Sum,
            }
        };
        let all = crate::tree::union(&crate::tree::union(out, a), b);
        let vector = all.last().map_or(Group::Batch, group);
        if vector == Group::Column {
            return Self { swapped: true, ..Self::new(out, b, a, sizes) };
        }
        let leading = all.iter().rposition(|axis| group(axis) != vector).map_or(0, |last| last + 1);
        let width = all[leading..].iter().map(|axis| sizes[usize::from(*axis)] as usize).product();
        let of = |wanted| -> Axes {
            all[..leading].iter().filter(|axis| group(axis) == wanted).copied().collect()
        };
        Self {
            swapped: false,
            batch: offsets(&of(Group::Batch), [out, a, b], sizes),
            rows: offsets(&of(Group::Row), [out, a], sizes),
            columns: offsets(&of(Group::Column), [out, b], sizes),
            sums: offsets(&of(Group::Sum), [a, b], sizes),
            vector,
            width,
        }
    }

    /// Calls `f` with the place of each cell of `out`, and `terms` for each with the places of a and b that it is a sum over.
    pub fn each(&self, mut f: impl FnMut(usize, &mut dyn Iterator<Item = [usize; 2]>)) {
        let (spread, summed) = match self.vector {
            Group::Sum => (1, self.width),
            _ => (self.width, 1),
        };
        let along_b = usize::from(self.vector != Group::Row);
        for [out, a, b] in &self.batch {
            for [row, row_a] in &self.rows {
                for [column, column_b] in &self.columns {
                    for j in 0..spread {
                        let (a, b) = ((a + row_a) as usize + j, (b + column_b) as usize + j * along_b);
                        let term =
                            |[sum_a, sum_b]: &[u32; 2], k| [a + *sum_a as usize + k, b + *sum_b as usize + k];
                        let mut terms =
                            self.sums.iter().flat_map(|sum| (0..summed).map(move |k| term(sum, k)));
                        f((out + row + column) as usize + j, &mut terms);
                    }
                }
            }
        }
    }
}
