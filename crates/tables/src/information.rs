//! How much pairs of attributes tell about each other, from their counts. For public tables only: what comes out
//! is not protected by any noise.

use crate::count::{Answers, count};
use crate::room::reserve;
use crate::{Code, Domain, Error, Result, Table, Workload};
use std::sync::Arc;

/// A pair of attributes, the first below the second, and their mutual information in nats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The attributes.
    pub attributes: [u16; 2],
    /// Their mutual information.
    pub information: f64,
}

/// All pairs of attributes, (0, 1), (0, 2), … , (1, 2), …
pub fn all_pairs(domain: &Domain) -> Result<Workload> {
    let attributes = domain.sizes().len() as u16;
    let pairs: Vec<[u16; 2]> =
        (0..attributes).flat_map(|a| (a + 1..attributes).map(move |b| [a, b])).collect();
    Workload::from_cliques(domain.clone(), &pairs)
}

/// The mutual information of each clique of `answers`, all of which must be pairs, most informative first; of
/// equals the one with the smaller attributes.
pub fn rank(answers: &Answers) -> Result<Vec<Pair>> {
    let workload = answers.workload();
    let mut pairs = Vec::new();
    reserve(&mut pairs, workload.len())?;
    for (i, clique) in workload.cliques().enumerate() {
        let [a, b] = *clique else {
            return Err(Error::new(
                Code::OptionInvalid,
                "mutual information is of cliques of two attributes",
            ));
        };
        let size = |a: u16| workload.domain().sizes()[usize::from(a)] as usize;
        let (cells, counts) = answers.nonzero(i)?;
        let information = mutual_information(&cells, &counts, size(a), size(b));
        pairs.push(Pair { attributes: [a.min(b), a.max(b)], information });
    }
    pairs.sort_by(|p, q| q.information.total_cmp(&p.information).then(p.attributes.cmp(&q.attributes)));
    Ok(pairs)
}

/// The `k` pairs with the highest mutual information, in at most `limit` bytes.
pub fn top_pairs(table: &Arc<Table>, k: usize, limit: u64) -> Result<Workload> {
    let ranked = ranked(table, limit)?;
    let pairs: Vec<[u16; 2]> = ranked.iter().take(k).map(|pair| pair.attributes).collect();
    Workload::from_cliques(table.domain(), &pairs)
}

/// The pairs of the tree over all attributes with the highest total mutual information (Chow and Liu, 1968), most
/// informative first, in at most `limit` bytes.
pub fn mutual_information_tree(table: &Arc<Table>, limit: u64) -> Result<Workload> {
    let tree = spanning_tree(&ranked(table, limit)?, table.columns().len());
    Workload::from_cliques(table.domain(), &tree)
}

/// All pairs of a table.
fn ranked(table: &Arc<Table>, limit: u64) -> Result<Vec<Pair>> {
    rank(&count(table, &Arc::new(all_pairs(&table.domain())?), limit)?)
}

/// The pairs that join what is not yet joined, in the order given (Kruskal).
pub fn spanning_tree(ranked: &[Pair], attributes: usize) -> Vec<[u16; 2]> {
    let mut part: Vec<usize> = (0..attributes).collect();
    let mut tree = Vec::new();
    for Pair { attributes: [a, b], .. } in ranked {
        let (from, to) = (part[usize::from(*a)], part[usize::from(*b)]);
        if from != to {
            part.iter_mut().filter(|p| **p == from).for_each(|p| *p = to);
            tree.push([*a, *b]);
        }
    }
    tree
}

/// Σ n/N · ln(n·N / (n_a·n_b)) over the cells that occur, in their order; `rows` × `columns` cells in all. The
/// logarithm is libm's, so that every platform gives the same bits.
pub fn mutual_information(cells: &[u64], counts: &[f64], rows: usize, columns: usize) -> f64 {
    let (mut of_row, mut of_column) = (vec![0.0; rows], vec![0.0; columns]);
    let place = |cell: u64| ((cell / columns as u64) as usize, (cell % columns as u64) as usize);
    for (cell, count) in cells.iter().zip(counts) {
        let (row, column) = place(*cell);
        of_row[row] += count;
        of_column[column] += count;
    }
    let total: f64 = of_row.iter().sum();
    let mut sum = 0.0;
    for (cell, count) in cells.iter().zip(counts).filter(|(_, count)| **count > 0.0) {
        let (row, column) = place(*cell);
        sum += count * libm::log(count / of_row[row] * (total / of_column[column]));
    }
    if total > 0.0 { (sum / total).max(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Schema;

    const LIMIT: u64 = 1 << 26;

    /// Five binary attributes; 1 copies 0, 3 copies 0 in three rows of four, 2 is independent, 4 never varies.
    fn table() -> Arc<Table> {
        let binary = |i: usize| format!(r#"{{"name":"a{i}","type":"category","values":["x","y"]}}"#);
        let attributes: Vec<String> = (0..5).map(binary).collect();
        let json = format!(r#"{{"nulls":[],"attributes":[{}]}}"#, attributes.join(","));
        let mut table = Table::new(Arc::new(Schema::from_json(&json).unwrap()), false, &[]);
        let column = |f: fn(u16) -> u16| (0..16).map(f).collect::<Vec<u16>>();
        let columns = [
            column(|row| row % 2),
            column(|row| row % 2),
            column(|row| row / 2 % 2),
            column(|row| if row / 4 == 3 { 1 - row % 2 } else { row % 2 }),
            column(|_| 1),
        ];
        let columns: Vec<&[u16]> = columns.iter().map(Vec::as_slice).collect();
        table.extend(&columns, None, &[]).unwrap();
        Arc::new(table)
    }

    #[test]
    fn information_is_that_of_the_textbook() {
        let ln2 = std::f64::consts::LN_2;
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} is not {b}");
        close(mutual_information(&[0, 3], &[5.0, 5.0], 2, 2), ln2);
        close(mutual_information(&[0, 1, 2, 3], &[6.0, 3.0, 4.0, 2.0], 2, 2), 0.0);
        // I = ln 2 − H(1/4) for a copy that errs in one row of four.
        let entropy = 0.25 * 4f64.ln() + 0.75 * (4f64 / 3.0).ln();
        close(mutual_information(&[0, 1, 2, 3], &[6.0, 2.0, 2.0, 6.0], 2, 2), ln2 - entropy);
        assert_eq!(mutual_information(&[], &[], 2, 2), 0.0);
    }

    #[test]
    fn pairs_are_ranked_and_ties_go_to_the_smaller_attributes() {
        let top = top_pairs(&table(), 3, LIMIT).unwrap();
        assert_eq!(top.cliques().collect::<Vec<_>>(), [[0, 1], [0, 3], [1, 3]]);
        assert_eq!(top_pairs(&table(), 99, LIMIT).unwrap().len(), 10);
    }

    #[test]
    fn the_tree_joins_all_attributes_and_is_the_heaviest_of_all_trees() {
        let table = table();
        let tree = mutual_information_tree(&table, LIMIT).unwrap();
        assert_eq!(tree.cliques().collect::<Vec<_>>(), [[0, 1], [0, 3], [0, 2], [0, 4]]);
        let ranked = ranked(&table, LIMIT).unwrap();
        let weight = |pairs: &[[u16; 2]]| -> f64 {
            ranked.iter().filter(|p| pairs.contains(&p.attributes)).map(|p| p.information).sum()
        };
        let own: Vec<[u16; 2]> = tree.cliques().map(|c| [c[0], c[1]]).collect();
        for chosen in (0u32..1 << 10).filter(|chosen| chosen.count_ones() == 4) {
            let some: Vec<Pair> = (0..10).filter(|i| chosen >> i & 1 == 1).map(|i| ranked[i]).collect();
            let other = spanning_tree(&some, 5);
            assert!(other.len() < 4 || weight(&other) <= weight(&own) + 1e-12);
        }
    }

    #[test]
    fn cliques_that_are_no_pairs_are_refused() {
        let table = table();
        let workload = Workload::from_cliques(table.domain(), &[[0u16]]).unwrap();
        let answers = count(&table, &Arc::new(workload), LIMIT).unwrap();
        assert_eq!(rank(&answers).unwrap_err().code, Code::OptionInvalid);
    }
}
