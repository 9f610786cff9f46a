//! All distributions of least loss. By complementary slackness with an interior dual optimum they are those that
//! vanish on some rows, meet the answers of some cells, and stay on one side of the others.

use crate::least::{Least, Pair};
use crate::merge::Reduced;

/// How the mass of a cell lies to its answer, everywhere on the face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Equal to it.
    Met,
    /// At most the answer: the dual is at its upper bound.
    Under,
    /// At least the answer.
    Over,
}

impl Side {
    /// The nearest dual of the right sign.
    pub fn sign(self, w: f64) -> f64 {
        match self {
            Side::Met => w,
            Side::Under => w.min(0.0),
            Side::Over => w.max(0.0),
        }
    }
}

/// The face of optima.
#[derive(Debug, Clone)]
pub struct Face {
    /// Rows that some optimum gives mass.
    pub rows: Vec<usize>,
    pub sides: Vec<Side>,
    /// What the sides are relative to.
    pub answers: Vec<f64>,
}

impl Face {
    /// Eq. (4): every distribution of least loss.
    pub fn of_optima(problem: &Reduced, least: &Least) -> Self {
        let scale = 1.0 / problem.rows() as f64;
        let inside = |x: &usize| least.q[*x] > 0.0 && least.q[*x] >= scale * least.row_slack[*x];
        let mut rows: Vec<usize> = (0..problem.rows()).filter(inside).collect();
        if rows.is_empty() {
            rows = (0..problem.rows()).filter(|x| least.q[*x] > 0.0).collect();
        }
        let size = problem.size();
        // The multiplier of a bound on v = u/c is the residual times c.
        let tight = |pair: Pair, c: f64| pair.multiplier > pair.slack * c * size;
        let side = |c: usize| {
            let weight = problem.weights[c];
            match (tight(least.upper[c], weight), tight(least.lower[c], weight)) {
                (true, false) => Side::Under,
                (false, true) => Side::Over,
                _ => Side::Met,
            }
        };
        let sides = (0..problem.cells()).map(side).collect();
        Self { rows, sides, answers: problem.answers.clone() }
    }

    /// The paper's literal second stage, Eq. (2): the distributions that answer as the first stage's optimum does.
    pub fn of_answers(problem: &Reduced, least: &Least) -> Self {
        let face = Self::of_optima(problem, least);
        let answers = problem.scatter(&face.part_of(&least.q));
        Self { rows: face.rows, sides: vec![Side::Met; problem.cells()], answers }
    }

    /// A distribution without what it has off the face.
    pub fn part_of(&self, q: &[f64]) -> Vec<f64> {
        let sum: f64 = self.rows.iter().map(|x| q[*x]).sum();
        let mut part = vec![0.0; q.len()];
        self.rows.iter().for_each(|x| part[*x] = q[*x] / sum);
        part
    }
}
