//! Names that go along with rows.

use super::super::block::Block;
use super::super::encode::NULL;

/// A text for each row, one after another.
#[derive(Debug, Default)]
pub struct Names {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl Names {
    /// The name of a row.
    pub fn get(&self, row: usize) -> &[u8] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.text[start..self.ends[row]]
    }

    /// So many rows without a name.
    pub(super) fn absent(rows: usize) -> Self {
        Self { text: Vec::new(), ends: vec![0; rows] }
    }

    /// The texts of a column of a block.
    pub(super) fn fill(&mut self, block: &Block<'_>, place: usize, scratch: &mut Vec<u8>) {
        self.text.clear();
        self.ends.clear();
        block.each(place, scratch, |text| {
            self.text.extend_from_slice(if text == NULL { b"" } else { text });
            self.ends.push(self.text.len());
        });
    }
}
