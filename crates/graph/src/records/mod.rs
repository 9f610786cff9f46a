//! Records of a product of factors, from the root of the tree to its leaves: at each joint what its children share and nobody
//! else has is drawn given what the rest knows, from the messages up alone.
//!
//! At each joint the records are grouped by what is given. What is due to a group goes to its records in random order: in any
//! other one it would follow what was drawn before, and attributes that the model knows nothing of together would depend on
//! each other.

mod complete;
mod draw;
mod evidence;
mod groups;

pub use complete::complete;
pub use evidence::condition;

use crate::oracle::Oracle;
use draw::{Draw, draws};
use groups::Groups;
use marginalia_compute::job::Pace;
use marginalia_compute::seed::Seed;
use marginalia_compute::vector::filled;
use marginalia_tables::{Code, Error, Result};

/// How what is due to each value becomes whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Of the records of a group each value gets what is due to it, rounded up or down by one uniform number.
    Systematic,
    /// Every record is drawn on its own, as a sample from a population would be.
    Iid,
}

/// The codes of so many records, in random order, attribute after attribute as the caller orders them, from the potentials
/// that went in [`Oracle::reverse`] last. An attribute in no clique is uniform. Refused where no record is possible.
pub async fn records(
    oracle: &Oracle,
    records: usize,
    method: Method,
    seed: &Seed,
    pace: &Pace,
) -> Result<Vec<Vec<u16>>> {
    let tree = oracle.tree();
    admit(&tree.sizes, records)?;
    let mut columns = Vec::with_capacity(tree.sizes.len());
    for _ in &tree.sizes {
        columns.push(filled(0, records)?);
    }
    Records { oracle, draws: &draws(&oracle.passes), method }
        .draw(&mut columns, &mut seed.clone(), pace)
        .await?;
    Ok(tree.axis_of.iter().map(|axis| std::mem::take(&mut columns[usize::from(*axis)])).collect())
}

fn admit(sizes: &[u32], records: usize) -> Result<()> {
    if sizes.iter().any(|size| *size > 1 << 16) {
        return Err(Error::new(Code::ModelTooLarge, "records have codes of 16 bits: coarsen what has more"));
    }
    match u32::try_from(records) {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::new(Code::OptionInvalid, "so many records cannot be made")),
    }
}

/// The refusal of what has probability 0.
fn impossible() -> Error {
    Error::new(Code::OptionInvalid, "no record is possible: the rules of the model exclude what is given")
}

/// All that is drawn for a record.
struct Records<'a> {
    oracle: &'a Oracle,
    draws: &'a [Draw],
    method: Method,
}

impl Records<'_> {
    /// Fills columns, one for each axis.
    async fn draw(&self, columns: &mut [Vec<u16>], seed: &mut Seed, pace: &Pace) -> Result<()> {
        if !self.oracle.possible() {
            return Err(impossible());
        }
        let records = columns.first().map_or(0, Vec::len);
        let mut groups = Groups::new(records)?;
        for (number, draw) in self.draws.iter().enumerate() {
            pace.show(number, self.draws.len());
            let mut random = Seed::new(seed.next_u64());
            groups.sort(&draw.key, columns, pace).await?;
            groups.each(self, draw, columns, &mut random, pace).await?;
        }
        Ok(())
    }
}
