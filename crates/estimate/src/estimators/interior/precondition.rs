//! An approximate inverse of H + D: dense on the cells that are free to move, the diagonal elsewhere.

use super::cholesky::Cholesky;
use super::hessian::Hessian;
use super::shared::{self, shared_masses};
use crate::models::support::Number;
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

/// The inverse of S(H + D)S on a set F of cells, with S = (m + D)^-½, and 1 outside.
pub(super) struct Preconditioner {
    /// F, ascending.
    cells: Vec<u32>,
    /// S of the cells of F when the block was made.
    scale: Vec<f64>,
    /// That S as a part of S now; 0 of cells that left F.
    since: Vec<f32>,
    factor: Cholesky,
    right: Vec<f32>,
}

impl Preconditioner {
    /// Forms and factors the dense block of `cells`. `shift` is what the diagonal needed the last time, and is updated.
    pub async fn new(hessian: &Hessian<'_>, cells: Vec<u32>, shift: &mut f32) -> Result<Self> {
        let scales: Vec<f64> = hessian.scale().collect();
        let scale = cells.iter().map(|cell| scales[*cell as usize]).collect();
        let (since, factor) = (vec![1.0; cells.len()], Cholesky::identity(cells.len())?);
        let right = vec![0.0; factor.order()];
        let mut preconditioner = Self { cells, scale, since, factor, right };
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
        for (cell, (scale, since)) in self.cells.iter().zip(self.scale.iter().zip(&mut self.since)) {
            let (m, d) = (hessian.m[*cell as usize], hessian.d[*cell as usize]);
            *since = if d > LEFT * m { 0.0 } else { (scale * libm::sqrt(m + d)) as f32 };
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

    /// z ≈ (S(H + D)S)⁻¹ r.
    pub fn apply<T: Number>(&mut self, r: &[T], z: &mut [T]) {
        z.copy_from_slice(r);
        let of_cells = self.cells.iter().map(|cell| r[*cell as usize].wide()).zip(&self.since);
        let of_cells = of_cells.map(|(r, since)| r * f64::from(*since));
        let largest = of_cells.clone().fold(0.0, |largest: f64, r| largest.max(r.abs()));
        if largest == 0.0 || !largest.is_finite() {
            return;
        }
        self.right.iter_mut().zip(of_cells).for_each(|(x, r)| *x = (r / largest) as f32);
        self.factor.solve(&mut self.right);
        let block = self.cells.iter().zip(&self.since).zip(&self.right);
        for ((cell, since), x) in block.filter(|((_, since), _)| **since > 0.0) {
            z[*cell as usize] = T::of(f64::from(*x) * largest * f64::from(*since));
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
