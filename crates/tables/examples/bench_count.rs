//! Times the counting of all pairs: `bench_count [rows] [columns] [k] [repeats]`, one line of JSON.
//!
//! The data come from a fixed seed: 20 attributes of 2 to 30 codes, repeated for more columns, with the codes of
//! a row drawn skewed towards the first (the square of a uniform number), as in a survey.

use marginalia_tables::count::{CountJob, Counting};
use marginalia_tables::{Schema, Table, Workload};
use std::sync::Arc;
use std::time::Instant;

/// Sizes like those of a survey's attributes: age bands, sex, marital status, schooling, occupation, and so on.
const SIZES: [usize; 20] = [20, 2, 5, 9, 24, 6, 2, 12, 30, 8, 3, 4, 10, 16, 2, 7, 25, 5, 3, 14];

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let argument = |i: usize, or: usize| numbers.get(i).copied().unwrap_or(or);
    let (rows, columns, k, repeats) =
        (argument(0, 1_000_000), argument(1, 20), argument(2, 2), argument(3, 7));
    let table = Arc::new(table(rows, columns));
    let workload = Arc::new(k_way(&table, k));
    let mut nanoseconds = Vec::new();
    let mut plan_nanoseconds = Vec::new();
    let mut passes = 0;
    for _ in 0..repeats {
        let start = Instant::now();
        let mut job =
            CountJob::new(Arc::clone(&table), Arc::clone(&workload), 1 << 34).expect("the workload fits");
        while job.plan().is_none() {
            job.step(1 << 20).expect("planning does not fail");
        }
        plan_nanoseconds.push(start.elapsed().as_nanos());
        passes = job.plan().map_or(0, |plan| plan.passes.len());
        let answers = Box::new(job).finish().expect("counting does not fail");
        nanoseconds.push(start.elapsed().as_nanos());
        let first: f64 = answers.clique(0).expect("it fits").iter().sum();
        assert_eq!(first, rows as f64);
    }
    nanoseconds.sort_unstable();
    plan_nanoseconds.sort_unstable();
    let per = |total: u128| total as f64 / (rows * workload.len()) as f64;
    println!(
        "{{\"rows\":{rows},\"columns\":{columns},\"k\":{k},\"cliques\":{},\"passes\":{passes},\"threads\":{},\
         \"ns_per_row_and_clique\":{{\"median\":{:.4},\"min\":{:.4},\"max\":{:.4}}},\"ms\":{:.3},\"plan_ms\":{:.3}}}",
        workload.len(),
        cfg!(feature = "threads"),
        per(nanoseconds[repeats / 2]),
        per(nanoseconds[0]),
        per(nanoseconds[repeats - 1]),
        nanoseconds[repeats / 2] as f64 / 1e6,
        plan_nanoseconds[repeats / 2] as f64 / 1e6,
    );
}

/// A table of so many rows and columns from a fixed seed.
fn table(rows: usize, columns: usize) -> Table {
    let attribute = |i: usize| {
        let values: Vec<String> = (0..SIZES[i % SIZES.len()]).map(|value| format!("\"{value}\"")).collect();
        format!(r#"{{"name":"a{i}","type":"category","values":[{}]}}"#, values.join(","))
    };
    let attributes: Vec<String> = (0..columns).map(attribute).collect();
    let json = format!(r#"{{"nulls":[],"attributes":[{}]}}"#, attributes.join(","));
    let schema = Schema::from_json(&json).expect("the schema is valid");
    let sizes = schema.sizes();
    let mut table = Table::new(Arc::new(schema), false, &[]);
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut block = vec![Vec::new(); columns];
    for start in (0..rows).step_by(1 << 14) {
        for (codes, size) in block.iter_mut().zip(&sizes) {
            codes.clear();
            codes.extend((start..rows.min(start + (1 << 14))).map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                let uniform = (state >> 11) as f64 / (1u64 << 53) as f64;
                (uniform * uniform * f64::from(*size)) as u16
            }));
        }
        let codes: Vec<&[u16]> = block.iter().map(Vec::as_slice).collect();
        table.extend(&codes, None, &[]).expect("the rows fit");
    }
    table
}

/// All cliques of `k` attributes.
fn k_way(table: &Table, k: usize) -> Workload {
    let columns = table.columns().len();
    let mut cliques: Vec<Vec<u16>> = vec![vec![]];
    for _ in 0..k {
        let longer = |clique: &Vec<u16>| {
            let next = clique.last().map_or(0, |a| usize::from(*a) + 1);
            (next..columns).map(|a| [clique.as_slice(), &[a as u16]].concat()).collect::<Vec<_>>()
        };
        cliques = cliques.iter().flat_map(longer).collect();
    }
    Workload::from_cliques(table.domain(), &cliques).expect("the cliques fit")
}
