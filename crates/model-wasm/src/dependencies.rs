//! Serves `ts/mechanisms/dependencies.ts`: attributes that follow from others in a public table.

use crate::error::Result;
use crate::table::Table;
use marginalia_estimate::priors::dependencies::{Dependencies, Dependency, FindJob, Followed};
use wasm_bindgen::prelude::wasm_bindgen;

/// Those that options name, as [`DependenciesJob`] writes them.
pub(crate) fn kept(flat: &[u16]) -> Dependencies {
    let of = |[from, to, by_number, number]: &[u16; 4]| {
        let (by_number, number) = (*by_number == 1, *number == 1);
        Dependency { from: *from, to: *to, by_number, number }
    };
    Dependencies::new(flat.as_chunks().0.iter().map(of).collect())
}

/// Finds the dependencies of a public table.
#[wasm_bindgen]
pub struct DependenciesJob(FindJob);

#[wasm_bindgen]
impl DependenciesJob {
    /// A job over a public table.
    #[wasm_bindgen(constructor)]
    pub fn new(table: Table) -> Result<DependenciesJob> {
        Ok(Self(FindJob::new(table.shared())?))
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        Ok(self.0.step(work as u64)?)
    }

    /// Pairs of attributes judged.
    pub fn done(&self) -> f64 {
        self.0.done() as f64
    }

    /// Pairs to judge.
    pub fn total(&self) -> f64 {
        self.0.total() as f64
    }

    /// Of each its two attributes, whether it takes raw numbers to know, and whether they follow.
    pub fn finish(self) -> Result<Vec<u16>> {
        let flat = |one: &Dependency| [one.from, one.to, u16::from(one.by_number), u16::from(one.number)];
        Ok(self.0.finish()?.list().iter().flat_map(flat).collect())
    }
}

/// What an attribute is for each code of another that it follows from: its codes, and then its raw numbers.
#[wasm_bindgen]
pub fn followed(table: Table, from: u16, to: u16, number: bool) -> Result<Vec<f64>> {
    let followed = Followed::of(table.shared(), Dependency { from, to, by_number: false, number })?;
    Ok(followed.codes.iter().map(|code| f64::from(*code)).chain(followed.numbers).collect())
}
