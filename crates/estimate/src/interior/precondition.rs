//! An approximate inverse of H + D: dense on the cells that are free to move, the diagonal elsewhere.

use super::cholesky::Cholesky;
use super::hessian::Hessian;
use super::shared::{self, shared_masses};
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
    /// Forms and factors the dense block of `cells`. `shift` is what the diagonal needed the last time, and is updated.
    pub async fn new(hessian: &Hessian<'_>, cells: Vec<u32>, shift: &mut f32) -> Result<Self> {
        let inverse: Vec<f64> = hessian.scale().map(|scale| 1.0 / scale).collect();
        let scale: Vec<f64> = cells.iter().map(|cell| libm::sqrt(inverse[*cell as usize])).collect();
        let factor = Cholesky::identity(cells.len())?;
        let right = vec![0.0; factor.order()];
        let mut preconditioner = Self { cells, scale, inverse, factor, right };
        *shift = (*shift / MORE).max(SHIFT);
        loop {
            preconditioner.form(hessian, *shift).await;
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

    /// About the units of work of making the block of some cells. The mass of a cell stands for the share of rows in it.
    pub fn work_to_make(hessian: &Hessian<'_>, cells: &[u32]) -> u64 {
        let of_row = cells.iter().map(|cell| hessian.m[*cell as usize]).sum();
        shared::work(hessian.q.len(), of_row) + Cholesky::work(cells.len())
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

    /// The lower triangle of (H + D)_FF, scaled to a diagonal of about 1: of each two cells the mass that they share, less
    /// the product of their masses.
    async fn form(&mut self, hessian: &Hessian<'_>, shift: f32) {
        let Self { cells, scale, factor, .. } = self;
        let mass = |(cell, scale): (&u32, &f64)| hessian.m[*cell as usize] * scale;
        let masses: Vec<f64> = cells.iter().zip(&*scale).map(mass).collect();
        for (i, mass) in masses.iter().enumerate() {
            let (diagonal, others) = factor.row_mut(i).split_last_mut().expect("it has a diagonal");
            others.iter_mut().zip(&masses).for_each(|(entry, other)| *entry = (-mass * other) as f32);
            *diagonal = (1.0 - mass * mass) as f32 * (1.0 + shift);
        }
        shared_masses(&hessian.problem.index, cells, hessian.q, hessian.pace, |i, shared| {
            let of_columns = shared.iter().zip(&*scale).map(|(shared, other)| shared * scale[i] * other);
            factor.row_mut(i).iter_mut().zip(of_columns).for_each(|(entry, both)| *entry += both as f32);
        })
        .await;
    }
}

/// The cells that are free to move.
pub(super) fn free(hessian: &Hessian<'_>) -> Vec<u32> {
    let cells = 0..hessian.m.len() as u32;
    cells.filter(|cell| ratio(hessian, *cell) < FREE).collect()
}

/// So many cells, the freest.
pub(super) fn freest(hessian: &Hessian<'_>, most: usize) -> Vec<u32> {
    let mut cells: Vec<u32> = (0..hessian.m.len() as u32).collect();
    if cells.len() > most {
        cells.select_nth_unstable_by(most, |a, b| {
            ratio(hessian, *a).total_cmp(&ratio(hessian, *b)).then(a.cmp(b))
        });
        cells.truncate(most);
        cells.sort_unstable();
    }
    cells
}

/// D/m of a cell.
fn ratio(hessian: &Hessian<'_>, cell: u32) -> f64 {
    hessian.d[cell as usize] / hessian.m[cell as usize]
}
