//! From a code back to the text of a value: declared texts as they are, and a drawn value within a bin.

use super::{Attribute, Kind, Other};
use crate::date;
use std::io::Write;

/// Where in a bin a written value lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// Uniformly, by the draw.
    Uniform,
    /// In the middle.
    Midpoint,
}

/// Writes the values of one attribute.
#[derive(Debug, Clone)]
pub struct Decoder {
    codes: Vec<Text>,
}

/// What a code is written as.
#[derive(Debug, Clone)]
enum Text {
    /// Always this.
    Fixed(String),
    /// A whole number from the first to the second.
    Integer(i64, i64),
    /// A multiple, from the first to the second, of one over ten to the third; within the interval.
    Decimal(i64, i64, u32, Interval),
    /// A day from the first to the second.
    Day(i32, i32),
}

/// A bin of numbers: closed below, and above too where it is the last.
#[derive(Debug, Clone, Copy)]
struct Interval {
    low: f64,
    high: f64,
    last: bool,
}

impl Interval {
    fn holds(self, value: f64) -> bool {
        value >= self.low && (value < self.high || (self.last && value <= self.high))
    }
}

impl Decoder {
    /// A decoder that writes null as `null`.
    pub fn new(attribute: &Attribute, null: &str) -> Self {
        let mut codes: Vec<Text> = (0..attribute.bins()).map(|bin| bin_text(&attribute.kind, bin)).collect();
        if let Other::Value(text) = &attribute.other
            && attribute.other_code().map(usize::from) == Some(attribute.bins())
        {
            codes.push(Text::Fixed(text.clone()));
        }
        if attribute.null_code().is_some() {
            codes.push(Text::Fixed(null.to_owned()));
        }
        Self { codes }
    }

    /// The text of a code when it is always the same.
    pub fn fixed(&self, code: u16) -> Option<&str> {
        match &self.codes[usize::from(code)] {
            Text::Fixed(text) => Some(text),
            _ => None,
        }
    }

    /// Whether a number lies in the bin of a code; a day counts from 1970-01-01.
    pub fn holds(&self, code: u16, number: f64) -> bool {
        let whole = |low: f64, high: f64| number >= low && number <= high && number.fract() == 0.0;
        match &self.codes[usize::from(code)] {
            Text::Fixed(_) => false,
            Text::Integer(low, high) => whole(*low as f64, *high as f64),
            Text::Day(low, high) => whole(f64::from(*low), f64::from(*high)),
            Text::Decimal(.., interval) => interval.holds(number),
        }
    }

    /// Writes a number that the bin of the code holds, in full.
    pub fn write_number(&self, code: u16, number: f64, out: &mut Vec<u8>) {
        let written = match &self.codes[usize::from(code)] {
            Text::Day(..) => out.write_all(date::format(number as i32).as_bytes()),
            _ => write!(out, "{number}"),
        };
        written.expect("a vector takes every byte");
    }

    /// Writes a value of a code; `draw` is uniform on all of `u64` and says where in the bin the value lies.
    /// The value encodes to the same code again.
    pub fn write(&self, code: u16, within: Within, draw: u64, out: &mut Vec<u8>) {
        let pick = |low: i64, high: i64| match within {
            Within::Uniform => low + below(high.abs_diff(low) + 1, draw) as i64,
            Within::Midpoint => low + high.abs_diff(low).div_ceil(2) as i64,
        };
        let written = match &self.codes[usize::from(code)] {
            Text::Fixed(text) => out.write_all(text.as_bytes()),
            Text::Integer(low, high) => write!(out, "{}", pick(*low, *high)),
            Text::Decimal(low, high, decimals, _) => {
                let value = pick(*low, *high);
                let (scale, sign) = (10u64.pow(*decimals), if value < 0 { "-" } else { "" });
                let (whole, rest) = (value.unsigned_abs() / scale, value.unsigned_abs() % scale);
                match *decimals as usize {
                    0 => write!(out, "{value}"),
                    digits => write!(out, "{sign}{whole}.{rest:0digits$}"),
                }
            }
            Text::Day(low, high) => {
                out.write_all(date::format(pick(i64::from(*low), i64::from(*high)) as i32).as_bytes())
            }
        };
        written.expect("a vector takes every byte");
    }
}

/// A number below `n` from a uniform u64 by multiplication; the bias is below n / 2⁶⁴.
fn below(n: u64, draw: u64) -> u64 {
    ((u128::from(n) * u128::from(draw)) >> 64) as u64
}

fn bin_text(kind: &Kind, bin: usize) -> Text {
    match kind {
        Kind::Category { values } | Kind::Derived { values, .. } => Text::Fixed(values[bin].clone()),
        Kind::Boolean { texts } => Text::Fixed(texts[bin].clone()),
        Kind::Integer { lows, max } => match (lows[bin], lows.get(bin + 1).map_or(*max, |next| next - 1)) {
            (low, high) if low == high => Text::Fixed(low.to_string()),
            (low, high) => Text::Integer(low, high),
        },
        Kind::Date { starts, to } => match (starts[bin], starts.get(bin + 1).map_or(*to, |next| next - 1)) {
            (low, high) if low == high => Text::Fixed(date::format(low)),
            (low, high) => Text::Day(low, high),
        },
        Kind::Number { cuts, decimals } => decimal(cuts, bin, *decimals),
    }
}

/// The multiples of 10^-d in a bin. A multiple below 2⁵³ divided by a power of ten below 10²³ is the double
/// nearest to its decimal text, so comparing that with the cuts says where the text will be read.
fn decimal(cuts: &[f64], bin: usize, decimals: u32) -> Text {
    let interval = Interval { low: cuts[bin], high: cuts[bin + 1], last: bin + 2 == cuts.len() };
    let Interval { low, high, .. } = interval;
    let fits = |d: &u32| low.abs().max(high.abs()) * 10f64.powi(*d as i32) < (1u64 << 52) as f64;
    if let Some(decimals) = (0..=decimals).rev().find(fits) {
        let scale = 10f64.powi(decimals as i32);
        let near = |edge: f64| {
            let k = (edge * scale).round() as i64;
            k - 1..=k + 1
        };
        let first = near(low).find(|k| interval.holds(*k as f64 / scale));
        let end = near(high).rev().find(|k| interval.holds(*k as f64 / scale));
        if let (Some(first), Some(end)) = (first, end) {
            return Text::Decimal(first, end, decimals, interval);
        }
    }
    Text::Fixed(format!("{}", low / 2.0 + high / 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Schema;

    fn decoder(attribute: &str) -> Decoder {
        let json = format!(r#"{{"nulls":[],"attributes":[{{"name":"a",{attribute}}}]}}"#);
        Decoder::new(&Schema::from_json(&json).unwrap().attributes()[0], "NA")
    }

    fn text(decoder: &Decoder, code: u16, within: Within, draw: u64) -> String {
        let mut out = Vec::new();
        decoder.write(code, within, draw, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn draws_reach_both_ends_of_a_bin_and_never_pass_them() {
        let ages = decoder(r#""type":"integer","lows":[-5,5,6],"max":20,"other":"-99","nullable":true"#);
        let at = |code, draw| text(&ages, code, Within::Uniform, draw);
        assert_eq!((at(0, 0), at(0, u64::MAX)), ("-5".into(), "4".into()));
        assert_eq!(
            (at(1, 7), at(2, u64::MAX), at(3, 7), at(4, 7)),
            ("5".into(), "20".into(), "-99".into(), "NA".into())
        );
        assert_eq!(text(&ages, 0, Within::Midpoint, 0), "0");
    }

    #[test]
    fn decimals_stay_inside_half_open_bins() {
        let numbers = decoder(r#""type":"number","cuts":[-0.25,0.3,0.7],"decimals":2"#);
        let at = |code, draw| text(&numbers, code, Within::Uniform, draw);
        assert_eq!((at(0, 0), at(0, u64::MAX)), ("-0.25".into(), "0.29".into()));
        assert_eq!((at(1, 0), at(1, u64::MAX)), ("0.30".into(), "0.70".into()));
        assert_eq!(text(&numbers, 0, Within::Midpoint, 0), "0.02");
    }

    #[test]
    fn a_bin_without_a_multiple_gets_its_middle() {
        let numbers = decoder(r#""type":"number","cuts":[0.1,0.2,5],"decimals":0"#);
        assert_eq!(text(&numbers, 0, Within::Uniform, 0), "0.15000000000000002");
        assert_eq!(text(&numbers, 1, Within::Uniform, u64::MAX), "5");
    }

    #[test]
    fn more_decimals_than_a_double_holds_are_not_written() {
        let numbers = decoder(r#""type":"number","cuts":[0,1e6,2e6],"decimals":17"#);
        let written = text(&numbers, 1, Within::Uniform, u64::MAX);
        assert_eq!(written, "2000000.000000000");
    }

    #[test]
    fn days_are_drawn_within_their_period() {
        let days = decoder(r#""type":"date","from":"2020-01-15","to":"2020-03-02","step":"month""#);
        let at = |code, draw| text(&days, code, Within::Uniform, draw);
        assert_eq!(
            (at(0, 0), at(1, u64::MAX), at(2, u64::MAX)),
            ("2020-01-15".into(), "2020-02-29".into(), "2020-03-02".into())
        );
    }
}
