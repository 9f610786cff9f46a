//! Reads records, and never fails on one of them.
//!
//! This is how private rows are read. The contract, its stability: text that a conforming writer made of a sequence of
//! records (one that quotes every field with a delimiter, a quote, a return or a line feed in it; or whose records are lines,
//! where so declared) becomes a sequence of rows in which each record is at most one row, whatever it holds and whatever
//! the others do. So one record more or less is at most one row more or less. A record that is no row (a field too many,
//! bytes that are no text) is dropped, or counts as a row without any value; no error, and no number that this reader
//! tells, depends on what stands in a record. What it makes of text that no conforming writer wrote, SECURITY.md says.

use super::column::Column;
use super::encode::Encoder;
use super::header::{self, Layout};
#[cfg(feature = "threads")]
use super::lanes::Lane;
use super::options::{Dialect, Framing, LineEnd};
use super::records::RecordEnd;
use super::report::{self, LONGEST_ROW};
use super::split::{Defect, Split};
use super::text::Decoder;
use super::{Encoding, Format, Ignore, ReadOptions, Splitter, WINDOW, encode_columns};
use crate::{Code, Error, Result, Schema};
use std::sync::Arc;

pub use names::Names;

/// What becomes of a record that is no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadRows {
    /// It does not count.
    Drop,
    /// It counts as a row in which every value is absent.
    Null,
}

/// Some rows, in the order of the text.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// The codes of each attribute of the file.
    pub codes: &'a [&'a [u16]],
    /// A name for each row, where a column of names was asked for.
    pub names: Option<&'a Names>,
    /// The records among them that are no rows.
    pub bad: &'a [BadRecord],
    /// How many of the rows hold a line end, where the reader was asked to look.
    pub broken: usize,
}

/// A record that is no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadRecord {
    /// How many rows of the batch come before it.
    pub before: usize,
    /// Why.
    pub flaw: Flaw,
}

/// Why a record is no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flaw {
    /// It has more or fewer fields than there are columns.
    Ragged,
    /// Text follows a closing quote.
    Stray,
    /// A quote is never closed.
    Open,
    /// It is longer than a record may be.
    TooLong,
    /// Its bytes are no text in the encoding.
    NotText,
    /// It is not one flat object in JSON, or has a key twice.
    NotFlat,
}

impl Flaw {
    /// Every one, in order.
    pub const ALL: [Flaw; 6] =
        [Flaw::Ragged, Flaw::Stray, Flaw::Open, Flaw::TooLong, Flaw::NotText, Flaw::NotFlat];
}

impl From<&Defect> for Flaw {
    fn from(defect: &Defect) -> Self {
        match defect {
            Defect::Ragged(_) => Flaw::Ragged,
            Defect::Stray | Defect::Bare => Flaw::Stray,
            Defect::Open => Flaw::Open,
            Defect::TooLong => Flaw::TooLong,
            Defect::NotText => Flaw::NotText,
            Defect::Json(_) | Defect::Undeclared(_) | Defect::Duplicate(_) | Defect::NoMemory(_) => {
                Flaw::NotFlat
            }
        }
    }
}

/// Where rows go.
pub trait RowSink {
    /// Takes some rows, and hears of records among them that are none.
    fn take(&mut self, batch: Batch<'_>) -> Result<()>;
}

/// How a text is read of which no record is refused.
#[derive(Debug, Clone)]
pub struct LenientOptions {
    /// How rows and fields are written.
    pub format: Format,
    /// How characters are written.
    pub encoding: Encoding,
    /// What becomes of a record that is no row.
    pub bad_rows: BadRows,
    /// A column whose texts go along with the rows.
    pub name: Option<String>,
}

/// Reads one text, record by record.
pub struct LenientReader {
    schema: Arc<Schema>,
    options: ReadOptions,
    bad_rows: BadRows,
    decoder: Decoder,
    splitter: Splitter,
    columns: Vec<Column>,
    name_place: Option<usize>,
    names: Names,
    scratch: Vec<u8>,
    /// Text that is not read yet: an unfinished record, and what came after it.
    pending: Vec<u8>,
    /// At least as much text is gathered before it is looked at, and now.
    least: usize,
    goal: usize,
    /// What threads need to read several stretches at once.
    #[cfg(feature = "threads")]
    lanes: Vec<Lane>,
    #[cfg(feature = "threads")]
    window: usize,
    laid_out: bool,
    /// Within a record that is longer than one may be, which was dealt with when it became so.
    overlong: Option<RecordEnd>,
    counts_broken: bool,
}

impl LenientReader {
    /// A reader for one text under a schema that has a code for every text. Columns that nobody asked for are passed over.
    pub fn new(schema: Arc<Schema>, options: LenientOptions) -> Result<Self> {
        Self::with_window(schema, options, WINDOW)
    }

    /// The same, for which so many bytes are enough to look at: it changes the speed and nothing else.
    pub fn with_window(schema: Arc<Schema>, options: LenientOptions, window: usize) -> Result<Self> {
        if let Some(partial) = schema.base().iter().find(|a| !a.is_total()) {
            let message = format!(
                "{} does not say what becomes of other texts, as a private table needs: set `other`, or `nullable` beside \"clamp\"",
                report::quote(&partial.name)
            );
            return Err(Error::new(Code::SchemaInvalid, message));
        }
        let LenientOptions { format, encoding, bad_rows, name } = options;
        // To the layout the names are like weights: one column more that must be there, once.
        let options =
            ReadOptions { format, encoding, weight: name, ignore: Ignore::All, keep_raw: Vec::new() };
        options.check(&schema)?;
        let mut reader = Self {
            decoder: Decoder::new(encoding),
            splitter: Splitter::new(&schema, &options, true, window),
            columns: Vec::new(),
            name_place: None,
            names: Names::default(),
            scratch: Vec::new(),
            pending: Vec::new(),
            least: window,
            goal: window,
            #[cfg(feature = "threads")]
            lanes: Vec::new(),
            #[cfg(feature = "threads")]
            window,
            laid_out: false,
            overlong: None,
            counts_broken: false,
            schema,
            options,
            bad_rows,
        };
        if let Splitter::Ndjson(_) = reader.splitter {
            reader.lay_out(&Layout::names(&reader.schema, &reader.options))?;
        }
        Ok(reader)
    }

    /// The same reader, which tells how many rows hold a line end.
    pub(super) fn counting_broken(self) -> Self {
        Self { counts_broken: true, ..self }
    }

    /// Reads a piece of the text, cut anywhere. The header is looked at as soon as it is there, rows when they are many.
    pub fn push(&mut self, mut bytes: &[u8], sink: &mut impl RowSink) -> Result<()> {
        while !bytes.is_empty() {
            let room = self.goal.saturating_sub(self.pending.len());
            let most = if room == 0 { self.least } else { room };
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

    /// Reads the records that are whole; `last`: no text follows.
    fn read(&mut self, last: bool, sink: &mut impl RowSink) -> Result<()> {
        let text = std::mem::take(&mut self.pending);
        let done = match self.header(&text, last)? {
            Some(start) => self.records(&text, start, last, sink)?,
            None => 0,
        };
        self.pending = text;
        self.pending.drain(..done);
        self.goal = (2 * self.pending.len()).clamp(self.least, LONGEST_ROW + 1);
        if self.pending.len() <= LONGEST_ROW {
            return Ok(());
        }
        if !self.laid_out {
            return Err(header::no_header());
        }
        let mut end = RecordEnd::new(self.dialect());
        end.find(&self.pending);
        self.overlong = Some(end);
        self.pending.clear();
        self.goal = self.least;
        self.hand_on_bad(&[BadRecord { before: 0, flaw: Flaw::TooLong }], sink)
    }

    /// How the ends of records are found; those of JSON are lines.
    fn dialect(&self) -> Dialect {
        match self.options.format {
            Format::Csv(dialect) => dialect,
            Format::Ndjson | Format::Rows => {
                Dialect { framing: Framing::Lines, line_end: LineEnd::Lf, ..Dialect::default() }
            }
        }
    }

    /// Where the records begin; nothing while the header is not whole.
    fn header(&mut self, text: &[u8], last: bool) -> Result<Option<usize>> {
        let Splitter::Csv(csv) = &mut self.splitter else { return Ok(Some(0)) };
        if self.laid_out {
            return Ok(Some(0));
        }
        let encoding = self.options.encoding.name();
        let header = csv.header(text, last);
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

    /// Reads whole records from `at`; gives the place of the first unfinished one.
    fn records(&mut self, text: &[u8], mut at: usize, last: bool, sink: &mut impl RowSink) -> Result<usize> {
        if let Some(end) = &mut self.overlong {
            let Some(next) = end.find(text) else { return Ok(text.len()) };
            self.overlong = None;
            at = next;
        }
        while at < text.len() {
            let rest = &text[at..];
            #[cfg(feature = "threads")]
            {
                let read = self.read_in_lanes(rest, sink)?;
                if read > 0 {
                    at += read;
                    continue;
                }
            }
            let split = self.splitter.split(rest, last);
            split.had_memory()?;
            if split.bytes == 0 {
                break;
            }
            self.encode(&split, rest, sink)?;
            at += split.bytes;
        }
        Ok(at)
    }

    fn encode(&mut self, split: &Split, text: &[u8], sink: &mut impl RowSink) -> Result<()> {
        let block = self.splitter.block(split, text);
        self.columns.iter_mut().try_for_each(|column| column.reserve(block.rows))?;
        encode_columns(&mut self.columns, &block);
        if let Some(place) = self.name_place {
            self.names.fill(&block, place, &mut self.scratch);
        }
        let broken = if self.counts_broken { block.broken(&mut self.scratch) } else { 0 };
        self.hand_on(&self.columns, split, broken, sink)
    }

    /// Gives the sink what columns hold, and then the rows that bad records count as.
    fn hand_on(
        &self,
        columns: &[Column],
        split: &Split,
        broken: usize,
        sink: &mut impl RowSink,
    ) -> Result<()> {
        let bad: Vec<BadRecord> = split
            .bad
            .iter()
            .map(|(before, defect)| BadRecord { before: *before, flaw: defect.into() })
            .collect();
        if split.rows > 0 {
            let codes: Vec<&[u16]> = columns.iter().map(|column| &column.codes[..]).collect();
            sink.take(Batch {
                codes: &codes,
                names: self.name_place.map(|_| &self.names),
                bad: &bad,
                broken,
            })?;
            return self.absent_rows(bad.len(), sink);
        }
        self.hand_on_bad(&bad, sink)
    }

    /// Records that are no rows, without rows beside them.
    fn hand_on_bad(&self, bad: &[BadRecord], sink: &mut impl RowSink) -> Result<()> {
        if bad.is_empty() {
            return Ok(());
        }
        let none: Vec<&[u16]> = vec![&[]; self.columns.len()];
        let names = self.name_place.map(|_| Names::default());
        sink.take(Batch { codes: &none, names: names.as_ref(), bad, broken: 0 })?;
        self.absent_rows(bad.len(), sink)
    }

    /// The rows that so many bad records count as. They have no names either.
    fn absent_rows(&self, count: usize, sink: &mut impl RowSink) -> Result<()> {
        if count == 0 || self.bad_rows == BadRows::Drop {
            return Ok(());
        }
        let codes: Vec<Vec<u16>> = self.schema.base().iter().map(|a| vec![absent(a); count]).collect();
        let codes: Vec<&[u16]> = codes.iter().map(|codes| &codes[..]).collect();
        let names = self.name_place.map(|_| Names::absent(count));
        sink.take(Batch { codes: &codes, names: names.as_ref(), bad: &[], broken: 0 })
    }
}

/// The code of an absent value, which every attribute of a total schema has.
fn absent(attribute: &crate::Attribute) -> u16 {
    attribute.null_code().or(attribute.other_code()).unwrap_or(0)
}

#[cfg(feature = "threads")]
mod lanes;
mod names;
#[cfg(test)]
mod tests;
