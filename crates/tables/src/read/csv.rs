//! Separated fields: finds whole records, the fast way where it can.

use super::block::Block;
use super::index::Index;
use super::options::{Dialect, Framing};
use super::records::{Record, Records, Row};
use super::report::LONGEST_ROW;
use super::split::{Defect, Fields, Split};

/// Cuts a text into rows of fields.
#[derive(Debug)]
pub(super) struct Csv {
    dialect: Dialect,
    /// About as many bytes are split at once.
    window: usize,
    /// Whether it goes on after a record that is no row.
    lenient: bool,
    columns: usize,
    index: Index,
    records: Records,
    /// For each blank line that a strict one skipped, how many rows stand before it.
    pub blanks: Vec<usize>,
}

/// The names in a header, the bytes it takes with the line end, and the blank lines before it.
pub(super) type Header = (Vec<String>, usize, usize);

impl Csv {
    pub fn new(dialect: Dialect, lenient: bool, window: usize) -> Self {
        let (index, records) = (Index::default(), Records::default());
        Self { dialect, window, lenient, columns: 0, index, records, blanks: Vec::new() }
    }

    /// Another one for the same text, which splits other rows of it.
    #[cfg(feature = "threads")]
    pub fn twin(&self) -> Self {
        Self { columns: self.columns, ..Self::new(self.dialect, self.lenient, self.window) }
    }

    /// How the text is written.
    #[cfg(feature = "threads")]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Fields of the header, and so of every row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// What can be read of a text whose rows begin at `start`: in a file of one column, a line without a byte is a row
    /// only when another row follows, because files often end with one.
    pub fn complete<'a>(&self, text: &'a [u8], start: usize) -> &'a [u8] {
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

    /// Reads the header, when it is whole, and from then on demands as many fields of every row. A lenient one reads the first
    /// line alone, because whoever asks for it looks no further.
    pub fn header(&mut self, text: &[u8], last: bool) -> Result<Option<Header>, Defect> {
        let framing = if self.lenient { Framing::Lines } else { self.dialect.framing };
        let dialect = Dialect { framing, ..self.dialect };
        let (mut at, mut blanks) = (0, 0);
        self.records.clear();
        self.records.reserve(text.len())?;
        while at < text.len() {
            match self.records.read(text, at, dialect, usize::MAX, last) {
                Record::Blank { next } => (at, blanks) = (next, blanks + 1),
                Record::Unfinished => break,
                Record::Open { .. } => return Err(Defect::Open),
                Record::Row { row: Row { stray: true, .. }, .. } => return Err(Defect::Stray),
                Record::Row { row: Row { bare: true, .. }, .. } => return Err(Defect::Bare),
                Record::Row { next, row } => {
                    self.columns = row.fields;
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

    /// Finds whole records at the start of a text; `last`: no text follows.
    pub fn split(&mut self, text: &[u8], last: bool) -> Split {
        self.blanks.clear();
        let window = &text[..text.len().min(self.window)];
        if let Some(found) = self.index.find(window, self.dialect, self.columns) {
            let (rows, bytes) = (found.rows, found.bytes);
            if rows > 0
                && (found.ascii || std::str::from_utf8(&text[..bytes]).is_ok())
                && !(self.skips_blanks() && self.index.has_blank(text, rows))
            {
                let fields = Fields::InPlace { quoted: found.quoted, returns: found.returns };
                return Split { rows, bytes, fields, bad: Vec::new() };
            }
            if rows == 0 && !last && window.len() == text.len() {
                return Split::nothing();
            }
        }
        let near = &text[..text.len().min(2 * self.window)];
        let split = self.carefully(near, last && near.len() == text.len());
        if split.bytes > 0 || !split.bad.is_empty() || near.len() == text.len() {
            return split;
        }
        self.carefully(text, last)
    }

    /// Whether lines without a byte are no rows where rows have one field. Strict readers take them for empty fields;
    /// whoever promises that a record more is at most a row more cannot, because writers that end no line write a last
    /// empty field as nothing at all.
    fn skips_blanks(&self) -> bool {
        self.lenient && self.columns == 1
    }

    /// The same for any text, at least one record of it or about a window.
    fn carefully(&mut self, text: &[u8], last: bool) -> Split {
        self.records.clear();
        self.blanks.clear();
        if let Err(error) = self.records.reserve(text.len()) {
            return Split::refused(error);
        }
        let mut split = Split::nothing();
        while split.bytes < text.len() && split.bytes < self.window {
            let mark = (self.records.text.len(), self.records.bounds.len());
            let at = split.bytes;
            let (next, defect) = match self.records.read(text, at, self.dialect, self.columns, last) {
                Record::Unfinished => break,
                Record::Blank { next } => {
                    self.blank(&mut split);
                    split.bytes = next;
                    continue;
                }
                Record::Open { next } => (next, Some(defect(&text[at..next]).unwrap_or(Defect::Open))),
                Record::Row { next, row } => (next, defect(&text[at..next]).or(self.misshape(row))),
            };
            match defect {
                None => split.rows += 1,
                Some(defect) => {
                    self.records.forget(mark);
                    split.bad.push((split.rows, defect));
                    if !self.lenient {
                        return split;
                    }
                }
            }
            split.bytes = next;
        }
        split
    }

    /// What is wrong with the fields of a row.
    fn misshape(&self, row: Row) -> Option<Defect> {
        match row {
            Row { stray: true, .. } => Some(Defect::Stray),
            Row { fields, .. } => (fields != self.columns).then_some(Defect::Ragged(fields)),
        }
    }

    fn blank(&mut self, split: &mut Split) {
        if self.lenient {
            return;
        }
        if self.columns == 1 {
            self.records.push(b"");
            split.rows += 1;
        } else {
            self.blanks.push(split.rows);
        }
    }
}

/// What is wrong with the bytes of a record, its end included.
fn defect(record: &[u8]) -> Option<Defect> {
    if record.len() > LONGEST_ROW {
        return Some(Defect::TooLong);
    }
    std::str::from_utf8(record).is_err().then_some(Defect::NotText)
}
