//! Combinations of codes that cannot be, such as a child with a pension.

use marginalia_tables::{Code, Domain, Error, Kind, Result, Schema, Table};

/// Rules, each a list of attributes with some of their codes. A row that has one of those codes in every attribute
/// of a rule is denied.
#[derive(Debug, Clone, Default)]
pub struct Deny {
    rules: Vec<Vec<(u16, Vec<bool>)>>,
}

impl Deny {
    /// Rules over a domain.
    pub fn new(domain: &Domain, rules: &[Vec<(u16, Vec<u16>)>]) -> Result<Self> {
        let mut all = Vec::with_capacity(rules.len());
        for rule in rules {
            if rule.is_empty() {
                let message = "a rule of `deny` without attributes denies every row: name some";
                return Err(Error::new(Code::OptionInvalid, message));
            }
            let mut conditions = Vec::with_capacity(rule.len());
            for (attribute, codes) in rule {
                let size = *domain.sizes().get(usize::from(*attribute)).ok_or_else(unknown)? as usize;
                let mut denied = vec![false; size];
                for code in codes {
                    *denied.get_mut(usize::from(*code)).ok_or_else(unknown)? = true;
                }
                conditions.push((*attribute, denied));
            }
            all.push(conditions);
        }
        Ok(Self { rules: all })
    }

    /// Whether a row with such codes, those of derived attributes included, is denied.
    pub fn denies(&self, code: impl Fn(usize) -> u16) -> bool {
        let holds = |(attribute, codes): &(u16, Vec<bool>)| codes[usize::from(code(usize::from(*attribute)))];
        self.rules.iter().any(|rule| rule.iter().all(holds))
    }

    /// Whether a row of a table is denied.
    pub fn denies_row(&self, table: &Table, row: usize) -> bool {
        self.denies(|attribute| table.columns()[attribute].get(row))
    }
}

/// Fills the codes of derived attributes, which follow those of the base.
pub fn complete(schema: &Schema, codes: &mut [u16]) {
    for (i, attribute) in schema.attributes().iter().enumerate() {
        if let Kind::Derived { from, codes: of, .. } = &attribute.kind {
            codes[i] = of[usize::from(codes[*from])];
        }
    }
}

fn unknown() -> Error {
    Error::new(Code::AttributeUnknown, "a rule of `deny` names an attribute or a code that the schema lacks")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_holds_where_all_its_attributes_do() {
        let domain = Domain::new([3, 4]);
        let deny = Deny::new(&domain, &[vec![(0, vec![0, 2]), (1, vec![3])], vec![(1, vec![0])]]).unwrap();
        let denied: Vec<bool> = (0..12).map(|row| deny.denies(|a| [row / 4, row % 4][a])).collect();
        let expected: Vec<bool> = (0..12).map(|row| [0, 3, 4, 8, 11].contains(&row)).collect();
        assert_eq!(denied, expected);
        assert!(!Deny::default().denies(|_| 0));
        assert!(Deny::new(&domain, &[vec![]]).is_err());
        assert_eq!(Deny::new(&domain, &[vec![(2, vec![])]]).unwrap_err().code, Code::AttributeUnknown);
        assert_eq!(Deny::new(&domain, &[vec![(0, vec![3])]]).unwrap_err().code, Code::AttributeUnknown);
    }

    #[test]
    fn derived_codes_follow() {
        let json = r#"{"nulls":[],"attributes":[
            {"name":"puma","type":"category","values":["a1","a2","b1"]},
            {"name":"state","type":"derived","from":"puma","values":["a","b"],"codes":[0,0,1]}]}"#;
        let mut codes = [2, 0];
        complete(&Schema::from_json(json).unwrap(), &mut codes);
        assert_eq!(codes, [2, 1]);
    }
}
