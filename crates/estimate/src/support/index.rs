//! Which cell of each marginal a row of the support lies in: the only form in which estimators see the support.

use marginalia_tables::{Codes, Domain, Error, Result};
use std::ops::Range;

/// Cells of the measured marginals that some row supports, numbered through all marginals; and of each marginal the
/// cell that each row lies in.
#[derive(Debug, Clone)]
pub struct Index {
    rows: usize,
    marginals: Vec<Marginal>,
}

/// One marginal of an [`Index`].
#[derive(Debug, Clone)]
pub struct Marginal {
    /// Where its supported cells stand among those of all marginals.
    pub cells: Range<usize>,
    /// The place of each supported cell among all cells of the clique, ascending.
    pub places: Vec<u32>,
    /// The supported cell of each row, counted from the start of this marginal.
    pub of_row: Vec<u32>,
}

impl Index {
    /// The index of cliques over rows given as columns of codes.
    pub fn new(domain: &Domain, columns: &[Codes], cliques: &[&[u16]]) -> Result<Self> {
        let rows = columns.first().map_or(0, Codes::len);
        let mut marginals: Vec<Marginal> = Vec::with_capacity(cliques.len());
        for clique in cliques {
            let start = marginals.last().map_or(0, |last| last.cells.end);
            marginals.push(Marginal::new(domain, columns, clique, rows, start)?);
        }
        Ok(Self { rows, marginals })
    }

    /// Number of rows of the support.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of supported cells of all marginals.
    pub fn cells(&self) -> usize {
        self.marginals.last().map_or(0, |last| last.cells.end)
    }

    /// The marginals, in the order of the cliques.
    pub fn marginals(&self) -> &[Marginal] {
        &self.marginals
    }

    /// `t = Mᵀ u`: for each row the sum of what its cells hold.
    pub fn gather(&self, u: &[f64], t: &mut [f64]) {
        t.fill(0.0);
        for marginal in &self.marginals {
            let u = &u[marginal.cells.clone()];
            t.iter_mut().zip(&marginal.of_row).for_each(|(t, cell)| *t += u[*cell as usize]);
        }
    }

    /// `m = M w`: for each cell the sum of what its rows hold.
    pub fn scatter(&self, w: &[f64], m: &mut [f64]) {
        m.fill(0.0);
        for marginal in &self.marginals {
            let m = &mut m[marginal.cells.clone()];
            w.iter().zip(&marginal.of_row).for_each(|(w, cell)| m[*cell as usize] += w);
        }
    }
}

impl Marginal {
    fn new(domain: &Domain, columns: &[Codes], clique: &[u16], rows: usize, start: usize) -> Result<Self> {
        let cells = domain.cells(clique).filter(|cells| *cells <= u64::from(u32::MAX));
        let cells = cells.ok_or_else(|| Error::out_of_memory(usize::MAX))? as usize;
        let sizes = domain.sizes();
        let mut of_row = vec![0u32; rows];
        for attribute in clique {
            let (column, size) = (&columns[usize::from(*attribute)], sizes[usize::from(*attribute)]);
            for (row, cell) in of_row.iter_mut().enumerate() {
                *cell = *cell * size + u32::from(column.get(row));
            }
        }
        let mut number = vec![u32::MAX; cells];
        of_row.iter().for_each(|cell| number[*cell as usize] = 0);
        let places: Vec<u32> = (0..cells as u32).filter(|cell| number[*cell as usize] == 0).collect();
        (0..).zip(&places).for_each(|(i, place)| number[*place as usize] = i);
        of_row.iter_mut().for_each(|cell| *cell = number[*cell as usize]);
        Ok(Self { cells: start..start + places.len(), places, of_row })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gathers_and_scatters_over_supported_cells() {
        let column = |codes: &[u16]| {
            let mut column = Codes::new(3);
            column.extend(codes).unwrap();
            column
        };
        let columns = [column(&[0, 2, 2]), column(&[1, 0, 1])];
        let index = Index::new(&Domain::new([3, 2]), &columns, &[&[0], &[1, 0]]).unwrap();
        assert_eq!(index.marginals()[0].places, [0, 2]);
        assert_eq!(index.marginals()[1].places, [2, 3, 5]);
        let mut t = [0.0; 3];
        index.gather(&[1.0, 2.0, 10.0, 20.0, 30.0], &mut t);
        assert_eq!(t, [21.0, 12.0, 32.0]);
        let mut m = [0.0; 5];
        index.scatter(&[0.5, 0.25, 0.125], &mut m);
        assert_eq!(m, [0.5, 0.375, 0.25, 0.5, 0.125]);
    }
}
