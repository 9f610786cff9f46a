//! The inner loops over a block of rows.
//!
//! A sum of rows to cells keeps four sums for each cell, and neighbouring rows add to different ones, so that a run
//! of rows in one cell does not wait for its own stores. Tables with many cells have one, or they would leave the
//! caches.

use marginalia_compute::number::Number;

/// Rows of a block: what is worked out for them stays in the first cache.
pub const BLOCK: usize = 1 << 11;

/// Cells up to which there are four sums each, in all and for a number of rows: beyond, the sums leave the caches, or
/// take longer to clear and add than the rows.
const FOUR_UP_TO: usize = 1 << 12;
const ROWS_PER_CELL: usize = 2;

/// Cells that stay unused at both ends of sums of four, a page: what another thread writes nearby slows this one, since
/// processors also fetch lines that follow.
const MARGIN: usize = 128;

/// Sums for the cells of one marginal while rows are added.
pub enum Sums<T = f64> {
    /// Four for each of so many cells, after a margin.
    Four(Vec<[T; 4]>, usize),
    /// One for each cell.
    One(Vec<T>),
}

/// Writes the sums of the cells of a table when `add` has added so many rows to them.
pub fn sums<T: Number>(table: &mut [T], rows: usize, add: impl FnOnce(&mut Sums<T>)) {
    let mut room = T::room().take();
    let four = Sums::<T>::four(table.len(), rows);
    let sums = if four {
        Sums::Four(std::mem::take(&mut room.four), 0)
    } else {
        Sums::One(std::mem::take(&mut room.one))
    };
    let mut sums = sums.cleared(table.len());
    add(&mut sums);
    sums.give(table);
    match sums {
        Sums::Four(four, _) => room.four = four,
        Sums::One(one) => room.one = one,
    }
    T::room().set(room);
}

impl<T: Number> Sums<T> {
    /// Zeros for so many cells, to which so many rows are to be added.
    pub fn zero(cells: usize, rows: usize) -> Self {
        let room = if Self::four(cells, rows) { Self::Four(Vec::new(), 0) } else { Self::One(Vec::new()) };
        room.cleared(cells)
    }

    fn four(cells: usize, rows: usize) -> bool {
        cells <= FOUR_UP_TO && cells * ROWS_PER_CELL <= rows
    }

    /// Zeros for so many cells in the same memory.
    fn cleared(self, cells: usize) -> Self {
        match self {
            Self::Four(mut four, _) => {
                four.resize(four.len().max(cells + 2 * MARGIN), [T::default(); 4]);
                four[MARGIN..MARGIN + cells].fill([T::default(); 4]);
                Self::Four(four, cells)
            }
            Self::One(mut one) => {
                one.clear();
                one.resize(cells, T::default());
                Self::One(one)
            }
        }
    }

    /// Adds the weights of a block of rows to their cells.
    pub fn add(&mut self, cells: &[u32], w: &[T]) {
        match self {
            Self::Four(sums, _) => add_four(cells, w, &mut sums[MARGIN..]),
            Self::One(sums) => cells.iter().zip(w).for_each(|(cell, w)| sums[*cell as usize] += *w),
        }
    }

    /// Scales the rows of a block by the ratio of one cell, and adds them to another.
    pub fn scale_and_add(&mut self, from: &[u32], ratios: &[T], to: &[u32], w: &mut [T]) {
        match self {
            Self::Four(sums, _) => scale_and_add_four(from, ratios, to, w, &mut sums[MARGIN..]),
            Self::One(sums) => {
                for ((from, to), w) in from.iter().zip(to).zip(w) {
                    *w *= ratios[*from as usize];
                    sums[*to as usize] += *w;
                }
            }
        }
    }

    /// Writes the sum of each cell.
    pub fn give(&self, table: &mut [T]) {
        match self {
            Self::Four(sums, cells) => {
                let sums = &sums[MARGIN..MARGIN + *cells];
                table.iter_mut().zip(sums).for_each(|(cell, [a, b, c, d])| *cell = (*a + *b) + (*c + *d));
            }
            Self::One(sums) => table.copy_from_slice(sums),
        }
    }
}

#[inline(never)]
fn add_four<T: Number>(cells: &[u32], w: &[T], sums: &mut [[T; 4]]) {
    let ((cells, last_cells), (w, last_w)) = (cells.as_chunks::<4>(), w.as_chunks::<4>());
    for (cells, w) in cells.iter().zip(w) {
        for lane in 0..4 {
            sums[cells[lane] as usize][lane] += w[lane];
        }
    }
    for (lane, (cell, w)) in last_cells.iter().zip(last_w).enumerate() {
        sums[*cell as usize][lane & 3] += *w;
    }
}

#[inline(never)]
fn scale_and_add_four<T: Number>(from: &[u32], ratios: &[T], to: &[u32], w: &mut [T], sums: &mut [[T; 4]]) {
    let (from, last_from) = from.as_chunks::<4>();
    let (to, last_to) = to.as_chunks::<4>();
    let (w, last_w) = w.as_chunks_mut::<4>();
    for ((from, to), w) in from.iter().zip(to).zip(w) {
        for lane in 0..4 {
            w[lane] *= ratios[from[lane] as usize];
            sums[to[lane] as usize][lane] += w[lane];
        }
    }
    for (lane, ((from, to), w)) in last_from.iter().zip(last_to).zip(last_w).enumerate() {
        *w *= ratios[*from as usize];
        sums[*to as usize][lane & 3] += *w;
    }
}

/// Scales the rows of a block by the ratios of their cells.
#[inline(never)]
pub fn scale(cells: &[u32], ratios: &[f64], w: &mut [f64]) {
    w.iter_mut().zip(cells).for_each(|(w, cell)| *w *= ratios[*cell as usize]);
}

/// Adds to each row of a block what its cell holds.
#[inline(never)]
pub fn gather<T: Number>(cells: &[u32], u: &[T], t: &mut [T]) {
    t.iter_mut().zip(cells).for_each(|(t, cell)| *t += u[*cell as usize]);
}

/// The same for two marginals at once, which loads and stores the rows once.
#[inline(never)]
pub fn gather_two<T: Number>(cells: [&[u32]; 2], u: [&[T]; 2], t: &mut [T]) {
    let [a, b] = cells.map(|cells| &cells[..t.len()]);
    for (row, t) in t.iter_mut().enumerate() {
        *t += u[0][a[row] as usize] + u[1][b[row] as usize];
    }
}

/// For four.
#[inline(never)]
pub fn gather_four<T: Number>(cells: [&[u32]; 4], u: [&[T]; 4], t: &mut [T]) {
    let [a, b, c, d] = cells.map(|cells| &cells[..t.len()]);
    for (row, t) in t.iter_mut().enumerate() {
        let first = u[0][a[row] as usize] + u[1][b[row] as usize];
        let second = u[2][c[row] as usize] + u[3][d[row] as usize];
        *t += first + second;
    }
}
