//! Bounding what one unit contributes: at most `k` rows of each, chosen at random while the rows are read.

use crate::id::canonical;
use crate::random::Generator;
use crate::sampler::uniform;
use marginalia_tables::read::{Batch, RowSink};
use marginalia_tables::{Code, Error, Result, Table};
use std::collections::HashMap;

/// Takes rows into a table; with a bound, at most so many of each unit.
pub(crate) struct Bounded {
    pub table: Table,
    units: Option<Units>,
}

/// The units seen so far, by their ids, which are forgotten with this; `id.rs` says which are one.
struct Units {
    most: u32,
    /// What the fraction of a number begins with.
    point: u8,
    scratch: Vec<u8>,
    generator: Generator,
    seen: HashMap<Vec<u8>, Unit>,
}

/// What is known of one unit: how many rows it had, and which rows of the table are its.
#[derive(Default)]
struct Unit {
    rows: u64,
    kept: Vec<u32>,
}

impl Bounded {
    /// Takes every row: each is a unit, or who declared the bound answers for it.
    pub fn all(table: Table) -> Self {
        Self { table, units: None }
    }

    /// Takes at most `most` rows of each unit: a uniformly random set of its rows (reservoir sampling, Vitter's
    /// algorithm R, with draws of its own for each row). A row without an id is dropped.
    pub fn by_unit(table: Table, most: u32, point: u8, generator: Generator) -> Self {
        Self {
            table,
            units: Some(Units { most, point, scratch: Vec::new(), generator, seen: HashMap::new() }),
        }
    }
}

impl RowSink for Bounded {
    fn take(&mut self, Batch { codes, names, .. }: Batch<'_>) -> Result<()> {
        let Some(units) = &mut self.units else { return self.table.extend(codes, None, &[]) };
        let names = names
            .ok_or_else(|| Error::new(Code::OptionInvalid, "rows come without the names of their units"))?;
        for row in 0..codes.first().map_or(0, |column| column.len()) {
            match units.place(names.get(row), self.table.rows())? {
                Place::Nowhere => {}
                Place::New => {
                    let one: Vec<&[u16]> = codes.iter().map(|column| &column[row..=row]).collect();
                    self.table.extend(&one, None, &[])?;
                }
                Place::InsteadOf(kept) => {
                    let one: Vec<u16> = codes.iter().map(|column| column[row]).collect();
                    self.table.replace(kept as usize, &one);
                }
            }
        }
        Ok(())
    }
}

/// Where a row goes.
enum Place {
    Nowhere,
    New,
    InsteadOf(u32),
}

impl Units {
    fn place(&mut self, name: &[u8], next: usize) -> Result<Place> {
        if name.is_empty() {
            return Ok(Place::Nowhere);
        }
        let name = canonical(name, self.point, &mut self.scratch);
        if !self.seen.contains_key(name) {
            self.seen.try_reserve(1).map_err(|_| Error::out_of_memory(name.len()))?;
            self.seen.insert(name.to_vec(), Unit::default());
        }
        let Some(unit) = self.seen.get_mut(name) else { return Ok(Place::Nowhere) };
        unit.rows += 1;
        if unit.kept.len() < self.most as usize {
            let next = u32::try_from(next).map_err(|_| Error::out_of_memory(next))?;
            unit.kept.push(next);
            return Ok(Place::New);
        }
        let slot = uniform::below_u64(&mut self.generator, unit.rows);
        Ok(unit.kept.get(slot as usize).map_or(Place::Nowhere, |kept| Place::InsteadOf(*kept)))
    }
}
