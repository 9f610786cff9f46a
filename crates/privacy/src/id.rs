//! Which ids of units are one.
//!
//! Texts are compared byte by byte, after the format of the file has been decoded: quotes are taken off, escapes resolved,
//! characters brought into UTF-8. Spaces count. What is a number by the grammar of JSON (RFC 8259, section 6) is
//! compared as that number, whether it stood in quotes or not: `7`, `7.0`, `70e-1` and `"7"` are one id, `007`,
//! `+7` and ` 7` are texts. Two ids that are taken for one can only have fewer rows kept; one that is taken for two, more.

/// The digits of an exponent that is read as one. Beyond, a text is an id as it stands.
const POWER_DIGITS: usize = 18;

/// The same text for all ways to write a number, exactly, and any other text as it is. The fraction of a number begins
/// with `point`.
///
/// That text is the significant digits, and the power of ten of the last of them where it is not 1. Most ids are whole
/// and do not end with a zero: they stand already so.
pub(crate) fn canonical<'a>(text: &'a [u8], point: u8, scratch: &'a mut Vec<u8>) -> &'a [u8] {
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let Some(Number { whole, fraction, power }) = Number::of(unsigned, point) else { return text };
    if whole.len() == unsigned.len() && whole.last() != Some(&b'0') {
        return text;
    }
    let digits = || whole.iter().chain(fraction);
    let leading = digits().take_while(|digit| **digit == b'0').count();
    let count = whole.len() + fraction.len();
    if leading == count {
        return b"0";
    }
    let trailing = digits().rev().take_while(|digit| **digit == b'0').count();
    scratch.clear();
    scratch.extend_from_slice(&text[..text.len() - unsigned.len()]);
    scratch.extend(digits().skip(leading).take(count - leading - trailing));
    let power = power + trailing as i64 - fraction.len() as i64;
    if power != 0 {
        scratch.extend_from_slice(format!("e{power}").as_bytes());
    }
    scratch
}

/// `whole` digits, those after the point, and the power of ten that they are multiplied by.
struct Number<'a> {
    whole: &'a [u8],
    fraction: &'a [u8],
    power: i64,
}

impl<'a> Number<'a> {
    #[inline]
    fn of(text: &'a [u8], point: u8) -> Option<Self> {
        let (whole, mut rest) = digits(text);
        if whole.is_empty() || whole[0] == b'0' && whole.len() > 1 {
            return None;
        }
        let mut fraction: &[u8] = &[];
        if rest.first() == Some(&point) {
            (fraction, rest) = digits(&rest[1..]);
            if fraction.is_empty() {
                return None;
            }
        }
        let power = if rest.is_empty() { 0 } else { power(rest)? };
        Some(Self { whole, fraction, power })
    }
}

/// The digits that a text begins with, and what follows.
fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().take_while(|byte| byte.is_ascii_digit()).count())
}

fn power(text: &[u8]) -> Option<i64> {
    let [b'e' | b'E', signed @ ..] = text else { return None };
    let unsigned = signed.strip_prefix(b"-").or(signed.strip_prefix(b"+")).unwrap_or(signed);
    let (all, []) = digits(unsigned) else { return None };
    let significant = &all[all.iter().take_while(|digit| **digit == b'0').count()..];
    if all.is_empty() || significant.len() > POWER_DIGITS {
        return None;
    }
    let size = significant.iter().fold(0, |size, digit| 10 * size + i64::from(digit - b'0'));
    Some(if signed[0] == b'-' { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;
    use num_rational::BigRational;
    use proptest::prelude::*;

    fn id(text: &str) -> String {
        let mut scratch = b"of another".to_vec();
        String::from_utf8(canonical(text.as_bytes(), b'.', &mut scratch).to_vec()).expect("it is a text")
    }

    #[test]
    fn a_number_is_one_id_however_it_is_written() {
        for (one, ways) in [
            ("1", &["1.0", "1e0", "1E-0", "10e-1", "0.1e1", "0.001e+3", "1.000000000000000000000000000"][..]),
            ("0", &["-0", "0.0", "-0.000e7", "0e999999999999999999"]),
            ("1e21", &["1e+21", "1000000000000000000000", "1E0021", "1000000000000000000000.0"]),
            ("-75e-1", &["-7.5", "-7.50", "-0.75e1"]),
            (
                "12345678901234567890123456789",
                &["12345678901234567890123456789.0", "12345678901234567890123456.789e3"],
            ),
            ("1e999999999999999999", &["10e999999999999999998", "1E+00999999999999999999"]),
        ] {
            assert_eq!(id(one), one);
            for way in ways {
                assert_eq!(id(way), one, "{way}");
            }
        }
        assert_ne!(id("12345678901234567890123456788.0"), id("12345678901234567890123456789"));
        assert_ne!(id("-1"), id("1.0"));
    }

    #[test]
    fn what_is_no_number_of_json_stays_as_it_is() {
        let texts = [
            "",
            "007",
            "-007",
            "00",
            "+7",
            " 7",
            "7 ",
            ".5",
            "5.",
            "1e",
            "1e+",
            "-",
            "--1",
            "1,5",
            "0x1",
            "1_000",
            "NaN",
            "Infinity",
            "a7",
            "7a",
            "1.2.3",
            "1e5e5",
            "true",
            "é",
            "1e1000000000000000000",
            "10e-9999999999999999999",
            "١",
        ];
        for text in texts {
            assert_eq!(id(text), text);
        }
    }

    #[test]
    fn where_the_comma_is_the_point_the_point_is_none() {
        let id = |text: &str| canonical(text.as_bytes(), b',', &mut Vec::new()).to_vec();
        assert_eq!((id("7,0"), id("7.0"), id("1,5e1")), (b"7".to_vec(), b"7.0".to_vec(), b"15".to_vec()));
    }

    /// The value of a number by JSON's grammar.
    fn value(text: &str) -> BigRational {
        let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: BigInt = format!("{whole}{fraction}").parse().expect("they are digits");
        let power: i32 = power.parse().expect("it is whole");
        let ten = BigRational::from_integer(10.into());
        BigRational::from_integer(digits) * ten.pow(power - fraction.len() as i32)
    }

    const NUMBER: &str =
        "-?(0|[1-9][0-9]{0,3}|[1-3]0{0,4})(\\.[0-9]{1,3}|\\.0{1,4})?([eE][+-]?0{0,2}[0-9]{1,2})?";

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn ids_are_equal_where_the_numbers_are(one in NUMBER, shift in -6i32..=6, other in NUMBER) {
            prop_assert_eq!(id(&one) == id(&other), value(&one) == value(&other));
            prop_assert_eq!(id(&id(&one)), id(&one));
            prop_assert_eq!(value(&id(&one)), value(&one));
            // The same number with its point elsewhere.
            let (mantissa, power) = one.split_once(['e', 'E']).unwrap_or((&one, "0"));
            let sign = if mantissa.starts_with('-') { "-" } else { "" };
            let (whole, fraction) = mantissa[sign.len()..].split_once('.').unwrap_or((&mantissa[sign.len()..], "0"));
            let power: i32 = power.parse().unwrap();
            let all = format!("{}{whole}{fraction}{}", "0".repeat(7), "0".repeat(7));
            let at = (7 + whole.len()) as i32 + shift;
            let (head, tail) = all.split_at(at as usize);
            let head = head.trim_start_matches('0');
            let moved = format!("{sign}{}.{tail}e{}", if head.is_empty() { "0" } else { head }, power - shift);
            prop_assert_eq!(value(&moved), value(&one));
            prop_assert_eq!(id(&moved), id(&one));
        }

        #[test]
        fn any_other_text_is_itself(text in "[ +.0-9a-f-]{0,12}") {
            let is_number = serde_json::from_str::<serde_json::Number>(&text).is_ok() && text.trim() == text;
            if !is_number {
                prop_assert_eq!(id(&text), text);
            }
        }
    }
}
