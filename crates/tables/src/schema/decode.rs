//! From a code back to the text of a value: declared texts as they are, and a drawn value within a bin.

use super::{Attribute, Kind, Other, Schema};
use crate::room::{listed, reserve};
use crate::{Code, Error, Result, date};
use std::io::Write;

/// Where in a bin a written value lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Within {
    /// Uniformly, by the draw.
    Uniform,
    /// In the middle.
    Midpoint,
}

/// Writes the values of one attribute, never by a text that means null.
#[derive(Debug, Clone)]
pub struct Decoder {
    codes: Vec<Text>,
    point: u8,
    /// The texts that mean null and that a number or day could be written as.
    nulls: Vec<Vec<u8>>,
    /// The values within bins whose texts mean null, by code and ascending: they are not drawn.
    holes: Vec<(u16, i64)>,
}

/// What a code is written as.
#[derive(Debug, Clone, PartialEq)]
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
#[derive(Debug, Clone, Copy, PartialEq)]
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
    /// A decoder for an attribute of a schema; `point` stands before the fraction of a number.
    pub fn new(schema: &Schema, attribute: &Attribute, point: u8) -> Result<Self> {
        let starts_value = |text: &&str| text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
        let nulls = schema.nulls_of(attribute).filter(|_| attribute.is_ordered());
        let nulls = nulls.filter(starts_value).map(|text| text.as_bytes().to_vec()).collect();
        let mut codes = listed((0..attribute.bins()).map(|bin| bin_text(&attribute.kind, bin)))?;
        reserve(&mut codes, 2)?;
        if let Other::Value(text) = &attribute.other
            && attribute.other_code().map(usize::from) == Some(attribute.bins())
        {
            codes.push(Text::Fixed(text.clone()));
        }
        let mut decoder = Self { codes, point, nulls, holes: Vec::new() };
        decoder.settle(matches!(attribute.kind, Kind::Number { .. }))?;
        if attribute.null_code().is_some() {
            decoder.codes.push(Text::Fixed(null_text(schema, attribute)?));
        }
        Ok(decoder)
    }

    /// Gives fixed numbers their decimal point, respells what would mean null, and notes which values not to draw.
    fn settle(&mut self, decimal: bool) -> Result<()> {
        let mut codes = std::mem::take(&mut self.codes);
        for (code, text) in codes.iter_mut().enumerate() {
            if let Text::Fixed(text) = text
                && (decimal || !self.nulls.is_empty())
            {
                let mut spelled = text.as_bytes().to_vec();
                if decimal {
                    self.comma(&mut spelled);
                }
                self.respell(&mut spelled, 0);
                *text = String::from_utf8_lossy(&spelled).into_owned();
            }
            let first = self.holes.len();
            for null in &self.nulls {
                if let Some(hole) = text.value(null, self.point) {
                    reserve(&mut self.holes, 1)?;
                    self.holes.push((code as u16, hole));
                }
            }
            self.holes[first..].sort_unstable();
        }
        self.holes.dedup();
        self.codes = codes;
        Ok(())
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
        let start = out.len();
        match &self.codes[usize::from(code)] {
            Text::Day(..) => out.extend_from_slice(date::format(number as i32).as_bytes()),
            _ => {
                write!(out, "{number}").expect("a vector takes every byte");
                self.comma(&mut out[start..]);
            }
        }
        self.respell(out, start);
    }

    /// Writes a value of a code; `draw` is uniform on all of `u64` and says where in the bin the value lies.
    /// The value encodes to the same code again.
    pub fn write(&self, code: u16, within: Within, draw: u64, out: &mut Vec<u8>) {
        let start = out.len();
        match &self.codes[usize::from(code)] {
            Text::Fixed(text) => return out.extend_from_slice(text.as_bytes()),
            text => text.spell(self.pick(code, text.range(), within, draw), self.point, out),
        }
        self.respell(out, start);
    }

    /// One of the values of a bin that have a text of their own; of all, where none has.
    fn pick(&self, code: u16, (low, high): (i64, i64), within: Within, draw: u64) -> i64 {
        let first = self.holes.partition_point(|(other, _)| *other < code);
        let holes = self.holes[first..].iter().take_while(|(other, _)| *other == code);
        let (values, none) = (high.abs_diff(low) + 1, holes.clone().count() as u64);
        let (left, skip) = if none < values { (values - none, usize::MAX) } else { (values, 0) };
        let place = match within {
            Within::Uniform => below(left, draw),
            Within::Midpoint => left / 2,
        };
        holes.take(skip).fold(low + place as i64, |value, (_, hole)| value + i64::from(*hole <= value))
    }

    /// Turns a decimal point into the one that is wished.
    fn comma(&self, text: &mut [u8]) {
        if let Some(point) = text.iter_mut().find(|byte| **byte == b'.') {
            *point = self.point;
        }
    }

    /// Writes a value that lies at the end, and whose text means null, in another way: 99 as 99.0, a day with a
    /// time.
    fn respell(&self, out: &mut Vec<u8>, start: usize) {
        while self.nulls.iter().any(|null| null == &out[start..]) {
            if date::parse(&out[start..]).is_some() {
                out.extend_from_slice(b"T00:00");
            } else if out[start..].contains(&self.point) {
                out.push(b'0');
            } else {
                out.extend_from_slice(&[self.point, b'0']);
            }
        }
    }
}

impl Text {
    /// The first and the last value.
    fn range(&self) -> (i64, i64) {
        match self {
            Text::Fixed(_) => (0, 0),
            Text::Integer(low, high) | Text::Decimal(low, high, ..) => (*low, *high),
            Text::Day(low, high) => (i64::from(*low), i64::from(*high)),
        }
    }

    /// Writes one of the values.
    fn spell(&self, value: i64, point: u8, out: &mut Vec<u8>) {
        let written = match self {
            Text::Fixed(text) => out.write_all(text.as_bytes()),
            Text::Decimal(_, _, decimals, _) if *decimals > 0 => {
                let (scale, sign) = (10u64.pow(*decimals), if value < 0 { "-" } else { "" });
                let (whole, rest) = (value.unsigned_abs() / scale, value.unsigned_abs() % scale);
                let (digits, point) = (*decimals as usize, char::from(point));
                write!(out, "{sign}{whole}{point}{rest:0digits$}")
            }
            Text::Integer(..) | Text::Decimal(..) => write!(out, "{value}"),
            Text::Day(..) => out.write_all(date::format(value as i32).as_bytes()),
        };
        written.expect("a vector takes every byte");
    }

    /// The value that is written as this text, if there is one.
    fn value(&self, text: &[u8], point: u8) -> Option<i64> {
        let value = match self {
            Text::Fixed(_) => None,
            Text::Day(..) => date::parse(text).map(i64::from),
            Text::Integer(..) | Text::Decimal(..) => {
                let digits = text.iter().filter(|byte| **byte != point).map(|byte| char::from(*byte));
                digits.collect::<String>().parse().ok()
            }
        };
        let (low, high) = self.range();
        let value = value.filter(|value| (low..=high).contains(value))?;
        let mut spelled = Vec::new();
        self.spell(value, point, &mut spelled);
        (spelled == text).then_some(value)
    }
}

/// What null is written as: a text that means null here, or where there is none, one that is no value and
/// therefore becomes null. A derived column is not read again.
fn null_text(schema: &Schema, attribute: &Attribute) -> Result<String> {
    let named = schema.nulls_of(attribute).next();
    let open = match attribute.other {
        Other::Null => true,
        Other::Clamp => attribute.nullable,
        Other::Refuse | Other::Value(_) => matches!(attribute.kind, Kind::Derived { .. }),
    };
    let any = ["", "NA", "null"].into_iter().find(|text| open && !attribute.declares(text));
    named.or(any).map(str::to_owned).ok_or_else(|| {
        let what = "is nullable, but no text means null: give it `nulls`, such as \"NA\"";
        Error::new(Code::SchemaInvalid, format!("{} {what}", attribute.name))
    })
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
        let json = format!(r#"{{"nulls":["NA"],"attributes":[{{"name":"a",{attribute}}}]}}"#);
        let schema = Schema::from_json(&json).unwrap();
        Decoder::new(&schema, &schema.attributes()[0], b'.').unwrap()
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

    #[test]
    fn what_means_null_is_not_drawn() {
        let ages =
            decoder(r#""type":"integer","lows":[0,3,5],"max":5,"nullable":true,"nulls":["1","4","5","3.0"]"#);
        let at = |code, draw| text(&ages, code, Within::Uniform, draw);
        assert_eq!((at(0, 0), at(0, u64::MAX / 2), at(0, u64::MAX)), ("0".into(), "0".into(), "2".into()));
        assert_eq!((at(1, 0), at(1, u64::MAX)), ("3".into(), "3".into()));
        assert_eq!((at(2, 0), at(3, 0)), ("5.0".into(), "1".into()));
        let halves =
            decoder(r#""type":"number","cuts":[0,0.2],"decimals":1,"nulls":["0.1","0.10","0.0","0.2"]"#);
        let written = [0, u64::MAX / 2, u64::MAX].map(|draw| text(&halves, 0, Within::Uniform, draw));
        assert_eq!(written, ["0.00", "0.100", "0.20"]);
        let days = decoder(
            r#""type":"date","from":"2020-01-01","to":"2020-01-03","step":"week","nulls":["2020-01-03"]"#,
        );
        assert_eq!(text(&days, 0, Within::Uniform, u64::MAX), "2020-01-02");
        let mut out = Vec::new();
        days.write_number(0, 18_264.0, &mut out);
        assert_eq!(out, b"2020-01-03T00:00");
    }

    #[test]
    fn a_null_without_a_text_is_refused_and_one_that_any_text_becomes_is_not() {
        let null = |rest: &str| {
            let json = format!(
                r#"{{"nulls":[""],"attributes":[{{"name":"a","type":"category","values":["","x"],{rest}}}]}}"#
            );
            let schema = Schema::from_json(&json).unwrap();
            let decoder = Decoder::new(&schema, &schema.attributes()[0], b'.');
            decoder.map(|d| d.fixed(2).unwrap().to_owned()).map_err(|error| error.code)
        };
        assert_eq!(null(r#""nullable":true"#), Err(Code::SchemaInvalid));
        assert_eq!(null(r#""nullable":true,"nulls":["-"]"#), Ok("-".into()));
        assert_eq!(null(r#""other":null"#), Ok("NA".into()));
    }
}
