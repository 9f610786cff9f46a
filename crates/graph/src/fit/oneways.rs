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
    let mut base = vec![0.0; marginals.len()];
    let mut seen = vec![true; tree.sizes.len()];
    tree.axis_of.iter().zip(0..).for_each(|(axis, attribute)| seen[usize::from(*axis)] = !wanted(attribute));
    for leaf in &tree.leaves {
        let of = leaf.at..leaf.at + leaf.cells;
        for axis in &leaf.axes {
            // Each attribute counts once, in the first factor that has it.
            if std::mem::replace(&mut seen[usize::from(*axis)], true) {
                continue;
            }
            let own = vec![*axis];
            let others: Vec<u16> = leaf.axes.iter().copied().filter(|other| other != axis).collect();
            let (codes, rest) =
                (offsets(&own, [&leaf.axes], &tree.sizes), offsets(&others, [&leaf.axes], &tree.sizes));
            for [code] in codes {
                let places = || rest.iter().map(|[at]| of.start + (code + at) as usize);
                let share: f64 = places().map(|place| marginals[place]).sum();
                let log = ln(share.max(LEAST));
                places().for_each(|place| base[place] += log);
            }
        }
    }
    base
}
