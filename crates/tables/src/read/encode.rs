//! One text of one attribute, to its code.
//!
//! The rules, in order:
//! 1. A declared text of a category or boolean (its `other` value counts as declared) has its code.
//! 2. A text that means null, here or anywhere, has the code of null. Where there is none, it is no value of the attribute.
//! 3. Booleans also take `true`/`false`, `TRUE`/`FALSE`, `True`/`False` and `1`/`0`, as far as a pair does not
//!    contradict the declared texts.
//! 4. Integers, numbers and dates are parsed whole. `NaN` and `Infinity` are no numbers; a decimal text too large
//!    for a double is one, beyond every bin. A number that is not whole is no integer.
//! 5. A number or date beyond the bins is refused, clamped to the nearest bin, or becomes null or `other`, as
//!    declared. A text that is none at all becomes null under `clamp`, if there is a null, else it is refused.
//!
//! Spaces around integers, numbers, dates and booleans do not count; those of a category do.

use super::dictionary::Dictionary;
use super::number::{Decimal, shortest};
use crate::date;
use crate::{Attribute, Kind, Other, Schema};

/// What stands for JSON's null among texts; no valid text has this byte.
pub(super) const NULL: &[u8] = b"\xff";

/// Texts that are booleans wherever the declared texts do not say the opposite: of false, of true.
const BOOLEANS: [[&str; 2]; 4] = [["false", "true"], ["FALSE", "TRUE"], ["False", "True"], ["0", "1"]];

/// Turns the texts and numbers of one attribute into codes.
#[derive(Debug)]
pub struct Encoder {
    texts: Dictionary,
    parse: Parse,
    point: u8,
    /// Numbers whose shortest text means null.
    null_numbers: Vec<f64>,
    null: Option<u16>,
    below: Option<u16>,
    above: Option<u16>,
    none: Option<u16>,
}

/// How a text that is not in the dictionary is read.
#[derive(Debug)]
enum Parse {
    Exact,
    Trimmed,
    Integer(WholeBins),
    Number(Vec<f64>),
    Date(WholeBins),
}

/// Bins of whole numbers.
#[derive(Debug)]
struct WholeBins {
    lows: Vec<i64>,
    max: i64,
    /// The bin of each number from the lowest on, where they are few enough to list.
    table: Vec<u16>,
}

/// The most numbers that are listed one by one: all days of 89 years.
const LISTED: i64 = 1 << 15;

impl WholeBins {
    fn new(lows: Vec<i64>, max: i64) -> Self {
        let bin = |x: i64| (lows.partition_point(|low| *low <= x) - 1) as u16;
        let listed = max - lows[0] < LISTED;
        let table = if listed { (lows[0]..=max).map(bin).collect() } else { Vec::new() };
        Self { lows, max, table }
    }

    /// The bin of a number between the lowest and the highest.
    fn bin(&self, x: i64) -> u16 {
        let listed = self.table.get((x - self.lows[0]) as usize);
        listed.copied().unwrap_or_else(|| (self.lows.partition_point(|low| *low <= x) - 1) as u16)
    }
}

impl Encoder {
    /// An encoder for an attribute of a schema; `point` stands before the fraction of a number.
    pub fn new(schema: &Schema, attribute: &Attribute, point: u8) -> Self {
        let null_code = attribute.null_code();
        let last = (attribute.bins() - 1) as u16;
        let outside = |clamped| match attribute.other {
            Other::Refuse => None,
            Other::Clamp => clamped,
            Other::Null => null_code,
            Other::Value(_) => attribute.other_code(),
        };
        let none = outside(null_code);
        let null = null_code.or(none);
        let parse = match &attribute.kind {
            Kind::Category { .. } | Kind::Derived { .. } => Parse::Exact,
            Kind::Boolean { .. } => Parse::Trimmed,
            Kind::Integer { lows, max } => Parse::Integer(WholeBins::new(lows.clone(), *max)),
            Kind::Number { cuts, .. } => Parse::Number(cuts.clone()),
            Kind::Date { starts, to } => Parse::Date(WholeBins::new(
                starts.iter().map(|day| i64::from(*day)).collect(),
                i64::from(*to),
            )),
        };
        let mut texts = declared(attribute);
        let nulls = schema.nulls_of(attribute).map(str::as_bytes).chain([NULL]);
        nulls.for_each(|text| texts.insert(text, null));
        synonyms(attribute, &mut texts);
        let number = |text: &str| text.parse::<f64>().ok().filter(|x| shortest(*x) == *text);
        let null_numbers = schema.nulls_of(attribute).filter_map(number).collect();
        let (below, above) = (outside(Some(0)), outside(Some(last)));
        Self { texts, parse, point, null_numbers, null, below, above, none }
    }

    /// The code of a text; `None` where the schema does not say what becomes of it.
    pub fn text(&self, text: &[u8]) -> Option<u16> {
        if let Some(code) = self.texts.get(text) {
            return code;
        }
        if matches!(self.parse, Parse::Exact) {
            return self.none;
        }
        let trimmed = text.trim_ascii();
        if trimmed.len() < text.len()
            && let Some(code) = self.texts.get(trimmed)
        {
            return code;
        }
        match &self.parse {
            Parse::Exact | Parse::Trimmed => self.none,
            Parse::Integer(bins) => {
                self.whole(bins, Decimal::parse(trimmed, self.point).and_then(|d| d.whole()))
            }
            Parse::Number(cuts) => self.real(cuts, Decimal::parse(trimmed, self.point).map(|d| d.value())),
            Parse::Date(bins) => self.whole(bins, date::parse(trimmed).map(i64::from)),
        }
    }

    /// The number that a text holds, as far as its attribute takes it for one; NaN for all others, and for one
    /// that is too large for a double. A day counts from 1970-01-01.
    pub fn raw(&self, text: &[u8]) -> f64 {
        let trimmed = text.trim_ascii();
        if self.is_null(text) || self.is_null(trimmed) {
            return f64::NAN;
        }
        let decimal = || Decimal::parse(trimmed, self.point);
        let value = match &self.parse {
            Parse::Exact | Parse::Trimmed => None,
            Parse::Integer(_) => decimal().filter(|d| d.whole().is_some()).map(|d| d.value()),
            Parse::Number(_) => decimal().map(|d| d.value()),
            Parse::Date(_) => date::parse(trimmed).map(f64::from),
        };
        value.filter(|x| x.is_finite()).unwrap_or(f64::NAN)
    }

    /// The code of a number. NaN is null; an infinity is beyond every bin; categories and booleans compare with
    /// the number's shortest decimal text; a date is a whole number of days from 1970-01-01.
    pub fn number(&self, x: f64) -> Option<u16> {
        if x.is_nan() {
            return self.null;
        }
        let whole = || (x.fract() == 0.0 || x.is_infinite()).then_some(x as i64);
        match &self.parse {
            Parse::Exact | Parse::Trimmed => self.text(shortest(x).as_bytes()),
            _ if self.null_numbers.contains(&x) => self.null,
            Parse::Integer(bins) | Parse::Date(bins) => self.whole(bins, whole()),
            Parse::Number(cuts) => self.real(cuts, Some(x)),
        }
    }

    /// For the parsed kinds the dictionary holds nothing but what means null.
    fn is_null(&self, text: &[u8]) -> bool {
        self.texts.get(text).is_some()
    }

    fn whole(&self, bins: &WholeBins, value: Option<i64>) -> Option<u16> {
        match value {
            None => self.none,
            Some(x) if x < bins.lows[0] => self.below,
            Some(x) if x > bins.max => self.above,
            Some(x) => Some(bins.bin(x)),
        }
    }

    fn real(&self, cuts: &[f64], value: Option<f64>) -> Option<u16> {
        let bins = cuts.len() - 1;
        match value {
            None => self.none,
            Some(x) if x < cuts[0] => self.below,
            Some(x) if x > cuts[bins] => self.above,
            Some(x) => Some((cuts[..bins].partition_point(|cut| *cut <= x) - 1) as u16),
        }
    }
}

/// The declared texts with their codes, that of `other` last.
fn declared(attribute: &Attribute) -> Dictionary {
    let mut texts = Dictionary::default();
    let values: &[String] = match &attribute.kind {
        Kind::Category { values } | Kind::Derived { values, .. } => values,
        Kind::Boolean { texts } => texts,
        _ => return texts,
    };
    for (code, value) in values.iter().enumerate() {
        texts.insert(value.as_bytes(), Some(code as u16));
    }
    if let Other::Value(other) = &attribute.other {
        texts.insert(other.as_bytes(), attribute.other_code());
    }
    texts
}

/// Other spellings of false and true, where they do not contradict the declared ones.
fn synonyms(attribute: &Attribute, texts: &mut Dictionary) {
    let Kind::Boolean { texts: [no, yes] } = &attribute.kind else { return };
    for [usual_no, usual_yes] in BOOLEANS {
        if no != usual_yes && yes != usual_no {
            texts.insert(usual_no.as_bytes(), Some(0));
            texts.insert(usual_yes.as_bytes(), Some(1));
        }
    }
}
