//! What of a tree is needed to ask about some attributes: the messages around it say the rest.

use super::product::{Entry, Tensor};
use crate::oracle::Oracle;
use crate::tree::{Axes, Node};
use marginalia_compute::math::ln;
use std::borrow::Cow;

/// Tensors whose product, summed over what is not wanted about, is a part of the model.
#[derive(Debug)]
pub(super) struct Cut {
    /// Where its sum over all cells is known; none where that is 1.
    root: Option<usize>,
    sources: Vec<Source>,
    /// Axes of one tensor alone that nobody asks about.
    alone: Axes,
}

#[derive(Debug, Clone, Copy)]
enum Source {
    /// The message of a node to its parent.
    Up(usize),
    /// The message to a node from its parent.
    Down(usize),
    /// A whole factor.
    Factor(usize),
    /// The marginal of one.
    Marginal(usize),
}

/// Where the axes of a tree are summed, and which nodes are above which.
#[derive(Debug)]
pub(super) struct Places {
    /// The node where each axis is summed; none where no factor has it.
    summed: Vec<Option<usize>>,
    parents: Vec<Option<usize>>,
}

impl Places {
    pub fn new(oracle: &Oracle) -> Self {
        let tree = oracle.tree();
        let mut own = Self { summed: vec![None; tree.sizes.len()], parents: vec![None; tree.nodes.len()] };
        for (leaf, node) in tree.leaves.iter().zip(0..) {
            leaf.axes.iter().for_each(|axis| own.summed[usize::from(*axis)] = Some(node));
        }
        for (node, Node { children, .. }) in tree.nodes.iter().enumerate() {
            for child in children.iter().flatten() {
                own.parents[*child] = Some(node);
                tree.nodes[*child].axes.iter().for_each(|axis| own.summed[usize::from(*axis)] = Some(node));
            }
        }
        own
    }

    /// A node and all above it.
    fn above(&self, node: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(node), |node| self.parents[*node])
    }

    /// The root above where an axis is summed.
    pub fn root(&self, axis: u16) -> Option<usize> {
        self.summed[usize::from(axis)].and_then(|node| self.above(node).last())
    }
}

impl Cut {
    /// The smallest one of a part that has all the axes, and the whole part: whichever may be cheaper.
    pub fn around(oracle: &Oracle, places: &Places, root: usize, axes: &Axes) -> [Self; 2] {
        let nodes: Vec<usize> = axes.iter().filter_map(|axis| places.summed[usize::from(*axis)]).collect();
        // The lowest node above all of them.
        let mut counts = vec![0; oracle.tree().nodes.len()];
        nodes.iter().flat_map(|node| places.above(*node)).for_each(|node| counts[node] += 1);
        let top = counts.iter().position(|count| *count == nodes.len()).unwrap_or(root);
        let inner = |node: usize| counts[node] > 0;
        [Self::below(oracle, root, top, axes, &inner), Self::below(oracle, root, root, axes, &|_| true)]
    }

    /// The marginal of a factor that has all the axes.
    pub fn within(oracle: &Oracle, leaf: usize, axes: &[u16]) -> Self {
        let alone = oracle.tree().leaves[leaf].axes.iter().filter(|axis| !axes.contains(axis));
        Self { root: None, sources: vec![Source::Marginal(leaf)], alone: alone.copied().collect() }
    }

    /// Everything below a node, the messages of nodes that are not inner in the place of these.
    fn below(oracle: &Oracle, root: usize, top: usize, axes: &Axes, inner: &dyn Fn(usize) -> bool) -> Self {
        let tree = oracle.tree();
        let mut sources = if top == root { Vec::new() } else { vec![Source::Down(top)] };
        let mut next = vec![top];
        while let Some(node) = next.pop() {
            match tree.nodes[node].children {
                Some(children) if inner(node) => next.extend(children),
                None if inner(node) => sources.push(Source::Factor(node)),
                _ => sources.push(Source::Up(node)),
            }
        }
        let mut own = Self { root: Some(root), sources, alone: Axes::new() };
        for source in &own.sources {
            if let Source::Factor(leaf) = source {
                let (all, shared) = (&tree.leaves[*leaf].axes, &tree.nodes[*leaf].axes);
                let alone = all.iter().filter(|axis| !shared.contains(axis) && !axes.contains(axis));
                own.alone.extend(alone);
            }
        }
        own
    }

    /// The axes of its tensors.
    pub fn axes(&self, oracle: &Oracle) -> Vec<Axes> {
        let tree = oracle.tree();
        let of = |source: &Source| match source {
            Source::Up(node) | Source::Down(node) => tree.nodes[*node].axes.clone(),
            Source::Factor(leaf) | Source::Marginal(leaf) => tree.leaves[*leaf].axes.clone(),
        };
        self.sources.iter().map(of).chain(self.alone.iter().map(|axis| vec![*axis])).collect()
    }

    /// Its tensors; those of the axes of one alone are ones.
    pub fn tensors<'a, T: Entry>(&self, oracle: &'a Oracle) -> Vec<Tensor<'a, T>> {
        let tree = oracle.tree();
        let of = |leaf: &usize| tree.leaves[*leaf].at..tree.leaves[*leaf].at + tree.leaves[*leaf].cells;
        let taken = |source: &Source| {
            let (entries, scale) = match source {
                Source::Up(node) => oracle.message_up(*node),
                Source::Down(node) => oracle.message_down(*node),
                Source::Factor(leaf) => (&oracle.up[of(leaf)], 0.0),
                Source::Marginal(leaf) => return T::taken(&oracle.marginals()[of(leaf)], false),
            };
            let (entries, log) = T::taken(entries, oracle.logarithmic());
            (entries, log + scale)
        };
        let size = |axis: &u16| tree.sizes[usize::from(*axis)] as usize;
        let ones = self.alone.iter().map(|axis| (Cow::Owned(vec![T::ONE; size(axis)]), 0.0));
        let all = self.sources.iter().map(taken).chain(ones);
        all.map(|(entries, log)| Tensor { entries, log }).collect()
    }

    /// ln of the sum over all cells.
    pub fn log_mass(&self, oracle: &Oracle) -> f64 {
        let Some(root) = self.root else { return 0.0 };
        let (message, log) = oracle.message_up(root);
        if oracle.logarithmic() { message[0] } else { ln(message[0]) + log }
    }
}
