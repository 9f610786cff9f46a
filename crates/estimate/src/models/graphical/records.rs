//! Records of a graphical model, and what is missing of partial ones.

use super::GraphicalModel;
use crate::job::{Boxed, Pace, Steps};
use crate::models::Model;
use crate::models::check::invalid;
use crate::records::Method;
use crate::seed::Seed;
use marginalia_graph as graph;
use marginalia_tables::{Result, Table};
use std::sync::Arc;

/// Records that go into a table at once.
const BLOCK: usize = 4096;

/// Partial rows: of each attribute that is not derived a column, without a code where it is missing.
pub type Partial = Vec<Vec<Option<u16>>>;

impl GraphicalModel {
    /// Rows with what is missing of them drawn from what the model says of it, where the rest is as it is. Work on it takes at most
    /// `limit` bytes.
    pub fn complete(
        self: Arc<Self>,
        mut rows: Partial,
        method: Method,
        seed: u64,
        limit: f64,
    ) -> Result<Boxed<Table>> {
        let count = rows.first().map_or(0, Vec::len);
        let base = self.schema().base().len();
        if rows.len() != base || rows.iter().any(|column| column.len() != count) {
            return Err(invalid(
                "partial rows have a column for each attribute that is not derived, all as long",
            ));
        }
        for (attribute, root, codes) in self.followed() {
            let (own, from) = (&rows[usize::from(attribute)], &rows[usize::from(root)]);
            let agrees = |(own, from): (&Option<u16>, &Option<u16>)| {
                own.is_none_or(|own| from.is_some_and(|from| codes.get(usize::from(from)) == Some(&own)))
            };
            if !own.iter().zip(from).all(agrees) {
                let name = |attribute: u16| &self.schema().attributes()[usize::from(attribute)].name;
                let (own, from) = (name(attribute), name(root));
                return Err(invalid(&format!(
                    "{own} follows from {from}: give the {from} that it follows from, or neither"
                )));
            }
        }
        // What follows from others is not drawn.
        rows.resize(self.cliques.sizes().len(), Vec::new());
        let drawn = |attribute: usize| attribute < base && self.roots().is_root(attribute as u16);
        (0..rows.len()).filter(|attribute| !drawn(*attribute)).for_each(|a| rows[a] = vec![Some(0); count]);
        Ok(Box::new(Steps::new(move |pace| async move {
            let (tree, seed) = (self.cliques.passes().tree(), Seed::new(seed));
            let method = method_of(method);
            let columns = graph::complete(tree, &self.potentials, &rows, limit, method, &seed, &pace).await?;
            self.table(columns, &pace).await
        })))
    }

    /// The records with these codes of the attributes of the tree, block by block.
    pub(super) async fn table(&self, mut columns: Vec<Vec<u16>>, pace: &Pace) -> Result<Table> {
        let count = columns.first().map_or(0, Vec::len);
        for (attribute, root, codes) in self.followed() {
            columns[usize::from(attribute)] =
                columns[usize::from(root)].iter().map(|code| codes[usize::from(*code)]).collect();
            pace.did(count).await;
        }
        let mut table = Table::new(Arc::clone(self.schema()), false, &[]);
        for first in (0..count).step_by(BLOCK) {
            let block = first..count.min(first + BLOCK);
            let columns = columns[..self.schema().base().len()].iter().map(|column| &column[block.clone()]);
            table.extend(&columns.collect::<Vec<&[u16]>>(), None, &[])?;
            pace.did(10 * block.len()).await;
        }
        Ok(table)
    }
}

/// Of what is summed over no table is kept: rounding goes by groups.
pub(super) fn method_of(method: Method) -> graph::Method {
    match method {
        Method::Iid => graph::Method::Iid,
        Method::Controlled | Method::Systematic => graph::Method::Systematic,
    }
}
