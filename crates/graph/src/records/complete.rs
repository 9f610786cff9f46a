//! The missing codes of known rows.

use super::draw::{Draw, draws};
use super::{Method, Records, admit, impossible};
use crate::oracle::{Oracle, Passes};
use crate::plan::plan;
use crate::tree::{Axes, Leaf, Tree, offsets, stride, union};
use marginalia_compute::job::Pace;
use marginalia_compute::seed::Seed;
use marginalia_compute::vector::filled;
use marginalia_tables::{Code, Error, Result};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Partial rows, attribute after attribute as the caller orders them, with what is missing drawn from p(missing | known). Refused
/// where a row is impossible, or an oracle over what is missing would take more than `limit` bytes.
///
/// Attributes that are missing fall into parts that have no clique in common: each depends only on the codes that are known in
/// its cliques. It takes a plan for every part that there is, and two passes over it, with what is known cut out of its
/// factors, for every combination of these codes among the rows.
pub async fn complete(
    tree: &Tree,
    potentials: &[f64],
    rows: &[Vec<Option<u16>>],
    limit: f64,
    method: Method,
    seed: &Seed,
    pace: &Pace,
) -> Result<Vec<Vec<u16>>> {
    let (patterns, mut columns) = read(tree, rows)?;
    let all: usize = patterns.values().map(Vec::len).sum();
    let (mut parts, mut seed, mut done, quiet) = (BTreeMap::new(), seed.clone(), 0, pace.quiet());
    for (missing, of) in patterns {
        pace.show(done, all);
        done += of.len();
        possible(tree, potentials, &missing, &columns, &of, pace).await?;
        for axes in connected(tree, &missing) {
            if !parts.contains_key(&axes) {
                parts.insert(axes.clone(), Part::new(tree, &axes, limit)?);
                pace.did(parts[&axes].work()).await;
            }
            let part = &parts[&axes];
            let mut oracle = part.oracle();
            for (known, group) in part.groups(&columns, &of) {
                let theta = part.cut(potentials, &known);
                oracle.forward(&theta);
                oracle.reverse(&theta);
                let mut own = Vec::with_capacity(axes.len());
                for _ in &axes {
                    own.push(filled(0, group.len())?);
                }
                let records = Records { oracle: &oracle, draws: &part.draws, method };
                records.draw(&mut own, &mut seed, &quiet).await?;
                for (axis, codes) in axes.iter().zip(own) {
                    let column = &mut columns[usize::from(*axis)];
                    group.iter().zip(codes).for_each(|(row, code)| column[*row as usize] = code);
                }
                if oracle.logarithmic() {
                    // Others may do with numbers.
                    oracle = part.oracle();
                }
                pace.did(part.work()).await;
            }
        }
    }
    Ok(tree.axis_of.iter().map(|axis| std::mem::take(&mut columns[usize::from(*axis)])).collect())
}

/// The rows by the axes that they miss.
type Patterns = BTreeMap<Axes, Vec<u32>>;

/// The patterns of the rows, and their columns by axis with 0 where a code is missing.
fn read(tree: &Tree, rows: &[Vec<Option<u16>>]) -> Result<(Patterns, Vec<Vec<u16>>)> {
    let invalid = |message| Err(Error::new(Code::OptionInvalid, message));
    let count = rows.first().map_or(0, Vec::len);
    admit(&tree.sizes, count)?;
    if rows.len() != tree.sizes.len() || rows.iter().any(|column| column.len() != count) {
        return invalid("partial rows have a column for each attribute, all as long");
    }
    let mut columns = vec![Vec::new(); rows.len()];
    let mut missing = vec![Axes::new(); count];
    for (axis, attribute) in tree.attributes().into_iter().enumerate() {
        let column = &rows[usize::from(attribute)];
        if column.iter().flatten().any(|code| u32::from(*code) >= tree.sizes[axis]) {
            return invalid("a partial row has a code that its attribute has not");
        }
        columns[axis] = filled(0, count)?;
        for ((code, to), missing) in column.iter().zip(&mut columns[axis]).zip(&mut missing) {
            match code {
                Some(code) => *to = *code,
                None => missing.push(axis as u16),
            }
        }
    }
    let mut patterns = Patterns::new();
    missing.into_iter().zip(0..).for_each(|(axes, row)| patterns.entry(axes).or_default().push(row));
    Ok((patterns, columns))
}

/// Refuses rows that factors exclude of which nothing is missing.
async fn possible(
    tree: &Tree,
    potentials: &[f64],
    missing: &Axes,
    columns: &[Vec<u16>],
    rows: &[u32],
    pace: &Pace,
) -> Result<()> {
    for leaf in tree.leaves.iter().filter(|leaf| !leaf.axes.iter().any(|axis| missing.contains(axis))) {
        let strides: Vec<u32> = leaf.axes.iter().map(|axis| stride(&leaf.axes, *axis, &tree.sizes)).collect();
        for row in rows {
            let code = |axis: &u16| u32::from(columns[usize::from(*axis)][*row as usize]);
            let at: u32 = leaf.axes.iter().zip(&strides).map(|(axis, stride)| code(axis) * stride).sum();
            if potentials[leaf.at + at as usize] == f64::NEG_INFINITY {
                return Err(impossible());
            }
        }
        pace.did(rows.len() * strides.len()).await;
    }
    Ok(())
}

/// Missing axes that are connected by factors, part by part.
fn connected(tree: &Tree, missing: &Axes) -> Vec<Axes> {
    let mut parts: Vec<Axes> = missing.iter().map(|axis| vec![*axis]).collect();
    for leaf in &tree.leaves {
        let held = |part: &Axes| part.iter().any(|axis| leaf.axes.binary_search(axis).is_ok());
        let (one, others): (Vec<Axes>, Vec<Axes>) = parts.into_iter().partition(held);
        parts = others;
        parts.extend((!one.is_empty()).then(|| union(&one.concat(), &[])));
    }
    parts
}

/// Missing axes that are drawn together.
struct Part {
    /// Those of its factors that are known.
    known: Axes,
    factors: Vec<Factor>,
    passes: Arc<Passes>,
    draws: Vec<Draw>,
}

/// A factor of the model, and where what is left of it belongs.
struct Factor {
    /// Where it begins.
    at: usize,
    /// Of the part's known axes.
    strides: Vec<u32>,
    /// Where it is added.
    to: usize,
    /// Of the cells there.
    places: Vec<[u32; 1]>,
}

impl Part {
    fn new(tree: &Tree, axes: &Axes, limit: f64) -> Result<Self> {
        let leaves = tree.leaves.iter().filter(|leaf| leaf.axes.iter().any(|axis| axes.contains(axis)));
        let leaves: Vec<&Leaf> = leaves.collect();
        let left =
            |leaf: &Leaf| -> Axes { leaf.axes.iter().filter(|axis| axes.contains(axis)).copied().collect() };
        // What is within another is added to it.
        let mut cliques: Vec<Axes> = leaves.iter().map(|leaf| left(leaf)).collect();
        cliques.sort_by_key(|clique| std::cmp::Reverse(clique.len()));
        let within = |a: &Axes, b: &Axes| a.iter().all(|axis| b.binary_search(axis).is_ok());
        let mut largest: Vec<Axes> = Vec::new();
        for clique in cliques {
            if !largest.iter().any(|other| within(&clique, other)) {
                largest.push(clique);
            }
        }
        let sizes: Vec<u32> = axes.iter().map(|axis| tree.sizes[usize::from(*axis)]).collect();
        let local = |clique: &Axes| -> Vec<u16> {
            clique.iter().filter_map(|axis| axes.binary_search(axis).ok()).map(|at| at as u16).collect()
        };
        // Axes ascend by size here as there, so that cells have one order.
        let own = plan(&sizes, &largest.iter().map(local).collect::<Vec<_>>(), limit)?;
        let all = leaves.iter().fold(Axes::new(), |all, leaf| union(&all, &leaf.axes));
        let known: Axes = all.into_iter().filter(|axis| !axes.contains(axis)).collect();
        let factor = |leaf: &&Leaf| {
            let clique = left(leaf);
            let (to, clique) = largest.iter().enumerate().find(|(_, other)| within(&clique, other))?;
            Some(Factor {
                at: leaf.at,
                strides: known.iter().map(|axis| stride(&leaf.axes, *axis, &tree.sizes)).collect(),
                to: own.leaves[to].at,
                places: offsets(clique, [&leaf.axes], &tree.sizes),
            })
        };
        let factors = leaves.iter().filter_map(factor).collect();
        let passes = Arc::new(Passes::new(Arc::new(own)));
        Ok(Self { known, factors, draws: draws(&passes), passes })
    }

    fn oracle(&self) -> Oracle {
        Oracle::new(Arc::clone(&self.passes))
    }

    fn work(&self) -> usize {
        let cut: usize = self.factors.iter().map(|factor| factor.places.len()).sum();
        cut + 3 * self.passes.tree.cost.multiplications as usize
    }

    /// The rows by the codes that are known.
    fn groups(&self, columns: &[Vec<u16>], rows: &[u32]) -> BTreeMap<Vec<u16>, Vec<u32>> {
        let mut groups = BTreeMap::<Vec<u16>, Vec<u32>>::new();
        for row in rows {
            let code = |axis: &u16| columns[usize::from(*axis)][*row as usize];
            groups.entry(self.known.iter().map(code).collect()).or_default().push(*row);
        }
        groups
    }

    /// The potentials of what is missing, where so much is known.
    fn cut(&self, potentials: &[f64], known: &[u16]) -> Vec<f64> {
        let mut theta = vec![0.0; self.passes.tree.cells()];
        for factor in &self.factors {
            let along = known.iter().zip(&factor.strides).map(|(code, stride)| u32::from(*code) * stride);
            let own = &potentials[factor.at + along.sum::<u32>() as usize..];
            let to = theta[factor.to..].iter_mut().zip(&factor.places);
            to.for_each(|(theta, [place])| *theta += own[*place as usize]);
        }
        theta
    }
}
