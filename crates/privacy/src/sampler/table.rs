//! The fast way to Laplace and Gaussian noise: inversion of a table, then a block accepted or not.
//!
//! A magnitude is x = 2^m·h + l with 0 ≤ l < 2^m, where 2^m is at most 1/16 of b or σ (m = 0 for small scales).
//! The block h is drawn with probability ∝ w(2^m·h), w(x) = exp(−x/b) or exp(−x²/2σ²), by inversion; l is uniform;
//! the pair is kept with probability w(x)/w(2^m·h), which leaves x with probability ∝ w(x). A fair sign follows, and
//! −0 is drawn again (with m = 0 the table gives 0 half the weight of its place instead, and no draw is lost).
//!
//! Inversion compares a uniform real number with the partial sums of the law, both to as many digits as it takes:
//! the table has the first digits of every partial sum, computed with integer intervals; where the drawn digits
//! equal those of a sum, more of both are computed (`resolve`). So the law is exact, though a word decides.

use super::bernoulli::{Digits, Gamma, compare};
use super::bounds::{Bounds, exp_minus};
use super::law::{LIMIT, Law};
use crate::random::Generator;
use num_bigint::BigUint;
use num_traits::ToPrimitive;

/// How many digits of the partial sums a table holds: what is left of a word beside the sign.
pub const DIGITS: u64 = 63;
/// Digits that index the guide.
const GUIDE: u64 = 8;
/// The largest m: x and l fit 64 bits, products of them 128.
const SHIFT_MAX: u64 = 40;

/// A law prepared for fast draws.
#[derive(Debug, Clone)]
pub struct Table {
    blocks: Blocks,
    /// ⌊P(block ≤ h)·2^digits⌋ for h = 0, 1, …, up to the first that is 2^digits − 1.
    sums: Vec<u64>,
    /// The first h whose sum exceeds the digits that begin so.
    guide: Vec<u16>,
    digits: u64,
    rate: Rate,
}

/// The law of blocks: what the partial sums are sums of.
#[derive(Debug, Clone)]
struct Blocks {
    law: Law,
    shift: u64,
}

/// s/t or s/2t as mantissa·2^−places, rounded down, the mantissa having 64 bits.
#[derive(Debug, Clone, Copy)]
struct Rate {
    mantissa: u64,
    places: u64,
}

impl Table {
    /// The table of a law; none where its spread is too large for it (beyond about 2⁴⁵).
    #[inline(never)]
    pub fn new(law: Law) -> Option<Self> {
        Self::with_digits(law, DIGITS)
    }

    /// A table with fewer digits draws from the same law, more slowly: tests reach the rare paths so.
    pub(super) fn with_digits(law: Law, digits: u64) -> Option<Self> {
        let blocks = Blocks::of(law)?;
        // The sums are computed further than they are kept, so that their first digits are certain.
        let mut places = digits + 64;
        let sums = loop {
            if let Some(sums) = first_digits(&blocks.partial_sums(places), digits) {
                break sums;
            }
            places += 64;
        };
        let first_above = |begin: u64| sums.partition_point(|sum| *sum <= begin << (digits - GUIDE));
        let guide = (0..1 << GUIDE).map(|begin| first_above(begin).min(sums.len() - 1) as u16).collect();
        let rate = Rate::of(&blocks);
        Some(Self { blocks, sums, guide, digits, rate })
    }

    /// About how many sums a table of the law has. One takes as long as a draw without a table, so from so many draws on it pays.
    pub fn entries(law: Law) -> usize {
        let blocks = |Blocks { shift, .. }| ((law.spread() >> shift) + 1u32).to_usize();
        let per_block = match law {
            // 63 digits are e^−44; and 44 = 9.4²/2.
            Law::Laplace(_) => 44,
            Law::Gaussian(_) => 10,
        };
        Blocks::of(law).and_then(blocks).map_or(0, |blocks| per_block * blocks)
    }

    /// One draw. Expected words: about 1.05 for scales below 16, 2.1 above (3.1 for spreads beyond 2³⁶).
    #[inline]
    pub fn draw(&self, generator: &mut Generator) -> i64 {
        let shift = self.blocks.shift;
        loop {
            let word = generator.next_u64();
            let block = self.block(word >> (64 - self.digits), generator);
            let magnitude = if shift == 0 {
                block
            } else {
                let bits = generator.next_u64();
                let mask = (1 << shift) - 1;
                let low = if shift <= 32 { bits & mask } else { generator.next_u64() & mask };
                if !self.accepts(block, low, bits, generator) || (block | low == 0 && word & 1 == 1) {
                    continue;
                }
                block << shift | low
            };
            let magnitude = magnitude.min(LIMIT as u64) as i64;
            let sign = -((word & 1) as i64);
            return (magnitude ^ sign) - sign;
        }
    }

    /// The block whose stretch of [0, 1) holds the number that begins with these digits.
    #[inline]
    fn block(&self, digits: u64, generator: &mut Generator) -> u64 {
        let top = (1 << self.digits) - 1;
        let mut at = usize::from(self.guide[(digits >> (self.digits - GUIDE)) as usize]);
        // The last sum is the top, so that the search ends.
        while digits >= self.sums[at] && digits < top {
            at += 1;
        }
        // Equal digits do not tell on which side of the sum the number is.
        if digits == top || (at > 0 && self.sums[at - 1] == digits) {
            return resolve(&self.blocks, Digits::new(digits, self.digits), generator);
        }
        at as u64
    }

    /// Keeps x = 2^m·h + l with probability w(x)/w(2^m·h); the upper half of `bits` begins the uniform number.
    #[inline]
    fn accepts(&self, block: u64, low: u64, bits: u64, generator: &mut Generator) -> bool {
        let excess = self.blocks.excess(block, low);
        let gamma = self.rate.times(excess);
        let uniform = bits >> 32 << 32;
        // exp(−γ) ≥ 1 − γ settles most.
        if gamma.hi <= (1 << 64) - (1 << 32) - u128::from(uniform) {
            return true;
        }
        let uniform = uniform | generator.next_u64() >> 32;
        compare(generator, uniform, gamma, || {
            let (numerator, denominator) = self.blocks.rate();
            (numerator * excess, denominator)
        })
    }
}

impl Blocks {
    fn of(law: Law) -> Option<Self> {
        let shift = law.spread().bits().saturating_sub(5);
        (shift <= SHIFT_MAX).then_some(Self { law, shift })
    }

    /// The fraction by which energies are multiples of integers: 1/b or 1/2σ².
    fn rate(&self) -> (BigUint, BigUint) {
        let scale = self.law.scale();
        match self.law {
            Law::Laplace(_) => (scale.denominator(), scale.numerator()),
            Law::Gaussian(_) => (scale.denominator(), scale.numerator() * 2u32),
        }
    }

    /// E(2^m·h + l) − E(2^m·h) for w(x) = exp(−rate·E(x)).
    #[inline]
    fn excess(&self, block: u64, low: u64) -> u128 {
        match self.law {
            Law::Laplace(_) => u128::from(low),
            Law::Gaussian(_) => u128::from(low) * ((u128::from(block) << (self.shift + 1)) + u128::from(low)),
        }
    }

    /// P(block ≤ h) for h = 0, 1, …, until less than 2^(48 − places) is left.
    fn partial_sums(&self, places: u64) -> Vec<Bounds> {
        // Intervals grow by a unit or two at each step; these places absorb them.
        let inner = places + 32;
        let (p, q) = self.rate();
        let one = Bounds::one(inner);
        // w(2^m·(h + 1))/w(2^m·h): constant for Laplace, falling by a constant factor for Gauss.
        let (mut ratio, change) = match self.law {
            Law::Laplace(_) => (exp_minus(&(p << self.shift), &q, inner), None),
            Law::Gaussian(_) => {
                let square = p << (2 * self.shift);
                (exp_minus(&square, &q, inner), Some(exp_minus(&(square * 2u32), &q, inner)))
            }
        };
        let (mut weight, mut total) = (one.clone(), one.clone());
        let mut sums = vec![one];
        while weight.hi.bits() > 64 + 8 {
            weight = weight.times(&ratio);
            if let Some(change) = &change {
                ratio = ratio.times(change);
            }
            total.add(&weight);
            // Both signs of x, but one zero.
            if self.shift == 0 {
                total.add(&weight);
            }
            sums.push(total.clone());
        }
        // By the choice of m the ratio is at most exp(−1/32) here, so the rest is below 33 times the last term.
        total.hi += &weight.hi * 128u32;
        let scaling = total.reciprocal();
        sums.into_iter().map(|sum| sum.times(&scaling).at_most_one()).collect()
    }
}

/// The first digits of each sum, up to the first with nothing but ones; none if an interval leaves one open.
fn first_digits(sums: &[Bounds], digits: u64) -> Option<Vec<u64>> {
    let top = (1 << digits) - 1;
    let mut firsts = Vec::new();
    for sum in sums {
        let cut = sum.bits - digits;
        let (lo, hi) = (shifted(&sum.lo, cut)?, shifted(&sum.hi, cut)?);
        firsts.push(lo);
        if lo == top {
            return Some(firsts);
        }
        if lo != hi {
            return None;
        }
    }
    None
}

/// ⌊x/2^places⌋ where that fits a word, without a copy of x.
fn shifted(x: &BigUint, places: u64) -> Option<u64> {
    let mut words = x.iter_u64_digits().skip((places / 64) as usize);
    let (low, high) = (words.next().unwrap_or(0), words.next().unwrap_or(0));
    let word = (u128::from(high) << 64 | u128::from(low)) >> (places % 64);
    if words.any(|word| word > 0) { None } else { u64::try_from(word).ok() }
}

/// The block that holds the number, by more digits of it and of the partial sums, however many it takes.
#[cold]
fn resolve(blocks: &Blocks, mut number: Digits, generator: &mut Generator) -> u64 {
    loop {
        number.extend(generator);
        let sums = blocks.partial_sums(number.bits() + 64);
        // The sums ascend: the number is in the first block whose sum exceeds it, if all before are below for sure.
        for (block, sum) in sums.iter().enumerate() {
            match number.compare(sum) {
                Some(true) => return block as u64,
                Some(false) => {}
                None => break,
            }
        }
    }
}

impl Rate {
    fn of(blocks: &Blocks) -> Self {
        let (p, q) = blocks.rate();
        // 2^places·p/q has 64 or 65 bits for the first guess, and then 64.
        let mut places = 65 + q.bits() - p.bits().min(q.bits() + 65);
        loop {
            let scaled = (&p << places) / &q;
            if let Some(mantissa) = scaled.to_u64() {
                return Self { mantissa, places };
            }
            places -= 1;
        }
    }

    /// rate·excess between two multiples of 2⁻⁶⁴. Precondition: the scale is at least 16, so the rate below 1/16.
    #[inline]
    fn times(self, excess: u128) -> Gamma {
        let spare = (64 - excess.leading_zeros().min(64)) as u64;
        let head = (excess >> spare) as u64;
        let lo = u128::from(self.mantissa) * u128::from(head);
        let cut = if spare == 0 { 0 } else { u128::from(self.mantissa) + 1 };
        let hi = lo.saturating_add(u128::from(head) + cut);
        match (self.places).checked_sub(64 + spare) {
            Some(shift @ 0..=127) => Gamma { lo: lo >> shift, hi: (hi >> shift) + 1 },
            Some(_) => Gamma { lo: 0, hi: 1 },
            // γ is beyond 2⁶³ here, where exp(−γ) has no digit left.
            None => Gamma { lo: u128::MAX, hi: u128::MAX },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scale;
    use super::*;
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use proptest::prelude::*;

    fn laws(p: u64, q: u64) -> [Law; 2] {
        let spread = BigRational::new(BigInt::from(p), BigInt::from(q));
        let scale = |x: &BigRational| Scale::at_least(x).expect("within the limits");
        [Law::laplace(scale(&spread)), Law::gaussian(scale(&(&spread * &spread)))]
            .map(|law| law.expect("within the limits"))
    }

    /// Below a spread of 32 blocks are magnitudes, whose distribution is known.
    #[test]
    fn sums_are_the_distribution_function() {
        for law in [(1, 1000), (1, 2), (1, 1), (7, 3), (31, 1)].into_iter().flat_map(|(p, q)| laws(p, q)) {
            let table = Table::new(law).expect("within reach");
            assert_eq!(table.blocks.shift, 0);
            for (k, sum) in (0..).zip(&table.sums) {
                let (ours, theirs) = (*sum as f64 / (1u64 << 63) as f64, 1.0 - law.tail(k));
                assert!((ours - theirs).abs() < 1e-14, "{law:?} at {k}: {ours} for {theirs}");
            }
        }
    }

    /// How many draws pay for a table is told from its length, without making it.
    #[test]
    fn lengths_are_foreseen() {
        for law in [(1, 1), (7, 3), (31, 1), (100, 3), (12_345, 7), (1 << 40, 3)]
            .into_iter()
            .flat_map(|(p, q)| laws(p, q))
        {
            let (foreseen, found) = (Table::entries(law), Table::new(law).expect("within reach").sums.len());
            assert!((found / 2..=found * 3).contains(&foreseen), "{law:?}: {found}, not {foreseen}");
        }
    }

    /// The digits do not depend on how far they were computed, and ascend to the top.
    #[test]
    fn digits_are_certain() {
        for law in [(1, 3), (100, 3), (10_000, 1)].into_iter().flat_map(|(p, q)| laws(p, q)) {
            let table = Table::new(law).expect("within reach");
            let further = first_digits(&table.blocks.partial_sums(400), DIGITS).expect("400 places suffice");
            assert_eq!(table.sums, further);
            assert!(table.sums.is_sorted() && table.sums.ends_with(&[(1 << 63) - 1]));
        }
    }

    proptest! {
        #[test]
        fn words_of_shifted_numbers(words: [u32; 7], used in 0usize..8, places in 0u64..300) {
            let x = BigUint::new(words[..used.min(7)].to_vec());
            prop_assert_eq!(shifted(&x, places), (&x >> places).to_u64());
        }
    }

    /// The word that decides for certain decides as all digits do.
    #[test]
    fn the_guide_leads_to_the_block() {
        let [law, _] = laws(100, 3);
        let table = Table::new(law).expect("within reach");
        let mut stream = Generator::new(&mut crate::random::Keys::new(Ones)).expect("the key is not zero");
        for digits in (0..1u64 << 63).step_by((1 << 63) / 4999) {
            let expected = table.sums.partition_point(|sum| *sum <= digits) as u64;
            assert_eq!(table.block(digits, &mut stream), expected);
        }
        // On a sum itself the next digits tell: about as often below as above.
        let on = table.sums[3];
        let blocks: Vec<u64> = (0..200).map(|_| table.block(on, &mut stream)).collect();
        assert!(
            blocks.contains(&3) && blocks.contains(&4) && blocks.iter().all(|block| [3, 4].contains(block))
        );
    }

    struct Ones;

    impl crate::random::Entropy for Ones {
        fn fill(&mut self, bytes: &mut [u8]) -> marginalia_tables::error::Result<()> {
            bytes.fill(1);
            Ok(())
        }
    }

    proptest! {
        /// The exponent of the acceptance step lies within its bounds, which are close.
        #[test]
        fn exponents_are_enclosed(p in 1u64.., q in 1u64.., cut in 0u32..60, block: u16, low: u64) {
            let q = (q >> cut).max(1);
            prop_assume!(p / q >= 32);
            for law in laws(p.min(q.saturating_mul(1 << 44)), q) {
                let table = Table::new(law);
                prop_assume!(table.is_some());
                let Table { blocks, rate, .. } = table.expect("just seen");
                let excess = blocks.excess(block.into(), low & ((1 << blocks.shift) - 1));
                let (numerator, denominator) = blocks.rate();
                let exact = ((numerator * excess) << 64u32, denominator);
                let gamma = rate.times(excess);
                prop_assert!(BigUint::from(gamma.lo) * &exact.1 <= exact.0);
                prop_assert!(BigUint::from(gamma.hi) * &exact.1 >= exact.0);
                prop_assert!(gamma.hi - gamma.lo <= 2 + (gamma.lo >> 60));
            }
        }
    }
}
