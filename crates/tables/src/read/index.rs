//! The fast way to find fields: 64 bytes at a time, for text as nearly every program writes it. Anything unusual
//! (a quote inside a field, text after a closing quote, blank lines, rows of other lengths) is left to
//! [`records`](super::records), which decides what it means.

use super::block::BEFORE;
use super::mask;
use super::options::{Dialect, Framing, LineEnd};
use crate::room::reserve;

/// The ends of the fields of whole rows.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// As [`Block::bounds`](super::block::Block::bounds), with room to spare.
    bounds: Vec<u32>,
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    /// Whole rows.
    pub rows: usize,
    /// Their bytes.
    pub bytes: usize,
    /// Whether there are quoted fields.
    pub quoted: bool,
    /// Whether there are line ends of return and line feed.
    pub returns: bool,
    /// Whether all bytes are ASCII.
    pub ascii: bool,
}

/// What one 64-byte block must know of those before it.
#[derive(Debug)]
struct Carry {
    /// All ones inside a quoted field.
    inside: u64,
    /// Whether the last byte ended a field, closed a quote, was a return outside quotes, or such a return after a closing
    /// quote; one bit each.
    ended: u64,
    closed: u64,
    returned: u64,
    closing: u64,
}

impl Index {
    pub fn bounds(&self) -> &[u32] {
        &self.bounds
    }

    /// Finds the whole rows that a text begins with; `None` when there is anything unusual in it.
    pub fn find(&mut self, text: &[u8], dialect: Dialect, columns: usize) -> Option<Found> {
        let mut found = Found { rows: 0, bytes: 0, quoted: false, returns: false, ascii: true };
        let mut carry = Carry { inside: 0, ended: 1, closed: 0, returned: 0, closing: 0 };
        let mut count = 1;
        self.make_room(text.len() + 128)?;
        let (blocks, rest) = text.as_chunks::<64>();
        for (i, block) in blocks.iter().enumerate() {
            let (fields, rows) = step(block, dialect, u64::MAX, &mut carry, &mut found)?;
            count = self.append(count, fields, 64 * i as u32);
            found.rows += rows.count_ones() as usize;
        }
        let mut last = [0; 64];
        last[..rest.len()].copy_from_slice(rest);
        let (fields, rows) = step(&last, dialect, (1 << rest.len()) - 1, &mut carry, &mut found)?;
        count = self.append(count, fields, 64 * blocks.len() as u32);
        found.rows += rows.count_ones() as usize;
        self.bounds[0] = BEFORE;
        self.is_rectangular(text, columns, count, &mut found).then_some(found)
    }

    /// Whether one of so many rows of one field has no byte, but for the return of a line end.
    pub fn has_blank(&self, text: &[u8], rows: usize) -> bool {
        let spans = self.bounds[..=rows].windows(2);
        spans
            .map(|ends| &text[ends[0].wrapping_add(1) as usize..ends[1] as usize])
            .any(|row| matches!(row, b"" | b"\r"))
    }

    /// Room for an end at every byte, and for those that [`append`](Self::append) writes in vain; nothing where the memory
    /// is refused: the careful way needs some too, and says so.
    fn make_room(&mut self, ends: usize) -> Option<()> {
        let more = ends.saturating_sub(self.bounds.len());
        reserve(&mut self.bounds, more).ok()?;
        self.bounds.resize(self.bounds.len() + more, 0);
        Some(())
    }

    /// Appends the places of the set bits, eight at a time: the ones beyond the last are overwritten later.
    #[inline]
    fn append(&mut self, count: usize, mut mask: u64, base: u32) -> usize {
        let Some(to) = self.bounds[count..].first_chunk_mut::<64>() else { return count };
        let ones = mask.count_ones() as usize;
        for eight in to.as_chunks_mut::<8>().0.iter_mut().take(ones.div_ceil(8)) {
            for end in eight {
                *end = base + mask.trailing_zeros();
                mask &= mask.wrapping_sub(1);
            }
        }
        count + ones
    }

    /// Whether each line feed ends a row of so many fields: as many as there are, each in its place.
    fn is_rectangular(&self, text: &[u8], columns: usize, count: usize, found: &mut Found) -> bool {
        let Some(last) = found.rows.checked_mul(columns).filter(|last| *last < count) else { return false };
        let mut ends = self.bounds[..=last].iter().step_by(columns).skip(1);
        if !ends.all(|end| text[*end as usize] == b'\n') {
            return false;
        }
        found.bytes = self.bounds[last].wrapping_add(1) as usize;
        true
    }
}

/// The ends of fields and rows outside quotes in one block, of which `valid` bytes count.
#[inline]
fn step(
    block: &[u8; 64],
    dialect: Dialect,
    valid: u64,
    carry: &mut Carry,
    found: &mut Found,
) -> Option<(u64, u64)> {
    let masks = mask::masks(block, dialect.delimiter);
    let (fields, rows) = (masks.fields & valid, masks.rows & valid);
    // Where only both end a record, each line feed is looked at for the return before it.
    let feeds = if dialect.line_end == LineEnd::Crlf { rows } else { 0 };
    if masks.special || carry.inside | carry.closed | carry.returned | feeds != 0 {
        return unusual(block, dialect, [fields, rows, valid], carry, found);
    }
    carry.ended = fields >> 63;
    Some((fields, rows))
}

/// The same for a block with quotes or returns, or after them.
fn unusual(
    block: &[u8; 64],
    dialect: Dialect,
    [fields, feeds, valid]: [u64; 3],
    carry: &mut Carry,
    found: &mut Found,
) -> Option<(u64, u64)> {
    let mask::Special { quotes, returns, beyond } = mask::special(block);
    found.ascii &= !beyond;
    found.quoted |= quotes != 0;
    let inside = parity(quotes) ^ carry.inside;
    let (opening, closing) = (quotes & inside, quotes & !inside);
    let ends = if dialect.line_end == LineEnd::Any { feeds | returns } else { feeds };
    let returns = returns & !inside;
    found.returns |= returns != 0;
    let after_return = returns << 1 | carry.returned;
    let rows = feeds & !inside & if dialect.line_end == LineEnd::Crlf { after_return } else { u64::MAX };
    let fields = fields & !feeds & !inside | rows;
    let after_end = fields << 1 | carry.ended;
    let after_close = closing << 1 | carry.closed;
    let closing_returns = returns & after_close;
    // After a closing quote a return must be half of a line end; elsewhere it may be text, unless it ends a row itself.
    let halves =
        if dialect.line_end == LineEnd::Any { after_return } else { closing_returns << 1 | carry.closing };
    let mut strange =
        opening & !(after_end | after_close) | after_close & !(fields | returns | opening) | halves & !rows;
    if dialect.framing == Framing::Lines {
        strange |= ends & inside;
    }
    *carry = Carry {
        inside: if inside >> 63 == 1 { u64::MAX } else { 0 },
        ended: fields >> 63,
        closed: closing >> 63,
        returned: returns >> 63,
        closing: closing_returns >> 63,
    };
    Some((fields, rows)).filter(|_| strange & valid == 0)
}

/// Bit `i` is the parity of bits `0..=i`: set from each opening quote up to before its closing one.
fn parity(mut quotes: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        quotes ^= quotes << shift;
    }
    quotes
}
