//! What every format gives to the reader: a stretch of whole rows, and what is wrong with the row after them.

use super::block::Block;
use super::records::Records;
use crate::Error;

/// The whole rows that a text begins with, maybe not all of them.
#[derive(Debug)]
pub(super) struct Split {
    /// How many rows, blank lines aside.
    pub rows: usize,
    /// The bytes of the text that they and the blank lines between them take.
    pub bytes: usize,
    /// Where the fields are.
    pub fields: Fields,
    /// What is wrong with the row that follows.
    pub defect: Option<Defect>,
}

/// Where fields are.
#[derive(Debug)]
pub(super) enum Fields {
    /// In the text itself.
    InPlace { quoted: bool, returns: bool },
    /// In [`Records`].
    Copied,
}

/// What can be wrong with a row as a whole. Nothing of its text is kept.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Defect {
    /// It has so many fields instead of one for each column.
    Ragged(usize),
    /// A quoted field goes on after its closing quote.
    Stray,
    /// A quote is never closed.
    Open,
    /// It is longer than a row may be.
    TooLong,
    /// The bytes are not text in the encoding.
    NotText,
    /// It is not a flat JSON object, and why.
    Json(&'static str),
    /// A key that the schema does not declare.
    Undeclared(String),
    /// A key that stands in the row twice.
    Duplicate(String),
    /// Nothing is wrong with it: there is no memory to look at it.
    NoMemory(Error),
}

impl From<Error> for Defect {
    fn from(error: Error) -> Self {
        Defect::NoMemory(error)
    }
}

impl Split {
    /// Nothing: the first row is unfinished.
    pub fn nothing() -> Self {
        Self { rows: 0, bytes: 0, fields: Fields::Copied, defect: None }
    }

    /// There is no memory to look at the rows.
    pub fn refused(error: Error) -> Self {
        Self { defect: Some(Defect::NoMemory(error)), ..Self::nothing() }
    }

    /// The rows, found in `text` or copied to `records`.
    pub fn block<'a>(
        &self,
        text: &'a [u8],
        bounds: &'a [u32],
        records: &'a Records,
        columns: usize,
    ) -> Block<'a> {
        let rows = self.rows;
        match self.fields {
            Fields::InPlace { quoted, returns } => Block { text, bounds, columns, rows, quoted, returns },
            Fields::Copied => {
                let (text, bounds) = (&records.text[..], &records.bounds[..]);
                Block { text, bounds, columns, rows, quoted: false, returns: false }
            }
        }
    }
}

/// The part of a text that is UTF-8, and whether what follows cannot become so. `last`: no byte follows.
pub(super) fn valid_part(text: &[u8], last: bool) -> (&[u8], bool) {
    match std::str::from_utf8(text) {
        Ok(_) => (text, false),
        Err(error) => (&text[..error.valid_up_to()], last || error.error_len().is_some()),
    }
}
