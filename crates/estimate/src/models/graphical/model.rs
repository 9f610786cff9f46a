//! Potentials for the cells of some cliques, and the tree that they are summed on.

use super::answers;
use crate::job::{Boxed, Steps};
use crate::models::check::{self, invalid};
use crate::models::{Condition, Form, Model, RecordsRequest, Saved};
use crate::records::Method;
use crate::seed::Seed;
use marginalia_graph::{self as graph, Oracle, Passes, plan_with_names};
use marginalia_tables::{Result, Schema, Table, Workload};
use std::sync::Arc;

/// The name of the kind.
pub const KIND: &str = "graphical";

/// Records that go into a table at once.
const BLOCK: usize = 4096;

/// Cliques of attributes that are not derived, with a tree over them.
#[derive(Debug, Clone)]
pub struct Cliques {
    schema: Arc<Schema>,
    cliques: Arc<Vec<Vec<u16>>>,
    passes: Arc<Passes>,
}

impl Cliques {
    /// A tree over these cliques, and one for each attribute that none of them has. Refused where work on it would take more than
    /// `limit` bytes.
    pub fn new(schema: Arc<Schema>, mut cliques: Vec<Vec<u16>>, limit: f64) -> Result<Self> {
        for attribute in 0..schema.base().len() as u16 {
            if !cliques.iter().any(|clique| clique.contains(&attribute)) {
                cliques.push(vec![attribute]);
            }
        }
        if cliques.iter().flatten().any(|attribute| usize::from(*attribute) >= schema.base().len()) {
            return Err(invalid("the cliques of a graphical model are of attributes that are not derived"));
        }
        let name = |attribute: u16| schema.attributes()[usize::from(attribute)].name.clone();
        let tree = plan_with_names(&schema.sizes(), &cliques, limit, &name)?;
        let passes = Arc::new(Passes::new(Arc::new(tree)));
        Ok(Self { schema, cliques: Arc::new(cliques), passes })
    }

    /// The number of codes of each attribute.
    pub fn sizes(&self) -> Vec<u32> {
        self.schema.sizes()
    }

    /// The cliques, those of single attributes last.
    pub fn list(&self) -> &[Vec<u16>] {
        &self.cliques
    }

    /// What is known of the tree.
    pub fn passes(&self) -> &Arc<Passes> {
        &self.passes
    }
}

/// A distribution over the cells of cliques, for so many records.
#[derive(Debug, Clone)]
pub struct GraphicalModel {
    cliques: Cliques,
    /// In the order of the tree; −∞ for what cannot be.
    potentials: Vec<f64>,
    oracle: Arc<Oracle>,
    log_z: f64,
    total: f64,
}

impl GraphicalModel {
    /// Potentials for all cells, in the order of the tree. Nothing where they leave no record possible.
    pub fn new(cliques: Cliques, potentials: Vec<f64>, total: f64) -> Result<Option<Self>> {
        check::total(total)?;
        let proper = |theta: &f64| *theta < f64::INFINITY && !theta.is_nan();
        if potentials.len() != cliques.passes.tree().cells() || !potentials.iter().all(proper) {
            return Err(invalid(
                "a graphical model needs for each cell of its cliques a finite potential, or −∞",
            ));
        }
        let mut oracle = Oracle::new(Arc::clone(&cliques.passes));
        let log_z = oracle.forward(&potentials);
        if log_z == f64::NEG_INFINITY {
            return Ok(None);
        }
        let log_z = oracle.reverse(&potentials).unwrap_or(log_z);
        Ok(Some(Self { cliques, potentials, oracle: Arc::new(oracle), log_z, total }))
    }

    /// The cliques, those of single attributes last.
    pub fn cliques(&self) -> &[Vec<u16>] {
        &self.cliques.cliques
    }

    /// θ of all cells, in the order of the tree.
    pub fn potentials(&self) -> &[f64] {
        &self.potentials
    }

    /// The messages of its tree.
    pub fn oracle(&self) -> &Oracle {
        &self.oracle
    }
}

impl Model for GraphicalModel {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn schema(&self) -> &Arc<Schema> {
        &self.cliques.schema
    }

    fn total(&self) -> f64 {
        self.total
    }

    fn size(&self) -> usize {
        self.potentials.len()
    }

    fn answer(self: Arc<Self>, workload: &Arc<Workload>, limit: u64) -> Result<Boxed<Vec<f64>>> {
        if workload.domain().sizes() != self.schema().sizes() {
            return Err(invalid(
                "the workload is over another schema: build it from the schema of the model",
            ));
        }
        check::answers(workload, limit)?;
        let workload = Arc::clone(workload);
        Ok(Box::new(Steps::new(move |pace| async move {
            answers::answers(&self, &workload, limit as f64, &pace).await
        })))
    }

    fn records(self: Arc<Self>, request: RecordsRequest) -> Result<Boxed<Table>> {
        let count =
            usize::try_from(request.records).map_err(|_| invalid("so many records cannot be made"))?;
        let method = match request.method {
            Method::Iid => graph::Method::Iid,
            // Of what is summed over no table is kept: rounding goes by groups.
            Method::Controlled | Method::Systematic => graph::Method::Systematic,
        };
        Ok(Box::new(Steps::new(move |pace| async move {
            let columns =
                graph::records(&self.oracle, count, method, &Seed::new(request.seed), &pace).await?;
            let mut table = Table::new(Arc::clone(self.schema()), false, &[]);
            for first in (0..count).step_by(BLOCK) {
                let block = first..count.min(first + BLOCK);
                let columns =
                    columns[..self.schema().base().len()].iter().map(|column| &column[block.clone()]);
                table.extend(&columns.collect::<Vec<&[u16]>>(), None, &[])?;
                pace.did(10 * block.len()).await;
            }
            Ok(table)
        })))
    }

    fn part(&self, condition: &Condition) -> Result<Option<Arc<dyn Model>>> {
        check::condition(&self.schema().sizes(), condition)?;
        let evidence = |(attribute, allowed): &(u16, Vec<bool>)| {
            let (root, codes) = self.schema().root(usize::from(*attribute));
            let codes = codes.map(|codes| codes.iter().map(|code| allowed[usize::from(*code)]).collect());
            (root as u16, codes.unwrap_or_else(|| allowed.clone()))
        };
        let evidence: Vec<_> = condition.iter().map(evidence).collect();
        let mut potentials = self.potentials.clone();
        graph::condition(self.cliques.passes.tree(), &mut potentials, &evidence)?;
        let part = Self::new(self.cliques.clone(), potentials, self.total)?;
        Ok(part.map(|part| {
            let total = self.total * (part.log_z - self.log_z).exp().min(1.0);
            Arc::new(Self { total, ..part }) as Arc<dyn Model>
        }))
    }

    fn form(&self) -> Result<Form> {
        let tree = self.cliques.passes.tree();
        let of = |(number, leaf): (usize, &graph::Leaf)| {
            tree.restored(number, &self.potentials[leaf.at..leaf.at + leaf.cells])
        };
        let numbers = tree.leaves().iter().enumerate().flat_map(of).collect();
        Ok(Form { cliques: Some(self.cliques().to_vec()), numbers })
    }
}

/// A graphical model from the potentials of one clique after another.
pub fn restore(saved: Saved) -> Result<Boxed<Arc<dyn Model>>> {
    let Saved { schema, total, form, limit, .. } = saved;
    let cliques =
        form.cliques.ok_or_else(|| invalid("a graphical model is given by potentials of cliques"))?;
    let saved_cliques = cliques.len();
    let cliques = Cliques::new(schema, cliques, limit as f64)?;
    if cliques.list().len() != saved_cliques {
        return Err(invalid("a graphical model has a clique for each attribute that is not derived"));
    }
    let tree = Arc::clone(cliques.passes.tree());
    if form.numbers.len() != tree.cells() {
        return Err(invalid("a graphical model has a potential for each cell of its cliques"));
    }
    let arranged = |(number, leaf): (usize, &graph::Leaf)| {
        tree.arranged(number, &form.numbers[leaf.at..leaf.at + leaf.cells])
    };
    let potentials = tree.leaves().iter().enumerate().flat_map(arranged).collect();
    Ok(Box::new(Steps::new(move |_| async move {
        let model = GraphicalModel::new(cliques, potentials, total)?;
        let model =
            model.ok_or_else(|| invalid("no record is possible in a graphical model that was saved"))?;
        Ok(Arc::new(model) as Arc<dyn Model>)
    })))
}
