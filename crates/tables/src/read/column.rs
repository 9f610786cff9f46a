//! One column of a block, encoded.

use super::block::{Block, Field};
use super::encode::Encoder;
use super::memo::Memo;
use super::number::Decimal;
use crate::Result;
use crate::room::reserve;

/// Encodes a column and holds the result until the next block.
#[derive(Debug)]
pub(super) struct Column {
    encoder: Encoder,
    place: usize,
    memo: Memo,
    scratch: Vec<u8>,
    keep_raw: bool,
    /// A code for each row.
    pub codes: Vec<u16>,
    /// The raw numbers, where they are kept.
    pub raw: Vec<f64>,
    /// The first row whose text has no code.
    pub failed: Option<usize>,
}

impl Column {
    pub fn new(encoder: Encoder, place: usize, keep_raw: bool) -> Self {
        let (memo, scratch) = (Memo::default(), Vec::new());
        Self { encoder, place, memo, scratch, keep_raw, codes: Vec::new(), raw: Vec::new(), failed: None }
    }

    /// The column of the file.
    pub fn place(&self) -> usize {
        self.place
    }

    /// Makes room for so many rows.
    pub fn reserve(&mut self, rows: usize) -> Result<()> {
        self.codes.clear();
        self.raw.clear();
        reserve(&mut self.codes, rows)?;
        reserve(&mut self.raw, if self.keep_raw { rows } else { 0 })
    }

    /// Encodes the rows of a block.
    pub fn encode(&mut self, block: &Block<'_>) {
        self.codes.clear();
        self.codes.resize(block.rows, 0);
        self.failed = if block.quoted { self.codes::<true>(block) } else { self.codes::<false>(block) };
        if self.keep_raw {
            self.raw.clear();
            let (encoder, raw) = (&self.encoder, &mut self.raw);
            block.each(self.place, &mut self.scratch, |text| raw.push(encoder.raw(text)));
        }
    }

    /// Fills the codes; gives the row to stop at. A function of its own, so that the loop keeps the registers.
    #[inline(never)]
    fn codes<const DRESSED: bool>(&mut self, block: &Block<'_>) -> Option<usize> {
        let Self { encoder, memo, scratch, codes, .. } = self;
        for (row, (span, to)) in block.spans(self.place).zip(codes).enumerate() {
            let (mut start, mut end) = span;
            if DRESSED {
                match block.undress(span, scratch) {
                    Field::Span(from, until) => (start, end) = (from, until),
                    Field::Rewritten(text) => {
                        let Some(code) = encoder.text(text) else { return Some(row) };
                        *to = code;
                        continue;
                    }
                }
            }
            let code = memo.get(block.text, start, end, |text| encoder.text(text));
            let Some(code) = code else { return Some(row) };
            *to = code;
        }
        None
    }
}

/// The weights of rows.
#[derive(Debug)]
pub(super) struct Weights {
    point: u8,
    pub place: usize,
    scratch: Vec<u8>,
    /// A weight for each row.
    pub values: Vec<f64>,
    /// The first row whose weight is none.
    pub failed: Option<usize>,
}

impl Weights {
    pub fn new(place: usize, point: u8) -> Self {
        Self { point, place, scratch: Vec::new(), values: Vec::new(), failed: None }
    }

    /// Reads the weights of a block.
    pub fn read(&mut self, block: &Block<'_>) -> Result<()> {
        let (point, values) = (self.point, &mut self.values);
        values.clear();
        reserve(values, block.rows)?;
        block.each(self.place, &mut self.scratch, |text| {
            values.push(Decimal::parse(text.trim_ascii(), point).map_or(f64::NAN, |d| d.value()));
        });
        self.failed = values.iter().position(|x| !(x.is_finite() && *x >= 0.0));
        Ok(())
    }
}
