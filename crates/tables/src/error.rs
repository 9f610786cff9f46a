//! One error type: a stable code, and a message that says what to do and never quotes a value from the data.

use std::fmt;

/// The stable names that users branch on; `docs/errors.md` lists them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// The declared schema contradicts itself or has a field out of range.
    SchemaInvalid,
    /// An option is unknown or out of range.
    OptionInvalid,
    /// A clique or option names an attribute that the schema lacks.
    AttributeUnknown,
    /// The file lacks a column of the schema.
    ColumnMissing,
    /// Two columns of the file have one name.
    ColumnDuplicate,
    /// The file has a column that the schema does not declare.
    ColumnUndeclared,
    /// A row has more or fewer fields than the header.
    RowRagged,
    /// A value is outside what its attribute declares, and the attribute does not say what becomes of it.
    ValueOutside,
    /// The bytes are not text in the declared encoding, or a quote is never closed.
    TextInvalid,
    /// A line of NDJSON is not a flat JSON object.
    JsonInvalid,
    /// The answer asked for would exceed the memory limit.
    ModelTooLarge,
    /// An allocation was refused.
    OutOfMemory,
    /// The platform gave no entropy, so no noise can be drawn.
    EntropyUnavailable,
    /// A budget, or a price to be paid from it, is no amount that makes sense.
    BudgetInvalid,
    /// What is left of the budget does not cover what was asked for.
    BudgetExceeded,
    /// No candidate takes part in a selection.
    SelectionEmpty,
    /// An estimator cannot take what was asked of a clique.
    QueryUnsupported,
    /// A kind of model cannot do what was asked of it.
    ModelUnsupported,
    /// The source of random bits repeats itself.
    EntropyBroken,
}

impl Code {
    /// The name that crosses to JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::SchemaInvalid => "SCHEMA_INVALID",
            Code::OptionInvalid => "OPTION_INVALID",
            Code::AttributeUnknown => "ATTRIBUTE_UNKNOWN",
            Code::ColumnMissing => "COLUMN_MISSING",
            Code::ColumnDuplicate => "COLUMN_DUPLICATE",
            Code::ColumnUndeclared => "COLUMN_UNDECLARED",
            Code::RowRagged => "ROW_RAGGED",
            Code::ValueOutside => "VALUE_OUTSIDE",
            Code::TextInvalid => "TEXT_INVALID",
            Code::JsonInvalid => "JSON_INVALID",
            Code::ModelTooLarge => "MODEL_TOO_LARGE",
            Code::OutOfMemory => "OUT_OF_MEMORY",
            Code::EntropyUnavailable => "ENTROPY_UNAVAILABLE",
            Code::BudgetInvalid => "BUDGET_INVALID",
            Code::BudgetExceeded => "BUDGET_EXCEEDED",
            Code::SelectionEmpty => "SELECTION_EMPTY",
            Code::QueryUnsupported => "QUERY_UNSUPPORTED",
            Code::ModelUnsupported => "MODEL_UNSUPPORTED",
            Code::EntropyBroken => "ENTROPY_BROKEN",
        }
    }
}

/// What every fallible function of this crate returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What went wrong, by name.
    pub code: Code,
    /// What went wrong and what to do, in words.
    pub message: String,
}

/// Shorthand for results of this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error with a code and a message.
    #[cold]
    #[inline(never)]
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// An allocation of `bytes` bytes was refused.
    #[cold]
    #[inline(never)]
    pub fn out_of_memory(bytes: usize) -> Self {
        let message = format!(
            "{bytes} more bytes are not available: raise `memoryLimit`, or dispose what is not needed"
        );
        Self::new(Code::OutOfMemory, message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.as_str(), self.message)
    }
}

impl std::error::Error for Error {}
