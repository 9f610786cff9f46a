//! The forecast of all ways to divide a budget.

use super::trial::{Trial, distance, points};
use super::world::{Rows, World};
use super::{Simulated, Spent, truth};
use crate::design::{Forecast, likely};
use crate::hierarchy::{HierarchyPlan, Local, Prior, invalid};
use crate::job::{Pace, Steps};
use crate::models::support::{Base, Index, zeros};
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
    pub simulated: Simulated,
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

    /// The public fits of all members.
    async fn fit(&mut self, pace: &Pace) -> Result<()> {
        for at in 0..self.world.members.len() {
            let moved = self.public_fit(at, pace).await?;
            self.moved.push(moved);
        }
        Ok(())
    }

    async fn public_fit(&self, at: usize, pace: &Pace) -> Result<Option<Moved>> {
        let member = &self.world.members[at];
        let level = self.world.plan.groups()[member.group].level;
        let Some(local) = self.local.as_ref().filter(|local| local.knows(level)) else { return Ok(None) };
        let above = member.parent.map_or(&self.root.base, |parent| self.public(parent));
        let prior = Prior::new(Arc::clone(above), f64::INFINITY);
        let seed = crate::deviates::child(self.simulated.seed, &[FIT, member.group as u64]);
        let (prior, potentials) = local.prior(&prior, member.group, seed, pace).await?;
        let between = self.simulated.between[level];
        // Of a parent worth any number of records it is that much more than what groups of the level differ by.
        let records = prior.strength - between;
        Ok(Some(Moved { index: Arc::clone(local.index()), potentials, public: prior.base, records, between }))
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

/// Tries ways to divide a budget on a public table of the plan's schema, truth by truth. One that trails the best by more than
/// chance makes likely takes no part in the truths that follow. Scores are points of the k-marginal in each of the finest groups.
pub fn split(plan: Arc<HierarchyPlan>, table: Arc<Table>, simulated: Simulated) -> Result<Steps<Forecast>> {
    simulated.check(plan.levels().len())?;
    let simulated = inner(&plan, simulated)?;
    let rows = Rows::new(Arc::clone(&plan), table)?;
    Ok(Steps::new(move |pace| async move {
        let (ways, draws) = (simulated.splits.len(), simulated.draws);
        pace.show(0, ways * draws);
        let most = (simulated.most_rows, simulated.most_groups);
        let mut parts = begun(&plan, rows.world(most, simulated.seed, &pace).await?, simulated)?;
        parts.fit(&pace).await?;
        let (mut scores, mut untouched) = (vec![Vec::new(); ways], Vec::new());
        for draw in 0..draws {
            let law = truth::law(&parts.world, &parts.simulated, draw as u64)?;
            let truth = truth::drawn(law, &parts.simulated, draw as u64, &pace).await?;
            let open = likely(&scores, draw, BEHIND);
            untouched.push(parts.judge(truth)?);
            for way in open.into_iter().rev() {
                let points = Trial::new(&mut parts, way, draw as u64 + 1)?.points(&pace).await?;
                scores[way].push(points);
                pace.show(scores.iter().map(Vec::len).sum(), ways * draws);
            }
        }
        Ok(Forecast::new(scores, untouched))
    }))
}

/// Cliques by the attributes of the shared rows.
fn inner(plan: &HierarchyPlan, mut simulated: Simulated) -> Result<Simulated> {
    let place = |a: &mut u16| match plan.rest().binary_search(a) {
        Ok(at) => {
            *a = at as u16;
            Ok(())
        }
        Err(_) => Err(invalid("what is measured and judged in groups has none of their attributes")),
    };
    let spent = |one: &mut Spent| one.cliques.iter_mut().flatten().try_for_each(place);
    simulated.splits.iter_mut().flatten().try_for_each(spent)?;
    simulated.tables.iter_mut().flatten().try_for_each(place)?;
    Ok(simulated)
}

/// What trials share, before any public fit.
fn begun(plan: &Arc<HierarchyPlan>, world: World, mut simulated: Simulated) -> Result<Parts> {
    let tables = made(&world.base, &simulated.tables)?;
    let root = Arc::new(Prior::new(Arc::clone(&world.base), simulated.strength));
    let counts = std::mem::take(&mut simulated.counts);
    let local = match counts.iter().find(|of| !of.is_empty()) {
        None => None,
        Some(of) => {
            let own = |a: &u16| plan.rest().binary_search(a).ok().map(|at| at as u16);
            let cliques: Vec<Vec<u16>> =
                of.iter().map(|one| one.clique.iter().filter_map(own).collect()).collect();
            Some(Local::new(
                Arc::clone(plan),
                made(&world.base, &cliques)?,
                counts,
                simulated.between.clone(),
            )?)
        }
    };
    let (moved, truth, judged, known) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    Ok(Parts { simulated, world, root, local, moved, tables, truth, judged, known })
}

/// How many points a way may trail the best after one truth: scores in small groups differ by more than those of a table.
const BEHIND: f64 = 20.0;
const FIT: u64 = 0x6669_7420;
