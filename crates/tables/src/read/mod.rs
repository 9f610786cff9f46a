//! Reads text into codes: bytes in, in any pieces; a [`Table`] out.
//!
//! Bytes become UTF-8 (`text`), UTF-8 becomes blocks of whole rows with the ends of their fields (`csv`, `ndjson`),
//! and each column of a block becomes codes ([`Encoder`], where the rules are). Only an unfinished row is carried
//! from one piece to the next, so memory grows with the codes and not with the text. All buffers belong to the
//! [`Reader`].
//!
//! - The first record names the columns, in any order.
//! - A line feed ends a record, or a return with a line feed, unless it stands in quotes; what else does, or that quotes do
//!   not matter, is said by a [`Dialect`]. The last record needs no line end.
//! - Lines without a byte are skipped; in a file of one column, each is an empty field if a row follows.
//! - A field that begins with a quote ends at the next quote that is not doubled; text between that and the next
//!   delimiter is refused. A quote elsewhere is text like any other.
//! - The first error is that of the first row, and in a row the leftmost; it names row and column, never a cell.
//!
//! Private text is read by the same rules and never refused: [`LenientReader`].

mod block;
mod check;
mod column;
mod csv;
mod dictionary;
mod encode;
mod header;
mod index;
#[cfg(feature = "threads")]
mod lanes;
mod lenient;
mod mask;
mod memo;
mod ndjson;
mod number;
mod numbers;
mod options;
mod records;
mod report;
mod split;
#[cfg(test)]
mod tests;
mod text;

pub use check::{Checker, Findings, Places};
pub use encode::Encoder;
pub use lenient::{BadRecord, BadRows, Batch, Flaw, LenientOptions, LenientReader, Names, RowSink};
pub use numbers::NumberReader;
pub use options::{Dialect, Encoding, Format, Framing, Ignore, LineEnd, ReadOptions};

use crate::{Error, Result, Schema, Table};
use block::Block;
use column::{Column, Weights};
use csv::Csv;
use header::Layout;
use ndjson::Ndjson;
use report::{LONGEST_ROW, Place};
use split::{Defect, Split};
use std::fmt;
use std::sync::Arc;
use text::Decoder;

/// Bytes that are looked at together: few enough that the ends of their fields stay in the cache between the
/// columns, and many enough that columns are worth a thread each.
const WINDOW: usize = 1 << 18;

/// Reads one text into a table.
pub struct Reader {
    schema: Arc<Schema>,
    options: ReadOptions,
    decoder: Decoder,
    splitter: Splitter,
    columns: Vec<Column>,
    weights: Option<Weights>,
    table: Table,
    /// Text that is not read yet: an unfinished row, and what came after it.
    pending: Vec<u8>,
    /// At least as much text is gathered before it is looked at, and now.
    least: usize,
    goal: usize,
    /// What threads need to read several stretches of CSV at once.
    #[cfg(feature = "threads")]
    lanes: Vec<lanes::Lane>,
    #[cfg(feature = "threads")]
    window: usize,
    /// Lines that are no rows: header and blank ones.
    skipped: u64,
    failed: Option<Error>,
}

/// How far it is; never what it read.
impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("rows", &self.rows()).finish_non_exhaustive()
    }
}

enum Splitter {
    Csv(Csv),
    Ndjson(Ndjson),
}

impl Splitter {
    fn new(schema: &Schema, options: &ReadOptions, lenient: bool, window: usize) -> Self {
        match options.format {
            Format::Csv(dialect) => Splitter::Csv(Csv::new(dialect, lenient, window)),
            Format::Ndjson | Format::Rows => {
                let names = Layout::names(schema, options);
                Splitter::Ndjson(Ndjson::new(names, options.ignore.clone(), lenient, window))
            }
        }
    }

    fn split(&mut self, text: &[u8], last: bool) -> Split {
        match self {
            Splitter::Csv(csv) => csv.split(text, last),
            Splitter::Ndjson(ndjson) => ndjson.split(text, last),
        }
    }

    /// The rows of the last split of a text.
    fn block<'a>(&'a self, split: &Split, text: &'a [u8]) -> Block<'a> {
        match self {
            Splitter::Csv(csv) => csv.block(split, text),
            Splitter::Ndjson(ndjson) => ndjson.block(split),
        }
    }
}

impl Reader {
    /// A reader for one text under a schema.
    pub fn new(schema: Arc<Schema>, options: ReadOptions) -> Result<Self> {
        Self::with_window(schema, options, WINDOW)
    }

    /// The same, for which so many bytes are enough to look at: it changes the speed and nothing else.
    pub fn with_window(schema: Arc<Schema>, options: ReadOptions, window: usize) -> Result<Self> {
        let window = window.clamp(1, LONGEST_ROW / 4);
        options.check(&schema)?;
        let table = Table::new(schema.clone(), options.weight.is_some(), &options.keep_raw);
        let splitter = Splitter::new(&schema, &options, false, window);
        let mut reader = Self {
            decoder: Decoder::new(options.encoding),
            splitter,
            columns: Vec::new(),
            weights: None,
            table,
            pending: Vec::new(),
            least: window,
            goal: window,
            #[cfg(feature = "threads")]
            lanes: Vec::new(),
            #[cfg(feature = "threads")]
            window,
            skipped: 0,
            failed: None,
            schema,
            options,
        };
        if matches!(reader.splitter, Splitter::Ndjson(_)) {
            reader.lay_out(&Layout::names(&reader.schema, &reader.options))?;
        }
        Ok(reader)
    }

    /// Reads a piece of the text. The pieces may be cut anywhere: the table and the first error are the same.
    /// After an error every further call gives the same one.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            self.check()?;
            let (now, rest) = bytes.split_at(bytes.len().min(self.goal - self.pending.len()));
            let more = self.decoder.most(now.len());
            self.pending.try_reserve(more).map_err(|_| Error::out_of_memory(more))?;
            self.decoder.push(now, &mut self.pending);
            if self.pending.len() >= self.goal {
                self.read(false)?;
            }
            bytes = rest;
        }
        self.check()
    }

    /// The rows that were read so far.
    pub fn rows(&self) -> usize {
        self.table.rows()
    }

    /// Reads what is left, and gives the table.
    pub fn finish(mut self) -> Result<Table> {
        self.check()?;
        self.decoder.finish(&mut self.pending);
        self.read(true)?;
        if self.columns.is_empty() && self.weights.is_none() {
            return Err(header::no_header());
        }
        Ok(self.table)
    }

    fn check(&self) -> Result<()> {
        self.failed.clone().map_or(Ok(()), Err)
    }

    /// Reads all whole rows that are pending; `last`: no text follows.
    fn read(&mut self, last: bool) -> Result<()> {
        let text = std::mem::take(&mut self.pending);
        let result = self.header(&text, last).and_then(|start| self.body(&text, start, last));
        self.pending = text;
        let done = result.inspect_err(|error| self.failed = Some(error.clone()))?;
        self.pending.drain(..done);
        self.goal = (2 * self.pending.len()).clamp(self.least, LONGEST_ROW + 1);
        if self.pending.len() > LONGEST_ROW {
            let error = self.defect(&Defect::TooLong);
            self.failed = Some(error.clone());
            return Err(error);
        }
        Ok(())
    }

    /// Reads the header if it was not read yet; gives the bytes it takes.
    fn header(&mut self, text: &[u8], last: bool) -> Result<Option<usize>> {
        let known = !self.columns.is_empty() || self.weights.is_some();
        let Splitter::Csv(csv) = &mut self.splitter else { return Ok(Some(0)) };
        if known {
            return Ok(Some(0));
        }
        let encoding = self.options.encoding.name();
        let header = csv.header(text, last);
        let Some((names, bytes, blanks)) =
            header.map_err(|d| report::defect(&d, "the first line", 0, encoding))?
        else {
            return Ok(None);
        };
        self.skipped = blanks as u64 + 1;
        self.lay_out(&names)?;
        Ok(Some(bytes))
    }

    /// Makes an encoder for each column.
    fn lay_out(&mut self, names: &[String]) -> Result<()> {
        let layout = Layout::of(names, &self.schema, &self.options)?;
        (self.columns, self.weights) = self.encoders(&layout);
        #[cfg(feature = "threads")]
        self.make_lanes(&layout);
        Ok(())
    }

    fn encoders(&self, layout: &Layout) -> (Vec<Column>, Option<Weights>) {
        let point = self.options.format.point();
        let column = |(i, (attribute, place)): (usize, (_, &usize))| {
            let encoder = Encoder::new(&self.schema, attribute, point);
            Column::new(encoder, *place, self.options.keep_raw.contains(&i))
        };
        let columns = self.schema.base().iter().zip(&layout.attributes).enumerate().map(column).collect();
        (columns, layout.weight.map(|place| Weights::new(place, point)))
    }

    /// Reads rows from `start`; gives the place of the first unfinished one.
    fn body(&mut self, text: &[u8], start: Option<usize>, last: bool) -> Result<usize> {
        let Some(mut at) = start else { return Ok(0) };
        let text = match &self.splitter {
            Splitter::Csv(csv) => csv.complete(text, at),
            Splitter::Ndjson(_) => text,
        };
        while at < text.len() {
            let rest = &text[at..];
            #[cfg(feature = "threads")]
            {
                let read = self.read_in_lanes(rest)?;
                if read > 0 {
                    at += read;
                    continue;
                }
            }
            let split = self.splitter.split(rest, last);
            self.encode(&split, rest)?;
            self.append(&split)?;
            if split.bytes == 0 {
                break;
            }
            at += split.bytes;
        }
        Ok(at)
    }

    /// Encodes the rows of a split.
    fn encode(&mut self, split: &Split, text: &[u8]) -> Result<()> {
        if split.rows == 0 {
            return Ok(());
        }
        let block = self.splitter.block(split, text);
        self.columns.iter_mut().try_for_each(|column| column.reserve(block.rows))?;
        encode_columns(&mut self.columns, &block);
        self.weights.as_mut().map_or(Ok(()), |weights| weights.read(&block))
    }

    /// Appends the rows of a split, which were encoded, to the table; then complains of what follows them.
    fn append(&mut self, split: &Split) -> Result<()> {
        if split.rows > 0 {
            self.extend()?;
        }
        self.skipped += self.blanks().len() as u64;
        self.blanks_mut().clear();
        split.bad.first().map_or(Ok(()), |(_, defect)| Err(self.defect(defect)))
    }

    /// Appends what the columns hold to the table.
    fn extend(&mut self) -> Result<()> {
        self.first_failure()?;
        let codes: Vec<&[u16]> = self.columns.iter().map(|column| &column.codes[..]).collect();
        let raw: Vec<&[f64]> = self.options.keep_raw.iter().map(|i| &self.columns[*i].raw[..]).collect();
        self.table.extend(&codes, self.weights.as_ref().map(|w| &w.values[..]), &raw)
    }

    /// The error of the first row, and of the leftmost column in it.
    fn first_failure(&self) -> Result<()> {
        let columns = self.columns.iter().zip(self.schema.base());
        let columns = columns.filter_map(|(c, a)| Some((c.failed?, c.place(), Some(a))));
        let weights = self.weights.iter().filter_map(|w| Some((w.failed?, w.place, None)));
        let Some((row, _, attribute)) = columns.chain(weights).min_by_key(|(row, place, _)| (*row, *place))
        else {
            return Ok(());
        };
        let place = self.place(row).to_string();
        Err(match attribute {
            Some(attribute) => report::outside(&place, attribute),
            None => report::weight(&place, self.options.weight.as_deref().unwrap_or_default()),
        })
    }

    /// The error of the row after those of the table.
    fn defect(&self, defect: &Defect) -> Error {
        let columns = match &self.splitter {
            Splitter::Csv(csv) => csv.columns(),
            Splitter::Ndjson(_) => self.columns.len(),
        };
        let place = self.place(0).to_string();
        match defect {
            Defect::Json(_) if self.options.format == Format::Rows => report::nested(&place),
            _ => report::defect(defect, &place, columns, self.options.encoding.name()),
        }
    }

    /// Where the row is that comes so many rows after those of the table.
    fn place(&self, row: usize) -> Place {
        let blanks = self.blanks().iter().filter(|before| **before <= row).count() as u64;
        let row = (self.table.rows() + row) as u64 + 1;
        Place { row, line: row + self.skipped + blanks, format: self.options.format }
    }

    /// The blank lines of the current split.
    fn blanks(&self) -> &[usize] {
        match &self.splitter {
            Splitter::Csv(csv) => &csv.blanks,
            Splitter::Ndjson(ndjson) => &ndjson.blanks,
        }
    }

    fn blanks_mut(&mut self) -> &mut Vec<usize> {
        match &mut self.splitter {
            Splitter::Csv(csv) => &mut csv.blanks,
            Splitter::Ndjson(ndjson) => &mut ndjson.blanks,
        }
    }
}

/// Encodes every column, each on its own: with threads, as many at once as there are.
fn encode_columns(columns: &mut [Column], block: &Block<'_>) {
    #[cfg(feature = "threads")]
    if block.rows * columns.len() >= 1 << 12 {
        use rayon::prelude::{IntoParallelRefMutIterator, ParallelIterator};
        columns.par_iter_mut().for_each(|column| column.encode(block));
        return;
    }
    columns.iter_mut().for_each(|column| column.encode(block));
}
