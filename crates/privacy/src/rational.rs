//! Exact amounts. Budgets, scales and costs are ratios of integers, so that three charges of 0.1 fit 0.3.

use marginalia_tables::{Code, Error, Result};
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use num_traits::{Pow, Signed, ToPrimitive, Zero};

/// An exact amount, in lowest terms.
pub type Ratio = BigRational;

/// A limit keeps hostile texts cheap.
const LONGEST: usize = 1 << 13;
/// Places after the point that sums of costs are rounded to once they are long.
const PLACES: u32 = 80;
/// Exponents that a double could have, with room.
const WIDEST: i64 = 400;
/// Digits up to which an amount is shown exactly, and to which others are rounded.
const SHOWN: i64 = 12;
const ROUNDED: i64 = 6;

/// The ratio that a text stands for: `"p/q"`, `"p"`, or a decimal such as `"0.1"` or `"1e-9"`, which is exact.
pub fn parse(text: &str) -> Result<Ratio> {
    let found = match text.split_once('/') {
        _ if text.len() > LONGEST => None,
        Some((p, q)) => {
            integer(p).zip(natural(q)).filter(|(_, q)| !q.is_zero()).map(|(p, q)| Ratio::new(p, q))
        }
        None => decimal(text),
    };
    found.ok_or_else(|| invalid("an amount is a decimal such as \"0.1\" or a ratio such as \"1/10\""))
}

/// The ratio that a decimal such as `"0.1"` or `"1e-9"` stands for.
pub fn parse_decimal(text: &str) -> Result<Ratio> {
    let found = if text.len() > LONGEST { None } else { decimal(text) };
    found.ok_or_else(|| invalid("an amount is a decimal such as \"0.1\" or \"1e-9\""))
}

/// A double means its shortest decimal, as it does in JavaScript: 0.1 is 1/10.
pub fn from_double(value: f64) -> Result<Ratio> {
    if value.is_finite() { parse_decimal(&format!("{value}")) } else { Err(invalid("an amount is finite")) }
}

/// The one text of an amount that formats and ledgers hold: `"p"` or `"p/q"` in lowest terms.
pub fn text(value: &Ratio) -> String {
    value.to_string()
}

/// An amount for people: exact where twelve digits suffice, otherwise six digits, rounded up or down.
pub fn show(value: &Ratio, up: bool) -> String {
    if value.is_negative() {
        return format!("-{}", show(&-value, !up));
    }
    if value.is_zero() {
        return "0".into();
    }
    let exponent = magnitude(value);
    let scaled = |digits: i64| value * power_of_ten(digits - 1 - exponent);
    let exact = scaled(SHOWN);
    let (whole, digits) = match (exact.is_integer(), up) {
        (true, _) => (exact, SHOWN),
        (_, true) => (scaled(ROUNDED).ceil(), ROUNDED),
        (_, false) => (scaled(ROUNDED).floor(), ROUNDED),
    };
    let all = whole.to_integer().to_string();
    // Rounding up may have carried into one more digit.
    let exponent = exponent + all.len() as i64 - digits;
    layout(all.trim_end_matches('0'), exponent)
}

/// An amount that must be positive, or the error that says so.
pub fn positive(value: &Ratio, name: &str) -> Result<()> {
    if value.is_positive() { Ok(()) } else { Err(invalid(&format!("{name} must be greater than zero"))) }
}

/// The sum of two costs: exact where its denominator is at most 10⁸⁰, otherwise the least multiple of 10⁻⁸⁰ above it. So
/// sums never grow long, however many costs are odd, and are never too small. Scales are rounded so much more coarsely
/// ([`Scale::at_least`](crate::sampler::Scale::at_least): what is lost of a price is about 2⁻¹⁹² or more) that shares of a
/// budget still fit it together.
#[inline(never)]
pub fn plus(one: &Ratio, two: &Ratio) -> Ratio {
    let sum = one + two;
    let grid = BigInt::from(10).pow(PLACES);
    if *sum.denom() <= grid { sum } else { (sum * &grid).ceil() / grid }
}

/// `BUDGET_INVALID` with a message.
pub(crate) fn invalid(message: &str) -> Error {
    Error::new(Code::BudgetInvalid, message)
}

fn decimal(text: &str) -> Option<Ratio> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    natural(fraction)?;
    let digits = integer(&format!("{whole}{fraction}"))?;
    natural(whole.strip_prefix('-').unwrap_or(whole))?;
    if exponent.abs() > WIDEST {
        return None;
    }
    Some(Ratio::from(digits) * power_of_ten(exponent - i64::try_from(fraction.len()).ok()?))
}

/// Digits only: the parser of big integers would also take signs and underscores.
fn natural(text: &str) -> Option<BigInt> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if plain { BigInt::parse_bytes(text.as_bytes(), 10) } else { None }
}

fn integer(text: &str) -> Option<BigInt> {
    match text.strip_prefix('-') {
        Some(rest) => natural(rest).map(|value| -value),
        None => natural(text),
    }
}

fn power_of_ten(exponent: i64) -> Ratio {
    let power = Ratio::from(BigInt::from(10).pow(exponent.unsigned_abs()));
    if exponent < 0 { power.recip() } else { power }
}

/// The decimal exponent of the first digit of a positive amount.
fn magnitude(value: &Ratio) -> i64 {
    let bits = |n: &BigInt| n.bits().to_i64().unwrap_or(i64::MAX);
    // 0.30103 underestimates log10(2) by less than one digit in any number that fits a memory; the loops mend it.
    let mut exponent = (bits(value.numer()) - bits(value.denom())) * 30103 / 100_000;
    while *value < power_of_ten(exponent) {
        exponent -= 1;
    }
    while *value >= power_of_ten(exponent + 1) {
        exponent += 1;
    }
    exponent
}

/// Significant digits with the point where it belongs; very large and very small ones with an exponent.
fn layout(digits: &str, exponent: i64) -> String {
    let length = digits.len() as i64;
    let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or(0));
    if !(-7..15).contains(&exponent) {
        let (first, rest) = digits.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        format!("{first}{point}{rest}e{exponent}")
    } else if exponent < 0 {
        format!("0.{}{digits}", zeros(-exponent - 1))
    } else if length <= exponent + 1 {
        format!("{digits}{}", zeros(exponent + 1 - length))
    } else {
        let (whole, fraction) = digits.split_at(usize::try_from(exponent + 1).unwrap_or(0));
        format!("{whole}.{fraction}")
    }
}

/// The largest double not above a positive amount, or with `up` the smallest not below it, for amounts within
/// the normal range; others give 0 or infinity.
pub(crate) fn double(value: &Ratio, up: bool) -> f64 {
    let bits = |n: &BigInt| i64::try_from(n.bits()).unwrap_or(i64::MAX / 4);
    let order = bits(value.numer()) - bits(value.denom());
    if value.numer().sign() != Sign::Plus || order < -1000 {
        return if up && value.is_positive() { 1e-300 } else { 0.0 };
    }
    if order > 1000 {
        return if up { f64::INFINITY } else { 1e300 };
    }
    // 2^52 ≤ value·2^shift < 2^54: one bit too many at most.
    let mut shift = 53 - order;
    let mut scaled = value * power_of_two(shift);
    if bits(&scaled.to_integer()) > 53 {
        shift -= 1;
        scaled /= BigInt::from(2);
    }
    let whole = if up { scaled.ceil() } else { scaled.floor() };
    let mut double = whole.to_integer().to_f64().unwrap_or(f64::INFINITY);
    for _ in 0..shift.abs() {
        double *= if shift > 0 { 0.5 } else { 2.0 };
    }
    double
}

fn power_of_two(exponent: i64) -> Ratio {
    let power = Ratio::from(BigInt::from(1) << exponent.unsigned_abs());
    if exponent < 0 { power.recip() } else { power }
}
