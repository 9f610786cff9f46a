//! Where the measurements of groups come from.

use super::{HierarchyPlan, UNKNOWN, invalid, slice};
use crate::measurement::Measurement;
use crate::total::Total;
use marginalia_tables::Result;
use std::sync::Arc;

/// What is known of one group.
#[derive(Debug, Clone)]
pub struct Task {
    /// The measurements of its level's cliques, in their order, by the attributes of the shared base.
    pub measurements: Vec<Measurement>,
    /// How many records it has.
    pub total: Total,
}

impl Task {
    pub(super) fn bytes(&self) -> usize {
        let of = |one: &Measurement| size_of::<Measurement>() + 8 * one.answers.len() + 2 * one.clique.len();
        size_of::<Self>() + self.measurements.iter().map(of).sum::<usize>()
    }
}

/// Anything that has the measurements of groups; asked for one at a time, and by several threads.
pub trait Source: Send + Sync {
    /// What is known of the group at a place of the plan.
    fn task(&self, group: usize) -> Result<Task>;
}

/// What says how many records a group has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TotalRule {
    /// Its count alone, as the paper has it: ⌊max(ñ, 0)⌋.
    Count,
    /// All of its measurements, by the inverse of their variances.
    #[default]
    Combined,
}

impl TotalRule {
    /// The total of a group from its measurements, of which a count is one of no attributes.
    pub fn total(self, measurements: &[Measurement]) -> Result<Total> {
        match self {
            Self::Combined => Total::measured(measurements),
            Self::Count => {
                let counts: Vec<Measurement> =
                    measurements.iter().filter(|one| one.clique.is_empty()).cloned().collect();
                let total = Total::measured(&counts)?;
                Ok(Total { value: libm::floor(total.value.max(0.0)), variance: total.variance })
            }
        }
    }
}

/// Released marginals of each level that have its group attributes among theirs, and measurements of single groups.
#[derive(Debug, Clone)]
pub struct Released {
    plan: Arc<HierarchyPlan>,
    levels: Vec<Vec<Measurement>>,
    rule: TotalRule,
    totals: Option<Vec<Total>>,
}

impl Released {
    /// The measurements of each level, by all attributes. A marginal of the group attributes alone is the counts.
    pub fn new(plan: Arc<HierarchyPlan>, levels: Vec<Vec<Measurement>>, rule: TotalRule) -> Result<Self> {
        if levels.len() != plan.levels().len() {
            return Err(invalid("there must be a list of measurements for each level, if an empty one"));
        }
        Ok(Self { plan, levels, rule, totals: None })
    }

    /// The same with known totals of all groups, such as [consistent](super::consistent) ones.
    pub fn with_totals(mut self, totals: Vec<Total>) -> Result<Self> {
        if totals.len() != self.plan.groups().len() {
            return Err(invalid("there must be a total for each group of the plan"));
        }
        self.totals = Some(totals);
        Ok(self)
    }

    /// The totals of all groups, each from its own measurements; of a level without any nothing is known, which only
    /// [consistent](super::consistent) totals can mend.
    pub fn totals(&self) -> Result<Vec<Total>> {
        let of = |at: usize| match self.levels[self.plan.groups()[at].level].is_empty() {
            true => Ok(Total { value: 0.0, variance: UNKNOWN }),
            false => self.rule.total(&self.slices(at)?),
        };
        (0..self.plan.groups().len()).map(of).collect()
    }

    pub(super) fn slices(&self, group: usize) -> Result<Vec<Measurement>> {
        let group = &self.plan.groups()[group];
        self.levels[group.level].iter().map(|one| slice(&self.plan, group, one)).collect()
    }
}

impl Source for Released {
    fn task(&self, group: usize) -> Result<Task> {
        if group >= self.plan.groups().len() {
            return Err(invalid("the plan has no such group"));
        }
        let mut measurements = self.slices(group)?;
        let total = match &self.totals {
            Some(totals) => totals[group],
            None => self.rule.total(&measurements)?,
        };
        measurements.retain(|one| !one.clique.is_empty());
        Ok(Task { measurements, total })
    }
}

/// Measurements of each group on its own.
impl Source for Vec<Task> {
    fn task(&self, group: usize) -> Result<Task> {
        self.get(group).cloned().ok_or_else(|| invalid("a group of the plan has no measurements"))
    }
}
