//! What is charged for queries in every group of a partition, against all neighbours of tiny tables.

use marginalia_privacy::budget::Currency;
use marginalia_privacy::measure::{Request, cost};
use marginalia_privacy::rational::{Ratio, parse};
use marginalia_privacy::sampler::{Law, Scale};
use marginalia_privacy::unit::{Neighbours, Relation, Unit};
use marginalia_tables::Domain;
use marginalia_tables::query::{Matrix, Query};

/// Two groups, and in each the cells of an attribute of three codes.
const GROUPS: usize = 2;
const CODES: usize = 3;
const ROWS: i64 = 4;

type Table = [i64; GROUPS * CODES];

/// All tables of at most so many rows.
fn tables() -> Vec<Table> {
    let mut all = vec![[0; GROUPS * CODES]];
    for cell in 0..GROUPS * CODES {
        for i in 0..all.len() {
            let left = ROWS - all[i].iter().sum::<i64>();
            for count in 1..=left {
                let mut more = all[i];
                more[cell] = count;
                all.push(more);
            }
        }
    }
    all
}

/// A unit of up to `rows` rows is there or not; or some of its rows are others, or are gone.
fn are_neighbours(one: &Table, two: &Table, rows: i64, replace: bool) -> bool {
    let changes = || one.iter().zip(two).map(|(a, b)| a - b);
    let gained: i64 = changes().filter(|change| *change > 0).sum();
    let lost: i64 = -changes().filter(|change| *change < 0).sum::<i64>();
    if replace { gained <= rows && lost <= rows } else { gained + lost <= rows && gained.min(lost) == 0 }
}

fn answers(query: &Query, table: &Table, grouped: bool) -> Vec<f64> {
    let cells: Vec<f64> = table.iter().map(|count| *count as f64).collect();
    if grouped {
        return cells.chunks(CODES).flat_map(|group| query.apply(group)).collect();
    }
    let sums: Vec<f64> = (0..CODES).map(|code| cells[code] + cells[CODES + code]).collect();
    query.apply(&sums)
}

/// The largest change in L1 and in L2².
fn largest(query: &Query, rows: i64, replace: bool, grouped: bool) -> (f64, f64) {
    let all: Vec<(Table, Vec<f64>)> =
        tables().into_iter().map(|table| (table, answers(query, &table, grouped))).collect();
    let mut most = (0f64, 0f64);
    for (one, before) in &all {
        for (_, after) in all.iter().filter(|(two, _)| are_neighbours(one, two, rows, replace)) {
            let changes = || before.iter().zip(after).map(|(a, b)| (a - b).abs());
            most = (most.0.max(changes().sum()), most.1.max(changes().map(|change| change * change).sum()));
        }
    }
    most
}

/// With b = 1 the price is L1, with σ² = 1/2 it is L2².
fn charged(query: &Query, clique: &[u16], rows: u32, relation: Relation, grouped: bool) -> (Ratio, Ratio) {
    let neighbours = Neighbours { unit: Unit::Declared { max_rows: rows }, relation };
    let scale = |text: &str| Scale::at_least(&parse(text).unwrap()).unwrap();
    let price = |law, currency| {
        let groups = if grouped { vec![0] } else { Vec::new() };
        let request = Request { clique: clique.to_vec(), query: query.clone(), law, groups };
        let cost = cost(&neighbours, &Domain::new([GROUPS as u32, CODES as u32]), &[request]).unwrap();
        cost.price(currency).unwrap().clone()
    };
    let laplace = price(Law::laplace(scale("1")).unwrap(), Currency::Epsilon);
    (laplace, price(Law::gaussian(scale("1/2")).unwrap(), Currency::Rho))
}

fn matrix(values: &[i32]) -> Query {
    Query::Linear(Matrix::new(CODES, values.to_vec()).unwrap())
}

#[test]
fn a_charge_is_the_largest_change_and_no_more() {
    let sum = matrix(&[1, 1, 1]);
    // A query, and the request of which it is the answer: a count is the only cell of no attribute.
    let queries = [
        (Query::Identity, Query::Identity, &[1u16][..]),
        (sum.clone(), Query::Linear(Matrix::new(1, vec![1]).unwrap()), &[][..]),
        (sum.clone(), Query::Identity, &[][..]),
        (sum.clone(), sum, &[1][..]),
        (matrix(&[1, 0, 0, 1, 1, 0, 1, 1, 1]), Query::Linear(Matrix::prefix(CODES).unwrap()), &[1][..]),
        (matrix(&[3, -3, 1]), matrix(&[3, -3, 1]), &[1][..]),
        (matrix(&[0, 2, -1, 4, 0, 1]), matrix(&[0, 2, -1, 4, 0, 1]), &[1][..]),
    ];
    let mut grouped_is_dearer = 0;
    for (query, kind, clique) in &queries {
        for rows in [1, 2] {
            for relation in [Relation::AddRemove, Relation::Replace { n: 9 }] {
                let replace = relation != Relation::AddRemove;
                let exact = |x: f64| Ratio::from_float(x).unwrap();
                let prices = [false, true].map(|grouped| {
                    let (l1, squared) = largest(query, i64::from(rows), replace, grouped);
                    let price = charged(kind, clique, rows, relation, grouped);
                    assert_eq!(price, (exact(l1), exact(squared)), "{kind:?} {rows} {relation:?} {grouped}");
                    price
                });
                grouped_is_dearer += usize::from(prices[0] != prices[1]);
            }
        }
    }
    assert!(grouped_is_dearer >= 8, "a row that goes from one group to another counts in both");
}
