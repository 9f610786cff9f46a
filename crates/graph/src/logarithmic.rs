//! The same passes with logarithms, where scaled numbers do not reach far enough: nothing vanishes, at an exponential a term.

use crate::oracle::{Joint, Passes};
use crate::reduction::Reduction;
use marginalia_compute::math::{exp, ln};

/// Messages as logarithms.
pub(crate) struct Logarithmic<'a> {
    pub passes: &'a Passes,
    pub up: &'a mut Vec<f64>,
    pub down: &'a mut Vec<f64>,
}

impl Logarithmic<'_> {
    /// log Z.
    pub fn forward(&mut self, potentials: &[f64]) -> f64 {
        let Self { passes, up, .. } = self;
        up[..potentials.len()].copy_from_slice(potentials);
        for (number, reduction) in passes.reductions.iter().enumerate() {
            if let Some(reduction) = reduction {
                let at = passes.tree.leaves[number].at;
                let (factors, messages) = up.split_at_mut(passes.tree.cells());
                let message = &mut messages[passes.up_at[number].start - passes.tree.cells()..];
                reduction.each(|cell, places| {
                    let mut sum = LogSum::default();
                    places.for_each(|place| sum.add(factors[at + place]));
                    message[cell] = sum.log();
                });
            }
        }
        for Joint { node, children: [a, b], up: plan, .. } in &passes.joints {
            let (a, b) = (*a, *b);
            let (below, above) = up.split_at_mut(passes.up_at[*node].start);
            contract(plan, above, [&below[passes.up_at[a].clone()], &below[passes.up_at[b].clone()]]);
        }
        passes.tree.roots.iter().map(|root| up[passes.up_at[*root].start]).sum()
    }

    pub fn reverse(&mut self, potentials: &[f64], marginals: &mut [f64]) {
        let Self { passes, up, down } = self;
        for root in &passes.tree.roots {
            down[passes.down_at[*root].start] = 0.0;
        }
        for joint in passes.joints.iter().rev() {
            let number = joint.node;
            for (to, past, plan) in joint.ways() {
                let (below, above) = down.split_at_mut(passes.down_at[number].start);
                let pair = [&above[..passes.down_at[number].len()], &up[passes.up_at[past].clone()]];
                contract(plan, &mut below[passes.down_at[to].clone()], pair);
            }
        }
        for (number, leaf) in passes.tree.leaves.iter().enumerate() {
            let of = leaf.at..leaf.at + leaf.cells;
            let (own, message) = (&potentials[of.clone()], &down[passes.down_at[number].clone()]);
            let marginal = &mut marginals[of];
            spread(passes.reductions[number].as_ref(), own.len(), |place, cell| {
                marginal[place] = own[place] + message[cell];
            });
            let mut all = LogSum::default();
            marginal.iter().for_each(|log| all.add(*log));
            let all = all.log();
            marginal.iter_mut().for_each(|log| *log = share(*log, all));
        }
    }

    /// E[1_cell · V] for V = Σ v(x): tangents here are those of logarithms, which are means of V under conditions.
    pub fn product(self, v: &[f64], [up, down]: [&mut Vec<f64>; 2], marginals: &[f64], out: &mut [f64]) {
        let passes = self.passes;
        up[..v.len()].copy_from_slice(v);
        for (number, reduction) in passes.reductions.iter().enumerate() {
            if let Some(reduction) = reduction {
                let (at, to) = (passes.tree.leaves[number].at, passes.up_at[number].start);
                let (factors, messages) = up.split_at_mut(passes.tree.cells());
                reduction.each(|cell, places| {
                    let log = self.up[to + cell];
                    let mean =
                        places.map(|place| share(self.up[at + place], log) * factors[at + place]).sum();
                    messages[to - passes.tree.cells() + cell] = mean;
                });
            }
        }
        for Joint { node, children, up: plan, .. } in &passes.joints {
            let [a, b] = children.map(|child| passes.up_at[child].start);
            let to = passes.up_at[*node].start;
            let swapped = plan.swapped;
            plan.each(|cell, terms| {
                let log = self.up[to + cell];
                up[to + cell] = terms
                    .map(|term| {
                        let [in_a, in_b] = placed(term, swapped);
                        share(self.up[a + in_a] + self.up[b + in_b], log) * (up[a + in_a] + up[b + in_b])
                    })
                    .sum();
            });
        }
        for root in &passes.tree.roots {
            down[passes.down_at[*root].start] = 0.0;
        }
        for joint in passes.joints.iter().rev() {
            let number = joint.node;
            for (to, past, plan) in joint.ways() {
                let (from, past, to) =
                    (passes.down_at[number].start, passes.up_at[past].start, passes.down_at[to].start);
                plan.each(|cell, terms| {
                    let log = self.down[to + cell];
                    down[to + cell] = terms
                        .map(|term| {
                            let [above, beside] = placed(term, plan.swapped);
                            let share = share(self.down[from + above] + self.up[past + beside], log);
                            share * (down[from + above] + up[past + beside])
                        })
                        .sum();
                });
            }
        }
        for (number, leaf) in passes.tree.leaves.iter().enumerate() {
            let message = &down[passes.down_at[number].clone()];
            spread(passes.reductions[number].as_ref(), leaf.cells, |place, cell| {
                let at = leaf.at + place;
                out[at] = marginals[at] * (v[at] + message[cell]);
            });
        }
    }
}

/// Both places of a term, in the order that the tensors were named in.
pub(crate) fn placed([a, b]: [usize; 2], swapped: bool) -> [usize; 2] {
    if swapped { [b, a] } else { [a, b] }
}

fn contract(plan: &crate::contraction::Contraction, out: &mut [f64], [a, b]: [&[f64]; 2]) {
    plan.each(|cell, terms| {
        let mut sum = LogSum::default();
        terms.for_each(|term| {
            let [in_a, in_b] = placed(term, plan.swapped);
            sum.add(a[in_a] + b[in_b]);
        });
        out[cell] = sum.log();
    });
}

/// Each place of a factor with the cell of the message that it is of.
fn spread(reduction: Option<&Reduction>, cells: usize, mut f: impl FnMut(usize, usize)) {
    match reduction {
        Some(reduction) => reduction.each(|cell, places| places.for_each(|place| f(place, cell))),
        None => (0..cells).for_each(|place| f(place, place)),
    }
}

/// exp(log − all), 0 of nothing.
fn share(log: f64, all: f64) -> f64 {
    if log == f64::NEG_INFINITY { 0.0 } else { exp(log - all) }
}

/// log Σ exp of what is added, in one pass.
#[derive(Clone, Copy)]
pub(crate) struct LogSum {
    largest: f64,
    sum: f64,
}

impl Default for LogSum {
    fn default() -> Self {
        Self { largest: f64::NEG_INFINITY, sum: 0.0 }
    }
}

impl LogSum {
    pub fn add(&mut self, log: f64) {
        if log > self.largest {
            self.sum = self.sum * exp(self.largest - log) + 1.0;
            self.largest = log;
        } else if log > f64::NEG_INFINITY {
            self.sum += exp(log - self.largest);
        }
    }

    pub fn log(self) -> f64 {
        if self.sum > 0.0 { self.largest + ln(self.sum) } else { f64::NEG_INFINITY }
    }
}
