//! The problem without what cannot matter: rows of no prior, cells without support or weight, and duplicates.

use crate::problem::Marginal;
use marginalia_tables::{Error, Result};

const NONE: u32 = u32::MAX;

/// A reduced problem in row form: `of_row[starts[x]..starts[x + 1]]` are the cells of row `x`.
///
/// - Rows with equal cells are one row with the sum of their priors: the optimum divides its mass among them in
///   proportion to the prior, and the relative entropy is the same.
/// - Cells with equal rows and equal answers, as duplicated and nested cliques have, are one with the sum of weights.
/// - Cells that hold every row always have mass one: their distance is `constant`.
#[derive(Debug, Clone)]
pub struct Reduced {
    pub starts: Vec<usize>,
    pub of_row: Vec<u32>,
    /// Sums to one.
    pub prior: Vec<f64>,
    pub answers: Vec<f64>,
    pub weights: Vec<f64>,
    pub constant: f64,
    /// The reduced row of each row; `u32::MAX` where the prior is zero.
    pub row: Vec<u32>,
    /// The part of a reduced row's mass that each row has.
    pub share: Vec<f64>,
    /// The reduced cell of each cell, and its part of that one's weight.
    pub cell: Vec<u32>,
    pub part: Vec<f64>,
}

impl Reduced {
    /// `prior` sums to one.
    pub fn new(
        marginals: &[Marginal<'_>],
        prior: &[f64],
        answers: &[f64],
        weight: &dyn Fn(usize) -> f64,
    ) -> Result<Self> {
        let lists = rows_of_cells(marginals, prior)?;
        let alive = prior.iter().filter(|p| **p > 0.0).count();
        let mut order: Vec<usize> = (0..lists.len()).collect();
        let key = |cell: usize| (&lists[cell], answers[cell]);
        order.sort_by(|a, b| {
            let ((x, y), (v, w)) = (key(*a), key(*b));
            x.cmp(v).then(y.total_cmp(&w)).then(a.cmp(b))
        });
        let mut cell = vec![NONE; lists.len()];
        let mut leaders: Vec<usize> = Vec::new();
        let mut constant = 0.0;
        for i in order {
            if lists[i].is_empty() || weight(i) == 0.0 {
                continue;
            }
            if lists[i].len() == alive {
                constant += weight(i) * (1.0 - answers[i]).abs();
                continue;
            }
            if leaders.last().is_none_or(|last| key(*last) != key(i)) {
                leaders.push(i);
            }
            cell[i] = leaders.len() as u32 - 1;
        }
        let mut weights = vec![0.0; leaders.len()];
        cell.iter()
            .enumerate()
            .filter(|(_, c)| **c != NONE)
            .for_each(|(i, c)| weights[*c as usize] += weight(i));
        let part = |(i, c): (usize, &u32)| if *c == NONE { 0.0 } else { weight(i) / weights[*c as usize] };
        let part = cell.iter().enumerate().map(part).collect();
        let answers = leaders.iter().map(|i| answers[*i]).collect();
        let mut of_row: Vec<Vec<u32>> = vec![Vec::new(); prior.len()];
        for (c, leader) in (0..).zip(&leaders) {
            lists[*leader].iter().for_each(|row| of_row[*row as usize].push(c));
        }
        let mut reduced = Self {
            starts: vec![0],
            of_row: Vec::new(),
            prior: Vec::new(),
            answers,
            weights,
            constant,
            row: vec![NONE; prior.len()],
            share: vec![0.0; prior.len()],
            cell,
            part,
        };
        reduced.merge_rows(&of_row, prior);
        Ok(reduced)
    }

    fn merge_rows(&mut self, of_row: &[Vec<u32>], prior: &[f64]) {
        let mut order: Vec<usize> = (0..prior.len()).filter(|row| prior[*row] > 0.0).collect();
        order.sort_by(|a, b| of_row[*a].cmp(&of_row[*b]).then(a.cmp(b)));
        let mut last: Option<usize> = None;
        for x in order {
            if last.is_none_or(|last| of_row[last] != of_row[x]) {
                self.of_row.extend(&of_row[x]);
                self.starts.push(self.of_row.len());
                self.prior.push(0.0);
                last = Some(x);
            }
            let place = self.prior.len() - 1;
            self.prior[place] += prior[x];
            self.row[x] = place as u32;
        }
        for (x, row) in self.row.iter().enumerate().filter(|(_, row)| **row != NONE) {
            self.share[x] = prior[x] / self.prior[*row as usize];
        }
    }

    pub fn rows(&self) -> usize {
        self.prior.len()
    }

    pub fn cells(&self) -> usize {
        self.answers.len()
    }

    /// What residuals are large or small against: the mean of the answers, and of a mass of one, over the cells.
    pub fn size(&self) -> f64 {
        (1.0 + self.answers.iter().map(|y| y.abs()).sum::<f64>()) / (1 + self.cells()) as f64
    }

    pub fn cells_of(&self, row: usize) -> &[u32] {
        &self.of_row[self.starts[row]..self.starts[row + 1]]
    }

    /// `t = Mᵀ u`.
    pub fn gather(&self, u: &[f64]) -> Vec<f64> {
        (0..self.rows()).map(|x| self.cells_of(x).iter().map(|c| u[*c as usize]).sum()).collect()
    }

    /// `m = M q`.
    pub fn scatter(&self, q: &[f64]) -> Vec<f64> {
        let mut m = vec![0.0; self.cells()];
        for (x, mass) in q.iter().enumerate() {
            self.cells_of(x).iter().for_each(|c| m[*c as usize] += mass);
        }
        m
    }

    /// A distribution on the reduced rows, on all rows.
    pub fn spread_rows(&self, q: &[f64]) -> Vec<f64> {
        let mass = |(row, share): (&u32, &f64)| if *row == NONE { 0.0 } else { q[*row as usize] * share };
        self.row.iter().zip(&self.share).map(mass).collect()
    }

    /// A dual vector on the reduced cells, on all cells.
    pub fn spread_cells(&self, u: &[f64]) -> Vec<f64> {
        let value = |(cell, part): (&u32, &f64)| if *cell == NONE { 0.0 } else { u[*cell as usize] * part };
        self.cell.iter().zip(&self.part).map(value).collect()
    }
}

/// The rows with prior that lie in each cell, ascending.
fn rows_of_cells(marginals: &[Marginal<'_>], prior: &[f64]) -> Result<Vec<Vec<u32>>> {
    let mut lists: Vec<Vec<u32>> = Vec::new();
    for marginal in marginals {
        let start = lists.len();
        let bytes = marginal.cells * size_of::<Vec<u32>>();
        lists.try_reserve(marginal.cells).map_err(|_| Error::out_of_memory(bytes))?;
        lists.resize(start + marginal.cells, Vec::new());
        for (x, cell) in (0..).zip(marginal.of_row) {
            if prior[x as usize] > 0.0 {
                lists[start + *cell as usize].push(x);
            }
        }
    }
    Ok(lists)
}
