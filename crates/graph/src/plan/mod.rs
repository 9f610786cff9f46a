//! Which factors to multiply in which order, and what that costs, before any memory is taken.

mod elimination;
mod exact;

use crate::tree::{Axes, Leaf, Node, Tree, cells, union};
use elimination::Effort;
use marginalia_compute::seed::Seed;
use marginalia_tables::{Code, Error, Result};

/// What work on a tree takes. Numbers that no computer holds are numbers all the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// Multiplications of a pass from the leaves to the roots; all marginals are three passes, a product with the Hessian six.
    pub multiplications: f64,
    /// Numbers that an oracle holds, with its tangents.
    pub numbers: f64,
    /// The cells of the largest tensor.
    pub largest: f64,
    /// The attributes that the dearest contraction is over.
    pub widest: Vec<u16>,
}

impl Cost {
    /// Bytes of an oracle.
    pub fn bytes(&self) -> f64 {
        8.0 * self.numbers
    }

    /// About the seconds that all marginals take once, of which an estimate takes some tens to hundreds.
    pub fn seconds(&self) -> f64 {
        1e-9 * NANOSECONDS * PASSES * self.multiplications
    }
}

/// What a multiplication takes.
pub(crate) const NANOSECONDS: f64 = 0.4;

/// Passes that all marginals are.
const PASSES: f64 = 3.0;

/// Two nodes, by their numbers, of which a third is made.
type Merge = [usize; 2];

/// How many leaves with something in common are tried in every order.
const FEW: usize = 15;

/// Leaves that are merged, about, in the search of another order.
const EFFORT: usize = 6000;

/// Multiplications of an order that take as long as to try a merge, or a part of a subset.
pub(crate) const MERGE: f64 = 10_000.0;
const SUBSET: f64 = 8.0;

/// A tree over the cliques of a domain. Refused where an oracle on it would take more than `limit` bytes.
pub fn plan(sizes: &[u32], cliques: &[Vec<u16>], limit: f64) -> Result<Tree> {
    plan_with_names(sizes, cliques, limit, &|attribute| attribute.to_string())
}

/// The same for attributes that have names in refusals.
pub fn plan_with_names(
    sizes: &[u32],
    cliques: &[Vec<u16>],
    limit: f64,
    name: &dyn Fn(u16) -> String,
) -> Result<Tree> {
    let tree = planned(sizes, cliques)?;
    let Cost { numbers, largest, widest, .. } = &tree.cost;
    let most = f64::from(u32::MAX);
    if tree.cost.bytes() <= limit && *largest <= most && *numbers <= most {
        return Ok(tree);
    }
    let names: Vec<String> = widest.iter().map(|attribute| name(*attribute)).collect();
    Err(Error::new(
        Code::ModelTooLarge,
        format!(
            "these cliques meet in {} attributes at once ({}), which takes {:.0} MB where {:.0} are allowed: \
             measure fewer or smaller cliques, or coarsen one of these attributes",
            names.len(),
            names.join(", "),
            tree.cost.bytes() / 1e6,
            limit / 1e6
        ),
    ))
}

/// What a tree over the cliques takes, whatever that is.
pub fn cost(sizes: &[u32], cliques: &[Vec<u16>]) -> Result<Cost> {
    Ok(planned(sizes, cliques)?.cost)
}

fn planned(sizes: &[u32], cliques: &[Vec<u16>]) -> Result<Tree> {
    let mut by_size: Vec<u16> = (0..sizes.len() as u16).collect();
    by_size.sort_by_key(|attribute| sizes[usize::from(*attribute)]);
    let mut axis_of = vec![0; sizes.len()];
    by_size.iter().zip(0..).for_each(|(attribute, axis)| axis_of[usize::from(*attribute)] = axis);
    let sizes_of: Vec<u32> = by_size.iter().map(|attribute| sizes[usize::from(*attribute)]).collect();

    let mut leaves = Vec::with_capacity(cliques.len());
    for clique in cliques {
        leaves.push(leaf(clique, &axis_of, &sizes_of, leaves.last())?);
    }
    let holders = Holders::of(&leaves, sizes.len());
    let messages: Vec<Axes> = leaves
        .iter()
        .map(|leaf| leaf.axes.iter().copied().filter(|axis| holders.shared(*axis)).collect())
        .collect();
    let mut merges = Vec::new();
    for part in holders.parts(&messages) {
        merges.push((merges_of(&part, &messages, &sizes_of), part));
    }
    let mut tree = built(sizes_of, axis_of, leaves, messages, merges);
    for attribute in &mut tree.cost.widest {
        *attribute = by_size[usize::from(*attribute)];
    }
    Ok(tree)
}

fn leaf(clique: &[u16], axis_of: &[u16], sizes: &[u32], before: Option<&Leaf>) -> Result<Leaf> {
    let axis = |attribute: &u16| axis_of.get(usize::from(*attribute)).copied();
    let order: Option<Vec<u16>> = clique.iter().map(axis).collect();
    let order = order
        .ok_or_else(|| Error::new(Code::AttributeUnknown, "a clique names an attribute that is not there"))?;
    let axes = union(&order, &[]);
    if axes.len() != order.len() {
        return Err(Error::new(Code::OptionInvalid, "a clique names an attribute twice"));
    }
    let cells = cells(&axes, sizes);
    if cells > f64::from(u32::MAX) {
        return Err(Error::new(Code::ModelTooLarge, "a clique has 2^32 cells or more: use fewer attributes"));
    }
    Ok(Leaf { order, axes, at: before.map_or(0, |leaf| leaf.at + leaf.cells), cells: cells as usize })
}

/// The leaves that have each axis.
struct Holders(Vec<Vec<usize>>);

impl Holders {
    fn of(leaves: &[Leaf], axes: usize) -> Self {
        let mut holders = vec![Vec::new(); axes];
        for (number, leaf) in leaves.iter().enumerate() {
            leaf.axes.iter().for_each(|axis| holders[usize::from(*axis)].push(number));
        }
        Self(holders)
    }

    fn shared(&self, axis: u16) -> bool {
        self.0[usize::from(axis)].len() > 1
    }

    /// The leaves that are connected, part by part.
    fn parts(&self, messages: &[Axes]) -> Vec<Vec<usize>> {
        let mut seen = vec![false; messages.len()];
        let mut parts = Vec::new();
        for first in 0..messages.len() {
            let mut part = Vec::new();
            let mut next = vec![first];
            while let Some(leaf) = next.pop() {
                if !std::mem::replace(&mut seen[leaf], true) {
                    part.push(leaf);
                    messages[leaf].iter().for_each(|axis| next.extend(&self.0[usize::from(*axis)]));
                }
            }
            if !part.is_empty() {
                part.sort_unstable();
                parts.push(part);
            }
        }
        parts
    }
}

/// Merges of a part, whose leaves are numbered by their places in it; what is merged goes on from there.
fn merges_of(part: &[usize], messages: &[Axes], sizes: &[u32]) -> Vec<Merge> {
    let own: Vec<Axes> = part.iter().map(|leaf| messages[*leaf].clone()).collect();
    let found = |effort| elimination::merges(&own, sizes, Effort::Merges(effort), &mut Seed::new(0));
    if own.len() <= FEW
        && let Some(merges) = exact::merges(&own, sizes, found(1).0)
    {
        return merges;
    }
    found(EFFORT).1
}

/// An order for tensors that are connected, each axis of which at least two have.
#[derive(Debug)]
pub(crate) struct Order {
    pub merges: Vec<Merge>,
    /// Of the tensors, then of what each merge gives.
    pub axes: Vec<Axes>,
    pub cost: Cost,
}

impl Order {
    /// One that is found in less time than it takes to follow it.
    pub fn new(tensors: Vec<Axes>, sizes: &[u32]) -> Self {
        let effort = Effort::Multiplications(MERGE);
        let (cost, found) = elimination::merges(&tensors, sizes, effort, &mut Seed::new(0));
        let all_orders = SUBSET * f64::from(3u32.saturating_pow(tensors.len() as u32));
        let few = tensors.len() <= FEW && all_orders < cost;
        let best = few.then(|| exact::merges(&tensors, sizes, cost)).flatten();
        let merges = best.unwrap_or(found);
        let mut work = Work::new(tensors, sizes);
        for pair in &merges {
            work.merge(*pair);
        }
        let of = |axes: &Axes| cells(axes, sizes);
        let cost = Cost {
            multiplications: work.multiplications,
            numbers: work.live.iter().map(of).sum(),
            largest: work.live.iter().map(of).fold(1.0, f64::max),
            widest: work.widest.1,
        };
        Self { merges, axes: work.live, cost }
    }
}

fn built(
    sizes: Vec<u32>,
    axis_of: Vec<u16>,
    leaves: Vec<Leaf>,
    messages: Vec<Axes>,
    merges: Vec<(Vec<Merge>, Vec<usize>)>,
) -> Tree {
    let mut work = Work::new(messages, &sizes);
    let mut roots = Vec::new();
    let mut children = vec![None; leaves.len()];
    for (merges, part) in merges {
        let mut numbers = part;
        for [a, b] in merges {
            let pair = [numbers[a], numbers[b]];
            numbers.push(work.merge(pair));
            children.push(Some(pair));
        }
        roots.extend(numbers.last());
    }
    let of_leaves: f64 = leaves.iter().map(|leaf| leaf.cells as f64).sum();
    let of_nodes: f64 = work.live.iter().map(|axes| cells(axes, &sizes)).sum();
    let largest =
        leaves.iter().map(|leaf| leaf.cells as f64).chain(work.live.iter().map(|axes| cells(axes, &sizes)));
    let cost = Cost {
        multiplications: work.multiplications + of_leaves,
        numbers: 4.0 * (of_leaves + of_nodes),
        largest: largest.fold(1.0, f64::max),
        widest: work.widest.1,
    };
    let nodes = work.live.into_iter().zip(children).map(|(axes, children)| {
        let cells = cells(&axes, &sizes) as usize;
        Node { axes, cells, children }
    });
    Tree { nodes: nodes.collect(), axis_of, sizes, leaves, roots, cost }
}

/// Tensors that are merged two by two: an axis is summed as soon as no other one has it.
struct Work<'a> {
    sizes: &'a [u32],
    /// The axes of each tensor that there is or was.
    live: Vec<Axes>,
    /// How many have each axis.
    holders: Vec<usize>,
    multiplications: f64,
    /// The dearest contraction so far.
    widest: (f64, Axes),
}

impl<'a> Work<'a> {
    fn new(live: Vec<Axes>, sizes: &'a [u32]) -> Self {
        let mut holders = vec![0; sizes.len()];
        live.iter().flatten().for_each(|axis| holders[usize::from(*axis)] += 1);
        Self { sizes, live, holders, multiplications: 0.0, widest: (0.0, Vec::new()) }
    }

    /// The number of the tensor that two give.
    fn merge(&mut self, [a, b]: Merge) -> usize {
        let mut axes = union(&self.live[a], &self.live[b]);
        let cost = cells(&axes, self.sizes);
        self.multiplications += cost;
        if cost > self.widest.0 {
            self.widest = (cost, axes.clone());
        }
        for number in [a, b] {
            self.live[number].iter().for_each(|axis| self.holders[usize::from(*axis)] -= 1);
        }
        axes.retain(|axis| self.holders[usize::from(*axis)] > 0);
        axes.iter().for_each(|axis| self.holders[usize::from(*axis)] += 1);
        self.live.push(axes);
        self.live.len() - 1
    }
}
