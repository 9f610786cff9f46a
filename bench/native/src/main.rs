//! Counts all pairs of the columns in a file, natively and on one thread: the Rust side of `lib/serve.mjs`.

use marginalia_tables::count::{CountJob, Counting};
use marginalia_tables::{Schema, Table, Workload};
use serde_json::{Value, json};
use std::io::BufRead;
use std::sync::Arc;
use std::time::Instant;

/// Rows that are handed to the table at once.
const BLOCK: usize = 1 << 14;

fn main() {
    let task = std::env::args().next_back().expect("the task is the last argument");
    let task: Value = serde_json::from_str(&task).expect("the task is JSON");
    let sizes: Vec<u64> = task["sizes"].as_array().expect("sizes").iter().filter_map(Value::as_u64).collect();
    let bytes = std::fs::read(task["columns"].as_str().expect("columns")).expect("the file is there");
    let table = Arc::new(table(&sizes, &bytes));
    drop(bytes);
    let workload = Arc::new(pairs(&table, sizes.len()));
    println!(
        "{}",
        json!({ "ready": { "target": if cfg!(target_feature = "avx2") { "avx2" } else { "baseline" } } })
    );
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line.expect("a line")).expect("a line is JSON");
        let answering = message["do"] == "answer";
        println!("{}", if answering { answer(&table, &workload) } else { run(&table, &workload) });
    }
}

/// All counts, clique after clique.
fn answer(table: &Arc<Table>, workload: &Arc<Workload>) -> Value {
    let job = CountJob::new(Arc::clone(table), Arc::clone(workload), 1 << 34).expect("the workload fits");
    let answers = Box::new(job).finish().expect("counting does not fail");
    let cells = (0..workload.len()).flat_map(|i| answers.clique(i).expect("a clique").to_vec());
    json!({ "answer": cells.map(|count| count as u64).collect::<Vec<_>>() })
}

/// One measured count.
fn run(table: &Arc<Table>, workload: &Arc<Workload>) -> Value {
    let start = Instant::now();
    let job = CountJob::new(Arc::clone(table), Arc::clone(workload), 1 << 34).expect("the workload fits");
    let answers = Box::new(job).finish().expect("counting does not fail");
    let nanoseconds = start.elapsed().as_nanos() as u64;
    let total: f64 =
        (0..workload.len()).map(|i| answers.clique(i).expect("a clique").iter().sum::<f64>()).sum();
    json!({ "nanoseconds": nanoseconds, "total": total as u64 })
}

/// A table of the codes in `bytes`, a byte each, column after column.
fn table(sizes: &[u64], bytes: &[u8]) -> Table {
    let attribute = |(i, size): (usize, &u64)| {
        let values: Vec<String> = (0..*size).map(|value| value.to_string()).collect();
        json!({ "name": format!("a{i}"), "type": "category", "values": values })
    };
    let attributes: Vec<Value> = sizes.iter().enumerate().map(attribute).collect();
    let schema = json!({ "nulls": [], "attributes": attributes }).to_string();
    let schema = Schema::from_json(&schema).expect("the schema is valid");
    let mut table = Table::new(Arc::new(schema), false, &[]);
    let rows = bytes.len() / sizes.len();
    let columns: Vec<&[u8]> = bytes.chunks_exact(rows).collect();
    for start in (0..rows).step_by(BLOCK) {
        let end = rows.min(start + BLOCK);
        let block: Vec<Vec<u16>> =
            columns.iter().map(|c| c[start..end].iter().map(|code| u16::from(*code)).collect()).collect();
        let block: Vec<&[u16]> = block.iter().map(Vec::as_slice).collect();
        table.extend(&block, None, &[]).expect("the rows fit");
    }
    table
}

/// All pairs of columns.
fn pairs(table: &Table, columns: usize) -> Workload {
    let pairs = |a: usize| (a + 1..columns).map(move |b| vec![a as u16, b as u16]);
    let cliques: Vec<Vec<u16>> = (0..columns).flat_map(pairs).collect();
    Workload::from_cliques(table.domain(), &cliques).expect("the cliques fit")
}
