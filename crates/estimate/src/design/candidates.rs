//! Workloads that may be worth measuring, from what a public table says about pairs.

use crate::job::{Pace, Steps};
use crate::vector::filled;
use marginalia_tables::count::{Answers, CountSource, Counting};
use marginalia_tables::information::{Pair, Ranking, spanning_tree};
use marginalia_tables::{Code, Domain, Error, Result, Table, Workload};
use std::sync::Arc;

/// How candidates are made.
#[derive(Debug, Clone)]
pub struct DesignOptions {
    /// The attributes to measure; all of the base by default.
    pub attributes: Option<Vec<u16>>,
    /// An attribute whose pairs with all others are a candidate.
    pub group: Option<u16>,
    /// How many of the most informative pairs a candidate has.
    pub tops: Vec<usize>,
    /// Which part of the tree of cheap pairs a candidate has.
    pub trees: Vec<f64>,
    /// Shares of the budget go as the number of cells to these powers.
    pub exponents: Vec<f64>,
    /// The most cells of a clique.
    pub cells: u64,
    /// The most pairs of a candidate. Where all are more, so many of the most informative ones take their place, and a quarter of these.
    pub most: usize,
    /// The most bytes that counting takes.
    pub limit: u64,
}

impl Default for DesignOptions {
    fn default() -> Self {
        Self {
            attributes: None,
            group: None,
            tops: vec![8, 12, 20, 30],
            trees: vec![0.5, 0.75, 1.0],
            exponents: vec![0.0, 0.5],
            cells: 1 << 20,
            most: usize::MAX,
            limit: 1 << 28,
        }
    }
}

/// What a candidate consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Every attribute by itself.
    OneWays,
    /// The first so many pairs of a tree (Chow and Liu 1968), and other attributes alone. The tree is of the pairs that say
    /// most for their price: information over the root of cells, as which shares of the budget go, and without what
    /// independent attributes would seem to say.
    Tree(usize),
    /// The so many most informative pairs, and one pair of each attribute that is in none.
    Top(usize),
    /// All pairs.
    AllPairs,
    /// All pairs with the group attribute.
    GroupPairs,
    /// What somebody asked for.
    Fixed,
}

/// A workload with its shares of the budget.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// How it came about.
    pub family: Family,
    /// The power of cells that shares go as.
    pub exponent: f64,
    /// What is measured.
    pub cliques: Vec<Vec<u16>>,
    /// The share of each clique; their sum is 1.
    pub shares: Vec<f64>,
}

impl Candidate {
    /// A workload whose shares go as the number of cells to a power.
    pub fn new(domain: &Domain, family: Family, exponent: f64, cliques: Vec<Vec<u16>>) -> Self {
        let cells = |clique: &Vec<u16>| domain.cells(clique).map_or(1.0, |cells| cells.max(1) as f64);
        let parts: Vec<f64> = cliques.iter().map(|clique| libm::pow(cells(clique), exponent)).collect();
        let sum: f64 = parts.iter().sum();
        let shares = parts.iter().map(|part| part / sum).collect();
        Self { family, exponent, cliques, shares }
    }
}

/// The candidates by a public table, each workload with each exponent: nearly all of the time goes into counting pairs.
pub fn candidates(table: Arc<Table>, options: DesignOptions) -> Result<Steps<Vec<Candidate>>> {
    let base = table.schema().base().len() as u16;
    let mut attributes = options.attributes.clone().unwrap_or_else(|| (0..base).collect());
    attributes.sort_unstable();
    attributes.dedup();
    let domain = table.domain();
    let known = |a: &u16| usize::from(*a) < domain.sizes().len();
    if !attributes.iter().chain(&options.group).all(known) || attributes.is_empty() {
        let message = "a design is for attributes of the schema, of which there must be at least one";
        return Err(Error::new(Code::AttributeUnknown, message));
    }
    let small = |pair: &[u16; 2]| domain.cells(pair).is_some_and(|cells| cells <= options.cells);
    let pairs: Vec<[u16; 2]> = pairs(&attributes).filter(small).collect();
    let workload = Arc::new(Workload::from_cliques(domain.clone(), &pairs)?);
    let rows = table.rows() as f64;
    let counting = table.begin(workload, options.limit)?;
    Ok(Steps::new(move |pace| async move {
        let ranked = Ranking::new(Arc::new(counted(counting, &pace).await?))?.finish()?;
        let mut candidates: Vec<Candidate> = Vec::new();
        for (family, cliques) in
            (Design { domain: domain.clone(), rows, attributes, ranked }).workloads(&options)?
        {
            for exponent in &options.exponents {
                let candidate = Candidate::new(&domain, family, *exponent, cliques.clone());
                let same = |known: &Candidate| {
                    known.cliques == candidate.cliques && known.shares == candidate.shares
                };
                if !candidate.cliques.is_empty() && !candidates.iter().any(same) {
                    candidates.push(candidate);
                }
            }
        }
        Ok(candidates)
    }))
}

/// Counts that are about to be made.
pub(crate) async fn counted(mut counting: Box<dyn Counting>, pace: &Pace) -> Result<Answers> {
    let step = |work| {
        let over = counting.step(work)?;
        let (done, total) = (counting.done(), counting.total().max(1));
        pace.show((1000 * done.min(total) / total) as usize, 1000);
        Ok((over, counting.done()))
    };
    pace.drive(step).await?;
    counting.finish()
}

struct Design {
    domain: Domain,
    /// How many rows the public table has.
    rows: f64,
    attributes: Vec<u16>,
    /// Pairs that are small enough, the most informative first.
    ranked: Vec<Pair>,
}

impl Design {
    fn workloads(&self, options: &DesignOptions) -> Result<Vec<(Family, Vec<Vec<u16>>)>> {
        let small = |clique: &Vec<u16>| self.domain.cells(clique).is_some_and(|cells| cells <= options.cells);
        let singles: Vec<Vec<u16>> = self.attributes.iter().map(|a| vec![*a]).filter(&small).collect();
        let mut workloads = vec![(Family::OneWays, singles)];
        let tree = spanning_tree(&self.cheapest(), self.domain.sizes().len());
        for part in &options.trees {
            let pairs = libm::ceil(part * tree.len() as f64) as usize;
            let first = tree.iter().take(pairs).map(|pair| pair.to_vec()).collect();
            workloads.push((Family::Tree(pairs), self.complete(first, |a| vec![a], &small)?));
        }
        let paired = |a| self.most_informative(a);
        let first = |k| self.ranked.iter().take(k).map(|pair| pair.attributes.to_vec()).collect();
        let all = self.ranked.len();
        let many = if all > options.most { vec![options.most / 4, options.most] } else { Vec::new() };
        for k in options.tops.iter().chain(&many).filter(|k| **k < all) {
            workloads.push((Family::Top(*k), self.complete(first(*k), paired, &small)?));
        }
        if many.is_empty() {
            workloads.push((Family::AllPairs, self.complete(first(all), paired, &small)?));
        }
        if let Some(group) = options.group {
            let others = self.attributes.iter().filter(|a| **a != group);
            let pairs = others.map(|a| vec![group, *a]).filter(&small).collect();
            workloads.push((Family::GroupPairs, self.complete(pairs, paired, &small)?));
        }
        Ok(workloads)
    }

    /// Pairs by information over the root of cells, the highest first. 2N times that of independent attributes of r and c values
    /// is about χ² with (r − 1)(c − 1) degrees of freedom in N rows: its mean and two deviations are taken off, and pairs
    /// that have no more are left out.
    fn cheapest(&self) -> Vec<Pair> {
        let value = |pair: &Pair| {
            let [r, c] = pair.attributes.map(|a| f64::from(self.domain.sizes()[usize::from(a)]));
            let freedom = (r - 1.0) * (c - 1.0);
            let chance = freedom + 2.0 * libm::sqrt(2.0 * freedom);
            (pair.information - chance / (2.0 * self.rows)) / libm::sqrt(r * c)
        };
        let mut pairs: Vec<Pair> = self.ranked.iter().copied().filter(|pair| value(pair) > 0.0).collect();
        pairs.sort_by(|a, b| value(b).total_cmp(&value(a)));
        pairs
    }

    /// The most informative pair of an attribute, or the attribute by itself where no pair of it is small enough.
    fn most_informative(&self, a: u16) -> Vec<u16> {
        let best = self.ranked.iter().find(|pair| pair.attributes.contains(&a));
        best.map_or_else(|| vec![a], |pair| pair.attributes.to_vec())
    }

    /// Adds a clique of each attribute that is in none.
    fn complete(
        &self,
        mut cliques: Vec<Vec<u16>>,
        of_attribute: impl Fn(u16) -> Vec<u16>,
        small: &impl Fn(&Vec<u16>) -> bool,
    ) -> Result<Vec<Vec<u16>>> {
        let mut touched = filled(false, self.domain.sizes().len())?;
        cliques.iter().flatten().for_each(|a| touched[usize::from(*a)] = true);
        for a in &self.attributes {
            if touched[usize::from(*a)] {
                continue;
            }
            let clique = of_attribute(*a);
            if small(&clique) {
                clique.iter().for_each(|a| touched[usize::from(*a)] = true);
                cliques.push(clique);
            }
        }
        Ok(cliques)
    }
}

/// All pairs of attributes that are ascending.
pub(super) fn pairs(attributes: &[u16]) -> impl Iterator<Item = [u16; 2]> {
    attributes.iter().enumerate().flat_map(|(i, a)| attributes[i + 1..].iter().map(|b| [*a, *b]))
}
