//! What is kept of a group, and what it gives to the groups within it.

use super::local::tilted;
use super::source::Task;
use crate::models::support::{Base, Index};
use crate::total::Total;
use marginalia_tables::Result;
use std::sync::Arc;

/// What a row keeps of the prior's weight at least. Rows that an estimate emptied come back in a group within it only
/// where its measurements leave no other way, and then as the prior has them.
const LEAST: f64 = 1e-280;

/// The prior of a group: weights of the shared rows, and how many records they are worth.
#[derive(Debug, Clone)]
pub struct Prior {
    pub(super) base: Arc<Base>,
    /// What public tables alone say in the place of these weights.
    pub(super) public: Arc<Base>,
    pub(super) strength: f64,
}

impl Prior {
    /// A public prior, worth so many records.
    pub fn new(base: Arc<Base>, strength: f64) -> Self {
        Self { public: Arc::clone(&base), base, strength }
    }

    /// The prior of a group that differs by potentials from what it lies within, for what is public and what was
    /// estimated alike.
    pub(super) fn tilted(&self, index: &Index, v: &[f64], strength: f64) -> Result<Self> {
        let base = tilted(&self.base, index, v)?;
        let public = match Arc::ptr_eq(&self.base, &self.public) {
            true => Arc::clone(&base),
            false => tilted(&self.public, index, v)?,
        };
        Ok(Self { base, public, strength })
    }

    /// The estimate of a group as the prior of those within it. It is worth what went into it: n₀ records of its own
    /// prior and n̂ of the group.
    pub(super) fn below(&self, weights: &[f64], state: &State) -> Result<Self> {
        let mut floored = crate::models::support::zeros(weights.len())?;
        let each = floored.iter_mut().zip(weights).zip(self.base.prior());
        each.for_each(|((floored, q), p)| *floored = q.max(LEAST * p).max(f64::MIN_POSITIVE));
        let base = Arc::new(self.base.reweighted(&floored)?);
        Ok(Self { base, public: Arc::clone(&self.public), strength: state.worth })
    }

    /// The rows and their weights.
    pub fn base(&self) -> &Arc<Base> {
        &self.base
    }

    /// How many records it is worth.
    pub fn strength(&self) -> f64 {
        self.strength
    }
}

/// What is kept of a group: with the states of the groups that it lies within, all that its weights follow from.
#[derive(Debug, Clone)]
pub struct State {
    /// How many records there are.
    pub total: Total,
    /// How many records the estimate is worth as a prior: n₀ + n̂.
    pub worth: f64,
    /// By which potentials its prior differs from what it lies within, where public counts say so.
    pub(super) tilt: Option<Vec<f64>>,
    pub(super) kept: Kept,
}

#[derive(Debug, Clone)]
pub(super) enum Kept {
    /// Of the supported cells of its level: q ∝ p exp(Mᵀ u).
    Potentials(Vec<f64>),
    /// What Algorithm 1 makes has no potentials once a row without weight came back, so it is made again: a few steps
    /// of two passes, as many as were done, to the same bits.
    Task(Arc<Task>, usize),
}

impl State {
    /// A state from potentials that were saved.
    pub fn from_potentials(total: Total, worth: f64, u: Vec<f64>) -> Self {
        Self { total, worth, tilt: None, kept: Kept::Potentials(u) }
    }

    /// The same of a group whose prior has potentials over those of [`Local`](super::Local).
    pub fn with_tilt(self, tilt: Option<Vec<f64>>) -> Self {
        Self { tilt, ..self }
    }

    /// The potentials of its prior, where public counts of the group are known.
    pub fn tilt(&self) -> Option<&[f64]> {
        self.tilt.as_deref()
    }

    /// The potentials; none for Algorithm 1.
    pub fn potentials(&self) -> Option<&[f64]> {
        match &self.kept {
            Kept::Potentials(u) => Some(u),
            Kept::Task(..) => None,
        }
    }

    /// Bytes that it holds: a number for each cell of the group's measurements, whatever the number of rows.
    pub fn bytes(&self) -> usize {
        let kept = match &self.kept {
            Kept::Potentials(u) => size_of_val(u.as_slice()),
            Kept::Task(task, _) => task.bytes(),
        };
        size_of::<Self>() + kept + self.tilt.as_deref().map_or(0, size_of_val)
    }
}
