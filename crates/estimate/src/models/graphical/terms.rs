//! Measurements as terms of a problem on a tree.

use super::{Cliques, Places, Roots};
use crate::measurement::Measured;
use crate::models::check::invalid;
use marginalia_graph::fit::{Operator, Problem};
use marginalia_tables::Result;
use marginalia_tables::query::{Matrix, Query};
use std::ops::Range;
use std::sync::Arc;

/// What was measured of the cells of a clique whose attributes are not derived.
pub(crate) struct Question<'a> {
    measured: &'a Measured,
    places: Places,
}

impl<'a> Question<'a> {
    pub fn all(roots: &Roots, measurements: &'a [Measured]) -> Result<Vec<Self>> {
        let question =
            |measured: &'a Measured| Ok(Self { measured, places: Places::new(roots, &measured.clique)? });
        measurements.iter().map(question).collect()
    }

    /// The cliques, each once.
    pub fn cliques(all: &[Self]) -> Vec<Vec<u16>> {
        let mut cliques: Vec<Vec<u16>> = Vec::new();
        for question in all {
            if !cliques.contains(&question.places.roots) {
                cliques.push(question.places.roots.clone());
            }
        }
        cliques
    }
}

/// The problem of measurements of a table of so many records.
pub(crate) fn problem(cliques: &Cliques, all: &[Question<'_>], records: f64) -> Result<Problem> {
    let mut problem = Problem::new(Arc::clone(cliques.passes()));
    measure(&mut problem, cliques, all, records)?;
    Ok(problem)
}

/// Adds measurements of a table of so many records to a problem: the places of the answers of each, in the order of the tree where
/// they are of every cell.
pub(crate) fn measure(
    problem: &mut Problem,
    cliques: &Cliques,
    all: &[Question<'_>],
    records: f64,
) -> Result<Vec<Range<usize>>> {
    let mut of = Vec::new();
    let passes = cliques.passes();
    for Question { measured, places } in all {
        let Some(leaf) = cliques.list().iter().position(|clique| *clique == places.roots) else {
            of.push(0..0);
            continue;
        };
        let shares: Vec<f64> = measured.answers.iter().map(|answer| answer / records).collect();
        let weight = records * records / measured.variance;
        let tree = passes.tree();
        // In the order of the tree: the class of each cell, or what it counts for.
        let class = tree.arranged(leaf, &places.of);
        of.push(match &measured.query {
            Query::Identity if places.same() => {
                if shares.len() != class.len() {
                    return Err(invalid("a measurement needs one answer for each cell of its clique"));
                }
                problem.measure(leaf, Operator::Identity, &tree.arranged(leaf, &shares), weight)?
            }
            Query::Identity => {
                let operator = Operator::Classes { of: class, classes: places.cells };
                problem.measure(leaf, operator, &shares, weight)?
            }
            Query::Linear(matrix) => {
                let row = |row: &[i32]| class.iter().map(|place| row[*place as usize]).collect::<Vec<i32>>();
                let values = matrix.rows().flat_map(row).collect();
                problem.measure(leaf, Operator::Linear(Matrix::new(class.len(), values)?), &shares, weight)?
            }
            Query::Product(product) => {
                let operator = Operator::Product { of: class, product: product.clone() };
                problem.measure(leaf, operator, &shares, weight)?
            }
        });
    }
    Ok(of)
}
