//! Estimates on a tree: the distribution that balances every answer by its own noise, and a base by what it is worth. It
//! minimises
//!
//! `Σ n²/(2σ²) (Q m − y)² + n₀ KL(p‖p₀)`,
//!
//! where m are the marginals of the factors' cliques and p₀ has potentials on the same cliques. In units of n₀, with
//! λ = n²/(σ² n₀), the dual is to maximise `u·y − log Z(θ₀ + Qᵀu) + log Z(θ₀) − Σ u²/(2λ)`, and p has the potentials
//! θ₀ + Qᵀu.

pub mod descent;
mod direction;
mod newton;
mod oneways;
mod operator;
mod point;
mod recipe;
mod response;
mod sweep;

pub use newton::{Fit, Options, Step, fit};
pub use oneways::product_of_oneways;
pub use operator::Operator;
pub use point::{Gap, Point};
pub use recipe::{Base, Calibrated, Choice, calibrate};
pub use response::{Response, response};

use crate::plan::NANOSECONDS;
use crate::{Passes, Tree};
use marginalia_compute::vector::{add, room, zeros};
use marginalia_tables::{Code, Error, Result};
use std::ops::Range;
use std::sync::Arc;

/// What was asked of the cells of a factor, and which answers are its.
#[derive(Debug, Clone)]
pub struct Term {
    /// The factor.
    pub leaf: usize,
    /// The question.
    pub operator: Operator,
    /// The places of its answers among all.
    pub answers: Range<usize>,
}

/// Noisy answers about the cells of factors, and a base to move from.
#[derive(Debug, Clone)]
pub struct Problem {
    pub(crate) passes: Arc<Passes>,
    pub(crate) terms: Vec<Term>,
    /// The answers as shares of all records.
    pub(crate) y: Vec<f64>,
    /// n²/σ² of each.
    pub(crate) weights: Vec<f64>,
    /// The same over n₀.
    pub(crate) lambda: Vec<f64>,
    /// θ₀, for the cells of all factors.
    pub(crate) base: Vec<f64>,
    /// What of the cells can be: 0 or −∞.
    mask: Vec<f64>,
    strength: f64,
    merging: bool,
}

impl Problem {
    /// Nothing measured as yet, and everything equally likely.
    pub fn new(passes: Arc<Passes>) -> Self {
        let cells = passes.tree().cells();
        let (base, mask) = (vec![0.0; cells], vec![0.0; cells]);
        let (y, weights, lambda) = (Vec::new(), Vec::new(), Vec::new());
        Self { passes, terms: Vec::new(), y, weights, lambda, base, mask, strength: 1.0, merging: true }
    }

    /// Keeps second answers of a question beside the first: a mean stands for both where residuals are squared, and only there.
    pub fn keep_apart(&mut self) {
        self.merging = false;
    }

    /// Adds answers, as shares of n records, of variance σ²; `weight` is n²/σ². A second answer to the same question is
    /// merged with the first. Gives the places of these answers among all.
    pub fn measure(
        &mut self,
        leaf: usize,
        operator: Operator,
        answers: &[f64],
        weight: f64,
    ) -> Result<Range<usize>> {
        self.measure_each(leaf, operator, answers, &vec![weight; answers.len()])
    }

    /// The same for answers that have weights of their own.
    pub fn measure_each(
        &mut self,
        leaf: usize,
        operator: Operator,
        answers: &[f64],
        weights: &[f64],
    ) -> Result<Range<usize>> {
        let Some(of) = self.passes.tree().leaves().get(leaf) else {
            return Err(invalid("a measurement is of a clique that the tree does not have"));
        };
        if operator.answers(of.cells) != Some(answers.len()) || weights.len() != answers.len() {
            return Err(invalid("a measurement needs one answer for each of its queries"));
        }
        let proper = |weight: &f64| *weight > 0.0 && weight.is_finite();
        if !weights.iter().all(proper) || answers.iter().any(|answer| !answer.is_finite()) {
            return Err(invalid("answers must be finite, and their variance positive"));
        }
        let same = |term: &&Term| self.merging && term.leaf == leaf && term.operator == operator;
        if let Some(Term { answers: of, .. }) = self.terms.iter().find(same) {
            for (place, (answer, weight)) in of.clone().zip(answers.iter().zip(weights)) {
                let all = self.weights[place] + weight;
                self.y[place] += (answer - self.y[place]) * weight / all;
                self.weights[place] = all;
                self.lambda[place] = all / self.strength;
            }
            return Ok(of.clone());
        }
        let at = self.y.len()..self.y.len() + answers.len();
        self.terms.push(Term { leaf, operator, answers: at.clone() });
        self.y.extend_from_slice(answers);
        self.weights.extend_from_slice(weights);
        self.lambda.extend(weights.iter().map(|weight| weight / self.strength));
        Ok(at)
    }

    /// Cells that cannot be, by potentials of −∞ in the place of 0.
    pub fn forbid(&mut self, mask: Vec<f64>) -> Result<()> {
        if mask.len() != self.mask.len() || mask.iter().any(|mask| *mask != 0.0 && *mask != f64::NEG_INFINITY)
        {
            return Err(invalid("each cell is possible or not"));
        }
        self.mask = mask;
        self.set_base(&vec![0.0; self.mask.len()]);
        for Term { leaf, operator, answers } in &self.terms {
            let of = &self.passes.tree().leaves()[*leaf];
            let possible: Vec<f64> = self.mask[of.at..of.at + of.cells]
                .iter()
                .map(|mask| f64::from(u8::from(*mask == 0.0)))
                .collect();
            let mut cells = vec![0.0; answers.len()];
            operator.apply(&possible, &mut cells);
            // What nothing can be is 0 for certain: as an answer it would only pull at the others.
            if operator.disjoint() {
                answers
                    .clone()
                    .zip(cells)
                    .filter(|(_, cells)| *cells == 0.0)
                    .for_each(|(place, _)| self.y[place] = 0.0);
            }
        }
        Ok(())
    }

    /// Moves from the potentials of another base, for the cells of all factors.
    pub fn set_base(&mut self, base: &[f64]) {
        let cells = self.base.iter_mut().zip(base.iter().zip(&self.mask));
        cells.for_each(|(own, (base, mask))| *own = base + mask);
    }

    /// The tree.
    pub fn tree(&self) -> &Arc<Tree> {
        self.passes.tree()
    }

    /// How many records the base is worth.
    pub fn set_strength(&mut self, strength: f64) {
        self.strength = strength;
        self.lambda.iter_mut().zip(&self.weights).for_each(|(lambda, weight)| *lambda = weight / strength);
    }

    /// How many records the base is worth.
    pub fn strength(&self) -> f64 {
        self.strength
    }

    /// n²/σ² of every answer.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The answers, as shares of all records.
    pub fn shares(&self) -> &[f64] {
        &self.y
    }

    /// The number of answers.
    pub fn answers(&self) -> usize {
        self.y.len()
    }

    /// What was measured, term by term.
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Q m.
    pub(crate) fn ask(&self, marginals: &[f64], answers: &mut [f64]) {
        for term in &self.terms {
            term.operator.apply(&marginals[self.cells(term)], &mut answers[term.answers.clone()]);
        }
    }

    /// θ + Qᵀu, into `out`.
    pub(crate) fn potentials(&self, theta: &[f64], u: &[f64], out: &mut [f64]) {
        out.copy_from_slice(theta);
        self.spread(u, out);
    }

    /// Adds Qᵀu.
    pub(crate) fn spread(&self, u: &[f64], cells: &mut [f64]) {
        for term in &self.terms {
            term.operator.spread(&u[term.answers.clone()], &mut cells[self.cells(term)]);
        }
    }

    /// Calls `f` with each term and its Q m − y: what is done to these while they are near takes half as long.
    pub(crate) fn by_terms(&self, marginals: &[f64], mut f: impl FnMut(&Term, &mut [f64])) -> Result<()> {
        let mut all = zeros(self.terms.iter().map(|term| term.answers.len()).max().unwrap_or(0))?;
        for term in &self.terms {
            let residuals = &mut all[..term.answers.len()];
            term.operator.apply(&marginals[self.cells(term)], residuals);
            add(residuals, -1.0, &self.y[term.answers.clone()]);
            f(term, residuals);
        }
        Ok(())
    }

    pub(crate) fn cells(&self, term: &Term) -> Range<usize> {
        let leaf = &self.passes.tree().leaves()[term.leaf];
        leaf.at..leaf.at + leaf.cells
    }

    /// Units of work of so many passes.
    pub(crate) fn work(&self, passes: usize) -> usize {
        let cost = self.passes.tree().cost();
        passes * (cost.multiplications * NANOSECONDS) as usize + 4 * self.base.len()
    }

    /// So many zeros as there are answers.
    pub(crate) fn zeros(&self) -> Result<Vec<f64>> {
        let mut zeros = room(self.y.len())?;
        zeros.resize(self.y.len(), 0.0);
        Ok(zeros)
    }
}

pub(crate) fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
