//! Records of weighted rows, from the weights to the table.

use super::{Method, Totals, in_random_order, invalid, rounded, take, unfold};
use crate::job::Steps;
use crate::models::RecordsRequest;
use marginalia_tables::Table;
use std::sync::Arc;

/// Rounds the weights of rows to a number of records, puts these in random order and copies them to a table. Rows with
/// several raw numbers are split first.
pub fn records_of_rows(rows: Arc<Table>, weights: Vec<f64>, request: RecordsRequest) -> Steps<Table> {
    Steps::new(move |pace| async move {
        if weights.len() != rows.rows() {
            return Err(invalid("there must be one weight for each row"));
        }
        let RecordsRequest { records, method, targets, seed } = request;
        let targets = if method == Method::Controlled { targets } else { Vec::new() };
        let stage = |stage| pace.stage(stage, 5);
        let mut unfolded = stage(0).run(unfold(rows, weights)).await?;
        unfolded.of_row = Vec::new();
        let index = stage(1).run(unfolded.index_once(&targets)?).await?;
        let weights = std::mem::take(&mut unfolded.weights);
        let counts = stage(2).run(rounded(method, weights, Totals::all(records), index, seed)).await?;
        let order = stage(3).run(in_random_order(counts, seed)).await?;
        stage(4).run(take(unfolded.rows, order, seed)).await
    })
}
