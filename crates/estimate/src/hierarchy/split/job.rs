//! The forecast of all ways to divide a budget.

use super::trial::{Trial, distance, points};
use super::world::{World, WorldJob};
use super::{Simulated, Spent, truth};
use crate::design::{Forecast, likely};
use crate::hierarchy::local::LocalJob;
use crate::hierarchy::{HierarchyPlan, Local, Prior, invalid};
use crate::models::support::{Base, Index, zeros};
use crate::records::{IidJob, Rounding};
use marginalia_tables::{Result, Table};
use std::sync::Arc;

/// How the prior of a member differs from what it lies within, by public counts.
pub(super) struct Moved {
    pub index: Arc<Index>,
    pub potentials: Vec<f64>,
    /// What it is by public tables alone.
    pub public: Arc<Base>,
    /// Public records of the group, and how many what it lies within is worth at most.
    pub records: f64,
    pub between: f64,
}

/// What trials share.
pub(super) struct Parts {
    pub asked: Simulated,
    pub world: World,
    pub root: Arc<Prior>,
    pub local: Option<Local>,
    /// Of each member.
    pub moved: Vec<Option<Moved>>,
    pub tables: Arc<Index>,
    /// The weights of the rows in the truth of the draw, and of each member that was drawn the tables that are judged.
    pub truth: Vec<f64>,
    pub judged: Vec<Vec<f64>>,
    /// The cells of rows of workloads that were asked for.
    known: Vec<(Vec<Vec<u16>>, Arc<Index>)>,
}

impl Parts {
    /// The cells of rows of some cliques, made once.
    pub fn index(&mut self, cliques: &[Vec<u16>]) -> Result<Arc<Index>> {
        if let Some((_, index)) = self.known.iter().find(|(known, _)| known == cliques) {
            return Ok(Arc::clone(index));
        }
        let index = made(&self.world.base, cliques)?;
        self.known.push((cliques.to_vec(), Arc::clone(&index)));
        Ok(index)
    }

    /// The public distribution of a member.
    fn public(&self, member: usize) -> &Arc<Base> {
        match (&self.moved[member], self.world.members[member].parent) {
            (Some(moved), _) => &moved.public,
            (None, Some(parent)) => self.public(parent),
            (None, None) => &self.root.base,
        }
    }

    /// Takes the weights of a truth, and judges public tables as they are by it.
    fn judge(&mut self, truth: Vec<f64>) -> Result<f64> {
        self.truth = truth;
        let (mut sum, mut drawn) = (0.0, 0.0);
        self.judged = vec![Vec::new(); self.world.members.len()];
        for at in 0..self.world.members.len() {
            let (group, weight) = (self.world.members[at].group, f64::from(self.world.members[at].drawn));
            if weight > 0.0 {
                let shares = truth::of_group(&self.world, &self.truth, group)?;
                let mut cells = zeros(self.tables.cells())?;
                self.tables.scatter(&shares, &mut cells);
                self.judged[at] = cells;
                sum += weight * distance(self, at, self.public(at).prior(), 1.0)?;
                drawn += weight;
            }
        }
        Ok(points(sum, drawn))
    }
}

fn made(base: &Base, cliques: &[Vec<u16>]) -> Result<Arc<Index>> {
    for clique in cliques {
        base.cells(clique)?;
    }
    let cliques: Vec<&[u16]> = cliques.iter().map(Vec::as_slice).collect();
    Ok(Arc::new(Index::new(base.domain(), base.columns(), &cliques)?))
}

enum Phase {
    World(Option<Simulated>, Box<WorldJob>),
    /// The members whose public fits are made, and the one that is.
    Local(Option<Box<LocalJob>>),
    Draw,
    /// The weights of rows in the truth, or those that its records are drawn by.
    Sample(Vec<f64>, Option<Box<IidJob>>),
    Try(Option<Box<Trial>>),
    Done,
}

/// Tries ways to divide a budget, truth by truth. One that trails the best by more than chance makes likely takes no part in
/// the truths that follow.
pub struct SplitJob {
    plan: Arc<HierarchyPlan>,
    phase: Phase,
    parts: Option<Parts>,
    ways: usize,
    draws: usize,
    /// Ways still to be tried on the truth in progress.
    open: Vec<usize>,
    scores: Vec<Vec<f64>>,
    untouched: Vec<f64>,
}

impl SplitJob {
    /// A forecast on a public table of the plan's schema.
    pub fn new(plan: Arc<HierarchyPlan>, table: Arc<Table>, asked: Simulated) -> Result<Self> {
        asked.check(plan.levels().len())?;
        let (ways, draws) = (asked.splits.len(), asked.draws);
        let asked = inner(&plan, asked)?;
        let most = (asked.most_rows, asked.most_groups);
        let world = Box::new(WorldJob::new(Arc::clone(&plan), table, most, asked.seed)?);
        let phase = Phase::World(Some(asked), world);
        let (open, scores, untouched) = (Vec::new(), vec![Vec::new(); ways], Vec::new());
        Ok(Self { plan, phase, parts: None, ways, draws, open, scores, untouched })
    }

    /// Does about `work` units, one of which takes as long as a row in a pass over one marginal; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        self.phase = match std::mem::replace(&mut self.phase, Phase::Done) {
            Phase::World(asked, mut job) => match job.step((work / READING) as usize + 1)? {
                false => Phase::World(asked, job),
                true => {
                    let asked = asked.ok_or_else(failed)?;
                    self.parts = Some(begun(&self.plan, asked, job.finish()?)?);
                    Phase::Local(None)
                }
            },
            phase => self.advance(phase, work)?,
        };
        Ok(matches!(self.phase, Phase::Done))
    }

    fn advance(&mut self, phase: Phase, work: u64) -> Result<Phase> {
        let parts = self.parts.as_mut().ok_or_else(failed)?;
        Ok(match phase {
            Phase::Local(job) if parts.moved.len() < parts.world.members.len() => local(parts, job, work)?,
            Phase::Local(_) => Phase::Draw,
            Phase::Draw if self.untouched.len() == self.draws => Phase::Done,
            Phase::Draw => {
                let draw = self.untouched.len() as u64;
                let law = truth::law(&parts.world, &parts.asked, draw)?;
                let sample = truth::sample(&law, &parts.asked, draw)?;
                self.open = likely(&self.scores, self.untouched.len(), BEHIND);
                Phase::Sample(law, sample)
            }
            Phase::Sample(law, Some(mut job)) => match job.step(work / DRAWING + 1)? {
                false => Phase::Sample(law, Some(job)),
                true => Phase::Sample(job.finish()?.into_iter().map(f64::from).collect(), None),
            },
            Phase::Sample(truth, None) => {
                self.untouched.push(parts.judge(truth)?);
                Phase::Try(None)
            }
            Phase::Try(Some(mut trial)) => match trial.step(parts, work)? {
                false => Phase::Try(Some(trial)),
                true => {
                    let way = self.open.pop().ok_or_else(failed)?;
                    self.scores[way].push(trial.points());
                    Phase::Try(None)
                }
            },
            Phase::Try(None) => match self.open.last() {
                Some(way) => {
                    let draw = self.untouched.len() as u64;
                    Phase::Try(Some(Box::new(Trial::new(parts, *way, draw)?)))
                }
                None => Phase::Draw,
            },
            phase => phase,
        })
    }

    /// Trials done.
    pub fn done(&self) -> usize {
        let done: usize = self.scores.iter().map(Vec::len).sum();
        if matches!(self.phase, Phase::Done) { self.total() } else { done }
    }

    /// Trials that it may come to.
    pub fn total(&self) -> usize {
        self.ways * self.draws
    }

    /// Does what is left and returns the forecast; scores are points of the k-marginal in each of the finest groups.
    pub fn finish(mut self) -> Result<Forecast> {
        while !self.step(u64::MAX)? {}
        if self.untouched.len() < self.draws {
            return Err(failed());
        }
        Ok(Forecast::new(self.scores, self.untouched))
    }
}

/// Cliques by the attributes of the shared rows.
fn inner(plan: &HierarchyPlan, mut asked: Simulated) -> Result<Simulated> {
    let place = |a: &mut u16| match plan.rest().binary_search(a) {
        Ok(at) => {
            *a = at as u16;
            Ok(())
        }
        Err(_) => Err(invalid("what is measured and judged in groups has none of their attributes")),
    };
    let spent = |one: &mut Spent| one.cliques.iter_mut().flatten().try_for_each(place);
    asked.splits.iter_mut().flatten().try_for_each(spent)?;
    asked.tables.iter_mut().flatten().try_for_each(place)?;
    Ok(asked)
}

/// What trials share, before any public fit.
fn begun(plan: &Arc<HierarchyPlan>, mut asked: Simulated, world: World) -> Result<Parts> {
    let tables = made(&world.base, &asked.tables)?;
    let root = Arc::new(Prior::new(Arc::clone(&world.base), asked.strength));
    let counts = std::mem::take(&mut asked.counts);
    let local = match counts.iter().find(|of| !of.is_empty()) {
        None => None,
        Some(of) => {
            let own = |a: &u16| plan.rest().binary_search(a).ok().map(|at| at as u16);
            let cliques: Vec<Vec<u16>> =
                of.iter().map(|one| one.clique.iter().filter_map(own).collect()).collect();
            Some(Local::new(Arc::clone(plan), made(&world.base, &cliques)?, counts, asked.between.clone())?)
        }
    };
    let (moved, truth, judged, known) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    Ok(Parts { asked, world, root, local, moved, tables, truth, judged, known })
}

/// The public fit of the next member.
fn local(parts: &mut Parts, job: Option<Box<LocalJob>>, work: u64) -> Result<Phase> {
    let at = parts.moved.len();
    let member = &parts.world.members[at];
    let level = parts.world.plan.groups()[member.group].level;
    let Some(local) = parts.local.as_ref().filter(|local| local.knows(level)) else {
        parts.moved.push(None);
        return Ok(Phase::Local(None));
    };
    let Some(mut job) = job else {
        let above = member.parent.map_or(&parts.root.base, |parent| parts.public(parent));
        let prior = Arc::new(Prior::new(Arc::clone(above), f64::INFINITY));
        let seed = crate::deviates::child(parts.asked.seed, &[FIT, member.group as u64]);
        return Ok(Phase::Local(Some(Box::new(LocalJob::new(local, prior, member.group, seed)?))));
    };
    if !job.step(work)? {
        return Ok(Phase::Local(Some(job)));
    }
    let between = parts.asked.between[level];
    let (prior, potentials) = job.finish()?;
    // Of a parent worth any number of records it is that much more than what groups of the level differ by.
    let records = prior.strength - between;
    let index = Arc::clone(local.index());
    parts.moved.push(Some(Moved { index, potentials, public: prior.base, records, between }));
    Ok(Phase::Local(None))
}

fn failed() -> marginalia_tables::Error {
    invalid("the forecast has failed: begin another")
}

/// How many points a way may trail the best after one truth: scores in small groups differ by more than those of a table.
const BEHIND: f64 = 20.0;
/// How much longer a public row takes to read, and a record to draw, than a row in a pass.
const READING: u64 = 10;
const DRAWING: u64 = 10;
const FIT: u64 = 0x6669_7420;
