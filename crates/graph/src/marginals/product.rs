//! A product of tensors, summed over all axes but some.

use crate::contraction::Contraction;
use crate::kernels::contract;
use crate::logarithmic::{LogSum, placed};
use crate::plan::Order;
use crate::tree::{Axes, cells, union};
use marginalia_compute::job::Pace;
use marginalia_compute::math::{exp, ln};
use marginalia_compute::vector::filled;
use marginalia_tables::Result;
use std::borrow::Cow;

/// Entries times exp(`log`).
#[derive(Debug)]
pub(super) struct Tensor<'a, T: Entry> {
    pub entries: Cow<'a, [T]>,
    pub log: f64,
}

/// A number, or the logarithm of one.
pub(super) trait Entry: Copy + Default + Send + Sync + 'static {
    /// 1.
    const ONE: Self;

    /// Entries of an oracle, which are logarithms or not, as entries and the logarithm of their scale.
    fn taken(entries: &[f64], logarithmic: bool) -> (Cow<'_, [Self]>, f64);

    /// The numbers that they stand for times exp(`log`).
    fn numbers(entries: Vec<Self>, log: f64) -> Vec<f64>;

    /// Out of two tensors a third, and the logarithm of its scale.
    fn contracted(plan: &Contraction, out: &mut [Self], a: &[Self], b: &[Self]) -> f64;
}

impl Entry for f64 {
    const ONE: f64 = 1.0;

    fn taken(entries: &[f64], logarithmic: bool) -> (Cow<'_, [f64]>, f64) {
        if !logarithmic {
            return (Cow::Borrowed(entries), 0.0);
        }
        let largest = entries.iter().fold(f64::MIN, |max, log| max.max(*log));
        (entries.iter().map(|log| exp(log - largest)).collect(), largest)
    }

    fn numbers(mut entries: Vec<f64>, log: f64) -> Vec<f64> {
        let scale = exp(log);
        entries.iter_mut().for_each(|entry| *entry *= scale);
        entries
    }

    fn contracted(plan: &Contraction, out: &mut [f64], a: &[f64], b: &[f64]) -> f64 {
        contract::<false>(plan, out, a, b);
        let largest = out.iter().fold(0.0f64, |max, entry| max.max(entry.abs()));
        if !(largest > 0.0 && largest.is_finite()) || (1e-30..1e30).contains(&largest) {
            return 0.0;
        }
        out.iter_mut().for_each(|entry| *entry /= largest);
        ln(largest)
    }
}

/// ln |x|, and whether x is below 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct Signed {
    pub log: f64,
    pub negative: bool,
}

impl Default for Signed {
    fn default() -> Self {
        Self { log: f64::NEG_INFINITY, negative: false }
    }
}

impl Entry for Signed {
    const ONE: Self = Self { log: 0.0, negative: false };

    fn taken(entries: &[f64], logarithmic: bool) -> (Cow<'_, [Self]>, f64) {
        let of = |entry: &f64| match logarithmic {
            true => Self { log: *entry, negative: false },
            false => Self { log: ln(entry.abs()), negative: *entry < 0.0 },
        };
        (entries.iter().map(of).collect(), 0.0)
    }

    fn numbers(entries: Vec<Self>, log: f64) -> Vec<f64> {
        let number = |entry: Self| if entry.negative { -exp(entry.log + log) } else { exp(entry.log + log) };
        entries.into_iter().map(number).collect()
    }

    fn contracted(plan: &Contraction, out: &mut [Self], a: &[Self], b: &[Self]) -> f64 {
        plan.each(|cell, terms| {
            let mut sums = [LogSum::default(); 2];
            for term in terms {
                let [in_a, in_b] = placed(term, plan.swapped);
                let (a, b) = (a[in_a], b[in_b]);
                sums[usize::from(a.negative != b.negative)].add(a.log + b.log);
            }
            let [above, below] = sums.map(LogSum::log);
            let (large, small) = (above.max(below), above.min(below));
            let rest = if small == f64::NEG_INFINITY { 1.0 } else { 1.0 - exp(small - large) };
            out[cell] = match rest > 0.0 {
                true => Self { log: large + ln(rest), negative: below > above },
                false => Self::default(),
            };
        });
        0.0
    }
}

/// The sum over all axes but those of the last tensor of the order, which is none of `tensors`: its entries, and the logarithm of
/// their scale.
pub(super) async fn summed<T: Entry>(
    order: &Order,
    tensors: &[Tensor<'_, T>],
    sizes: &[u32],
    pace: &Pace,
) -> Result<(Vec<T>, f64)> {
    let kept = tensors.len();
    let first = kept + 1;
    let mut parents = vec![None; order.axes.len()];
    for (merge, node) in order.merges.iter().zip(first..) {
        merge.iter().for_each(|child| parents[*child] = Some(node));
    }
    // The way from the kept axes to the root, along which messages go down.
    let way: Vec<usize> = std::iter::successors(Some(kept), |node| parents[*node]).collect();
    let mut log: f64 = tensors.iter().map(|tensor| tensor.log).sum();
    let mut made: Vec<Cow<'_, [T]>> =
        tensors.iter().map(|tensor| Cow::Borrowed(&tensor.entries[..])).collect();
    made.resize(order.axes.len(), Cow::Borrowed(&[]));
    for (&[a, b], node) in order.merges.iter().zip(first..) {
        if !way.contains(&node) {
            let (below, above) = made.split_at_mut(node);
            let [a, b] = [a, b].map(|child| (&order.axes[child], &below[child][..]));
            let (out, scale) = contracted(&order.axes[node], a, b, sizes, pace).await?;
            above[0] = Cow::Owned(out);
            log += scale;
            order.merges[node - first].iter().for_each(|child| made[*child] = Cow::Borrowed(&[]));
        }
    }
    let (root, mut down) = (Axes::new(), vec![T::ONE]);
    let mut above = &root;
    for pair in way.windows(2).rev() {
        let [to, from] = [pair[0], pair[1]];
        let [a, b] = order.merges[from - first];
        let past = if a == to { b } else { a };
        let beside = (&order.axes[past], &made[past][..]);
        let (out, scale) = contracted(&order.axes[to], (above, &down), beside, sizes, pace).await?;
        (above, down) = (&order.axes[to], out);
        log += scale;
    }
    Ok((down, log))
}

/// Out of two tensors one of such axes, and the logarithm of its scale.
async fn contracted<T: Entry>(
    to: &Axes,
    (of_a, a): (&Axes, &[T]),
    (of_b, b): (&Axes, &[T]),
    sizes: &[u32],
    pace: &Pace,
) -> Result<(Vec<T>, f64)> {
    let mut out = filled(T::default(), cells(to, sizes) as usize)?;
    let scale = T::contracted(&Contraction::new(to, of_a, of_b, sizes), &mut out, a, b);
    pace.did(cells(&union(of_a, of_b), sizes) as usize).await;
    Ok((out, scale))
}
