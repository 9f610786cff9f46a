//! A sealed table from text to measurements: who is bounded, what is charged, what comes out.

use marginalia_privacy::account::Account;
use marginalia_privacy::budget::{Budget, Currency};
use marginalia_privacy::measure::{Noisy, Request, cost};
use marginalia_privacy::random::{Entropy, Generator, Keys};
use marginalia_privacy::rational::parse;
use marginalia_privacy::sampler::{Law, Scale};
use marginalia_privacy::sealed::{SealOptions, Sealed, SealedReader};
use marginalia_privacy::unit::{Neighbours, Relation, Unit};
use marginalia_tables::query::{Matrix, Query};
use marginalia_tables::read::{BadRows, Dialect, Encoding, Format};
use marginalia_tables::{Code, Domain, Result, Schema};
use proptest::prelude::*;
use std::sync::Arc;

const SCHEMA: &str = r#"{"nulls":[""],"attributes":[
    {"name":"a","type":"category","values":["x","y"],"other":null},
    {"name":"b","type":"integer","lows":[0,1,2],"max":9,"other":"clamp","nullable":true}]}"#;

/// Fresh bytes for a test: a count, in every byte.
struct Count(u8);

impl Entropy for Count {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.0 = self.0.wrapping_add(1);
        bytes.fill(self.0);
        Ok(())
    }
}

fn neighbours(unit: Unit) -> Neighbours {
    Neighbours { unit, relation: Relation::AddRemove }
}

fn seal(unit: Unit, text: &str, entropy: u8) -> Sealed {
    let schema = Arc::new(Schema::from_json(SCHEMA).unwrap());
    let format = Format::default();
    let options = SealOptions { format, encoding: Encoding::Utf8, bad_rows: BadRows::Drop };
    let mut reader =
        SealedReader::new(schema, &options, neighbours(unit), &mut Keys::new(Count(entropy))).unwrap();
    text.as_bytes().chunks(7).for_each(|piece| reader.push(piece).unwrap());
    reader.finish().unwrap()
}

fn laplace(scale: &str) -> Law {
    Law::laplace(Scale::at_least(&parse(scale).unwrap()).unwrap()).unwrap()
}

fn request(clique: &[u16], query: Query, law: Law) -> Request {
    Request { clique: clique.to_vec(), query, law, groups: Vec::new() }
}

fn measure(sealed: &Sealed, requests: Vec<Request>) -> Vec<Noisy> {
    let mut account = Account::open(Budget::pure(parse("1000000").unwrap()).unwrap()).unwrap();
    let cost = cost(sealed.neighbours(), &sealed.domain(), &requests).unwrap();
    let grant = account.charge(&cost).unwrap();
    let mut measuring = sealed.measure(grant, requests, 1 << 20).unwrap();
    while !measuring.step(1).unwrap() {}
    measuring.finish(&mut [Generator::new(&mut Keys::new(Count(9))).unwrap()]).unwrap()
}

/// Noise of scale 1/1000 is zero but for once in e^1000 draws, so what is measured is what was counted.
fn exact(sealed: &Sealed, clique: &[u16], query: Query) -> Vec<f64> {
    measure(sealed, vec![request(clique, query, laplace("1/1000"))]).remove(0).values
}

#[test]
fn counts_and_queries_on_them_are_what_the_rows_hold() {
    let sealed = seal(Unit::Row, "a,b\nx,0\ny,5\nz,1\nx,\nx,-7\n", 1);
    assert_eq!(exact(&sealed, &[], Query::Identity), [5.0]);
    assert_eq!(exact(&sealed, &[1], Query::Identity), [2.0, 1.0, 1.0, 1.0]);
    assert_eq!(
        exact(&sealed, &[0, 1], Query::Identity),
        [2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    );
    let prefix = Query::Linear(Matrix::prefix(4).unwrap());
    assert_eq!(exact(&sealed, &[1], prefix), [2.0, 3.0, 4.0, 5.0]);
    let contrast = Query::Linear(Matrix::new(3, vec![1, -2, 0, 0, 0, 7]).unwrap());
    assert_eq!(exact(&sealed, &[0], contrast), [1.0, 7.0]);
    assert_eq!(format!("{sealed:?}"), "Sealed { .. }");
}

#[test]
fn what_is_asked_in_every_group_is_answered_group_after_group() {
    let sealed = seal(Unit::Row, "a,b\nx,0\ny,5\nz,1\nx,\nx,-7\n", 1);
    let exact = |clique: &[u16], groups: &[u16], query| {
        let request = Request { groups: groups.to_vec(), ..request(clique, query, laplace("1/1000")) };
        measure(&sealed, vec![request]).remove(0).values
    };
    let cells = [2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    assert_eq!(exact(&[1], &[0], Query::Identity), cells);
    assert_eq!(exact(&[], &[0], Query::Identity), [3.0, 1.0, 1.0]);
    let prefix = Query::Linear(Matrix::prefix(4).unwrap());
    let sums = [2.0, 2.0, 2.0, 3.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0];
    assert_eq!(exact(&[1], &[0], prefix), sums);
    let ends = Query::Linear(Matrix::new(3, vec![1, 0, -1]).unwrap());
    assert_eq!(exact(&[0], &[1], ends), [2.0, -1.0, 0.0, 1.0]);
}

#[test]
fn noise_is_drawn_afresh_for_every_value_and_its_variance_is_told() {
    let sealed = seal(Unit::Row, "a,b\n", 1);
    let noisy = measure(&sealed, vec![request(&[0, 1], Query::Identity, laplace("10")); 500]);
    let values: Vec<f64> = noisy.iter().flat_map(|noisy| noisy.values.clone()).collect();
    let variance = values.iter().map(|v| v * v).sum::<f64>() / values.len() as f64;
    assert!(values.iter().all(|v| v.fract() == 0.0));
    // 6,000 draws: the mean square has a standard error of 3 %; five of them, with a fixed stream.
    assert!((variance / noisy[0].variance - 1.0).abs() < 0.15, "{variance} {}", noisy[0].variance);
    assert!((noisy[0].variance - 199.833).abs() < 0.001);
}

#[test]
fn a_unit_has_at_most_its_rows_and_each_of_them_alike() {
    let unit = Unit::Column { column: "id".into(), max_rows: 2 };
    let text = "id,a,b\np,x,0\np,x,1\nq,y,0\np,x,2\n,x,0\np,x,\n";
    let mut kept = [0.0; 4];
    for entropy in 0..250 {
        let sealed = seal(unit.clone(), text, entropy);
        assert_eq!(
            exact(&sealed, &[0], Query::Identity),
            [2.0, 1.0, 0.0],
            "two of p, one of q, none without a name"
        );
        let cells = exact(&sealed, &[0, 1], Query::Identity);
        kept.iter_mut().zip(&cells[..4]).for_each(|(sum, count)| *sum += count);
    }
    // Each of p's four rows is kept in half of 250 tables: 125, standard deviation 7.9; fixed streams, five of them.
    assert!(kept.iter().all(|kept| (kept - 125.0).abs() < 40.0), "{kept:?}");
}

#[test]
fn what_is_charged_follows_from_scale_sensitivity_and_unit() {
    let domain = Domain::new([3, 4]);
    let law = laplace("10");
    let prefix = || Query::Linear(Matrix::prefix(4).unwrap());
    let requests = [request(&[0], Query::Identity, law), request(&[1], prefix(), law)];
    let price = |unit, relation| {
        let cost = cost(&Neighbours { unit, relation }, &domain, &requests).unwrap();
        cost.price(Currency::Epsilon).unwrap().clone()
    };
    // Add or remove: 1/10 for the marginal, 4/10 for the prefix sums (the first cell is in all four).
    assert_eq!(price(Unit::Row, Relation::AddRemove), parse("1/2").unwrap());
    assert_eq!(price(Unit::Declared { max_rows: 3 }, Relation::AddRemove), parse("3/2").unwrap());
    // Replace: 2/10, and the largest of column sums and differences of columns, which is 4/10.
    assert_eq!(price(Unit::Row, Relation::Replace { n: 9 }), parse("3/5").unwrap());
}

#[test]
fn too_small_a_grant_draws_nothing() {
    let sealed = seal(Unit::Row, "a,b\nx,0\n", 1);
    let cheap = [request(&[0], Query::Identity, laplace("10"))];
    let mut account = Account::open(Budget::pure(parse("1").unwrap()).unwrap()).unwrap();
    let grant = account.charge(&cost(sealed.neighbours(), &sealed.domain(), &cheap).unwrap()).unwrap();
    let dear = vec![request(&[0], Query::Identity, laplace("1"))];
    assert_eq!(sealed.measure(grant, dear, 1 << 20).err().unwrap().code, Code::BudgetExceeded);
    let grant = account.charge(&cost(sealed.neighbours(), &sealed.domain(), &cheap).unwrap()).unwrap();
    assert_eq!(sealed.measure(grant, cheap.to_vec(), 10).err().unwrap().code, Code::ModelTooLarge);
}

proptest! {
    /// The neighbours of the definition: one unit more, with whatever records, moves the counts by at most its rows.
    #[test]
    fn one_unit_more_moves_the_counts_by_at_most_its_rows(
        records in prop::collection::vec(("[p-r]?", "[xyz\"\n]{0,2}", "[0-9]{0,2}"), 0..20),
        own in prop::collection::vec(("[xyz\"\n]{0,2}", "[0-9]{0,2}"), 0..6),
        most in 1u32..4,
    ) {
        let text = |own: &[(String, String)]| {
            let quoted = |field: &str| format!("\"{}\"", field.replace('"', "\"\""));
            let theirs = records.iter().map(|(id, a, b)| format!("{id},{},{b}\n", quoted(a)));
            let own = own.iter().map(|(a, b)| format!("new,{},{b}\n", quoted(a)));
            format!("id,a,b\n{}", own.chain(theirs).collect::<String>())
        };
        // Large enough for the others' rows, so that no draw of theirs depends on the new unit.
        let unit = Unit::Column { column: "id".into(), max_rows: 20.max(most) };
        let (with, without) = (seal(unit.clone(), &text(&own[..own.len().min(most as usize)]), 1), seal(unit, &text(&[]), 1));
        let counts = |sealed: &Sealed| exact(sealed, &[0, 1], Query::Identity);
        let moved: f64 = counts(&with).iter().zip(counts(&without)).map(|(p, q)| (p - q).abs()).sum();
        prop_assert!(moved <= f64::from(most));
    }
}

#[test]
fn an_id_that_is_a_number_is_one_unit_however_it_is_written() {
    let kept = |format, text: &str| {
        let unit = Unit::Column { column: "id".into(), max_rows: 1 };
        let schema = Arc::new(Schema::from_json(SCHEMA).unwrap());
        let options = SealOptions { format, encoding: Encoding::Utf8, bad_rows: BadRows::Drop };
        let mut reader =
            SealedReader::new(schema, &options, neighbours(unit), &mut Keys::new(Count(1))).unwrap();
        reader.push(text.as_bytes()).unwrap();
        exact(&reader.finish().unwrap(), &[], Query::Identity)[0]
    };
    let csv = |decimal_comma| Format::Csv(Dialect { delimiter: b';', decimal_comma, ..Dialect::default() });
    let head = "id;a;b\n";
    assert_eq!(kept(csv(false), &format!("{head}7;x;0\n7.0;x;0\n\"7\";x;0\n\"70e-1\";x;0\n")), 1.0);
    assert_eq!(kept(csv(true), &format!("{head}7;x;0\n\"7,0\";x;0\n7,00;x;0\n")), 1.0);
    // Texts, and what is empty.
    assert_eq!(kept(csv(false), &format!("{head}7;x;0\n007;x;0\n 7;x;0\n7,0;x;0\n;x;0\n\"\";x;0\n")), 4.0);
    let lines = |ids: &[&str]| -> String {
        ids.iter().map(|id| format!("{{\"id\":{id},\"a\":\"x\",\"b\":0}}\n")).collect()
    };
    for format in [Format::Ndjson, Format::Rows] {
        let one = ["1", "1.0", "1e0", "\"1\"", "\"\\u0031\"", "10E-1"];
        assert_eq!(kept(format, &lines(&one)), 1.0);
        let long = ["1e+21", "1000000000000000000000", "\"1000000000000000000000.0\""];
        assert_eq!(kept(format, &lines(&long)), 1.0);
        assert_eq!(kept(format, &lines(&["0", "-0", "\"-0.0\""])), 1.0);
        let texts = ["1", "\"01\"", "\" 1\"", "true", "\"é\"", "\"e\u{301}\"", "null", "\"\""];
        assert_eq!(kept(format, &lines(&texts)), 6.0);
    }
}
