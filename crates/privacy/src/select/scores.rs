//! What candidates are worth: whole numbers, so that their sensitivity is exact.
//!
//! With a grid of 2⁻ᵍ, the score of a cell with private count c, public answer a and public penalty p is
//! `|2ᵍ·c − round(2ᵍ·a)| − round(2ᵍ·p)`, or the same without the bars. Only the public terms are rounded. Rounding
//! makes it another score, chosen by public terms alone, whose sensitivity is 2ᵍ·k to the last digit.

use marginalia_tables::{Code, Error, Result};
use num_rational::BigRational;
use zeroize::{Zeroize, Zeroizing};

/// Some consecutive candidates. Like all that holds private values here, it cannot be printed.
#[derive(Clone, Copy)]
pub struct Block<'a> {
    /// Their scores.
    pub scores: &'a [i64],
    /// Public weights w ≥ 0, by which their probabilities are multiplied; 1 if there are none.
    pub weights: Option<&'a [f64]>,
    /// Public: which of them take part; all if there is none.
    pub mask: Option<&'a [bool]>,
}

impl Block<'_> {
    pub(super) fn check(&self) -> Result<()> {
        let fits = |length: Option<usize>| length.is_none_or(|length| length == self.scores.len());
        if !fits(self.weights.map(<[_]>::len)) || !fits(self.mask.map(<[_]>::len)) {
            return Err(invalid(
                "give as many weights, and as many marks in the mask, as there are candidates",
            ));
        }
        let valid = |w: &f64| *w == 0.0 || (w.is_normal() && *w > 0.0);
        match self.weights.is_none_or(|weights| weights.iter().all(valid)) {
            true => Ok(()),
            false => {
                Err(invalid("a weight is neither 0 nor positive, finite and at least 2^-1022: correct it"))
            }
        }
    }
}

/// Candidates, block by block, in an order and in blocks that do not depend on private data.
pub trait Scores {
    /// The most by which any one score differs between neighbouring tables.
    fn sensitivity(&self) -> u64;

    /// The next candidates; `None` after the last.
    ///
    /// # Errors
    /// Only such as private data have no part in.
    fn next(&mut self) -> Result<Option<Block<'_>>>;
}

/// Some consecutive cells: private counts beside what the public knows of them.
#[derive(Clone, Copy)]
pub struct Cells<'a> {
    /// Private: how often each cell occurs.
    pub counts: &'a [i64],
    /// Public: what the model answers, in records.
    pub answers: &'a [f64],
    /// Public: subtracted from the score, in records; 0 if there are none.
    pub penalties: Option<&'a [f64]>,
    /// Public weights, as in [`Block`].
    pub weights: Option<&'a [f64]>,
    /// Public mask, as in [`Block`].
    pub mask: Option<&'a [bool]>,
}

/// Whatever walks private counts and public answers side by side.
pub trait Blocks {
    /// The next cells; `None` after the last.
    ///
    /// # Errors
    /// Only such as private data have no part in.
    fn next(&mut self) -> Result<Option<Cells<'_>>>;
}

/// How a count is compared with an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// |count − answer|: where the model is wrong.
    Absolute,
    /// count − answer: where the model is too low.
    Signed,
}

/// Public numbers are rounded to multiples of 2⁻ᵍ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid(u32);

/// Public terms, in units of the grid, stay within this, and counts are cut to it.
const LARGEST: f64 = (1u64 << 50) as f64;

/// 1.5·2⁵²: binary64 numbers around it are one apart, so that adding it rounds to the nearest whole number, ties to even.
const ROUNDING: f64 = 1.5 * (1u64 << 52) as f64;

impl Grid {
    /// A grid of 2⁻ᵍ.
    ///
    /// # Errors
    /// `OPTION_INVALID` for g > 16.
    pub fn new(g: u32) -> Result<Self> {
        if g > 16 {
            return Err(invalid("the grid of scores has 0 to 16 binary digits"));
        }
        Ok(Self(g))
    }

    /// Units of the grid in one record: 2ᵍ.
    pub fn units(self) -> u64 {
        1 << self.0
    }

    /// `None` when it is not finite or beyond 2⁵⁰ units.
    pub(super) fn round(self, public: f64) -> Option<i64> {
        let scaled = public * self.units() as f64;
        let whole = (scaled + ROUNDING).to_bits() as i64 - ROUNDING.to_bits() as i64;
        (scaled.abs() <= LARGEST).then_some(whole)
    }

    /// Cut to ±2⁵⁰, which no table reaches (2³⁴ records at g = 16), and which brings no two counts farther apart.
    pub(super) fn scale(self, count: i64) -> i64 {
        let most = 1i64 << (50 - self.0);
        count.clamp(-most, most) << self.0
    }
}

/// The scores of cells: each is one candidate.
pub struct CellScores<B> {
    blocks: B,
    grid: Grid,
    difference: Difference,
    rows: u32,
    /// Private; wiped whenever it moves and when it goes.
    buffer: Zeroizing<Vec<i64>>,
}

impl<B: Blocks> CellScores<B> {
    /// Scores for a unit of up to `rows` rows. Under either relation (add/remove, or replace) one unit changes
    /// one cell by at most that many records.
    pub fn new(blocks: B, grid: Grid, difference: Difference, rows: u32) -> Self {
        Self { blocks, grid, difference, rows, buffer: Zeroizing::default() }
    }
}

impl<B: Blocks> Scores for CellScores<B> {
    /// 2ᵍ·k: neither rounding of public terms, nor cutting, nor the bars add to it.
    fn sensitivity(&self) -> u64 {
        self.grid.units() * u64::from(self.rows)
    }

    fn next(&mut self) -> Result<Option<Block<'_>>> {
        let Some(cells) = self.blocks.next()? else { return Ok(None) };
        fill(&mut self.buffer, &cells, self.grid, self.difference)?;
        Ok(Some(Block { scores: &self.buffer, weights: cells.weights, mask: cells.mask }))
    }
}

/// The scores of some cells, in place of what was in the buffer.
pub(super) fn fill(buffer: &mut Vec<i64>, cells: &Cells, grid: Grid, difference: Difference) -> Result<()> {
    let length = cells.counts.len();
    if cells.answers.len() != length || cells.penalties.is_some_and(|penalties| penalties.len() != length) {
        return Err(invalid("give one answer, and one penalty if any, per cell"));
    }
    make_room(buffer, cells.counts.len())?;
    let mut fits = true;
    let mut public = |x: f64| {
        let rounded = grid.round(x);
        fits &= rounded.is_some();
        rounded.unwrap_or(0)
    };
    let pairs = cells.counts.iter().zip(cells.answers);
    match difference {
        Difference::Absolute => buffer.extend(pairs.map(|(c, a)| (grid.scale(*c) - public(*a)).abs())),
        Difference::Signed => buffer.extend(pairs.map(|(c, a)| grid.scale(*c) - public(*a))),
    }
    for (score, penalty) in buffer.iter_mut().zip(cells.penalties.unwrap_or_default()) {
        *score -= public(*penalty);
    }
    match fits {
        true => Ok(()),
        false => {
            Err(invalid("an answer or penalty is not finite, or too large for the grid: use fewer digits"))
        }
    }
}

/// Empties the buffer and makes room, without leaving scores in memory that is given back.
fn make_room(buffer: &mut Vec<i64>, length: usize) -> Result<()> {
    if buffer.capacity() < length {
        buffer.zeroize();
    }
    buffer.clear();
    buffer.try_reserve_exact(length).map_err(|_| Error::out_of_memory(8 * length))
}

/// t = ε/(2Δ), per unit of the grid.
///
/// # Errors
/// `OPTION_INVALID` for a sensitivity of 0.
pub(super) fn rate(epsilon: &BigRational, sensitivity: u64) -> Result<BigRational> {
    match sensitivity {
        0 => Err(invalid("a unit has at least one row")),
        _ => {
            Ok(epsilon / BigRational::from_integer(sensitivity.into()) / BigRational::from_integer(2.into()))
        }
    }
}

pub(super) fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
