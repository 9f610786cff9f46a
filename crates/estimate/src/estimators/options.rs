//! Options by their names, as they come from JSON. By hand, because what is derived for each record is as large as an
//! estimator.

use super::invalid;
use marginalia_tables::Result;
use serde_json::Value;

/// An object of options.
#[derive(Debug, Clone, Copy)]
pub struct Options<'a>(pub &'a Value);

impl<'a> Options<'a> {
    /// Whatever has that name; null where nothing has.
    pub fn value(self, name: &str) -> &'a Value {
        &self.0[name]
    }

    /// A number.
    pub fn number(self, name: &str) -> Result<f64> {
        self.value(name).as_f64().ok_or_else(unfit)
    }

    /// A whole number, 0 or above.
    pub fn whole(self, name: &str) -> Result<u64> {
        self.value(name).as_u64().ok_or_else(unfit)
    }

    /// True or false.
    pub fn flag(self, name: &str) -> Result<bool> {
        self.value(name).as_bool().ok_or_else(unfit)
    }

    /// A text.
    pub fn text(self, name: &str) -> Result<&'a str> {
        self.value(name).as_str().ok_or_else(unfit)
    }

    /// One of some, by its name.
    pub fn one<T: Copy>(self, name: &str, of: &[(&str, T)]) -> Result<T> {
        let text = self.text(name)?;
        of.iter().find(|(own, _)| *own == text).map(|(_, one)| *one).ok_or_else(unfit)
    }
}

fn unfit() -> marginalia_tables::Error {
    invalid("an option has the wrong type")
}
