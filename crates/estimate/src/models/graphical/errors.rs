//! Standard errors of what a graphical model answers, where it is a calibrated estimate.
//!
//! As of a model on rows (`crate::errors`), with the response of the fit on its tree; a question about attributes that meet in no
//! clique is a factor more, of ones. Beside the noise there is what a base worth n₀ records leaves open, var(a − Qᵀg)/n₀: it is of
//! dependence that measured cliques could show, and says nothing of what no clique has.

use super::{Cliques, GraphicalModel, Question as Term, measure};
use crate::errors::{Question, Spread};
use crate::job::{Pace, Steps};
use crate::models::check::{self, invalid};
use crate::models::{ErrorsRequest, Model};
use crate::vector::dot;
use marginalia_graph::Oracle;
use marginalia_graph::fit::{Problem, response};
use marginalia_tables::Result;
use std::sync::Arc;

/// The variances of a model's answers to all questions, one after another.
pub fn errors(model: Arc<GraphicalModel>, request: ErrorsRequest) -> Result<Steps<Vec<Spread>>> {
    let sizes = model.schema().sizes();
    check::condition(&sizes, &request.condition)?;
    if !(request.strength > 0.0 && request.strength.is_finite()) {
        return Err(invalid("the strength of a prior must be a positive number of records"));
    }
    let cells =
        |question: &Question| question.clique.iter().map(|a| sizes[usize::from(*a)] as usize).product();
    let answers = |question: &Question| question.query.answers(cells(question));
    let all = request.questions.iter().map(answers).sum::<Result<usize>>()?;
    Ok(Steps::new(move |pace| async move {
        let mut spreads = Vec::with_capacity(all);
        for question in &request.questions {
            let mut local = Local::new(&model, &request, question)?;
            pace.did(4 * local.codes.len()).await;
            for answer in 0..local.answers {
                spreads.push(local.spread(question, answer, &request, &pace.quiet()).await?);
                pace.show(spreads.len(), all);
            }
        }
        Ok(spreads)
    }))
}

/// A question on a tree with a factor that has all its attributes.
struct Local {
    cliques: Cliques,
    problem: Problem,
    oracle: Oracle,
    /// The factor, and for each of its cells that of the question; nothing for what is not asked about.
    leaf: usize,
    codes: Vec<Option<u32>>,
    answers: usize,
    /// The share of records that are asked about.
    mass: f64,
    /// How the total moves with each answer of the problem.
    total: Vec<f64>,
}

impl Local {
    fn new(model: &GraphicalModel, request: &ErrorsRequest, question: &Question) -> Result<Self> {
        let schema = model.schema();
        let known = model.roots();
        let root = |attribute: &u16| known.of(*attribute).0;
        let conditioned = request.condition.iter().map(|(attribute, _)| attribute);
        let mut roots: Vec<u16> = question.clique.iter().chain(conditioned).map(root).collect();
        roots.sort_unstable();
        roots.dedup();
        let mut list = model.cliques().to_vec();
        let has = |clique: &Vec<u16>| roots.iter().all(|root| clique.contains(root));
        let leaf = list.iter().position(has).unwrap_or(list.len());
        if leaf == list.len() {
            list.push(roots);
        }
        let clique = list[leaf].clone();
        let cliques = Cliques::on(Arc::clone(schema), known.clone(), list, request.limit as f64)?;
        let tree = cliques.passes().tree();
        let mut potentials = vec![0.0; tree.cells()];
        let own = model.potentials_of_cliques().enumerate();
        own.for_each(|(leaf, own)| {
            let at = tree.leaves()[leaf].at;
            potentials[at..at + own.len()].copy_from_slice(&tree.arranged(leaf, &own));
        });
        let mut oracle = Oracle::new(Arc::clone(cliques.passes()));
        oracle.forward(&potentials);
        oracle.reverse(&potentials);
        let mut problem = Problem::new(Arc::clone(cliques.passes()));
        let terms = Term::all(known, &request.measurements)?;
        let places = measure(&mut problem, &cliques, &terms, request.total.records())?;
        problem.set_strength(request.strength);
        let mut total = vec![0.0; problem.answers()];
        for (places, parts) in places.into_iter().zip(request.total.parts(&request.measurements)) {
            total[places].iter_mut().zip(parts).for_each(|(total, part)| *total += part);
        }
        let sizes = schema.sizes();
        let mut codes = vec![Some(0); tree.leaves()[leaf].cells];
        for attribute in &question.clique {
            let size = sizes[usize::from(*attribute)];
            codes
                .iter_mut()
                .zip(known.codes(&clique, *attribute))
                .for_each(|(cell, code)| *cell = cell.map(|cell| cell * size + code));
        }
        for (attribute, allowed) in &request.condition {
            let cells = codes.iter_mut().zip(known.codes(&clique, *attribute));
            cells.filter(|(_, code)| !allowed[*code as usize]).for_each(|(cell, _)| *cell = None);
        }
        let codes = tree.arranged(leaf, &codes);
        let cells: u32 = question.clique.iter().map(|a| sizes[usize::from(*a)]).product();
        let mut local = Self {
            answers: question.query.answers(cells as usize)?,
            problem,
            oracle,
            leaf,
            codes,
            mass: 1.0,
            total,
            cliques,
        };
        local.mass = local.mean(|_| 1.0);
        if local.mass <= 0.0 {
            return Err(invalid("no record that meets the condition has any weight"));
        }
        Ok(local)
    }

    /// Σ a·m over the cells that are asked about.
    fn mean(&self, a: impl Fn(u32) -> f64) -> f64 {
        let shares = &self.oracle.marginals()[self.cliques.passes().tree().leaves()[self.leaf].at..];
        self.codes.iter().zip(shares).filter_map(|(cell, share)| Some(a((*cell)?) * share)).sum()
    }

    /// The variances of one answer.
    async fn spread(
        &mut self,
        question: &Question,
        answer: usize,
        request: &ErrorsRequest,
        pace: &Pace,
    ) -> Result<Spread> {
        let entry = |cell: u32| f64::from(question.query.entry(answer, cell as usize));
        let share = self.mean(entry);
        // Of a share of the records asked about, which are a share themselves.
        let (mean, less, unit) = match request.normalize {
            true => (0.0, share / self.mass, self.mass),
            false => (share, 0.0, 1.0),
        };
        let tree = Arc::clone(self.cliques.passes().tree());
        let at = tree.leaves()[self.leaf].at;
        let mut a = vec![0.0; tree.cells()];
        let cells = a[at..].iter_mut().zip(&self.codes);
        cells.for_each(|(a, cell)| *a = cell.map_or(0.0, |cell| (entry(cell) - less) / unit));
        let own = |attribute| request.refitted.contains(&attribute);
        let found = response(&self.problem, &mut self.oracle, &a, own, pace).await?;
        let (n, of_total) = (request.total.records(), mean - dot(&found.by, self.problem.shares()));
        let each = found.by.iter().zip(self.problem.weights()).zip(&self.total);
        let moved =
            |((g, weight), part): ((&f64, &f64), &f64)| (g + 2.0 * of_total * part) * g * n * n / weight;
        let noise = each.map(moved).sum::<f64>() + of_total * of_total * request.total.moves();
        let open = found.open / request.strength;
        Ok(match request.normalize {
            true => Spread { noise: noise.max(0.0) / (n * n), open },
            false => Spread { noise: noise.max(0.0), open: open * n * n },
        })
    }
}
