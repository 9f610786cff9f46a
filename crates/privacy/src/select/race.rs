//! The one pass: every candidate's log-weight plus noise against the best so far.
//!
//! Z = t·score + ln w + N(U) is a real number, given by the candidate and the endless digits of its U. Whether
//! Z > Z' is always *decided*, never estimated: first by a bound that needs 16 digits of U, then by a table that needs
//! no more of them, then in binary64 with proven error bounds, then in intervals that narrow with more digits until
//! they part.

use super::approximate::{self, LN_ERROR};
use super::bits::{Bits, Heads, Uniform};
use super::exact::{self, Interval};
use super::noise::Noise;
use super::scores::{Block, Scores};
use super::slice::{LENGTH, Slice, binary};
use super::steps::Steps;
use marginalia_tables::{Code, Error, Result};
use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use num_traits::{One, Signed};
use std::f64::consts::LN_2;

/// Relative error allowed to t·d in binary64: t is within 2⁻⁵⁰ ([`nearest`]), d and the product within 2⁻⁵³ each, the
/// sums that it enters within 2⁻⁵¹.
const SLOPE_ERROR: f64 = 1.0 / (1u64 << 44) as f64;

/// Absolute error allowed to the rest: two logarithms of weights (2⁻⁴¹ each, at most 710), roundings of sums
/// (2⁻⁵³ of less than 2,000 each).
const REST_ERROR: f64 = 4.0 * LN_ERROR;

/// t, exactly and in binary64.
#[derive(Debug)]
pub(super) struct Rate {
    exact: BigRational,
    near: f64,
}

impl Rate {
    /// # Errors
    /// `OPTION_INVALID` when t is not within 2^±200.
    pub(super) fn new(exact: BigRational) -> Result<Self> {
        let bound = BigRational::from_integer(BigInt::one() << 200u32);
        if !exact.is_positive() || exact > bound || exact.recip() > bound {
            let message = "ε is not positive, or beyond all use: give one between 1e-40 and 1e40";
            return Err(Error::new(Code::OptionInvalid, message));
        }
        let near = nearest(&exact);
        Ok(Self { exact, near })
    }

    /// Within 2⁻⁵⁰ of t, relatively.
    pub(super) fn near(&self) -> f64 {
        self.near
    }

    /// Whether t·d + x is positive, for an x within `radius` of `apart`, if binary64 can tell.
    #[inline]
    fn tells(&self, d: i64, apart: f64, radius: f64) -> Option<bool> {
        let gain = d as f64 * self.near;
        let error = radius + REST_ERROR + gain.abs() * SLOPE_ERROR;
        let lead = gain + apart;
        if lead > error {
            Some(true)
        } else if lead < -error {
            Some(false)
        } else {
            None
        }
    }
}

/// A binary64 number within 2⁻⁵⁰ of a positive rational number between 2^±200, relatively: the quotient keeps at
/// least 64 digits (2⁻⁶³), two conversions and a sum round (2⁻⁵³ each), and powers of two are exact.
fn nearest(x: &BigRational) -> f64 {
    let shift = 64 + x.denom().bits() as i64 - x.numer().bits() as i64;
    let (up, down) = (shift.max(0) as u64, (-shift).max(0) as u64);
    let quotient: BigInt = (x.numer() << up) / (x.denom() << down);
    let digits = quotient
        .iter_u64_digits()
        .fold((0.0, 1.0), |(sum, place), digit| (sum + digit as f64 * place, place * (1u128 << 64) as f64));
    digits.0 * 2f64.powi(-shift as i32)
}

/// A candidate that may be the best.
pub(super) struct Candidate {
    index: u64,
    score: i64,
    weight: f64,
    head: u16,
    /// What continues the head; not drawn as long as the head decides.
    uniform: Option<Uniform>,
    /// ln w + N(U) is within `radius` of `centre`.
    centre: f64,
    radius: f64,
}

impl Candidate {
    /// A candidate of whose noise only the head is known.
    pub(super) fn begun(index: u64, (score, weight): (i64, f64), head: u16) -> Self {
        Self { index, score, weight, head, uniform: None, centre: 0.0, radius: f64::INFINITY }
    }

    pub(super) fn score(&self) -> i64 {
        self.score
    }

    /// The same, with what a table says of the noise.
    #[cfg(test)]
    pub(super) fn stepped(self, steps: &Steps) -> Self {
        let (noise, radius) = steps.near(self.head);
        Self { centre: noise + ln_weight(self.weight), radius, ..self }
    }

    /// Draws 64 more digits, where that was not done, and knows the noise the better for it.
    pub(super) fn refine(&mut self, noise: Noise, bits: &mut dyn Bits) {
        if self.uniform.is_none() {
            let uniform = Uniform::draw(self.head, bits);
            let (centre, radius) = noise.near(uniform.leading());
            (self.centre, self.radius) = (centre + ln_weight(self.weight), radius);
            self.uniform = Some(uniform);
        }
    }

    /// Draws digits until there are at least 16 + 64·`words`.
    pub(super) fn extend_to(&mut self, words: usize, noise: Noise, bits: &mut dyn Bits) -> Result<()> {
        self.refine(noise, bits);
        self.uniform.as_mut().map_or(Ok(()), |uniform| uniform.extend_to(words, bits))
    }

    /// Whether a candidate of this weight, score difference d and head can still beat this one: never false when
    /// it can.
    ///
    /// Both noises are at most −ln U, with equality for permute-and-flip; a head h ≥ 1 with z leading zeros means
    /// U ≥ 2⁻⁽ᶻ⁺¹⁾; and w < 2^(exponent + 1). So Z − Z' ≤ t·d + (z + 1 + exponent + 1)·ln 2 − (ln w' + N').
    pub(super) fn may_lose(&self, rate: f64, d: i64, weight: f64, head: u16) -> bool {
        let most = MOST[head.leading_zeros() as usize] + f64::from(binary(weight)) * LN_2;
        self.gain_at_most(rate, d) + most >= self.least()
    }

    /// t·d, or a little more.
    #[inline]
    pub(super) fn gain_at_most(&self, rate: f64, d: i64) -> f64 {
        let gain = d as f64 * rate;
        gain + gain.abs() * SLOPE_ERROR
    }

    /// What ln w + N(U) is at least.
    #[inline]
    pub(super) fn least(&self) -> f64 {
        self.centre - self.radius - REST_ERROR
    }

    /// Scores below which a candidate of weight 1 cannot beat this one, by the zeros that its head begins with: at least
    /// one lower than needed, and lower by more than all that is rounded here.
    pub(super) fn bars(&self, rate: f64) -> [i64; 17] {
        let (least, scale) = (self.least(), 1.0 / rate);
        MOST.map(|most| {
            let d = (least - most) * scale;
            // Conversion saturates, and is down.
            self.score.saturating_add((d - d.abs() * SLOPE_ERROR * 4.0 - 2.0).floor() as i64)
        })
    }
}

/// What the noise of a head is at most, by its leading zeros: no bound, where all of it is zeros.
pub(super) static MOST: [f64; 17] = {
    let mut most = [f64::INFINITY; 17];
    let mut zeros = 0;
    while zeros < 16 {
        most[zeros] = (zeros + 1) as f64 * LN_2;
        zeros += 1;
    }
    most
};

fn ln_weight(weight: f64) -> f64 {
    if weight == 1.0 { 0.0 } else { approximate::ln(weight) }
}

/// ln w exactly for a normal binary64 number, which is m·2ᵉ.
fn ln_weight_within(weight: f64, precision: u32) -> Interval {
    let bits = weight.to_bits();
    let mantissa = BigUint::from(bits & ((1 << 52) - 1) | 1 << 52);
    exact::ln(&mantissa, (bits >> 52) as i64 - 1075, precision)
}

/// The state of a pass.
pub(super) struct Race {
    noise: Noise,
    rate: Rate,
    heads: Heads,
    /// Candidates that wait for others; those before them have been compared.
    slice: Slice,
    /// Whether many of one slice came close.
    rising: bool,
    seen: u64,
    best: Option<Candidate>,
    /// How many came close, and what is made when they are many.
    close: u32,
    steps: Option<Steps>,
}

/// Candidates that come close before a table pays.
const MANY: u32 = 256;

/// Candidates of one slice that come close before it pays to look for the most promising: twice as many as of equals.
const RISING: u32 = 48;

impl Race {
    pub(super) fn new(noise: Noise, rate: Rate) -> Self {
        let (heads, slice) = (Heads::default(), Slice::default());
        Self { noise, rate, heads, slice, rising: false, seen: 0, best: None, close: 0, steps: None }
    }

    /// Noise half as wide beside the scores is t twice as large.
    #[cfg(feature = "test-noise")]
    pub(super) fn halve(&mut self) -> Result<()> {
        self.rate = Rate::new(&self.rate.exact * BigInt::from(2))?;
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn near_rate(&self) -> f64 {
        self.rate.near()
    }

    /// Runs all blocks through the race: the index of the candidate with the largest Z, by law and not by
    /// approximation. Expected time O(1) per candidate, memory O(1) beyond the blocks.
    ///
    /// # Errors
    /// Those of the blocks, of [`Race::take`] and of [`Race::winner`].
    pub(super) fn run(mut self, scores: &mut dyn Scores, bits: &mut dyn Bits) -> Result<u64> {
        while let Some(block) = scores.next()? {
            self.take(&block, bits)?;
        }
        self.winner(bits)
    }

    /// The next candidates.
    ///
    /// # Errors
    /// `OPTION_INVALID` for a block that does not fit together, weights where the noise allows none, or a weight that
    /// is negative, not finite, or below 2⁻¹⁰²²; `ENTROPY_BROKEN`.
    pub(super) fn take(&mut self, block: &Block, bits: &mut dyn Bits) -> Result<()> {
        block.check()?;
        if block.weights.is_some() && self.noise == Noise::Exponential {
            let message = "permute-and-flip takes no weights: use the exponential mechanism, or a mask";
            return Err(Error::new(Code::OptionInvalid, message));
        }
        let mut from = 0;
        while from < block.scores.len() {
            from += self.slice.append(block, from);
            if self.slice.len() == LENGTH {
                self.enter(bits)?;
            }
        }
        Ok(())
    }

    /// The index of the candidate with the largest Z; masked ones count as well.
    ///
    /// # Errors
    /// `SELECTION_EMPTY` when nothing takes part; `ENTROPY_BROKEN`.
    pub(super) fn winner(mut self, bits: &mut dyn Bits) -> Result<u64> {
        self.enter(bits)?;
        self.best.map(|best| best.index).ok_or_else(|| {
            let message = "no candidate takes part: every one is masked or has weight 0";
            Error::new(Code::SelectionEmpty, message)
        })
    }

    /// The slice enters. Once many came close in one, the most promising of each comes first, so that few others do,
    /// however their scores rise. Who comes first changes no law.
    fn enter(&mut self, bits: &mut dyn Bits) -> Result<()> {
        let mut slice = std::mem::take(&mut self.slice);
        slice.deal(&mut self.heads, bits);
        let rate = self.rate.near();
        let lead = if self.rising { slice.lead(rate) } else { None };
        if let Some(i) = lead
            && slice.may_beat(self.best.as_ref(), rate, i)
        {
            self.challenge(self.seen + i as u64, slice.at(i), bits)?;
        }
        let (mut from, mut close) = (0, 0);
        while let Some(i) = slice.first_to_beat(self.best.as_ref(), rate, from) {
            if lead != Some(i) {
                self.challenge(self.seen + i as u64, slice.at(i), bits)?;
            }
            (from, close) = (i + 1, close + 1);
        }
        self.rising |= close > RISING;
        self.seen += slice.len() as u64;
        slice.clear();
        self.slice = slice;
        Ok(())
    }

    /// A candidate that comes close: where a table bounds its noise well enough, it takes the place of the best or is
    /// forgotten, and nothing is moved.
    #[inline(never)]
    fn challenge(&mut self, index: u64, one: (i64, f64, u16), bits: &mut dyn Bits) -> Result<()> {
        let (score, weight, head) = one;
        if let (Some(steps), Some(best)) = (&self.steps, &mut self.best) {
            let (noise, radius) = steps.near(head);
            let centre = noise + ln_weight(weight);
            match self.rate.tells(score - best.score, centre - best.centre, radius + best.radius) {
                Some(true) => {
                    (best.index, best.score, best.weight, best.head) = (index, score, weight, head);
                    (best.uniform, best.centre, best.radius) = (None, centre, radius);
                    return Ok(());
                }
                Some(false) => return Ok(()),
                None => {}
            }
        }
        self.challenge_finely(Candidate::begun(index, (score, weight), head), bits)
    }

    #[cold]
    fn challenge_finely(&mut self, new: Candidate, bits: &mut dyn Bits) -> Result<()> {
        self.close = self.close.saturating_add(1);
        if self.close == MANY {
            self.steps = Some(Steps::new(self.noise));
        }
        self.best = Some(match self.best.take() {
            None => new,
            Some(best) => self.better(new, best, bits)?,
        });
        Ok(())
    }

    fn better(&self, mut new: Candidate, mut best: Candidate, bits: &mut dyn Bits) -> Result<Candidate> {
        best.refine(self.noise, bits);
        new.refine(self.noise, bits);
        let wins = match self.decide_near(&new, &best) {
            Some(wins) => wins,
            None => self.decide(&mut new, &mut best, bits)?,
        };
        Ok(if wins { new } else { best })
    }

    /// Whether `new` beats `best`, if binary64 can tell.
    pub(super) fn decide_near(&self, new: &Candidate, best: &Candidate) -> Option<bool> {
        let apart = new.centre - best.centre;
        self.rate.tells(new.score - best.score, apart, new.radius + best.radius)
    }

    /// Whether `new` beats `best`: doubles the digits until it shows, which it does with probability 1.
    pub(super) fn decide(
        &self,
        new: &mut Candidate,
        best: &mut Candidate,
        bits: &mut dyn Bits,
    ) -> Result<bool> {
        let mut words = 1;
        loop {
            best.extend_to(words, self.noise, bits)?;
            new.extend_to(words, self.noise, bits)?;
            if let Some(wins) = self.decide_within(new, best) {
                return Ok(wins);
            }
            words *= 2;
        }
    }

    /// Whether `new` beats `best`, if the digits drawn so far can tell.
    pub(super) fn decide_within(&self, new: &Candidate, best: &Candidate) -> Option<bool> {
        let (a, m) = new.uniform.as_ref()?.digits();
        let (b, n) = best.uniform.as_ref()?.digits();
        let precision = m.max(n) + 16;
        let noise = self.noise.within(&a, m, precision)? - self.noise.within(&b, n, precision)?;
        let weight = ln_weight_within(new.weight, precision) - ln_weight_within(best.weight, precision);
        let gain = &self.rate.exact * BigInt::from(new.score - best.score);
        (noise + weight + Interval::of_ratio(&gain, precision)).positive()
    }
}
