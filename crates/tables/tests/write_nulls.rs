//! What is written reads back as what it was, whatever texts mean null.

use marginalia_tables::read::{Dialect, Format, ReadOptions, Reader};
use marginalia_tables::schema::Within;
use marginalia_tables::write::{WriteOptions, Writer};
use marginalia_tables::{Code, Schema, Table};
use proptest::prelude::*;
use std::sync::Arc;

const KINDS: [&str; 9] = [
    r#""type":"category","values":["","NA","5","x"]"#,
    r#""type":"boolean","texts":["0","1"]"#,
    r#""type":"integer","lows":[-1,2,3,4],"max":9"#,
    r#""type":"integer","min":0,"max":5,"width":1,"other":"clamp""#,
    r#""type":"number","cuts":[-0.5,0,0.5,5],"decimals":1,"other":"-7""#,
    r#""type":"number","cuts":[1,1.05,5],"decimals":0"#,
    r#""type":"date","from":"2020-01-01","to":"2020-01-20","step":"week","other":null"#,
    r#""type":"date","from":"2020-01-01","to":"2020-01-03","step":"day""#,
    r#""type":"integer","lows":[0],"max":1,"other":"-1""#,
];
const NULLS: [&str; 24] = [
    "",
    "NA",
    "-1",
    "0",
    "1",
    "2",
    "3",
    "5",
    "9",
    "5.0",
    "0.5",
    "0,5",
    "-0.5",
    "0.1",
    "0,1",
    "1.025",
    "1,025",
    "1.0",
    "2020-01-01",
    "2020-01-08",
    "2020-01-02",
    "2020-01-02T00:00",
    "-",
    "4",
];

fn schema(kind: &str, own: &[&str], common: &[&str]) -> Option<Arc<Schema>> {
    let json = format!(
        r#"{{"nulls":{common:?},"attributes":[{{"name":"a",{kind},"nullable":true,"nulls":{own:?}}}]}}"#
    );
    Schema::from_json(&json).ok().map(Arc::new)
}

fn written(table: &Arc<Table>, options: WriteOptions) -> Option<Vec<u8>> {
    let mut writer = match Writer::new(table.clone(), options) {
        Err(error) => {
            assert_eq!(error.code, Code::SchemaInvalid);
            return None;
        }
        Ok(writer) => writer,
    };
    let mut out = writer.header();
    out.extend(writer.block(table.rows()).unwrap());
    Some(out)
}

proptest! {
    #[test]
    fn every_code_survives_a_round_trip(
        kind in 0..KINDS.len(),
        own in prop::sample::subsequence(&NULLS[..], 0..6),
        common in prop::sample::subsequence(&NULLS[..], 0..4),
        seed in any::<u64>(),
        decimal_comma in any::<bool>(),
        raw in prop::option::of(prop::collection::vec(prop::sample::select(&[0.0, 0.1, 0.5, 1.025, 2.0, 5.0, 18_262.0][..]), 40))
    ) {
        let Some(schema) = schema(KINDS[kind], &own, &common) else { return Ok(()) };
        let raw = raw.filter(|_| kind >= 2);
        let keep_raw: &[usize] = if raw.is_some() { &[0] } else { &[] };
        let size = schema.attributes()[0].size() as u16;
        let codes: Vec<u16> = (0..40).map(|i| i % size).collect();
        let mut table = Table::new(schema.clone(), false, keep_raw);
        let raw: Vec<&[f64]> = raw.iter().map(Vec::as_slice).collect();
        table.extend(&[&codes], None, &raw).unwrap();
        let options = WriteOptions {
            delimiter: b';', decimal_comma, within: if seed % 3 == 0 { Within::Midpoint } else { Within::Uniform },
            seed, derived: false, weight: None,
        };
        let Some(text) = written(&Arc::new(table), options) else { return Ok(()) };
        let format = Format::Csv(Dialect { delimiter: b';', decimal_comma, ..Dialect::default() });
        let mut reader = Reader::new(schema, ReadOptions { format, ..ReadOptions::default() }).unwrap();
        reader.push(&text).unwrap();
        let again = reader.finish().unwrap();
        let read: Vec<u16> = (0..again.rows()).map(|row| again.columns()[0].get(row)).collect();
        prop_assert_eq!(read, codes, "{}", String::from_utf8_lossy(&text));
    }
}

#[test]
fn texts_that_mean_null_for_one_attribute_mean_it_there_only() {
    let json = r#"{"nulls":[""],"attributes":[
        {"name":"a","type":"integer","lows":[0],"max":99,"nullable":true,"nulls":["99","-"]},
        {"name":"b","type":"integer","lows":[0],"max":99,"nullable":true}]}"#;
    let mut reader = Reader::new(Arc::new(Schema::from_json(json).unwrap()), ReadOptions::default()).unwrap();
    reader.push(b"a,b\n99,99\n-,98\n,\n98,1\n99.0,1\n").unwrap();
    let table = reader.finish().unwrap();
    let column = |i: usize| (0..5).map(|row| table.columns()[i].get(row)).collect::<Vec<u16>>();
    assert_eq!((column(0), column(1)), (vec![1, 1, 1, 0, 0], vec![0, 0, 1, 0, 0]));
}
