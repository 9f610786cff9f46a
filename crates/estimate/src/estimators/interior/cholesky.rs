//! Cholesky factors in single precision, blocked so that the loops vectorise: they only precondition.

use crate::job::Pace;
use marginalia_tables::{Error, Result};

/// Rows that are eliminated at a time, and rows of which one row of a tile has a lane each.
const PANEL: usize = 64;
const LANES: usize = 8;
/// Rows that are solved at a time; [`LANES`] is a multiple of it.
const ROWS: usize = 4;
/// Rows of a tile: with [`LANES`] columns its sums fit the registers of 128-bit SIMD.
const TILE: usize = 4;

/// Multiplications and additions that take about as long as one unit of work.
const FLOPS_OF_UNIT: usize = 8;

/// A symmetric matrix, of which the lower triangle is held; after [`Cholesky::factor`] its factor.
pub struct Cholesky {
    /// The order, a multiple of [`LANES`]; what was asked for is less by the rows of the identity at the end.
    n: usize,
    /// Row after row to the end of its group of [`LANES`] columns.
    entries: Vec<f32>,
    /// The rows below the block that is being eliminated: column by column, a group of [`LANES`] rows at a time.
    panel: Vec<[f32; LANES]>,
}

impl Cholesky {
    /// The identity of order `n`.
    pub fn identity(n: usize) -> Result<Self> {
        let n = n.next_multiple_of(LANES);
        let (mut entries, length) = (Vec::new(), start_of(n));
        entries.try_reserve_exact(length).map_err(|_| Error::out_of_memory(length * size_of::<f32>()))?;
        entries.resize(length, 0.0);
        let mut identity = Self { n, entries, panel: Vec::new() };
        identity.set_diagonal(1.0);
        Ok(identity)
    }

    /// Units of work of a factor of order `n`.
    pub fn work(n: usize) -> u64 {
        (n as u64).pow(3) / 3 / FLOPS_OF_UNIT as u64
    }

    /// Makes all diagonal entries `value`.
    pub fn set_diagonal(&mut self, value: f32) {
        (0..self.n).for_each(|i| self.entries[start_of(i) + i] = value);
    }

    /// The entries of row `i` up to column `i`.
    pub fn row_mut(&mut self, i: usize) -> &mut [f32] {
        &mut self.entries[start_of(i)..][..i + 1]
    }

    /// Replaces the matrix by its factor; false, and no factor, where a pivot is not positive.
    pub async fn factor(&mut self, pace: &Pace) -> bool {
        let n = self.n;
        for start in (0..n).step_by(PANEL) {
            let width = PANEL.min(n - start);
            if !self.factor_block(start, width) {
                return false;
            }
            let below = start + width;
            self.pack(start, width);
            for group in 0..(n - below) / LANES {
                self.solve_group(start, width, group);
                pace.did(width * width * LANES / FLOPS_OF_UNIT).await;
            }
            for group in 0..(n - below) / LANES {
                self.update_group(below, width, group);
                pace.did(width * 2 * LANES * LANES * (group + 1) / FLOPS_OF_UNIT).await;
            }
        }
        true
    }

    /// Factors the block on the diagonal.
    fn factor_block(&mut self, start: usize, width: usize) -> bool {
        for j in start..start + width {
            let (above, row) = self.entries.split_at_mut(start_of(j));
            for k in start..j {
                let pivots = &above[start_of(k) + start..start_of(k) + k + 1];
                let done = dot(&row[start..k], &pivots[..k - start]);
                row[k] = (row[k] - done) / pivots[k - start];
            }
            let pivot = row[j] - dot(&row[start..j], &row[start..j]);
            if !(pivot > 0.0 && pivot.is_finite()) {
                return false;
            }
            row[j] = libm::sqrtf(pivot);
        }
        true
    }

    /// Copies the columns below the block, so that each group of rows lies together.
    fn pack(&mut self, start: usize, width: usize) {
        let (n, below) = (self.n, start + width);
        self.panel.clear();
        self.panel.resize((n - below) / LANES * width, [0.0; LANES]);
        for (group, packed) in self.panel.chunks_exact_mut(width).enumerate() {
            for lane in 0..LANES {
                let row = &self.entries[start_of(below + group * LANES + lane) + start..][..width];
                packed.iter_mut().zip(row).for_each(|(packed, entry)| packed[lane] = *entry);
            }
        }
    }

    /// The factor's rows of one group: X with X·Lᵀ the packed columns, L the block on the diagonal.
    fn solve_group(&mut self, start: usize, width: usize, group: usize) {
        let rows = &mut self.panel[group * width..(group + 1) * width];
        for j in 0..width {
            let block = &self.entries[start_of(start + j) + start..][..j + 1];
            let (known, rest) = rows.split_at_mut(j);
            let mut sums = [0.0; LANES];
            for (known, entry) in known.iter().zip(block) {
                for lane in 0..LANES {
                    sums[lane] += entry * known[lane];
                }
            }
            for lane in 0..LANES {
                rest[0][lane] = (rest[0][lane] - sums[lane]) / block[j];
            }
        }
        for lane in 0..LANES {
            let row = start_of(start + width + group * LANES + lane) + start;
            self.entries[row..row + width].iter_mut().zip(&*rows).for_each(|(entry, x)| *entry = x[lane]);
        }
    }

    /// Takes from the rows of one group, right of the panel, what the panel explains.
    fn update_group(&mut self, below: usize, width: usize, group: usize) {
        let a = &self.panel[group * width..(group + 1) * width];
        for (other, b) in self.panel.chunks_exact(width).take(group + 1).enumerate() {
            let column = below + other * LANES;
            for half in 0..LANES / TILE {
                let tile = tile(a, b, half * TILE);
                for (i, sums) in tile.iter().enumerate() {
                    let row = start_of(below + group * LANES + half * TILE + i) + column;
                    let row = &mut self.entries[row..row + LANES];
                    row.iter_mut().zip(sums).for_each(|(entry, sum)| *entry -= sum);
                }
            }
        }
    }

    /// Replaces `x`, padded with zeros to the order, by the solution of the factored system. Four rows at a time, so that
    /// what is known of `x` is loaded, and stored, once for all of them.
    pub fn solve(&self, x: &mut [f32]) {
        let rows = |first: usize| [0, 1, 2, 3].map(|i| &self.entries[start_of(first + i)..][..first + i + 1]);
        for first in (0..self.n).step_by(ROWS) {
            let rows = rows(first);
            let (known, own) = x.split_at_mut(first);
            let done = products(rows.map(|row| &row[..first]), known);
            for i in 0..ROWS {
                let within: f32 = rows[i][first..].iter().zip(&own[..i]).map(|(entry, x)| entry * x).sum();
                own[i] = (own[i] - done[i] - within) / rows[i][first + i];
            }
        }
        for first in (0..self.n).step_by(ROWS).rev() {
            let rows = rows(first);
            let (rest, own) = x.split_at_mut(first);
            for i in (0..ROWS).rev() {
                own[i] /= rows[i][first + i];
                for j in 0..i {
                    own[j] -= own[i] * rows[i][first + j];
                }
            }
            take(rows.map(|row| &row[..first]), [own[0], own[1], own[2], own[3]], rest);
        }
    }

    /// What `x` of [`Cholesky::solve`] has room for.
    pub fn order(&self) -> usize {
        self.n
    }
}

/// Where row `i` starts among the entries: after whole groups, and the rows before it in its own.
fn start_of(i: usize) -> usize {
    let (group, row) = (i / LANES, i % LANES);
    (LANES * group / 2 + row) * LANES * (group + 1)
}

/// A·Bᵀ of [`TILE`] rows of one group, from `first`, and all of another.
#[inline]
fn tile(a: &[[f32; LANES]], b: &[[f32; LANES]], first: usize) -> [[f32; LANES]; TILE] {
    let mut sums = [[0.0; LANES]; TILE];
    for (a, b) in a.iter().zip(b) {
        for i in 0..TILE {
            for lane in 0..LANES {
                sums[i][lane] += a[first + i] * b[lane];
            }
        }
    }
    sums
}

/// a·b, in sixteen sums side by side.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    const SUMS: usize = 16;
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<SUMS>(), b.as_chunks::<SUMS>());
    let mut sums = [0.0; SUMS];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..SUMS {
            sums[lane] += a[lane] * b[lane];
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    sums.iter().sum::<f32>() + rest
}

/// Four rows, as groups of four entries.
fn groups(rows: [&[f32]; ROWS]) -> impl Iterator<Item = [&[f32; ROWS]; ROWS]> {
    let [a, b, c, d] = rows.map(|row| row.as_chunks().0.iter());
    a.zip(b).zip(c.zip(d)).map(|((a, b), (c, d))| [a, b, c, d])
}

/// Of four rows the product with x, each in four sums side by side.
#[inline(never)]
fn products(rows: [&[f32]; ROWS], x: &[f32]) -> [f32; ROWS] {
    let mut sums = [[0.0; ROWS]; ROWS];
    for (x, [a, b, c, d]) in x.as_chunks::<ROWS>().0.iter().zip(groups(rows)) {
        for lane in 0..ROWS {
            sums[0][lane] += a[lane] * x[lane];
        }
        for lane in 0..ROWS {
            sums[1][lane] += b[lane] * x[lane];
        }
        for lane in 0..ROWS {
            sums[2][lane] += c[lane] * x[lane];
        }
        for lane in 0..ROWS {
            sums[3][lane] += d[lane] * x[lane];
        }
    }
    sums.map(|[a, b, c, d]| (a + b) + (c + d))
}

/// Takes four rows from x, each as many times as `times` says.
#[inline(never)]
fn take(rows: [&[f32]; ROWS], times: [f32; ROWS], x: &mut [f32]) {
    for (x, [a, b, c, d]) in x.as_chunks_mut::<ROWS>().0.iter_mut().zip(groups(rows)) {
        for lane in 0..ROWS {
            x[lane] -= (times[0] * a[lane] + times[1] * b[lane]) + (times[2] * c[lane] + times[3] * d[lane]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, Steps};

    /// A = GGᵀ + I of integers below 1, and its order.
    fn matrix(n: usize) -> Vec<Vec<f64>> {
        let g = |i: usize, k: usize| ((i * 31 + k * 17 + i * k) % 23) as f64 / 23.0 - 0.5;
        let entry = |i: usize, j: usize| (0..n).map(|k| g(i, k) * g(j, k)).sum::<f64>();
        (0..n).map(|i| (0..n).map(|j| entry(i, j) + f64::from(u8::from(i == j))).collect()).collect()
    }

    fn factored(n: usize, diagonal: Option<f32>) -> (bool, Cholesky) {
        let a = matrix(n);
        let mut cholesky = Cholesky::identity(n).unwrap();
        if let Some(diagonal) = diagonal {
            cholesky.set_diagonal(diagonal);
        }
        for (i, row) in a.iter().enumerate() {
            let to = if diagonal.is_some() { i } else { i + 1 };
            cholesky.row_mut(i)[..to].iter_mut().zip(row).for_each(|(to, from)| *to = *from as f32);
        }
        Steps::new(|pace| async move { Ok((cholesky.factor(&pace).await, cholesky)) }).complete().unwrap()
    }

    #[test]
    fn solves_systems_of_every_shape_of_blocks() {
        for n in [1, 3, 7, 8, 9, 63, 64, 65, 130, 200] {
            let (ok, cholesky) = factored(n, None);
            assert!(ok);
            let wanted: Vec<f64> = (0..n).map(|i| ((i * 7) % 11) as f64 / 11.0 - 0.3).collect();
            let a = matrix(n);
            let right = a.iter().map(|row| row.iter().zip(&wanted).map(|(a, x)| a * x).sum::<f64>());
            let mut x: Vec<f32> = right.map(|b| b as f32).collect();
            x.resize(cholesky.order(), 0.0);
            cholesky.solve(&mut x);
            for (x, wanted) in x.iter().zip(&wanted) {
                assert!((f64::from(*x) - wanted).abs() < 2e-4, "n = {n}: {x} is not {wanted}");
            }
        }
    }

    #[test]
    fn a_matrix_that_is_not_positive_has_no_factor() {
        for n in [2, 70, 150] {
            assert!(!factored(n, Some(0.01)).0);
            assert!(!factored(n, Some(f32::NAN)).0);
        }
    }
}
