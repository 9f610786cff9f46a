//! Serves `ts/estimate/dependencies.ts`: attributes that follow from others in a public table.

use crate::job::Job;
use marginalia_binding::error::Result;
use marginalia_binding::table::Table;
use marginalia_estimate::priors::dependencies::{self, Dependencies, Dependency, Followed};
use wasm_bindgen::prelude::wasm_bindgen;

/// Those that options name, as [`find_dependencies`] writes them.
pub(crate) fn kept(flat: &[u16]) -> Dependencies {
    let of = |[from, to, by_number, number]: &[u16; 4]| {
        let (by_number, number) = (*by_number == 1, *number == 1);
        Dependency { from: *from, to: *to, by_number, number }
    };
    Dependencies::new(flat.as_chunks().0.iter().map(of).collect())
}

/// Finds the dependencies of a public table: of each its two attributes, whether it takes raw numbers to know, and whether they
/// follow.
#[wasm_bindgen(js_name = findDependencies, unchecked_return_type = "Job<Uint16Array<ArrayBuffer>>")]
pub fn find_dependencies(table: Table) -> Job {
    let flat = |one: &Dependency| [one.from, one.to, u16::from(one.by_number), u16::from(one.number)];
    Job::new(dependencies::find(table.shared()), move |found| {
        Ok(found.list().iter().flat_map(flat).collect::<Vec<u16>>().into())
    })
}

/// What an attribute is for each code of another that it follows from: its codes, and then its raw numbers.
#[wasm_bindgen]
pub fn followed(table: Table, from: u16, to: u16, number: bool) -> Result<Vec<f64>> {
    let followed = Followed::of(table.shared(), Dependency { from, to, by_number: false, number })?;
    Ok(followed.codes.iter().map(|code| f64::from(*code)).chain(followed.numbers).collect())
}
