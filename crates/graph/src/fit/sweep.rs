//! A walk over the tree on which every factor sees marginals that are up to date, for the price of one gradient.

use super::{Point, Problem, Term};
use crate::oracle::Joint;
use marginalia_compute::block;
use marginalia_compute::job::Pace;

/// How far a node has come.
enum Stage {
    Entered,
    FirstDone,
    BothDone,
}

/// Exact steps of one factor after another. No λ is above the cap: steps against a very stiff one heap everything on few
/// cells. What is left to be done for its point is to refresh it.
pub(super) async fn sweep(problem: &Problem, point: &mut Point, cap: f64, pace: &Pace) {
    let passes = &problem.passes;
    let leaves = passes.tree().leaves().len();
    let capped: Vec<f64> = problem.lambda.iter().map(|lambda| lambda.min(cap)).collect();
    // Other answers about the same cells have to wait for the next sweep: its marginals are old by then.
    let mut exact = vec![None; leaves];
    for term in problem.terms.iter().rev().filter(|term| term.operator.disjoint()) {
        exact[term.leaf] = Some(term);
    }
    point.oracle.begin_reverse(passes);
    for root in &passes.tree().roots {
        let mut stack = vec![(*root, Stage::Entered)];
        while let Some((node, stage)) = stack.pop() {
            if node < leaves {
                point.oracle.set_marginal(passes, node);
                if let Some(term) = exact[node] {
                    step(problem, point, term, &capped);
                }
                point.oracle.set_factor(passes, node, &point.potentials);
                pace.did(EXACT * passes.tree().leaves()[node].cells).await;
                continue;
            }
            let joint: &Joint = &passes.joints[node - leaves];
            let [first, second] = joint.ways();
            match stage {
                Stage::Entered => {
                    point.oracle.descend(passes, node, first);
                    stack.extend([(node, Stage::FirstDone), (first.0, Stage::Entered)]);
                }
                Stage::FirstDone => {
                    point.oracle.descend(passes, node, second);
                    stack.extend([(node, Stage::BothDone), (second.0, Stage::Entered)]);
                }
                Stage::BothDone => point.oracle.ascend(passes, joint),
            }
        }
    }
}

/// Work of an exact step, for a cell.
const EXACT: usize = 100;

/// The maximum of the dual over the potentials of a factor's cells, or classes of them.
fn step(problem: &Problem, point: &mut Point, term: &Term, lambda: &[f64]) {
    let (of, answers) = (problem.cells(term), term.answers.clone());
    let mut m = vec![0.0; answers.len()];
    term.operator.apply(&point.oracle.marginals()[of.clone()], &mut m);
    let before = point.u[answers.clone()].to_vec();
    let (u, mut ratios) = (&mut point.u[answers.clone()], vec![0.0; m.len()]);
    block::step(&m, &problem.y[answers.clone()], &lambda[answers], u, &mut ratios);
    let moved: Vec<f64> = u.iter().zip(before).map(|(u, before)| *u - before).collect();
    term.operator.spread(&moved, &mut point.potentials[of]);
}
