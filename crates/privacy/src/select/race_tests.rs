//! The three ways to decide agree wherever the cheaper ones dare to.

use super::bits::Bits;
use super::noise::Noise;
use super::race::{Candidate, Race, Rate};
use super::steps::Steps;
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

/// A fixed word again and again.
struct Same(u64);

impl Bits for Same {
    fn next_u64(&mut self) -> u64 {
        self.0
    }
}

/// 1, 2, 3, …
struct Counter(u64);

impl Bits for Counter {
    fn next_u64(&mut self) -> u64 {
        self.0 += 1;
        self.0
    }
}

fn rate(p: u64, q: u64) -> Rate {
    Rate::new(BigRational::new(BigInt::from(p), BigInt::from(q))).expect("it is in range")
}

fn candidate(noise: Noise, score: i64, weight: f64, digits: (u16, u64)) -> Candidate {
    let mut candidate = Candidate::begun(0, (score, weight), digits.0);
    candidate.refine(noise, &mut Same(digits.1));
    candidate
}

fn noises() -> impl Strategy<Value = Noise> {
    prop_oneof![Just(Noise::Gumbel), Just(Noise::Exponential)]
}

/// Weights over the whole range of binary64, those near 1 more often.
fn weights() -> impl Strategy<Value = f64> {
    let wide = (1u64 << 52..0x7ff0_0000_0000_0000).prop_map(f64::from_bits);
    prop_oneof![3 => Just(1.0), 2 => 0.01f64..100.0, 1 => wide]
}

/// Digits of U, with many leading zeros or ones as often as not.
fn digits() -> impl Strategy<Value = (u16, u64)> {
    (any::<u16>(), any::<u64>(), 0u32..17, any::<bool>()).prop_map(|(head, tail, run, ones)| {
        let head = head.checked_shr(run).unwrap_or(0);
        if ones { (!head, tail) } else { (head, tail) }
    })
}

/// (score − best's score, p, q): differences of a few units of 1/t, and extreme ones.
fn gaps() -> impl Strategy<Value = (i64, u64, u64)> {
    let near =
        (-60i64..60, 1u64..100, 1u64..100).prop_map(|(units, p, q)| (units * q as i64 / p as i64, p, q));
    prop_oneof![4 => near, 1 => (-(1i64 << 62)..1 << 62, 1u64.., 1u64..)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn passing_over_is_never_wrong(
        noise in noises(), (d, p, q) in gaps(), w in weights(), v in weights(), mine in digits(), best in digits(),
    ) {
        let race = Race::new(noise, rate(p, q));
        let (low, high) = (d.min(0), (-d).min(0));
        let best = candidate(noise, high, v, best);
        if !best.may_lose(race.near_rate(), low - high, w, mine.0) {
            for tail in [mine.1, 1, u64::MAX] {
                let mine = candidate(noise, low, w, (mine.0, tail));
                prop_assert_eq!(race.decide_within(&mine, &best).unwrap_or(false), false);
            }
        }
    }

    /// The integers by which most are passed over pass over nobody who may win, and most of those who may not.
    #[test]
    fn bars_hold_back_nobody_who_may_win(
        noise in noises(), (d, p, q) in gaps(), v in weights(), head: u16, run in 0u32..17, best in digits(),
    ) {
        let race = Race::new(noise, rate(p, q));
        let head = head.checked_shr(run).unwrap_or(0);
        let (low, high) = (d.min(0), (-d).min(0));
        let best = candidate(noise, high, v, best);
        let bar = best.bars(race.near_rate())[head.leading_zeros() as usize];
        if best.may_lose(race.near_rate(), low - high, 1.0, head) {
            prop_assert!(low >= bar);
        }
        let under = bar.saturating_sub(1).max(-(1 << 62));
        prop_assert!(under < -(1 << 61) || !best.may_lose(race.near_rate(), under - high, 1.0, head));
    }

    #[test]
    fn near_decisions_are_exact(
        noise in noises(), (d, p, q) in gaps(), w in weights(), v in weights(), mine in digits(), best in digits(),
    ) {
        let race = Race::new(noise, rate(p, q));
        let mine = candidate(noise, d.min(0), w, mine);
        let best = candidate(noise, (-d).min(0), v, best);
        if let (Some(near), Some(exact)) = (race.decide_near(&mine, &best), race.decide_within(&mine, &best)) {
            prop_assert_eq!(near, exact);
        }
    }

    /// What the table decides by heads alone, every continuation decides alike.
    #[test]
    fn heads_decide_as_all_digits_do(
        noise in noises(), (d, p, q) in gaps(), w in weights(), v in weights(), mine in digits(), best in digits(),
    ) {
        let (race, steps) = (Race::new(noise, rate(p, q)), Steps::new(noise));
        let (low, high) = (d.min(0), (-d).min(0));
        let begun = |score, weight, head| Candidate::begun(0, (score, weight), head).stepped(&steps);
        let (one, other) = (begun(low, w, mine.0), begun(high, v, best.0));
        let fine = [candidate(noise, low, w, mine), candidate(noise, high, v, best)];
        for (one, other) in [(&one, &other), (&one, &fine[1]), (&fine[0], &other)] {
            if let Some(decided) = race.decide_near(one, other) {
                prop_assert_eq!(race.decide_within(&fine[0], &fine[1]).unwrap_or(decided), decided);
            }
        }
    }

    #[test]
    fn near_rates_are_near(p in 1u128.., q in 1u128..) {
        let exact = BigRational::new(BigInt::from(p), BigInt::from(q));
        let near = Rate::new(exact.clone()).expect("it is in range").near();
        let near = BigRational::from_float(near).expect("it is finite");
        let off = (near / exact - BigRational::from_integer(1.into())) * BigInt::from(1u64 << 50);
        prop_assert!(off.numer().magnitude() <= off.denom().magnitude());
    }
}

/// Candidates whose Z differ by less than binary64 can see: decided by intervals, and the right way round.
#[test]
fn what_binary64_cannot_tell_is_decided_exactly() {
    for noise in [Noise::Gumbel, Noise::Exponential] {
        let race = Race::new(noise, rate(1, 1));
        let same = (0x1234, 0x5678_9abc_def0_1234);
        let heavier = f64::from_bits(1.5f64.to_bits() + 1);
        let (mut new, mut best) = (candidate(noise, 7, heavier, same), candidate(noise, 7, 1.5, same));
        assert_eq!(race.decide_near(&new, &best), None);
        assert_eq!(race.decide(&mut new, &mut best, &mut Counter(0)), Ok(true));
        assert_eq!(race.decide(&mut best, &mut new, &mut Counter(0)), Ok(false));

        let tiny = Race::new(noise, rate(1, 1 << 60));
        let (mut new, mut best) = (candidate(noise, 8, 1.0, same), candidate(noise, 7, 1.0, same));
        assert_eq!(tiny.decide_near(&new, &best), None);
        assert_eq!(tiny.decide(&mut new, &mut best, &mut Counter(0)), Ok(true));
    }
}

/// exp(−1430) is 0 in binary64. A candidate that far below wins all the same if its U is below 2⁻²⁰⁶⁴, and loses
/// when it is one more below: U = 2⁻²⁰⁶⁵ has −ln U = 1431.35, U = 1/2 has a noise of 0.69 or 0.37.
#[test]
fn nothing_underflows() {
    for noise in [Noise::Gumbel, Noise::Exponential] {
        let race = Race::new(noise, rate(1, 2));
        for (score, wins) in [(-2_861, true), (-2_862, false)] {
            let mut new = candidate(noise, score, 1.0, (0, 0));
            new.extend_to(32, noise, &mut Same(0)).expect("it is within the limit");
            new.extend_to(33, noise, &mut Same(1 << 63)).expect("it is within the limit");
            let mut best = candidate(noise, 0, 1.0, (0x8000, 0));
            assert_eq!(race.decide_near(&new, &best), None);
            assert_eq!(race.decide(&mut new, &mut best, &mut Same(1)), Ok(wins));
        }
    }
}

/// With the same score and the same 80 digits, later digits decide: the smaller U has the larger noise.
#[test]
fn later_digits_break_ties() {
    for noise in [Noise::Gumbel, Noise::Exponential] {
        let race = Race::new(noise, rate(1, 3));
        let same = (0x1234, 0x5678_9abc_def0_1234);
        let (mut new, mut best) = (candidate(noise, -3, 1.0, same), candidate(noise, -3, 1.0, same));
        assert_eq!(race.decide_within(&new, &best), None);
        // The best so far draws its word first, so it has the smaller one.
        assert_eq!(race.decide(&mut new, &mut best, &mut Counter(1 << 60)), Ok(false));
    }
}

#[test]
fn rates_beyond_use_are_refused() {
    let huge = BigInt::from(1) << 201u32;
    for (p, q) in
        [(BigInt::from(0), 1.into()), ((-1).into(), 1.into()), (huge.clone(), 1.into()), (1.into(), huge)]
    {
        assert!(Rate::new(BigRational::new(p, q)).is_err());
    }
}
