//! Lines that are no rows, and the neighbours of differential privacy.

use super::*;
use crate::read::Encoding;
use proptest::prelude::*;

const SCHEMA: &str = r#"{"nulls":[""],"attributes":[
    {"name":"a","type":"category","values":["x","y","\"q\""],"other":null},
    {"name":"b","type":"integer","lows":[0,5],"max":9,"other":"clamp","nullable":true},
    {"name":"c","type":"category","values":["r\ra"],"other":"else"}]}"#;

#[derive(Default)]
struct Rows(Vec<(Vec<u16>, Option<Vec<u8>>)>);

impl RowSink for Rows {
    fn take(&mut self, codes: &[&[u16]], names: Option<&Names>) -> Result<()> {
        for row in 0..codes[0].len() {
            self.0.push((codes.iter().map(|c| c[row]).collect(), names.map(|n| n.get(row).to_vec())));
        }
        Ok(())
    }
}

fn read(format: Format, name: bool, bad: BadRows, pieces: &[&[u8]]) -> Result<Rows> {
    read_by(WINDOW, format, name, bad, pieces)
}

fn read_by(window: usize, format: Format, name: bool, bad: BadRows, pieces: &[&[u8]]) -> Result<Rows> {
    let schema = Arc::new(Schema::from_json(SCHEMA).unwrap());
    let name = name.then(|| "id".into());
    let mut reader = LineReader::with_window(schema, format, name, (bad, Encoding::Utf8), window)?;
    let mut rows = Rows::default();
    for piece in pieces {
        reader.push(piece, &mut rows)?;
    }
    reader.finish(&mut rows)?;
    Ok(rows)
}

const CSV: Format = Format::Csv { delimiter: b',', decimal_comma: false };

#[test]
fn a_line_that_is_no_row_is_dropped_or_absent_and_its_neighbours_stay() {
    let text = "id,c,b,a\n1,r,7,x\n2,\"open,1,y\n3,,3,y\n4,too,many,1,x\n\u{ff}\n5,\"r\ra\",-3,\"\"\"q\"\"\"\n\n6,lone\rreturn,1,x\n7,\"two\nlines\",8,x";
    let text: Vec<u8> = text.chars().map(|c| if c == '\u{ff}' { 0xff } else { c as u8 }).collect();
    let dropped = read(CSV, true, BadRows::Drop, &[&text]).unwrap();
    let row = |codes: [u16; 3], id: &str| (codes.to_vec(), Some(id.as_bytes().to_vec()));
    assert_eq!(dropped.0, [row([0, 1, 1], "1"), row([1, 0, 1], "3"), row([2, 0, 0], "5")]);
    let absent = read(CSV, true, BadRows::Null, &[&text]).unwrap();
    let ids: Vec<&[u8]> = absent.0.iter().map(|(_, id)| id.as_deref().unwrap()).collect();
    assert_eq!(ids, [b"1".as_slice(), b"", b"3", b"", b"", b"5", b"", b"", b""]);
    assert_eq!(absent.0[1].0, [3, 2, 1]);
}

#[test]
fn only_the_header_can_be_refused_and_no_name_of_the_file_is_told() {
    for (text, code) in [
        ("", Code::ColumnMissing),
        ("SECRET\n1\n", Code::ColumnMissing),
        ("a,a,b,c,id\n", Code::ColumnDuplicate),
        ("a,b,c,id,id\n", Code::ColumnDuplicate),
        ("a,b,c,SECRET\n", Code::ColumnMissing),
        ("a,b,\"c\nSECRET\",id\n", Code::TextInvalid),
    ] {
        let error = read(CSV, true, BadRows::Drop, &[text.as_bytes()]).err().unwrap();
        assert_eq!(error.code, code, "{text}");
        assert!(!error.message.contains("SECRET"), "{error}");
    }
    assert_eq!(read(CSV, true, BadRows::Drop, &[b"a,b,c,id,other\n"]).unwrap().0.len(), 0);
    let partial =
        r#"{"nulls":[],"attributes":[{"name":"a","type":"integer","lows":[0],"max":1,"other":"clamp"}]}"#;
    let schema = Arc::new(Schema::from_json(partial).unwrap());
    let error = LineReader::new(schema, CSV, None, BadRows::Drop, Encoding::Utf8).err().unwrap();
    assert_eq!(error.code, Code::SchemaInvalid);
}

#[test]
fn an_overlong_line_is_one_bad_row() {
    let head = b"a,b,c\nx,1,z\n";
    let long = vec![b'x'; LONGEST_ROW + 5 * WINDOW];
    let pieces: Vec<&[u8]> =
        [&head[..]].into_iter().chain(long.chunks(1 << 20)).chain([&b"\ny,2,z\n"[..]]).collect();
    assert_eq!(read(CSV, false, BadRows::Drop, &pieces).unwrap().0.len(), 2);
    assert_eq!(read(CSV, false, BadRows::Null, &pieces).unwrap().0.len(), 3);
}

/// Whether a line is too long is a matter of its own length, not of where the pieces of the text are cut, which rows
/// before it decide.
#[test]
fn how_long_a_line_may_be_does_not_depend_on_others() {
    for (length, before, rows) in
        [(LONGEST_ROW - 1, 9, 2), (LONGEST_ROW, 0, 1), (LONGEST_ROW, WINDOW - 12, 1)]
    {
        let mut text = b"more,a,b,c\n".to_vec();
        text.resize(text.len() + before, b'\n');
        text.resize(text.len() + length - b",x,1,z".len(), b'm');
        text.extend_from_slice(b",x,1,z\n,y,2,z\n");
        let read = read(CSV, false, BadRows::Drop, &[&text]).unwrap();
        assert_eq!(read.0.len(), rows, "{length} bytes after {before}");
    }
}

#[test]
fn lines_of_json_are_rows_by_the_same_rules() {
    let text = "{\"id\":7,\"a\":\"x\",\"b\":9,\"more\":1}\n[]\n{\"a\":{}}\n{\"id\":null}\n";
    let rows = read(Format::Ndjson, true, BadRows::Drop, &[text.as_bytes()]).unwrap().0;
    assert_eq!(rows, [(vec![0, 1, 1], Some(b"7".to_vec())), (vec![3, 2, 1], Some(Vec::new()))]);
}

/// A line of what makes readers stumble.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let part = prop::sample::select(vec![
        &b"\""[..],
        b"\"\"",
        b",",
        b"x",
        b"7",
        b"\r",
        b" ",
        b"\xff",
        b"x,1,z",
        b"y,8,\"r\ra\"",
    ]);
    prop::collection::vec(part, 0..7).prop_map(|parts| parts.concat())
}

fn text(lines: &[Vec<u8>]) -> Vec<u8> {
    [b"a,b,c".to_vec()].iter().chain(lines).flat_map(|line| [&line[..], b"\n"].concat()).collect()
}

proptest! {
    /// The neighbours of differential privacy: one line more is at most one row more, and no other changes.
    #[test]
    fn one_line_more_is_at_most_one_row_more(
        lines in prop::collection::vec(line(), 0..12), more in line(), place in any::<prop::sample::Index>(),
        null in any::<bool>(),
    ) {
        let bad = if null { BadRows::Null } else { BadRows::Drop };
        let mut with = lines.clone();
        with.insert(place.index(lines.len() + 1), more.clone());
        let rows = |lines: &[Vec<u8>]| {
            let mut rows = read(CSV, false, bad, &[&text(lines)]).unwrap().0;
            rows.sort();
            rows
        };
        let (mut before, one) = (rows(&lines), rows(std::slice::from_ref(&more)));
        prop_assert!(one.len() <= 1);
        before.extend(one);
        before.sort();
        prop_assert_eq!(before, rows(&with));
    }

    #[test]
    fn any_pieces_give_the_same_rows(lines in prop::collection::vec(line(), 0..12), cut in 1usize..9, last in any::<bool>()) {
        let mut text = text(&lines);
        if !last {
            text.pop();
        }
        let pieces: Vec<&[u8]> = text.chunks(cut).collect();
        let whole = read(CSV, false, BadRows::Null, &[&text]).map(|rows| rows.0);
        prop_assert_eq!(read(CSV, false, BadRows::Null, &pieces).map(|rows| rows.0), whole);
    }

    /// With threads, small windows put many stretches next to each other.
    #[test]
    fn any_windows_give_the_same_rows(
        lines in prop::collection::vec(prop_oneof![line(), Just(b"x,1,z".to_vec())], 0..60), named in any::<bool>(),
        window in 1usize..90, cut in 1usize..400, last in any::<bool>(),
    ) {
        let head = if named { &b"a,b,id\n"[..] } else { b"a,b,c\n" };
        let head = if named { [&b"c,"[..], head].concat() } else { head.to_vec() };
        let lines: Vec<Vec<u8>> = lines.iter().map(|l| if named { [&b"r,"[..], l].concat() } else { l.clone() }).collect();
        let mut text: Vec<u8> =
            [&head[..]].into_iter().chain(lines.iter().flat_map(|line| [&line[..], b"\n"])).collect::<Vec<_>>().concat();
        if !last {
            text.pop();
        }
        let pieces: Vec<&[u8]> = text.chunks(cut).collect();
        let whole = read(CSV, named, BadRows::Null, &[&text]).map(|rows| rows.0);
        prop_assert_eq!(read_by(window, CSV, named, BadRows::Null, &pieces).map(|rows| rows.0), whole);
    }
}
