//! Every way in which a text can be refused: the code, and what the message names.

use marginalia_tables::read::{Dialect, Encoding, Format, Ignore, NumberReader, ReadOptions, Reader};
use marginalia_tables::{Code, Error, Result, Schema, Table};
use std::sync::Arc;

const SCHEMA: &str = r#"{"nulls":["NA"],"attributes":[
    {"name":"age","type":"integer","min":0,"max":99,"width":5},
    {"name":"sex","type":"category","values":["F","M"]},
    {"name":"old","type":"derived","from":"sex","values":["x"],"codes":[0,0]}]}"#;

fn schema() -> Arc<Schema> {
    Arc::new(Schema::from_json(SCHEMA).unwrap())
}

fn read(options: ReadOptions, text: &[u8]) -> Result<Table> {
    let mut reader = Reader::new(schema(), options)?;
    reader.push(text)?;
    reader.finish()
}

fn csv(text: &str) -> Error {
    read(ReadOptions::default(), text.as_bytes()).unwrap_err()
}

fn ndjson(text: &str) -> Result<Table> {
    read(ReadOptions { format: Format::Ndjson, ..Default::default() }, text.as_bytes())
}

fn assert_error(error: &Error, code: Code, parts: &[&str]) {
    assert_eq!(error.code, code, "{error}");
    for part in parts {
        assert!(error.message.contains(part), "{part} is not in: {error}");
    }
    assert!(!error.message.contains("secret"), "{error}");
}

#[test]
fn headers() {
    assert_error(&csv(""), Code::ColumnMissing, &["empty", "first line"]);
    assert_error(&csv("\n\r\n"), Code::ColumnMissing, &["empty"]);
    assert_error(&csv("age\n1"), Code::ColumnMissing, &["\"sex\"", "lacks"]);
    assert_error(&csv("1,secret\n"), Code::ColumnMissing, &["\"age\", \"sex\"", "header", "`delimiter`"]);
    assert_error(&csv("age;sex\n"), Code::ColumnMissing, &["`delimiter`"]);
    assert_error(&csv("age,sex,age\n"), Code::ColumnDuplicate, &["\"age\"", "rename"]);
    assert_error(&csv("age,sex,name,\n"), Code::ColumnUndeclared, &["\"name\", \"\"", "`ignore`"]);
    let weighted = ReadOptions { weight: Some("w".into()), ..Default::default() };
    assert_error(&read(weighted, b"age,sex\n").unwrap_err(), Code::ColumnMissing, &["\"w\""]);
    assert_eq!(read(ReadOptions::default(), b"\nsex,age").unwrap().rows(), 0);
}

#[test]
fn undeclared_columns_are_passed_over_on_request() {
    let some = ReadOptions { ignore: Ignore::Columns(vec!["id".into()]), ..Default::default() };
    assert_eq!(read(some.clone(), b"id,sex,id,age\n7,F,8,3\n").unwrap().rows(), 1);
    let error = read(some, b"id,sex,name,age\n7,F,secret,3\n").unwrap_err();
    assert_error(&error, Code::ColumnUndeclared, &["\"name\""]);
    assert!(!error.message.contains("\"id\""));
    let all = ReadOptions { ignore: Ignore::All, ..Default::default() };
    assert_eq!(read(all, b"id,sex,name,age\n7,F,x,3\n").unwrap().rows(), 1);
}

#[test]
fn rows() {
    assert_error(
        &csv("age,sex\n1,F\n\n1\n"),
        Code::RowRagged,
        &["row 2 (row 4 ", "too few", "1 instead of 2"],
    );
    assert_error(
        &csv("age,sex\n1,F,secret\n"),
        Code::RowRagged,
        &["row 1 (row 2 ", "too many", "3 instead of 2"],
    );
    assert_error(&csv("age,sex\n1,\"secret"), Code::TextInvalid, &["row 1 ", "never closed"]);
    assert_error(&csv("age,\"sex"), Code::TextInvalid, &["first line", "never closed"]);
    assert_error(&csv("age,\"sex\"s\n"), Code::TextInvalid, &["first line", "closing quote"]);
    assert_error(&csv("age,sex\n1,\"F\"secret\n"), Code::TextInvalid, &["row 1 ", "double"]);
    let broken = read(ReadOptions::default(), b"age,sex\n1,F\n2,\xff\n").unwrap_err();
    assert_error(&broken, Code::TextInvalid, &["row 2 (row 3 ", "utf-8", "`encoding`"]);
    let broken = read(ReadOptions::default(), b"\xff\xfea\0g\0").unwrap_err();
    assert_error(&broken, Code::TextInvalid, &["first line", "utf-16"]);
    let utf16 = ReadOptions { encoding: Encoding::Utf16Be, ..Default::default() };
    let text: Vec<u8> = "age,sex\n1,F\n".encode_utf16().chain([0xd800]).flat_map(u16::to_be_bytes).collect();
    assert_error(&read(utf16, &text).unwrap_err(), Code::TextInvalid, &["row 2 ", "utf-16"]);
}

#[test]
fn values() {
    assert_error(
        &csv("age,sex\n1,F\n777,F\n"),
        Code::ValueOutside,
        &["row 2 (row 3 ", "\"age\"", "0 to 99", "`other`"],
    );
    assert!(!csv("age,sex\n777,F\n").message.contains("777"));
    assert_error(
        &csv("age,sex\n1,secret\n"),
        Code::ValueOutside,
        &["row 1 ", "\"sex\"", "`nullable`", "`nulls`"],
    );
    assert_error(&csv("age,sex\n1,NA\n"), Code::ValueOutside, &["\"sex\""]);
    let weighted = ReadOptions { weight: Some("w".into()), ..Default::default() };
    for weight in ["-1", "", "NA", "inf", "1e999"] {
        let text = format!("age,sex,w\n1,F,1\n1,F,{weight}\n");
        let error = read(weighted.clone(), text.as_bytes()).unwrap_err();
        assert_error(&error, Code::ValueOutside, &["row 2 ", "\"w\"", "weight"]);
    }
}

#[test]
fn the_first_row_comes_first_then_the_leftmost_column() {
    assert_error(&csv("sex,age\nF,1\nF,x\nx,x\n"), Code::ValueOutside, &["row 2 ", "\"age\""]);
    assert_error(&csv("sex,age\nx,x\n1\n"), Code::ValueOutside, &["row 1 ", "\"sex\""]);
    assert_error(&csv("sex,age\n1\nx,x\n"), Code::RowRagged, &["row 1 "]);
    let options = ReadOptions { weight: Some("w".into()), ..Default::default() };
    assert_error(&read(options, b"w,sex,age\nx,x,x\n").unwrap_err(), Code::ValueOutside, &["\"w\""]);
}

#[test]
fn an_error_stays() {
    let mut reader = Reader::new(schema(), ReadOptions::default()).unwrap();
    let mut first = None;
    for piece in ["age,sex\n1\n".as_bytes(), &[b'\n'; 1 << 19]] {
        first = first.or(reader.push(piece).err());
    }
    let first = first.unwrap();
    assert_eq!(first.code, Code::RowRagged);
    assert_eq!(reader.push(b"1,F\n").unwrap_err(), first);
    assert_eq!(reader.finish().unwrap_err(), first);
}

#[test]
fn a_reader_shows_nothing_of_what_it_read() {
    let mut reader = Reader::new(schema(), ReadOptions::default()).unwrap();
    reader.push(b"age,sex\n1,secret").unwrap();
    assert_eq!(format!("{reader:?}"), "Reader { rows: 0, .. }");
}

#[test]
fn a_row_has_a_longest_length() {
    let mut reader = Reader::new(schema(), ReadOptions::default()).unwrap();
    reader.push(b"age,sex\n1,\"").unwrap();
    let piece = vec![b'x'; 1 << 20];
    let error = (0..65).find_map(|_| reader.push(&piece).err()).unwrap();
    assert_error(&error, Code::TextInvalid, &["row 1 ", "64 MiB", "quote"]);
    assert_eq!(reader.finish().unwrap_err(), error);
}

#[test]
fn json_lines() {
    let text = "{\"age\":35,\"sex\":\"F\"}\n\n {\"sex\":\"\\u004d\", \"age\": 35.0}\r\n{\"age\":\"1e0\",\"sex\":\"F\"}";
    let table = ndjson(text).unwrap();
    let codes = |column: usize| (0..3).map(|row| table.columns()[column].get(row)).collect::<Vec<_>>();
    assert_eq!((codes(0), codes(1)), (vec![7, 7, 0], vec![0, 1, 0]));
    for text in [
        "secret",
        "[1]",
        "{",
        "{}}",
        "{\"age\":[1]}",
        "{\"age\":{\"a\":1}}",
        "{\"age\":01}",
        "{\"age\":.5}",
        "{\"age\":1.}",
        "{\"age\":1e}",
        "{\"age\":+1}",
        "{\"age\":NaN}",
        "{\"age\":}",
        "{\"age\" 1}",
        "{\"age\":1,}",
        "{\"age\":1 \"sex\":2}",
        "{age:1}",
        "{\"age\":\"\\x\"}",
        "{\"age\":\"secret",
        "{\"age\":\"\u{1}\"}",
        "{\"age\":\"\\",
    ] {
        assert_error(&ndjson(&format!("\n{text}\n")).unwrap_err(), Code::JsonInvalid, &["row 1 (line 2) "]);
    }
    assert_error(
        &ndjson("{\"age\":1,\"sex\":\"F\",\"x\":1}").unwrap_err(),
        Code::ColumnUndeclared,
        &["row 1 ", "\"x\""],
    );
    assert_error(
        &ndjson("{\"age\":1,\"age\":1}").unwrap_err(),
        Code::ColumnDuplicate,
        &["row 1 ", "\"age\""],
    );
    assert_error(&ndjson("{\"age\":1}").unwrap_err(), Code::ValueOutside, &["row 1 ", "\"sex\""]);
    assert_error(&ndjson("{\"age\":1,\"sex\":null}").unwrap_err(), Code::ValueOutside, &["\"sex\""]);
    let options = ReadOptions { format: Format::Ndjson, ..Default::default() };
    assert_error(
        &read(options, b"{\"age\":1,\"sex\":\"\xff\"}").unwrap_err(),
        Code::TextInvalid,
        &["row 1 "],
    );
    assert_eq!(ndjson("").unwrap().rows(), 0);
}

#[test]
fn places_are_told_as_their_source_has_them() {
    assert_error(&csv("age,sex\n\n1,x\n"), Code::ValueOutside, &["row 1 (row 3 in a spreadsheet)"]);
    let text = "\n{\"age\":1,\"sex\":1}";
    assert_error(&ndjson(text).unwrap_err(), Code::ValueOutside, &["row 1 (line 2)"]);
    let rows = |text: &str| {
        read(ReadOptions { format: Format::Rows, ..Default::default() }, text.as_bytes()).unwrap_err()
    };
    assert_error(&rows(text), Code::ValueOutside, &["row 1, column"]);
    assert_error(&rows("{\"age\":[1]}"), Code::JsonInvalid, &["row 1 holds an object or a list"]);
    let columns = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let options = ReadOptions { format: Format::Rows, ..Default::default() };
        NumberReader::new(schema(), &options, &names).unwrap_err()
    };
    assert_error(&columns(&["x"]), Code::ColumnMissing, &["the source lacks", "\"age\""]);
    assert_error(&columns(&["age", "sex", "x"]), Code::ColumnUndeclared, &["the source has", "\"x\""]);
}

#[test]
fn json_null_and_absent_keys_are_null() {
    let json = r#"{"nulls":[],"attributes":[{"name":"a","type":"category","values":["","null","true","1e0"],"nullable":true}]}"#;
    let schema = Arc::new(Schema::from_json(json).unwrap());
    let options = ReadOptions {
        format: Format::Ndjson,
        ignore: Ignore::All,
        weight: Some("w".into()),
        ..Default::default()
    };
    let mut reader = Reader::new(schema, options).unwrap();
    reader.push(b"{\"a\":null,\"w\":1}\n{\"w\":2,\"b\":\"\\n\"}\n{\"w\":\"3\",\"a\":\"\"}\n").unwrap();
    reader.push(b"{\"a\":\"null\",\"w\":4}\n{\"a\":true,\"w\":5}\n{\"a\":1e0,\"w\":6}").unwrap();
    let table = reader.finish().unwrap();
    assert_eq!((0..6).map(|row| table.columns()[0].get(row)).collect::<Vec<_>>(), [4, 4, 0, 1, 2, 3]);
    assert_eq!(table.weights().unwrap().get(5), 6.0);
}

#[test]
fn options() {
    let code = |options: ReadOptions| Reader::new(schema(), options).unwrap_err().code;
    for delimiter in [b'"', b'\n', b'\r', 0xe9] {
        let format = Format::Csv(Dialect { delimiter, decimal_comma: false, ..Dialect::default() });
        assert_eq!(code(ReadOptions { format, ..Default::default() }), Code::OptionInvalid);
    }
    for keep_raw in [vec![1], vec![2], vec![3], vec![0, 0]] {
        assert_eq!(code(ReadOptions { keep_raw, ..Default::default() }), Code::OptionInvalid);
    }
    let empty = Arc::new(Schema::from_json(r#"{"nulls":[],"attributes":[]}"#).unwrap());
    assert_eq!(Reader::new(empty, ReadOptions::default()).unwrap_err().code, Code::OptionInvalid);
}
