//! Attributes that follow from others: which are found, and that no row that is made breaks one.

use crate::tables::table;
use marginalia_estimate::estimators::calibrated::Options;
use marginalia_estimate::job::Job;
use marginalia_estimate::priors::deny::Deny;
use marginalia_estimate::priors::dependencies::{self, Dependencies, Dependency, Followed};
use marginalia_estimate::priors::pool::{self, PoolOptions};
use marginalia_estimate::priors::widen::{self, LearnOptions, WidenOptions};
use marginalia_estimate::seed::Seed;
use marginalia_tables::{Schema, Table};
use std::collections::HashMap;
use std::sync::Arc;

fn find(table: &Arc<Table>) -> Dependencies {
    dependencies::find(Arc::clone(table)).complete().unwrap()
}

fn pairs(dependencies: &Dependencies) -> Vec<(u16, u16)> {
    dependencies.list().iter().map(|one| (one.from, one.to)).collect()
}

fn widen(table: &Arc<Table>, dependencies: &Dependencies, seed: u64) -> Table {
    let learn = LearnOptions { dependencies: dependencies.clone(), ..LearnOptions::default() };
    let network = widen::learn(Arc::clone(table), learn).unwrap().complete().unwrap().network;
    let options = WidenOptions { share: 0.5, rows: 3 * table.rows(), seed };
    let job = widen::widen(Arc::clone(table), network, Deny::default(), dependencies, options).unwrap();
    job.complete().unwrap().table
}

fn pool(table: &Arc<Table>, dependencies: &Dependencies, groups: u16) -> Table {
    let options = PoolOptions {
        group: 0,
        groups: (0..groups).collect(),
        strength: table.rows() as f64,
        independence: table.rows() as f64,
        cells: 1000,
        most_rows: 1_000_000,
        deny: Deny::default(),
        dependencies: dependencies.clone(),
        estimation: Options { tolerance: 1e-3, passes: 50, ..Options::default() },
        seed: 3,
    };
    pool::pool(Arc::clone(table), options).unwrap().complete().unwrap().table(0.8, 1.0).unwrap()
}

/// How many rows break a dependency, by codes and raw numbers of the public rows.
fn broken(made: &Table, public: &Table, Dependency { from, to, by_number, number }: Dependency) -> usize {
    let read = |table: &Table, row: usize, a: u16, by_number: bool| {
        let raw = table.raw().iter().find(|raw| raw.attribute == usize::from(a)).filter(|_| by_number);
        (
            table.columns()[usize::from(a)].get(row),
            raw.map_or(0, |raw| raw.values.get(raw.of(row).start).to_bits()),
        )
    };
    let both = |table: &Table, row| (read(table, row, from, by_number), read(table, row, to, number));
    let known: HashMap<_, _> = (0..public.rows()).map(|row| both(public, row)).collect();
    let breaks = |row: &usize| {
        let (from, to) = both(made, *row);
        known.get(&from).is_some_and(|known| *known != to)
    };
    (0..made.rows()).filter(breaks).count()
}

/// Rows of 8 attributes: 1 follows from 0, 3 from 2, 4 from both 2 and 5, 6 is likely by 3, and 7 is on its own.
fn survey(rows: usize, seed: u64) -> Arc<Table> {
    let mut random = Seed::new(seed);
    let row = |_| {
        let a = random.below(6) as u16;
        let c = random.below(30) as u16;
        // 4 is the last bit of 2 and of 5.
        let e = 2 * random.below(5) as u16 + c % 2;
        let likely = if random.uniform() < 0.8 { (c / 10) % 3 } else { random.below(3) as u16 };
        vec![a, (7 * a) % 5 % 4, c, c / 10, c % 2, e, likely, random.below(4) as u16]
    };
    let rows: Vec<Vec<u16>> = (0..rows).map(row).collect();
    table(&[8, 4, 30, 3, 2, 10, 3, 4], &rows, None)
}

#[test]
fn what_follows_in_all_rows_is_found_where_chance_does_not_explain_it() {
    assert_eq!(pairs(&find(&survey(800, 1))), [(0, 1), (2, 3), (2, 4), (5, 4)]);
}

#[test]
fn one_row_that_breaks_it_is_enough() {
    let mut rows: Vec<Vec<u16>> = (0..500).map(|i| vec![i % 10, i % 10 / 2, i % 3]).collect();
    assert_eq!(pairs(&find(&table(&[10, 5, 3], &rows, None))), [(0, 1)]);
    rows.push(vec![0, 4, 0]);
    assert_eq!(pairs(&find(&table(&[10, 5, 3], &rows, None))), []);
}

#[test]
fn coincidences_of_rare_values_are_not_taken_for_dependencies() {
    // Few rows for each value of the first: any other seems to follow from it.
    let mut random = Seed::new(5);
    for rows in [10, 30, 100, 300] {
        for _ in 0..50 {
            let row = |i| vec![i as u16, random.below(3) as u16, u16::from(random.below(60) == 0)];
            let rows: Vec<Vec<u16>> = (0..rows).map(row).collect();
            assert_eq!(pairs(&find(&table(&[300, 3, 2], &rows, None))), []);
        }
    }
    // One of three rows has a value twice: too little to say that the others cannot be.
    let rows: Vec<Vec<u16>> = (0..30).map(|i| vec![i % 28, u16::from(i % 28 < 3)]).collect();
    assert_eq!(pairs(&find(&table(&[28, 2], &rows, None))), []);
}

#[test]
fn rows_that_are_drawn_break_no_dependency() {
    for seed in 0..20 {
        let public = survey(300, seed);
        let kept = find(&public);
        assert_eq!(kept.list().len(), 4);
        let made = widen(&public, &kept, seed);
        assert!(made.rows() > public.rows() + 200, "{}", made.rows());
        for one in kept.list() {
            assert_eq!(broken(&made, &public, *one), 0, "{one:?}");
        }
    }
}

#[test]
fn rows_that_are_drawn_would_break_dependencies_unless_they_were_kept() {
    let public = survey(300, 1);
    let made = widen(&public, &Dependencies::default(), 1);
    let all: usize = find(&public).list().iter().map(|one| broken(&made, &public, *one)).sum();
    assert!(all > 20, "{all}");
}

#[test]
fn rows_of_groups_that_lend_each_other_break_no_dependency() {
    for seed in 0..5 {
        let public = survey(300, seed);
        let kept = find(&public);
        let (without, made) = (pool(&public, &Dependencies::default(), 8), pool(&public, &kept, 8));
        let of = |table: &Table| kept.list().iter().map(|one| broken(table, &public, *one)).sum::<usize>();
        assert!(of(&without) > 100 && of(&made) == 0, "{} {}", of(&without), of(&made));
        // The groups that no public row has, 6 and 7, are there, and what follows from them is one value each.
        let followed = Followed::of(Arc::clone(&public), kept.list()[0]).unwrap();
        for row in 0..made.rows() {
            let [group, follows] = [0, 1].map(|a: usize| made.columns()[a].get(row));
            assert_eq!(follows, followed.codes[usize::from(group)]);
        }
        assert!((0..8).all(|group| (0..made.rows()).any(|row| made.columns()[0].get(row) == group)));
    }
}

#[test]
fn what_says_the_group_stays_in_its_group() {
    // 1 says 0, as a tract says its area.
    let rows: Vec<Vec<u16>> = (0..400).map(|i| vec![i % 20 / 5, i % 20, i % 7 * i % 7]).collect();
    let public = table(&[4, 20, 7], &rows, None);
    let kept = find(&public);
    assert_eq!(pairs(&kept), [(1, 0)]);
    let made = pool(&public, &kept, 4);
    assert_eq!(broken(&made, &public, kept.list()[0]), 0);
    assert!(made.rows() >= 20);
}

/// A code of 40 that is kept as a raw number in 4 bins, its category, a bin of two areas and their density.
fn numbered(rows: usize, seed: u64) -> Arc<Table> {
    let json = r#"{"nulls":[],"attributes":[
        {"name":"area","type":"category","values":["a","b","c","d"]},
        {"name":"density","type":"integer","lows":[0,51],"max":100},
        {"name":"job","type":"integer","lows":[0,10,20,30],"max":39},
        {"name":"category","type":"category","values":["0","1","2","3","4","5","6"]},
        {"name":"other","type":"category","values":["0","1","2"]}]}"#;
    let schema = Arc::new(Schema::from_json(json).unwrap_or_else(|error| panic!("{error:?}")));
    let mut random = Seed::new(seed);
    let mut made = Table::new(schema, false, &[1, 2]);
    let density = [20.0, 40.0, 60.0, 90.0];
    for _ in 0..rows {
        let (area, job, other) = (random.below(4) as u16, random.below(40) as u16, random.below(3) as u16);
        let number = density[usize::from(area)];
        let codes = [[area], [area / 2], [job / 10], [job * 5 % 7], [other]];
        let codes: Vec<&[u16]> = codes.iter().map(|code| &code[..]).collect();
        made.extend(&codes, None, &[&[number], &[f64::from(job)]]).unwrap();
    }
    Arc::new(made)
}

#[test]
fn raw_numbers_say_and_follow_too() {
    let public = numbered(600, 2);
    let kept = find(&public);
    let wanted = [
        Dependency { from: 0, to: 1, by_number: false, number: true },
        Dependency { from: 1, to: 0, by_number: true, number: false },
        Dependency { from: 2, to: 3, by_number: true, number: false },
    ];
    assert_eq!(kept.list(), wanted);
    for made in [widen(&public, &kept, 1), pool(&public, &kept, 4)] {
        for one in kept.list() {
            assert_eq!(broken(&made, &public, *one), 0, "{one:?}");
        }
    }
    let made = widen(&public, &Dependencies::default(), 1);
    assert!(kept.list().iter().all(|one| broken(&made, &public, *one) > 10));
}

#[test]
fn what_follows_from_an_unknown_code_is_what_follows_from_the_nearest() {
    let public = numbered(600, 2);
    let known = Followed::of(public, Dependency { from: 0, to: 1, by_number: false, number: true }).unwrap();
    assert_eq!((known.codes, known.numbers), (vec![0, 0, 1, 1], vec![20.0, 40.0, 60.0, 90.0]));
    let rows: Vec<Vec<u16>> = (0..40).map(|i| vec![1 + i % 2 * 3, i % 2]).collect();
    let public = table(&[6, 2], &rows, None);
    let known = Followed::of(public, Dependency { from: 0, to: 1, by_number: false, number: false }).unwrap();
    assert_eq!(known.codes, [0, 0, 0, 1, 1, 1]);
}
