//! The nearest product: no other one has less relative entropy to a distribution than that of its single attributes, and it is
//! the total correlation then.

use crate::Tree;
use crate::tree::offsets;
use marginalia_compute::math::ln;

/// The least share of a code.
const LEAST: f64 = 1e-7;

/// Potentials, for the cells of all factors, of the product of the single attributes of such marginals; of those attributes
/// alone that are `wanted`.
pub fn product_of_oneways(tree: &Tree, marginals: &[f64], wanted: impl Fn(u16) -> bool) -> Vec<f64> {
    let oneways = Oneways::new(tree, wanted);
    let logs: Vec<f64> = oneways.sum(marginals).map(|share| ln(share.max(LEAST))).collect();
    let mut potentials = vec![0.0; marginals.len()];
    oneways.spread(&logs, &mut potentials);
    potentials
}

/// The codes of single attributes, each by its cells in the first factor that has the attribute.
pub(super) struct Oneways(Vec<Vec<usize>>);

impl Oneways {
    /// Those of the wanted attributes.
    pub fn new(tree: &Tree, wanted: impl Fn(u16) -> bool) -> Self {
        let mut codes = Vec::new();
        let mut seen = vec![true; tree.sizes.len()];
        tree.axis_of
            .iter()
            .zip(0..)
            .for_each(|(axis, attribute)| seen[usize::from(*axis)] = !wanted(attribute));
        for leaf in &tree.leaves {
            for axis in &leaf.axes {
                if std::mem::replace(&mut seen[usize::from(*axis)], true) {
                    continue;
                }
                let others: Vec<u16> = leaf.axes.iter().copied().filter(|other| other != axis).collect();
                let rest = offsets(&others, [&leaf.axes], &tree.sizes);
                let places = |code| rest.iter().map(|[at]| leaf.at + (code + at) as usize).collect();
                codes.extend(
                    offsets(&[*axis], [&leaf.axes], &tree.sizes).into_iter().map(|[code]| places(code)),
                );
            }
        }
        Self(codes)
    }

    /// Their sums of numbers of cells.
    pub fn sum<'a>(&'a self, cells: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        self.0.iter().map(|places| places.iter().map(|place| cells[*place]).sum())
    }

    /// Adds a number of each to its cells.
    pub fn spread(&self, numbers: &[f64], cells: &mut [f64]) {
        for (places, number) in self.0.iter().zip(numbers) {
            places.iter().for_each(|place| cells[*place] += number);
        }
    }
}
