//! One answer: from the groups that give it to what they lie within.

use super::super::State;
use super::super::path::Path;
use super::super::slice::{fix, place};
use super::Groups;
use super::evidence::Moved;
use super::family::{Child, Family};
use crate::errors::{Question, Spread, System, mean};
use crate::job::Pace;
use crate::models::support::{Distribution, cells_of_rows, room, zeros};
use crate::vector::dot;
use marginalia_tables::Result;
use std::sync::Arc;

pub(super) struct Walk<'a> {
    of: &'a Groups,
    /// The question and its answer, and which of all answers that is.
    at: (usize, usize),
    number: usize,
    /// For each level what its groups within the one that is open have come to.
    families: Vec<Option<Family>>,
    moved: Vec<Moved>,
    open: f64,
}

/// A group whose weights are there.
struct Node<'a> {
    q: &'a [f64],
    state: &'a State,
    system: System,
    /// By how much the answer follows the logarithm of its weights, and its total.
    signed: Vec<f64>,
    mean: f64,
}

impl<'a> Walk<'a> {
    pub fn new(of: &'a Groups, at: (usize, usize), number: usize) -> Self {
        let families = of.setup.levels().iter().map(|_| None).collect();
        Self { of, at, number, families, moved: Vec::new(), open: 0.0 }
    }

    /// The variances of the answer.
    pub async fn spread(mut self, pace: &Pace) -> Result<Spread> {
        for group in &self.of.nodes {
            pace.did(1).await;
            if self.needs(*group)? {
                self.visit(*group, pace).await?;
            }
        }
        let known = &self.of.known;
        let common = self.families[0].as_ref().map_or(0.0, |family| family.common(known.common));
        Ok(Spread { noise: known.noise(&self.moved)?, open: (self.open + common).max(0.0) })
    }

    /// Whether the answer depends on a group.
    fn needs(&self, group: usize) -> Result<bool> {
        let level = self.of.setup.plan().groups()[group].level;
        Ok(match self.families.get(level + 1) {
            Some(family) => family.is_some(),
            None => self.of.request.shares.is_some() || self.counts(group)?.is_some(),
        })
    }

    /// By how much the answer follows the weights of a group, and what the group's own answers leave of that to what it lies
    /// within.
    async fn visit(&mut self, group: usize, pace: &Pace) -> Result<()> {
        let Groups { setup, states, known, .. } = self.of;
        let model = Path::new(Arc::clone(setup), states, group)?.weights(pace).await?;
        let (signed, mean) = self.follows(group, &model)?;
        let Some(state) = &states[group] else { return Ok(()) };
        let index = Arc::clone(setup.levels()[setup.plan().groups()[group].level].index());
        let (n, strength) = (state.total.records(), known.strength[group]);
        let system = System::new(index, &known.measurements(group)?, n, strength)?;
        let q = model.weights()?;
        let w = system.solve(&signed, q, pace).await?;
        self.solved(group, Node { q, state, system, signed, mean }, &w)
    }

    /// What the answer counts the cells of the group's part of the clique for, and that clique; none where that is
    /// nothing.
    fn counts(&self, group: usize) -> Result<Option<(Vec<u16>, Vec<f64>)>> {
        let plan = self.of.setup.plan();
        let Question { clique, query } = &self.of.request.questions[self.at.0];
        let (start, free, strides) = fix(plan, &plan.groups()[group], clique)?;
        let cells: usize = strides.iter().map(|(_, size)| size).product();
        let mut counts = room(cells)?;
        counts
            .extend((0..cells).map(|cell| f64::from(query.entry(self.at.1, start + place(&strides, cell)))));
        Ok(counts.iter().any(|count| *count != 0.0).then_some((free, counts)))
    }

    /// By how much the answer follows the logarithm of a group's weights, and its total.
    fn follows(&mut self, group: usize, model: &Distribution) -> Result<(Vec<f64>, f64)> {
        let of = self.of.setup.plan().groups()[group].level;
        match self.families.get_mut(of + 1) {
            Some(family) => match family.take() {
                Some(family) => {
                    self.open -= family.together(model.weights()?, self.of.known.within[group]);
                    Ok((family.signed, 0.0))
                }
                None => Ok((zeros(model.base().rows())?, 0.0)),
            },
            None => self.own(group, model),
        }
    }

    /// n̂ q (a − mean) and the mean of a group of the last level.
    fn own(&self, group: usize, model: &Distribution) -> Result<(Vec<f64>, f64)> {
        let (base, q) = (model.base(), model.weights()?);
        let mut a = zeros(base.rows())?;
        if let Some((free, counts)) = self.counts(group)? {
            let mut cells = room(base.rows())?;
            cells.resize(base.rows(), 0);
            cells_of_rows(base.domain(), base.columns().into(), &free, 0..base.rows(), &mut cells);
            let rows = a.iter_mut().zip(&cells).zip(&self.of.met);
            rows.for_each(|((a, cell), met)| *a = counts[*cell as usize] * met);
        }
        if let Some(shares) = &self.of.request.shares {
            let share = shares.answers[self.number];
            a.iter_mut().zip(&self.of.met).for_each(|(a, met)| *a = (*a - share * met) / shares.records);
        }
        // Of the number of records nothing is in the weights, not even by rounding.
        let (first, n) = (a.first().copied().unwrap_or_default(), model.total());
        if a.iter().all(|a| *a == first) {
            return Ok((zeros(a.len())?, first));
        }
        let mean = mean(q, &a);
        a.iter_mut().zip(q).for_each(|(a, q)| *a = n * q * (*a - mean));
        Ok((a, mean))
    }

    /// What the group's own answers leave to what it lies within.
    fn solved(&mut self, group: usize, node: Node<'_>, w: &[f64]) -> Result<()> {
        let Node { q, state, system, mut signed, mean } = node;
        let n = state.total.records();
        let moves = state.total.value >= n;
        let total = mean - if moves { dot(w, &system.y) / n } else { 0.0 };
        let square =
            w.iter().zip(&system.variance).map(|(w, variance)| variance * w * w).sum::<f64>() / (n * n);
        let marginals = system.index.marginals().iter().zip(&system.unsupported);
        let means = marginals.map(|(one, unsupported)| {
            w[one.cells.clone()].iter().sum::<f64>() / (one.places.len() + unsupported) as f64
        });
        self.moved.push(Moved { group, total, square, mean: means.sum::<f64>() / n });
        let mut t = zeros(signed.len())?;
        system.index.gather(w, &mut t);
        let first = crate::errors::mean(q, &t);
        signed.iter_mut().zip(q).zip(&t).for_each(|((signed, q), t)| *signed -= q * (t - first));
        let one = &self.of.setup.plan().groups()[group];
        let apart = self.of.known.apart[group];
        let weight = if one.parent.is_some() { n * n * apart } else { n };
        let mut family = match self.families[one.level].take() {
            Some(family) => family,
            None => Family::new(signed.len())?,
        };
        self.open += family.add(&Child { signed: &signed, q, records: n, apart, weight });
        self.families[one.level] = Some(family);
        Ok(())
    }
}
