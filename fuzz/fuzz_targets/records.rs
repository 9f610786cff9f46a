//! Private text: any bytes behind a good header are read without an error, to the same rows in any pieces and through any
//! window, and one conforming record more is at most one row more.
#![no_main]

use libfuzzer_sys::fuzz_target;
use marginalia_tables::read::{
    BadRows, Batch, Dialect, Encoding, Format, Framing, LenientOptions, LenientReader, LineEnd, RowSink,
};
use marginalia_tables::{Result, Schema};
use std::sync::{Arc, LazyLock};

const JSON: &str = r#"{"nulls":["","NA"],"attributes":[
    {"name":"c","type":"category","values":["a","bb","a\nb"],"other":null},
    {"name":"i","type":"integer","min":-5,"max":99,"width":5,"other":"clamp","nullable":true}]}"#;

static SCHEMA: LazyLock<Arc<Schema>> =
    LazyLock::new(|| Arc::new(Schema::from_json(JSON).expect("the schema is sound")));

const LINE_ENDS: [(LineEnd, &[u8]); 3] =
    [(LineEnd::Lf, b"\n"), (LineEnd::Crlf, b"\r\n"), (LineEnd::Any, b"\r")];

#[derive(Default)]
struct Rows(Vec<Vec<u16>>);

impl RowSink for Rows {
    fn take(&mut self, batch: Batch<'_>) -> Result<()> {
        let rows = batch.codes.first().map_or(0, |codes| codes.len());
        self.0.extend((0..rows).map(|row| batch.codes.iter().map(|codes| codes[row]).collect()));
        Ok(())
    }
}

/// The rows of a text, in any order.
fn rows(options: &LenientOptions, window: usize, size: usize, text: &[u8]) -> Vec<Vec<u16>> {
    let mut reader =
        LenientReader::with_window(SCHEMA.clone(), options.clone(), window).expect("the options are sound");
    let mut rows = Rows::default();
    for piece in text.chunks(size) {
        reader.push(piece, &mut rows).expect("no record is refused");
    }
    reader.finish(&mut rows).expect("there is a header");
    rows.0.sort_unstable();
    rows.0
}

fn quoted(field: &[u8]) -> Vec<u8> {
    let inner = field.iter().flat_map(|byte| vec![*byte; 1 + usize::from(*byte == b'"')]);
    [b'"'].into_iter().chain(inner).chain([b'"']).collect()
}

fuzz_target!(|input: &[u8]| {
    let Some(([choice, window, size], bytes)) = input.split_first_chunk::<3>() else { return };
    let (line_end, end) = LINE_ENDS[usize::from(choice >> 2) % 3];
    let framing = if choice & 1 == 0 { Framing::Quoted } else { Framing::Lines };
    let options = LenientOptions {
        format: Format::Csv(Dialect { framing, line_end, ..Dialect::default() }),
        encoding: Encoding::Utf8,
        bad_rows: if choice & 2 == 0 { BadRows::Drop } else { BadRows::Null },
        name: None,
    };
    let (window, size) = (usize::from(*window) + 1, usize::from(*size) % 64 + 1);
    let text = [b"i,c", end, bytes].concat();
    let whole = rows(&options, 1 << 18, 1 << 18, &text);
    assert_eq!(whole, rows(&options, window, size, &text));
    if framing == Framing::Quoted {
        // Each piece of the input is a field, and every two are a record.
        let fields: Vec<Vec<u8>> = bytes.chunks(usize::from(choice >> 4) + 1).map(quoted).collect();
        let records: Vec<Vec<u8>> = fields.chunks_exact(2).map(|pair| pair.join(&b","[..])).collect();
        let written = |records: &[Vec<u8>]| {
            let text: Vec<u8> = records.iter().flat_map(|record| [&record[..], end].concat()).collect();
            rows(&options, window, size, &[b"i,c", end, &text].concat())
        };
        if let Some((more, others)) = records.split_last() {
            let (mut before, one) = (written(others), written(std::slice::from_ref(more)));
            assert!(one.len() <= 1);
            before.extend(one);
            before.sort_unstable();
            assert_eq!(before, written(&records));
        }
    }
});
