//! One answer: from the groups that give it to what they lie within.

use super::super::PathJob;
use super::super::slice::{fix, place};
use super::What;
use super::evidence::Moved;
use super::family::{Child, Family};
use crate::errors::{Solving, Spread, System, mean};
use crate::models::support::{Distribution, cells_of_rows, room, zeros};
use crate::vector::dot;
use marginalia_tables::Result;
use marginalia_tables::query::Query;
use std::sync::Arc;

pub(super) struct Walk {
    /// The question and its answer, and which of all answers that is.
    at: (usize, usize),
    number: usize,
    /// The place of the next group among those of the walk.
    next: usize,
    phase: Phase,
    /// For each level what its groups within the one that is open have come to.
    families: Vec<Option<Family>>,
    moved: Vec<Moved>,
    open: f64,
}

enum Phase {
    Begin,
    Path(Box<PathJob>),
    Solve(Box<Node>),
}

/// A group whose weights are there.
struct Node {
    model: Distribution,
    system: System,
    /// By how much the answer follows the logarithm of its weights, and its total.
    signed: Vec<f64>,
    mean: f64,
    solving: Solving,
}

impl Walk {
    pub fn new(what: &What, at: (usize, usize), number: usize) -> Result<Self> {
        let families = what.setup.levels().iter().map(|_| None).collect();
        Ok(Self { at, number, next: 0, phase: Phase::Begin, families, moved: Vec::new(), open: 0.0 })
    }

    /// Does about `work` units; true at the end.
    pub fn advance(&mut self, what: &What, work: u64, done: &mut u64) -> Result<bool> {
        let until = done.saturating_add(work);
        while self.next < what.nodes.len() && *done < until {
            self.phase = match std::mem::replace(&mut self.phase, Phase::Begin) {
                Phase::Begin => self.begin(what, done)?,
                Phase::Path(mut path) => {
                    let before = path.done();
                    let over = path.step(until - *done)?;
                    *done += (path.done() - before).max(1);
                    if over { self.weighed(what, path.finish()?)? } else { Phase::Path(path) }
                }
                Phase::Solve(mut node) => {
                    *done += 2 * node.system.pass();
                    let Node { model, system, solving, .. } = &mut *node;
                    if solving.advance(system, model.weights()?)? {
                        self.solved(what, *node)?;
                        Phase::Begin
                    } else {
                        Phase::Solve(node)
                    }
                }
            };
        }
        Ok(self.next == what.nodes.len())
    }

    /// The variances of the answer.
    pub fn finish(self, what: &What) -> Result<Spread> {
        let common = match &self.families[0] {
            Some(family) => family.common(what.known.common),
            None => 0.0,
        };
        Ok(Spread { noise: what.known.noise(&self.moved)?, open: (self.open + common).max(0.0) })
    }

    /// The next group that the answer depends on.
    fn begin(&mut self, what: &What, done: &mut u64) -> Result<Phase> {
        *done += 1;
        let group = what.nodes[self.next];
        let level = what.setup.plan().groups()[group].level;
        let needed = match self.families.get(level + 1) {
            Some(family) => family.is_some(),
            None => what.asked.shares.is_some() || self.counts(what, group)?.is_some(),
        };
        if !needed {
            self.next += 1;
            return Ok(Phase::Begin);
        }
        let path = PathJob::new(Arc::clone(&what.setup), &what.states, group)?;
        Ok(Phase::Path(Box::new(path)))
    }

    /// What the answer counts the cells of the group's part of the clique for, and that clique; none where that is
    /// nothing.
    fn counts(&self, what: &What, group: usize) -> Result<Option<(Vec<u16>, Vec<f64>)>> {
        let plan = what.setup.plan();
        let (start, free, strides) =
            fix(plan, &plan.groups()[group], &what.asked.questions[self.at.0].clique)?;
        let cells: usize = strides.iter().map(|(_, size)| size).product();
        let coefficients = match &what.asked.questions[self.at.0].query {
            Query::Identity => None,
            Query::Linear(matrix) => matrix.rows().nth(self.at.1),
        };
        let mut counts = room(cells)?;
        counts.extend((0..cells).map(|cell| {
            let place = start + place(&strides, cell);
            coefficients.map_or(f64::from(u8::from(place == self.at.1)), |row| f64::from(row[place]))
        }));
        Ok(counts.iter().any(|count| *count != 0.0).then_some((free, counts)))
    }

    /// With the weights of a group: by how much the answer follows them.
    fn weighed(&mut self, what: &What, model: Distribution) -> Result<Phase> {
        let group = what.nodes[self.next];
        let of = what.setup.plan().groups()[group].level;
        let (signed, mean) = match self.families.get_mut(of + 1) {
            Some(family) => match family.take() {
                Some(family) => {
                    self.open -= family.together(model.weights()?, what.known.within[group]);
                    (family.signed, 0.0)
                }
                None => (zeros(model.base().rows())?, 0.0),
            },
            None => self.own(what, group, &model)?,
        };
        let Some(state) = &what.states[group] else { return Ok(Phase::Begin) };
        let index = Arc::clone(what.setup.levels()[of].index());
        let (n, strength) = (state.total.records(), what.known.strength[group]);
        let system = System::new(index, &what.known.measurements(group)?, n, strength)?;
        let solving = Solving::new(&system, &signed)?;
        Ok(Phase::Solve(Box::new(Node { model, system, signed, mean, solving })))
    }

    /// n̂ q (a − mean) and the mean of a group of the last level.
    fn own(&self, what: &What, group: usize, model: &Distribution) -> Result<(Vec<f64>, f64)> {
        let (base, q) = (model.base(), model.weights()?);
        let mut a = zeros(base.rows())?;
        if let Some((free, counts)) = self.counts(what, group)? {
            let mut cells = room(base.rows())?;
            cells.resize(base.rows(), 0);
            cells_of_rows(base.domain(), base.columns(), &free, 0..base.rows(), &mut cells);
            let rows = a.iter_mut().zip(&cells).zip(&what.met);
            rows.for_each(|((a, cell), met)| *a = counts[*cell as usize] * met);
        }
        if let Some(shares) = &what.asked.shares {
            let share = shares.answers[self.number];
            a.iter_mut().zip(&what.met).for_each(|(a, met)| *a = (*a - share * met) / shares.records);
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
    fn solved(&mut self, what: &What, node: Node) -> Result<()> {
        let Node { model, system, mut signed, mean, solving: Solving { v: w, .. } } = node;
        let group = what.nodes[self.next];
        let Some(state) = &what.states[group] else { return Ok(()) };
        let (n, q) = (state.total.records(), model.weights()?);
        let moves = state.total.value >= n;
        let total = mean - if moves { dot(&w, &system.y) / n } else { 0.0 };
        let square =
            w.iter().zip(&system.variance).map(|(w, variance)| variance * w * w).sum::<f64>() / (n * n);
        let marginals = system.index.marginals().iter().zip(&system.unsupported);
        let means = marginals.map(|(one, unsupported)| {
            w[one.cells.clone()].iter().sum::<f64>() / (one.places.len() + unsupported) as f64
        });
        self.moved.push(Moved { group, total, square, mean: means.sum::<f64>() / n });
        let mut t = zeros(signed.len())?;
        system.index.gather(&w, &mut t);
        let first = crate::errors::mean(q, &t);
        signed.iter_mut().zip(q).zip(&t).for_each(|((signed, q), t)| *signed -= q * (t - first));
        let one = &what.setup.plan().groups()[group];
        let apart = what.known.apart[group];
        let weight = if one.parent.is_some() { n * n * apart } else { n };
        let mut family = match self.families[one.level].take() {
            Some(family) => family,
            None => Family::new(signed.len())?,
        };
        self.open += family.add(&Child { signed: &signed, q, records: n, apart, weight });
        self.families[one.level] = Some(family);
        self.next += 1;
        Ok(())
    }
}
