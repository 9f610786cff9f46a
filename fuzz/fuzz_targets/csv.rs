//! Any bytes, in any pieces and through any window, under any options: no panic, and the same table or the same
//! error as in one piece. What a cell holds never stands in an error.
#![no_main]

use libfuzzer_sys::fuzz_target;
use marginalia_tables::read::{Dialect, Encoding, Format, Framing, Ignore, LineEnd, ReadOptions, Reader};
use marginalia_tables::{Error, Schema, Table};
use std::sync::{Arc, LazyLock};

const JSON: &str = r#"{"nulls":["","NA"],"attributes":[
    {"name":"c","type":"category","values":["a","bb","a longer text","a text of more than sixteen bytes"],"nullable":true},
    {"name":"i","type":"integer","min":-5,"max":99,"width":5,"other":"clamp"},
    {"name":"n","type":"number","cuts":[-1,0,0.5,1e9],"decimals":2,"other":"many","nullable":true},
    {"name":"d","type":"date","from":"1999-12-31","to":"2020-06-01","step":"quarter","other":null},
    {"name":"b","type":"boolean","texts":["N","Y"],"other":"?"},
    {"name":"h","type":"derived","from":"b","values":["x"],"codes":[0,0,0]}]}"#;

static SCHEMA: LazyLock<Arc<Schema>> =
    LazyLock::new(|| Arc::new(Schema::from_json(JSON).expect("the schema is sound")));

const ENCODINGS: [Encoding; 5] =
    [Encoding::Utf8, Encoding::Latin1, Encoding::Utf16, Encoding::Utf16Le, Encoding::Utf16Be];

const LINE_ENDS: [LineEnd; 3] = [LineEnd::Lf, LineEnd::Crlf, LineEnd::Any];

fn options([choice, ends]: [u8; 2]) -> ReadOptions {
    let decimal_comma = choice & 1 == 1;
    let csv = Format::Csv(Dialect {
        delimiter: if decimal_comma { b';' } else { b',' },
        decimal_comma,
        framing: if ends & 1 == 0 { Framing::Quoted } else { Framing::Lines },
        line_end: LINE_ENDS[usize::from(ends >> 1) % 3],
    });
    ReadOptions {
        format: if choice & 2 == 2 { Format::Ndjson } else { csv },
        // UTF-8 is what most files are.
        encoding: if choice & 0x80 == 0 { Encoding::Utf8 } else { ENCODINGS[usize::from(choice >> 4) % 5] },
        weight: (choice & 4 == 4).then(|| "n".to_owned()),
        keep_raw: vec![1, 2, 3],
        ignore: if choice & 8 == 8 { Ignore::All } else { Ignore::default() },
    }
}

fn read<'a>(
    options: ReadOptions,
    window: usize,
    pieces: impl Iterator<Item = &'a [u8]>,
) -> Result<Table, Error> {
    let mut reader = Reader::with_window(SCHEMA.clone(), options, window)?;
    for piece in pieces {
        reader.push(piece)?;
    }
    reader.finish()
}

/// All that a table holds, as bits.
fn content(table: &Table) -> Vec<u64> {
    let codes = table.columns().iter().flat_map(|c| (0..table.rows()).map(|row| u64::from(c.get(row))));
    let raw = table.raw().iter().flat_map(|raw| raw.values.iter().flatten().map(|x| x.to_bits()));
    let weights = table.weights().into_iter().flat_map(|w| w.iter().flatten().map(|x| x.to_bits()));
    let bits: Vec<u64> = codes.chain(raw).chain(weights).collect();
    let sizes = SCHEMA.sizes();
    assert!(
        table
            .columns()
            .iter()
            .zip(sizes)
            .all(|(c, size)| (0..table.rows()).all(|r| u32::from(c.get(r)) < size))
    );
    bits
}

fuzz_target!(|input: &[u8]| {
    let Some(([choice, ends, window, size], bytes)) = input.split_first_chunk::<4>() else { return };
    let options = || options([*choice, *ends]);
    let (window, size) = (usize::from(*window) + 1, usize::from(*size) % 64 + 1);
    // Half of the time the header is a good one, so that the rows are reached.
    let header: &[u8] = if choice & 0x40 == 0 { b"c,i,n,d,b\r\n" } else { b"" };
    let text = [header, bytes].concat();
    let whole = read(options(), 1 << 18, std::iter::once(&text[..])).map(|table| content(&table));
    let pieces = read(options(), window, text.chunks(size)).map(|table| content(&table));
    assert_eq!(whole, pieces);
});
