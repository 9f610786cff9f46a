//! Whole rows of text with the ends of their fields: what every format is cut into before it is encoded.

/// Whole rows of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block<'a> {
    pub text: &'a [u8],
    /// Where fields end, row by row, after a first entry that stands for the place before the text. Field `i`
    /// begins one after `bounds[i]` and ends before `bounds[i + 1]`.
    pub bounds: &'a [u32],
    pub columns: usize,
    pub rows: usize,
    /// Whether a field that begins with a quote is a quoted one.
    pub quoted: bool,
    /// Whether a return at the end of a row belongs to the line end.
    pub returns: bool,
}

/// The first of all bounds: one more is the start of the text.
pub(super) const BEFORE: u32 = u32::MAX;

impl<'a> Block<'a> {
    /// The start and end of the fields of a column, row by row.
    pub fn spans(&self, column: usize) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let (every, bounds) = (self.columns, self.bounds);
        (0..self.rows).map_while(move |row| {
            let [before, end] = *bounds.get(row * every + column..)?.first_chunk()?;
            Some((before.wrapping_add(1) as usize, end as usize))
        })
    }

    /// Whether the fields of a column may carry more than their text.
    pub fn is_dressed(&self, column: usize) -> bool {
        self.quoted || self.returns && column + 1 == self.columns
    }

    /// Calls a function with the text of each field of a column.
    pub fn each(&self, column: usize, scratch: &mut Vec<u8>, mut then: impl FnMut(&[u8])) {
        for span in self.spans(column) {
            match self.undress(span, scratch) {
                Field::Span(start, end) => then(&self.text[start..end]),
                Field::Rewritten(text) => then(text),
            }
        }
    }

    /// The text of a field, without the quotes and the return that may stand around it.
    pub fn undress<'b>(&self, span: (usize, usize), scratch: &'b mut Vec<u8>) -> Field<'b>
    where
        'a: 'b,
    {
        let (start, mut end) = span;
        let text = &self.text[start..end];
        if self.returns && text.last() == Some(&b'\r') {
            end -= 1;
        }
        if !self.quoted || text.first() != Some(&b'"') {
            return Field::Span(start, end);
        }
        let inner = &self.text[start + 1..end - 1];
        if !inner.contains(&b'"') {
            return Field::Span(start + 1, end - 1);
        }
        scratch.clear();
        let mut after_quote = false;
        for byte in inner {
            after_quote = *byte == b'"' && !after_quote;
            if !after_quote {
                scratch.push(*byte);
            }
        }
        Field::Rewritten(scratch)
    }
}

/// The text of a field.
pub(super) enum Field<'a> {
    /// It stands in the block as it is.
    Span(usize, usize),
    /// Its doubled quotes were halved.
    Rewritten(&'a [u8]),
}
