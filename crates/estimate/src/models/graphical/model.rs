//! Potentials for the cells of some cliques, and the tree that they are summed on.

use super::Roots;
use super::answers;
use super::errors::errors;
use super::records::method_of;
use crate::errors::Spread;
use crate::job::{Boxed, Steps};
use crate::models::check::{self, invalid};
use crate::models::{Condition, ErrorsRequest, Form, Model, RecordsRequest};
use crate::seed::Seed;
use marginalia_graph::{self as graph, Oracle, Passes, plan_with_names};
use marginalia_tables::{Result, Schema, Table, Workload};
use std::sync::Arc;

/// The name of the kind.
pub const KIND: &str = "graphical";

/// Cliques of attributes that are not derived, with a tree over them.
#[derive(Debug, Clone)]
pub struct Cliques {
    schema: Arc<Schema>,
    roots: Roots,
    cliques: Arc<Vec<Vec<u16>>>,
    passes: Arc<Passes>,
}

impl Cliques {
    /// A tree over these cliques, and one for each attribute that none of them has. Refused where work on it would take more than
    /// `limit` bytes.
    pub fn new(schema: Arc<Schema>, cliques: Vec<Vec<u16>>, limit: f64) -> Result<Self> {
        let roots = Roots::new(&schema);
        Self::on(schema, roots, cliques, limit)
    }

    /// The same where more attributes follow from others than the schema says.
    pub fn on(schema: Arc<Schema>, roots: Roots, mut cliques: Vec<Vec<u16>>, limit: f64) -> Result<Self> {
        for attribute in (0..schema.base().len() as u16).filter(|attribute| roots.is_root(*attribute)) {
            if !cliques.iter().any(|clique| clique.contains(&attribute)) {
                cliques.push(vec![attribute]);
            }
        }
        let base =
            |attribute: &u16| usize::from(*attribute) < schema.base().len() && roots.is_root(*attribute);
        if !cliques.iter().flatten().all(base) {
            return Err(invalid("the cliques of a graphical model are of attributes that are not derived"));
        }
        let name = |attribute: u16| schema.attributes()[usize::from(attribute)].name.clone();
        let tree = plan_with_names(&schema.sizes(), &cliques, limit, &name)?;
        let passes = Arc::new(Passes::new(Arc::new(tree)));
        Ok(Self { schema, roots, cliques: Arc::new(cliques), passes })
    }

    /// The number of codes of each attribute.
    pub fn sizes(&self) -> Vec<u32> {
        self.schema.sizes()
    }

    /// The cliques, those of single attributes last.
    pub fn list(&self) -> &[Vec<u16>] {
        &self.cliques
    }

    /// From which attribute each one follows.
    pub fn roots(&self) -> &Roots {
        &self.roots
    }

    /// What is known of the tree.
    pub fn passes(&self) -> &Arc<Passes> {
        &self.passes
    }
}

/// A distribution over the cells of cliques, for so many records.
#[derive(Debug, Clone)]
pub struct GraphicalModel {
    pub(super) cliques: Cliques,
    /// In the order of the tree; −∞ for what cannot be.
    pub(super) potentials: Vec<f64>,
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

    /// From which attribute each one follows.
    pub fn roots(&self) -> &Roots {
        &self.cliques.roots
    }

    /// The attributes that follow from another by a rule, with that and the code for each of its codes.
    pub(super) fn followed(&self) -> impl Iterator<Item = (u16, u16, &[u16])> {
        let base = 0..self.schema().base().len() as u16;
        base.filter_map(|attribute| {
            let (root, codes) = self.roots().of(attribute);
            Some((attribute, root, codes?))
        })
    }

    /// θ of all cells, in the order of the tree.
    pub fn potentials(&self) -> &[f64] {
        &self.potentials
    }

    /// θ of the cells of one clique after another, the last attribute fastest.
    pub(super) fn potentials_of_cliques(&self) -> impl Iterator<Item = Vec<f64>> {
        let tree = self.cliques.passes.tree();
        let of = |(number, leaf): (usize, &graph::Leaf)| {
            tree.restored(number, &self.potentials[leaf.at..leaf.at + leaf.cells])
        };
        tree.leaves().iter().enumerate().map(of)
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
        Ok(Box::new(Steps::new(move |pace| async move {
            let (method, seed) = (method_of(request.method), Seed::new(request.seed));
            let columns = graph::records(&self.oracle, count, method, &seed, &pace).await?;
            self.table(columns, &pace).await
        })))
    }

    fn part(&self, condition: &Condition) -> Result<Option<Arc<dyn Model>>> {
        check::condition(&self.schema().sizes(), condition)?;
        let evidence = |(attribute, allowed): &(u16, Vec<bool>)| {
            let (root, codes) = self.roots().of(*attribute);
            let codes = codes.map(|codes| codes.iter().map(|code| allowed[usize::from(*code)]).collect());
            (root, codes.unwrap_or_else(|| allowed.clone()))
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

    fn standard_errors(self: Arc<Self>, request: ErrorsRequest) -> Option<Result<Boxed<Vec<Spread>>>> {
        Some(errors(self, request).map(|job| Box::new(job) as Boxed<Vec<Spread>>))
    }

    fn form(&self) -> Result<Form> {
        let mut numbers: Vec<f64> = self.potentials_of_cliques().flatten().collect();
        let mut cliques = self.cliques().to_vec();
        let sizes = self.cliques.sizes();
        for (attribute, root, codes) in self.followed() {
            let only = |code: &u16| {
                let code = *code;
                (0..sizes[usize::from(attribute)])
                    .map(move |other| if other == u32::from(code) { 0.0 } else { f64::NEG_INFINITY })
            };
            cliques.push(vec![root, attribute]);
            numbers.extend(codes.iter().flat_map(only));
        }
        Ok(Form { cliques: Some(cliques), numbers })
    }
}
