//! The groups and rows that a forecast looks at.

use crate::deviates::{open, stream};
use crate::hierarchy::{HierarchyPlan, invalid};
use crate::job::Pace;
use crate::models::support::Base;
use marginalia_tables::{Codes, Domain, Result, Table};
use std::ops::Range;
use std::sync::Arc;

/// A group that takes part.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    /// Its place in the plan.
    pub group: usize,
    /// The place of what it lies within, among the members.
    pub parent: Option<usize>,
    /// How often it was drawn; never, where it is one of those above.
    pub drawn: u32,
}

/// Public rows that stand for all, and the groups that are simulated.
#[derive(Debug)]
pub(super) struct World {
    pub plan: Arc<HierarchyPlan>,
    /// The rows without group attributes, with the public weight of all that each stands for.
    pub base: Arc<Base>,
    /// Of each row the finest group, by its place in the plan.
    pub of_row: Vec<u32>,
    /// The groups, each after what it lies within.
    pub members: Vec<Member>,
    /// The public weight of each group of the plan, and of all.
    pub weights: Vec<f64>,
    pub all: f64,
}

impl World {
    /// The rows that lie in a group, of any level.
    pub fn within(&self, group: usize) -> impl Fn(usize) -> bool {
        let groups = self.plan.groups();
        let (mut end, level) = (group + 1, groups[group].level);
        // What lies within a group follows it.
        while end < groups.len() && groups[end].level > level {
            end += 1;
        }
        move |row| (group..end).contains(&(self.of_row[row] as usize))
    }
}

/// The rows of a public table of the plan's schema, each in one of the finest groups.
pub(super) struct Rows {
    plan: Arc<HierarchyPlan>,
    table: Arc<Table>,
    /// Of the finest groups the key and the place, by key.
    keys: Vec<(u64, usize)>,
}

/// Of each group of the plan the weight and the number of its rows, and how often it was drawn.
struct Counted {
    weights: Vec<f64>,
    rows: Vec<u32>,
    drawn: Vec<u32>,
}

/// The rows that are taken.
struct Taken {
    columns: Vec<Codes>,
    of_row: Vec<u32>,
    weights: Vec<f64>,
}

/// A systematic sample: a row is taken where the sum of weights passes a whole multiple of `every`; all are where it is 0.
#[derive(Debug, Clone, Copy)]
struct Taking {
    every: f64,
    sum: f64,
}

impl Taking {
    fn new(rows: f64, weight: f64, most: f64) -> Self {
        let every = if rows > most { weight / most.max(1.0) } else { 0.0 };
        Self { every, sum: every / 2.0 }
    }

    /// What a row of some weight stands for.
    fn share(&mut self, weight: f64) -> f64 {
        if self.every == 0.0 {
            return weight;
        }
        let before = libm::floor(self.sum / self.every);
        self.sum += weight;
        self.every * (libm::floor(self.sum / self.every) - before)
    }
}

impl Rows {
    pub fn new(plan: Arc<HierarchyPlan>, table: Arc<Table>) -> Result<Self> {
        if table.columns().len() != plan.domain().sizes().len() {
            return Err(invalid("the public table is under another schema than the plan"));
        }
        let last = plan.levels().len() - 1;
        let mut keys: Vec<(u64, usize)> = plan.of_level(last).map(|at| (plan.groups()[at].key, at)).collect();
        keys.sort_unstable();
        Ok(Self { plan, table, keys })
    }

    /// At most so many rows and of the finest groups: counts the groups, draws some, and takes their rows and a sample of the
    /// others.
    pub async fn world(self, most: (usize, usize), seed: u64, pace: &Pace) -> Result<World> {
        let groups = self.plan.groups().len();
        let mut counted =
            Counted { weights: vec![0.0; groups], rows: vec![0; groups], drawn: vec![0; groups] };
        for rows in self.blocks() {
            pace.did(READING * rows.len()).await;
            self.count(rows, &mut counted)?;
        }
        let mut taking = self.draw(&mut counted, most, seed)?;
        let columns = self.sizes().map(|size| Codes::new(size as usize)).collect();
        let mut taken = Taken { columns, of_row: Vec::new(), weights: Vec::new() };
        for rows in self.blocks() {
            pace.did(READING * rows.len()).await;
            self.take(rows, &counted.drawn, &mut taking, &mut taken)?;
        }
        self.found(counted, taken)
    }

    fn blocks(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let rows = self.table.rows();
        (0..rows).step_by(BLOCK).map(move |first| first..rows.min(first + BLOCK))
    }

    /// How many codes each attribute of the shared rows has.
    fn sizes(&self) -> impl Iterator<Item = u32> {
        self.plan.rest().iter().map(|a| self.plan.domain().sizes()[usize::from(*a)])
    }

    fn weight(&self, row: usize) -> f64 {
        self.table.weights().map_or(1.0, |weights| weights.get(row)).max(0.0)
    }

    /// The finest group of a row, by its place in the plan.
    fn group(&self, row: usize) -> Result<usize> {
        let (domain, columns) = (self.plan.domain(), self.table.columns());
        let finest = &self.plan.levels()[self.plan.levels().len() - 1];
        let key = finest.iter().fold(0, |key, a| {
            let a = usize::from(*a);
            key * u64::from(domain.sizes()[a]) + u64::from(columns[a].get(row))
        });
        match self.keys.binary_search_by_key(&key, |(key, _)| *key) {
            Ok(at) => Ok(self.keys[at].1),
            Err(_) => Err(invalid("a public row is in a group that the schema does not declare")),
        }
    }

    fn count(&self, rows: Range<usize>, counted: &mut Counted) -> Result<()> {
        for row in rows {
            let (group, weight) = (self.group(row)?, self.weight(row));
            counted.weights[group] += weight;
            counted.rows[group] += u32::from(weight > 0.0);
        }
        Ok(())
    }

    /// Draws groups in proportion to their weights, all of them where they are few; then how their rows are taken, and how
    /// the others.
    fn draw(&self, counted: &mut Counted, most: (usize, usize), seed: u64) -> Result<[Taking; 2]> {
        let Counted { weights, rows, drawn } = counted;
        let finest: Vec<usize> = self.keys.iter().map(|(_, at)| *at).collect();
        let all: f64 = finest.iter().map(|at| weights[*at]).sum();
        if all.is_nan() || all <= 0.0 || all.is_infinite() {
            return Err(invalid("a forecast needs public rows with positive weights"));
        }
        let (most_rows, most_groups) = most;
        if finest.len() <= most_groups {
            finest.iter().for_each(|at| drawn[*at] = u32::from(weights[*at] > 0.0));
        } else {
            let every = all / most_groups as f64;
            let mut taking = Taking { every, sum: every * open(&mut stream(seed, &[GROUPS])) };
            finest.iter().for_each(|at| {
                let share = taking.share(weights[*at]);
                drawn[*at] = libm::round(share / every) as u32;
            });
        }
        let mut sums = [(0.0, 0.0); 2];
        for at in &finest {
            let (number, weight) = &mut sums[usize::from(drawn[*at] == 0)];
            *number += f64::from(rows[*at]);
            *weight += weights[*at];
        }
        let [(number, weight), others] = sums;
        // What is not drawn has a quarter of the rows at most, and what it leaves goes to what is.
        let most_others = (most_rows as f64 / 4.0).min(others.0);
        let own = Taking::new(number, weight, most_rows as f64 - most_others);
        for at in (0..weights.len()).rev() {
            if let Some(parent) = self.plan.groups()[at].parent {
                weights[parent] += weights[at];
            }
        }
        Ok([own, Taking::new(others.0, others.1, most_others)])
    }

    fn take(
        &self,
        of: Range<usize>,
        drawn: &[u32],
        taking: &mut [Taking; 2],
        taken: &mut Taken,
    ) -> Result<()> {
        let mut rows = Vec::new();
        for row in of {
            let (group, own) = (self.group(row)?, self.weight(row));
            let weight = taking[usize::from(drawn[group] == 0)].share(own);
            if weight > 0.0 {
                rows.push(row);
                taken.of_row.push(group as u32);
                taken.weights.push(weight);
            }
        }
        for (column, a) in taken.columns.iter_mut().zip(self.plan.rest()) {
            let of = &self.table.columns()[usize::from(*a)];
            column.extend(&rows.iter().map(|row| of.get(*row)).collect::<Vec<u16>>())?;
        }
        Ok(())
    }

    fn found(self, counted: Counted, taken: Taken) -> Result<World> {
        let Counted { weights, drawn, .. } = counted;
        let domain = Domain::new(self.sizes().collect::<Vec<u32>>());
        let base = Arc::new(Base::new(domain, taken.columns, Some(&taken.weights))?);
        let groups = self.plan.groups();
        let mut takes_part = vec![false; groups.len()];
        for at in (0..groups.len()).rev() {
            takes_part[at] |= drawn[at] > 0;
            if let (true, Some(parent)) = (takes_part[at], groups[at].parent) {
                takes_part[parent] = true;
            }
        }
        let mut members: Vec<Member> = Vec::new();
        let mut place = vec![0; groups.len()];
        for at in (0..groups.len()).filter(|at| takes_part[*at]) {
            place[at] = members.len();
            let parent = groups[at].parent.map(|parent| place[parent]);
            members.push(Member { group: at, parent, drawn: drawn[at] });
        }
        let all = self.keys.iter().map(|(_, at)| weights[*at]).sum();
        Ok(World { plan: self.plan, base, of_row: taken.of_row, members, weights, all })
    }
}

/// Rows that are read at once, and how much longer that takes than a row in a pass.
const BLOCK: usize = 4096;
const READING: usize = 10;
const GROUPS: u64 = 0x6772_6f75;
