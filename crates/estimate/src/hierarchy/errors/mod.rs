//! Standard errors of what groups answer, of one or of the sum of some.
//!
//! A group's estimate is q ∝ p exp(Mᵀ u), where p is what it lies within, moved by public counts, and its potentials meet
//! its own answers as those of one table do (see [`crate::errors`], whose H and v these are). An answer is the sum
//! of n̂ Σ q a over groups of the last level. With φ = n̂ q (a − mean), which is by how much it follows ln q, it moves
//!
//! - with the group's answers by w·δỹ/n̂, where H w = M φ,
//! - with ln p by φ − q (Mᵀ w − mean), which is the φ of what the group lies within, or a part of it: those of all groups
//!   within one are added up. So the noise of coarser levels is not left out, nor is what groups have in common,
//! - with the group's total by mean − (w·y)/n̂; and totals that agree move with the totals of all groups.
//!
//! *Noise*: the answers of all groups are independent, so the variance is a sum over all of their cells.
//!
//! *What is left open*: what is true of a group is off what is true of the one that it lies within by a variance of
//! 1/n₀ − 1/N of a distribution, where n₀ is what its prior was worth and N what that of the other is, which is already
//! counted there. The groups within one are off it such that they sum to it, so that what they are off together is
//! taken off again: Σ dφ²/q − (Σ n̂dφ)²/Σ n̂²dq for each row, with d for 1/n₀ − 1/N. Groups that nobody asked for are in
//! that sum as if they were what they lie within. The coarsest groups have 1/N of the public table in common.
//!
//! All of it is of first order, as for one table. A total below zero, for which a group has no records, moves its answer all
//! the same, since another draw might not have been below.

mod evidence;
mod family;
mod walk;

pub use evidence::GroupEvidence;

use super::part::met;
use super::{Setup, State, invalid};
use crate::errors::{Question, Spread};
use crate::models::support::Condition;
use evidence::Known;
use marginalia_tables::{Code, Error, Result};
use std::sync::Arc;
use walk::Walk;

/// What answers are parts of, where they are to be shares: all records that are meant, and each answer as a share.
#[derive(Debug, Clone)]
pub struct Shares {
    /// The records of the groups that meet the condition.
    pub records: f64,
    /// The answers to all questions, one after another.
    pub answers: Vec<f64>,
}

/// Whose errors are asked for.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Groups of the last level, by their places.
    pub groups: Vec<usize>,
    /// About cliques of all attributes.
    pub questions: Vec<Question>,
    /// Which of their records are meant, by attributes that are none of groups.
    pub condition: Condition,
    /// None for answers in records.
    pub shares: Option<Shares>,
}

/// The working out of the variances of answers, one after another.
pub struct GroupErrorsJob {
    what: What,
    walk: Option<Walk>,
    /// The question, and which of its answers is next.
    at: (usize, usize),
    answers: usize,
    spreads: Vec<Spread>,
    done: u64,
}

/// What all answers have in common.
struct What {
    setup: Arc<Setup>,
    states: Vec<Option<Arc<State>>>,
    known: Known,
    asked: Asked,
    /// The groups that are asked and what they lie within, each after all within it.
    nodes: Vec<usize>,
    /// Which rows meet the condition.
    met: Vec<f64>,
}

impl GroupErrorsJob {
    /// The errors of the sum of some groups of the last level.
    pub fn new(
        setup: Arc<Setup>,
        states: Vec<Option<Arc<State>>>,
        evidence: GroupEvidence,
        asked: Asked,
    ) -> Result<Self> {
        let plan = Arc::clone(setup.plan());
        let (all, last) = (plan.groups(), setup.levels().len() - 1);
        if asked.groups.iter().any(|at| all.get(*at).is_none_or(|one| one.level != last)) {
            return Err(invalid("errors are of groups of the last level, or of sums of them"));
        }
        let mut answers = 0usize;
        for Question { clique, query } in &asked.questions {
            let cells = plan.domain().cells(clique).and_then(|cells| u32::try_from(cells).ok());
            let cells = cells.ok_or_else(|| {
                Error::new(
                    Code::ModelTooLarge,
                    "a clique has too many cells for errors: ask for a smaller one",
                )
            })?;
            answers += query.answers(cells as usize)?;
            for at in &asked.groups {
                super::slice::fix(&plan, &all[*at], clique)?;
            }
        }
        if asked.shares.as_ref().is_some_and(|one| one.answers.len() != answers || one.records <= 0.0) {
            return Err(invalid("shares need each answer, and the records that they are parts of"));
        }
        let known = Known::new(&setup, &states, evidence)?;
        let met = met(&setup, &asked.condition)?;
        let nodes = nodes(&plan, &asked.groups);
        let what = What { setup, states, known, asked, nodes, met };
        Ok(Self { what, walk: None, at: (0, 0), answers, spreads: Vec::new(), done: 0 })
    }

    /// Does about `work` units, one of which takes as long as a row in a pass over one marginal; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        let until = self.done.saturating_add(work.max(1));
        while self.at.0 < self.what.asked.questions.len() && self.done < until {
            let mut walk = match self.walk.take() {
                Some(walk) => walk,
                None => Walk::new(&self.what, self.at, self.spreads.len())?,
            };
            if !walk.advance(&self.what, until - self.done, &mut self.done)? {
                self.walk = Some(walk);
                continue;
            }
            let spread = walk.finish(&self.what)?;
            self.spreads.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<Spread>()))?;
            self.spreads.push(spread);
            self.next()?;
        }
        Ok(self.at.0 == self.what.asked.questions.len())
    }

    fn next(&mut self) -> Result<()> {
        let (question, answer) = self.at;
        let Question { clique, query } = &self.what.asked.questions[question];
        let cells = self.what.setup.plan().domain().cells(clique).unwrap_or(u64::MAX) as usize;
        let more = answer + 1 < query.answers(cells)?;
        self.at = if more { (question, answer + 1) } else { (question + 1, 0) };
        Ok(())
    }

    /// The answers done.
    pub fn done(&self) -> usize {
        self.spreads.len()
    }

    /// All answers.
    pub fn total(&self) -> usize {
        self.answers
    }

    /// Does what is left and returns the variances of all answers, question after question.
    pub fn finish(mut self) -> Result<Vec<Spread>> {
        while !self.step(u64::MAX)? {}
        Ok(self.spreads)
    }
}

/// Groups and what they lie within, each after all within it.
fn nodes(plan: &super::HierarchyPlan, groups: &[usize]) -> Vec<usize> {
    let mut part = vec![false; plan.groups().len()];
    for at in groups.iter().flat_map(|group| plan.path(*group)) {
        part[at] = true;
    }
    (0..part.len()).rev().filter(|at| part[*at]).collect()
}
