//! The contenders that run natively, on one thread: the Rust side of `lib/serve.mjs`.

mod noise;
mod select;
mod solve;
mod step;

use marginalia_tables::count::{Answers, CountJob, Counting};
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
    match task["what"].as_str() {
        Some("noise") => serve(noise::Drawing::new(&task)),
        Some("select") => serve(select::Selecting::new(&task)),
        Some("step") => serve(step::Sweeping::new(&task)),
        Some("solve") => serve(solve::Solving::new(&task)),
        _ => serve(Pairs::new(&task)),
    }
}

/// What a contender does.
trait Contender {
    /// The answer to the small task.
    fn answer(&mut self) -> Value;

    /// What is measured; what it gives is checked by its total.
    fn run(&mut self) -> u64;

    /// What is measured, with the nanoseconds that it took.
    fn timed(&mut self) -> (u64, u64) {
        let start = Instant::now();
        let total = self.run();
        (total, start.elapsed().as_nanos() as u64)
    }
}

fn serve(mut contender: impl Contender) {
    let target = if cfg!(target_feature = "avx2") { "avx2" } else { "baseline" };
    println!("{}", json!({ "ready": { "target": target } }));
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line.expect("a line")).expect("a line is JSON");
        if message["do"] == "answer" {
            println!("{}", json!({ "answer": contender.answer() }));
            continue;
        }
        let (total, nanoseconds) = contender.timed();
        println!("{}", json!({ "nanoseconds": nanoseconds, "total": total }));
    }
}

/// Counts all pairs of the columns in a file.
struct Pairs {
    table: Arc<Table>,
    workload: Arc<Workload>,
}

impl Pairs {
    fn new(task: &Value) -> Self {
        let sizes = sizes_of(task);
        let bytes = std::fs::read(task["columns"].as_str().expect("columns")).expect("the file is there");
        let table = Arc::new(table(&sizes, &bytes));
        let workload = Arc::new(pairs(&table, sizes.len()));
        Self { table, workload }
    }

    fn count(&self) -> Answers {
        let job =
            CountJob::new(self.table.clone(), self.workload.clone(), 1 << 34).expect("the workload fits");
        Box::new(job).finish().expect("counting does not fail")
    }
}

impl Contender for Pairs {
    /// All counts, clique after clique.
    fn answer(&mut self) -> Value {
        let answers = self.count();
        let cells = (0..self.workload.len()).flat_map(|i| answers.clique(i).expect("a clique"));
        cells.map(|count| count as u64).collect::<Vec<_>>().into()
    }

    fn run(&mut self) -> u64 {
        let answers = self.count();
        let sum = |i| answers.clique(i).expect("a clique").iter().sum::<f64>();
        (0..self.workload.len()).map(sum).sum::<f64>() as u64
    }
}

/// How many codes each column of a task has.
fn sizes_of(task: &Value) -> Vec<u64> {
    task["sizes"].as_array().expect("sizes").iter().filter_map(Value::as_u64).collect()
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
