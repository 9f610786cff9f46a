//! Whole marginals as candidates: how far the model is from each, in L1.
//!
//! With a grid of 2⁻ᵍ, the score of a marginal is `factor·(Σ |2ᵍ·c − round(2ᵍ·a)| − round(2ᵍ·penalty))` over its cells,
//! as in AIM (McKenna and others 2022), whose factors are whole numbers.

use super::scores::{Block, Grid, Scores, invalid};
use marginalia_tables::Result;

/// Some consecutive cells of one marginal.
#[derive(Clone, Copy)]
pub struct Piece<'a> {
    /// Private: how often each cell occurs.
    pub counts: &'a [i64],
    /// Public: what the model answers, in records.
    pub answers: &'a [f64],
    /// Whether the marginal ends here.
    pub last: bool,
}

/// Whatever walks the marginals of a workload, one after the other.
pub trait Pieces {
    /// The next cells; `None` after the last marginal.
    ///
    /// # Errors
    /// Only such as private data have no part in.
    fn next(&mut self) -> Result<Option<Piece<'_>>>;
}

/// What the public adds, one per marginal.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    /// What the score is multiplied by; 1 if there are none.
    pub factors: Option<Vec<u32>>,
    /// Subtracted before it is multiplied, in records; 0 if there are none.
    pub penalties: Option<Vec<f64>>,
    /// Public weights, as in [`Block`].
    pub weights: Option<Vec<f64>>,
    /// Public mask, as in [`Block`].
    pub mask: Option<Vec<bool>>,
}

impl Terms {
    /// Refuses terms that are not given once for each of so many marginals.
    pub(super) fn check(&self, marginals: usize) -> Result<()> {
        let lengths = [
            self.factors.as_ref().map(Vec::len),
            self.penalties.as_ref().map(Vec::len),
            self.weights.as_ref().map(Vec::len),
            self.mask.as_ref().map(Vec::len),
        ];
        if lengths.into_iter().flatten().all(|length| length == marginals) { Ok(()) } else { Err(missing()) }
    }
}

/// The public side of the scores of marginals, and the distance so far of the one in progress.
pub(super) struct Distances {
    grid: Grid,
    terms: Terms,
    sensitivity: u64,
    at: usize,
    sum: i64,
    score: [i64; 1],
}

impl Distances {
    pub(super) fn new(grid: Grid, records: u64, terms: Terms) -> Result<Self> {
        let factor = terms.factors.as_ref().map_or(Some(1), |factors| factors.iter().copied().max());
        let sensitivity = u64::from(factor.unwrap_or(0))
            .checked_mul(records)
            .and_then(|most| most.checked_mul(grid.units()))
            .filter(|most| (1..1 << 53).contains(most))
            .ok_or_else(|| invalid("the factors of the marginals are all 0, or too large: scale them"))?;
        Ok(Self { grid, terms, sensitivity, at: 0, sum: 0, score: [0] })
    }

    pub(super) fn sensitivity(&self) -> u64 {
        self.sensitivity
    }

    /// Adds a piece; the candidate, where a marginal ends.
    pub(super) fn add(&mut self, piece: &Piece) -> Result<Option<Block<'_>>> {
        self.sum = self.sum.saturating_add(distance(piece, self.grid)?);
        if piece.last { self.finish().map(Some) } else { Ok(None) }
    }

    /// The public terms of the marginal that has just ended, applied to its distance.
    fn finish(&mut self) -> Result<Block<'_>> {
        let i = self.at;
        self.at += 1;
        let factor = term(self.terms.factors.as_deref(), i)?.map_or(1, |factors| i64::from(factors[0]));
        let penalty = term(self.terms.penalties.as_deref(), i)?.map_or(0.0, |penalties| penalties[0]);
        let penalty = self.grid.round(penalty).ok_or_else(beyond)?;
        self.score[0] = std::mem::take(&mut self.sum).saturating_sub(penalty).saturating_mul(factor);
        let weights = term(self.terms.weights.as_deref(), i)?;
        let mask = term(self.terms.mask.as_deref(), i)?;
        Ok(Block { scores: &self.score, weights, mask })
    }
}

/// The scores of marginals: each is one candidate.
pub struct MarginalScores<P> {
    pieces: P,
    distances: Distances,
}

impl<P: Pieces> MarginalScores<P> {
    /// Scores for neighbours between which any one marginal changes by at most `records` in L1: k under add/remove,
    /// 2k under replace, for a unit of up to k rows.
    ///
    /// # Errors
    /// `OPTION_INVALID` when the factors are all 0 or too large.
    pub fn new(pieces: P, grid: Grid, records: u64, terms: Terms) -> Result<Self> {
        Ok(Self { pieces, distances: Distances::new(grid, records, terms)? })
    }
}

impl<P: Pieces> Scores for MarginalScores<P> {
    /// 2ᵍ times the L1 change of a marginal times the largest factor: `||x| − |y|| ≤ |x − y|` in each cell, and cutting
    /// at the ends of the integers brings nothing farther apart.
    fn sensitivity(&self) -> u64 {
        self.distances.sensitivity
    }

    fn next(&mut self) -> Result<Option<Block<'_>>> {
        let mut open = false;
        while let Some(piece) = self.pieces.next()? {
            if piece.last {
                return self.distances.add(&piece);
            }
            self.distances.add(&piece)?;
            open = true;
        }
        if open { Err(invalid("the last piece of a marginal is not marked as such")) } else { Ok(None) }
    }
}

fn distance(piece: &Piece, grid: Grid) -> Result<i64> {
    if piece.counts.len() != piece.answers.len() {
        return Err(invalid("give one answer per cell"));
    }
    let (mut sum, mut fits) = (0i64, true);
    for (count, answer) in piece.counts.iter().zip(piece.answers) {
        let rounded = grid.round(*answer);
        fits &= rounded.is_some();
        sum = sum.saturating_add((grid.scale(*count) - rounded.unwrap_or(0)).abs());
    }
    if fits { Ok(sum) } else { Err(beyond()) }
}

/// The `i`-th of some public terms, as a slice of one.
fn term<T>(terms: Option<&[T]>, i: usize) -> Result<Option<&[T]>> {
    terms.map(|terms| terms.get(i..=i).ok_or_else(missing)).transpose()
}

fn missing() -> marginalia_tables::Error {
    invalid("give each public term once per marginal")
}

fn beyond() -> marginalia_tables::Error {
    invalid("an answer or penalty is not finite, or too large for the grid: use fewer digits")
}
