//! Seeds, cliques and rules, as they cross.

use marginalia_binding::error::Result;
use marginalia_binding::options::whole;
use marginalia_estimate::models::graphical::Rule;
use marginalia_tables::{Code, Domain, Error};
use serde_json::Value;

/// A u64 in decimal digits, which a JavaScript number could not hold.
pub(crate) fn seed(digits: &str) -> std::result::Result<u64, Error> {
    digits.parse().map_err(|_| Error::new(Code::OptionInvalid, "the seed is not a 64-bit number"))
}

/// The cliques of a flat list.
pub(crate) fn cliques(domain: &Domain, flat: &[u16], starts: &[u32]) -> Result<Vec<Vec<u16>>> {
    let starts = starts.iter().map(|start| *start as usize).collect();
    let workload = marginalia_tables::Workload::new(domain.clone(), flat.to_vec(), starts)?;
    Ok(workload.cliques().map(<[u16]>::to_vec).collect())
}

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
