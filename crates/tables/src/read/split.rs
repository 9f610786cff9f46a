//! What every format gives to the readers: a stretch of whole rows, and what is wrong with records among them.

use super::block::Block;
use super::records::Records;
use crate::{Error, Result};

/// The whole records that a text begins with, maybe not all of them.
#[derive(Debug)]
pub(super) struct Split {
    /// How many rows, blank lines aside.
    pub rows: usize,
    /// The bytes of the text that they take, with the blank lines and the records that are none.
    pub bytes: usize,
    /// Where the fields are.
    pub fields: Fields,
    /// Records that are no rows, each with the number of rows before it. A strict splitter stops before the first.
    pub bad: Vec<(usize, Defect)>,
}

/// Where fields are.
#[derive(Debug)]
pub(super) enum Fields {
    /// In the text itself.
    InPlace { quoted: bool, returns: bool },
    /// In [`Records`].
    Copied,
}

/// What can be wrong with a record as a whole. Nothing of its text is kept.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Defect {
    /// It has so many fields instead of one for each column.
    Ragged(usize),
    /// A quoted field goes on after its closing quote.
    Stray,
    /// A quote is never closed.
    Open,
    /// It names columns, and a return or line feed in it ends no record.
    Bare,
    /// It is longer than a record may be.
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
    /// Nothing: the first record is unfinished.
    pub fn nothing() -> Self {
        Self { rows: 0, bytes: 0, fields: Fields::Copied, bad: Vec::new() }
    }

    /// There is no memory to look at the records.
    pub fn refused(error: Error) -> Self {
        Self { bad: vec![(0, Defect::NoMemory(error))], ..Self::nothing() }
    }

    /// An error where there was no memory.
    pub fn had_memory(&self) -> Result<()> {
        match &self.bad[..] {
            [.., (_, Defect::NoMemory(error))] => Err(error.clone()),
            _ => Ok(()),
        }
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
