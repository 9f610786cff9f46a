//! Errors that name the row, the column and the remedy, and never a cell.

use super::options::Format;
use super::split::Defect;
use crate::{Attribute, Code, Error, Kind, date};
use std::fmt;

/// The longest row, in bytes of UTF-8; one that is longer most likely has a quote that is never closed.
pub(super) const LONGEST_ROW: usize = 64 << 20;

/// A row, as a person finds it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Counted from one, without header and blank lines.
    pub row: u64,
    /// Counted from one, with header and blank lines, as a spreadsheet or an editor shows it.
    pub line: u64,
    /// What it is a row of.
    pub format: Format,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.format {
            Format::Csv { .. } => write!(f, "row {} (row {} in a spreadsheet)", self.row, self.line),
            Format::Ndjson => write!(f, "row {} (line {})", self.row, self.line),
            Format::Rows => write!(f, "row {}", self.row),
        }
    }
}

/// A row that is wrong as a whole.
pub(super) fn defect(defect: &Defect, place: &str, columns: usize, encoding: &str) -> Error {
    let (code, message) = match defect {
        Defect::Ragged(fields) => {
            let remedy = "mend the row, quote the field that has a delimiter in it, or set `delimiter`";
            let of = if *fields < columns { "too few" } else { "too many" };
            (Code::RowRagged, format!("{place} has {of} fields, {fields} instead of {columns}: {remedy}"))
        }
        Defect::Stray => {
            let remedy = "double the quotes within a quoted field";
            (Code::TextInvalid, format!("{place} has text after a closing quote: {remedy}"))
        }
        Defect::Open => (Code::TextInvalid, format!("{place} has a quote that is never closed: close it")),
        Defect::Bare => {
            let remedy =
                "set `lineEnd` to what ends records: \"any\" where returns do, \"crlf\" where only both do";
            (Code::TextInvalid, format!("{place} holds a return or line feed that ends no record: {remedy}"))
        }
        Defect::TooLong => {
            let size = LONGEST_ROW >> 20;
            let why = "most likely a quote is never closed: close it";
            (Code::TextInvalid, format!("{place} is longer than {size} MiB, {why}"))
        }
        Defect::NotText => {
            let remedy = "set `encoding` to what the file is written in: utf-8, latin-1 or utf-16";
            (Code::TextInvalid, format!("{place} is not {encoding} text: {remedy}"))
        }
        Defect::Json(why) => (Code::JsonInvalid, format!("{place} {why}: write one object a line")),
        Defect::NoMemory(error) => return error.clone(),
        Defect::Undeclared(name) => return undeclared(&[name], &format!("{place} has")),
        Defect::Duplicate(name) => {
            (Code::ColumnDuplicate, format!("{place} has {} twice: remove one", quote(name)))
        }
    };
    Error::new(code, message)
}

/// A row, given as an object, that holds more than values.
pub(super) fn nested(place: &str) -> Error {
    let what = "holds an object or a list: values must be texts, numbers, booleans, dates or null";
    Error::new(Code::JsonInvalid, format!("{place} {what}"))
}

/// Columns that nobody asked for.
pub(super) fn undeclared(names: &[&String], who: &str) -> Error {
    let remedy = "declare them, or list them in `ignore`";
    let message = format!("{who} columns that the schema does not declare: {}: {remedy}", list(names));
    Error::new(Code::ColumnUndeclared, message)
}

/// A value that the schema does not place.
pub(super) fn outside(place: &str, attribute: &Attribute) -> Error {
    let null = match attribute.nullable {
        true => "add the text to `nulls` if it means null",
        false => "set `nullable` (and `nulls`) if it means null",
    };
    let what = describe(&attribute.kind);
    let name = quote(&attribute.name);
    let message = format!(
        "{place}, column {name}: the value is not {what}: set `other` to say what such a value becomes, or {null}"
    );
    Error::new(Code::ValueOutside, message)
}

fn describe(kind: &Kind) -> String {
    match kind {
        Kind::Category { .. } | Kind::Derived { .. } => "one of the declared texts".into(),
        Kind::Boolean { .. } => "one of the two texts of a boolean".into(),
        Kind::Integer { lows, max } => format!("a whole number from {} to {max}", lows[0]),
        Kind::Number { cuts, .. } => format!("a number from {} to {}", cuts[0], cuts[cuts.len() - 1]),
        Kind::Date { starts, to } => {
            format!("a date (YYYY-MM-DD) from {} to {}", date::format(starts[0]), date::format(*to))
        }
    }
}

/// A weight that is none.
pub(super) fn weight(place: &str, name: &str) -> Error {
    let what = "the weight is not a finite number of at least 0: mend it, or read without `weight`";
    Error::new(Code::ValueOutside, format!("{place}, column {}: {what}", quote(name)))
}

/// Names, as many as one wants to read.
pub(super) fn list(names: &[&String]) -> String {
    let shown: Vec<String> = names.iter().take(8).map(|name| quote(name)).collect();
    let more = names.len() - shown.len();
    let tail = if more > 0 { format!(" and {more} more") } else { String::new() };
    shown.join(", ") + &tail
}

/// A name in quotes, cut short when it is long.
pub(super) fn quote(name: &str) -> String {
    let mut short: String = name.chars().take(60).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    format!("{short:?}")
}
