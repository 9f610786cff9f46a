//! The distinct attribute sets of a workload, and the cliques that ask for each.

use crate::Workload;

/// Distinct sets of attributes, those with most cells first.
pub struct Sets {
    attributes: Vec<u16>,
    starts: Vec<usize>,
    cells: Vec<u64>,
    cliques: Vec<usize>,
    clique_starts: Vec<usize>,
}

impl Sets {
    /// The distinct sets of a workload, whatever the order in which a clique names its attributes.
    pub fn of(workload: &Workload) -> Self {
        let mut flat: Vec<u16> = Vec::new();
        let mut starts = vec![0];
        for clique in workload.cliques() {
            flat.extend_from_slice(clique);
            let start = starts[starts.len() - 1];
            flat[start..].sort_unstable();
            starts.push(flat.len());
        }
        let key = |i: usize| &flat[starts[i]..starts[i + 1]];
        let size = |i: usize| workload.cells(i).end - workload.cells(i).start;
        let mut order: Vec<usize> = (0..workload.len()).collect();
        order.sort_unstable_by(|&a, &b| {
            size(b).cmp(&size(a)).then_with(|| key(a).cmp(key(b))).then_with(|| a.cmp(&b))
        });
        let mut sets = Self {
            attributes: Vec::with_capacity(flat.len()),
            starts: vec![0],
            cells: Vec::new(),
            cliques: order.clone(),
            clique_starts: Vec::new(),
        };
        for (at, &i) in order.iter().enumerate() {
            if at == 0 || key(order[at - 1]) != key(i) {
                sets.attributes.extend_from_slice(key(i));
                sets.starts.push(sets.attributes.len());
                sets.cells.push(size(i));
                sets.clique_starts.push(at);
            }
        }
        sets.clique_starts.push(order.len());
        sets
    }

    /// Number of sets.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// The attributes of a set, ascending.
    pub fn attributes(&self, set: u32) -> &[u16] {
        &self.attributes[self.starts[set as usize]..self.starts[set as usize + 1]]
    }

    /// The number of cells of a set.
    pub fn cells(&self, set: u32) -> u64 {
        self.cells[set as usize]
    }

    /// The cliques that ask for a set, ascending.
    pub fn cliques(&self, set: u32) -> &[usize] {
        &self.cliques[self.clique_starts[set as usize]..self.clique_starts[set as usize + 1]]
    }
}
