//! Columns in chunks, so that a table grows without ever being copied whole.

use crate::{Error, Result};

/// Rows per chunk. Every chunk but the last of a column is full; a u16 counter cannot overflow in fewer rows
/// than this minus one, and all reductions run chunk by chunk in this fixed order.
pub const CHUNK_ROWS: usize = 1 << 16;

/// A growable column that allocates chunk by chunk.
#[derive(Debug, Clone)]
pub struct Chunks<T> {
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Default for Chunks<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }
}

impl<T: Copy> Chunks<T> {
    /// Number of values.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The chunks in order; all but the last hold [`CHUNK_ROWS`] values.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> + Clone {
        self.chunks.iter().map(Vec::as_slice)
    }

    /// Chunk `i`.
    pub fn chunk(&self, i: usize) -> &[T] {
        &self.chunks[i]
    }

    /// The value of a row.
    pub fn get(&self, row: usize) -> T {
        self.chunks[row / CHUNK_ROWS][row % CHUNK_ROWS]
    }

    /// All values in one piece.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut all = Vec::new();
        all.try_reserve_exact(self.len).map_err(|_| Error::out_of_memory(self.len * size_of::<T>()))?;
        self.iter().for_each(|chunk| all.extend_from_slice(chunk));
        Ok(all)
    }

    /// Puts another value in the place of a row's.
    pub fn set(&mut self, row: usize, value: T) {
        self.chunks[row / CHUNK_ROWS][row % CHUNK_ROWS] = value;
    }

    /// Appends values, or fails without a change when memory is refused.
    pub fn extend(&mut self, mut values: &[T]) -> Result<()> {
        self.reserve(values.len())?;
        while !values.is_empty() {
            if self.chunks.last().is_none_or(|c| c.len() == CHUNK_ROWS) {
                self.chunks.push(Vec::new());
            }
            let last = self.chunks.last_mut().expect("a chunk was just made sure of");
            let (now, rest) = values.split_at(values.len().min(CHUNK_ROWS - last.len()));
            grow(last, now.len())?;
            last.extend_from_slice(now);
            self.len += now.len();
            values = rest;
        }
        Ok(())
    }

    /// Appends one value.
    pub fn push(&mut self, value: T) -> Result<()> {
        self.extend(&[value])
    }

    /// Makes room for the list of chunks; the chunks themselves are allocated as rows arrive.
    fn reserve(&mut self, more: usize) -> Result<()> {
        let chunks = (self.len + more).div_ceil(CHUNK_ROWS) - self.chunks.len();
        self.chunks.try_reserve(chunks).map_err(|_| Error::out_of_memory(chunks * size_of::<Vec<T>>()))
    }
}

/// Grows a chunk by doubling while it is small, and to exactly [`CHUNK_ROWS`] at the end.
fn grow<T>(chunk: &mut Vec<T>, more: usize) -> Result<()> {
    let needed = chunk.len() + more;
    if needed > chunk.capacity() {
        let target = needed.next_power_of_two().clamp(64, CHUNK_ROWS);
        chunk
            .try_reserve_exact(target - chunk.len())
            .map_err(|_| Error::out_of_memory(target * size_of::<T>()))?;
    }
    Ok(())
}

/// The codes of one attribute: a byte each where that is enough.
#[derive(Debug, Clone)]
pub enum Codes {
    /// At most 256 codes.
    U8(Chunks<u8>),
    /// More.
    U16(Chunks<u16>),
}

impl Codes {
    /// An empty column for an attribute with `size` codes.
    pub fn new(size: usize) -> Self {
        if size <= 256 { Codes::U8(Chunks::default()) } else { Codes::U16(Chunks::default()) }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Codes::U8(c) => c.len(),
            Codes::U16(c) => c.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of a row.
    pub fn get(&self, row: usize) -> u16 {
        match self {
            Codes::U8(c) => u16::from(c.get(row)),
            Codes::U16(c) => c.get(row),
        }
    }

    /// Puts another code in the place of a row's.
    pub fn set(&mut self, row: usize, code: u16) {
        match self {
            Codes::U8(c) => c.set(row, code as u8),
            Codes::U16(c) => c.set(row, code),
        }
    }

    /// Appends codes; each must be below the size that the column was made for.
    pub fn extend(&mut self, codes: &[u16]) -> Result<()> {
        match self {
            Codes::U16(c) => c.extend(codes),
            Codes::U8(c) => {
                let mut block = [0u8; 1024];
                for part in codes.chunks(block.len()) {
                    for (to, from) in block.iter_mut().zip(part) {
                        debug_assert!(*from < 256);
                        *to = *from as u8;
                    }
                    c.extend(&block[..part.len()])?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_full_but_the_last() {
        let mut column = Codes::new(300);
        let values: Vec<u16> = (0..150_000u32).map(|i| (i % 300) as u16).collect();
        for part in values.chunks(777) {
            column.extend(part).unwrap();
        }
        let Codes::U16(chunks) = &column else { panic!("300 codes need u16") };
        assert_eq!(chunks.iter().map(<[u16]>::len).collect::<Vec<_>>(), [65_536, 65_536, 18_928]);
        assert!((0..values.len()).all(|row| column.get(row) == values[row]));
    }

    #[test]
    fn the_last_chunk_is_never_larger_than_needed_by_more_than_double() {
        let mut column = Chunks::<u8>::default();
        column.extend(&[0; 65]).unwrap();
        assert_eq!(column.chunks[0].capacity(), 128);
        column.extend(&vec![0; CHUNK_ROWS]).unwrap();
        assert_eq!(column.chunks[0].capacity(), CHUNK_ROWS);
        assert_eq!(column.len(), CHUNK_ROWS + 65);
    }
}
