//! The careful way to find fields: byte by byte, for any text.
//!
//! Line feed, return, and return with line feed end a row. A field that begins with a quote is quoted up to the
//! next quote that is not doubled, delimiters and line ends included; quotes elsewhere are text like any other.

use super::block::BEFORE;
use crate::room::reserve;

/// Fields taken out of their quotes, one after another with one byte between them.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub text: Vec<u8>,
    /// As [`Block::bounds`](super::block::Block::bounds).
    pub bounds: Vec<u32>,
}

/// What stands at a place of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Record {
    /// A row; the next record begins at `next`. `stray`: there is text after a closing quote.
    Row { next: usize, fields: usize, stray: bool },
    /// A line without a byte.
    Blank { next: usize },
    /// The text ends before the row does, maybe within quotes.
    Unfinished { quoted: bool },
}

impl Records {
    pub fn clear(&mut self) {
        self.text.clear();
        self.bounds.clear();
        self.bounds.push(BEFORE);
    }

    /// Makes room for the fields of so many bytes of text, each of which ends with a byte of it or of its end.
    pub fn reserve(&mut self, bytes: usize) -> crate::Result<()> {
        reserve(&mut self.text, bytes + 2)?;
        reserve(&mut self.bounds, bytes + 2)
    }

    /// Appends a field.
    pub fn push(&mut self, field: &[u8]) {
        self.text.extend_from_slice(field);
        self.end_field();
    }

    /// Reads the record at `at`, which must be before the end of the text, and appends its fields, the first
    /// `keep` of them. `last`: no text follows.
    pub fn read(&mut self, text: &[u8], at: usize, delimiter: u8, keep: usize, last: bool) -> Record {
        let mark = (self.text.len(), self.bounds.len());
        let record = match text[at] {
            b'\r' | b'\n' => after_line_end(text, at, last).map(|next| Record::Blank { next }),
            _ => self.row(text, at, delimiter, keep, last),
        };
        record.unwrap_or_else(|quoted| {
            self.forget(mark);
            Record::Unfinished { quoted }
        })
    }

    /// Drops what was appended since the text and the bounds had these lengths.
    pub fn forget(&mut self, mark: (usize, usize)) {
        self.text.truncate(mark.0);
        self.bounds.truncate(mark.1);
    }

    fn row(
        &mut self,
        text: &[u8],
        mut at: usize,
        delimiter: u8,
        keep: usize,
        last: bool,
    ) -> Result<Record, bool> {
        let (mut fields, mut any_stray) = (0, false);
        loop {
            let start = self.text.len();
            let (end, stray) = self.field(text, at, delimiter, last)?;
            any_stray |= stray;
            fields += 1;
            if fields <= keep {
                self.end_field();
            } else {
                self.text.truncate(start);
            }
            let next = match text.get(end) {
                None => end,
                Some(byte) if *byte == delimiter => {
                    at = end + 1;
                    continue;
                }
                Some(_) => after_line_end(text, end, last)?,
            };
            return Ok(Record::Row { next, fields, stray: any_stray });
        }
    }

    /// Appends the text of the field at `at`; gives the place of its end and whether text follows a closing
    /// quote. The error is whether the text ends within quotes.
    fn field(
        &mut self,
        text: &[u8],
        mut at: usize,
        delimiter: u8,
        last: bool,
    ) -> Result<(usize, bool), bool> {
        let quoted = text.get(at) == Some(&b'"');
        if quoted {
            at = self.quoted(text, at + 1)?;
        }
        let rest = &text[at..];
        let end = rest.iter().position(|b| *b == delimiter || matches!(b, b'\r' | b'\n'));
        let end = end.or(last.then_some(rest.len())).ok_or(false)?;
        self.text.extend_from_slice(&rest[..end]);
        Ok((at + end, quoted && end > 0))
    }

    /// Appends a quoted text and gives the place after its closing quote.
    fn quoted(&mut self, text: &[u8], mut at: usize) -> Result<usize, bool> {
        loop {
            let length = text[at..].iter().position(|b| *b == b'"').ok_or(true)?;
            self.text.extend_from_slice(&text[at..at + length]);
            at += length + 1;
            match text.get(at) {
                Some(b'"') => self.text.push(b'"'),
                _ => return Ok(at),
            }
            at += 1;
        }
    }

    fn end_field(&mut self) {
        self.bounds.push(self.text.len() as u32);
        self.text.push(b'\n');
    }
}

/// The place after the line end at `at`; an error when a line feed may still follow a return.
fn after_line_end(text: &[u8], at: usize, last: bool) -> Result<usize, bool> {
    match (text[at], text.get(at + 1)) {
        (b'\r', Some(b'\n')) => Ok(at + 2),
        (b'\r', None) if !last => Err(false),
        _ => Ok(at + 1),
    }
}
