//! The declared schema: which attributes there are, which codes each has, and what becomes of anything else.
//!
//! Codes of an attribute are its declared values or bins in order, then `other` (if that is a value of its
//! own), then null (if there is one).

mod decode;
mod json;

pub use decode::{Decoder, Within};

use crate::date::Day;
use crate::{Domain, Result};

/// Attributes as columns of a file, then the derived ones; and the texts that mean null.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    attributes: Vec<Attribute>,
    base: usize,
    nulls: Vec<String>,
    json: String,
}

impl Schema {
    /// Attributes of whole numbers with codes of their own, for rows of which nothing is known but their domain.
    pub fn of_domain(domain: &Domain) -> Result<Self> {
        let attribute = |(i, size): (usize, &u32)| {
            format!(r#"{{"name":"{i}","type":"integer","min":0,"max":{},"width":1}}"#, i64::from(*size) - 1)
        };
        let attributes: Vec<String> = domain.sizes().iter().enumerate().map(attribute).collect();
        Self::from_json(&format!(r#"{{"nulls":[],"attributes":[{}]}}"#, attributes.join(",")))
    }

    /// The normal JSON form that it was read from.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// All attributes: those of the file in declared order, then the derived ones.
    pub fn attributes(&self) -> &[Attribute] {
        &self.attributes
    }

    /// The attributes that a file has a column for.
    pub fn base(&self) -> &[Attribute] {
        &self.attributes[..self.base]
    }

    /// Texts that mean null, unless the attribute declares the same text as a value.
    pub fn nulls(&self) -> &[String] {
        &self.nulls
    }

    /// The texts that mean null for one attribute: its own, then the schema's that it does not declare.
    pub fn nulls_of<'a>(&'a self, attribute: &'a Attribute) -> impl Iterator<Item = &'a str> {
        let common = self.nulls.iter().filter(|text| !attribute.declares(text));
        attribute.nulls.iter().chain(common).map(String::as_str)
    }

    /// The index of an attribute.
    pub fn index(&self, name: &str) -> Option<usize> {
        self.attributes.iter().position(|a| a.name == name)
    }

    /// The number of codes of each attribute.
    pub fn sizes(&self) -> Vec<u32> {
        self.attributes.iter().map(|a| a.size() as u32).collect()
    }

    /// The attribute, itself not derived, that an attribute follows from, and its code for each code of that one; none where
    /// these are the same.
    pub fn root(&self, attribute: usize) -> (usize, Option<Vec<u16>>) {
        let Kind::Derived { from, codes, .. } = &self.attributes[attribute].kind else {
            return (attribute, None);
        };
        let (root, through) = self.root(*from);
        let through = through.map(|through| through.iter().map(|code| codes[usize::from(*code)]).collect());
        (root, Some(through.unwrap_or_else(|| codes.clone())))
    }
}

/// One attribute: a name, what it may be, and what becomes of anything else.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// Its name, and the header of its column.
    pub name: String,
    /// Its declared values or bins.
    pub kind: Kind,
    /// What a value becomes that is none of them.
    pub other: Other,
    /// Whether null is a code of its own.
    pub nullable: bool,
    /// Texts that mean null here, besides those of the schema; none of them is declared as a value.
    pub nulls: Vec<String>,
}

/// The declared values or bins of an attribute, in the order of their codes.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Texts.
    Category {
        /// One text a code.
        values: Vec<String>,
    },
    /// False and true, by the texts they are written as.
    Boolean {
        /// The text of false and the text of true.
        texts: [String; 2],
    },
    /// Whole numbers in bins `[lows[i], lows[i + 1] - 1]`, the last up to `max`.
    Integer {
        /// The smallest number of each bin, increasing.
        lows: Vec<i64>,
        /// The largest number of the last bin.
        max: i64,
    },
    /// Numbers in bins `[cuts[i], cuts[i + 1])`, the last one closed.
    Number {
        /// The edges of the bins, increasing.
        cuts: Vec<f64>,
        /// Digits after the point when a value is written.
        decimals: u32,
    },
    /// Days in bins `[starts[i], starts[i + 1] - 1]`, the last up to `to`.
    Date {
        /// The first day of each bin, increasing.
        starts: Vec<Day>,
        /// The last day of the last bin.
        to: Day,
    },
    /// A function of another attribute's code; a nullable one maps some of them to null.
    Derived {
        /// The attribute it is a function of.
        from: usize,
        /// Its code for each code of that attribute.
        codes: Vec<u16>,
        /// One text a code.
        values: Vec<String>,
    },
}

/// What becomes of a value that is none of the declared ones.
#[derive(Debug, Clone, PartialEq)]
pub enum Other {
    /// It is an error.
    Refuse,
    /// It counts as the nearest bin; a text that is no number or date at all counts as null.
    Clamp,
    /// It counts as null.
    Null,
    /// It counts as this value, which is a code of its own unless it is declared anyway.
    Value(String),
}

impl Attribute {
    /// The number of declared values or bins.
    pub fn bins(&self) -> usize {
        match &self.kind {
            Kind::Category { values } | Kind::Derived { values, .. } => values.len(),
            Kind::Boolean { .. } => 2,
            Kind::Integer { lows, .. } => lows.len(),
            Kind::Number { cuts, .. } => cuts.len() - 1,
            Kind::Date { starts, .. } => starts.len(),
        }
    }

    /// The code of `other`, when a value outside becomes one.
    pub fn other_code(&self) -> Option<u16> {
        let Other::Value(text) = &self.other else { return None };
        let declared = match &self.kind {
            Kind::Category { values } => values.iter().position(|v| v == text),
            Kind::Boolean { texts } => texts.iter().position(|v| v == text),
            _ => None,
        };
        Some(declared.unwrap_or(self.bins()) as u16)
    }

    /// The code of null, when there is one.
    pub fn null_code(&self) -> Option<u16> {
        (self.nullable || self.other == Other::Null).then(|| (self.size() - 1) as u16)
    }

    /// Whether a text is one of the values, so that it does not mean null here.
    pub fn declares(&self, text: &str) -> bool {
        let values: &[String] = match &self.kind {
            Kind::Category { values } | Kind::Derived { values, .. } => values,
            Kind::Boolean { texts } => texts,
            _ => return false,
        };
        values.iter().any(|value| value == text)
            || matches!(&self.other, Other::Value(other) if other == text)
    }

    /// Whether its values are in an order, and so are parsed: integers, numbers and dates.
    pub fn is_ordered(&self) -> bool {
        matches!(self.kind, Kind::Integer { .. } | Kind::Number { .. } | Kind::Date { .. })
    }

    /// The number of codes.
    pub fn size(&self) -> usize {
        let own_other = self.other_code().is_some_and(|code| usize::from(code) == self.bins());
        self.bins() + usize::from(own_other) + usize::from(self.nullable || self.other == Other::Null)
    }

    /// Whether every text whatsoever has a code, as private data demands.
    pub fn is_total(&self) -> bool {
        match self.other {
            Other::Null | Other::Value(_) => true,
            Other::Clamp => self.nullable,
            Other::Refuse => matches!(self.kind, Kind::Derived { .. }),
        }
    }
}
