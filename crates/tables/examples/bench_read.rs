//! How fast text becomes codes, beside the bare tokenising of csv-core; prints JSON.
//!
//! `cargo run --release -p marginalia-tables --example bench_read [rows] [columns] [plain|quoted|crlf|wide]`

use csv_core::{ReadRecordResult, ReaderBuilder};
use marginalia_tables::read::{ReadOptions, Reader};
use marginalia_tables::{Schema, Table};
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

const REPEATS: usize = 5;

/// A generator good enough for test data (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014).
struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) % n
    }
}

/// Columns by turns: small integers, two letters, integers up to 99, category texts; or wide ones.
fn attribute(i: usize, wide: bool) -> String {
    match (wide, i % 4) {
        (true, 0) => format!(r#"{{"name":"c{i}","type":"number","cuts":[0,250,500,750,1000],"decimals":6}}"#),
        (true, 1) => {
            format!(r#"{{"name":"c{i}","type":"date","from":"2000-01-01","to":"2027-12-31","step":"month"}}"#)
        }
        (true, 2) => {
            let values: Vec<String> = (0..100).map(|v| format!("\"category number {v}\"")).collect();
            format!(r#"{{"name":"c{i}","type":"category","values":[{}]}}"#, values.join(","))
        }
        (false, 1) => format!(r#"{{"name":"c{i}","type":"category","values":["F","M"]}}"#),
        (false, 3) => {
            let values: Vec<String> = (0..30).map(|v| format!("\"v{v}\"")).collect();
            format!(r#"{{"name":"c{i}","type":"category","values":[{}]}}"#, values.join(","))
        }
        _ => {
            let max = [9, 9, 99, 99][i % 4];
            format!(r#"{{"name":"c{i}","type":"integer","min":0,"max":{max},"width":1}}"#)
        }
    }
}

fn field(i: usize, wide: bool, random: &mut SplitMix) -> String {
    match (wide, i % 4) {
        (true, 0) => format!("{}.{:06}", random.below(1000), random.below(1_000_000)),
        (true, 1) => {
            format!("20{:02}-{:02}-{:02}", random.below(28), random.below(12) + 1, random.below(28) + 1)
        }
        (true, 2) => format!("category number {}", random.below(100)),
        (false, 0) => random.below(10).to_string(),
        (false, 1) => ["F", "M"][random.below(2) as usize].into(),
        (false, 3) => format!("v{}", random.below(30)),
        _ => random.below(100).to_string(),
    }
}

fn generate(rows: usize, columns: usize, style: &str) -> String {
    let (wide, quoted) = (style == "wide", style == "quoted");
    let end = if style == "crlf" { "\r\n" } else { "\n" };
    let mut random = SplitMix(1);
    let mut text = (0..columns).map(|i| format!("c{i}")).collect::<Vec<_>>().join(",") + end;
    for _ in 0..rows {
        for i in 0..columns {
            let quote = if quoted && i % 4 % 2 == 1 { "\"" } else { "" };
            let between = if i + 1 < columns { "," } else { end };
            write!(text, "{quote}{}{quote}{between}", field(i, wide, &mut random)).expect("memory suffices");
        }
    }
    text
}

fn read(text: &str, schema: &Arc<Schema>) -> Table {
    let mut reader =
        Reader::new(schema.clone(), ReadOptions::default()).expect("the options are the defaults");
    for piece in text.as_bytes().chunks(1 << 16) {
        reader.push(piece).expect("the text fits its schema");
    }
    reader.finish().expect("the text fits its schema")
}

fn tokenise(text: &str) -> usize {
    let mut reader = ReaderBuilder::new().build();
    let (mut rest, mut fields, mut output, mut ends) = (text.as_bytes(), 0, [0; 1 << 12], [0; 1 << 8]);
    loop {
        let (result, read, _, found) = reader.read_record(rest, &mut output, &mut ends);
        rest = &rest[read..];
        fields += found;
        if result == ReadRecordResult::End {
            return fields;
        }
    }
}

fn fastest(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..REPEATS).map(time).fold(f64::INFINITY, f64::min)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default| arguments.get(i).map_or(default, |a| a.parse().expect("a whole number"));
    let (rows, columns) = (number(0, 1_000_000), number(1, 20));
    let style = arguments.get(2).map_or("plain", String::as_str);
    let attributes: Vec<String> = (0..columns).map(|i| attribute(i, style == "wide")).collect();
    let json = format!(r#"{{"nulls":[""],"attributes":[{}]}}"#, attributes.join(","));
    let schema = Arc::new(Schema::from_json(&json).expect("the schema is sound"));
    let text = generate(rows, columns, style);
    assert_eq!(read(&text, &schema).rows(), rows);
    assert_eq!(tokenise(&text), (rows + 1) * columns);
    let seconds = [fastest(|| drop(read(&text, &schema))), fastest(|| assert!(tokenise(&text) > 0))];
    let figures = |seconds: f64| {
        let (mb, fields) = (text.len() as f64 / 1e6, (rows * columns) as f64);
        format!(r#"{{"mbPerSecond":{:.0},"nsPerField":{:.2}}}"#, mb / seconds, seconds * 1e9 / fields)
    };
    println!(
        r#"{{"rows":{rows},"columns":{columns},"style":"{style}","bytes":{},"read":{},"csvCore":{}}}"#,
        text.len(),
        figures(seconds[0]),
        figures(seconds[1])
    );
}
