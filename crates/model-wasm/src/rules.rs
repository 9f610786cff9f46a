//! Serves `ts/estimate/rules.ts`: what can be, of the rows of a prior.

use crate::prior::PriorBase;
use crate::reading::rules;
use marginalia_binding::error::Result;
use marginalia_binding::options::parse;
use marginalia_tables::{Code, Error};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl PriorBase {
    /// The same without the rows that break a rule.
    pub fn ruled(&self, list: &str) -> Result<PriorBase> {
        let rules = rules(&parse(list)?)?;
        let code = |attribute: usize, row: usize| self.base.columns()[attribute].get(row);
        let kept = |row: usize| rules.iter().all(|rule| rule.allows(|attribute| code(attribute, row)));
        if !(0..self.base.rows()).any(kept) {
            return Err(Error::new(
                Code::OptionInvalid,
                "every row of the prior breaks a rule: let them allow more",
            )
            .into());
        }
        let base = self.base.restricted(&self.schema, kept)?;
        Ok(Self { base: Arc::new(base), schema: Arc::clone(&self.schema) })
    }
}
