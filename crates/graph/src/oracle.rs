//! log Z, all marginals and products with their covariance, by passes over a tree.

use crate::contraction::Contraction;
use crate::kernels::contract;
use crate::logarithmic::Logarithmic;
use crate::range::{Range, Scale};
use crate::reduction::Reduction;
use crate::tree::{Node, Tree};
use marginalia_compute::math::{exp, ln};
use std::ops::Range as Places;
use std::sync::Arc;

/// p(x) ∝ exp Σ θ_c(x_c) for the potentials that it was last given, which may be −∞ but not NaN or +∞.
///
/// Messages are numbers with a scale each. Where these do not reach far enough, which is noticed, it goes on with logarithms,
/// several times slower.
#[derive(Debug)]
pub struct Oracle {
    pub(crate) passes: Arc<Passes>,
    /// Factors, then the other messages to the parents.
    pub(crate) up: Vec<f64>,
    /// Messages to the children.
    pub(crate) down: Vec<f64>,
    up_scales: Vec<Scale>,
    down_scales: Vec<Scale>,
    /// The scale of each factor.
    shifts: Vec<f64>,
    marginals: Vec<f64>,
    /// Σ ψ·b of each leaf.
    masses: Vec<f64>,
    tangents: Option<[Vec<f64>; 2]>,
    logarithmic: bool,
}

/// A node with children.
#[derive(Debug)]
pub(crate) struct Joint {
    pub node: usize,
    pub children: [usize; 2],
    /// The message up.
    pub up: Contraction,
    /// Those to its children.
    pub down: [Contraction; 2],
}

impl Joint {
    /// Each child, the other one, and the message to the first.
    pub fn ways(&self) -> [(usize, usize, &Contraction); 2] {
        let ([a, b], [to_a, to_b]) = (self.children, &self.down);
        [(a, b, to_a), (b, a, to_b)]
    }
}

/// What a tree says about its passes, once for all oracles on it.
#[derive(Debug)]
pub struct Passes {
    pub(crate) tree: Arc<Tree>,
    /// How a factor becomes the message of its leaf, where it has axes that nobody else has.
    pub(crate) reductions: Vec<Option<Reduction>>,
    /// Of each node with children, these first.
    pub(crate) joints: Vec<Joint>,
    /// Where the messages of each node begin and end.
    pub(crate) up_at: Vec<Places<usize>>,
    pub(crate) down_at: Vec<Places<usize>>,
}

impl Passes {
    /// Those of a tree.
    pub fn new(tree: Arc<Tree>) -> Self {
        let reduction = |leaf: usize| {
            let (own, message) = (&tree.leaves[leaf].axes, &tree.nodes[leaf].axes);
            (own != message).then(|| Reduction::new(own, message, &tree.sizes))
        };
        let reductions: Vec<_> = (0..tree.leaves.len()).map(reduction).collect();
        let joint = |(node, own): (usize, &Node)| {
            let children = own.children?;
            let [a, b] = children.map(|child| &tree.nodes[child].axes);
            let of = |out, a, b| Contraction::new(out, a, b, &tree.sizes);
            let (up, down) = (of(&own.axes, a, b), [of(a, &own.axes, b), of(b, &own.axes, a)]);
            Some(Joint { node, children, up, down })
        };
        let joints = tree.nodes.iter().enumerate().filter_map(joint).collect();
        let (mut up_at, mut down_at) = (Vec::new(), Vec::new());
        let (mut up, mut down) = (tree.cells(), 0);
        for (number, node) in tree.nodes.iter().enumerate() {
            let factor = tree.leaves.get(number).filter(|_| reductions[number].is_none());
            up_at.push(match factor {
                Some(leaf) => leaf.at..leaf.at + leaf.cells,
                None => up..up + node.cells,
            });
            up = up.max(up_at[number].end);
            down_at.push(down..down + node.cells);
            down += node.cells;
        }
        Self { tree, reductions, joints, up_at, down_at }
    }

    /// The tree.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    pub(crate) fn up_cells(&self) -> usize {
        self.up_at.iter().map(|at| at.end).max().unwrap_or(0).max(self.tree.cells())
    }

    pub(crate) fn down_cells(&self) -> usize {
        self.down_at.last().map_or(0, |at| at.end)
    }
}

impl Oracle {
    /// One on a tree, without potentials as yet.
    pub fn new(passes: Arc<Passes>) -> Self {
        let (nodes, leaves, cells) = (passes.tree.nodes.len(), passes.tree.leaves.len(), passes.tree.cells());
        Self {
            up: vec![0.0; passes.up_cells()],
            down: vec![0.0; passes.down_cells()],
            up_scales: vec![Scale::default(); nodes],
            down_scales: vec![Scale::default(); nodes],
            shifts: vec![0.0; leaves],
            marginals: vec![0.0; cells],
            masses: vec![1.0; leaves],
            tangents: None,
            logarithmic: false,
            passes,
        }
    }

    /// The tree.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.passes.tree
    }

    /// Whether numbers did not reach far enough, and it has gone on with logarithms.
    pub fn logarithmic(&self) -> bool {
        self.logarithmic
    }

    /// The message of a node to its parent, and the logarithm of its scale.
    pub(crate) fn message_up(&self, node: usize) -> (&[f64], f64) {
        let log = if self.logarithmic { 0.0 } else { self.up_scales[node].log() };
        (&self.up[self.passes.up_at[node].clone()], log)
    }

    /// The message to a node from its parent.
    pub(crate) fn message_down(&self, node: usize) -> (&[f64], f64) {
        let log = if self.logarithmic { 0.0 } else { self.down_scales[node].log() };
        (&self.down[self.passes.down_at[node].clone()], log)
    }

    /// Whether any cell is possible.
    pub(crate) fn possible(&self) -> bool {
        let none = if self.logarithmic { f64::NEG_INFINITY } else { 0.0 };
        self.passes.tree.roots.iter().all(|root| self.up[self.passes.up_at[*root].start] > none)
    }

    /// log Z of potentials, given for the cells of all factors in the order of the tree; −∞ where no cell is possible.
    pub fn forward(&mut self, potentials: &[f64]) -> f64 {
        if !self.logarithmic {
            let log_z = self.scaled_forward(potentials);
            if log_z.is_finite() {
                return log_z;
            }
            self.logarithmic = true;
        }
        Logarithmic { passes: &self.passes, up: &mut self.up, down: &mut self.down }.forward(potentials)
    }

    /// The marginals of the potentials that went [`forward`](Self::forward) last, the shares of a factor's cells, for as
    /// many cells. Where numbers did not reach far enough, log Z changes: its new value.
    pub fn reverse(&mut self, potentials: &[f64]) -> Option<f64> {
        let mut corrected = None;
        if !self.logarithmic {
            if self.scaled_reverse() {
                return None;
            }
            self.logarithmic = true;
            corrected = Some(self.forward(potentials));
        }
        let mut logarithmic = Logarithmic { passes: &self.passes, up: &mut self.up, down: &mut self.down };
        logarithmic.reverse(potentials, &mut self.marginals);
        corrected
    }

    /// What [`reverse`](Self::reverse) found.
    pub fn marginals(&self) -> &[f64] {
        &self.marginals
    }

    /// The covariance of the cells' indicators times `v`, at the potentials that went in [`reverse`](Self::reverse) last.
    pub fn product(&mut self, v: &[f64], out: &mut [f64]) {
        let (up, down) = (self.up.len(), self.down.len());
        let [mut up, mut down] = self.tangents.take().unwrap_or_else(|| [vec![0.0; up], vec![0.0; down]]);
        if self.logarithmic {
            let logarithmic = Logarithmic { passes: &self.passes, up: &mut self.up, down: &mut self.down };
            logarithmic.product(v, [&mut up, &mut down], &self.marginals, out);
        } else {
            self.scaled_product(v, [&mut up, &mut down], out);
        }
        for leaf in self.passes.tree.leaves() {
            let of = leaf.at..leaf.at + leaf.cells;
            let mean: f64 = out[of.clone()].iter().sum();
            out[of.clone()].iter_mut().zip(&self.marginals[of]).for_each(|(q, m)| *q -= m * mean);
        }
        self.tangents = Some([up, down]);
    }

    fn scaled_forward(&mut self, potentials: &[f64]) -> f64 {
        let passes = Arc::clone(&self.passes);
        for leaf in 0..passes.tree.leaves.len() {
            self.set_factor(&passes, leaf, potentials);
        }
        passes.joints.iter().for_each(|joint| self.ascend(&passes, joint));
        let shifts: f64 = self.shifts.iter().sum();
        let roots = passes.tree.roots.iter();
        shifts
            + roots
                .map(|root| ln(self.up[passes.up_at[*root].start]) + self.up_scales[*root].log())
                .sum::<f64>()
    }

    /// ψ = exp(θ − max θ) of a factor, and the message of its leaf.
    pub(crate) fn set_factor(&mut self, passes: &Passes, number: usize, potentials: &[f64]) {
        let leaf = &passes.tree.leaves[number];
        let of = leaf.at..leaf.at + leaf.cells;
        let (factors, messages) = self.up.split_at_mut(passes.tree.cells());
        let (potentials, factor) = (&potentials[of.clone()], &mut factors[of]);
        let shift = potentials.iter().fold(f64::NEG_INFINITY, |max, theta| max.max(*theta));
        self.shifts[number] = shift;
        for (psi, theta) in factor.iter_mut().zip(potentials) {
            let below = theta - shift;
            *psi = if below < Range::LEAST_POTENTIAL { 0.0 } else { exp(below) };
        }
        let Some(reduction) = &passes.reductions[number] else {
            self.up_scales[number] = Scale::ONE;
            return;
        };
        let at = passes.up_at[number].start - passes.tree.cells();
        let message = &mut messages[at..at + passes.tree.nodes[number].cells];
        reduction.sum(factor, message);
        self.up_scales[number] = Scale::settle(message, [Scale::default(); 2]);
    }

    /// The message of a node from those of its children.
    pub(crate) fn ascend(&mut self, passes: &Passes, joint: &Joint) {
        let (number, [a, b]) = (joint.node, joint.children);
        let (below, above) = self.up.split_at_mut(passes.up_at[number].start);
        let out = &mut above[..passes.up_at[number].len()];
        contract::<false>(&joint.up, out, &below[passes.up_at[a].clone()], &below[passes.up_at[b].clone()]);
        self.up_scales[number] = Scale::settle(out, [self.up_scales[a], self.up_scales[b]]);
    }

    /// Sends a message from a node to one of its children, past the other.
    pub(crate) fn descend(
        &mut self,
        passes: &Passes,
        number: usize,
        (to, past, plan): (usize, usize, &Contraction),
    ) {
        let (below, above) = self.down.split_at_mut(passes.down_at[number].start);
        let out = &mut below[passes.down_at[to].clone()];
        contract::<false>(
            plan,
            out,
            &above[..passes.down_at[number].len()],
            &self.up[passes.up_at[past].clone()],
        );
        self.down_scales[to] = Scale::settle(out, [self.down_scales[number], self.up_scales[past]]);
    }

    pub(crate) fn begin_reverse(&mut self, passes: &Passes) {
        for root in &passes.tree.roots {
            self.down[passes.down_at[*root].start] = 1.0;
            self.down_scales[*root] = Scale::ONE;
        }
    }

    /// The marginal of a leaf from its factor and the message to it.
    pub(crate) fn set_marginal(&mut self, passes: &Passes, number: usize) {
        let leaf = &passes.tree.leaves[number];
        let of = leaf.at..leaf.at + leaf.cells;
        let (factor, marginal) = (&self.up[of.clone()], &mut self.marginals[of]);
        let message = &self.down[passes.down_at[number].clone()];
        spread(passes.reductions[number].as_ref(), factor, message, marginal);
        let mass: f64 = marginal.iter().sum();
        self.masses[number] = mass;
        let inverse = 1.0 / mass;
        marginal.iter_mut().for_each(|m| *m *= inverse);
    }

    /// Whether nothing was lost.
    fn scaled_reverse(&mut self) -> bool {
        let passes = Arc::clone(&self.passes);
        self.begin_reverse(&passes);
        for joint in passes.joints.iter().rev() {
            joint.ways().into_iter().for_each(|way| self.descend(&passes, joint.node, way));
        }
        for leaf in 0..passes.tree.leaves.len() {
            self.set_marginal(&passes, leaf);
        }
        self.kept_all(&passes)
    }

    /// What was set to zero in a message is at most [`Range::LEAST`] of its largest entry: whether that is nothing beside Z, even
    /// where the message that it meets is largest.
    fn kept_all(&self, passes: &Passes) -> bool {
        let mut log_z = vec![0.0; passes.tree.nodes.len()];
        for root in &passes.tree.roots {
            log_z[*root] = ln(self.up[passes.up_at[*root].start]) + self.up_scales[*root].log();
        }
        for joint in passes.joints.iter().rev() {
            joint.children.into_iter().for_each(|child| log_z[child] = log_z[joint.node]);
        }
        let fine = |number: usize| {
            let most = self.up_scales[number].log_largest() + self.down_scales[number].log_largest();
            let cells = passes.tree.nodes[number].cells as f64;
            most + ln(cells * Range::LEAST) - log_z[number] < ln(Range::NOTHING)
        };
        self.masses.iter().all(|mass| *mass > 0.0 && mass.is_finite())
            && (0..passes.tree.nodes.len()).all(fine)
    }

    fn scaled_product(&self, v: &[f64], [up, down]: [&mut Vec<f64>; 2], out: &mut [f64]) {
        let passes = &self.passes;
        for (number, leaf) in passes.tree.leaves.iter().enumerate() {
            let of = leaf.at..leaf.at + leaf.cells;
            let (factors, messages) = up.split_at_mut(passes.tree.cells());
            let pairs = self.up[of.clone()].iter().zip(&v[of.clone()]);
            factors[of.clone()].iter_mut().zip(pairs).for_each(|(tangent, (psi, v))| *tangent = psi * v);
            if let Some(reduction) = &passes.reductions[number] {
                let at = passes.up_at[number].start - passes.tree.cells();
                let message = &mut messages[at..at + passes.tree.nodes[number].cells];
                reduction.sum(&factors[of], message);
                self.up_scales[number].apply(message);
            }
        }
        for Joint { node: number, children, up: plan, .. } in &passes.joints {
            let (number, [a, b]) = (*number, children.map(|child| passes.up_at[child].clone()));
            let (below, above) = up.split_at_mut(passes.up_at[number].start);
            let tangent = &mut above[..passes.up_at[number].len()];
            contract::<false>(plan, tangent, &below[a.clone()], &self.up[b.clone()]);
            contract::<true>(plan, tangent, &self.up[a], &below[b]);
            self.up_scales[number].apply(tangent);
        }
        for root in &passes.tree.roots {
            down[passes.down_at[*root].start] = 0.0;
        }
        for joint in passes.joints.iter().rev() {
            let number = joint.node;
            for (to, past, plan) in joint.ways() {
                let (below, above) = down.split_at_mut(passes.down_at[number].start);
                let tangent = &mut below[passes.down_at[to].clone()];
                let past = passes.up_at[past].clone();
                contract::<false>(
                    plan,
                    tangent,
                    &above[..passes.down_at[number].len()],
                    &self.up[past.clone()],
                );
                contract::<true>(plan, tangent, &self.down[passes.down_at[number].clone()], &up[past]);
                self.down_scales[to].apply(tangent);
            }
        }
        for (number, leaf) in passes.tree.leaves.iter().enumerate() {
            let of = leaf.at..leaf.at + leaf.cells;
            let out = &mut out[of.clone()];
            spread(
                passes.reductions[number].as_ref(),
                &self.up[of.clone()],
                &down[passes.down_at[number].clone()],
                out,
            );
            let inverse = 1.0 / self.masses[number];
            let own = self.marginals[of.clone()].iter().zip(&v[of]);
            out.iter_mut().zip(own).for_each(|(q, (m, v))| *q = *q * inverse + m * v);
        }
    }
}

/// A factor times the message to its leaf.
fn spread(reduction: Option<&Reduction>, factor: &[f64], message: &[f64], out: &mut [f64]) {
    match reduction {
        Some(reduction) => reduction.spread(factor, message, out),
        None => out.iter_mut().zip(factor.iter().zip(message)).for_each(|(out, (psi, b))| *out = psi * b),
    }
}
