//! What the private table might be, as far as public ones tell.

use super::Simulated;
use super::world::World;
use crate::deviates::{child, gamma, stream};
use crate::job::Pace;
use crate::models::support::zeros;
use crate::records::{Totals, sample};
use marginalia_tables::Result;

/// The weights that the records of a truth are drawn by. Each row has a gamma number of shape `drift` times its public
/// weight, as in a forecast for one table: so rows, pairs and groups differ as samples do. And each code of
/// each attribute has one for all groups, of shape `min(drift · N, common)` times its share: what all groups
/// have in common differs by more than samples of millions would.
pub(super) fn law(world: &World, simulated: &Simulated, draw: u64) -> Result<Vec<f64>> {
    let mut seed = stream(simulated.seed, &[ROWS, draw]);
    let mut law = zeros(world.base.rows())?;
    let rate = simulated.drift * simulated.strength;
    for (law, p) in law.iter_mut().zip(world.base.prior()) {
        *law = gamma(&mut seed, rate * p);
    }
    let alike = simulated.common.min(rate);
    let mut seed = stream(simulated.seed, &[CODES, draw]);
    for (column, size) in world.base.columns().iter().zip(world.base.domain().sizes()) {
        let mut shares = zeros(*size as usize)?;
        for (row, p) in world.base.prior().iter().enumerate() {
            shares[usize::from(column.get(row))] += p;
        }
        let factor =
            |share: &f64| if *share > 0.0 { gamma(&mut seed, alike * share) / (alike * share) } else { 0.0 };
        let factors: Vec<f64> = shares.iter().map(factor).collect();
        law.iter_mut().enumerate().for_each(|(row, law)| *law *= factors[usize::from(column.get(row))]);
    }
    Ok(law)
}

/// How often each row occurs among records drawn by such weights; these themselves where records are so many that it does not
/// matter.
pub(super) async fn drawn(law: Vec<f64>, simulated: &Simulated, draw: u64, pace: &Pace) -> Result<Vec<f64>> {
    if simulated.expected > MOST_RECORDS {
        return Ok(law);
    }
    let records = Totals::all(libm::round(simulated.expected).max(1.0) as u64);
    let counts = sample(&law, &records, child(simulated.seed, &[RECORDS, draw]), &pace.quiet()).await?;
    Ok(counts.into_iter().map(f64::from).collect())
}

/// The shares of the rows of one group in a truth; those of the public table where the truth has nobody of it.
pub(super) fn of_group(world: &World, truth: &[f64], group: usize) -> Result<Vec<f64>> {
    let mut own = zeros(truth.len())?;
    let within = world.within(group);
    let keep = |own: &mut [f64], of: &[f64]| -> f64 {
        own.iter_mut().enumerate().for_each(|(row, own)| *own = if within(row) { of[row] } else { 0.0 });
        own.iter().sum()
    };
    let mut sum = keep(&mut own, truth);
    if sum <= 0.0 {
        sum = keep(&mut own, world.base.prior());
    }
    own.iter_mut().for_each(|share| *share /= sum);
    Ok(own)
}

const MOST_RECORDS: f64 = 4e6;
const ROWS: u64 = 0x726f_7773;
const CODES: u64 = 0x636f_6465;
const RECORDS: u64 = 0x7265_636f;
