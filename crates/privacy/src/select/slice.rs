//! Candidates that enter the race together, so that the most promising of them can come first.

use super::bits::{Bits, Heads};
use super::race::{Candidate, MOST};
use super::scores::Block;
use std::f64::consts::LN_2;
use zeroize::{Zeroize, Zeroizing};

/// How many enter together, whatever the blocks that they come in.
pub(super) const LENGTH: usize = 1024;

/// Scores beyond ±2⁶¹ count as ±2⁶¹, so that differences fit.
const FARTHEST: i64 = 1 << 61;

/// Consecutive candidates with the first digits of their noise. All of it is private; it is wiped whenever it goes.
#[derive(Default)]
pub(super) struct Slice {
    scores: Zeroizing<Vec<i64>>,
    /// Public; none as long as all have weight 1.
    weights: Option<Weights>,
    heads: Zeroizing<Vec<u16>>,
}

/// Weights, 0 for those that take no part, and the least known bounds above their logarithms.
#[derive(Default)]
struct Weights {
    all: Vec<f64>,
    tops: Vec<f64>,
}

impl Weights {
    fn extend(&mut self, weights: impl Iterator<Item = f64>) {
        let before = self.all.len();
        self.all.extend(weights);
        let top = |w: &f64| if *w == 0.0 { f64::NEG_INFINITY } else { f64::from(binary(*w)) * LN_2 };
        self.tops.extend(self.all[before..].iter().map(top));
    }
}

impl Slice {
    pub(super) fn len(&self) -> usize {
        self.scores.len()
    }

    /// Takes candidates of a block from one on, as many as there is room for; how many it took.
    pub(super) fn append(&mut self, block: &Block, from: usize) -> usize {
        let before = self.scores.len();
        let to = block.scores.len().min(from + LENGTH - before);
        make_room(&mut self.scores, before + to - from);
        if block.weights.is_some() || block.mask.is_some() || self.weights.is_some() {
            let weights = self.weights.get_or_insert_default();
            weights.extend((weights.all.len()..before).map(|_| 1.0));
            weights.extend((from..to).map(|i| weight(block, i)));
        }
        self.scores.extend(block.scores[from..to].iter().map(|score| (*score).clamp(-FARTHEST, FARTHEST)));
        to - from
    }

    /// Deals digits to all, also to those that take no part.
    pub(super) fn deal(&mut self, heads: &mut Heads, bits: &mut dyn Bits) {
        self.heads.clear();
        make_room(&mut self.heads, self.scores.len());
        heads.deal(self.scores.len(), &mut self.heads, bits);
    }

    /// One that is as likely to win as any other, or nearly so: of the largest score, or where there are weights, of the
    /// largest log-weight that is known at once.
    pub(super) fn lead(&self, rate: f64) -> Option<usize> {
        match &self.weights {
            None => {
                let most = self.scores.iter().copied().max()?;
                self.scores.iter().position(|score| *score == most)
            }
            Some(weights) => {
                let (mut best, first) = ((None, f64::NEG_INFINITY), self.scores.first()?);
                for (i, (score, top)) in self.scores.iter().zip(&weights.tops).enumerate() {
                    let promise = (score - first) as f64 * rate + top;
                    best = if promise > best.1 { (Some(i), promise) } else { best };
                }
                best.0
            }
        }
    }

    /// The first from one on that takes part and may beat the best, or may come first where there is none.
    pub(super) fn first_to_beat(&self, best: Option<&Candidate>, rate: f64, from: usize) -> Option<usize> {
        let mut from = from;
        loop {
            from += match (best, &self.weights) {
                (Some(best), Some(weights)) => self.first_above(best, rate, &weights.tops, from)?,
                (Some(best), None) => self.first_over(&best.bars(rate), from)?,
                (None, _) => (from < self.scores.len()).then_some(0)?,
            };
            if self.may_beat(best, rate, from) {
                return Some(from);
            }
            from += 1;
        }
    }

    /// Whether one of them takes part and may beat the best.
    pub(super) fn may_beat(&self, best: Option<&Candidate>, rate: f64, i: usize) -> bool {
        let (score, weight, head) = self.at(i);
        weight != 0.0 && best.is_none_or(|best| best.may_lose(rate, score - best.score(), weight, head))
    }

    /// The score, the weight and the first digits of one.
    pub(super) fn at(&self, i: usize) -> (i64, f64, u16) {
        (self.scores[i], self.weights.as_ref().map_or(1.0, |weights| weights.all[i]), self.heads[i])
    }

    /// How far it is to the first score that is not below its bar.
    fn first_over(&self, bars: &[i64; 17], from: usize) -> Option<usize> {
        let mut all = self.scores[from..].iter().zip(&self.heads[from..]);
        all.position(|(score, head)| *score >= bars[head.leading_zeros() as usize])
    }

    /// How far it is to the first that may beat the best; one that takes no part may, where the best has no bound.
    fn first_above(&self, best: &Candidate, rate: f64, tops: &[f64], from: usize) -> Option<usize> {
        let least = best.least();
        let mut all = self.scores[from..].iter().zip(&self.heads[from..]).zip(&tops[from..]);
        all.position(|((score, head), top)| {
            best.gain_at_most(rate, score - best.score()) + (MOST[head.leading_zeros() as usize] + top)
                >= least
        })
    }

    /// Makes room for the next ones.
    pub(super) fn clear(&mut self) {
        self.scores.clear();
        self.weights = None;
    }
}

/// Room for so many, and from the second time on for all: it never grows in place, which would leave values behind.
fn make_room<T: Copy + Zeroize>(list: &mut Zeroizing<Vec<T>>, length: usize) {
    if list.capacity() < length {
        let enough = if list.capacity() == 0 { length } else { LENGTH };
        let mut larger = Zeroizing::new(Vec::with_capacity(enough));
        larger.extend_from_slice(list);
        *list = larger;
    }
}

/// The weight of a candidate, 0 where the mask leaves it out.
fn weight(block: &Block, i: usize) -> f64 {
    let marked = block.mask.is_none_or(|mask| mask[i]);
    // No processor predicts a mask; weights are not negative.
    f64::from(u8::from(marked)) * block.weights.map_or(1.0, |weights| weights[i])
}

/// An e with w < 2ᵉ, or w = 2ᵉ where w is 1: for a normal number.
pub(super) fn binary(weight: f64) -> i32 {
    if weight == 1.0 { 0 } else { (weight.to_bits() >> 52) as i32 - 1022 }
}
