//! Queries that are products of a factor for each attribute, never expanded over the cells that they are about.

use super::cut::Places;
use super::question::{QUERIES, Question, Wanted};
use super::{Names, Part, axes_of, outer};
use crate::oracle::Oracle;
use crate::tree::{Axes, Tree};
use marginalia_compute::job::Pace;
use marginalia_tables::{Code, Error, Result};

/// What queries make of an attribute: a row for each query, with a number for each code.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor {
    /// The attribute.
    pub attribute: u16,
    /// The matrix, row by row.
    pub rows: Vec<f64>,
}

// A row of ones is added to each factor: what it finds of the records says whether any were lost.

/// Queries that are worked on together: one way serves them, and what lies between them is still near.
const TOGETHER: usize = 7;

/// The mean of `∏ factor[k][x]` for each k, as a share of all records: query k takes row k of each factor, and an attribute
/// without one is summed over. All factors have as many rows.
pub async fn factored(
    oracle: &Oracle,
    factors: &[Factor],
    limit: f64,
    names: Names<'_>,
    pace: &Pace,
) -> Result<Vec<f64>> {
    let (tree, places) = (oracle.tree(), Places::new(oracle));
    let (axes, rows) = axes_and_rows(tree, factors)?;
    let all = rows.first().copied().unwrap_or(0);
    if rows.iter().any(|rows| *rows != all) {
        return Err(Error::new(
            Code::OptionInvalid,
            "factors of queries have as many rows, one for each query",
        ));
    }
    let mut answers = Vec::with_capacity(all);
    for first in (0..all).step_by(TOGETHER) {
        pace.show(first, all);
        let block = first..all.min(first + TOGETHER);
        let sizes = [&[block.len() as u32 + 1], &tree.sizes[..]].concat();
        let wanted = axes.iter().zip(factors).map(|(axis, factor)| {
            let width = tree.sizes[usize::from(*axis)] as usize;
            let mut rows = factor.rows[block.start * width..block.end * width].to_vec();
            rows.resize(rows.len() + width, 1.0);
            Wanted { axis: *axis, answer: QUERIES, matrix: Some(rows) }
        });
        let question = Question::new(oracle, &places, sizes, wanted.collect());
        question.admit(oracle, limit, names)?;
        pace.did(question.planning()).await;
        let parts = question.answers(oracle, |values| values[values.len() - 1], pace).await?;
        let product = |at: usize| parts.iter().map(|(_, values)| values[at]).product::<f64>();
        answers.extend((0..block.len()).map(product));
    }
    Ok(answers)
}

/// The same for all combinations of rows, the last factor's fastest: the Kronecker product of the factors.
pub async fn kronecker(
    oracle: &Oracle,
    factors: &[Factor],
    limit: f64,
    names: Names<'_>,
    pace: &Pace,
) -> Result<Vec<f64>> {
    let (tree, places) = (oracle.tree(), Places::new(oracle));
    let (axes, rows) = axes_and_rows(tree, factors)?;
    let mut sizes = [&[1], &tree.sizes[..]].concat();
    let order: Axes = (sizes.len() as u16..).take(axes.len()).collect();
    sizes.extend(rows.iter().map(|rows| *rows as u32 + 1));
    let wanted = axes.iter().zip(factors).zip(&order).map(|((axis, factor), answer)| {
        let width = tree.sizes[usize::from(*axis)] as usize;
        Wanted { axis: *axis, answer: *answer, matrix: Some(with_ones(&factor.rows, width)) }
    });
    let question = Question::new(oracle, &places, sizes.clone(), wanted.collect());
    question.admit(oracle, limit, names)?;
    pace.did(question.planning()).await;
    let mut parts = question.answers(oracle, |values| values[values.len() - 1], pace).await?;
    parts.iter_mut().for_each(|part| without_ones(part, &sizes));
    sizes[1 + tree.sizes.len()..].iter_mut().for_each(|size| *size -= 1);
    outer(&order, &parts, &sizes, pace).await
}

/// The axis of each factor, and how many rows it has.
fn axes_and_rows(tree: &Tree, factors: &[Factor]) -> Result<(Axes, Vec<usize>)> {
    let axes = axes_of(tree, factors.iter().map(|factor| factor.attribute))?;
    let rows = |(axis, factor): (&u16, &Factor)| {
        let codes = tree.sizes[usize::from(*axis)] as usize;
        let whole =
            factor.rows.len().is_multiple_of(codes) && factor.rows.iter().all(|entry| entry.is_finite());
        whole.then_some(factor.rows.len() / codes)
    };
    let rows = axes.iter().zip(factors).map(rows).collect::<Option<_>>();
    let rows = rows.ok_or_else(|| {
        Error::new(
            Code::OptionInvalid,
            "a factor of a query has a finite number for each code of its attribute in each row",
        )
    })?;
    Ok((axes, rows))
}

/// A row for each code, with a query more that asks for all records.
fn with_ones(rows: &[f64], codes: usize) -> Vec<f64> {
    let column = |code: usize| rows.iter().skip(code).step_by(codes).copied().chain([1.0]);
    (0..codes).flat_map(column).collect()
}

/// Without the last one along each axis.
fn without_ones((axes, values): &mut Part, sizes: &[u32]) {
    let last = |mut cell: usize| {
        axes.iter().rev().any(|axis| {
            let size = sizes[usize::from(*axis)] as usize;
            let code = cell % size;
            cell /= size;
            code == size - 1
        })
    };
    let mut cell = 0..;
    values.retain(|_| !cell.next().is_some_and(last));
}
