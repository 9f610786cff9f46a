//! What a caller may say about a text before it is read.

use crate::{Code, Error, Kind, Result, Schema};

/// How a text is read. Every field has a default: comma separated UTF-8 without weights, and a column that the
/// schema does not declare is an error.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// How rows and fields are written.
    pub format: Format,
    /// How characters are written.
    pub encoding: Encoding,
    /// The column that holds the weight of each row: a finite number that is not negative.
    pub weight: Option<String>,
    /// Attributes (integers, numbers, dates) whose numbers are kept beside the codes; a day counts from
    /// 1970-01-01.
    pub keep_raw: Vec<usize>,
    /// Which undeclared columns are passed over.
    pub ignore: Ignore,
}

/// How rows and fields are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A header and records of separated fields.
    Csv(Dialect),
    /// One flat JSON object a line.
    Ndjson,
    /// The same, made of rows that never were a text: places are told by rows alone.
    Rows,
}

impl Format {
    /// What the text is to its user.
    pub(super) fn source(self) -> &'static str {
        if self == Format::Rows { "the source" } else { "the file" }
    }
}

impl Default for Format {
    fn default() -> Self {
        Format::Csv(Dialect::default())
    }
}

/// How CSV is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// The ASCII byte between fields.
    pub delimiter: u8,
    /// Whether numbers have a comma where others have a point.
    pub decimal_comma: bool,
    /// What a record is.
    pub framing: Framing,
    /// What ends one.
    pub line_end: LineEnd,
}

impl Default for Dialect {
    fn default() -> Self {
        Self { delimiter: b',', decimal_comma: false, framing: Framing::Quoted, line_end: LineEnd::Lf }
    }
}

/// What a record of CSV is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Framing {
    /// As RFC 4180 has it: quoted fields may hold line ends.
    #[default]
    Quoted,
    /// A line, whatever its quotes say.
    Lines,
}

/// What ends a record of CSV; anything else of the kind is text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LineEnd {
    /// A line feed, with or without a return before it.
    #[default]
    Lf,
    /// A return and a line feed.
    Crlf,
    /// These, and a return alone.
    Any,
}

impl Format {
    /// The byte between the whole and the fraction of a number.
    pub fn point(self) -> u8 {
        if matches!(self, Format::Csv(Dialect { decimal_comma: true, .. })) { b',' } else { b'.' }
    }
}

/// How characters are written. A byte order mark at the start is dropped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    #[default]
    Utf8,
    /// What the web calls latin-1: windows-1252, whose five unassigned bytes stand for the control characters
    /// of the same number (WHATWG Encoding, index windows-1252).
    Latin1,
    /// UTF-16 in the order that its byte order mark says; little-endian without one.
    Utf16,
    /// UTF-16, the low byte first.
    Utf16Le,
    /// UTF-16, the high byte first.
    Utf16Be,
}

impl Encoding {
    pub(super) fn name(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Latin1 => "latin-1",
            Encoding::Utf16 | Encoding::Utf16Le | Encoding::Utf16Be => "utf-16",
        }
    }
}

/// Which undeclared columns are passed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ignore {
    /// Those of these names.
    Columns(Vec<String>),
    /// All.
    All,
}

impl Default for Ignore {
    fn default() -> Self {
        Ignore::Columns(Vec::new())
    }
}

impl Ignore {
    pub(super) fn covers(&self, name: &str) -> bool {
        match self {
            Ignore::Columns(names) => names.iter().any(|n| n == name),
            Ignore::All => true,
        }
    }
}

impl ReadOptions {
    /// Refuses what contradicts itself or the schema.
    pub(super) fn check(&self, schema: &Schema) -> Result<()> {
        let refuse = |message: &str| Err(Error::new(Code::OptionInvalid, message));
        if let Format::Csv(Dialect { delimiter, .. }) = self.format
            && (!delimiter.is_ascii() || matches!(delimiter, b'"' | b'\r' | b'\n'))
        {
            return refuse("the delimiter must be one ASCII character, and no quote or line end");
        }
        if schema.base().is_empty() {
            return refuse("the schema declares no attribute that a file could have a column for");
        }
        for (i, attribute) in self.keep_raw.iter().enumerate() {
            let kind = schema.base().get(*attribute).map(|a| &a.kind);
            if !matches!(kind, Some(Kind::Integer { .. } | Kind::Number { .. } | Kind::Date { .. })) {
                return refuse("raw numbers can be kept of integers, numbers and dates of the file only");
            }
            if self.keep_raw[..i].contains(attribute) {
                return refuse("raw numbers of one attribute are asked for twice");
            }
        }
        Ok(())
    }
}
