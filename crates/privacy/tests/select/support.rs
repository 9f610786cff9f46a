//! Candidates in memory, bits from a fixed seed, and the closed forms of both laws.

use marginalia_privacy::select::{Bits, Block, Scores};
use marginalia_tables::Result;
use num_bigint::BigInt;
use num_rational::BigRational;

/// SplitMix64 (Steele, Lea and Flood 2014).
pub struct Seeded(pub u64);

impl Bits for Seeded {
    fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// Candidates in memory, given in blocks of `size`.
#[derive(Debug, Clone)]
pub struct Listed {
    pub scores: Vec<i64>,
    pub weights: Option<Vec<f64>>,
    pub mask: Option<Vec<bool>>,
    pub sensitivity: u64,
    pub size: usize,
    at: usize,
}

impl Listed {
    pub fn new(scores: &[i64]) -> Self {
        let size = scores.len().max(1);
        Self { scores: scores.to_vec(), weights: None, mask: None, sensitivity: 1, size, at: 0 }
    }

    pub fn weighted(self, weights: &[f64]) -> Self {
        Self { weights: Some(weights.to_vec()), ..self }
    }

    pub fn masked(self, mask: &[bool]) -> Self {
        Self { mask: Some(mask.to_vec()), ..self }
    }

    pub fn sensitivity(self, sensitivity: u64) -> Self {
        Self { sensitivity, ..self }
    }

    pub fn blocks_of(self, size: usize) -> Self {
        Self { size, ..self }
    }

    pub fn rewind(&mut self) {
        self.at = 0;
    }

    /// The weights with which candidates take part.
    pub fn shares(&self) -> Vec<f64> {
        let weight = |i: usize| self.weights.as_ref().map_or(1.0, |weights| weights[i]);
        let open = |i: usize| self.mask.as_ref().is_none_or(|mask| mask[i]);
        (0..self.scores.len()).map(|i| if open(i) { weight(i) } else { 0.0 }).collect()
    }
}

impl Scores for Listed {
    fn sensitivity(&self) -> u64 {
        self.sensitivity
    }

    fn next(&mut self) -> Result<Option<Block<'_>>> {
        let range = self.at..(self.at + self.size).min(self.scores.len());
        if range.is_empty() {
            return Ok(None);
        }
        self.at = range.end;
        Ok(Some(Block {
            scores: &self.scores[range.clone()],
            weights: self.weights.as_ref().map(|weights| &weights[range.clone()]),
            mask: self.mask.as_ref().map(|mask| &mask[range.clone()]),
        }))
    }
}

pub fn ratio(p: i64, q: i64) -> BigRational {
    BigRational::new(BigInt::from(p), BigInt::from(q))
}

/// P(i) ∝ shareᵢ·exp(t·sᵢ).
pub fn exponential_law(scores: &[i64], shares: &[f64], t: f64) -> Vec<f64> {
    let most =
        (0..scores.len()).filter(|i| shares[*i] > 0.0).map(|i| scores[i]).max().expect("one takes part");
    let terms: Vec<f64> =
        scores.iter().zip(shares).map(|(s, share)| share * (t * (s - most) as f64).exp()).collect();
    let sum: f64 = terms.iter().sum();
    terms.iter().map(|term| term / sum).collect()
}

/// Permute-and-flip as it is written in the paper: all orders of the candidates, each as likely; in each, the
/// first that its coin accepts.
pub fn permute_and_flip_law(scores: &[i64], shares: &[f64], t: f64) -> Vec<f64> {
    let open: Vec<usize> = (0..scores.len()).filter(|i| shares[*i] > 0.0).collect();
    let most = open.iter().map(|i| scores[*i]).max().expect("one takes part");
    let accept: Vec<f64> = scores.iter().map(|s| (t * (s - most) as f64).exp()).collect();
    let orders = permutations(&open);
    let mut law = vec![0.0; scores.len()];
    for order in &orders {
        let mut reached = 1.0 / orders.len() as f64;
        for &i in order {
            law[i] += reached * accept[i];
            reached *= 1.0 - accept[i];
        }
    }
    law
}

/// The same for many: with all coming at times u that are uniform on [0, 1], the first to be accepted is i with
/// probability aᵢ·∫ ∏ (1 − u·aⱼ) du over all j ≠ i. By Simpson's rule; equal scores are taken together.
pub fn permute_and_flip_law_of_many(scores: &[i64], t: f64) -> Vec<f64> {
    const STEPS: u32 = 1 << 16;
    let mut kinds = scores.to_vec();
    kinds.sort_unstable();
    kinds.dedup();
    let most = *kinds.last().expect("one takes part");
    let kind = |score: &i64| {
        let times = scores.iter().filter(|other| *other == score).count();
        ((t * (score - most) as f64).exp(), times as i32)
    };
    let kinds: Vec<(i64, (f64, i32))> = kinds.iter().map(|score| (*score, kind(score))).collect();
    let without = |own: i64, u: f64| -> f64 {
        kinds.iter().map(|(score, (a, times))| (1.0 - u * a).powi(times - i32::from(*score == own))).product()
    };
    let weight = |i: u32| if i == 0 || i == STEPS { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
    let chance = |(own, (a, _)): &(i64, (f64, i32))| {
        let sum: f64 = (0..=STEPS).map(|i| weight(i) * without(*own, f64::from(i) / f64::from(STEPS))).sum();
        (*own, a * sum / 3.0 / f64::from(STEPS))
    };
    let chances: Vec<(i64, f64)> = kinds.iter().map(chance).collect();
    scores.iter().map(|score| chances[chances.partition_point(|(kind, _)| kind < score)].1).collect()
}

#[test]
fn the_law_of_many_is_that_of_few() {
    let scores = [3, 1, 4, 1, 5, 3];
    let (few, many) =
        (permute_and_flip_law(&scores, &[1.0; 6], 0.4), permute_and_flip_law_of_many(&scores, 0.4));
    assert!(few.iter().zip(&many).all(|(a, b)| (a - b).abs() < 1e-9), "{few:?} {many:?}");
    assert!((permute_and_flip_law_of_many(&[0; 2_000], 1.0).iter().sum::<f64>() - 1.0).abs() < 1e-6);
}

fn permutations(items: &[usize]) -> Vec<Vec<usize>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, first) in items.iter().enumerate() {
        let mut rest = items.to_vec();
        rest.remove(place);
        for mut order in permutations(&rest) {
            order.insert(0, *first);
            all.push(order);
        }
    }
    all
}
