//! Rows apart by their raw numbers.

use marginalia_estimate::job::{Job, Steps};
use marginalia_estimate::models::support::Index;
use marginalia_estimate::records::{self, Method, Totals, Unfolded};
use marginalia_tables::distinct::DistinctJob;
use marginalia_tables::{Schema, Table};
use std::sync::Arc;

/// Bins of `age` and values of `sex`, with the age of every row.
fn base(rows: &[(u16, f64, u16)], weights: Option<&[f64]>) -> Arc<Table> {
    let json = r#"{"nulls":[],"attributes":[{"name":"age","type":"category","values":["young","old"]},
        {"name":"sex","type":"category","values":["F","M"]}]}"#;
    let mut table = Table::new(Arc::new(Schema::from_json(json).unwrap()), weights.is_some(), &[0]);
    let column = |of: fn(&(u16, f64, u16)) -> u16| rows.iter().map(of).collect::<Vec<u16>>();
    let ages: Vec<f64> = rows.iter().map(|row| row.1).collect();
    table.extend(&[&column(|row| row.0), &column(|row| row.2)], weights, &[&ages]).unwrap();
    let mut job = DistinctJob::new(Arc::new(table)).unwrap();
    while !job.step(2).unwrap() {}
    Arc::new(job.finish().unwrap())
}

fn unfold(base: Arc<Table>, weights: Vec<f64>, step: u64) -> Unfolded {
    let mut job = records::unfold(base, weights);
    while !job.step(step).over {}
    let last = job.step(step);
    assert_eq!(last.done, last.total);
    job.complete().unwrap()
}

/// Code, number, sex and weight of each row, sorted.
fn listed(unfolded: &Unfolded) -> Vec<(u16, f64, u16, f64)> {
    let (rows, raw) = (&unfolded.rows, &unfolded.rows.raw()[0]);
    let of = |row: usize| {
        let code = |a: usize| rows.columns()[a].get(row);
        (code(0), raw.values.get(row), code(1), unfolded.weights[row])
    };
    let mut list: Vec<(u16, f64, u16, f64)> = (0..rows.rows()).map(of).collect();
    list.sort_by(|a, b| a.partial_cmp(b).unwrap());
    list
}

const ROWS: [(u16, f64, u16); 6] =
    [(0, 3.0, 0), (0, 5.0, 0), (0, 3.0, 0), (1, 70.0, 0), (0, 4.0, 1), (0, 3.0, 0)];

#[test]
fn each_number_has_its_part_of_the_weight() {
    for step in [1, 1000] {
        let unfolded = unfold(base(&ROWS, None), vec![8.0, 1.0, 2.0], step);
        let expected = [(0, 3.0, 0, 6.0), (0, 4.0, 1, 2.0), (0, 5.0, 0, 2.0), (1, 70.0, 0, 1.0)];
        assert_eq!(listed(&unfolded), expected);
    }
    let weights = [1.0, 2.0, 3.0, 4.0, 5.0, 2.0];
    let unfolded = unfold(base(&ROWS, Some(&weights)), vec![16.0, 1.0, 2.0], 3);
    let expected = [(0, 3.0, 0, 12.0), (0, 4.0, 1, 2.0), (0, 5.0, 0, 4.0), (1, 70.0, 0, 1.0)];
    assert_eq!(listed(&unfolded), expected);
}

#[test]
fn parts_of_a_bin_weigh_about_the_same_and_keep_equal_numbers_together() {
    let rows: Vec<(u16, f64, u16)> =
        (0..80).map(|i| (u16::from(i >= 40), f64::from(i / 2), (i % 2) as u16)).collect();
    let unfolded = unfold(base(&rows, None), vec![20.0, 20.0, 20.0, 20.0], 7);
    let (domain, columns, finer) = unfolded.finer().unwrap();
    assert_eq!((domain.sizes(), finer.as_slice()), (&[2, 2, 8][..], &[Some(2), None][..]));
    let mut weights = [0.0; 8];
    for row in 0..unfolded.rows.rows() {
        let number = unfolded.rows.raw()[0].values.get(row);
        let part = columns[0].get(row);
        assert_eq!(part, (number / 5.0) as u16, "{number}");
        weights[usize::from(part)] += unfolded.weights[row];
    }
    assert_eq!(weights, [10.0; 8]);
}

/// More rows than a block, so that places and cells are looked up across blocks.
#[test]
fn rounding_needs_no_index_that_keeps_the_cells_of_rows() {
    let rows: Vec<(u16, f64, u16)> =
        (0..5000).map(|i| ((i % 2) as u16, f64::from(i), (i / 3 % 2) as u16)).collect();
    let unfolded = unfold(base(&rows, None), vec![20.0, 35.0, 25.0, 20.0], 999);
    let rounded = |index: Steps<Arc<Index>>| {
        let (weights, index) = (unfolded.weights.clone(), index.complete().unwrap());
        records::rounded(Method::Controlled, weights, Totals::all(700), index, 7).complete().unwrap()
    };
    let targets = [vec![0], vec![0, 1]];
    let counts = rounded(unfolded.index(&targets).unwrap());
    assert_eq!((counts.len(), counts.iter().sum::<u32>()), (5000, 700));
    assert_eq!(rounded(unfolded.index_once(&targets).unwrap()), counts);
}
