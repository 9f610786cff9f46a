//! Any text as a schema: no panic; and under every schema that is accepted, every code is below its attribute's
//! size, and a total attribute has a code for every text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use marginalia_tables::Schema;
use marginalia_tables::read::Encoder;

const TEXTS: [&str; 12] = [
    "",
    "NA",
    "0",
    "-1",
    "1e9",
    "0.5",
    "1e400",
    "Infinity",
    "true",
    "2019-06-30",
    "9999-12-31",
    "no such text at all",
];
const NUMBERS: [f64; 7] = [0.0, -1.5, 1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 9e15];

fuzz_target!(|text: &str| {
    let Ok(schema) = Schema::from_json(text) else { return };
    for attribute in schema.base() {
        let encoder = Encoder::new(&schema, attribute, b'.');
        let codes = TEXTS.iter().map(|text| encoder.text(text.as_bytes()));
        for code in codes.chain(NUMBERS.iter().map(|x| encoder.number(*x))) {
            assert!(code.map_or(!attribute.is_total(), |code| usize::from(code) < attribute.size()));
        }
        TEXTS.iter().for_each(|text| assert!(!encoder.raw(text.as_bytes()).is_infinite()));
    }
});
