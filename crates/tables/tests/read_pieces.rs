//! What is written reads back, in any pieces and through any window.

use marginalia_tables::read::{Dialect, Format, LineEnd, ReadOptions, Reader};
use marginalia_tables::{Error, Schema, Table};
use proptest::prelude::*;
use std::sync::Arc;

const VALUES: [&str; 8] =
    ["", "NA", "a,b", "say \"so\"", "über\nzwei", "\r\n", " spaced ", "a longer declared text"];

fn schema() -> Arc<Schema> {
    let values = serde_json::to_string(&VALUES).unwrap();
    let json = format!(
        r#"{{"nulls":["","NA"],"attributes":[
        {{"name":"text","type":"category","values":{values}}},
        {{"name":"whole","type":"integer","lows":[-9007199254740992,0,1,9007199254740992],"max":9007199254740992,"nullable":true}},
        {{"name":"real","type":"number","cuts":[-1e300,0,0.5,1e300],"decimals":3,"other":"clamp","nullable":true}},
        {{"name":"day","type":"date","from":"1950-01-01","to":"2049-12-31","step":"year","other":null}},
        {{"name":"yes","type":"boolean","texts":["N","Y"]}}]}}"#
    );
    Arc::new(Schema::from_json(&json).unwrap())
}

/// One row: texts, and the codes they must get.
fn row() -> impl Strategy<Value = (Vec<String>, [u16; 5])> {
    const WHOLE: i64 = 1 << 53;
    let whole = prop_oneof![
        (-WHOLE..=WHOLE).prop_map(|x| (x.to_string(), bin(x))),
        prop::sample::select(vec![0, 1, WHOLE, -WHOLE]).prop_map(|x| (format!("{x}.0"), bin(x))),
        Just(("-0".to_owned(), 1)),
        Just(("NA".to_owned(), 4)),
    ];
    let real = prop_oneof![
        any::<f64>().prop_map(|x| (x.to_string(), real_bin(x))),
        prop::sample::select(vec!["NaN", "-0", "", "x"])
            .prop_map(|x| (x.to_owned(), if x == "-0" { 1 } else { 3 })),
    ];
    let day = prop_oneof![
        (1950u16..2050, 1..13, 1..29).prop_map(|(y, m, d)| (format!("{y}-{m:02}-{d:02}"), y - 1950)),
        Just(("never".to_owned(), 100)),
    ];
    let yes = prop::sample::select(vec![("N", 0), ("Y", 1), ("true", 1), (" 0", 0)]);
    (0..VALUES.len(), whole, real, day, yes).prop_map(|(text, whole, real, day, yes)| {
        let texts = vec![VALUES[text].to_owned(), whole.0, real.0, day.0, yes.0.to_owned()];
        (texts, [text as u16, whole.1, real.1, day.1, yes.1])
    })
}

fn bin(x: i64) -> u16 {
    [0, 1, 1 << 53].iter().filter(|low| x >= **low).count() as u16
}

fn real_bin(x: f64) -> u16 {
    if x.is_finite() { u16::from(x >= 0.0) + u16::from(x >= 0.5) } else { 3 }
}

/// Quotes a field where it must be, or always.
fn csv(rows: &[(Vec<String>, [u16; 5])], always: bool, end: &str) -> Vec<u8> {
    let write = |field: &String| match always || field.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.clone(),
    };
    let line = |row: &(Vec<String>, _)| row.0.iter().map(write).collect::<Vec<_>>().join(",") + end;
    format!("text,whole,real,day,yes{end}{}", rows.iter().map(line).collect::<String>()).into_bytes()
}

fn ndjson(rows: &[(Vec<String>, [u16; 5])]) -> Vec<u8> {
    let names = ["text", "whole", "real", "day", "yes"];
    let line = |row: &(Vec<String>, _)| {
        let pairs = names.iter().zip(&row.0).map(|(name, text)| (*name, text.as_str()));
        serde_json::to_string(&pairs.collect::<std::collections::BTreeMap<_, _>>()).unwrap()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n").into_bytes()
}

fn read(
    schema: &Arc<Schema>,
    options: &ReadOptions,
    window: usize,
    pieces: &mut dyn Iterator<Item = &[u8]>,
) -> Result<Table, Error> {
    let mut reader = Reader::with_window(schema.clone(), options.clone(), window)?;
    for piece in pieces {
        reader.push(piece)?;
    }
    reader.finish()
}

/// Returns alone end records too.
fn any_line_end() -> ReadOptions {
    let format = Format::Csv(Dialect { line_end: LineEnd::Any, ..Dialect::default() });
    ReadOptions { format, ..Default::default() }
}

/// All that a table holds.
fn content(table: &Table) -> (Vec<Vec<u16>>, Vec<u64>) {
    let codes = |row| table.columns().iter().map(|column| column.get(row)).collect();
    let raw = table.raw().iter().flat_map(|raw| raw.values.iter().flatten().map(|x| x.to_bits()));
    ((0..table.rows()).map(codes).collect(), raw.collect())
}

proptest! {
    #[test]
    fn rows_come_back(
        rows in prop::collection::vec(row(), 0..40),
        always in any::<bool>(),
        end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
        window in prop_oneof![1usize..100, Just(1 << 18)],
        size in 1usize..200
    ) {
        let expected: Vec<Vec<u16>> = rows.iter().map(|row| row.1.to_vec()).collect();
        let line_end = if end == "\r" { LineEnd::Any } else { LineEnd::Lf };
        let separated = Format::Csv(Dialect { line_end, ..Dialect::default() });
        for (format, text) in [(separated, csv(&rows, always, end)), (Format::Ndjson, ndjson(&rows))] {
            let options = ReadOptions { format, keep_raw: vec![1, 2], ..Default::default() };
            let table = read(&schema(), &options, window, &mut text.chunks(size)).unwrap();
            prop_assert_eq!(&content(&table).0, &expected);
        }
    }

    #[test]
    fn pieces_and_windows_change_neither_table_nor_error(
        text in prop::collection::vec(prop_oneof![
            6 => prop::sample::select(vec!["F,1\n", "M,25\r\n", "\"F\",9\n", "F,NA\n", "\n"]),
            1 => prop::sample::select(vec!["F", ",", "\n", "\r", "\"", "M,7\r", "é", "Z,1\n", "F,1000\n", "\"M\"x,1\n"]),
        ], 0..40),
        broken in prop::option::weighted(0.1, any::<prop::sample::Index>()),
        size in 1usize..50,
        window in 1usize..150
    ) {
        let json = r#"{"nulls":["NA"],"attributes":[{"name":"s","type":"category","values":["F","M"]},
            {"name":"n","type":"integer","min":0,"max":99,"width":5,"nullable":true}]}"#;
        let schema = Arc::new(Schema::from_json(json).unwrap());
        let mut text = format!("s,n\n{}", text.concat()).into_bytes();
        if let Some(index) = broken {
            let at = index.index(text.len());
            text[at] = 0xff;
        }
        let options = ReadOptions { keep_raw: vec![1], ..Default::default() };
        let whole = read(&schema, &options, 1 << 18, &mut text.chunks(text.len())).map(|t| content(&t));
        let pieces = read(&schema, &options, window, &mut text.chunks(size)).map(|t| content(&t));
        prop_assert_eq!(whole, pieces);
    }
}

#[test]
fn a_blank_line_is_an_empty_field_in_a_file_of_one_column_only() {
    let json = r#"{"nulls":[""],"attributes":[{"name":"a","type":"integer","min":0,"max":9,"width":1,"nullable":true}]}"#;
    let schema = Arc::new(Schema::from_json(json).unwrap());
    for text in ["\na\n1\n\n2\n", "a\r\n1\r\n\r\n2", "a\r1\r\r2\r"] {
        let table = read(&schema, &any_line_end(), 1, &mut text.as_bytes().chunks(1)).unwrap();
        assert_eq!(content(&table).0, [[1], [10], [2]], "{text:?}");
    }
    for (text, rows) in [
        ("a\n1\n\n", 1),
        ("a\n1\n\n\r\n\n", 1),
        ("a\r\n1\r\n\r\n", 1),
        ("a\r1\r\r", 1),
        ("a\n1\n\"\"\n", 2),
        ("a\n\n\n", 0),
        ("a\n\n1", 2),
        ("a\n\"1\"\n\n", 1),
    ] {
        for (window, size) in [(1, 1), (1 << 18, 3), (1 << 18, 100)] {
            let table = read(&schema, &any_line_end(), window, &mut text.as_bytes().chunks(size));
            assert_eq!(table.unwrap().rows(), rows, "{text:?}");
        }
    }
}

#[test]
fn many_blocks_are_one_table() {
    let schema = schema();
    let (row, codes) = ("NA,5,0.25,1999-12-31,Y\n", vec![1, 2, 1, 49, 1]);
    let text = "text,whole,real,day,yes\n".to_owned() + &row.repeat(100_000);
    let table = read(&schema, &ReadOptions::default(), 1 << 18, &mut text.as_bytes().chunks(9_999)).unwrap();
    assert_eq!(table.rows(), 100_000);
    assert!((0..table.rows()).all(|r| table.columns().iter().zip(&codes).all(|(c, code)| c.get(r) == *code)));
}

#[test]
fn a_return_before_a_line_feed_belongs_to_no_category() {
    let json = r#"{"nulls":[],"attributes":[{"name":"a","type":"category","values":["x","y"]},
        {"name":"b","type":"category","values":["p","q"]}]}"#;
    let schema = Arc::new(Schema::from_json(json).unwrap());
    for text in ["a,b\r\nx,p\r\ny,q\r\n", "a,b\r\n\"x\",p\r\ny,\"q\"\r\n", "a,b\rx,p\ry,q"] {
        let table = read(&schema, &any_line_end(), 1 << 18, &mut text.as_bytes().chunks(5)).unwrap();
        assert_eq!(content(&table).0, [[0, 0], [1, 1]], "{text:?}");
    }
}
