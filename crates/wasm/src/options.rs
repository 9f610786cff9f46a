//! Options cross as JSON with every default filled in by TypeScript; unknown keys are refused here too.

use marginalia_tables::{Code, Error};
use serde::de::DeserializeOwned;

/// Reads an options object.
pub fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    serde_json::from_str(json).map_err(|_| Error::new(Code::OptionInvalid, "an option has the wrong type"))
}

/// The byte between fields.
pub fn delimiter(text: &str) -> Result<u8, Error> {
    match text.as_bytes() {
        [byte] => Ok(*byte),
        _ => Err(Error::new(Code::OptionInvalid, "the delimiter must be one ASCII character")),
    }
}
