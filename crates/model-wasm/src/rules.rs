//! Serves `ts/estimate/rules.ts`: what can be.

use crate::prior::PriorBase;
use marginalia_binding::error::Result;
use marginalia_binding::options::{parse, whole};
use marginalia_estimate::models::graphical::{Rule, Ruled};
use marginalia_tables::{Code, Error, Schema};
use serde_json::Value;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// Reads rules: of each its attributes, lists of codes of these for each combination, and whether no others can be.
pub(crate) fn rules(list: &Value) -> std::result::Result<Vec<Rule>, Error> {
    let items = |list: &Value| list.as_array().cloned().unwrap_or_default();
    let rule = |one: &Value| {
        let codes = |combination: &Value| items(combination).iter().map(whole).collect();
        Ok(Rule {
            clique: whole(&one["clique"])?,
            combinations: items(&one["combinations"])
                .iter()
                .map(codes)
                .collect::<std::result::Result<_, Error>>()?,
            only: one["only"].as_bool().unwrap_or_default(),
        })
    };
    items(list).iter().map(rule).collect()
}

/// Refuses rules that contradict each other, with their names.
#[wasm_bindgen(js_name = checkRules)]
pub fn check_rules(schema: &str, list: &str, limit: f64) -> Result<()> {
    Ruled::new(&Schema::from_json(schema)?, &rules(&parse(list)?)?, limit)?;
    Ok(())
}

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
