//! The contraction tree.

use crate::plan::Cost;

/// Attributes by their places in one order for all tensors, by size with the largest last; ascending. Every tensor is
/// row-major in that order, so that nothing is ever transposed.
pub(crate) type Axes = Vec<u16>;

/// A factor over the attributes of a clique.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaf {
    /// Its axes as the caller orders its attributes.
    pub(crate) order: Vec<u16>,
    pub(crate) axes: Axes,
    /// The cells of all factors before this one.
    pub at: usize,
    /// Its cells.
    pub cells: usize,
}

/// A part of the tree, and its message to the rest: a number for each cell of what they have in common.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub axes: Axes,
    pub cells: usize,
    /// Nothing at a leaf.
    pub children: Option<[usize; 2]>,
}

/// Which factors are multiplied in which order. Children come before their parents, leaves before all.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The axis of each attribute.
    pub(crate) axis_of: Vec<u16>,
    /// Of each axis.
    pub(crate) sizes: Vec<u32>,
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) nodes: Vec<Node>,
    /// One for each part that has nothing in common with the others.
    pub(crate) roots: Vec<usize>,
    pub(crate) cost: Cost,
}

impl Tree {
    /// The factors, in the order of their cliques.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// The cells of all factors.
    pub fn cells(&self) -> usize {
        self.leaves.last().map_or(0, |leaf| leaf.at + leaf.cells)
    }

    /// What work on it takes.
    pub fn cost(&self) -> &Cost {
        &self.cost
    }

    /// The attribute of each axis.
    pub(crate) fn attributes(&self) -> Vec<u16> {
        let mut attributes = vec![0; self.axis_of.len()];
        self.axis_of.iter().zip(0..).for_each(|(axis, attribute)| attributes[usize::from(*axis)] = attribute);
        attributes
    }

    /// Each node's message to the rest, the factors first, then what is made of two: the attributes that both know of and that
    /// somebody else has, and the two.
    pub fn messages(&self) -> impl ExactSizeIterator<Item = (Vec<u16>, Option<[usize; 2]>)> {
        let attributes = self.attributes();
        self.nodes.iter().map(move |node| {
            let of = |axis: &u16| attributes[usize::from(*axis)];
            (node.axes.iter().map(of).collect(), node.children)
        })
    }

    /// Numbers for the cells of a factor in the order of the tree, from those in the caller's.
    pub fn arranged<T: Copy + Default>(&self, leaf: usize, values: &[T]) -> Vec<T> {
        let mut arranged = vec![T::default(); values.len()];
        self.places(leaf, |own, callers| arranged[own] = values[callers]);
        arranged
    }

    /// The way back.
    pub fn restored(&self, leaf: usize, values: &[f64]) -> Vec<f64> {
        let mut restored = vec![0.0; values.len()];
        self.places(leaf, |own, callers| restored[callers] = values[own]);
        restored
    }

    /// Both places of each cell of a factor.
    fn places(&self, leaf: usize, mut take: impl FnMut(usize, usize)) {
        let Leaf { order, axes, .. } = &self.leaves[leaf];
        for (callers, [own]) in offsets(order, [axes], &self.sizes).into_iter().enumerate() {
            take(own as usize, callers);
        }
    }
}

/// How many cells lie between neighbours along an axis, in a tensor of so many axes; 0 for an axis that it lacks.
pub(crate) fn stride(axes: &[u16], axis: u16, sizes: &[u32]) -> u32 {
    match axes.binary_search(&axis) {
        Ok(at) => axes[at + 1..].iter().map(|axis| sizes[usize::from(*axis)]).product(),
        Err(_) => 0,
    }
}

/// For every combination of values of `group`, the last fastest, its place in each of the tensors.
pub(crate) fn offsets<const N: usize>(group: &[u16], tensors: [&Axes; N], sizes: &[u32]) -> Vec<[u32; N]> {
    let mut places = vec![[0; N]];
    for axis in group {
        let strides = tensors.map(|axes| stride(axes, *axis, sizes));
        let along = |place: &[u32; N]| {
            let place = *place;
            (0..sizes[usize::from(*axis)])
                .map(move |value| std::array::from_fn(|k| place[k] + value * strides[k]))
        };
        places = places.iter().flat_map(along).collect();
    }
    places
}

/// The cells of a tensor.
pub(crate) fn cells(axes: &[u16], sizes: &[u32]) -> f64 {
    axes.iter().map(|axis| f64::from(sizes[usize::from(*axis)])).product()
}

/// The axes of either; both ascend.
pub(crate) fn union(a: &[u16], b: &[u16]) -> Axes {
    let mut axes = [a, b].concat();
    axes.sort_unstable();
    axes.dedup();
    axes
}
