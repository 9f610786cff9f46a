//! How many records groups would be estimated to have.

use super::world::World;
use super::{Simulated, Spent};
use crate::deviates::{normal, stream};
use crate::hierarchy::{TotalRule, UNKNOWN, consistent_with};
use crate::total::Total;
use marginalia_tables::Result;

/// Beyond so many groups totals are not made to agree: of so many each has its own to go by.
const MOST: usize = 1 << 14;

/// How many records each group has, and how many it would be estimated to have.
pub(super) struct Totals {
    pub records: Vec<f64>,
    pub estimated: Vec<Total>,
}

/// The totals of all groups of the plan, with noise of what a split spends on them.
pub(super) fn totals(world: &World, simulated: &Simulated, split: &[Spent], draw: u64) -> Result<Totals> {
    let scale = simulated.expected / world.all;
    let records: Vec<f64> = world.weights.iter().map(|weight| scale * weight).collect();
    let mut seed = stream(simulated.seed, &[TOTALS, draw]);
    let variances: Vec<f64> = split.iter().map(|level| variance(world, simulated, level)).collect();
    let own = records.iter().zip(world.plan.groups()).map(|(records, group)| {
        let (variance, luck) = (variances[group.level], normal(&mut seed));
        if variance == UNKNOWN {
            return Total { value: 0.0, variance };
        }
        let value = records + libm::sqrt(variance) * luck;
        let value = if simulated.rule == TotalRule::Count { libm::floor(value.max(0.0)) } else { value };
        Total { value, variance }
    });
    let own: Vec<Total> = own.collect();
    let agree = simulated.agree && own.len() <= MOST;
    let all = simulated.known.then_some(simulated.expected);
    let estimated = if agree { consistent_with(&world.plan, &own, all)? } else { own };
    Ok(Totals { records, estimated })
}

/// The variance of what a level's measurements say of the total of each of its groups.
fn variance(world: &World, simulated: &Simulated, level: &Spent) -> f64 {
    let count = (level.count > 0.0).then(|| 1.0 / simulated.noise.variance(level.count));
    let cells =
        |clique: &[u16]| world.base.domain().cells(clique).map_or(f64::INFINITY, |cells| cells as f64);
    let sums = level.cliques.iter().zip(&level.budgets);
    let sums = sums.map(|(clique, spent)| 1.0 / (simulated.noise.variance(*spent) * cells(clique)));
    let precision: f64 = match simulated.rule {
        TotalRule::Count => count.unwrap_or(0.0),
        TotalRule::Combined => count.into_iter().chain(sums).sum(),
    };
    if precision > 0.0 { (1.0 / precision).min(UNKNOWN) } else { UNKNOWN }
}

const TOTALS: u64 = 0x746f_7461;
