//! The hot loops: cell codes of a block of rows, then one counter raised per row.
//!
//! Several counters for each cell lie side by side, and neighbouring rows raise different ones, so that a run of
//! equal rows does not wait for its own stores. A code is a u16 and there are 65,536 places, so no index needs
//! a check.

use super::index::{Column, columns};
use crate::{CHUNK_ROWS, Error, Result, Table};
use std::ops::Range;

/// Rows whose codes are built before they are counted: small enough to stay in the first cache.
const BLOCK: usize = 1 << 11;

/// Rows whose codes are built at once.
const GROUP: usize = 16;

/// Places for codes.
const PLACES: usize = 1 << 16;

/// Cells up to which four counters each still fit the caches; beyond there are two.
const FOUR_UP_TO: usize = 1 << 12;

/// What a thread needs to count: all counters zero between passes.
pub struct Scratch {
    counts: Vec<u32>,
    sums: Vec<f64>,
}

impl Scratch {
    /// The bytes of one.
    pub const BYTES: usize = 2 * PLACES * size_of::<f64>();

    /// Counters for a table with or without weights.
    pub fn new(weighted: bool) -> Result<Self> {
        let counts = if weighted { Vec::new() } else { zeros(4 * PLACES)? };
        let sums = if weighted { zeros(2 * PLACES)? } else { Vec::new() };
        Ok(Self { counts, sums })
    }
}

/// A vector of zeros, or an error when memory is refused.
pub fn zeros<T: Default + Clone>(len: usize) -> Result<Vec<T>> {
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(len).map_err(|_| Error::out_of_memory(len * size_of::<T>()))?;
    zeros.resize(len, T::default());
    Ok(zeros)
}

/// The counts (or sums of weights) of a pass of at most 65,536 cells over some chunks of a table.
pub fn count(
    table: &Table,
    attributes: &[u16],
    cells: usize,
    chunks: Range<usize>,
    scratch: &mut Scratch,
) -> Result<Vec<f64>> {
    let mut table_of_cells = Vec::new();
    table_of_cells.try_reserve_exact(cells).map_err(|_| Error::out_of_memory(cells * size_of::<f64>()))?;
    if let Some(weights) = table.weights() {
        let sums = places::<f64, 2>(&mut scratch.sums);
        each_block(table, attributes, chunks, |codes, chunk, rows| {
            add(codes, &weights.chunk(chunk)[rows], sums);
        });
        table_of_cells.extend(sums[..cells].iter().map(|[a, b]| a + b));
        sums[..cells].fill([0.0; 2]);
    } else if cells <= FOUR_UP_TO {
        let counts = places::<u32, 4>(&mut scratch.counts);
        each_block(table, attributes, chunks, |codes, _, _| raise(codes, counts));
        table_of_cells.extend(counts[..cells].iter().map(total));
        counts[..cells].fill([0; 4]);
    } else {
        let counts = places::<u32, 2>(&mut scratch.counts);
        each_block(table, attributes, chunks, |codes, _, _| raise(codes, counts));
        table_of_cells.extend(counts[..cells].iter().map(total));
        counts[..cells].fill([0; 2]);
    }
    Ok(table_of_cells)
}

/// Views the first counters as `LANES` for each place.
fn places<T, const LANES: usize>(flat: &mut [T]) -> &mut [[T; LANES]; PLACES] {
    let (lanes, _) = flat.as_chunks_mut::<LANES>();
    lanes.first_chunk_mut().expect("scratch has counters for all places")
}

/// All counters of a cell together.
fn total<const LANES: usize>(counters: &[u32; LANES]) -> f64 {
    counters.iter().map(|n| f64::from(*n)).sum()
}

/// Calls `f` with the codes of one block after another, its chunk, and its rows within the chunk.
fn each_block(
    table: &Table,
    attributes: &[u16],
    chunks: Range<usize>,
    mut f: impl FnMut(&[u16], usize, Range<usize>),
) {
    let mut codes = [0u16; BLOCK];
    for chunk in chunks {
        let columns = columns(table, attributes, chunk);
        let rows = rows_of(table, chunk);
        for start in (0..rows).step_by(BLOCK) {
            let block = start..rows.min(start + BLOCK);
            let codes = &mut codes[..block.len()];
            build(&columns, block.clone(), codes);
            f(codes, chunk, block);
        }
    }
}

/// The rows of a chunk.
pub fn rows_of(table: &Table, chunk: usize) -> usize {
    CHUNK_ROWS.min(table.rows() - chunk * CHUNK_ROWS)
}

/// Raises one counter per code; eight rows at a time, because nothing unrolls the loop in WebAssembly.
#[inline(never)]
fn raise<const LANES: usize>(codes: &[u16], counts: &mut [[u32; LANES]; PLACES]) {
    let (groups, rest) = codes.as_chunks::<8>();
    for group in groups {
        for (row, code) in group.iter().enumerate() {
            let counter = &mut counts[usize::from(*code)][row % LANES];
            *counter = counter.wrapping_add(1);
        }
    }
    for code in rest {
        counts[usize::from(*code)][0] += 1;
    }
}

/// Adds one weight per code; rows at even and odd places of a block go to different sums.
#[inline(never)]
fn add(codes: &[u16], weights: &[f64], sums: &mut [[f64; 2]; PLACES]) {
    let ((codes, last_code), (weights, last_weight)) = (codes.as_chunks::<2>(), weights.as_chunks::<2>());
    for (codes, weights) in codes.iter().zip(weights) {
        sums[usize::from(codes[0])][0] += weights[0];
        sums[usize::from(codes[1])][1] += weights[1];
    }
    for (code, weight) in last_code.iter().zip(last_weight) {
        sums[usize::from(*code)][0] += weight;
    }
}

/// The codes of some rows of a chunk: the sum of code × stride over the columns. Bytes are taken up to six
/// columns at a time, so that a code is stored once for six columns.
fn build(columns: &[Column], rows: Range<usize>, codes: &mut [u16]) {
    let mut bytes = [(&[][..], 0); 16];
    let mut taken = 0;
    let mut first = true;
    for column in columns {
        match column {
            Column::U8(values, stride) => {
                bytes[taken] = (&values[rows.clone()], *stride as u16);
                taken += 1;
            }
            Column::U16(values, stride) => {
                if first {
                    codes.fill(0);
                    first = false;
                }
                for (code, value) in codes.iter_mut().zip(&values[rows.clone()]) {
                    *code = code.wrapping_add(value.wrapping_mul(*stride as u16));
                }
            }
        }
    }
    if first && taken == 0 {
        codes.fill(0);
    }
    for group in bytes[..taken].chunks(6) {
        match (group, first) {
            ([a, b, c, d, e, f], true) => sum::<6, true>([*a, *b, *c, *d, *e, *f], codes),
            ([a, b, c, d, e], true) => sum::<5, true>([*a, *b, *c, *d, *e], codes),
            ([a, b, c, d], true) => sum::<4, true>([*a, *b, *c, *d], codes),
            ([a, b, c], true) => sum::<3, true>([*a, *b, *c], codes),
            ([a, b], true) => sum::<2, true>([*a, *b], codes),
            ([a], true) => sum::<1, true>([*a], codes),
            (rest, _) => rest.iter().for_each(|a| sum::<1, false>([*a], codes)),
        }
        first = false;
    }
}

/// Adds columns of bytes times their strides to the codes, in groups of rows that LLVM makes vectors of.
#[inline(never)]
fn sum<const N: usize, const FIRST: bool>(columns: [(&[u8], u16); N], codes: &mut [u16]) {
    let split = columns.map(|(bytes, stride)| (bytes.as_chunks::<GROUP>(), stride));
    let (groups, rest) = codes.as_chunks_mut::<GROUP>();
    for (at, group) in groups.iter_mut().enumerate() {
        let mut sums = if FIRST { [0; GROUP] } else { *group };
        for ((bytes, _), stride) in &split {
            for (sum, byte) in sums.iter_mut().zip(&bytes[at]) {
                *sum = u16::from(*byte).wrapping_mul(*stride).wrapping_add(*sum);
            }
        }
        *group = sums;
    }
    for (at, code) in rest.iter_mut().enumerate() {
        let start = if FIRST { 0 } else { *code };
        let add = |sum: u16, ((_, bytes), stride): &((_, &[u8]), u16)| {
            u16::from(bytes[at]).wrapping_mul(*stride).wrapping_add(sum)
        };
        *code = split.iter().fold(start, add);
    }
}
