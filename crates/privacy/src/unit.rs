//! Whom the promise protects: the unit, and what makes two tables neighbours.

use marginalia_tables::{Code, Error, Result};
use serde_json::{Value, json};

/// What one neighbour has and the other has not, or has otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unit {
    /// One row.
    Row,
    /// All rows that share a value of a column; reading keeps at most `max_rows` of each, at random.
    Column {
        /// The column that identifies a unit.
        column: String,
        /// The most rows that are kept of a unit.
        max_rows: u32,
    },
    /// At most `max_rows` rows, as whoever made the table declares.
    Declared {
        /// The most rows that a unit has.
        max_rows: u32,
    },
}

/// What makes two tables neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// One has all rows of one unit more. The number of units is private.
    AddRemove,
    /// The rows of one unit are others. The number of units is public.
    Replace {
        /// The number of units.
        n: u64,
    },
}

/// Unit and relation: all that sensitivities depend on, beside the queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbours {
    /// Whom the promise protects.
    pub unit: Unit,
    /// What makes two tables neighbours.
    pub relation: Relation,
}

impl Unit {
    /// The most rows that a unit has.
    pub fn rows(&self) -> u32 {
        match self {
            Unit::Row => 1,
            Unit::Column { max_rows, .. } | Unit::Declared { max_rows } => *max_rows,
        }
    }

    /// Its form in files: `"row"`, `{"column": "id", "maxRows": 3}` or `{"maxRows": 3}`.
    pub fn to_json(&self) -> Value {
        match self {
            Unit::Row => json!("row"),
            Unit::Column { column, max_rows } => json!({ "column": column, "maxRows": max_rows }),
            Unit::Declared { max_rows } => json!({ "maxRows": max_rows }),
        }
    }

    /// Reads the form in files.
    pub fn from_json(value: &Value) -> Result<Self> {
        if value.as_str() == Some("row") {
            return Ok(Unit::Row);
        }
        let fields = value.as_object().ok_or_else(no_unit)?;
        let max_rows =
            fields.get("maxRows").and_then(Value::as_u64).and_then(|rows| u32::try_from(rows).ok());
        let max_rows = max_rows.filter(|rows| *rows >= 1).ok_or_else(no_unit)?;
        match fields.get("column") {
            None if fields.len() == 1 => Ok(Unit::Declared { max_rows }),
            Some(Value::String(column)) if fields.len() == 2 && !column.is_empty() => {
                Ok(Unit::Column { column: column.clone(), max_rows })
            }
            _ => Err(no_unit()),
        }
    }
}

impl Relation {
    /// Its form in files: `"add-remove"` or `{"replace": {"n": 1000}}`.
    pub fn to_json(self) -> Value {
        match self {
            Relation::AddRemove => json!("add-remove"),
            Relation::Replace { n } => json!({ "replace": { "n": n } }),
        }
    }

    /// Reads the form in files.
    pub fn from_json(value: &Value) -> Result<Self> {
        if value.as_str() == Some("add-remove") {
            return Ok(Relation::AddRemove);
        }
        let one = |value: &Value| value.as_object().is_some_and(|fields| fields.len() == 1);
        match value.pointer("/replace/n").and_then(Value::as_u64) {
            Some(n) if (1..=1 << 53).contains(&n) && one(value) && one(&value["replace"]) => {
                Ok(Relation::Replace { n })
            }
            _ => Err(refused(
                "`relation` is \"add-remove\", or { replace: { n } } with the public number of units",
            )),
        }
    }
}

fn no_unit() -> Error {
    refused("`unit` is \"row\", { column, maxRows } or { maxRows }, with a whole number of rows from 1")
}

fn refused(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
