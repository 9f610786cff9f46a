//! Edges of the bins of one attribute as candidates: how near so many of its values lie below each.
//!
//! Of bins 0, …, m − 1, edge j has the rows of bins below j under it: L(j) of the N rows that are in a bin at all. For the quantile
//! a/b the score of edge j is `−|b·L(j) − a·N|` (Smith 2011): whole numbers, the nearest edge has the largest. Beyond the last
//! value all edges are as near, so a bound leans to one side: ⌊b·d·N/(10·m)⌋ is subtracted, for an edge d places from that end. It
//! passes over bins with less than a tenth of an equal share, and over a tenth of the rows at most.
//!
//! Theorem: a score moves by at most D + ⌈b·k/10⌉, without leaning by D, where D is what the query with the columns b − a (a row below
//! the edge), −a (one above), 0 (one in no bin) changes in L1: `||x| − |y|| ≤ |x − y|`, and b·L(j) − a·N is the answer to that query. D is
//! k·max(a, b − a) under add/remove and k·b under replace, for every j ([`Sensitivity::linear`]). N moves by at most k under
//! both, d ≤ m, and `|⌊x⌋ − ⌊y⌋| ≤ ⌈|x − y|⌉`. Counts are cut at 2³² − 1, which takes no cell farther, nor the other way.

use super::scores::invalid;
use crate::sensitivity::{Matrix, Sensitivity, Spread};
use crate::unit::Neighbours;
use marginalia_tables::{Error, Result, Workload};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use zeroize::Zeroize;

/// The largest b: scores stay below 2⁵⁸.
const MOST_PARTS: u32 = 1000;

/// What is asked of the edges of bins: all of it public.
#[derive(Debug, Clone)]
pub struct Quantile {
    /// a of b parts of the values lie below: 0 < a < b.
    pub part: (u32, u32),
    /// How many codes of the attribute are bins; values of others take no part.
    pub bins: u32,
    /// Which of edges that are about as near is preferred, if any.
    pub lean: Option<Lean>,
    /// Which edges take part, of one more than there are bins; all if there is none.
    pub mask: Option<Vec<bool>>,
}

/// The side to which a bound leans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lean {
    /// Lower edges, as upper bounds do.
    Lower,
    /// Upper edges, as lower bounds do.
    Upper,
}

/// Bins that hold less than one part in so many of an equal share are passed over.
const SPARSE: u32 = 10;

impl Quantile {
    /// Refuses what makes no sense for a workload.
    pub(super) fn check(&self, workload: &Workload) -> Result<()> {
        let (a, b) = self.part;
        if a == 0 || a >= b || b > MOST_PARTS {
            return Err(invalid("a quantile is a fraction above 0 and below 1, of at most 1000 parts"));
        }
        let single = workload.len() == 1 && workload.clique(0).len() == 1;
        if !single || self.bins == 0 || u64::from(self.bins) > workload.total_cells() {
            return Err(invalid("a quantile is of the bins of one attribute"));
        }
        match self.mask.as_ref().is_none_or(|mask| mask.len() == self.bins as usize + 1) {
            true => Ok(()),
            false => Err(invalid("give as many marks in the mask as there are edges")),
        }
    }

    /// The most by which one score differs between neighbours.
    pub fn sensitivity(&self, neighbours: &Neighbours) -> Result<u64> {
        let (a, b) = (i64::from(self.part.0), i64::from(self.part.1));
        let row = [b - a, -a, 0];
        let change = Sensitivity::linear(neighbours, Matrix::new(row.len(), &row)?, Spread::Whole);
        let rows = Sensitivity::count(neighbours, Spread::Whole);
        let lean: BigInt =
            if self.lean.is_some() { (rows.l1() * b + SPARSE - 1u32) / SPARSE } else { BigInt::ZERO };
        Ok((change.l1() + lean).to_u64().unwrap_or(u64::MAX))
    }

    /// The scores of all edges by the counts of all codes, in place of what was in the buffer.
    ///
    /// # Errors
    /// `OUT_OF_MEMORY`, by the number of bins alone.
    pub fn score(&self, counts: &[u32], scores: &mut Vec<i64>) -> Result<()> {
        let (a, b) = (i64::from(self.part.0), i64::from(self.part.1));
        let bins = &counts[..self.bins as usize];
        scores.zeroize();
        scores.try_reserve_exact(bins.len() + 1).map_err(|_| Error::out_of_memory(8 * (bins.len() + 1)))?;
        let all: i64 = bins.iter().map(|count| i64::from(*count)).sum();
        let lean = |edge: usize| {
            let places = match self.lean {
                Some(Lean::Lower) => edge,
                Some(Lean::Upper) => bins.len() - edge,
                None => 0,
            };
            let parts = i128::from(SPARSE) * bins.len() as i128;
            (i128::from(b) * places as i128 * i128::from(all) / parts) as i64
        };
        let mut below = 0;
        scores.push(-a * all - lean(0));
        for (i, count) in bins.iter().enumerate() {
            below += i64::from(*count);
            scores.push(-(b * below - a * all).abs() - lean(i + 1));
        }
        Ok(())
    }
}
