//! Reads rows that are one line each, and never fails on one of them.
//!
//! This is how private rows are read. Here a line feed ends a row, also within quotes: so no line can change how
//! another is read, and adding one line to a file adds at most one row. A line that is no row (a field too many,
//! a quote left open, bytes that are no text) is dropped, or counts as a row without any value; no error, and no
//! number that this reader tells, depends on what stands in a line.

use super::column::Column;
use super::csv::Csv;
use super::encode::Encoder;
use super::header::{self, Layout};
#[cfg(feature = "threads")]
use super::lanes::Lane;
use super::ndjson::Ndjson;
use super::report::{self, LONGEST_ROW};
use super::split::{Defect, Fields, Split};
use super::text::Decoder;
use super::{Format, Ignore, ReadOptions, Splitter, WINDOW, encode_columns};
use crate::{Code, Error, Result, Schema};
use std::sync::Arc;

pub use names::Names;

/// What becomes of a line that is no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadRows {
    /// It does not count.
    Drop,
    /// It counts as a row in which every value is absent.
    Null,
}

/// Where rows go.
pub trait RowSink {
    /// Takes some rows: the codes of each attribute of the file, and a name for each row where a column of names
    /// was asked for.
    fn take(&mut self, codes: &[&[u16]], names: Option<&Names>) -> Result<()>;

    /// Hears of a line that is no row, before the row comes that it may count as.
    fn bad(&mut self) {}
}

/// Reads one text, line by line.
pub struct LineReader {
    schema: Arc<Schema>,
    options: ReadOptions,
    bad: BadRows,
    decoder: Decoder,
    splitter: Splitter,
    columns: Vec<Column>,
    name_place: Option<usize>,
    names: Names,
    scratch: Vec<u8>,
    pending: Vec<u8>,
    /// As much text is looked at together, and gathered before.
    window: usize,
    goal: usize,
    /// What threads need to read several stretches at once.
    #[cfg(feature = "threads")]
    lanes: Vec<Lane>,
    laid_out: bool,
    /// Within a line that is longer than a row may be.
    overlong: bool,
}

impl LineReader {
    /// A reader for one text under a schema that has a code for every text. `name` is a column whose texts go along
    /// with the rows; columns that are neither declared nor `name` are passed over.
    pub fn new(
        schema: Arc<Schema>,
        format: Format,
        name: Option<String>,
        bad: BadRows,
        encoding: super::Encoding,
    ) -> Result<Self> {
        Self::with_window(schema, format, name, (bad, encoding), WINDOW)
    }

    /// The same, for which so many bytes are enough to look at: it changes the speed and nothing else.
    fn with_window(
        schema: Arc<Schema>,
        format: Format,
        name: Option<String>,
        (bad, encoding): (BadRows, super::Encoding),
        window: usize,
    ) -> Result<Self> {
        if let Some(partial) = schema.base().iter().find(|a| !a.is_total()) {
            let message = format!(
                "{} does not say what becomes of other texts, as a private table needs: set `other`, or `nullable` beside \"clamp\"",
                report::quote(&partial.name)
            );
            return Err(Error::new(Code::SchemaInvalid, message));
        }
        // To the layout the names are like weights: one column more that must be there, once.
        let options =
            ReadOptions { format, encoding, weight: name, ignore: Ignore::All, keep_raw: Vec::new() };
        options.check(&schema)?;
        let mut reader = Self {
            decoder: Decoder::new(encoding),
            splitter: Splitter::Csv(Csv::new(b',', window)),
            columns: Vec::new(),
            name_place: None,
            names: Names::default(),
            scratch: Vec::new(),
            pending: Vec::new(),
            window,
            goal: window,
            #[cfg(feature = "threads")]
            lanes: Vec::new(),
            laid_out: false,
            overlong: false,
            schema,
            options,
            bad,
        };
        match format {
            Format::Csv { delimiter, .. } => reader.splitter = Splitter::Csv(Csv::new(delimiter, window)),
            Format::Ndjson | Format::Rows => {
                let names = Layout::names(&reader.schema, &reader.options);
                reader.splitter = Splitter::Ndjson(Ndjson::new(names.clone(), Ignore::All, window));
                reader.lay_out(&names)?;
            }
        }
        Ok(reader)
    }

    /// Reads a piece of the text, cut anywhere. The header is looked at as soon as it is there, rows when they are many.
    pub fn push(&mut self, mut bytes: &[u8], sink: &mut impl RowSink) -> Result<()> {
        while !bytes.is_empty() {
            let room = self.goal.saturating_sub(self.pending.len());
            let most = if room == 0 { self.window } else { room };
            let (now, rest) = bytes.split_at(bytes.len().min(most));
            let more = self.decoder.most(now.len());
            self.pending.try_reserve(more).map_err(|_| Error::out_of_memory(more))?;
            self.decoder.push(now, &mut self.pending);
            if !self.laid_out || self.pending.len() >= self.goal {
                self.read(false, sink)?;
            }
            bytes = rest;
        }
        Ok(())
    }

    /// Reads what is left.
    pub fn finish(mut self, sink: &mut impl RowSink) -> Result<()> {
        self.decoder.finish(&mut self.pending);
        self.read(true, sink)?;
        if self.laid_out { Ok(()) } else { Err(header::no_header()) }
    }

    /// Reads the lines that are whole; `last`: no text follows.
    fn read(&mut self, last: bool, sink: &mut impl RowSink) -> Result<()> {
        let text = std::mem::take(&mut self.pending);
        let start = self.header(&text, last)?;
        let end = if last { text.len() } else { text.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1) };
        if let Some(start) = start {
            let mut at = start.min(end);
            if self.overlong && end > 0 {
                // The end of an overlong line; the line was dealt with when it became too long.
                at = text.iter().position(|b| *b == b'\n').map_or(end, |i| i + 1);
                self.overlong = false;
            } else if text.len() - at >= LONGEST_ROW {
                // Only the first line can be as long, since all of it but the last piece was pending. It is no row, as
                // it would not be if a piece ended within it: where pieces end is a matter of other lines.
                let length = text[at..end].iter().position(|b| *b == b'\n').unwrap_or(end - at);
                if length >= LONGEST_ROW {
                    self.bad_row(sink)?;
                    at = (at + length + 1).min(end);
                }
            }
            self.lines(&text[at..end.max(at)], sink)?;
            self.pending = text;
            self.pending.drain(..end.max(at));
            if self.pending.len() >= LONGEST_ROW || self.overlong {
                if !self.overlong {
                    self.bad_row(sink)?;
                }
                self.overlong = true;
                self.pending.clear();
            }
        } else {
            self.pending = text;
            if self.pending.len() >= LONGEST_ROW {
                return Err(header::no_header());
            }
        }
        Ok(())
    }

    /// Where the rows begin; nothing while the header is not whole.
    fn header(&mut self, text: &[u8], last: bool) -> Result<Option<usize>> {
        let Splitter::Csv(csv) = &mut self.splitter else { return Ok(Some(0)) };
        if self.laid_out {
            return Ok(Some(0));
        }
        let encoding = self.options.encoding.name();
        // A line feed ends the header as well, also within quotes.
        let begun = text.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(text.len());
        let end = text[begun..].iter().position(|byte| *byte == b'\n').map(|i| begun + i + 1);
        let header = match csv.header(&text[..end.unwrap_or(text.len())], last) {
            Ok(None) if end.is_some() => Err(Defect::Open),
            header => header,
        };
        let header = header.map_err(|defect| report::defect(&defect, "the first line", 0, encoding))?;
        let Some((names, bytes, _)) = header else { return Ok(None) };
        self.lay_out(&names)?;
        Ok(Some(bytes))
    }

    fn lay_out(&mut self, names: &[String]) -> Result<()> {
        let layout = Layout::of(names, &self.schema, &self.options)?;
        self.columns = self.encoders(&layout);
        self.name_place = layout.weight;
        #[cfg(feature = "threads")]
        self.make_lanes(&layout);
        self.laid_out = true;
        Ok(())
    }

    fn encoders(&self, layout: &Layout) -> Vec<Column> {
        let point = self.options.format.point();
        let columns = self.schema.base().iter().zip(&layout.attributes);
        let column = |(attribute, place): (_, &usize)| {
            Column::new(Encoder::new(&self.schema, attribute, point), *place, false)
        };
        columns.map(column).collect()
    }

    /// Reads whole lines.
    fn lines(&mut self, text: &[u8], sink: &mut impl RowSink) -> Result<()> {
        #[cfg(feature = "threads")]
        let text = &text[self.read_in_lanes(text, sink)?..];
        self.lines_here(text, sink)
    }

    /// The same in this thread: many at once while they are rows, one by one after one that is not.
    fn lines_here(&mut self, text: &[u8], sink: &mut impl RowSink) -> Result<()> {
        let (mut at, mut stretch) = (0, usize::MAX);
        while at < text.len() {
            let rest = &text[at..];
            let part = &rest[..after_lines(rest, stretch)];
            let split = self.split(part);
            if let Some(Defect::NoMemory(error)) = split.defect {
                return Err(error);
            }
            if are_rows(part, &split, self.blanks()) {
                self.encode(&split, part, sink)?;
                at += split.bytes;
                stretch = stretch.saturating_mul(2);
            } else if stretch > 1 {
                stretch = 1;
            } else {
                self.bad_row(sink)?;
                at += part.len();
            }
        }
        Ok(())
    }

    fn split(&mut self, text: &[u8]) -> Split {
        match &mut self.splitter {
            Splitter::Csv(csv) => csv.split(text, true),
            Splitter::Ndjson(ndjson) => ndjson.split(text, true),
        }
    }

    fn blanks(&self) -> usize {
        match &self.splitter {
            Splitter::Csv(csv) => csv.blanks.len(),
            Splitter::Ndjson(ndjson) => ndjson.blanks.len(),
        }
    }

    fn encode(&mut self, split: &Split, text: &[u8], sink: &mut impl RowSink) -> Result<()> {
        if split.rows == 0 {
            return Ok(());
        }
        let block = match &self.splitter {
            Splitter::Csv(csv) => csv.block(split, text),
            Splitter::Ndjson(ndjson) => ndjson.block(split),
        };
        encode_columns(&mut self.columns, &block);
        if let Some(place) = self.name_place {
            self.names.fill(&block, place, &mut self.scratch);
        }
        hand_on(&self.columns, self.name_place.map(|_| &self.names), sink)
    }

    /// A row whose values are all absent has no name either.
    fn bad_row(&mut self, sink: &mut impl RowSink) -> Result<()> {
        sink.bad();
        if self.bad == BadRows::Drop {
            return Ok(());
        }
        let codes: Vec<[u16; 1]> = self.schema.base().iter().map(|a| [absent(a)]).collect();
        let codes: Vec<&[u16]> = codes.iter().map(|code| &code[..]).collect();
        self.names.none();
        sink.take(&codes, self.name_place.map(|_| &self.names))
    }
}

/// The code of an absent value, which every attribute of a total schema has.
fn absent(attribute: &crate::Attribute) -> u16 {
    attribute.null_code().or(attribute.other_code()).unwrap_or(0)
}

/// The bytes of the first `count` lines.
fn after_lines(text: &[u8], count: usize) -> usize {
    if count == usize::MAX {
        return text.len();
    }
    let ends = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    ends.map(|(i, _)| i + 1).take(count).nth(count - 1).unwrap_or(text.len())
}

/// Gives the sink what the columns hold.
fn hand_on(columns: &[Column], names: Option<&Names>, sink: &mut impl RowSink) -> Result<()> {
    let codes: Vec<&[u16]> = columns.iter().map(|column| &column.codes[..]).collect();
    sink.take(&codes, names)
}

/// Whether the rows and blank lines that were found in the first bytes of whole lines are these lines one by one. The
/// splitter ends rows at line feeds and at lone returns only: without a lone return, as many line ends as rows
/// leave none over that could stand within a row. A single line that is a single row may hold a return in quotes.
fn are_rows(lines: &[u8], split: &Split, blanks: usize) -> bool {
    let (text, rows) = (&lines[..split.bytes], split.rows + blanks);
    if let Fields::InPlace { quoted: false, .. } = split.fields {
        // Each of these rows ends with a line feed, and nothing stands in quotes.
        return true;
    }
    let feeds = text.iter().filter(|byte| **byte == b'\n').count();
    let unended = usize::from(text.last() != Some(&b'\n'));
    let ends_a_line = unended == 0 || split.bytes == lines.len();
    let lone = |(i, byte): (usize, &u8)| *byte == b'\r' && !matches!(text.get(i + 1), Some(b'\n') | None);
    let returns = text.contains(&b'\r');
    let one_by_one = rows == 1 || !returns || !text.iter().enumerate().any(lone);
    split.bytes > 0 && ends_a_line && feeds + unended == rows && one_by_one
}

#[cfg(feature = "threads")]
mod lanes;
mod names;
#[cfg(test)]
mod tests;
