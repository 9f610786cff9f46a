//! What groups were estimated from, and what that says of their totals and priors.

use super::super::totals::consistent_with;
use super::super::{HierarchyPlan, Released, Setup, State, TotalRule, UNKNOWN, consistent, invalid};
use crate::estimators::strength::harmonic;
use crate::measurement::Measurement;
use crate::total::Total;
use marginalia_tables::{Code, Error, Result};
use std::sync::Arc;

/// A total that is known takes this part off the variances of groups at least.
const NOTABLE: f64 = 1e-9;

/// What groups were estimated from.
#[derive(Debug, Clone)]
pub struct GroupEvidence {
    /// Of each level, by all attributes, counts included.
    pub measurements: Vec<Vec<Measurement>>,
    /// What said how many records a group has.
    pub rule: TotalRule,
    /// Whether totals agree with each other.
    pub agree: bool,
}

/// By how much an answer moves with what was measured of one group.
pub(super) struct Moved {
    pub group: usize,
    /// With its total.
    pub total: f64,
    /// Σσ²x² over its cells, where it moves by x with each for a given total.
    pub square: f64,
    /// Σ x/c over its cells, each of a marginal with c of them.
    pub mean: f64,
}

/// What is known of all groups.
pub(super) struct Known {
    plan: Arc<HierarchyPlan>,
    released: Released,
    rule: TotalRule,
    agree: bool,
    /// Whether the sum of all was known.
    all: bool,
    /// What each group's own answers say of its total.
    own: Vec<Total>,
    /// n₀ of each group.
    pub strength: Vec<f64>,
    /// The variance by which a group is off what it lies within, of one that is 1 for a single record.
    pub apart: Vec<f64>,
    /// The same of what the coarsest groups have in common.
    pub common: f64,
    /// Σ n̂²·apart over the groups within each.
    pub within: Vec<f64>,
}

impl Known {
    pub fn new(setup: &Setup, states: &[Option<Arc<State>>], evidence: GroupEvidence) -> Result<Self> {
        let plan = Arc::clone(setup.plan());
        let GroupEvidence { measurements, rule, agree } = evidence;
        let states: Option<Vec<&State>> = states.iter().map(Option::as_deref).collect();
        let states = states.filter(|all| all.len() == plan.groups().len());
        let states = states.ok_or_else(|| invalid("errors need the states of all groups"))?;
        if states.iter().any(|state| state.potentials().is_none()) {
            return Err(Error::new(
                Code::QueryUnsupported,
                "nothing is known of the errors of Algorithm 1: estimate groups calibrated for that",
            ));
        }
        let released = Released::new(Arc::clone(&plan), measurements, rule)?;
        let mut own = released.totals()?;
        // What was known has no variance in the end.
        for (own, state) in own.iter_mut().zip(&states) {
            if agree && state.total.variance == 0.0 {
                *own = state.total;
            }
        }
        let all = agree && knew_all(&plan, &own, &states)?;
        let strength: Vec<f64> = states
            .iter()
            .zip(plan.groups())
            .map(|(state, group)| {
                let n = state.total.records();
                match setup.levels()[group.level].index().cells() {
                    // What nothing was measured of is worth what its prior is.
                    0 => harmonic(state.worth, n),
                    _ => (state.worth - n).max(1e-12 * state.worth),
                }
            })
            .collect();
        let roots = || (0..states.len()).filter(|at| plan.groups()[*at].parent.is_none());
        let common = roots().map(|at| 1.0 / strength[at]).fold(1.0 / setup.prior().strength(), f64::min);
        let mut apart = Vec::with_capacity(states.len());
        let mut within = vec![0.0; states.len()];
        for (at, group) in plan.groups().iter().enumerate() {
            let (open, n) = (1.0 / strength[at], states[at].total.records());
            // A group is a sample of its records at least, unless somebody said that its prior is worth more.
            apart.push(match group.parent {
                None => open - common,
                Some(parent) => (open - 1.0 / states[parent].worth).max(open.min(1.0 / n)),
            });
            if let Some(parent) = group.parent {
                within[parent] += n * n * apart[at];
            }
        }
        Ok(Self { plan, released, rule, agree, all, own, strength, apart, common, within })
    }

    /// The measurements of a group without its counts, by the attributes of the shared base.
    pub fn measurements(&self, group: usize) -> Result<Vec<Measurement>> {
        let mut all = self.released.slices(group)?;
        all.retain(|one| !one.clique.is_empty());
        Ok(all)
    }

    /// The variance of an answer that moves so with what was measured.
    pub fn noise(&self, moved: &[Moved]) -> Result<f64> {
        let mut totals = vec![0.0; self.own.len()];
        moved.iter().for_each(|one| totals[one.group] += one.total);
        let of_own = self.of_own(&totals)?;
        let mut noise = 0.0;
        for (of, own) in of_own.iter().zip(&self.own).filter(|(_, own)| own.variance < UNKNOWN) {
            noise += of * of * own.variance;
        }
        for Moved { group, square, mean, .. } in moved {
            // A total of all answers is their weighted sum, with weights V/(σ²c) of the cells of a marginal.
            let shared = match (self.rule, self.own[*group].variance) {
                (TotalRule::Combined, variance) if variance < UNKNOWN => variance,
                _ => 0.0,
            };
            noise += square + 2.0 * of_own[*group] * shared * mean;
        }
        Ok(noise.max(0.0))
    }

    /// From how something moves with the totals of groups to how it moves with what each one's own answers say.
    /// Totals that agree are K of these with K = S/V for a symmetric S, so that its transpose is K again with V around it.
    fn of_own(&self, totals: &[f64]) -> Result<Vec<f64>> {
        if !self.agree {
            return Ok(totals.to_vec());
        }
        let force = |(of, own): (&f64, &Total)| Total { value: of * own.variance, variance: own.variance };
        let forces: Vec<Total> = totals.iter().zip(&self.own).map(force).collect();
        let moved = consistent_with(&self.plan, &forces, self.all.then_some(0.0))?;
        let of = |(moved, own): (Total, &Total)| {
            if own.variance > 0.0 { moved.value / own.variance } else { 0.0 }
        };
        Ok(moved.into_iter().zip(&self.own).map(of).collect())
    }
}

/// Whether the number of all records was known: then the totals of the coarsest groups are surer than without it.
fn knew_all(plan: &HierarchyPlan, own: &[Total], states: &[&State]) -> Result<bool> {
    let free = consistent(plan, own)?;
    let surer = |at: usize| states[at].total.variance < free[at].variance * (1.0 - NOTABLE);
    Ok((0..own.len()).any(|at| plan.groups()[at].parent.is_none() && surer(at)))
}
