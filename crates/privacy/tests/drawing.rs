//! Noise from several generators: the same as from each of them alone, and no stream twice.

use marginalia_privacy::account::Account;
use marginalia_privacy::budget::Budget;
use marginalia_privacy::drawing::threads;
use marginalia_privacy::measure::{Noisy, Request, cost};
use marginalia_privacy::random::{Entropy, Generator, Keys};
use marginalia_privacy::rational::parse;
use marginalia_privacy::sampler::{Law, Noise, Scale};
use marginalia_privacy::sealed::{SealOptions, Sealed, SealedReader};
use marginalia_privacy::unit::{Neighbours, Relation, Unit};
use marginalia_tables::query::{Factor, Matrix, Product, Query};
use marginalia_tables::read::{BadRows, Encoding, Format};
use marginalia_tables::{Code, Result, Schema};
use std::collections::HashSet;
use std::sync::Arc;

/// 600 groups of 10 × 20 cells, each with one for what is missing.
fn seal() -> Sealed {
    let lows = |most: u32| (0..=most).map(|low| low.to_string()).collect::<Vec<_>>().join(",");
    let attribute = |name: &str, most: u32| {
        format!(
            r#"{{"name":"{name}","type":"integer","lows":[{}],"max":{most},"other":"clamp","nullable":true}}"#,
            lows(most)
        )
    };
    let attributes = [attribute("g", 598), attribute("a", 8), attribute("b", 18)].join(",");
    let schema = Schema::from_json(&format!(r#"{{"nulls":[""],"attributes":[{attributes}]}}"#)).unwrap();
    let format = Format::default();
    let options = SealOptions { format, encoding: Encoding::Utf8, bad_rows: BadRows::Drop };
    let neighbours = Neighbours { unit: Unit::Row, relation: Relation::AddRemove };
    let mut reader =
        SealedReader::new(Arc::new(schema), &options, neighbours, &mut Keys::new(Fresh(1))).unwrap();
    let row = |i: u32| format!("{},{},{}\n", i * 7 % 600, i * 3 % 10, i % 17);
    reader.push(b"g,a,b\n").unwrap();
    (0..5000).for_each(|i| reader.push(row(i).as_bytes()).unwrap());
    reader.finish().unwrap()
}

/// A count, in every byte.
struct Fresh(u8);

impl Entropy for Fresh {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        bytes.fill(self.0);
        self.0 += 1;
        Ok(())
    }
}

fn generator(key: u8) -> Generator {
    Generator::new(&mut Keys::new(Fresh(key))).unwrap()
}

fn laplace(b: &str) -> Law {
    Law::laplace(Scale::at_least(&parse(b).unwrap()).unwrap()).unwrap()
}

/// Cells of groups, queries on those of groups and of all rows, and a law with few draws.
fn requests(laws: [Law; 3]) -> Vec<Request> {
    let prefix = || Query::Linear(Matrix::prefix(20).unwrap());
    let request = |clique: &[u16], query, law, groups: &[u16]| {
        let (clique, groups) = (clique.to_vec(), groups.to_vec());
        Request { clique, query, law, groups }
    };
    vec![
        request(&[1, 2], Query::Identity, laws[0], &[0]),
        request(&[2], prefix(), laws[1], &[0]),
        request(&[1], Query::Identity, laws[2], &[]),
        request(&[2], prefix(), laws[0], &[]),
        request(&[2, 0], Query::Identity, laws[1], &[]),
    ]
}

fn measure(sealed: &Sealed, requests: Vec<Request>, generators: &mut [Generator]) -> Result<Vec<Noisy>> {
    let cost = cost(sealed.neighbours(), &sealed.domain(), &requests).unwrap();
    let mut account = Account::open(Budget::pure(parse("1000000").unwrap()).unwrap()).unwrap();
    let mut measuring = sealed.measure(account.charge(&cost).unwrap(), requests, 1 << 30).unwrap();
    while !measuring.step(1 << 20).unwrap() {}
    measuring.finish(generators)
}

fn flat(noisy: &[Noisy]) -> Vec<f64> {
    noisy.iter().flat_map(|one| one.values.iter().copied()).collect()
}

/// The noise alone: noise of scale 1/1000 is zero but for once in e^1000 draws.
fn noise(sealed: &Sealed, generators: &mut [Generator]) -> Vec<i64> {
    let laws = [laplace("50"), laplace("1201/7"), laplace("9")];
    let exact = measure(sealed, requests([laplace("1/1000"); 3]), &mut [generator(1)]).unwrap();
    let noisy = measure(sealed, requests(laws), generators).unwrap();
    flat(&noisy).iter().zip(flat(&exact)).map(|(noisy, exact)| (noisy - exact) as i64).collect()
}

#[test]
fn each_generator_draws_a_run_of_its_own() {
    let sealed = seal();
    let draws = [120_000, 12_000, 10, 20, 12_000];
    let all: usize = draws.iter().sum();
    let laws = [laplace("50"), laplace("1201/7"), laplace("9"), laplace("50"), laplace("1201/7")];
    for count in [1, 2, 3, 8] {
        let mut generators: Vec<Generator> = (0..count).map(|key| generator(100 + key)).collect();
        let drawn = noise(&sealed, &mut generators);
        assert_eq!(drawn.len(), all);
        // One after another, each begins where its stream begins. A run ends with a whole group: queries have 20.
        let (mut at, mut request, mut end) = (0, 0, draws[0]);
        for key in 0..count {
            let mut alone = generator(100 + key);
            let mut left = all.div_ceil(usize::from(count)).min(all - at);
            while left > 0 {
                let answers = if [1, 3].contains(&request) { 20 } else { 1 };
                let now = left.next_multiple_of(answers).min(end - at);
                let mut expected = vec![0; now];
                let mut noise = Noise::new(laws[request]);
                if request != 2 {
                    noise.expect(10_000);
                }
                noise.fill(&mut alone, &mut expected);
                assert!(
                    drawn[at..at + now] == expected,
                    "{count} generators, number {key}, request {request}"
                );
                (at, left) = (at + now, left.saturating_sub(now));
                if at == end && request + 1 < draws.len() {
                    request += 1;
                    end += draws[request];
                }
            }
        }
        assert_eq!(at, all);
    }
}

/// The noise is drawn answer by answer, so that a product and its expansion differ by nothing from one stream.
#[test]
fn products_are_counted_as_their_expansion() {
    let sealed = seal();
    let signed = Matrix::new(10, (0..30).map(|i| i % 7 - 3).collect()).unwrap();
    let product =
        Product::new(vec![Factor::Linear(signed), Factor::Linear(Matrix::prefix(20).unwrap())]).unwrap();
    let entries = |answer| (0..200).map(move |cell| (answer, cell));
    let values = (0..60).flat_map(entries).map(|(answer, cell)| product.entry(answer, cell)).collect();
    let expanded = Query::Linear(Matrix::new(200, values).unwrap());
    for groups in [vec![], vec![0]] {
        let draw = |query| {
            let request = Request { clique: vec![1, 2], query, law: laplace("7"), groups: groups.clone() };
            flat(&measure(&sealed, vec![request], &mut [generator(9)]).unwrap())
        };
        let own = draw(Query::Product(product.clone()));
        assert_eq!(own.len(), if groups.is_empty() { 60 } else { 36_000 });
        assert_eq!(own, draw(expanded.clone()));
    }
}

/// 8 draws of these laws hold some 60 bits, so that none of 144,000 runs of them comes twice unless a stream does.
#[test]
fn no_stream_is_drawn_from_twice() {
    let sealed = seal();
    let mut seen = HashSet::new();
    for round in 0..2 {
        let mut generators =
            Generator::several(&mut Keys::new(Fresh(1 + 100 * round)), threads().max(4)).unwrap();
        let drawn = noise(&sealed, &mut generators);
        // Of the two laws with many draws.
        assert!(
            [&drawn[..132_000], &drawn[132_030..]]
                .iter()
                .all(|part| part.windows(8).all(|run| seen.insert(run.to_vec())))
        );
    }
    // Which finds a stream that is drawn from twice:
    let again = noise(&sealed, &mut Generator::several(&mut Keys::new(Fresh(1)), threads().max(4)).unwrap());
    assert!(!seen.insert(again[..8].to_vec()));
}

#[test]
fn without_a_generator_nothing_is_answered() {
    let refused = measure(&seal(), requests([laplace("1"); 3]), &mut []).expect_err("there is no noise");
    assert_eq!(refused.code, Code::EntropyUnavailable);
}
