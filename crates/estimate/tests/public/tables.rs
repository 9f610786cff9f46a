//! Small tables.

use marginalia_tables::{Schema, Table};
use std::sync::Arc;

/// A schema of categories `a0`, `a1`, … with so many values.
pub fn schema(sizes: &[usize]) -> Arc<Schema> {
    let attribute = |(i, size): (usize, &usize)| {
        let values: Vec<String> = (0..*size).map(|value| format!("\"{value}\"")).collect();
        format!(r#"{{"name":"a{i}","type":"category","values":[{}]}}"#, values.join(","))
    };
    let attributes: Vec<String> = sizes.iter().enumerate().map(attribute).collect();
    let json = format!(r#"{{"nulls":[],"attributes":[{}]}}"#, attributes.join(","));
    Arc::new(Schema::from_json(&json).expect("the schema is well formed"))
}

/// A table of rows of codes, with weights where there are some.
pub fn table(sizes: &[usize], rows: &[Vec<u16>], weights: Option<&[f64]>) -> Arc<Table> {
    let mut table = Table::new(schema(sizes), weights.is_some(), &[]);
    let columns: Vec<Vec<u16>> = (0..sizes.len()).map(|a| rows.iter().map(|row| row[a]).collect()).collect();
    let columns: Vec<&[u16]> = columns.iter().map(Vec::as_slice).collect();
    table.extend(&columns, weights, &[]).expect("the rows fit");
    Arc::new(table)
}
