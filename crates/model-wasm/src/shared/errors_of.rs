//! What standard errors are asked of: read for models, and for groups.

use marginalia_binding::error::Result;
use marginalia_binding::options::{query, whole};
use marginalia_estimate::errors::{Question, Spread};
use marginalia_tables::{Code, Error};
use serde_json::Value;

/// For each answer the variance by the noise, and by what is left open.
pub(crate) fn both(spreads: &[Spread]) -> Result<Vec<f64>> {
    let mut both = Vec::new();
    both.try_reserve_exact(2 * spreads.len()).map_err(|_| Error::out_of_memory(16 * spreads.len()))?;
    spreads.iter().for_each(|spread| both.extend([spread.noise, spread.open]));
    Ok(both)
}

/// Questions to cliques, by how many cells each has where it is one.
pub(crate) fn questions(
    cells: impl Fn(&[u16]) -> Option<u64>,
    list: &Value,
) -> std::result::Result<Vec<Question>, Error> {
    let question = |one: &Value| {
        let clique: Vec<u16> = whole(&one["clique"])?;
        let cells = cells(&clique)
            .ok_or_else(|| Error::new(Code::AttributeUnknown, "a question is of no clique of the schema"))?;
        let query = query(&one["query"], cells as usize)?;
        Ok(Question { clique, query })
    };
    list.as_array().map_or(&[][..], |list| list).iter().map(question).collect()
}

pub(crate) fn number(value: &Value) -> std::result::Result<f64, Error> {
    value.as_f64().ok_or_else(|| invalid("an option has the wrong type"))
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
