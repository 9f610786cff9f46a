//! Sums the table of a pass down to the cliques that it answers.
//!
//! Tables are row-major with the last axis fastest. An axis is summed out for all cliques that lack it at once,
//! so that a pass with ten pairs costs about three sums over all its cells instead of ten.

use crate::{Error, Result};

/// The cells of each clique of `targets`, one after another, each in its own attribute order. All targets are
/// subsets of `axes`.
pub fn fold(table: &[f64], axes: &[u16], sizes: &[u32], targets: &[&[u16]]) -> Result<Vec<f64>> {
    let mut starts = Vec::with_capacity(targets.len());
    let mut cells = 0;
    for target in targets {
        starts.push(cells);
        cells += product(target, sizes);
    }
    let out = super::kernel::zeros(cells)?;
    let mut folder = Folder { sizes, targets, starts, out };
    folder.descend(table, axes, (0..targets.len()).collect())?;
    Ok(folder.out)
}

/// The number of cells of some attributes.
fn product(attributes: &[u16], sizes: &[u32]) -> usize {
    attributes.iter().map(|a| sizes[usize::from(*a)] as usize).product()
}

struct Folder<'a> {
    sizes: &'a [u32],
    targets: &'a [&'a [u16]],
    starts: Vec<usize>,
    out: Vec<f64>,
}

impl Folder<'_> {
    /// Answers the `open` targets from `table`.
    fn descend(&mut self, table: &[f64], axes: &[u16], open: Vec<usize>) -> Result<()> {
        let (here, mut open): (Vec<_>, Vec<_>) =
            open.into_iter().partition(|t| self.targets[*t].len() == axes.len());
        for target in here {
            let start = self.starts[target];
            let order = self.targets[target];
            let end = start + product(order, self.sizes);
            permute(table, axes, order, self.sizes, 0, &mut self.out[start..end]);
        }
        while !open.is_empty() {
            let axis = self.axis_to_sum(axes, &open);
            let (lacking, having) = open.into_iter().partition(|t| !self.targets[*t].contains(&axes[axis]));
            let smaller = sum_out(table, axes, axis, self.sizes)?;
            let rest: Vec<u16> = axes.iter().filter(|a| **a != axes[axis]).copied().collect();
            self.descend(&smaller, &rest, lacking)?;
            open = having;
        }
        Ok(())
    }

    /// The axis that most open targets lack; of equals the largest, of those the first.
    fn axis_to_sum(&self, axes: &[u16], open: &[usize]) -> usize {
        let lacking = |a: u16| open.iter().filter(|t| !self.targets[**t].contains(&a)).count();
        let rank = |i: &usize| (lacking(axes[*i]), self.sizes[usize::from(axes[*i])], std::cmp::Reverse(*i));
        (0..axes.len()).max_by_key(rank).expect("a target that lacks an axis implies an axis")
    }
}

/// The table without one axis.
fn sum_out(table: &[f64], axes: &[u16], axis: usize, sizes: &[u32]) -> Result<Vec<f64>> {
    let size = sizes[usize::from(axes[axis])] as usize;
    let inner = product(&axes[axis + 1..], sizes);
    let cells = table.len() / size;
    let mut out: Vec<f64> = Vec::new();
    out.try_reserve_exact(cells).map_err(|_| Error::out_of_memory(cells * size_of::<f64>()))?;
    if inner == 1 {
        out.extend(table.chunks_exact(size).map(|row| row.iter().sum::<f64>()));
        return Ok(out);
    }
    for block in table.chunks_exact(size * inner) {
        let (first, rest) = block.split_at(inner);
        let start = out.len();
        out.extend_from_slice(first);
        let sums = &mut out[start..];
        for slice in rest.chunks_exact(inner) {
            for (sum, value) in sums.iter_mut().zip(slice) {
                *sum += value;
            }
        }
    }
    Ok(out)
}

/// Copies rows of a table with its axes in another order, from row number `first` on as many as `out` has: a row is as
/// long as the last axis of the new order.
pub fn permute(table: &[f64], axes: &[u16], order: &[u16], sizes: &[u32], first: usize, out: &mut [f64]) {
    let Some((last, outer)) = order.split_last() else {
        out.copy_from_slice(table);
        return;
    };
    let (step, width) = (stride(last, axes, sizes), sizes[usize::from(*last)] as usize);
    if axes == order {
        out.copy_from_slice(&table[first * width..][..out.len()]);
        return;
    }
    let outer: Vec<(usize, usize)> =
        outer.iter().map(|a| (sizes[usize::from(*a)] as usize, stride(a, axes, sizes))).collect();
    let mut digits = vec![0; outer.len()];
    let (mut base, mut number) = (0, first);
    for (digit, (size, stride)) in digits.iter_mut().zip(&outer).rev() {
        *digit = number % size;
        base += *digit * stride;
        number /= size;
    }
    for row in out.chunks_exact_mut(width) {
        for (to, from) in row.iter_mut().zip(table[base..].iter().step_by(step)) {
            *to = *from;
        }
        for (digit, (size, stride)) in digits.iter_mut().zip(&outer).rev() {
            *digit += 1;
            base += stride;
            if *digit < *size {
                break;
            }
            base -= size * stride;
            *digit = 0;
        }
    }
}

/// How far apart cells are that differ by one code of an attribute.
fn stride(attribute: &u16, axes: &[u16], sizes: &[u32]) -> usize {
    let at = axes.iter().position(|a| a == attribute).expect("a clique is a subset of its pass");
    product(&axes[at + 1..], sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subset_in_every_order_sums_what_it_should() {
        let sizes = [3u32, 2, 1, 4];
        let axes = [3u16, 0, 2, 1];
        let table: Vec<f64> = (0..24).map(|i| f64::from(i * i % 17)).collect();
        let at = |codes: [usize; 4]| table[((codes[3] * 3 + codes[0]) + codes[2]) * 2 + codes[1]];
        let targets: [&[u16]; 8] = [&[1, 3], &[], &[0], &[3, 2, 0, 1], &[0, 1, 2, 3], &[2], &[3, 0], &[0, 1]];
        let mut expected = Vec::new();
        for target in targets {
            let start = expected.len();
            expected.resize(start + product(target, &sizes), 0.0);
            for cell in 0..24 {
                let codes = [cell % 3, cell / 3 % 2, 0, cell / 6];
                let place = target
                    .iter()
                    .fold(0, |i, a| i * sizes[usize::from(*a)] as usize + codes[usize::from(*a)]);
                expected[start + place] += at(codes);
            }
        }
        assert_eq!(fold(&table, &axes, &sizes, &targets).unwrap(), expected);
    }
}
