//! Separated fields: finds whole rows, the fast way where it can.

use super::block::Block;
use super::index::Index;
use super::records::{Record, Records};
use super::split::{Defect, Fields, Split, valid_part};

/// Cuts a text into rows of fields.
#[derive(Debug)]
pub(super) struct Csv {
    delimiter: u8,
    /// About as many bytes are split at once.
    window: usize,
    columns: usize,
    index: Index,
    records: Records,
    /// For each blank line that was skipped, how many rows stand before it.
    pub blanks: Vec<usize>,
}

/// The names in a header, the bytes it takes with the line end, and the blank lines before it.
pub(super) type Header = (Vec<String>, usize, usize);

impl Csv {
    pub fn new(delimiter: u8, window: usize) -> Self {
        let (index, records) = (Index::default(), Records::default());
        Self { delimiter, window, columns: 0, index, records, blanks: Vec::new() }
    }

    /// Fields of the header, and so of every row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// What can be read of a text whose rows begin at `start`: in a file of one column, a line without a byte is a row
    /// only when another row follows, because files often end with one.
    pub fn settled<'a>(&self, text: &'a [u8], start: usize) -> &'a [u8] {
        if self.columns != 1 {
            return text;
        }
        let Some(last) = text[start..].iter().rposition(|b| !matches!(b, b'\r' | b'\n')) else {
            return &text[..start];
        };
        let (line, ends) = text.split_at(start + last + 1);
        let end = if ends.starts_with(b"\r\n") { 2 } else { ends.len().min(1) };
        &text[..line.len() + end]
    }

    /// The rows of the last [`split`](Self::split) of `text`.
    pub fn block<'a>(&'a self, split: &Split, text: &'a [u8]) -> Block<'a> {
        split.block(text, self.index.bounds(), &self.records, self.columns)
    }

    /// Reads the header, when it is whole, and from then on demands as many fields of every row.
    pub fn header(&mut self, text: &[u8], last: bool) -> Result<Option<Header>, Defect> {
        let (mut at, mut blanks) = (0, 0);
        self.records.clear();
        self.records.reserve(text.len())?;
        while at < text.len() {
            match self.records.read(text, at, self.delimiter, usize::MAX, last) {
                Record::Blank { next } => (at, blanks) = (next, blanks + 1),
                Record::Unfinished { quoted: true } if last => return Err(Defect::Open),
                Record::Unfinished { .. } => break,
                Record::Row { stray: true, .. } => return Err(Defect::Stray),
                Record::Row { next, fields, .. } => {
                    self.columns = fields;
                    return Ok(Some((self.names()?, next, blanks)));
                }
            }
        }
        Ok(None)
    }

    fn names(&self) -> Result<Vec<String>, Defect> {
        let ends = self.records.bounds.windows(2);
        let names = ends.map(|pair| &self.records.text[pair[0].wrapping_add(1) as usize..pair[1] as usize]);
        names.map(|name| String::from_utf8(name.to_vec()).map_err(|_| Defect::NotText)).collect()
    }

    /// Finds whole rows at the start of a text; `last`: no text follows.
    pub fn split(&mut self, text: &[u8], last: bool) -> Split {
        self.blanks.clear();
        let window = &text[..text.len().min(self.window)];
        if let Some(found) = self.index.find(window, self.delimiter, self.columns) {
            let (rows, bytes) = (found.rows, found.bytes);
            if rows > 0 && (found.ascii || std::str::from_utf8(&text[..bytes]).is_ok()) {
                let fields = Fields::InPlace { quoted: found.quoted, returns: found.returns };
                return Split { rows, bytes, fields, defect: None };
            }
            if rows == 0 && !last && window.len() == text.len() {
                return Split::nothing();
            }
        }
        let near = &text[..text.len().min(2 * self.window)];
        let split = self.carefully(near, last && near.len() == text.len());
        if split.bytes > 0 || split.defect.is_some() || near.len() == text.len() {
            return split;
        }
        self.carefully(text, last)
    }

    /// The same for any text, at least one row of it or about a window.
    fn carefully(&mut self, text: &[u8], last: bool) -> Split {
        let (text, broken) = valid_part(text, last);
        let last = last && !broken;
        self.records.clear();
        self.blanks.clear();
        if let Err(error) = self.records.reserve(text.len()) {
            return Split::refused(error);
        }
        let mut split = Split::nothing();
        while split.bytes < text.len() {
            if split.bytes >= self.window {
                return split;
            }
            let mark = (self.records.text.len(), self.records.bounds.len());
            let (next, defect) =
                match self.records.read(text, split.bytes, self.delimiter, self.columns, last) {
                    Record::Blank { next } => {
                        self.blank(&mut split);
                        (next, None)
                    }
                    Record::Unfinished { quoted } => {
                        split.defect = (last && quoted).then_some(Defect::Open);
                        break;
                    }
                    Record::Row { stray: true, .. } => (0, Some(Defect::Stray)),
                    Record::Row { fields, .. } if fields != self.columns => (0, Some(Defect::Ragged(fields))),
                    Record::Row { next, .. } => {
                        split.rows += 1;
                        (next, None)
                    }
                };
            if defect.is_some() {
                self.records.forget(mark);
                split.defect = defect;
                return split;
            }
            split.bytes = next;
        }
        if broken {
            split.defect = Some(Defect::NotText);
        }
        split
    }

    /// A blank line is an empty field where rows have one field, and nothing elsewhere.
    fn blank(&mut self, split: &mut Split) {
        if self.columns == 1 {
            self.records.push(b"");
            split.rows += 1;
        } else {
            self.blanks.push(split.rows);
        }
    }
}
