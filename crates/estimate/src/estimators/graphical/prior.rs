//! What public rows say of the cliques of a graphical model, which may know only some of its attributes.
//!
//! The public shares of each clique, as precise as counts are, are fitted on the same tree as private answers are. The fit stays
//! near to the product of the public single attributes, as near as says best of one half of the rows what is in the other.

use crate::deviates::stream;
use crate::job::Pace;
use crate::models::graphical::{Cliques, cells_of_some};
use crate::models::support::{Base, cells_of_rows};
use marginalia_graph::Tree;
use marginalia_graph::fit::{self, Operator, Problem, fit, product_of_oneways};
use marginalia_tables::Result;
use std::sync::Arc;

/// Public rows, and which attribute each column is.
pub(super) struct Public<'a> {
    pub rows: &'a Base,
    pub known: &'a [u16],
    /// How many records they stand for.
    pub records: f64,
}

/// Counts are as noisy as if they were at least this.
const LEAST_COUNT: f64 = 0.5;

/// How many records the product of single attributes may be worth.
const STRENGTHS: [f64; 7] = [10_000.0, 3000.0, 1000.0, 300.0, 100.0, 30.0, 10.0];

/// More records than these are halved.
const MANY: u64 = 4096;

/// Gaps of fits to choose by, and of the last one.
const FAIR: f64 = 1e-2;
const CLOSE: f64 = 1e-3;

impl Public<'_> {
    /// Whether it knows each attribute of the schema, of so many.
    pub fn knows(&self, attributes: usize) -> Vec<bool> {
        (0..attributes as u16).map(|attribute| self.known.contains(&attribute)).collect()
    }

    /// The potentials of the best fit, for the cells of all cliques.
    pub async fn potentials(&self, cliques: &Cliques, seed: u64, pace: &Pace) -> Result<Vec<f64>> {
        let halves = self.halves(seed);
        let [one, other] = [self.counts(cliques, &halves[0])?, self.counts(cliques, &halves[1])?];
        let mut best = (f64::NEG_INFINITY, STRENGTHS[0]);
        for strength in STRENGTHS {
            let score = one.clone().fitted(strength, FAIR, pace).await?.log_likelihood(&other.shares);
            if score <= best.0 {
                break;
            }
            best = (score, strength);
        }
        let all: Vec<f64> = self.rows.prior().iter().map(|share| share * self.records).collect();
        let found = self.counts(cliques, &all)?.fitted(best.1, CLOSE, pace).await?;
        Ok(found.potentials().to_vec())
    }

    /// The weight of each row in two halves: each of its records is in either.
    fn halves(&self, seed: u64) -> [Vec<f64>; 2] {
        let mut random = stream(seed, &[HALVES]);
        let mut half = |weight: &f64| {
            // A weight below one is a record all the same, and of very many records half is near enough.
            let records = (weight.round() as u64).max(1);
            let mut coins = |n: u32| u64::from((random.next_u64() & ((1 << n) - 1)).count_ones());
            let heads = match records {
                1..=MANY => (0..records / 32).map(|_| coins(32)).sum::<u64>() + coins(records as u32 % 32),
                _ => records / 2,
            };
            weight * heads as f64 / records as f64
        };
        let weights: Vec<f64> = self.rows.prior().iter().map(|share| share * self.records).collect();
        let first: Vec<f64> = weights.iter().map(&mut half).collect();
        let second = weights.iter().zip(&first).map(|(all, first)| all - first).collect();
        [first, second]
    }

    /// What such weights come to in each clique.
    fn counts(&self, cliques: &Cliques, weights: &[f64]) -> Result<Counts> {
        let tree = Arc::clone(cliques.passes().tree());
        let mut counts = Counts {
            problem: Problem::new(Arc::clone(cliques.passes())),
            shares: vec![0.0; tree.cells()],
            tree,
            records: weights.iter().sum(),
        };
        let sizes = cliques.sizes();
        let knows = self.knows(sizes.len());
        let mut cells = vec![0; weights.len()];
        for (leaf, clique) in cliques.list().iter().enumerate() {
            let known: Vec<u16> = clique.iter().copied().filter(|a| knows[usize::from(*a)]).collect();
            let column = |a: &u16| self.known.iter().position(|own| own == a).unwrap_or(0) as u16;
            let columns: Vec<u16> = known.iter().map(column).collect();
            cells_of_rows(
                self.rows.domain(),
                self.rows.columns().into(),
                &columns,
                0..weights.len(),
                &mut cells,
            );
            let of = cells_of_some(&sizes, clique, &known);
            let classes = of.iter().map(|class| *class as usize + 1).max().unwrap_or(1);
            let mut sums = vec![0.0; classes];
            cells.iter().zip(weights).for_each(|(cell, weight)| sums[*cell as usize] += weight);
            counts.add(leaf, of, &sums)?;
        }
        Ok(counts)
    }
}

/// Public counts as a problem, and as shares of the cells of all cliques, the same for cells that differ by what is not known.
#[derive(Clone)]
struct Counts {
    problem: Problem,
    shares: Vec<f64>,
    tree: Arc<Tree>,
    records: f64,
}

impl Counts {
    fn add(&mut self, leaf: usize, of: Vec<u32>, sums: &[f64]) -> Result<()> {
        let own = &self.tree.leaves()[leaf];
        let class = self.tree.arranged(leaf, &of);
        let shares: Vec<f64> = sums.iter().map(|sum| sum / self.records).collect();
        let weights: Vec<f64> =
            sums.iter().map(|sum| self.records * self.records / sum.max(LEAST_COUNT)).collect();
        let within = own.cells as f64 / sums.len() as f64;
        let cells = self.shares[own.at..own.at + own.cells].iter_mut().zip(&class);
        cells.for_each(|(cell, class)| *cell = shares[*class as usize] / within);
        if sums.len() > 1 {
            self.problem.measure_each(
                leaf,
                Operator::Classes { of: class, classes: sums.len() },
                &shares,
                &weights,
            )?;
        }
        Ok(())
    }

    async fn fitted(mut self, strength: f64, tolerance: f64, pace: &Pace) -> Result<fit::Point> {
        self.problem.set_base(&product_of_oneways(&self.tree, &self.shares, |_| true));
        self.problem.set_strength(strength);
        let options = fit::Options { tolerance, ..fit::Options::default() };
        Ok(fit(&self.problem, None, &options, &pace.quiet()).await?.point)
    }
}

/// Sets these draws apart from others under the same seed.
const HALVES: u64 = 0x6861_6c66;
