//! A Bayesian network and the rows that it draws.

use super::entropy::Entropies;
use super::search::Structure;
use crate::seed::Seed;
use marginalia_tables::count::Answers;
use marginalia_tables::{Domain, Result};

/// An attribute, its parents, and its table given each of the first 0, 1, … of them.
#[derive(Debug, Clone)]
pub(super) struct Node {
    attribute: u16,
    parents: Vec<u16>,
    levels: Vec<Level>,
    /// Levels below it know too few parents to keep a dependency.
    least: usize,
}

/// Counts of an attribute's codes for each cell of some parents.
#[derive(Debug, Clone)]
struct Level {
    /// Of each cell, the counts of the codes up to each.
    sums: Vec<f64>,
}

/// A distribution over all attributes of the base: the product over attributes of each one's distribution given its
/// parents. Counts `n` given all parents are smoothed towards those given one parent less,
/// `P(x | a, b) = (n(x, a, b) + 4 P(x | a)) / (n(a, b) + 4)`, and so on down to `P(x) = n(x) / N`, so that a code
/// that the table lacks has probability 0; down to the last parent by which a dependency is kept, where there is one.
#[derive(Debug, Clone)]
pub struct Network {
    sizes: Vec<u32>,
    nodes: Vec<Node>,
    score: f64,
}

/// How many rows the table given one parent less is worth.
const BACK_OFF: f64 = 4.0;

impl Node {
    /// The nodes of a structure, parents first, the more informative parent before the other.
    pub(super) fn all(structure: &Structure, entropies: &Entropies) -> Vec<Self> {
        let node = |x: &u16| {
            let mut parents = structure.parents[usize::from(*x)].clone();
            parents.sort_by(|a, b| {
                entropies.information(*x, *b).total_cmp(&entropies.information(*x, *a)).then(a.cmp(b))
            });
            let least = parents.iter().rposition(|a| entropies.related(*x, *a)).map_or(0, |at| at + 1);
            Self { attribute: *x, parents, levels: Vec::new(), least }
        };
        structure.order.iter().map(node).collect()
    }

    /// What to count for it.
    pub(super) fn cliques(&self) -> Vec<Vec<u16>> {
        let level = |k| self.parents[..k].iter().copied().chain([self.attribute]).collect();
        (0..=self.parents.len()).map(level).collect()
    }

    /// The sums of one cell of the first `level` parents.
    fn sums(&self, level: usize, sizes: &[u32], codes: &[u16]) -> &[f64] {
        let parents = self.parents[..level].iter().map(|a| usize::from(*a));
        let cell = parents.fold(0, |cell, a| cell * sizes[a] as usize + usize::from(codes[a]));
        let size = sizes[usize::from(self.attribute)] as usize;
        &self.levels[level].sums[cell * size..][..size]
    }

    /// How many rows the levels below one are worth to a cell of it that has so many.
    fn back_off(&self, level: usize, rows: f64) -> f64 {
        if level == 0 || level == self.least && rows > 0.0 { 0.0 } else { BACK_OFF }
    }

    /// Draws the code by choosing a level with the weight that smoothing gives it.
    fn draw(&self, sizes: &[u32], codes: &[u16], random: &mut Seed) -> u16 {
        for level in (0..=self.parents.len()).rev() {
            let sums = self.sums(level, sizes, codes);
            let total = sums[sums.len() - 1];
            let place = random.uniform() * (total + self.back_off(level, total));
            if place < total {
                return sums.partition_point(|sum| *sum <= place) as u16;
            }
        }
        codes[usize::from(self.attribute)]
    }

    fn probability(&self, sizes: &[u32], codes: &[u16]) -> f64 {
        let x = usize::from(codes[usize::from(self.attribute)]);
        (0..=self.parents.len()).fold(0.0, |below, level| {
            let sums = self.sums(level, sizes, codes);
            let count = sums[x] - if x > 0 { sums[x - 1] } else { 0.0 };
            let total = sums[sums.len() - 1];
            let back_off = self.back_off(level, total);
            (count + back_off * below) / (total + back_off)
        })
    }
}

impl Network {
    /// A network whose tables are the counts of its nodes' cliques, scaled to what the table is worth.
    pub(super) fn new(
        domain: &Domain,
        mut nodes: Vec<Node>,
        answers: &Answers,
        rate: f64,
        score: f64,
    ) -> Result<Self> {
        let mut clique = 0;
        for node in &mut nodes {
            let size = domain.sizes()[usize::from(node.attribute)] as usize;
            for _ in 0..=node.parents.len() {
                let mut sums = answers.clique(clique)?;
                for cell in sums.chunks_exact_mut(size) {
                    let mut sum = 0.0;
                    for count in cell {
                        sum += *count * rate;
                        *count = sum;
                    }
                }
                node.levels.push(Level { sums });
                clique += 1;
            }
        }
        Ok(Self { sizes: domain.sizes().to_vec(), nodes, score })
    }

    /// By how much its score is above that of independent attributes.
    pub fn score(&self) -> f64 {
        self.score
    }

    /// The parents of each attribute, in the order in which attributes are drawn.
    pub fn parents(&self) -> Vec<(u16, Vec<u16>)> {
        self.nodes.iter().map(|node| (node.attribute, node.parents.clone())).collect()
    }

    /// Draws the codes of the base attributes of a row.
    pub fn draw(&self, random: &mut Seed, codes: &mut [u16]) {
        for node in &self.nodes {
            codes[usize::from(node.attribute)] = node.draw(&self.sizes, codes, random);
        }
    }

    /// The probability of a row of codes.
    pub fn probability(&self, codes: &[u16]) -> f64 {
        self.nodes.iter().map(|node| node.probability(&self.sizes, codes)).product()
    }
}
