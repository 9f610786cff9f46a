//! What each text becomes, by kind of attribute and by what its schema says of texts that do not fit.

use marginalia_tables::read::{Dialect, Encoder, Encoding, Format, NumberReader, ReadOptions, Reader};
use marginalia_tables::{Code, Error, Result, Schema, Table};
use std::sync::Arc;

fn schema(nulls: &str, attribute: &str) -> Schema {
    Schema::from_json(&format!(r#"{{"nulls":{nulls},"attributes":[{{"name":"x",{attribute}}}]}}"#)).unwrap()
}

/// The codes of texts under one attribute; `None` where the text is refused.
fn codes<const N: usize>(nulls: &str, attribute: &str, texts: [&str; N]) -> [Option<u16>; N] {
    let schema = schema(nulls, attribute);
    let encoder = Encoder::new(&schema, &schema.base()[0], b'.');
    texts.map(|text| encoder.text(text.as_bytes()))
}

fn read(schema: &Schema, options: ReadOptions, text: &[u8]) -> Result<Table> {
    let mut reader = Reader::new(Arc::new(schema.clone()), options)?;
    reader.push(text)?;
    reader.finish()
}

fn raw(table: &Table) -> Vec<f64> {
    (0..table.rows()).map(|row| table.raw()[0].values.get(row)).collect()
}

const INTEGER: &str = r#""type":"integer","min":0,"max":99,"width":10"#;
const NUMBER: &str = r#""type":"number","cuts":[-1,0,0.5,2],"decimals":2"#;
const DATE: &str = r#""type":"date","from":"2019-01-15","to":"2019-12-31","step":"quarter""#;

#[test]
fn categories_take_their_texts_exactly() {
    let values = r#""type":"category","values":["a","B","","NA"," a","über","a long declared text","1.0"]"#;
    let texts = ["a", "B", "", "NA", " a", "über", "a long declared text", "1.0"];
    assert_eq!(codes(r#"["","NA"]"#, values, texts), [0, 1, 2, 3, 4, 5, 6, 7].map(Some));
    assert_eq!(codes("[]", values, ["b", "a ", "1", "a long declared tex"]), [None; 4]);
}

#[test]
fn booleans_take_usual_texts_that_do_not_contradict_the_declared_ones() {
    let plain = r#""type":"boolean","texts":["N","Y"]"#;
    assert_eq!(
        codes("[]", plain, ["N", " Y", "true", "FALSE", "True", "0", "1 "]),
        [0, 1, 1, 0, 1, 0, 1].map(Some)
    );
    assert_eq!(codes("[]", plain, ["n", "yes", "", "TrUe"]), [None; 4]);
    let reversed = r#""type":"boolean","texts":["1","2"]"#;
    assert_eq!(codes("[]", reversed, ["1", "2", "0", "true"]), [Some(0), Some(1), None, Some(1)]);
    let odd = r#""type":"boolean","texts":["no","yes"],"other":"1","nullable":true"#;
    assert_eq!(codes(r#"["0"]"#, odd, ["1", "0", "true", "?"]), [2, 3, 1, 2].map(Some));
}

#[test]
fn integers_are_whole_however_they_are_written() {
    let texts = ["35", "+35", "35.0", "3.5e1", " 35 ", "-0", "0", "99", "9e1"];
    assert_eq!(codes("[]", INTEGER, texts), [3, 3, 3, 3, 3, 0, 0, 9, 9].map(Some));
    assert_eq!(codes("[]", INTEGER, ["-3", "100", "35.5", "", "3 5", "0x1", "NaN", "Infinity"]), [None; 8]);
    let huge = r#""type":"integer","lows":[-9007199254740992,0,9007199254740992],"max":9007199254740992"#;
    let texts = ["9007199254740991", "9007199254740992", "9007199254740992.0", "-9007199254740992"];
    assert_eq!(codes("[]", huge, texts), [1, 2, 2, 0].map(Some));
    assert_eq!(
        codes("[]", huge, ["9007199254740993", "9007199254740993.0", "9007199254740992.5"]),
        [None; 3]
    );
}

#[test]
fn bins_of_numbers_are_half_open_but_the_last() {
    let texts = ["-1", "-0.0001", "-0", "0", "4.999e-1", ".5", "1.99", "2", "2.0"];
    assert_eq!(codes("[]", NUMBER, texts), [0, 0, 1, 1, 1, 2, 2, 2, 2].map(Some));
    assert_eq!(codes("[]", NUMBER, ["-1.0001", "2.0001", "1e999", "nan", "inf", "1,5"]), [None; 6]);
}

#[test]
fn dates_fall_into_their_periods() {
    let texts = ["2019-01-15", "2019-03-31", "2019-04-01", "2019-12-31T23:59:59Z", " 2019-07-01"];
    assert_eq!(codes("[]", DATE, texts), [0, 0, 1, 3, 2].map(Some));
    assert_eq!(codes("[]", DATE, ["2019-01-14", "2020-01-01", "2019-02-30", "20190401", "43466"]), [None; 5]);
}

#[test]
fn what_does_not_fit_becomes_what_is_declared() {
    let texts = ["-3", "150", "1e30", "?", "NA", "35.5", "inf"];
    let with = |more: &str| codes(r#"["NA"]"#, &format!("{INTEGER},{more}"), texts);
    assert_eq!(with(r#""other":"clamp""#), [Some(0), Some(9), Some(9), None, None, None, None]);
    assert_eq!(with(r#""other":"clamp","nullable":true"#), [0, 9, 9, 10, 10, 10, 10].map(Some));
    assert_eq!(with(r#""other":null"#), [Some(10); 7]);
    assert_eq!(with(r#""other":"unknown""#), [Some(10); 7]);
    assert_eq!(with(r#""other":"unknown","nullable":true"#), [10, 10, 10, 10, 11, 10, 10].map(Some));
    assert_eq!(with(r#""nullable":true"#), [None, None, None, None, Some(10), None, None]);
    assert_eq!(with(r#""nullable":false"#), [None; 7]);
    let number = format!(r#"{NUMBER},"other":"clamp","nullable":true"#);
    assert_eq!(
        codes("[]", &number, ["-9", "9", "1e999", "-1e999", "Infinity", "NaN"]),
        [0, 2, 2, 0, 3, 3].map(Some)
    );
    let date = format!(r#"{DATE},"other":"clamp""#);
    assert_eq!(codes("[]", &date, ["1999-01-01", "2999-01-01", "x"]), [Some(0), Some(3), None]);
    let category = r#""type":"category","values":["a"],"other":"b","nullable":true"#;
    assert_eq!(codes(r#"["NA"]"#, category, ["a", "b", "c", "NA", ""]), [0, 1, 1, 2, 1].map(Some));
    let declared = r#""type":"category","values":["a","b"],"other":"a""#;
    assert_eq!(codes(r#"["NA"]"#, declared, ["b", "c", "NA"]), [1, 0, 0].map(Some));
}

#[test]
fn a_number_that_means_null_is_none() {
    let texts = ["-9", " -9", "-9.0", "5"];
    let integer = r#""type":"integer","min":-20,"max":20,"width":1"#;
    assert_eq!(
        codes(r#"["-9"]"#, &format!(r#"{integer},"nullable":true"#), texts),
        [41, 41, 11, 25].map(Some)
    );
    assert_eq!(codes(r#"["-9"]"#, integer, texts), [None, None, Some(11), Some(25)]);
}

#[test]
fn numbers_in_memory_follow_the_same_rules() {
    let encode = |nulls: &str, attribute: &str, numbers: &[f64]| {
        let names = ["x".to_owned()];
        let mut reader =
            NumberReader::new(Arc::new(schema(nulls, attribute)), &ReadOptions::default(), &names)?;
        reader.push(numbers, numbers.len())?;
        let table = reader.finish();
        Ok::<Vec<u16>, Error>((0..table.rows()).map(|row| table.columns()[0].get(row)).collect())
    };
    let clamped = format!(r#"{INTEGER},"other":"clamp","nullable":true"#);
    let numbers = [35.0, -0.0, 35.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1.0, 77.0];
    assert_eq!(encode(r#"["77"]"#, &clamped, &numbers).unwrap(), [3, 0, 10, 10, 9, 0, 9, 0, 10]);
    assert_eq!(encode("[]", NUMBER, &[-0.0, 2.0, -1.0]).unwrap(), [1, 2, 0]);
    assert_eq!(encode("[]", DATE, &[17_911.0, 18_261.0]).unwrap(), [0, 3]);
    let category = r#""type":"category","values":["1","0.5","1e+21","0"]"#;
    assert_eq!(encode("[]", category, &[1.0, 0.5, 1e21, -0.0]).unwrap(), [0, 1, 2, 3]);
    let boolean = r#""type":"boolean","texts":["N","Y"]"#;
    assert_eq!(encode("[]", boolean, &[1.0, 0.0]).unwrap(), [1, 0]);
    for (attribute, number) in [(INTEGER, f64::NAN), (INTEGER, 100.0), (NUMBER, f64::INFINITY), (DATE, 0.5)] {
        let error = encode("[]", attribute, &[number]).unwrap_err();
        assert_eq!(error.code, Code::ValueOutside);
        assert!(error.message.starts_with("row 1, column \"x\""), "{error}");
    }
}

#[test]
fn raw_numbers_stand_beside_the_codes() {
    let clamped = format!(r#"{NUMBER},"other":"clamp","nullable":true"#);
    let schema = schema(r#"["NA","-9"]"#, &clamped);
    let options = ReadOptions { keep_raw: vec![0], ..Default::default() };
    let table = read(&schema, options, b"x\n0.25\n\"7\"\nNA\n-9\n?\n1e999\n-0\n").unwrap();
    let expected = [0.25, 7.0, f64::NAN, f64::NAN, f64::NAN, f64::NAN, 0.0];
    let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&raw(&table)), bits(&expected));
    let codes: Vec<u16> = (0..7).map(|row| table.columns()[0].get(row)).collect();
    assert_eq!(codes, [1, 2, 3, 3, 3, 2, 1]);
    let dates = self::schema("[]", DATE);
    let options = ReadOptions { keep_raw: vec![0], ..Default::default() };
    assert_eq!(raw(&read(&dates, options, b"x\n2019-12-31").unwrap()), [18_261.0]);
}

#[test]
fn a_decimal_comma_replaces_the_point_in_csv() {
    let schema = schema("[]", NUMBER);
    let format = Format::Csv(Dialect { delimiter: b';', decimal_comma: true, ..Dialect::default() });
    let options = ReadOptions { format, ..Default::default() };
    let table = read(&schema, options.clone(), b"x\r\n0,25\r\n-0,5\r\n1,5e0").unwrap();
    assert_eq!((0..3).map(|row| table.columns()[0].get(row)).collect::<Vec<_>>(), [1, 0, 2]);
    assert_eq!(read(&schema, options, b"x\n0.25").unwrap_err().code, Code::ValueOutside);
}

#[test]
fn attributes_may_use_every_code_that_there_is() {
    let all = r#""type":"integer","min":0,"max":65535,"width":1,"other":"clamp""#;
    let texts = ["-1", "0", "65535", "70000"];
    assert_eq!(codes("[]", all, texts), [Some(0), Some(0), Some(65_535), Some(65_535)]);
    let lows: Vec<String> = (0..65_536).map(|i| (2 * i).to_string()).collect();
    let wide = format!(r#""type":"integer","lows":[{}],"max":131071"#, lows.join(","));
    assert_eq!(codes("[]", &wide, ["0", "131071"]), [Some(0), Some(65_535)]);
    let cuts = format!(r#""type":"number","cuts":[{},131072],"decimals":0"#, lows.join(","));
    assert_eq!(codes("[]", &cuts, ["0", "131072"]), [Some(0), Some(65_535)]);
}

#[test]
fn weights_are_read_beside_the_attributes() {
    let schema = schema("[]", INTEGER);
    let options = ReadOptions { weight: Some("w".into()), ..Default::default() };
    let table = read(&schema, options, b"w,x\n2.5,1\n\" 0\",2\n1e3,3").unwrap();
    assert_eq!((0..3).map(|row| table.weights().unwrap().get(row)).collect::<Vec<_>>(), [2.5, 0.0, 1000.0]);
    let options = ReadOptions { weight: Some("x".into()), ..Default::default() };
    let table = read(&schema, options, b"x\n7").unwrap();
    assert_eq!((table.weights().unwrap().get(0), table.columns()[0].get(0)), (7.0, 0));
}

#[test]
fn every_encoding_gives_the_same_codes() {
    let schema = schema("[]", r#""type":"category","values":["é","€","a"]"#);
    let text = "x\né\n€\na\n";
    let units = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    for (encoding, bytes) in [
        (Encoding::Utf8, text.as_bytes().to_vec()),
        (Encoding::Utf8, ["\u{feff}", text].concat().into_bytes()),
        (Encoding::Latin1, b"x\n\xe9\n\x80\na\n".to_vec()),
        (Encoding::Utf16, [&b"\xfe\xff"[..], &units(u16::to_be_bytes)].concat()),
        (Encoding::Utf16, units(u16::to_le_bytes)),
        (Encoding::Utf16Le, units(u16::to_le_bytes)),
        (Encoding::Utf16Be, units(u16::to_be_bytes)),
    ] {
        let table = read(&schema, ReadOptions { encoding, ..Default::default() }, &bytes).unwrap();
        assert_eq!(
            (0..3).map(|row| table.columns()[0].get(row)).collect::<Vec<_>>(),
            [0, 1, 2],
            "{encoding:?}"
        );
    }
}
