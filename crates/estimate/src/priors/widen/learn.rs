//! Learning a network from a public table: counts, scores, structure, tables.

use super::entropy::{Entropies, Family, entropy};
use super::network::{Network, Node};
use super::search::search;
use crate::design::counted;
use crate::job::{Pace, Steps};
use crate::priors::dependencies::Dependencies;
use marginalia_tables::count::{Answers, CountSource};
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

/// A network, and what it was chosen by.
#[derive(Debug, Clone)]
pub struct Learnt {
    /// The network.
    pub network: Network,
    /// The families of each attribute that were scored.
    pub families: Vec<Vec<Family>>,
    /// What they were scored by.
    pub entropies: Entropies,
}

/// Learns a network of a public table: all pairs are counted, then the triples of each attribute with two likely parents,
/// batch by batch, then the tables of the structure that these find.
pub fn learn(table: Arc<Table>, options: LearnOptions) -> Result<Steps<Learnt>> {
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
    let mut cliques: Vec<Vec<u16>> = (0..attributes as u16).map(|a| vec![a]).collect();
    for a in 0..attributes as u16 {
        cliques.extend((a + 1..attributes as u16).map(|b| vec![a, b]));
    }
    // What is counted later depends on what is counted first.
    let all = cliques.len() + attributes * options.candidates.min(attributes).pow(2) / 2 + 3 * attributes;
    let mut entropies = Entropies::new(&table.domain(), attributes, rows, options.dependencies.clone());
    Ok(Steps::new(move |pace| async move {
        let mut counts = Counts { table: &table, limit: options.limit, pace: &pace, past: 0, all };
        entropies.add(&counts.of(&cliques).await?)?;
        let mut triples = likely(&entropies, &table, &options);
        while !triples.is_empty() {
            entropies.add(&counts.of(&batch(&mut triples, &table)).await?)?;
        }
        entropies.sort();
        let families = families(&entropies, &table, &options);
        let structure = search(&families);
        let nodes = Node::all(&structure, &entropies);
        let cliques: Vec<Vec<u16>> = nodes.iter().flat_map(Node::cliques).collect();
        let answers = counts.of(&cliques).await?;
        let network = Network::new(&table.domain(), nodes, &answers, rows / weight, structure.score)?;
        Ok(Learnt { network, families, entropies })
    }))
}

/// Counts cliques, so many in the past of about so many in all.
struct Counts<'a> {
    table: &'a Arc<Table>,
    limit: u64,
    pace: &'a Pace,
    past: usize,
    all: usize,
}

impl Counts<'_> {
    async fn of<C: AsRef<[u16]>>(&mut self, cliques: &[C]) -> Result<Answers> {
        let workload = Arc::new(Workload::from_cliques(self.table.domain(), cliques)?);
        let counting = Arc::clone(self.table).begin(workload, self.limit)?;
        let from = self.past;
        self.past += cliques.len();
        counted(counting, &self.pace.part(from, self.past, self.all)).await
    }
}

impl Entropies {
    fn add(&mut self, answers: &Answers) -> Result<()> {
        for (i, clique) in answers.workload().cliques().enumerate() {
            self.set(clique, entropy(&answers.nonzero(i)?.1));
        }
        Ok(())
    }
}

/// The triples of each attribute with two of its candidates, in case they are small enough.
fn likely(entropies: &Entropies, table: &Table, options: &LearnOptions) -> Vec<[u16; 3]> {
    let mut triples = Vec::new();
    for x in 0..entropies.attributes() as u16 {
        let candidates = entropies.candidates(x, options.candidates);
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
    let domain = table.domain();
    triples.retain(|triple| domain.cells(triple).is_some_and(|cells| cells <= options.cells));
    triples
}

/// The next triples, as many as have room together.
fn batch(triples: &mut Vec<[u16; 3]>, table: &Table) -> Vec<[u16; 3]> {
    let domain = table.domain();
    let (mut batch, mut held) = (Vec::new(), 0);
    while let Some(triple) = triples.last() {
        held += domain.cells(triple).unwrap_or(u64::MAX);
        if !batch.is_empty() && held > BATCH_CELLS {
            break;
        }
        batch.extend(triples.pop());
    }
    batch
}

/// The families of each attribute that the counts can score.
fn families(entropies: &Entropies, table: &Table, options: &LearnOptions) -> Vec<Vec<Family>> {
    let domain = table.domain();
    let small = |x: u16, family: &Family| {
        let clique: Vec<u16> = family.parents.iter().copied().chain([x]).collect();
        domain.cells(&clique).is_some_and(|cells| cells <= options.cells)
    };
    let of = |x: u16| {
        let mut families = entropies.families(x, options.candidates);
        families.retain(|family| family.parents.is_empty() || small(x, family));
        families
    };
    (0..entropies.attributes() as u16).map(of).collect()
}

/// Cells counted in one go.
const BATCH_CELLS: u64 = 1 << 21;
