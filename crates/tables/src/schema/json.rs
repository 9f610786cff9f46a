//! Reads the normal form of a schema that `ts/tables/schema.ts` writes: every field present, every range
//! checked again, because this is the side that trusts nobody.

use super::{Attribute, Kind, Other, Schema};
use crate::date::{self, Day};
use crate::{Code, Error, Result};
use serde_json::{Map, Value};

/// Codes are u16, so an attribute can have as many as those can tell apart.
const MAX_CODES: usize = 1 << 16;
/// The largest integer that a JavaScript number holds exactly.
const MAX_SAFE: f64 = 9_007_199_254_740_992.0;

impl Schema {
    /// Reads a schema from its normal JSON form.
    pub fn from_json(text: &str) -> Result<Self> {
        let json: Value = serde_json::from_str(text).map_err(|_| invalid("the schema", "is not JSON"))?;
        let top = json.as_object().ok_or_else(|| invalid("the schema", "must be an object"))?;
        let nulls = texts(top, "nulls", "the schema")?;
        let mut attributes: Vec<Attribute> = Vec::new();
        let list = array(top, "attributes", "the schema")?;
        let mut base = 0;
        for item in list {
            let fields = item.as_object().ok_or_else(|| invalid("an attribute", "must be an object"))?;
            let attribute = attribute(fields, &attributes)?;
            check_nulls(&attribute, &nulls)?;
            let derived = matches!(attribute.kind, Kind::Derived { .. });
            if !derived && base < attributes.len() {
                return Err(invalid(&attribute.name, "stands after a derived attribute"));
            }
            if attributes.iter().any(|a| a.name == attribute.name) {
                return Err(invalid(&attribute.name, "is declared twice"));
            }
            base += usize::from(!derived);
            attributes.push(attribute);
        }
        if attributes.len() >= MAX_CODES {
            return Err(invalid("the schema", "has more than 65,535 attributes"));
        }
        Ok(Self { attributes, base, nulls, json: text.to_owned() })
    }
}

fn attribute(fields: &Map<String, Value>, before: &[Attribute]) -> Result<Attribute> {
    let name = text(fields, "name", "an attribute")?.to_owned();
    let kind = match text(fields, "type", &name)? {
        "category" => Kind::Category { values: distinct(texts(fields, "values", &name)?, &name)? },
        "boolean" => boolean(fields, &name)?,
        "integer" => integer(fields, &name)?,
        "number" => number(fields, &name)?,
        "date" => dates(fields, &name)?,
        "derived" => derived(fields, &name, before)?,
        _ => return Err(invalid(&name, "has an unknown type")),
    };
    let ordered = matches!(kind, Kind::Integer { .. } | Kind::Number { .. } | Kind::Date { .. });
    let other = match fields.get("other") {
        None => Other::Refuse,
        Some(_) if matches!(kind, Kind::Derived { .. }) => {
            return Err(invalid(&name, "is derived and so has no `other`"));
        }
        Some(Value::Null) => Other::Null,
        Some(Value::String(clamp)) if ordered && clamp == "clamp" => Other::Clamp,
        Some(Value::String(value)) => Other::Value(value.clone()),
        Some(_) => return Err(invalid(&name, "has an `other` that is neither a text nor null")),
    };
    let nullable = match fields.get("nullable") {
        None => false,
        Some(Value::Bool(nullable)) => *nullable,
        Some(_) => return Err(invalid(&name, "has a `nullable` that is not a boolean")),
    };
    let nulls = match fields.get("nulls") {
        None => Vec::new(),
        Some(_) if matches!(kind, Kind::Derived { .. }) => {
            return Err(invalid(&name, "is derived and so has no `nulls`"));
        }
        Some(_) => texts(fields, "nulls", &name)?,
    };
    let attribute = Attribute { name, kind, other, nullable, nulls };
    match attribute.size() {
        0 => Err(invalid(&attribute.name, "has no value")),
        size if size > MAX_CODES => Err(invalid(&attribute.name, "has more than 65,536 codes")),
        _ => Ok(attribute),
    }
}

/// No text may mean both null and a value; a declared value only overrules the texts of the whole schema.
fn check_nulls(attribute: &Attribute, common: &[String]) -> Result<()> {
    if attribute.nulls.iter().any(|text| attribute.declares(text)) {
        return Err(invalid(&attribute.name, "declares a value that is among its `nulls`"));
    }
    if let Other::Value(other) = &attribute.other
        && attribute.is_ordered()
        && attribute.nullable
        && attribute.nulls.iter().chain(common).any(|text| text == other)
    {
        return Err(invalid(&attribute.name, "has an `other` that means null"));
    }
    Ok(())
}

fn boolean(fields: &Map<String, Value>, name: &str) -> Result<Kind> {
    let texts = distinct(texts(fields, "texts", name)?, name)?;
    let texts = texts.try_into().map_err(|_| invalid(name, "needs two `texts`: of false, of true"))?;
    Ok(Kind::Boolean { texts })
}

fn integer(fields: &Map<String, Value>, name: &str) -> Result<Kind> {
    let whole = |value: &Value| {
        let x = value.as_f64().filter(|x| x.fract() == 0.0 && x.abs() <= MAX_SAFE);
        x.map(|x| x as i64).ok_or_else(|| invalid(name, "has a bound that is not a whole number up to 2^53"))
    };
    let max = whole(field(fields, "max", name)?)?;
    let lows = match fields.get("width") {
        None => array(fields, "lows", name)?.iter().map(whole).collect::<Result<Vec<_>>>()?,
        Some(width) => {
            let (min, width) = (whole(field(fields, "min", name)?)?, whole(width)?);
            if width < 1 || max < min || (max - min) / width >= MAX_CODES as i64 {
                return Err(invalid(name, "needs min ≤ max, a width of at least 1, and at most 65,536 bins"));
            }
            (0..=(max - min) / width).map(|bin| min + bin * width).collect()
        }
    };
    increasing(&lows, name)?;
    if lows.last().is_none_or(|low| *low > max) {
        return Err(invalid(name, "has a bin above its max"));
    }
    Ok(Kind::Integer { lows, max })
}

fn number(fields: &Map<String, Value>, name: &str) -> Result<Kind> {
    let finite = |value: &Value| value.as_f64().filter(|x| x.is_finite());
    let cuts: Option<Vec<f64>> = array(fields, "cuts", name)?.iter().map(finite).collect();
    let cuts = cuts.ok_or_else(|| invalid(name, "has a cut that is not a finite number"))?;
    increasing(&cuts, name)?;
    if cuts.len() < 2 {
        return Err(invalid(name, "needs at least two cuts"));
    }
    let decimals = field(fields, "decimals", name)?.as_u64().filter(|d| *d <= 17);
    let decimals = decimals.ok_or_else(|| invalid(name, "needs `decimals` between 0 and 17"))? as u32;
    Ok(Kind::Number { cuts, decimals })
}

fn dates(fields: &Map<String, Value>, name: &str) -> Result<Kind> {
    let day = |key| {
        let parsed = date::parse(text(fields, key, name)?.as_bytes());
        parsed.ok_or_else(|| invalid(name, "needs `from` and `to` as YYYY-MM-DD"))
    };
    let (from, to) = (day("from")?, day("to")?);
    if to < from {
        return Err(invalid(name, "ends before it begins"));
    }
    let after: Box<dyn Fn(usize) -> Option<Day>> = match text(fields, "step", name)? {
        "day" => Box::new(move |i| Some(from + i as Day)),
        "week" => Box::new(move |i| Some(from + 7 * i as Day)),
        "month" => Box::new(move |i| date::add_months(from, i as i32)),
        "quarter" => Box::new(move |i| date::add_months(from, 3 * i as i32 - quarter_offset(from, 3))),
        "year" => Box::new(move |i| date::add_months(from, 12 * i as i32 - quarter_offset(from, 12))),
        _ => return Err(invalid(name, "needs a step: day, week, month, quarter or year")),
    };
    let mut starts = vec![from];
    while let Some(start) = after(starts.len()).filter(|start| *start <= to) {
        if starts.len() == MAX_CODES {
            return Err(invalid(name, "has more than 65,536 codes"));
        }
        starts.push(start);
    }
    Ok(Kind::Date { starts, to })
}

/// Months from the start of the quarter or year (`period` months) that `day` lies in to the month of `day`.
fn quarter_offset(day: Day, period: i32) -> i32 {
    let (_, month, _) = date::to_ymd(day);
    (month as i32 - 1) % period
}

fn derived(fields: &Map<String, Value>, name: &str, before: &[Attribute]) -> Result<Kind> {
    let source = text(fields, "from", name)?;
    let from = before.iter().position(|a| a.name == source);
    let from =
        from.ok_or_else(|| invalid(name, "is derived from an attribute that is not declared before it"))?;
    let values = distinct(texts(fields, "values", name)?, name)?;
    let nullable = fields.get("nullable") == Some(&Value::Bool(true));
    let code = |value: &Value| {
        let code = value.as_u64().filter(|code| (*code as usize) < values.len() + usize::from(nullable));
        code.map(|code| code as u16).ok_or_else(|| invalid(name, "maps to a code that it does not have"))
    };
    let codes = array(fields, "codes", name)?.iter().map(code).collect::<Result<Vec<_>>>()?;
    if codes.len() != before[from].size() {
        return Err(invalid(name, "must map every code of the attribute that it is derived from"));
    }
    Ok(Kind::Derived { from, codes, values })
}

fn invalid(what: &str, why: &str) -> Error {
    Error::new(Code::SchemaInvalid, format!("{what} {why}"))
}

fn field<'a>(fields: &'a Map<String, Value>, key: &str, name: &str) -> Result<&'a Value> {
    fields.get(key).ok_or_else(|| invalid(name, &format!("lacks `{key}`")))
}

fn text<'a>(fields: &'a Map<String, Value>, key: &str, name: &str) -> Result<&'a str> {
    field(fields, key, name)?.as_str().ok_or_else(|| invalid(name, &format!("needs a text as `{key}`")))
}

fn array<'a>(fields: &'a Map<String, Value>, key: &str, name: &str) -> Result<&'a [Value]> {
    let array = field(fields, key, name)?.as_array();
    array.map(Vec::as_slice).ok_or_else(|| invalid(name, &format!("needs a list as `{key}`")))
}

fn texts(fields: &Map<String, Value>, key: &str, name: &str) -> Result<Vec<String>> {
    let texts: Option<Vec<String>> =
        array(fields, key, name)?.iter().map(|v| v.as_str().map(str::to_owned)).collect();
    texts.ok_or_else(|| invalid(name, &format!("needs a list of texts as `{key}`")))
}

fn distinct(values: Vec<String>, name: &str) -> Result<Vec<String>> {
    let mut sorted: Vec<&String> = values.iter().collect();
    sorted.sort_unstable();
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(invalid(name, "declares a value twice"));
    }
    Ok(values)
}

fn increasing<T: PartialOrd>(values: &[T], name: &str) -> Result<()> {
    if values.windows(2).any(|pair| pair[0] >= pair[1]) {
        return Err(invalid(name, "has cuts that do not increase"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(attributes: &str) -> Result<Schema> {
        Schema::from_json(&format!(r#"{{"nulls":[""],"attributes":[{attributes}]}}"#))
    }

    fn starts(step: &str, from: &str, to: &str) -> Vec<String> {
        let json = format!(r#"{{"name":"d","type":"date","from":"{from}","to":"{to}","step":"{step}"}}"#);
        let Kind::Date { starts, .. } = read(&json).unwrap().attributes[0].kind.clone() else { panic!() };
        starts.into_iter().map(date::format).collect()
    }

    /// A value that a cut is made of must be on its side of it, to the last bit.
    #[test]
    fn cuts_are_the_doubles_that_their_texts_name() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..2000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let cut = f64::from_bits(0x3b00_0000_0000_0000 + (seed >> 5));
            let json =
                format!(r#"{{"name":"a","type":"number","cuts":[-1,{cut:?}],"decimals":2,"other":"clamp"}}"#);
            let Kind::Number { cuts, .. } = read(&json).unwrap().attributes[0].kind.clone() else { panic!() };
            assert_eq!(cuts[1].to_bits(), cut.to_bits(), "{cut:?}");
        }
    }

    #[test]
    fn codes_are_declared_values_then_other_then_null() {
        let schema = read(
            r#"{"name":"age","type":"integer","min":0,"max":99,"width":5,"other":"clamp"},
               {"name":"sex","type":"category","values":["F","M"],"other":null},
               {"name":"puma","type":"category","values":["a","b"],"other":"c","nullable":true},
               {"name":"b","type":"boolean","texts":["N","Y"],"other":"N"},
               {"name":"state","type":"derived","from":"puma","values":["x","y"],"codes":[0,0,1,2],"nullable":true}"#,
        )
        .unwrap();
        assert_eq!(schema.sizes(), [20, 3, 4, 2, 3]);
        let codes = |i: usize| (schema.attributes[i].other_code(), schema.attributes[i].null_code());
        assert_eq!(codes(0), (None, None));
        assert_eq!(codes(1), (None, Some(2)));
        assert_eq!(codes(2), (Some(2), Some(3)));
        assert_eq!(codes(3), (Some(0), None));
        assert_eq!(schema.base().len(), 4);
        let total: Vec<bool> = schema.attributes.iter().map(Attribute::is_total).collect();
        assert_eq!(total, [false, true, true, true, true]);
    }

    #[test]
    fn date_bins_begin_at_calendar_periods() {
        assert_eq!(starts("day", "2020-02-28", "2020-03-01"), ["2020-02-28", "2020-02-29", "2020-03-01"]);
        assert_eq!(starts("week", "2020-01-01", "2020-01-14"), ["2020-01-01", "2020-01-08"]);
        assert_eq!(starts("month", "2019-11-15", "2020-01-31"), ["2019-11-15", "2019-12-01", "2020-01-01"]);
        assert_eq!(starts("quarter", "2019-02-15", "2019-07-01"), ["2019-02-15", "2019-04-01", "2019-07-01"]);
        assert_eq!(starts("year", "2019-02-15", "2021-12-31"), ["2019-02-15", "2020-01-01", "2021-01-01"]);
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        for bad in [
            r#"{"name":"a","type":"integer","min":1,"max":0,"width":1}"#,
            r#"{"name":"a","type":"integer","min":0,"max":9,"width":0}"#,
            r#"{"name":"a","type":"integer","min":0,"max":70000,"width":1}"#,
            r#"{"name":"a","type":"integer","min":-1e308,"max":9e307,"width":1}"#,
            r#"{"name":"a","type":"integer","lows":[0.5],"max":9}"#,
            r#"{"name":"a","type":"integer","lows":[0,5,5],"max":9}"#,
            r#"{"name":"a","type":"integer","lows":[0,10],"max":9}"#,
            r#"{"name":"a","type":"integer","lows":[],"max":9}"#,
            r#"{"name":"a","type":"integer","lows":[-1e308],"max":9}"#,
            r#"{"name":"a","type":"number","cuts":[0],"decimals":0}"#,
            r#"{"name":"a","type":"number","cuts":[1,0],"decimals":0}"#,
            r#"{"name":"a","type":"number","cuts":[0,1],"decimals":18}"#,
            r#"{"name":"a","type":"date","from":"2019-01-02","to":"2019-01-01","step":"day"}"#,
            r#"{"name":"a","type":"date","from":"0001-01-01","to":"9999-01-01","step":"day"}"#,
            r#"{"name":"a","type":"category","values":[]}"#,
            r#"{"name":"a","type":"category","values":["x","x"]}"#,
            r#"{"name":"a","type":"category","values":["x"],"other":1}"#,
            r#"{"name":"a","type":"category","values":["x"],"nullable":1}"#,
            r#"{"name":"a","type":"category","values":["x"],"nulls":[1]}"#,
            r#"{"name":"a","type":"category","values":["x"],"nulls":["x"]}"#,
            r#"{"name":"a","type":"category","values":["x"],"other":"y","nulls":["y"]}"#,
            r#"{"name":"a","type":"integer","lows":[0],"max":9,"other":"-1","nullable":true,"nulls":["-1"]}"#,
            r#"{"name":"a","type":"date","from":"2019-01-02","to":"2019-01-03","step":"day","other":"","nullable":true}"#,
            r#"{"name":"a","type":"category","values":["x"]},{"name":"b","type":"derived","from":"a","values":["x"],"codes":[0],"nulls":[]}"#,
            r#"{"name":"a","type":"boolean","texts":["x"]}"#,
            r#"{"name":"a","type":"nonsense"}"#,
            r#"{"name":"a","type":"derived","from":"a","values":["x"],"codes":[0]}"#,
            r#"{"name":"a","type":"category","values":["x"]},{"name":"a","type":"category","values":["x"]}"#,
            r#"{"name":"a","type":"category","values":["x"]},{"name":"b","type":"derived","from":"a","values":["x"],"codes":[]}"#,
            r#"{"name":"a","type":"category","values":["x"]},{"name":"b","type":"derived","from":"a","values":["x"],"codes":[1]}"#,
            "7",
        ] {
            assert_eq!(read(bad).unwrap_err().code, Code::SchemaInvalid, "{bad}");
        }
        assert_eq!(Schema::from_json("{").unwrap_err().code, Code::SchemaInvalid);
    }
}
