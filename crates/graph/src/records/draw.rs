//! What is drawn at one place of the tree, and from which law.

use crate::oracle::{Oracle, Passes};
use crate::tree::{Axes, offsets, stride};
use marginalia_compute::math::exp;

/// Some axes are drawn given others, by a law that is a product of tensors of both.
#[derive(Debug)]
pub(super) struct Draw {
    pub key: Key,
    /// The axes that are drawn.
    pub drawn: Axes,
    /// Their cells.
    pub cells: usize,
    /// The codes that a cell stands for, axis by axis.
    pub codes: Vec<Vec<u16>>,
    factors: Vec<Factor>,
}

/// The axes that are given.
#[derive(Debug)]
pub(super) struct Key {
    pub axes: Axes,
    /// How far apart neighbours along each axis are in the number of a group.
    pub strides: Vec<u32>,
    pub cells: usize,
}

#[derive(Debug)]
struct Factor {
    /// Where it begins among the messages up.
    at: usize,
    /// Of the axes that are given.
    strides: Vec<u32>,
    /// Of the cells that are drawn.
    places: Vec<u32>,
}

/// Everything that is drawn, what others are given first.
pub(super) fn draws(passes: &Passes) -> Vec<Draw> {
    let tree = &passes.tree;
    let without = |axes: &Axes, key: &Axes| -> Axes {
        axes.iter().filter(|axis| key.binary_search(axis).is_err()).copied().collect()
    };
    let mut draws = Vec::new();
    for joint in passes.joints.iter().rev() {
        let key = &tree.nodes[joint.node].axes;
        let children = joint.children.map(|child| (passes.up_at[child].start, &tree.nodes[child].axes));
        // What is summed here both children have.
        draws.push(Draw::new(key, without(children[0].1, key), &children, &tree.sizes));
    }
    for (leaf, node) in tree.leaves.iter().zip(&tree.nodes) {
        draws.push(Draw::new(
            &node.axes,
            without(&leaf.axes, &node.axes),
            &[(leaf.at, &leaf.axes)],
            &tree.sizes,
        ));
    }
    let held = |axis: &u16| tree.leaves.iter().any(|leaf| leaf.axes.binary_search(axis).is_ok());
    let free = (0..tree.sizes.len() as u16).filter(|axis| !held(axis));
    draws.extend(free.map(|axis| Draw::new(&Axes::new(), vec![axis], &[], &tree.sizes)));
    draws.retain(|draw| draw.cells > 1);
    draws
}

impl Draw {
    fn new(key: &Axes, drawn: Axes, tensors: &[(usize, &Axes)], sizes: &[u32]) -> Self {
        let flat = |places: Vec<[u32; 1]>| -> Vec<u32> { places.into_iter().map(|[place]| place).collect() };
        let along = |axes: &Axes| -> Vec<u32> { key.iter().map(|axis| stride(axes, *axis, sizes)).collect() };
        let factor = |(at, axes): &(usize, &Axes)| Factor {
            at: *at,
            strides: along(axes),
            places: flat(offsets(&drawn, [axes], sizes)),
        };
        let code =
            |axis: &u16| flat(offsets(&drawn, [&vec![*axis]], sizes)).into_iter().map(|code| code as u16);
        let codes: Vec<Vec<u16>> = drawn.iter().map(|axis| code(axis).collect()).collect();
        Self {
            factors: tensors.iter().map(factor).collect(),
            cells: codes.first().map_or(1, Vec::len),
            key: Key {
                axes: key.clone(),
                strides: along(key),
                cells: key.iter().map(|axis| sizes[usize::from(*axis)] as usize).product(),
            },
            drawn,
            codes,
        }
    }

    /// For the group of a record the weight of each cell with those before it: positive at the end, where the record is possible.
    pub fn law(&self, oracle: &Oracle, columns: &[Vec<u16>], record: usize, sums: &mut Vec<f64>) {
        let at = |factor: &Factor| {
            let along =
                |(axis, stride): (&u16, &u32)| u32::from(columns[usize::from(*axis)][record]) * stride;
            factor.at + self.key.axes.iter().zip(&factor.strides).map(along).sum::<u32>() as usize
        };
        let logarithmic = oracle.logarithmic();
        sums.clear();
        match &self.factors[..] {
            [a, b] => {
                let (of_a, of_b) = (&oracle.up[at(a)..], &oracle.up[at(b)..]);
                let pairs =
                    a.places.iter().zip(&b.places).map(|(a, b)| (of_a[*a as usize], of_b[*b as usize]));
                match logarithmic {
                    true => sums.extend(pairs.map(|(a, b)| a + b)),
                    false => sums.extend(pairs.map(|(a, b)| a * b)),
                }
            }
            [a] => {
                let of_a = &oracle.up[at(a)..];
                sums.extend(a.places.iter().map(|a| of_a[*a as usize]));
            }
            _ => sums.resize(self.cells, f64::from(u8::from(!logarithmic))),
        }
        if logarithmic {
            let largest = sums.iter().fold(f64::NEG_INFINITY, |max, log| max.max(*log));
            sums.iter_mut().for_each(|log| *log = exp(*log - largest));
        }
        let mut sum = 0.0;
        sums.iter_mut().for_each(|weight| {
            sum += *weight;
            *weight = sum;
        });
    }
}
