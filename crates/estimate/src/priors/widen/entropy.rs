//! How well some attributes tell another, scored by the Bayesian information criterion.

use crate::priors::dependencies::Dependencies;
use marginalia_tables::Domain;

/// An attribute's parents, most informative first, and what they add to the score.
#[derive(Debug, Clone, PartialEq)]
pub struct Family {
    /// At most two attributes.
    pub parents: Vec<u16>,
    /// By how much the score of the network rises with these parents instead of none.
    pub gain: f64,
}

/// Entropies of attributes, pairs and some triples, in nats.
#[derive(Debug, Clone)]
pub struct Entropies {
    sizes: Vec<u32>,
    rows: f64,
    dependencies: Dependencies,
    singles: Vec<f64>,
    /// Of `a < b`, at `a·n + b`.
    pairs: Vec<f64>,
    /// Ascending by attributes.
    triples: Vec<([u16; 3], f64)>,
}

impl Entropies {
    /// No entropies yet of the first `attributes` of a domain, for a table worth so many rows.
    pub(super) fn new(domain: &Domain, attributes: usize, rows: f64, dependencies: Dependencies) -> Self {
        Self {
            sizes: domain.sizes()[..attributes].to_vec(),
            rows,
            dependencies,
            singles: vec![0.0; attributes],
            pairs: vec![f64::NAN; attributes * attributes],
            triples: Vec::new(),
        }
    }

    /// Number of attributes.
    pub fn attributes(&self) -> usize {
        self.sizes.len()
    }

    /// How many rows the table is worth.
    pub fn rows(&self) -> f64 {
        self.rows
    }

    pub(super) fn set(&mut self, clique: &[u16], entropy: f64) {
        match *clique {
            [a] => self.singles[usize::from(a)] = entropy,
            [a, b] => self.pairs[usize::from(a) * self.sizes.len() + usize::from(b)] = entropy,
            [a, b, c] => self.triples.push(([a, b, c], entropy)),
            _ => {}
        }
    }

    pub(super) fn sort(&mut self) {
        self.triples.sort_by_key(|(clique, _)| *clique);
    }

    fn pair(&self, a: u16, b: u16) -> f64 {
        self.pairs[usize::from(a.min(b)) * self.sizes.len() + usize::from(a.max(b))]
    }

    fn triple(&self, mut clique: [u16; 3]) -> Option<f64> {
        clique.sort_unstable();
        self.triples.binary_search_by_key(&clique, |(clique, _)| *clique).ok().map(|at| self.triples[at].1)
    }

    /// The mutual information of two attributes.
    pub fn information(&self, a: u16, b: u16) -> f64 {
        self.singles[usize::from(a)] + self.singles[usize::from(b)] - self.pair(a, b)
    }

    /// Whether one of two attributes follows from the other.
    pub(super) fn related(&self, a: u16, b: u16) -> bool {
        self.dependencies.follows(a, b) || self.dependencies.follows(b, a)
    }

    // In one place: it is asked three times for each family.
    /// How many combinations of codes there can be, where what follows from another adds none.
    #[inline(never)]
    fn combinations(&self, clique: &[u16]) -> f64 {
        let follows = |to: &(usize, &u16)| {
            clique.iter().enumerate().any(|(i, from)| {
                let both = self.dependencies.follows(*to.1, *from);
                self.dependencies.follows(*from, *to.1) && (!both || i < to.0)
            })
        };
        let free = clique.iter().enumerate().filter(|to| !follows(to));
        free.map(|(_, a)| f64::from(self.sizes[usize::from(*a)])).product()
    }

    /// What parents add to the score (Schwarz 1978): `N·I(x; Π) − ½ ln N·(|Π ∪ x| − |Π| − |x| + 1)`, where |·| counts the
    /// combinations that there can be. `None` where the counts that it needs were not made.
    pub fn gain(&self, x: u16, parents: &[u16]) -> Option<f64> {
        let alone = self.singles[usize::from(x)];
        let information = match *parents {
            [] => return Some(0.0),
            [a] => self.information(x, a),
            [a, b] => alone + self.pair(a, b) - self.triple([a, b, x])?,
            _ => return None,
        };
        let all: Vec<u16> = parents.iter().copied().chain([x]).collect();
        let freedom = self.combinations(&all) - self.combinations(parents) - self.combinations(&[x]) + 1.0;
        Some(self.rows * information - 0.5 * libm::log(self.rows.max(1.0)) * freedom)
    }

    /// The attributes that tell most about another by pairs, at most `most`.
    pub(super) fn candidates(&self, x: u16, most: usize) -> Vec<u16> {
        let mut others: Vec<u16> = (0..self.sizes.len() as u16).filter(|a| *a != x).collect();
        others.sort_by(|a, b| self.information(x, *b).total_cmp(&self.information(x, *a)).then(a.cmp(b)));
        others.truncate(most);
        others
    }

    /// The families of an attribute that raise the score, and the one without parents, which comes first.
    pub(super) fn families(&self, x: u16, most: usize) -> Vec<Family> {
        let candidates = self.candidates(x, most);
        let mut families = vec![Family { parents: Vec::new(), gain: 0.0 }];
        let mut offer = |parents: &[u16]| {
            if let Some(gain) = self.gain(x, parents).filter(|gain| *gain > 0.0) {
                families.push(Family { parents: parents.to_vec(), gain });
            }
        };
        for (i, a) in candidates.iter().enumerate() {
            offer(&[*a]);
            candidates[i + 1..].iter().for_each(|b| offer(&[*a, *b]));
        }
        families
    }
}

/// The entropy of counts, in nats.
pub(super) fn entropy(counts: &[f64]) -> f64 {
    let total: f64 = counts.iter().sum();
    let sum: f64 = counts.iter().filter(|n| **n > 0.0).map(|n| n * libm::log(n / total)).sum();
    if total > 0.0 { -sum / total } else { 0.0 }
}
