//! Candidates that enter the race together, so that the most promising of them comes first.

use super::bits::{Bits, Heads};
use super::race::Candidate;
use super::scores::Block;
use zeroize::Zeroizing;

/// How many enter together. What comes close is among the first few of a slice, whatever its order and however its scores
/// rise: few of so many. It does not depend on blocks.
pub(super) const LENGTH: usize = 1024;

/// Scores beyond ±2⁶¹ count as ±2⁶¹, so that differences fit.
const FARTHEST: i64 = 1 << 61;

/// Consecutive candidates with the first digits of their noise. All of it is private; it is wiped whenever it goes.
#[derive(Default)]
pub(super) struct Slice {
    pub(super) scores: Zeroizing<Vec<i64>>,
    /// Public: 0 for those that take no part. None, as long as all have weight 1.
    weights: Option<Vec<f64>>,
    pub(super) heads: Zeroizing<Vec<u16>>,
}

impl Slice {
    /// Takes candidates of a block from one on, as many as there is room for; how many it took.
    pub(super) fn append(&mut self, block: &Block, from: usize) -> usize {
        let before = self.scores.len();
        let to = block.scores.len().min(from + LENGTH - before);
        // It never grows, which would leave scores behind.
        self.scores.reserve_exact(LENGTH - before);
        if block.weights.is_some() || block.mask.is_some() || self.weights.is_some() {
            let weights = self.weights.get_or_insert_with(|| vec![1.0; before]);
            weights.extend((from..to).map(|i| weight(block, i)));
        }
        self.scores.extend(block.scores[from..to].iter().map(|score| (*score).clamp(-FARTHEST, FARTHEST)));
        to - from
    }

    pub(super) fn is_full(&self) -> bool {
        self.scores.len() == LENGTH
    }

    pub(super) fn weight(&self, i: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[i])
    }

    /// Deals digits to those that take part, in their order.
    pub(super) fn deal(&mut self, heads: &mut Heads, bits: &mut dyn Bits) {
        let length = self.scores.len();
        self.heads.clear();
        self.heads.reserve_exact(LENGTH);
        match &self.weights {
            None => self.heads.extend((0..length).map(|_| heads.next(bits))),
            Some(weights) => {
                self.heads.extend(weights.iter().map(|w| if *w == 0.0 { 0 } else { heads.next(bits) }))
            }
        }
    }

    /// The most likely to win: the first of the largest score, or, where there are weights, of about the largest
    /// log-weight. Who comes first changes no law.
    pub(super) fn lead(&self, rate: f64) -> Option<usize> {
        match &self.weights {
            None => {
                let most = self.scores.iter().copied().max()?;
                self.scores.iter().position(|score| *score == most)
            }
            Some(weights) => {
                let promise = |i: usize| self.scores[i] as f64 * rate + f64::from(binary(weights[i]));
                let open = (0..weights.len()).filter(|i| weights[*i] != 0.0);
                open.reduce(|best, i| if promise(i) > promise(best) { i } else { best })
            }
        }
    }

    /// Whether one of them may beat the best.
    pub(super) fn may_beat(&self, best: &Candidate, rate: f64, i: usize) -> bool {
        best.may_lose(rate, self.scores[i] - best.score(), self.weight(i), self.heads[i])
    }

    /// The first from one on that may beat the best.
    pub(super) fn first_to_beat(&self, best: &Candidate, rate: f64, from: usize) -> Option<usize> {
        let all = self.scores[from..].iter().zip(&self.heads[from..]);
        let apart = |score: &i64| score - best.score();
        let found = match &self.weights {
            None => {
                all.map(|(score, head)| best.may_lose(rate, apart(score), 1.0, *head)).position(|close| close)
            }
            Some(weights) => all
                .zip(&weights[from..])
                .map(|((score, head), w)| *w != 0.0 && best.may_lose(rate, apart(score), *w, *head))
                .position(|close| close),
        };
        found.map(|i| from + i)
    }

    /// Makes room for the next ones.
    pub(super) fn clear(&mut self) {
        self.scores.clear();
        self.weights = None;
    }
}

/// The weight of a candidate, 0 where the mask leaves it out.
fn weight(block: &Block, i: usize) -> f64 {
    if block.mask.is_some_and(|mask| !mask[i]) {
        0.0
    } else {
        block.weights.map_or(1.0, |weights| weights[i])
    }
}

/// An e with w < 2ᵉ, and w = 2ᵉ where w is 1: for a normal number.
pub(super) fn binary(weight: f64) -> i32 {
    if weight == 1.0 { 0 } else { (weight.to_bits() >> 52) as i32 - 1022 }
}
