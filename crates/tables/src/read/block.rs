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
    /// The start and end of the fields of a column, row by row, without the return of a line end.
    pub fn spans(&self, column: usize) -> impl Iterator<Item = (usize, usize)> + use<'a> {
        let (every, bounds, text) = (self.columns, self.bounds, self.text);
        let returns = self.returns && column + 1 == every;
        (0..self.rows).map_while(move |row| {
            let [before, end] = *bounds.get(row * every + column..)?.first_chunk()?;
            let (start, end) = (before.wrapping_add(1) as usize, end as usize);
            let half = returns && text[start..end].last() == Some(&b'\r');
            Some((start, end - usize::from(half)))
        })
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

    /// How many rows hold a line end in one of their fields.
    pub fn broken(&self, scratch: &mut Vec<u8>) -> usize {
        let mut broken = vec![false; self.rows];
        for column in 0..self.columns {
            let mut rows = broken.iter_mut();
            self.each(column, scratch, |text| {
                if let Some(row) = rows.next() {
                    *row |= text.iter().any(|byte| matches!(byte, b'\r' | b'\n'));
                }
            });
        }
        broken.into_iter().filter(|row| *row).count()
    }

    /// The text of a field, without the quotes that may stand around it.
    pub fn undress<'b>(&self, span: (usize, usize), scratch: &'b mut Vec<u8>) -> Field<'b>
    where
        'a: 'b,
    {
        let (start, end) = span;
        let text = &self.text[start..end];
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
