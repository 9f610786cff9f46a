//! Decimal texts, read exactly.

/// A text of the form `[+-] digits [point digits] [e [+-] digits]`, with a digit on one side of the point at
/// least. Nothing else is a number here: no `inf`, no `NaN`, no thousands separators, no hexadecimals.
pub(super) struct Decimal<'a> {
    text: &'a [u8],
    point: u8,
    negative: bool,
    /// The digits, or the first [`MAX_DIGITS`] significant ones.
    mantissa: u64,
    /// The power of ten of the last digit of the mantissa.
    exponent: i64,
    /// The power of ten of the last digit that is not zero, where such digits are not in the mantissa.
    dropped: Option<i64>,
}

/// As many digits as always fit in a u64.
const MAX_DIGITS: usize = 19;
/// Beyond this an exponent says no more: texts are far shorter, so the value is zero or infinite.
const MAX_EXPONENT: i64 = 1 << 40;

/// Powers of ten that a double holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

impl<'a> Decimal<'a> {
    /// Reads all of a text, or nothing.
    #[inline]
    pub fn parse(text: &'a [u8], point: u8) -> Option<Self> {
        let (negative, unsigned) = match text.split_first()? {
            (b'-', rest) => (true, rest),
            (b'+', rest) => (false, rest),
            _ => (false, text),
        };
        let (mut mantissa, length) = append(0, unsigned);
        let (whole, mut rest) = unsigned.split_at(length);
        let mut fraction: &[u8] = &[];
        if let Some((first, tail)) = rest.split_first()
            && *first == point
        {
            let length;
            (mantissa, length) = append(mantissa, tail);
            (fraction, rest) = tail.split_at(length);
        }
        let count = whole.len() + fraction.len();
        if count == 0 {
            return None;
        }
        let shift = if rest.is_empty() { 0 } else { power_of_ten(rest)? };
        let (mantissa, exponent, dropped) = if count <= MAX_DIGITS {
            (mantissa, -(fraction.len() as i64), None)
        } else {
            significant(whole, fraction)
        };
        let dropped = dropped.map(|lowest| lowest + shift);
        Some(Self { text, point, negative, mantissa, exponent: exponent + shift, dropped })
    }

    /// The number, when it is whole; beyond the range of i64, the nearest end of it.
    pub fn whole(&self) -> Option<i64> {
        if self.mantissa == 0 {
            return Some(0);
        }
        if self.dropped.is_some_and(|lowest| lowest < 0) {
            return None;
        }
        let power = 10u128.checked_pow(u32::try_from(self.exponent.unsigned_abs()).unwrap_or(u32::MAX));
        let mantissa = u128::from(self.mantissa);
        let size = if self.exponent >= 0 {
            power.and_then(|power| mantissa.checked_mul(power)).unwrap_or(u128::MAX)
        } else {
            power.filter(|power| mantissa.is_multiple_of(*power)).map(|power| mantissa / power)?
        };
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        Some(if self.negative { -size } else { size })
    }

    /// The nearest double, never a negative zero.
    ///
    /// A mantissa up to 2⁵³ and a power of ten up to 10²² are doubles themselves, so that one multiplication or
    /// division rounds correctly (Clinger, "How to read floating point numbers accurately", 1990).
    pub fn value(&self) -> f64 {
        let power = POWERS.get(self.exponent.unsigned_abs() as usize);
        let size = match power {
            _ if self.mantissa == 0 => return 0.0,
            Some(power) if self.dropped.is_none() && self.mantissa <= 1 << 53 => {
                let mantissa = self.mantissa as f64;
                if self.exponent < 0 { mantissa / power } else { mantissa * power }
            }
            _ => return self.value_by_the_book() + 0.0,
        };
        if self.negative { -size } else { size }
    }

    fn value_by_the_book(&self) -> f64 {
        let text = String::from_utf8_lossy(self.text).replace(char::from(self.point), ".");
        text.parse().unwrap_or(f64::NAN)
    }
}

/// Appends the digits that a text begins with to a number, modulo 2⁶⁴, and counts them.
#[inline]
fn append(mut number: u64, text: &[u8]) -> (u64, usize) {
    for (i, byte) in text.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return (number, i);
        }
        number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
    }
    (number, text.len())
}

/// The first significant digits, the power of ten of the last of them, and that of the last digit beyond them
/// that is not zero.
fn significant(whole: &[u8], fraction: &[u8]) -> (u64, i64, Option<i64>) {
    let (mut mantissa, mut kept, mut exponent, mut dropped) = (0u64, 0, 0, None);
    for (digit, power) in
        whole.iter().chain(fraction).zip((-(fraction.len() as i64)..whole.len() as i64).rev())
    {
        if kept < MAX_DIGITS && (kept > 0 || *digit > b'0') {
            (mantissa, kept, exponent) = (10 * mantissa + u64::from(digit - b'0'), kept + 1, power);
        } else if *digit > b'0' {
            dropped = Some(power);
        }
    }
    (mantissa, exponent, dropped)
}

/// What follows the digits: `e` and a whole number.
fn power_of_ten(text: &[u8]) -> Option<i64> {
    let Some((b'e' | b'E', rest)) = text.split_first() else { return None };
    let (negative, digits) = match rest.split_first()? {
        (b'-', digits) => (true, digits),
        (b'+', digits) => (false, digits),
        _ => (false, rest),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let size = digits.iter().fold(0, |n: i64, d| (n * 10 + i64::from(d - b'0')).min(MAX_EXPONENT));
    Some(if negative { -size } else { size })
}

/// The shortest decimal text that reads as this number, as JavaScript writes it; zero has no sign.
pub(super) fn shortest(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".into()
    } else if x.is_infinite() {
        if x > 0.0 { "Infinity".into() } else { "-Infinity".into() }
    } else if (1e-6..1e21).contains(&size) {
        format!("{x}")
    } else {
        let text = format!("{x:e}");
        if size < 1.0 { text } else { text.replace('e', "e+") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn value(text: &str) -> Option<f64> {
        Decimal::parse(text.as_bytes(), b'.').map(|d| d.value())
    }

    fn whole(text: &str) -> Option<i64> {
        Decimal::parse(text.as_bytes(), b'.').and_then(|d| d.whole())
    }

    #[test]
    fn whole_numbers_are_exact_however_they_are_written() {
        for (text, expected) in [
            ("35", 35),
            ("+3", 3),
            ("-3", -3),
            ("-0", 0),
            ("35.0", 35),
            ("1e3", 1000),
            ("1.5E+1", 15),
            ("3500e-2", 35),
            ("0.0035e4", 35),
            ("9007199254740993.0", 9_007_199_254_740_993),
            ("35.00000000000000000000000000", 35),
            ("00000000000000000000000035", 35),
            ("100000000000000000000000e-21", 100),
            ("123456789012345678901234567890", i64::MAX),
            ("-1e999999999999999999999", -i64::MAX),
            ("0e999999999999999999999", 0),
        ] {
            assert_eq!(whole(text), Some(expected), "{text}");
        }
        for text in ["35.5", "9007199254740992.5", "1e-1", "10000000000000000000000.5", "0.1e-99999999999"] {
            assert_eq!(whole(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_no_decimal_is_refused() {
        for text in [
            "", "+", "-", ".", "e3", ".e3", "1e", "1e+", "1,5", "0x1", "NaN", "inf", "Infinity", "1 ",
            "1.2.3", "--1",
        ] {
            assert!(value(text).is_none(), "{text}");
        }
        assert_eq!(value(".5"), Some(0.5));
        assert_eq!(value("5."), Some(5.0));
        assert_eq!(Decimal::parse(b"1,5", b',').map(|d| d.value()), Some(1.5));
        assert_eq!(
            Decimal::parse(b"123456789012345670,00e-3", b',').map(|d| d.value()),
            Some(123_456_789_012_345.67)
        );
        assert!(Decimal::parse(b"1.5", b',').is_none());
        assert_eq!(value("1e999"), Some(f64::INFINITY));
        assert_eq!(value("-1e-999").map(f64::to_bits), Some(0));
        assert_eq!(value("-0.0").map(f64::to_bits), Some(0));
    }

    #[test]
    fn shortest_texts_are_those_of_javascript() {
        for (x, text) in
            [(35.0, "35"), (-0.0, "0"), (0.1, "0.1"), (1e21, "1e+21"), (-1e20, "-100000000000000000000")]
        {
            assert_eq!(shortest(x), text);
        }
        assert_eq!(shortest(1.5e-7), "1.5e-7");
        assert_eq!(shortest(1e-6), "0.000001");
    }

    proptest! {
        #[test]
        fn values_are_those_of_the_standard_library(
            sign in "[+-]?", head in "[0-9]{1,25}", tail in "(\\.[0-9]{0,25})?", power in "(e[+-]?[0-9]{1,3})?"
        ) {
            let text = format!("{sign}{head}{tail}{power}");
            prop_assert_eq!(value(&text), Some(text.parse::<f64>().unwrap()));
        }

        #[test]
        fn shortest_texts_read_back(bits in any::<u64>()) {
            let x = f64::from_bits(bits);
            prop_assume!(x.is_finite());
            prop_assert_eq!(value(&shortest(x)), Some(x));
        }
    }
}
