//! Marginals as candidates: scores by hand, and on all neighbours of small tables.

use crate::support::{Seeded, ratio};
use marginalia_privacy::select::{Grid, MarginalScores, Piece, Pieces, Scores, Terms, exponential};
use marginalia_tables::{Code, Result};

/// Marginals in memory, given in pieces of `size` cells.
struct Listed {
    marginals: Vec<(Vec<i64>, Vec<f64>)>,
    size: usize,
    at: (usize, usize),
}

impl Pieces for Listed {
    fn next(&mut self) -> Result<Option<Piece<'_>>> {
        let Some((counts, answers)) = self.marginals.get(self.at.0) else { return Ok(None) };
        let range = self.at.1..(self.at.1 + self.size).min(counts.len());
        let last = range.end == counts.len();
        self.at = if last { (self.at.0 + 1, 0) } else { (self.at.0, range.end) };
        Ok(Some(Piece { counts: &counts[range.clone()], answers: &answers[range], last }))
    }
}

const FACTORS: [u32; 3] = [1, 3, 2];

fn terms() -> Terms {
    let (factors, penalties) = (Some(FACTORS.to_vec()), Some(vec![0.0, 0.5, -1.0]));
    Terms { factors, penalties, weights: None, mask: None }
}

/// The marginals A, B and AB of a table of two by two, and what a model answers.
fn marginals(table: [i64; 4]) -> Vec<(Vec<i64>, Vec<f64>)> {
    let [a, b, c, d] = table;
    vec![
        (vec![a + b, c + d], vec![1.0, 0.25]),
        (vec![a + c, b + d], vec![0.0, 1.25]),
        (table.to_vec(), vec![0.5, 0.0, 1.0, 0.0]),
    ]
}

fn scores(table: [i64; 4], records: u64, size: usize) -> (Vec<i64>, u64) {
    let listed = Listed { marginals: marginals(table), size, at: (0, 0) };
    let grid = Grid::new(2).expect("two digits are few");
    let mut scores = MarginalScores::new(listed, grid, records, terms()).expect("the factors are small");
    let mut all = Vec::new();
    while let Some(block) = scores.next().expect("all is valid") {
        all.extend_from_slice(block.scores);
    }
    (all, scores.sensitivity())
}

#[test]
fn distances_are_in_l1_however_they_come() {
    for size in [1, 2, 3, 4] {
        // A: |12 − 4| + |4 − 1|; B: 3·(|8 − 0| + |8 − 5| − 2); AB: 2·(|4 − 2| + |8 − 0| + |4 − 4| + |0 − 0| + 4).
        assert_eq!(scores([1, 2, 1, 0], 1, size), (vec![11, 27, 28], 12));
    }
}

fn tables() -> impl Iterator<Item = [i64; 4]> {
    (0..81).map(|i| [i % 3, i / 3 % 3, i / 9 % 3, i / 27])
}

/// One row added or removed, or one row put elsewhere: the scores change by at most what is declared, and
/// for some neighbours by no less.
#[test]
fn marginals_move_by_exactly_their_sensitivity() {
    for (records, replace) in [(1, false), (2, true)] {
        let mut most = 0;
        let mut declared = 0;
        for table in tables() {
            let (mine, sensitivity) = scores(table, records, 4);
            declared = sensitivity;
            for other in tables() {
                let changes: Vec<i64> = table.iter().zip(other).map(|(a, b)| a - b).collect();
                let (moved, net) =
                    (changes.iter().map(|c| c.abs()).sum::<i64>(), changes.iter().sum::<i64>());
                if (replace && moved == 2 && net == 0) || (!replace && moved == 1) {
                    let (theirs, _) = scores(other, records, 4);
                    let apart = mine.iter().zip(&theirs).map(|(a, b)| a.abs_diff(*b)).max();
                    most = most.max(apart.expect("there are three"));
                }
            }
        }
        assert_eq!(most, declared);
    }
}

#[test]
fn a_mask_and_weights_reach_the_selection() {
    let listed = || Listed { marginals: marginals([1, 2, 1, 0]), size: 4, at: (0, 0) };
    let grid = Grid::new(2).expect("two digits are few");
    for seed in 0..50 {
        let only =
            Terms { mask: Some(vec![true, true, false]), weights: Some(vec![1.0, 0.0, 1.0]), ..terms() };
        let mut scores = MarginalScores::new(listed(), grid, 1, only).expect("the factors are small");
        assert_eq!(exponential(&mut scores, &ratio(1, 1), &mut Seeded(seed)), Ok(0));
    }
}

#[test]
fn terms_that_do_not_fit_are_refused() {
    let listed = || Listed { marginals: marginals([1, 2, 1, 0]), size: 4, at: (0, 0) };
    let grid = Grid::new(2).expect("two digits are few");
    for factors in [vec![], vec![0, 0, 0], vec![u32::MAX; 3]] {
        let wrong = Terms { factors: Some(factors), ..terms() };
        let refused =
            MarginalScores::new(listed(), grid, u32::MAX.into(), wrong).err().expect("the factors are wrong");
        assert_eq!(refused.code, Code::OptionInvalid);
    }
    let short = Terms { penalties: Some(vec![0.0, 0.0]), ..terms() };
    let endless = Terms { penalties: Some(vec![0.0, f64::NAN, 0.0]), ..terms() };
    for wrong in [short, endless] {
        let mut scores = MarginalScores::new(listed(), grid, 1, wrong).expect("the factors are small");
        let error = exponential(&mut scores, &ratio(1, 1), &mut Seeded(1)).expect_err("a term is wrong");
        assert_eq!(error.code, Code::OptionInvalid);
    }
}
