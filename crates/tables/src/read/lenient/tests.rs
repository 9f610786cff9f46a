//! Records that are no rows, and the neighbours of differential privacy.

use super::*;
use proptest::prelude::*;

const SCHEMA: &str = r#"{"nulls":[""],"attributes":[
    {"name":"a","type":"category","values":["x","y","\"q\""],"other":null},
    {"name":"b","type":"integer","lows":[0,5],"max":9,"other":"clamp","nullable":true},
    {"name":"c","type":"category","values":["r\ra"],"other":"else"}]}"#;

/// The codes of each row, and its name; in any order where two texts are compared.
type Rows = Vec<(Vec<u16>, Option<Vec<u8>>)>;

#[derive(Default)]
struct Kept {
    rows: Rows,
    bad: Vec<Flaw>,
}

impl RowSink for Kept {
    fn take(&mut self, batch: Batch<'_>) -> Result<()> {
        for row in 0..batch.codes[0].len() {
            let name = batch.names.map(|names| names.get(row).to_vec());
            self.rows.push((batch.codes.iter().map(|c| c[row]).collect(), name));
        }
        self.bad.extend(batch.bad.iter().map(|bad| bad.flaw));
        Ok(())
    }
}

fn csv(framing: Framing, line_end: LineEnd) -> Format {
    Format::Csv(Dialect { framing, line_end, ..Dialect::default() })
}

fn quoted() -> Format {
    csv(Framing::Quoted, LineEnd::Lf)
}

fn lines() -> Format {
    csv(Framing::Lines, LineEnd::Lf)
}

fn read(format: Format, name: bool, bad_rows: BadRows, pieces: &[&[u8]]) -> Result<Kept> {
    read_by(WINDOW, format, name, bad_rows, pieces)
}

fn read_by(window: usize, format: Format, name: bool, bad_rows: BadRows, pieces: &[&[u8]]) -> Result<Kept> {
    let schema = Arc::new(Schema::from_json(SCHEMA).unwrap());
    let name = name.then(|| "id".into());
    let options = LenientOptions { format, encoding: Encoding::Utf8, bad_rows, name };
    let mut reader = LenientReader::with_window(schema, options, window)?;
    let mut kept = Kept::default();
    for piece in pieces {
        reader.push(piece, &mut kept)?;
    }
    reader.finish(&mut kept)?;
    Ok(kept)
}

#[test]
fn a_record_that_is_no_row_is_dropped_or_absent_and_its_neighbours_stay() {
    let text = b"id,c,b,a\n1,r,7,x\n2,\"two\nlines\",1,y\n3,,3,y\n4,too,many,1,x\n\xff\n5,\"r\ra\",-3,\"\"\"q\"\"\"\n\n\
        6,lone\rreturn,1,x\n7,\"a\"b,8,x\n8,,1,\"x\r\ny\"\r\n9,\"open,8,x\n10,,1,x";
    let row = |codes: [u16; 3], id: &str| (codes.to_vec(), Some(id.as_bytes().to_vec()));
    let (one, three, five) = (row([0, 1, 1], "1"), row([1, 0, 1], "3"), row([2, 0, 0], "5"));
    let records = read(quoted(), true, BadRows::Drop, &[text]).unwrap();
    let more = [row([1, 0, 1], "2"), row([0, 0, 1], "6"), row([3, 0, 1], "8")];
    assert_eq!(
        records.rows,
        [&[one.clone(), more[0].clone(), three.clone(), five.clone()], &more[1..]].concat()
    );
    assert_eq!(records.bad, [Flaw::Ragged, Flaw::NotText, Flaw::Stray, Flaw::Open]);
    let absent = read(quoted(), true, BadRows::Null, &[text]).unwrap();
    assert_eq!(absent.rows.iter().filter(|row| **row == (vec![3, 2, 1], Some(Vec::new()))).count(), 4);
    let as_lines = read(lines(), true, BadRows::Drop, &[text]).unwrap();
    assert_eq!(as_lines.rows, [one, three, five, more[1].clone(), row([0, 0, 1], "10")]);
    assert_eq!(as_lines.bad.len(), 8);
}

#[test]
fn a_record_ends_where_the_dialect_says() {
    let text = b"b,c,a\r\n1,p\nq,x\r\n2,r\rs,y\r\n";
    let rows = |line_end, bad: usize| {
        let kept = read(csv(Framing::Quoted, line_end), false, BadRows::Drop, &[text]).unwrap();
        assert_eq!(kept.bad.len(), bad);
        kept.rows.into_iter().map(|(codes, _)| codes).collect::<Vec<_>>()
    };
    assert_eq!(rows(LineEnd::Crlf, 0), [[0, 0, 1], [1, 0, 1]]);
    assert_eq!(rows(LineEnd::Lf, 2), [[1, 0, 1]]);
    assert_eq!(rows(LineEnd::Any, 4), [[0u16; 3]; 0]);
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
        ("a,b,c,id\rSECRET,1,2,3\n", Code::TextInvalid),
    ] {
        let error = read(quoted(), true, BadRows::Drop, &[text.as_bytes()]).err().unwrap();
        assert_eq!(error.code, code, "{text}");
        assert!(!error.message.contains("SECRET"), "{error}");
    }
    assert_eq!(read(quoted(), true, BadRows::Drop, &[b"a,b,c,id,other\n"]).unwrap().rows.len(), 0);
    let partial =
        r#"{"nulls":[],"attributes":[{"name":"a","type":"integer","lows":[0],"max":1,"other":"clamp"}]}"#;
    let schema = Arc::new(Schema::from_json(partial).unwrap());
    let options =
        LenientOptions { format: quoted(), encoding: Encoding::Utf8, bad_rows: BadRows::Drop, name: None };
    assert_eq!(LenientReader::new(schema, options).err().unwrap().code, Code::SchemaInvalid);
}

#[test]
fn an_overlong_record_is_one_bad_row() {
    let head = b"a,b,c\nx,1,z\n";
    let long = vec![b'x'; LONGEST_ROW + 5 * WINDOW];
    for (before, after) in [(&b""[..], &b"\ny,2,z\n"[..]), (b"\"", b"\nz\"\",\n\"\ny,2,z\n")] {
        let long = [before, &long].concat();
        let pieces: Vec<&[u8]> = [&head[..]].into_iter().chain(long.chunks(1 << 20)).chain([after]).collect();
        let dropped = read(quoted(), false, BadRows::Drop, &pieces).unwrap();
        assert_eq!((dropped.rows.len(), dropped.bad), (2, vec![Flaw::TooLong]));
        assert_eq!(read(quoted(), false, BadRows::Null, &pieces).unwrap().rows.len(), 3);
    }
}

/// Whether a record is too long is a matter of its own length, not of where the pieces of the text are cut, which rows
/// before it decide.
#[test]
fn how_long_a_record_may_be_does_not_depend_on_others() {
    for (length, before, rows) in
        [(LONGEST_ROW - 1, 9, 2), (LONGEST_ROW, 0, 1), (LONGEST_ROW, WINDOW - 12, 1)]
    {
        let mut text = b"more,a,b,c\n".to_vec();
        text.resize(text.len() + before, b'\n');
        text.resize(text.len() + length - b",x,1,z".len(), b'm');
        text.extend_from_slice(b",x,1,z\n,y,2,z\n");
        let kept = read(quoted(), false, BadRows::Drop, &[&text]).unwrap();
        assert_eq!(kept.rows.len(), rows, "{length} bytes after {before}");
    }
}

#[test]
fn lines_of_json_are_rows_by_the_same_rules() {
    let text =
        "{\"id\":7,\"a\":\"x\",\"b\":9,\"more\":1}\n[]\n{\"a\":{}}\n{\"id\":null}\n{\"a\":\"\\ud800\"}\n";
    let kept = read(Format::Ndjson, true, BadRows::Drop, &[text.as_bytes()]).unwrap();
    assert_eq!(kept.rows, [(vec![0, 1, 1], Some(b"7".to_vec())), (vec![3, 2, 1], Some(Vec::new()))]);
    assert_eq!(kept.bad, [Flaw::NotFlat; 3]);
}

/// The contents of a field that make readers stumble.
fn content() -> impl Strategy<Value = Vec<u8>> {
    let part = prop::sample::select(vec![
        &b"\""[..],
        b"\"\"",
        b",",
        b"x",
        b"7",
        b"\r",
        b"\n",
        b"\r\n",
        b" ",
        b"\0",
        b"\xef\xbb\xbf",
        b"\xff",
        b"\xf0\x9f",
        b"\nx,1,z,p1\n",
        b"\",\n\"",
        b"y\",8,\"r\ra\n",
        b"0123456789012345678901234567890123456789012345678901234567890123",
    ]);
    prop_oneof![
        3 => prop::sample::select(vec![&b"x"[..], b"y", b"7", b"p1", b"p2", b""]).prop_map(<[u8]>::to_vec),
        1 => prop::collection::vec(part, 0..5).prop_map(|parts| parts.concat()),
    ]
}

/// How a conforming writer writes records.
#[derive(Debug, Clone, Copy)]
struct Writer {
    always: bool,
    line_end: &'static [u8],
    ended: bool,
    columns: usize,
}

fn writer() -> impl Strategy<Value = (Writer, LineEnd)> {
    let ends: [(&[u8], _); 5] = [
        (b"\n", LineEnd::Lf),
        (b"\r\n", LineEnd::Lf),
        (b"\r\n", LineEnd::Crlf),
        (b"\n", LineEnd::Any),
        (b"\r", LineEnd::Any),
    ];
    (
        any::<bool>(),
        prop::sample::select(ends.to_vec()),
        any::<bool>(),
        prop::sample::select(vec![1usize, 4, 5]),
    )
        .prop_map(|(always, (line_end, read_as), ended, columns)| {
            (Writer { always, line_end, ended, columns }, read_as)
        })
}

impl Writer {
    /// The text of records, the last without an end where ends stand between records only.
    fn write(self, records: &[[Vec<u8>; 5]]) -> Vec<u8> {
        let names = ["a", "b", "c", "id", "more"].map(|name| name.as_bytes().to_vec());
        let names = if self.columns == 1 {
            ["c", "", "", "", ""].map(|name| name.as_bytes().to_vec())
        } else {
            names
        };
        let rows: Vec<Vec<u8>> = [&names].into_iter().chain(records).map(|row| self.record(row)).collect();
        let mut text = rows.join(self.line_end);
        if self.ended {
            text.extend_from_slice(self.line_end);
        }
        text
    }

    fn record(self, fields: &[Vec<u8>; 5]) -> Vec<u8> {
        let field = |field: &Vec<u8>| {
            if !self.always && !field.iter().any(|byte| matches!(byte, b'"' | b',' | b'\r' | b'\n')) {
                return field.clone();
            }
            let inner: Vec<u8> =
                field.iter().flat_map(|byte| vec![*byte; 1 + usize::from(*byte == b'"')]).collect();
            [b"\"", &inner[..], b"\""].concat()
        };
        fields[..self.columns].iter().map(field).collect::<Vec<_>>().join(&b","[..])
    }
}

/// The rows of a text under a schema of `c` alone, or of all with names.
fn rows_of(text: &[u8], writer: Writer, format: Format, bad: BadRows, window: usize) -> Rows {
    let mut kept = Kept::default();
    let schema = if writer.columns == 1 {
        r#"{"nulls":[""],"attributes":[{"name":"c","type":"category","values":["x","y"],"other":"else"}]}"#
    } else {
        SCHEMA
    };
    let name = (writer.columns > 1).then(|| "id".into());
    let options = LenientOptions { format, encoding: Encoding::Utf8, bad_rows: bad, name };
    let schema = Arc::new(Schema::from_json(schema).unwrap());
    let mut reader = LenientReader::with_window(schema, options, window).unwrap();
    text.chunks(window / 2 + 1).for_each(|piece| reader.push(piece, &mut kept).unwrap());
    reader.finish(&mut kept).unwrap();
    kept.rows.sort();
    kept.rows
}

/// What the contract says of a text with one record more: the rows before, and at most one more, that of the record alone.
fn is_stable(
    (writer, format, bad, window): (Writer, Format, BadRows, usize),
    records: &[[Vec<u8>; 5]],
    more: &[Vec<u8>; 5],
    place: usize,
) -> bool {
    let mut with = records.to_vec();
    with.insert(place, more.clone());
    let rows = |records: &[[Vec<u8>; 5]]| rows_of(&writer.write(records), writer, format, bad, window);
    let (before, one, after) = (rows(records), rows(std::slice::from_ref(more)), rows(&with));
    let mut expected = before;
    expected.extend(one.clone());
    expected.sort();
    one.len() <= 1 && after == expected
}

fn record() -> impl Strategy<Value = [Vec<u8>; 5]> {
    prop::array::uniform5(content())
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

fn bad_rows() -> impl Strategy<Value = BadRows> {
    prop::sample::select(vec![BadRows::Drop, BadRows::Null])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// The neighbours of differential privacy, whatever the fields hold: the contract of this file.
    #[test]
    fn one_record_more_is_at_most_one_row_more(
        records in prop::collection::vec(record(), 0..12), more in record(), place in any::<prop::sample::Index>(),
        (writer, line_end) in writer(), bad in bad_rows(), window in prop_oneof![1usize..90, Just(WINDOW)],
    ) {
        let place = place.index(records.len() + 1);
        let how = (writer, csv(Framing::Quoted, line_end), bad, window);
        prop_assert!(is_stable(how, &records, &more, place));
    }

    /// The same where lines are rows: then whatever the lines hold.
    #[test]
    fn one_line_more_is_at_most_one_row_more(
        lines in prop::collection::vec(line(), 0..12), more in line(), place in any::<prop::sample::Index>(),
        bad in bad_rows(), window in prop_oneof![1usize..90, Just(WINDOW)],
    ) {
        let mut with = lines.clone();
        with.insert(place.index(lines.len() + 1), more.clone());
        let rows = |lines: &[Vec<u8>]| {
            let mut rows = read_by(window, self::lines(), false, bad, &[&text(lines)]).unwrap().rows;
            rows.sort();
            rows
        };
        let (mut before, one) = (rows(&lines), rows(std::slice::from_ref(&more)));
        prop_assert!(one.len() <= 1);
        before.extend(one);
        before.sort();
        prop_assert_eq!(before, rows(&with));
    }

    /// Also of text that no conforming writer wrote. With threads, small windows put many stretches next to each other.
    #[test]
    fn any_pieces_and_windows_give_the_same_rows(
        lines in prop::collection::vec(prop_oneof![line(), Just(b"x,1,z".to_vec())], 0..60), named in any::<bool>(),
        framing in prop::sample::select(vec![Framing::Quoted, Framing::Lines]),
        line_end in prop::sample::select(vec![LineEnd::Lf, LineEnd::Crlf, LineEnd::Any]),
        window in 1usize..90, cut in 1usize..400, last in any::<bool>(),
    ) {
        let end: &[u8] = if line_end == LineEnd::Crlf { b"\r\n" } else { b"\n" };
        let head = if named { b"c,a,b,id".to_vec() } else { b"a,b,c".to_vec() };
        let lines = lines.iter().map(|line| if named { [&b"r,"[..], line].concat() } else { line.clone() });
        let mut text = [head].into_iter().chain(lines).flat_map(|line| [&line[..], end].concat()).collect::<Vec<_>>();
        if !last {
            text.truncate(text.len() - end.len());
        }
        let pieces: Vec<&[u8]> = text.chunks(cut).collect();
        let format = csv(framing, line_end);
        let whole = read(format, named, BadRows::Null, &[&text]).map(|kept| (kept.rows, kept.bad));
        let parts = read_by(window, format, named, BadRows::Null, &pieces).map(|kept| (kept.rows, kept.bad));
        // Rows that bad records count as stand behind the rows of their batch.
        let sorted = |kept: Result<(Rows, Vec<Flaw>)>| kept.map(|(mut rows, bad)| { rows.sort(); (rows, bad) });
        prop_assert_eq!(sorted(parts), sorted(whole));
    }
}

/// The test of the contract finds a reader out that takes lines for records.
#[test]
fn a_reader_of_lines_breaks_the_contract_of_records() {
    let writer = Writer { always: false, line_end: b"\n", ended: true, columns: 4 };
    let field = |text: &str| text.as_bytes().to_vec();
    let forged = format!("hello\n{}bye", "y,1,r,p7\n".repeat(1000));
    let more = [field("x"), field("1"), field(&forged), field("p1"), field("")];
    for bad in [BadRows::Drop, BadRows::Null] {
        let stable = |format| is_stable((writer, format, bad, WINDOW), &[], &more, 0);
        assert_eq!((stable(quoted()), stable(lines())), (true, false));
    }
    let rows = rows_of(&writer.write(&[more]), writer, lines(), BadRows::Null, WINDOW);
    assert_eq!(rows.len(), 1002);
}
