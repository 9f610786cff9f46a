//! A factor without the axes that nobody else has.

use crate::tree::{Axes, offsets};

/// Which places of a factor are of one cell of a message.
#[derive(Debug)]
pub(crate) struct Reduction {
    /// Cells of the message, with their first place in the factor.
    kept: Vec<[u32; 2]>,
    /// The places from there that are summed.
    summed: Vec<[u32; 1]>,
    /// Whether the last axes, which lie side by side, are kept.
    along: bool,
    width: usize,
}

impl Reduction {
    pub fn new(factor: &Axes, message: &Axes, sizes: &[u32]) -> Self {
        let kept = |axis: &u16| message.binary_search(axis).is_ok();
        let along = factor.last().is_some_and(kept);
        let leading = factor.iter().rposition(|axis| kept(axis) != along).map_or(0, |last| last + 1);
        let width = factor[leading..].iter().map(|axis| sizes[usize::from(*axis)] as usize).product();
        let of = |wanted| -> Axes {
            factor[..leading].iter().filter(|axis| kept(axis) == wanted).copied().collect()
        };
        let kept = offsets(&of(true), [message, factor], sizes);
        Self { kept, summed: offsets(&of(false), [factor], sizes), along, width }
    }

    /// The message.
    pub fn sum(&self, factor: &[f64], message: &mut [f64]) {
        for &[to, from] in &self.kept {
            if self.along {
                let to = &mut message[to as usize..][..self.width];
                to.fill(0.0);
                for [at] in &self.summed {
                    let entries = &factor[(from + at) as usize..][..self.width];
                    to.iter_mut().zip(entries).for_each(|(to, entry)| *to += entry);
                }
            } else {
                let of = |at: u32| sum(&factor[(from + at) as usize..][..self.width]);
                message[to as usize] = self.summed.iter().map(|[at]| of(*at)).sum();
            }
        }
    }

    /// `out` = the factor times a message.
    pub fn spread(&self, factor: &[f64], message: &[f64], out: &mut [f64]) {
        for &[from, at] in &self.kept {
            for [further] in &self.summed {
                let of = (at + further) as usize..(at + further) as usize + self.width;
                let entries = out[of.clone()].iter_mut().zip(&factor[of]);
                if self.along {
                    let message = &message[from as usize..][..self.width];
                    entries.zip(message).for_each(|((out, entry), b)| *out = entry * b);
                } else {
                    let b = message[from as usize];
                    entries.for_each(|(out, entry)| *out = entry * b);
                }
            }
        }
    }

    /// The same by logarithms: calls `f` with each cell of the message and the places of the factor that are of it.
    pub fn each(&self, mut f: impl FnMut(usize, &mut dyn Iterator<Item = usize>)) {
        let (cells, places) = if self.along { (self.width, 1) } else { (1, self.width) };
        for &[to, from] in &self.kept {
            for j in 0..cells {
                let place = |[at]: &[u32; 1], k: usize| (from + at) as usize + j + k;
                f(
                    to as usize + j,
                    &mut self.summed.iter().flat_map(|at| (0..places).map(move |k| place(at, k))),
                );
            }
        }
    }
}

/// Lane by lane, so that it is one order everywhere.
fn sum(entries: &[f64]) -> f64 {
    let (fours, rest) = entries.as_chunks::<4>();
    let mut lanes = [0.0; 4];
    for four in fours {
        (0..4).for_each(|l| lanes[l] += four[l]);
    }
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]) + rest.iter().sum::<f64>()
}
