//! Measurements as terms of a problem on a tree.

use super::invalid;
use crate::measurement::Measured;
use crate::models::graphical::{Cliques, Places};
use marginalia_graph::fit::{Operator, Problem};
use marginalia_tables::query::{Matrix, Query};
use marginalia_tables::{Result, Schema};
use std::sync::Arc;

/// What was measured of the cells of a clique whose attributes are not derived.
pub(super) struct Question<'a> {
    measured: &'a Measured,
    places: Places,
}

impl<'a> Question<'a> {
    pub fn all(schema: &Schema, measurements: &'a [Measured]) -> Result<Vec<Self>> {
        let question =
            |measured: &'a Measured| Ok(Self { measured, places: Places::new(schema, &measured.clique)? });
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
pub(super) fn problem(cliques: &Cliques, all: &[Question<'_>], records: f64) -> Result<Problem> {
    let mut problem = Problem::new(Arc::clone(cliques.passes()));
    measure(&mut problem, cliques, all, records)?;
    Ok(problem)
}

/// Adds measurements of a table of so many records to a problem.
pub(super) fn measure(
    problem: &mut Problem,
    cliques: &Cliques,
    all: &[Question<'_>],
    records: f64,
) -> Result<()> {
    let passes = cliques.passes();
    for Question { measured, places } in all {
        let Some(leaf) = cliques.list().iter().position(|clique| *clique == places.roots) else { continue };
        let shares: Vec<f64> = measured.answers.iter().map(|answer| answer / records).collect();
        let weight = records * records / measured.variance;
        let tree = passes.tree();
        // In the order of the tree: the class of each cell, or what it counts for.
        let class = tree.arranged(leaf, &places.of);
        match &measured.query {
            Query::Identity if places.same() => {
                if shares.len() != class.len() {
                    return Err(invalid("a measurement needs one answer for each cell of its clique"));
                }
                problem.measure(leaf, Operator::Identity, &tree.arranged(leaf, &shares), weight)?;
            }
            Query::Identity => {
                let operator = Operator::Classes { of: class, classes: places.cells };
                problem.measure(leaf, operator, &shares, weight)?;
            }
            Query::Linear(matrix) => {
                let row = |row: &[i32]| class.iter().map(|place| row[*place as usize]).collect::<Vec<i32>>();
                let values = matrix.rows().flat_map(row).collect();
                problem.measure(
                    leaf,
                    Operator::Linear(Matrix::new(class.len(), values)?),
                    &shares,
                    weight,
                )?;
            }
        }
    }
    Ok(())
}
