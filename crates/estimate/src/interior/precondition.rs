//! An approximate inverse of H + D: dense on the cells that are free to move, the diagonal elsewhere.

use super::cholesky::Cholesky;
use super::hessian::Hessian;
use super::vector::zeros;
use marginalia_tables::Result;

/// A cell is free to move where D is less than m.
const FREE: f64 = 1.0;
/// It has left a block of the step before where D is so many times m.
const LEFT: f64 = 3.0;
/// What the diagonal of the factor is first raised by, and how much more at each refusal.
const SHIFT: f32 = 1e-7;
const MORE: f32 = 10.0;
/// Units of work of one exact product of two entries, in a triangular solution.
const ENTRIES_OF_UNIT: usize = 4;
/// A cell that is not in the dense block.
const OUTSIDE: u32 = u32::MAX;

/// Which cells the dense block holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// Those that are free, of which at most so many.
    Free(usize),
    /// So many, the freest first.
    Freest(usize),
}

/// The inverse of (H + D)_FF for a set F of cells, and 1/(m + D) outside.
pub(super) struct Preconditioner {
    /// F, ascending.
    cells: Vec<u32>,
    /// (m + D)^-½ of the cells of F, by which the dense block is scaled, and 0 of those that left it; 1/(m + D) of all cells.
    scale: Vec<f64>,
    inverse: Vec<f64>,
    factor: Cholesky,
    right: Vec<f32>,
}

impl Preconditioner {
    /// Forms and factors the dense block. `shift` is what the diagonal needed the last time, and is updated.
    pub async fn new(hessian: &Hessian<'_>, choice: Choice, shift: &mut f32) -> Result<Self> {
        let cells = choose(hessian, choice);
        let inverse: Vec<f64> = hessian.scale().map(|scale| 1.0 / scale).collect();
        let scale: Vec<f64> = cells.iter().map(|cell| libm::sqrt(inverse[*cell as usize])).collect();
        let factor = Cholesky::identity(cells.len())?;
        let right = vec![0.0; factor.order()];
        let mut preconditioner = Self { cells, scale, inverse, factor, right };
        *shift = (*shift / MORE).max(SHIFT);
        loop {
            preconditioner.form(hessian, *shift).await?;
            hessian.watch.count(|counts| counts.factorisations += 1);
            if preconditioner.factor.factor(hessian.pace).await {
                return Ok(preconditioner);
            }
            *shift *= MORE;
        }
    }

    /// The same block for the next step, less the cells that are no longer free: of those that are, little has changed.
    pub fn keep(&mut self, hessian: &Hessian<'_>) {
        self.inverse.iter_mut().zip(hessian.scale()).for_each(|(inverse, scale)| *inverse = 1.0 / scale);
        for (cell, scale) in self.cells.iter().zip(&mut self.scale) {
            if hessian.d[*cell as usize] > LEFT * hessian.m[*cell as usize] {
                *scale = 0.0;
            }
        }
    }

    /// Units of work of one application.
    pub fn work(&self) -> usize {
        self.cells.len() * self.cells.len() / ENTRIES_OF_UNIT
    }

    /// z ≈ (H + D)⁻¹ r.
    pub fn apply(&mut self, r: &[f64], z: &mut [f64]) {
        z.iter_mut().zip(r.iter().zip(&self.inverse)).for_each(|(z, (r, inverse))| *z = r * inverse);
        let of_cells = || self.cells.iter().map(|cell| r[*cell as usize]).zip(&self.scale);
        let largest = of_cells().fold(0.0, |largest: f64, (r, scale)| largest.max((r * scale).abs()));
        if largest == 0.0 || !largest.is_finite() {
            return;
        }
        self.right.iter_mut().zip(of_cells()).for_each(|(x, (r, scale))| *x = (r * scale / largest) as f32);
        self.factor.solve(&mut self.right);
        let block = self.cells.iter().zip(&self.scale).zip(&self.right);
        for ((cell, scale), x) in block.filter(|((_, scale), _)| **scale > 0.0) {
            z[*cell as usize] = f64::from(*x) * largest * scale;
        }
    }

    /// The lower triangle of (H + D)_FF, scaled to a diagonal of about 1: for each pair of marginals the mass that
    /// their cells share, less the product of their masses.
    async fn form(&mut self, hessian: &Hessian<'_>, shift: f32) -> Result<()> {
        let runs = self.runs(hessian);
        for (i, row) in runs.iter().enumerate() {
            let (pairs, rest) = runs[..i].as_chunks::<2>();
            for [column, other] in pairs {
                let [shared, other_shared] = shared(hessian.q, row, [column, other])?;
                self.write(hessian.m, row, column, &shared);
                self.write(hessian.m, row, other, &other_shared);
                hessian.pace.did(4 * row.rows.len() + shared.len() + other_shared.len()).await;
            }
            for column in rest {
                let [shared] = shared(hessian.q, row, [column])?;
                self.write(hessian.m, row, column, &shared);
                hessian.pace.did(2 * row.rows.len() + shared.len()).await;
            }
            self.write(hessian.m, row, row, &[]);
        }
        for (i, cell) in self.cells.iter().enumerate() {
            let (m, cell) = (hessian.m[*cell as usize], *cell as usize);
            let diagonal = 1.0 - m * m * self.inverse[cell];
            self.factor.row_mut(i)[i] = diagonal as f32 * (1.0 + shift);
        }
        Ok(())
    }

    /// The cells of F, marginal by marginal.
    fn runs<'a>(&self, hessian: &'a Hessian<'_>) -> Vec<Run<'a>> {
        let mut runs = Vec::new();
        let mut first = 0;
        for marginal in hessian.problem.index.marginals() {
            let end = self.cells.partition_point(|cell| (*cell as usize) < marginal.cells.end);
            if end > first {
                let mut place = vec![OUTSIDE; marginal.cells.len()];
                for (i, cell) in (0..).zip(&self.cells[first..end]) {
                    place[*cell as usize - marginal.cells.start] = i;
                }
                place.iter_mut().filter(|place| **place == OUTSIDE).for_each(|p| *p = (end - first) as u32);
                let (len, of_row) = (end - first, &marginal.of_row[..]);
                let of_rows = (0..).zip(of_row).map(|(row, cell)| (row, place[*cell as usize]));
                let rows = of_rows.filter(|(_, place)| (*place as usize) < len).collect();
                runs.push(Run { first, len, place, of_row, rows });
            }
            first = end;
        }
        runs
    }

    /// Writes the block of two marginals, or that of one where `shared` is empty.
    fn write(&mut self, m: &[f64], row: &Run, column: &Run, shared: &[f64]) {
        let mass = |i: usize| m[self.cells[i] as usize] * self.scale[i];
        for i in 0..row.len {
            let (at, mass_i) = (row.first + i, mass(row.first + i));
            let entries = self.factor.row_mut(at);
            for j in 0..if shared.is_empty() { i } else { column.len } {
                let (to, scale) = (column.first + j, self.scale[at] * self.scale[column.first + j]);
                let both = shared.get(i * (column.len + 1) + j).map_or(0.0, |both| both * scale);
                entries[to] = (both - mass_i * m[self.cells[to] as usize] * self.scale[to]) as f32;
            }
        }
    }
}

/// The cells of F of one marginal.
struct Run<'a> {
    /// The place of its first among those of F, and their number.
    first: usize,
    len: usize,
    /// The place of each cell of the marginal in this run, or `len` where it is not in F.
    place: Vec<u32>,
    of_row: &'a [u32],
    /// The rows that lie in one of its cells, and the place of that.
    rows: Vec<(u32, u32)>,
}

/// The mass of the rows that two cells have in common, for one marginal and each of some others: tables with one column
/// more than there are cells, for the rows outside F.
fn shared<const N: usize>(q: &[f64], row: &Run, columns: [&Run; N]) -> Result<[Vec<f64>; N]> {
    let mut tables = [const { Vec::new() }; N];
    for (table, column) in tables.iter_mut().zip(columns) {
        *table = zeros(row.len * (column.len + 1))?;
    }
    for (x, i) in &row.rows {
        let (x, i) = (*x as usize, *i as usize);
        for (table, column) in tables.iter_mut().zip(columns) {
            table[i * (column.len + 1) + column.place[column.of_row[x] as usize] as usize] += q[x];
        }
    }
    Ok(tables)
}

/// The cells of F.
fn choose(hessian: &Hessian<'_>, choice: Choice) -> Vec<u32> {
    let ratio = |cell: u32| hessian.d[cell as usize] / hessian.m[cell as usize];
    let mut cells: Vec<u32> = (0..hessian.m.len() as u32).collect();
    let most = match choice {
        Choice::Free(most) => {
            cells.retain(|cell| ratio(*cell) < FREE);
            most
        }
        Choice::Freest(most) => most,
    };
    if cells.len() > most {
        cells.sort_by(|a, b| ratio(*a).total_cmp(&ratio(*b)));
        cells.truncate(most);
        cells.sort_unstable();
    }
    cells
}
