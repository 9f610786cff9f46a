//! How to divide a budget among the levels, and among the counts and the workload of each: a few ways to do it, simulated
//! on public tables alone with the noise that each would have. Nothing private is read.
//!
//! A [`World`] is what is simulated: some of the finest groups, each drawn in proportion to its public records, what they lie
//! within, and a sample of all other public rows, so that what is above has all of its records. A truth lies
//! about the public table by as much as tables of two years do ([`truth`]); every way is tried on the same truths.

mod forecast;
mod totals;
mod trial;
mod truth;
mod world;

pub use forecast::split;

use super::{Strength, TotalRule, invalid};
use crate::design::Noise;
use crate::measurement::Measurement;
use marginalia_tables::Result;

/// What the groups of one level are asked, and what is spent on it: in ε or ρ.
#[derive(Debug, Clone, PartialEq)]
pub struct Spent {
    /// On how many records each has; nothing where it is 0.
    pub count: f64,
    /// The marginals of each group, without its group attributes.
    pub cliques: Vec<Vec<u16>>,
    /// On each of them.
    pub budgets: Vec<f64>,
}

/// What is simulated, and how. Attributes are those of the schema.
#[derive(Debug, Clone)]
pub struct Simulated {
    /// The ways to try: what each level is asked.
    pub splits: Vec<Vec<Spent>>,
    /// The tables that are judged in each of the finest groups, without its group attributes.
    pub tables: Vec<Vec<u16>>,
    /// The law of the noise, with a budget of 1: shares are what is spent.
    pub noise: Noise,
    /// How many records are expected; never the private number.
    pub expected: f64,
    /// How many records the public table is worth.
    pub strength: f64,
    /// What says how much the prior of a group is worth, for each level.
    pub strengths: Vec<Strength>,
    /// Public counts of each level, as for [`Local`](super::Local), and what parents are worth to the groups of each.
    pub counts: Vec<Vec<Measurement>>,
    /// See `counts`.
    pub between: Vec<f64>,
    /// What says how many records a group has.
    pub rule: TotalRule,
    /// Whether totals are made to agree, and whether the number of all records is known.
    pub agree: bool,
    /// See `agree`.
    pub known: bool,
    /// How many of the public records agree with the truth's law; less than 1.
    pub drift: f64,
    /// The most records by which the truth's law agrees with the public one in what all groups have in common.
    pub common: f64,
    /// Truths.
    pub draws: usize,
    /// The most public rows that are simulated.
    pub most_rows: usize,
    /// The most of the finest groups.
    pub most_groups: usize,
    /// The seed of everything.
    pub seed: u64,
}

impl Simulated {
    fn check(&self, levels: usize) -> Result<()> {
        let positive = [self.expected, self.strength, self.drift, self.common, self.noise.sensitivity];
        let sound = |one: &Spent| {
            one.cliques.len() == one.budgets.len()
                && one.budgets.iter().chain([&one.count]).all(|spent| spent.is_finite() && *spent >= 0.0)
                && one.budgets.iter().all(|spent| *spent > 0.0)
        };
        let sizes = [self.draws, self.most_rows, self.most_groups, self.splits.len(), self.tables.len()];
        let fits = self.splits.iter().all(|split| split.len() == levels && split.iter().all(sound));
        let lists = [self.strengths.len(), self.counts.len(), self.between.len()];
        if fits
            && sizes.iter().all(|size| *size > 0)
            && lists.iter().all(|length| *length == levels)
            && positive.iter().all(|x| x.is_normal() && *x > 0.0)
        {
            return Ok(());
        }
        Err(invalid(
            "a forecast of budgets needs ways to divide them, a table to judge, and positive numbers",
        ))
    }
}
