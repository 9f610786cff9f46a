//! Learning a network from a public table: counts, scores, structure, tables.

use super::entropy::{Entropies, Family, entropy};
use super::network::{Network, Node};
use super::search::search;
use crate::priors::dependencies::Dependencies;
use marginalia_tables::count::{Answers, CountSource, Counting};
use marginalia_tables::{Code, Error, Result, Table, Workload};
use std::sync::Arc;

/// How a network is learnt.
#[derive(Debug, Clone)]
pub struct LearnOptions {
    /// How many rows the table is worth; by default the sum of its weights.
    pub strength: Option<f64>,
    /// How many attributes are considered as parents of another.
    pub candidates: usize,
    /// The most cells of an attribute with its parents.
    pub cells: u64,
    /// The most bytes that counting takes.
    pub limit: u64,
    /// Attributes that follow from others.
    pub dependencies: Dependencies,
}

impl Default for LearnOptions {
    fn default() -> Self {
        Self {
            strength: None,
            candidates: 8,
            cells: 1 << 20,
            limit: 1 << 28,
            dependencies: Dependencies::default(),
        }
    }
}

/// Learns a network in steps: all pairs are counted, then the triples of each attribute with two likely parents, batch
/// by batch, then the tables of the structure that these find.
pub struct LearnJob {
    table: Arc<Table>,
    options: LearnOptions,
    stage: Stage,
    counting: Option<Box<dyn Counting>>,
    /// Cliques that are being counted, that were, and that are expected in all.
    now: usize,
    past: usize,
    all: usize,
    weight: f64,
    entropies: Entropies,
    /// Triples still to count.
    triples: Vec<[u16; 3]>,
    network: Option<Network>,
}

enum Stage {
    Pairs,
    Triples,
    Tables(Vec<Node>, f64),
    Done,
}

impl LearnJob {
    /// A job that has counted nothing yet.
    pub fn new(table: Arc<Table>, options: LearnOptions) -> Result<Self> {
        let attributes = table.schema().base().len();
        let weight: f64 = match table.weights() {
            Some(weights) => weights.iter().flatten().sum(),
            None => table.rows() as f64,
        };
        let rows = options.strength.unwrap_or(weight);
        if !(weight > 0.0 && weight.is_finite() && rows > 0.0 && rows.is_finite()) {
            let message = "a network is learnt from a public table that has rows with weights";
            return Err(Error::new(Code::OptionInvalid, message));
        }
        let candidates = options.candidates.min(attributes);
        let dependencies = options.dependencies.clone();
        let entropies = Entropies::new(&table.domain(), attributes, rows, dependencies);
        let mut cliques: Vec<Vec<u16>> = (0..attributes as u16).map(|a| vec![a]).collect();
        for a in 0..attributes as u16 {
            cliques.extend((a + 1..attributes as u16).map(|b| vec![a, b]));
        }
        let mut job = Self {
            table,
            options,
            stage: Stage::Pairs,
            counting: None,
            now: 0,
            past: 0,
            all: cliques.len() + attributes * candidates.pow(2) / 2 + 3 * attributes,
            weight,
            entropies,
            triples: Vec::new(),
            network: None,
        };
        job.count(&cliques)?;
        Ok(job)
    }

    fn count<C: AsRef<[u16]>>(&mut self, cliques: &[C]) -> Result<()> {
        let workload = Arc::new(Workload::from_cliques(self.table.domain(), cliques)?);
        self.now = cliques.len();
        self.counting = Some(Arc::clone(&self.table).begin(workload, self.options.limit)?);
        Ok(())
    }

    /// Does about `work` units, each as long as counting a row once; true at the end.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        if let Some(counting) = &mut self.counting {
            let ready = counting.step(work)?;
            if ready && let Some(counting) = self.counting.take() {
                self.past += self.now;
                self.take(counting.finish()?)?;
            }
        }
        Ok(matches!(self.stage, Stage::Done))
    }

    /// Takes the counts of a stage and begins the next.
    fn take(&mut self, answers: Answers) -> Result<()> {
        if let Stage::Tables(nodes, score) = &mut self.stage {
            let rate = self.entropies.rows() / self.weight;
            let nodes = std::mem::take(nodes);
            self.network = Some(Network::new(&self.table.domain(), nodes, &answers, rate, *score)?);
            self.stage = Stage::Done;
            return Ok(());
        }
        for (i, clique) in answers.workload().cliques().enumerate() {
            self.entropies.set(clique, entropy(&answers.nonzero(i)?.1));
        }
        if matches!(self.stage, Stage::Pairs) {
            self.triples = self.likely();
            self.stage = Stage::Triples;
        }
        match self.batch() {
            batch if !batch.is_empty() => self.count(&batch),
            _ => self.build(),
        }
    }

    /// The triples of each attribute with two of its candidates, in case they are small enough.
    fn likely(&self) -> Vec<[u16; 3]> {
        let mut triples = Vec::new();
        for x in 0..self.entropies.attributes() as u16 {
            let candidates = self.entropies.candidates(x, self.options.candidates);
            for (i, a) in candidates.iter().enumerate() {
                for b in &candidates[i + 1..] {
                    let mut triple = [x, *a, *b];
                    triple.sort_unstable();
                    triples.push(triple);
                }
            }
        }
        triples.sort_unstable();
        triples.dedup();
        let domain = self.table.domain();
        triples.retain(|triple| domain.cells(triple).is_some_and(|cells| cells <= self.options.cells));
        triples
    }

    /// The next triples, as many as have room together.
    fn batch(&mut self) -> Vec<[u16; 3]> {
        let domain = self.table.domain();
        let (mut batch, mut held) = (Vec::new(), 0);
        while let Some(triple) = self.triples.last() {
            held += domain.cells(triple).unwrap_or(u64::MAX);
            if !batch.is_empty() && held > BATCH_CELLS {
                break;
            }
            batch.extend(self.triples.pop());
        }
        batch
    }

    fn build(&mut self) -> Result<()> {
        self.entropies.sort();
        let structure = search(&self.families());
        let nodes = Node::all(&structure, &self.entropies);
        let cliques: Vec<Vec<u16>> = nodes.iter().flat_map(Node::cliques).collect();
        self.stage = Stage::Tables(nodes, structure.score);
        self.count(&cliques)
    }

    /// The families of each attribute that the counts can score, once they are made.
    pub fn families(&self) -> Vec<Vec<Family>> {
        let domain = self.table.domain();
        let small = |x: u16, family: &Family| {
            let clique: Vec<u16> = family.parents.iter().copied().chain([x]).collect();
            domain.cells(&clique).is_some_and(|cells| cells <= self.options.cells)
        };
        let of = |x: u16| {
            let mut families = self.entropies.families(x, self.options.candidates);
            families.retain(|family| family.parents.is_empty() || small(x, family));
            families
        };
        (0..self.entropies.attributes() as u16).map(of).collect()
    }

    /// The entropies that families are scored by.
    pub fn entropies(&self) -> &Entropies {
        &self.entropies
    }

    /// The units done, roughly.
    pub fn done(&self) -> u64 {
        let part = |job: &dyn Counting| job.done() as f64 / job.total().max(1) as f64 * self.now as f64;
        let now = self.counting.as_deref().map_or(0.0, part);
        let done = (self.past as f64 + now) * self.table.rows() as f64;
        if matches!(self.stage, Stage::Done) { self.total() } else { self.total().min(done as u64) }
    }

    /// All units, roughly: what is counted later depends on what is counted first.
    pub fn total(&self) -> u64 {
        (self.all * self.table.rows()) as u64
    }

    /// Does what is left and returns the network.
    pub fn finish(mut self) -> Result<Network> {
        while !self.step(u64::MAX)? {}
        self.network.ok_or_else(|| Error::new(Code::OptionInvalid, "the schema has no attribute"))
    }
}

/// Cells counted in one go.
const BATCH_CELLS: u64 = 1 << 21;
