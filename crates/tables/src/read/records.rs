//! The careful way to find fields: byte by byte, for any text.
//!
//! A field that begins with a quote is quoted up to the next quote that is not doubled, delimiters and line ends
//! included; quotes elsewhere are text like any other, and so is a return or line feed that ends no record.

use super::block::BEFORE;
use super::options::{Dialect, Framing, LineEnd};
use crate::room::reserve;

/// Fields taken out of their quotes, one after another with one byte between them.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub text: Vec<u8>,
    /// As [`Block::bounds`](super::block::Block::bounds).
    pub bounds: Vec<u32>,
}

/// What stands at a place of a text; what follows it begins at `next`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Record {
    Row {
        next: usize,
        row: Row,
    },
    /// A line without a byte.
    Blank {
        next: usize,
    },
    /// A quote is not closed before the text ends, or the line.
    Open {
        next: usize,
    },
    /// The text ends before the record does.
    Unfinished,
}

/// What a row is like.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Row {
    pub fields: usize,
    /// There is text after a closing quote.
    pub stray: bool,
    /// A return or line feed outside quotes is text.
    pub bare: bool,
}

/// Why a row has no end.
enum Stop {
    Open,
    Unfinished,
}

/// What a return or line feed outside quotes is.
enum End {
    /// The end of a record; the next begins there.
    Yes(usize),
    /// Text.
    No,
    /// A return, and which of the two it is the next byte says.
    Unknown,
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
    pub fn read(&mut self, text: &[u8], at: usize, dialect: Dialect, keep: usize, last: bool) -> Record {
        let Dialect { delimiter, line_end, .. } = dialect;
        if dialect.framing == Framing::Quoted {
            return self.one(text, at, Marks { delimiter, line_end: Some(line_end), last }, keep);
        }
        let Some((end, after)) = line(text, at, line_end, last) else { return Record::Unfinished };
        if end == at {
            return Record::Blank { next: after };
        }
        match self.one(&text[..end], at, Marks { delimiter, line_end: None, last: true }, keep) {
            Record::Row { row, .. } => Record::Row { next: after, row },
            _ => Record::Open { next: after },
        }
    }

    fn one(&mut self, text: &[u8], at: usize, marks: Marks, keep: usize) -> Record {
        if matches!(text[at], b'\r' | b'\n') {
            match marks.end(text, at) {
                End::Yes(next) => return Record::Blank { next },
                End::Unknown => return Record::Unfinished,
                End::No => {}
            }
        }
        let mark = (self.text.len(), self.bounds.len());
        self.row(text, at, marks, keep).unwrap_or_else(|stop| {
            self.forget(mark);
            match stop {
                Stop::Open if marks.last => Record::Open { next: text.len() },
                Stop::Open | Stop::Unfinished => Record::Unfinished,
            }
        })
    }

    /// Drops what was appended since the text and the bounds had these lengths.
    pub fn forget(&mut self, mark: (usize, usize)) {
        self.text.truncate(mark.0);
        self.bounds.truncate(mark.1);
    }

    fn row(&mut self, text: &[u8], mut at: usize, marks: Marks, keep: usize) -> Result<Record, Stop> {
        let mut row = Row::default();
        loop {
            let start = self.text.len();
            let ended = self.field(text, at, marks, &mut row)?;
            row.fields += 1;
            if row.fields <= keep {
                self.end_field();
            } else {
                self.text.truncate(start);
            }
            match ended {
                Ended::Field(next) => at = next,
                Ended::Record(next) => return Ok(Record::Row { next, row }),
            }
        }
    }

    /// Appends the text of the field at `at`; says what its end is.
    fn field(&mut self, text: &[u8], mut at: usize, marks: Marks, row: &mut Row) -> Result<Ended, Stop> {
        let quoted = text.get(at) == Some(&b'"');
        if quoted {
            at = self.quoted(text, at + 1)?;
        }
        let (start, mut from) = (at, at);
        let (stop, ended) = loop {
            let found = text[from..].iter().position(|b| *b == marks.delimiter || matches!(b, b'\r' | b'\n'));
            let Some(place) = found.map(|i| from + i) else {
                if !marks.last {
                    return Err(Stop::Unfinished);
                }
                break (text.len(), Ended::Record(text.len()));
            };
            if text[place] == marks.delimiter {
                break (place, Ended::Field(place + 1));
            }
            match marks.end(text, place) {
                End::Yes(next) => break (place, Ended::Record(next)),
                End::Unknown => return Err(Stop::Unfinished),
                End::No => (row.bare, from) = (true, place + 1),
            }
        };
        row.stray |= quoted && stop > start;
        self.text.extend_from_slice(&text[start..stop]);
        Ok(ended)
    }

    /// Appends a quoted text and gives the place after its closing quote.
    fn quoted(&mut self, text: &[u8], mut at: usize) -> Result<usize, Stop> {
        loop {
            let length = text[at..].iter().position(|b| *b == b'"').ok_or(Stop::Open)?;
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

/// What ends with a field, and where the next one begins.
enum Ended {
    Field(usize),
    Record(usize),
}

/// What ends fields and records.
#[derive(Debug, Clone, Copy)]
struct Marks {
    delimiter: u8,
    /// Nothing where the text is one record.
    line_end: Option<LineEnd>,
    last: bool,
}

impl Marks {
    /// What the return or line feed at `at` is. A return that no byte follows is half of a line end.
    fn end(self, text: &[u8], at: usize) -> End {
        let Some(line_end) = self.line_end else { return End::No };
        match (text[at], text.get(at + 1)) {
            (b'\n', _) if line_end == LineEnd::Crlf => End::No,
            (b'\n', _) => End::Yes(at + 1),
            (_, Some(b'\n')) => End::Yes(at + 2),
            (_, None) if !self.last => End::Unknown,
            (_, None) => End::Yes(at + 1),
            _ if line_end == LineEnd::Any => End::Yes(at + 1),
            _ => End::No,
        }
    }
}

/// The end of the line that begins at `at`, and the place of the next, whatever stands in quotes.
fn line(text: &[u8], at: usize, line_end: LineEnd, last: bool) -> Option<(usize, usize)> {
    let marks = Marks { delimiter: 0, line_end: Some(line_end), last };
    let mut from = at;
    while let Some(i) = text[from..].iter().position(|b| matches!(b, b'\r' | b'\n')) {
        match marks.end(text, from + i) {
            End::Yes(next) => return Some((from + i, next)),
            End::No => from += i + 1,
            End::Unknown => return None,
        }
    }
    last.then_some((text.len(), text.len()))
}

/// Finds the end of a record that is too long to be kept, byte by byte.
#[derive(Debug)]
pub(super) struct RecordEnd {
    dialect: Dialect,
    state: State,
    /// The last byte was a return outside quotes.
    returned: bool,
}

/// Where in a record a byte stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    FieldStart,
    Plain,
    Quoted,
    /// After a quote within a quoted field, which closes it unless it is the first of two.
    Quote,
}

impl RecordEnd {
    /// For a record of which no byte was read.
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, state: State::FieldStart, returned: false }
    }

    /// The place after the end of the record in the text that comes next, if it is there.
    pub fn find(&mut self, text: &[u8]) -> Option<usize> {
        text.iter().enumerate().find_map(|(i, byte)| self.ends(*byte).map(|more| i + more))
    }

    /// Whether the record ends with this byte (1) or did before it (0).
    fn ends(&mut self, byte: u8) -> Option<usize> {
        let Dialect { delimiter, framing, line_end, .. } = self.dialect;
        let returned = std::mem::take(&mut self.returned);
        if returned && byte != b'\n' && line_end == LineEnd::Any {
            return Some(0);
        }
        self.state = match (self.state, byte) {
            (State::Quoted, b'"') => State::Quote,
            (State::Quoted, _) | (State::Quote, b'"') => State::Quoted,
            (_, b'\n') if returned || line_end != LineEnd::Crlf => return Some(1),
            (State::FieldStart, b'"') if framing == Framing::Quoted => State::Quoted,
            (_, byte) if byte == delimiter => State::FieldStart,
            (_, byte) => {
                self.returned = byte == b'\r';
                State::Plain
            }
        };
        None
    }
}
