//! Reads rows that are one line each, and never fails on one of them.
//!
//! This is how private rows are read. Here a line feed ends a row, also within quotes: so no line can change how
//! another is read, and adding one line to a file adds at most one row. A line that is no row (a field too many,
//! a quote left open, bytes that are no text) is dropped, or counts as a row without any value; no error, and no
//! number that this reader tells, depends on what stands in a line.

use super::block::Block;
use super::column::Column;
use super::csv::Csv;
use super::encode::{Encoder, NULL};
use super::header::{self, Layout};
use super::ndjson::Ndjson;
use super::report::{self, LONGEST_ROW};
use super::split::Split;
use super::text::Decoder;
use super::{Format, Ignore, ReadOptions, Splitter, WINDOW, encode_columns};
use crate::{Code, Error, Result, Schema};
use std::sync::Arc;

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
}

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

    fn fill(&mut self, block: &Block<'_>, place: usize, scratch: &mut Vec<u8>) {
        self.text.clear();
        self.ends.clear();
        block.each(place, scratch, |text| {
            self.text.extend_from_slice(if text == NULL { b"" } else { text });
            self.ends.push(self.text.len());
        });
    }
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
            splitter: Splitter::Csv(Csv::new(b',', WINDOW)),
            columns: Vec::new(),
            name_place: None,
            names: Names::default(),
            scratch: Vec::new(),
            pending: Vec::new(),
            laid_out: false,
            overlong: false,
            schema,
            options,
            bad,
        };
        match format {
            Format::Csv { delimiter, .. } => reader.splitter = Splitter::Csv(Csv::new(delimiter, WINDOW)),
            Format::Ndjson => {
                let names = Layout::names(&reader.schema, &reader.options);
                reader.splitter = Splitter::Ndjson(Ndjson::new(names.clone(), Ignore::All, WINDOW));
                reader.lay_out(&names)?;
            }
        }
        Ok(reader)
    }

    /// Reads a piece of the text, cut anywhere.
    pub fn push(&mut self, bytes: &[u8], sink: &mut impl RowSink) -> Result<()> {
        for piece in bytes.chunks(WINDOW) {
            let more = self.decoder.most(piece.len());
            self.pending.try_reserve(more).map_err(|_| Error::out_of_memory(more))?;
            self.decoder.push(piece, &mut self.pending);
            self.read(false, sink)?;
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
        let header = csv.header(text, last);
        let encoding = self.options.encoding.name();
        let header = header.map_err(|defect| report::defect(&defect, "the first line", 0, encoding))?;
        let Some((names, bytes, _)) = header else { return Ok(None) };
        self.lay_out(&names)?;
        Ok(Some(bytes))
    }

    fn lay_out(&mut self, names: &[String]) -> Result<()> {
        let layout = Layout::of(names, &self.schema, &self.options)?;
        let point = self.options.format.point();
        for (attribute, place) in self.schema.base().iter().zip(layout.attributes) {
            self.columns.push(Column::new(Encoder::new(&self.schema, attribute, point), place, false));
        }
        self.name_place = layout.weight;
        self.laid_out = true;
        Ok(())
    }

    /// Reads whole lines: many at once while they are rows, one by one after one that is not.
    fn lines(&mut self, text: &[u8], sink: &mut impl RowSink) -> Result<()> {
        let (mut at, mut stretch) = (0, usize::MAX);
        while at < text.len() {
            let rest = &text[at..];
            let part = &rest[..after_lines(rest, stretch)];
            let split = self.split(part);
            if are_rows(part, split.bytes, split.rows + self.blanks()) {
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
        let codes: Vec<&[u16]> = self.columns.iter().map(|column| &column.codes[..]).collect();
        sink.take(&codes, self.name_place.map(|_| &self.names))
    }

    /// A row whose values are all absent has no name either.
    fn bad_row(&mut self, sink: &mut impl RowSink) -> Result<()> {
        if self.bad == BadRows::Drop {
            return Ok(());
        }
        let codes: Vec<[u16; 1]> = self.schema.base().iter().map(|a| [absent(a)]).collect();
        let codes: Vec<&[u16]> = codes.iter().map(|code| &code[..]).collect();
        self.names.text.clear();
        self.names.ends.clear();
        self.names.ends.push(0);
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

/// Whether so many rows and blank lines, found in the first `bytes` of whole lines, are these lines one by one. The
/// splitter ends rows at line feeds and at lone returns only: without a lone return, as many line ends as rows
/// leave none over that could stand within a row. A single line that is a single row may hold a return in quotes.
fn are_rows(lines: &[u8], bytes: usize, rows: usize) -> bool {
    let text = &lines[..bytes];
    let feeds = text.iter().filter(|byte| **byte == b'\n').count();
    let unended = usize::from(text.last() != Some(&b'\n'));
    let ends_a_line = unended == 0 || bytes == lines.len();
    let lone = |(i, byte): (usize, &u8)| *byte == b'\r' && !matches!(text.get(i + 1), Some(b'\n') | None);
    let one_by_one = rows == 1 || !text.iter().enumerate().any(lone);
    bytes > 0 && ends_a_line && feeds + unended == rows && one_by_one
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::Encoding;
    use proptest::prelude::*;

    const SCHEMA: &str = r#"{"nulls":[""],"attributes":[
        {"name":"a","type":"category","values":["x","y","\"q\""],"other":null},
        {"name":"b","type":"integer","lows":[0,5],"max":9,"other":"clamp","nullable":true},
        {"name":"c","type":"category","values":["r\ra"],"other":"else"}]}"#;

    #[derive(Default)]
    struct Rows(Vec<(Vec<u16>, Option<Vec<u8>>)>);

    impl RowSink for Rows {
        fn take(&mut self, codes: &[&[u16]], names: Option<&Names>) -> Result<()> {
            for row in 0..codes[0].len() {
                self.0.push((codes.iter().map(|c| c[row]).collect(), names.map(|n| n.get(row).to_vec())));
            }
            Ok(())
        }
    }

    fn read(format: Format, name: bool, bad: BadRows, pieces: &[&[u8]]) -> Result<Rows> {
        let schema = Arc::new(Schema::from_json(SCHEMA).unwrap());
        let mut reader = LineReader::new(schema, format, name.then(|| "id".into()), bad, Encoding::Utf8)?;
        let mut rows = Rows::default();
        for piece in pieces {
            reader.push(piece, &mut rows)?;
        }
        reader.finish(&mut rows)?;
        Ok(rows)
    }

    const CSV: Format = Format::Csv { delimiter: b',', decimal_comma: false };

    #[test]
    fn a_line_that_is_no_row_is_dropped_or_absent_and_its_neighbours_stay() {
        let text = "id,c,b,a\n1,r,7,x\n2,\"open,1,y\n3,,3,y\n4,too,many,1,x\n\u{ff}\n5,\"r\ra\",-3,\"\"\"q\"\"\"\n\n6,lone\rreturn,1,x\n7,\"two\nlines\",8,x";
        let text: Vec<u8> = text.chars().map(|c| if c == '\u{ff}' { 0xff } else { c as u8 }).collect();
        let dropped = read(CSV, true, BadRows::Drop, &[&text]).unwrap();
        let row = |codes: [u16; 3], id: &str| (codes.to_vec(), Some(id.as_bytes().to_vec()));
        assert_eq!(dropped.0, [row([0, 1, 1], "1"), row([1, 0, 1], "3"), row([2, 0, 0], "5")]);
        let absent = read(CSV, true, BadRows::Null, &[&text]).unwrap();
        let ids: Vec<&[u8]> = absent.0.iter().map(|(_, id)| id.as_deref().unwrap()).collect();
        assert_eq!(ids, [b"1".as_slice(), b"", b"3", b"", b"", b"5", b"", b"", b""]);
        assert_eq!(absent.0[1].0, [3, 2, 1]);
    }

    #[test]
    fn only_the_header_can_be_refused_and_no_name_of_the_file_is_told() {
        for (text, code) in [
            ("", Code::ColumnMissing),
            ("SECRET\n1\n", Code::ColumnMissing),
            ("a,a,b,c,id\n", Code::ColumnDuplicate),
            ("a,b,c,id,id\n", Code::ColumnDuplicate),
            ("a,b,c,SECRET\n", Code::ColumnMissing),
        ] {
            let error = read(CSV, true, BadRows::Drop, &[text.as_bytes()]).err().unwrap();
            assert_eq!(error.code, code, "{text}");
            assert!(!error.message.contains("SECRET"), "{error}");
        }
        assert_eq!(read(CSV, true, BadRows::Drop, &[b"a,b,c,id,other\n"]).unwrap().0.len(), 0);
        let partial =
            r#"{"nulls":[],"attributes":[{"name":"a","type":"integer","lows":[0],"max":1,"other":"clamp"}]}"#;
        let schema = Arc::new(Schema::from_json(partial).unwrap());
        let error = LineReader::new(schema, CSV, None, BadRows::Drop, Encoding::Utf8).err().unwrap();
        assert_eq!(error.code, Code::SchemaInvalid);
    }

    #[test]
    fn an_overlong_line_is_one_bad_row() {
        let head = b"a,b,c\nx,1,z\n";
        let long = vec![b'x'; LONGEST_ROW + 5 * WINDOW];
        let pieces: Vec<&[u8]> =
            [&head[..]].into_iter().chain(long.chunks(1 << 20)).chain([&b"\ny,2,z\n"[..]]).collect();
        assert_eq!(read(CSV, false, BadRows::Drop, &pieces).unwrap().0.len(), 2);
        assert_eq!(read(CSV, false, BadRows::Null, &pieces).unwrap().0.len(), 3);
    }

    #[test]
    fn lines_of_json_are_rows_by_the_same_rules() {
        let text = "{\"id\":7,\"a\":\"x\",\"b\":9,\"more\":1}\n[]\n{\"a\":{}}\n{\"id\":null}\n";
        let rows = read(Format::Ndjson, true, BadRows::Drop, &[text.as_bytes()]).unwrap().0;
        assert_eq!(rows, [(vec![0, 1, 1], Some(b"7".to_vec())), (vec![3, 2, 1], Some(Vec::new()))]);
    }

    /// A line of what makes readers stumble.
    fn line() -> impl Strategy<Value = Vec<u8>> {
        let part = prop::sample::select(vec![
            &b"\""[..],
            b"\"\"",
            b",",
            b"x",
            b"7",
            b"\r",
            b" ",
            b"\xff",
            b"x,1,z",
            b"y,8,\"r\ra\"",
        ]);
        prop::collection::vec(part, 0..7).prop_map(|parts| parts.concat())
    }

    fn text(lines: &[Vec<u8>]) -> Vec<u8> {
        [b"a,b,c".to_vec()].iter().chain(lines).flat_map(|line| [&line[..], b"\n"].concat()).collect()
    }

    proptest! {
        /// The neighbours of differential privacy: one line more is at most one row more, and no other changes.
        #[test]
        fn one_line_more_is_at_most_one_row_more(
            lines in prop::collection::vec(line(), 0..12), more in line(), place in any::<prop::sample::Index>(),
            null in any::<bool>(),
        ) {
            let bad = if null { BadRows::Null } else { BadRows::Drop };
            let mut with = lines.clone();
            with.insert(place.index(lines.len() + 1), more.clone());
            let rows = |lines: &[Vec<u8>]| {
                let mut rows = read(CSV, false, bad, &[&text(lines)]).unwrap().0;
                rows.sort();
                rows
            };
            let (mut before, one) = (rows(&lines), rows(std::slice::from_ref(&more)));
            prop_assert!(one.len() <= 1);
            before.extend(one);
            before.sort();
            prop_assert_eq!(before, rows(&with));
        }

        #[test]
        fn any_pieces_give_the_same_rows(lines in prop::collection::vec(line(), 0..12), cut in 1usize..9, last in any::<bool>()) {
            let mut text = text(&lines);
            if !last {
                text.pop();
            }
            let pieces: Vec<&[u8]> = text.chunks(cut).collect();
            let whole = read(CSV, false, BadRows::Null, &[&text]).map(|rows| rows.0);
            prop_assert_eq!(read(CSV, false, BadRows::Null, &pieces).map(|rows| rows.0), whole);
        }
    }
}
