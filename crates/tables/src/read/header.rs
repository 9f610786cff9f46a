//! Which column of a file holds what.

use super::options::{Format, ReadOptions};
use super::report::{list, quote, undeclared};
use crate::{Code, Error, Result, Schema};

/// For each attribute of the file, and for the weight, the column it stands in.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub attributes: Vec<usize>,
    pub weight: Option<usize>,
}

impl Layout {
    /// The layout under a header.
    pub fn of(names: &[String], schema: &Schema, options: &ReadOptions) -> Result<Self> {
        let wanted: Vec<&String> = wanted(schema, options).collect();
        let place = |name: &String| names.iter().position(|n| n == name);
        let missing: Vec<&String> = wanted.iter().filter(|name| place(name).is_none()).copied().collect();
        if !missing.is_empty() {
            return Err(missing_columns(&missing, missing.len() == wanted.len(), options.format));
        }
        let mut strangers = Vec::new();
        for (i, name) in names.iter().enumerate() {
            if !wanted.contains(&name) {
                if !options.ignore.covers(name) {
                    strangers.push(name);
                }
            } else if names[..i].contains(name) {
                let message = format!("two columns are named {}: rename or remove one", quote(name));
                return Err(Error::new(Code::ColumnDuplicate, message));
            }
        }
        if !strangers.is_empty() {
            return Err(undeclared(&strangers, &format!("{} has", options.format.source())));
        }
        let attributes = schema.base().iter().filter_map(|a| place(&a.name)).collect();
        Ok(Self { attributes, weight: options.weight.as_ref().and_then(place) })
    }

    /// The names that lines of named values are sorted by: those that a header must have.
    pub fn names(schema: &Schema, options: &ReadOptions) -> Vec<String> {
        wanted(schema, options).cloned().collect()
    }
}

/// The columns that a file must have: the attributes', then the weight's if it is none of them.
fn wanted<'a>(schema: &'a Schema, options: &'a ReadOptions) -> impl Iterator<Item = &'a String> {
    let attributes = schema.base().iter().map(|a| &a.name);
    let weight = options.weight.iter().filter(|name| schema.base().iter().all(|a| a.name != **name));
    attributes.chain(weight)
}

/// The text has no header at all.
pub(super) fn no_header() -> Error {
    Error::new(Code::ColumnMissing, "the text is empty: its first line must name the columns")
}

/// The names are the schema's: where nothing fits, the first line may be data, which no message repeats.
fn missing_columns(names: &[&String], all: bool, format: Format) -> Error {
    let names = list(names);
    let message = if all && format != Format::Rows {
        format!("the first line names no column of the schema ({names}): add a header, or set `delimiter`")
    } else {
        let remedy = "add them, or take them out of the schema";
        format!("{} lacks columns of the schema: {names}: {remedy}", format.source())
    };
    Error::new(Code::ColumnMissing, message)
}
