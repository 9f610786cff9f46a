//! What a group says of its rows: its code, and all that follows from it.

use crate::deviates::stream;
use crate::priors::dependencies::{Dependencies, Dependency, nearest};
use crate::seed::Seed;
use marginalia_tables::table::Raw;
use marginalia_tables::{Result, Table};
use std::borrow::Cow;

/// The attributes that go with the group, and what other attributes say of them.
#[derive(Debug)]
pub(super) struct Part {
    /// The group first, and their codes in each group.
    attributes: Vec<u16>,
    codes: Vec<Vec<u16>>,
    /// Rows of each group, or of the nearest that has any: what their numbers are.
    lenders: Vec<Vec<u32>>,
    /// From another attribute to one of these.
    implied: Vec<Dependency>,
    lending: Seed,
}

/// The raw numbers of a row, and the draw that chose among those of its member.
pub(super) struct Numbers {
    pub all: Vec<f64>,
    draw: u64,
}

impl Part {
    /// By the distinct rows of the public table.
    pub(super) fn new(
        table: &Table,
        group: u16,
        groups: &[u16],
        dependencies: &Dependencies,
        seed: u64,
    ) -> Result<Self> {
        let attributes = dependencies.part(group);
        let column = |a: u16| &table.columns()[usize::from(a)];
        let mut of_code = vec![Vec::new(); table.domain().sizes()[usize::from(group)] as usize];
        if attributes.len() > 1 {
            (0..table.rows()).for_each(|row| of_code[usize::from(column(group).get(row))].push(row as u32));
        }
        let near = nearest(of_code.len(), &|code| !of_code[code].is_empty());
        let lenders: Vec<Vec<u32>> =
            groups.iter().map(|code| of_code[near[usize::from(*code)]].clone()).collect();
        let of = |a: &u16| match *a == group {
            true => groups.to_vec(),
            false => lenders
                .iter()
                .map(|rows| rows.first().map_or(0, |row| column(*a).get(*row as usize)))
                .collect(),
        };
        let codes = attributes.iter().map(of).collect();
        // Without their raw numbers nothing is known of what these say.
        let read = |one: &Dependency| {
            !one.by_number || table.raw().iter().any(|raw| raw.attribute == usize::from(one.from))
        };
        let implied =
            |one: &&Dependency| attributes.contains(&one.to) && !attributes.contains(&one.from) && read(one);
        let implied = dependencies.list().iter().filter(implied).copied().collect();
        Ok(Self { attributes, codes, lenders, implied, lending: stream(seed, &[LEND]) })
    }

    pub(super) fn has(&self, attribute: u16) -> bool {
        self.attributes.contains(&attribute)
    }

    /// The code of an attribute in a group; none where the group does not say.
    pub(super) fn code(&self, attribute: u16, group: usize) -> Option<u16> {
        let place = self.attributes.iter().position(|a| *a == attribute)?;
        Some(self.codes[place][group])
    }

    /// Whether other attributes say something of the group.
    pub(super) fn is_implied(&self) -> bool {
        !self.implied.is_empty()
    }

    /// Of the rows that equal a row but for the group, those that say of it what it is, or all where none does.
    pub(super) fn agreeing<'a>(&self, table: &Table, members: &'a [u32], group: usize) -> Cow<'a, [u32]> {
        if self.implied.is_empty() {
            return Cow::Borrowed(members);
        }
        let agrees = |row: &u32| self.implied.iter().all(|one| self.agrees(table, *row as usize, group, one));
        let some: Vec<u32> = members.iter().copied().filter(agrees).collect();
        if some.is_empty() { Cow::Borrowed(members) } else { Cow::Owned(some) }
    }

    fn agrees(&self, table: &Table, row: usize, group: usize, one: &Dependency) -> bool {
        Some(table.columns()[usize::from(one.to)].get(row)) == self.code(one.to, group)
    }

    /// The raw numbers of a row that is a member but for its group.
    pub(super) fn numbers(
        &mut self,
        table: &Table,
        member: usize,
        group: usize,
        random: &mut Seed,
    ) -> Numbers {
        let draw = if table.raw().is_empty() { 0 } else { random.next_u64() };
        let mut lent = None;
        let mut number = |raw: &Raw| {
            let lenders = &self.lenders[group];
            if lenders.is_empty() || !self.attributes.contains(&(raw.attribute as u16)) {
                return raw.pick(member, draw).unwrap_or(f64::NAN);
            }
            let (row, draw) = *lent.get_or_insert_with(|| {
                let row = lenders[self.lending.below(lenders.len() as u64) as usize];
                (row as usize, self.lending.next_u64())
            });
            raw.pick(row, draw).unwrap_or(f64::NAN)
        };
        Numbers { all: table.raw().iter().map(&mut number).collect(), draw }
    }

    /// Whether what a member says of the group is so.
    pub(super) fn keeps(&self, table: &Table, member: usize, group: usize, numbers: &Numbers) -> bool {
        let number = |one: &Dependency| {
            let at = table.raw().iter().position(|raw| raw.attribute == usize::from(one.to))?;
            let own = table.raw()[at].pick(member, numbers.draw).unwrap_or(f64::NAN);
            Some(own.to_bits() == numbers.all[at].to_bits())
        };
        let keeps = |one: &Dependency| {
            self.agrees(table, member, group, one) && (!one.number || number(one).unwrap_or(true))
        };
        self.implied.iter().all(keeps)
    }
}

const LEND: u64 = 0x6c65_6e64;
