//! One flat JSON object a line: keys are columns, values are texts, numbers, booleans or null.
//!
//! A number keeps the text it is written as; null, and a key that is absent, stand for null. Blank lines are
//! skipped.

use super::block::Block;
use super::encode::NULL;
use super::options::Ignore;
use super::records::Records;
use super::report::LONGEST_ROW;
use super::split::{Defect, Split};
use crate::room::reserve;

/// Cuts a text into lines and lines into fields, in the order of `names`.
#[derive(Debug)]
pub(super) struct Ndjson {
    names: Vec<String>,
    ignore: Ignore,
    /// About as many bytes are split at once.
    window: usize,
    /// Whether it goes on after a line that is no row.
    lenient: bool,
    records: Records,
    row: Row,
    /// For each blank line that was skipped, how many rows stand before it.
    pub blanks: Vec<usize>,
}

/// The fields of one line, in the order they come.
#[derive(Debug, Default)]
struct Row {
    text: Vec<u8>,
    /// For each name, where its field is in the text.
    fields: Vec<Option<(usize, usize)>>,
}

const FLAT: &str = "is not one flat object: values must be texts, numbers, true, false or null";
const BROKEN: &str = "is not JSON";

impl Ndjson {
    pub fn new(names: Vec<String>, ignore: Ignore, lenient: bool, window: usize) -> Self {
        let (records, row) = (Records::default(), Row::default());
        Self { names, ignore, window, lenient, records, row, blanks: Vec::new() }
    }

    /// The rows of the last [`split`](Self::split).
    pub fn block<'a>(&'a self, split: &Split) -> Block<'a> {
        split.block(&[], &[], &self.records, self.names.len())
    }

    /// Finds whole rows at the start of a text, about a window of it; `last`: no text follows.
    pub fn split(&mut self, text: &[u8], last: bool) -> Split {
        self.records.clear();
        self.blanks.clear();
        let mut split = Split::nothing();
        while split.bytes < text.len() && split.bytes < self.window {
            let rest = &text[split.bytes..];
            let end = rest.iter().position(|b| *b == b'\n');
            let Some(end) = end.or(last.then_some(rest.len())) else { break };
            let line = rest[..end].trim_ascii();
            if line.is_empty() {
                self.blanks.push(split.rows);
            } else if let Err(defect) = if end < LONGEST_ROW { self.line(line) } else { Err(Defect::TooLong) }
            {
                split.bad.push((split.rows, defect));
                if !self.lenient {
                    break;
                }
            } else {
                split.rows += 1;
            }
            split.bytes = (split.bytes + end + 1).min(text.len());
        }
        split
    }

    fn line(&mut self, line: &[u8]) -> Result<(), Defect> {
        if std::str::from_utf8(line).is_err() {
            return Err(Defect::NotText);
        }
        self.row.text.clear();
        reserve(&mut self.row.text, line.len())?;
        self.records.reserve(line.len() + 2 * self.names.len())?;
        self.row.fields.clear();
        self.row.fields.resize(self.names.len(), None);
        self.object(&mut Scanner { rest: line })?;
        for field in &self.row.fields {
            self.records.push(field.map_or(NULL, |(start, end)| &self.row.text[start..end]));
        }
        Ok(())
    }

    fn object(&mut self, scanner: &mut Scanner<'_>) -> Result<(), Defect> {
        if !scanner.take(b'{') {
            return Err(Defect::Json(FLAT));
        }
        if scanner.take(b'}') {
            return scanner.end();
        }
        let mut likely = 0;
        loop {
            let name = scanner.string()?;
            if !scanner.take(b':') {
                return Err(Defect::Json(BROKEN));
            }
            let value = scanner.value()?;
            likely = self.store(name, value, likely)?;
            if scanner.take(b'}') {
                return scanner.end();
            }
            if !scanner.take(b',') {
                return Err(Defect::Json(BROKEN));
            }
        }
    }

    /// Keeps a value under its name, which most likely is the one after the last.
    fn store(&mut self, name: Token<'_>, value: Token<'_>, likely: usize) -> Result<usize, Defect> {
        let start = self.row.text.len();
        name.append(&mut self.row.text)?;
        let text = &self.row.text[start..];
        let is = |known: &String| known.as_bytes() == text;
        let found = if self.names.get(likely).is_some_and(is) {
            Some(likely)
        } else {
            self.names.iter().position(is)
        };
        let name = String::from_utf8_lossy(text);
        let Some(found) = found else {
            if !self.ignore.covers(&name) {
                return Err(Defect::Undeclared(name.into_owned()));
            }
            return value.append(&mut self.row.text).map(|()| likely);
        };
        if self.row.fields[found].is_some() {
            return Err(Defect::Duplicate(name.into_owned()));
        }
        let start = self.row.text.len();
        value.append(&mut self.row.text)?;
        self.row.fields[found] = Some((start, self.row.text.len()));
        Ok(found + 1)
    }
}

/// A text or value as it stands in a line.
enum Token<'a> {
    /// As it is: a number, a boolean, null's mark, or the inside of a string without escapes.
    Plain(&'a [u8]),
    /// A string with its quotes and escapes.
    Escaped(&'a [u8]),
}

impl Token<'_> {
    fn append(&self, to: &mut Vec<u8>) -> Result<(), Defect> {
        match self {
            Token::Plain(text) => to.extend_from_slice(text),
            Token::Escaped(text) => {
                let text: String = serde_json::from_slice(text).map_err(|_| Defect::Json(BROKEN))?;
                to.extend_from_slice(text.as_bytes());
            }
        }
        Ok(())
    }
}

/// Reads tokens from the front of a line.
struct Scanner<'a> {
    rest: &'a [u8],
}

impl<'a> Scanner<'a> {
    fn skip_space(&mut self) {
        let space = self.rest.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')).count();
        self.rest = &self.rest[space..];
    }

    /// Takes a byte, after spaces, if it is the next one.
    fn take(&mut self, byte: u8) -> bool {
        self.skip_space();
        let found = self.rest.first() == Some(&byte);
        self.rest = &self.rest[usize::from(found)..];
        found
    }

    fn end(&mut self) -> Result<(), Defect> {
        self.skip_space();
        if self.rest.is_empty() { Ok(()) } else { Err(Defect::Json(BROKEN)) }
    }

    fn string(&mut self) -> Result<Token<'a>, Defect> {
        self.skip_space();
        let Some((b'"', text)) = self.rest.split_first() else { return Err(Defect::Json(BROKEN)) };
        let (mut end, mut escaped) = (0, false);
        loop {
            match text.get(end) {
                Some(b'"') => break,
                Some(b'\\') => (end, escaped) = (end + 2, true),
                Some(0x20..) => end += 1,
                _ => return Err(Defect::Json(BROKEN)),
            }
        }
        let whole = &self.rest[..end + 2];
        self.rest = &text[end + 1..];
        Ok(if escaped { Token::Escaped(whole) } else { Token::Plain(&text[..end]) })
    }

    fn value(&mut self) -> Result<Token<'a>, Defect> {
        self.skip_space();
        match self.rest.first() {
            Some(b'"') => self.string(),
            Some(b'{' | b'[') => Err(Defect::Json(FLAT)),
            _ => self.word(),
        }
    }

    /// A number, a boolean or null.
    fn word(&mut self) -> Result<Token<'a>, Defect> {
        let more = |b: &&u8| !matches!(b, b',' | b'}' | b' ' | b'\t' | b'\r' | b'\n');
        let (word, rest) = self.rest.split_at(self.rest.iter().take_while(more).count());
        self.rest = rest;
        match word {
            b"null" => Ok(Token::Plain(NULL)),
            b"true" | b"false" => Ok(Token::Plain(word)),
            _ if is_number(word) => Ok(Token::Plain(word)),
            _ => Err(Defect::Json(BROKEN)),
        }
    }
}

/// Whether a word is a number by JSON's grammar (RFC 8259, section 6).
fn is_number(word: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|b| b.is_ascii_digit()).count();
    let unsigned = word.strip_prefix(b"-").unwrap_or(word);
    let (whole, mut rest) = unsigned.split_at(digits(unsigned));
    if whole.is_empty() || whole.len() > 1 && whole[0] == b'0' {
        return false;
    }
    if let [b'.', fraction @ ..] = rest {
        rest = &fraction[digits(fraction)..];
        if rest.len() == fraction.len() {
            return false;
        }
    }
    if let [b'e' | b'E', power @ ..] = rest {
        let power = power.strip_prefix(b"-").or(power.strip_prefix(b"+")).unwrap_or(power);
        return !power.is_empty() && digits(power) == power.len();
    }
    rest.is_empty()
}
