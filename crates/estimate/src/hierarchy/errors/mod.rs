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
use super::{Setup, States, invalid};
use crate::errors::{Question, Spread};
use crate::job::Steps;
use crate::models::support::{Condition, room};
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
pub struct GroupErrorsRequest {
    /// Groups of the last level, by their places.
    pub groups: Vec<usize>,
    /// About cliques of all attributes.
    pub questions: Vec<Question>,
    /// Which of their records are meant, by attributes that are none of groups.
    pub condition: Condition,
    /// None for answers in records.
    pub shares: Option<Shares>,
}

/// What all answers have in common.
struct Groups {
    setup: Arc<Setup>,
    states: States,
    known: Known,
    request: GroupErrorsRequest,
    /// The groups that are asked and what they lie within, each after all within it.
    nodes: Vec<usize>,
    /// Which rows meet the condition.
    met: Vec<f64>,
}

/// The variances of all answers of the sum of some groups of the last level, question after question.
pub fn group_errors(
    setup: Arc<Setup>,
    states: States,
    evidence: GroupEvidence,
    request: GroupErrorsRequest,
) -> Result<Steps<Vec<Spread>>> {
    let plan = Arc::clone(setup.plan());
    let (all, last) = (plan.groups(), setup.levels().len() - 1);
    if request.groups.iter().any(|at| all.get(*at).is_none_or(|one| one.level != last)) {
        return Err(invalid("errors are of groups of the last level, or of sums of them"));
    }
    let mut answers = Vec::new();
    for (question, Question { clique, query }) in request.questions.iter().enumerate() {
        let cells = plan.domain().cells(clique).and_then(|cells| u32::try_from(cells).ok());
        let cells = cells.ok_or_else(|| {
            Error::new(Code::ModelTooLarge, "a clique has too many cells for errors: ask for a smaller one")
        })?;
        let number = query.answers(cells as usize)?;
        answers.try_reserve(number).map_err(|_| Error::out_of_memory(16 * number))?;
        answers.extend((0..number).map(|answer| (question, answer)));
        for at in &request.groups {
            super::slice::fix(&plan, &all[*at], clique)?;
        }
    }
    if request.shares.as_ref().is_some_and(|one| one.answers.len() != answers.len() || one.records <= 0.0) {
        return Err(invalid("shares need each answer, and the records that they are parts of"));
    }
    let known = Known::new(&setup, &states, evidence)?;
    let met = met(&setup, &request.condition)?;
    let nodes = nodes(&plan, &request.groups);
    let groups = Groups { setup, states, known, request, nodes, met };
    Ok(Steps::new(move |pace| async move {
        let mut spreads = room(answers.len())?;
        for at in &answers {
            pace.show(spreads.len(), answers.len());
            spreads.push(Walk::new(&groups, *at, spreads.len()).spread(&pace).await?);
        }
        Ok(spreads)
    }))
}

/// Groups and what they lie within, each after all within it.
fn nodes(plan: &super::HierarchyPlan, groups: &[usize]) -> Vec<usize> {
    let mut part = vec![false; plan.groups().len()];
    for at in groups.iter().flat_map(|group| plan.path(*group)) {
        part[at] = true;
    }
    (0..part.len()).rev().filter(|at| part[*at]).collect()
}
