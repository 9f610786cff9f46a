//! The splitters against one another and against csv-core; any pieces and any window against the whole.

use super::block::{BEFORE, Block};
use super::csv::Csv;
use super::index::Index;
use super::options::{Dialect, Framing, LineEnd};
use super::records::{Record, RecordEnd, Records, Row};
use super::split::Defect;
use csv_core::{ReadFieldResult, ReaderBuilder, Terminator};
use proptest::prelude::*;

/// Text made of what decides where fields and rows end.
fn nasty() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => Just("\n"), 4 => Just(","), 3 => Just("\""), 2 => Just("\r\n"), 1 => Just("\r"), 3 => Just("a"),
        2 => Just("\"b,\n\"\"c\""), 1 => Just("é"), 1 => Just("0123456789012345678901234567890123456789012345678"),
    ];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat().into_bytes())
}

/// Rows of one length as writers make them: fields quoted where they must be, or always.
fn tidy() -> impl Strategy<Value = (usize, Vec<u8>)> {
    let field = prop_oneof![4 => "[a-z0-9é]{0,9}", 1 => "[a,\"\n\r]{1,9}", 1 => "[a-z]{60,70}"];
    let rows = (1usize..5).prop_flat_map(move |columns| {
        let row = prop::collection::vec(field.clone(), columns..=columns);
        (Just(columns), prop::collection::vec(row, 0..30))
    });
    (rows, any::<bool>(), any::<bool>()).prop_map(|((columns, rows), always, returns)| {
        let end = if returns { "\r\n" } else { "\n" };
        let write = |field: &String| match field.contains([',', '"', '\n', '\r']) || always {
            true => format!("\"{}\"", field.replace('"', "\"\"")),
            false => field.clone(),
        };
        let line = |row: &Vec<String>| row.iter().map(write).collect::<Vec<_>>().join(",") + end;
        (columns, rows.iter().map(line).collect::<String>().into_bytes())
    })
}

fn texts(block: &Block<'_>) -> Vec<Vec<Vec<u8>>> {
    let mut rows = vec![Vec::new(); block.rows];
    for column in 0..block.columns {
        let mut fields = Vec::new();
        block.each(column, &mut Vec::new(), |text| fields.push(text.to_vec()));
        rows.iter_mut().zip(fields).for_each(|(row, field)| row.push(field));
    }
    rows
}

/// All rows of one text, up to the first that is not as it should be.
fn split(
    text: &[u8],
    dialect: Dialect,
    columns: usize,
    window: usize,
) -> (Vec<Vec<Vec<u8>>>, Option<Defect>) {
    let mut csv = Csv::new(dialect, false, window);
    csv.header(vec![b','; columns - 1].as_slice(), true).unwrap();
    if columns == 1 {
        csv.header(b"x", true).unwrap();
    }
    let (mut rows, mut at) = (Vec::new(), 0);
    loop {
        let mut split = csv.split(&text[at..], true);
        if split.rows > 0 {
            rows.extend(texts(&csv.block(&split, &text[at..])));
        }
        at += split.bytes;
        if split.bytes == 0 || !split.bad.is_empty() {
            assert!(!split.bad.is_empty() || at == text.len());
            return (rows, split.bad.pop().map(|(_, defect)| defect));
        }
    }
}

fn peer(text: &[u8]) -> Vec<Vec<Vec<u8>>> {
    let mut reader = ReaderBuilder::new().terminator(Terminator::CRLF).build();
    let (mut rows, mut row, mut field) = (Vec::new(), Vec::new(), Vec::new());
    let (mut text, mut buffer) = (text, [0; 16]);
    loop {
        let (result, read, written) = reader.read_field(text, &mut buffer);
        text = &text[read..];
        field.extend_from_slice(&buffer[..written]);
        match result {
            ReadFieldResult::Field { record_end } => {
                row.push(std::mem::take(&mut field));
                if record_end {
                    rows.push(std::mem::take(&mut row));
                }
            }
            ReadFieldResult::End => return rows,
            ReadFieldResult::InputEmpty | ReadFieldResult::OutputFull => {}
        }
    }
}

/// What the careful splitter alone finds in whole rows of one length; nothing if there is anything else.
fn careful(text: &[u8], dialect: Dialect, columns: usize) -> Option<Vec<Vec<Vec<u8>>>> {
    let mut records = Records::default();
    records.clear();
    let (mut at, mut rows) = (0, 0);
    while at < text.len() {
        match records.read(text, at, dialect, columns, false) {
            Record::Row { next, row: Row { fields, stray: false, .. } } if fields == columns => {
                (at, rows) = (next, rows + 1);
            }
            _ => return None,
        }
    }
    let (text, bounds) = (&records.text[..], &records.bounds[..]);
    Some(texts(&Block { text, bounds, columns, rows, quoted: false, returns: false }))
}

fn fast(text: &[u8], dialect: Dialect, columns: usize) -> Option<(usize, Vec<Vec<Vec<u8>>>)> {
    let mut index = Index::default();
    let found = index.find(text, dialect, columns)?;
    assert_eq!(index.bounds()[0], BEFORE);
    let (quoted, returns) = (found.quoted, found.returns);
    let block = Block { text, bounds: index.bounds(), columns, rows: found.rows, quoted, returns };
    Some((found.bytes, texts(&block)))
}

fn dialect() -> impl Strategy<Value = Dialect> {
    let framing = prop::sample::select(vec![Framing::Quoted, Framing::Lines]);
    let line_end = prop::sample::select(vec![LineEnd::Lf, LineEnd::Crlf, LineEnd::Any]);
    (framing, line_end).prop_map(|(framing, line_end)| Dialect { framing, line_end, ..Dialect::default() })
}

const ANY: Dialect =
    Dialect { delimiter: b',', decimal_comma: false, framing: Framing::Quoted, line_end: LineEnd::Any };

/// Where the first record of a text ends by the definition: the first line end that is none of quoted text. Nothing where there
/// is none. A lone return at the very end is half of a line end.
fn end_of_record(text: &[u8], dialect: Dialect) -> Option<usize> {
    let (mut at, mut start, mut quoted) = (0, true, false);
    while let Some(byte) = text.get(at) {
        let after = &text[at + 1..];
        if quoted {
            match (byte, after.first()) {
                (b'"', Some(b'"')) => at += 1,
                (b'"', _) => (quoted, start) = (false, false),
                _ => {}
            }
            at += 1;
            continue;
        }
        match (byte, after.first(), dialect.line_end) {
            (b'\n', _, LineEnd::Lf | LineEnd::Any) => return Some(at + 1),
            (b'\r', Some(b'\n'), _) => return Some(at + 2),
            (b'\r', None, _) | (b'\r', _, LineEnd::Any) => return Some(at + 1),
            (b'"', ..) if start && dialect.framing == Framing::Quoted => quoted = true,
            _ => start = *byte == dialect.delimiter,
        }
        at += 1;
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn rows_are_those_of_csv_core(text in nasty(), columns in 2usize..4, window in 1usize..200) {
        let (ours, defect) = split(&text, ANY, columns, window);
        let theirs = peer(&text);
        prop_assert_eq!(&ours[..], &theirs[..ours.len()]);
        match defect {
            None => prop_assert_eq!(ours.len(), theirs.len()),
            Some(Defect::Ragged(fields)) => {
                prop_assert_ne!(fields, columns);
                prop_assert_eq!(theirs[ours.len()].len(), fields);
            }
            Some(Defect::Open) => prop_assert_eq!(theirs.len(), ours.len() + 1),
            Some(other) => prop_assert_eq!(other, Defect::Stray),
        }
    }

    #[test]
    fn the_window_changes_nothing(
        text in nasty(), dialect in dialect(), columns in 1usize..4, window in 1usize..200,
    ) {
        prop_assert_eq!(split(&text, dialect, columns, window), split(&text, dialect, columns, 1 << 18));
    }

    #[test]
    fn records_end_where_the_definition_says(text in nasty(), dialect in dialect(), cut in 0usize..9) {
        let expected = end_of_record(&text, dialect);
        let mut records = Records::default();
        records.clear();
        if !text.is_empty() {
            let last = records.read(&text, 0, dialect, 9, true);
            prop_assert_eq!(
                match last {
                    Record::Row { next, .. } | Record::Blank { next } | Record::Open { next } => next,
                    Record::Unfinished => 0,
                },
                expected.unwrap_or(text.len())
            );
            // A return at the end may be followed by a line feed.
            let known = expected.filter(|end| *end < text.len() || text[end - 1] != b'\r');
            let more = records.read(&text, 0, dialect, 9, false);
            prop_assert_eq!(more == Record::Unfinished, known.is_none());
        }
        let whole = [&text[..], b"x"].concat();
        let (before, after) = whole.split_at(cut.min(whole.len()));
        let mut end = RecordEnd::new(dialect);
        let found = end.find(before).or_else(|| end.find(after).map(|at| before.len() + at));
        prop_assert_eq!(found, end_of_record(&whole, dialect));
    }

    #[test]
    fn the_fast_way_agrees_with_the_careful_one(text in nasty(), dialect in dialect(), columns in 1usize..4) {
        if let Some((bytes, rows)) = fast(&text, dialect, columns) {
            let slow = careful(&text[..bytes], dialect, columns);
            prop_assert!(slow.is_some() || columns == 1);
            prop_assert_eq!(rows, slow.unwrap_or_else(|| split(&text[..bytes], dialect, 1, 7).0));
        }
    }

    #[test]
    fn tidy_text_goes_the_fast_way((columns, text) in tidy()) {
        let (bytes, rows) = fast(&text, Dialect::default(), columns).unwrap();
        prop_assert_eq!(Some((bytes, rows.clone())), fast(&text, ANY, columns));
        prop_assert_eq!(bytes, text.len());
        if columns > 1 {
            prop_assert_eq!(&rows, &peer(&text));
        }
        prop_assert_eq!(split(&text, Dialect::default(), columns, 100), (rows, None));
    }
}
