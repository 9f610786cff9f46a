//! A question to a model, part by part, with its cost before any memory is taken.

use super::cut::{Cut, Places};
use super::product::{Entry, Signed, Tensor, summed};
use super::{Names, Part};
use crate::oracle::Oracle;
use crate::plan::{MERGE, Order};
use crate::tree::{Axes, Tree, cells, union};
use marginalia_compute::job::Pace;
use marginalia_tables::{Code, Error, Result};

/// The axis of queries that are answered one by one. It is the first of a question, so that these lie far apart; the axes of
/// the tree come [after](after) it, and then those that others are wanted by.
pub(super) const QUERIES: u16 = 0;

/// An axis of a tree in a question.
pub(super) fn after(axis: &u16) -> u16 {
    axis + 1
}

/// What is wanted about an axis.
#[derive(Debug)]
pub(super) struct Wanted {
    /// Of the tree.
    pub axis: u16,
    /// The axis of the answers, in the question.
    pub answer: u16,
    /// What each answer makes of each code: a row for the axis of the two that comes first.
    pub matrix: Option<Vec<f64>>,
}

#[derive(Debug)]
pub(super) struct Question {
    /// Of all axes, those of answers among them.
    sizes: Vec<u32>,
    parts: Vec<Connected>,
    /// The cells of the answers.
    cells: f64,
}

/// What is wanted about axes of one part of the tree.
#[derive(Debug)]
struct Connected {
    wanted: Vec<Wanted>,
    answers: Axes,
    /// Nothing for an axis of no factor.
    way: Option<(Cut, Order)>,
}

/// A part of Z that may be lost.
const LOST: f64 = 1e-10;

/// Factors of which all together are tried as well.
const MANY: usize = 64;

impl Question {
    pub fn new(oracle: &Oracle, places: &Places, sizes: Vec<u32>, wanted: Vec<Wanted>) -> Self {
        let answers = union(&wanted.iter().map(|wanted| wanted.answer).collect::<Axes>(), &[]);
        let mut parts: Vec<(Option<usize>, Vec<Wanted>)> = Vec::new();
        for one in wanted {
            let root = places.root(one.axis);
            match parts.iter_mut().find(|(other, _)| root.is_some() && *other == root) {
                Some((_, part)) => part.push(one),
                None => parts.push((root, vec![one])),
            }
        }
        let parts = parts
            .into_iter()
            .map(|(root, wanted)| Connected::new(oracle, places, root, wanted, &sizes))
            .collect();
        Self { cells: cells(&answers, &sizes), parts, sizes }
    }

    /// Refused where it takes more than so many bytes, or no record is possible.
    pub fn admit(&self, oracle: &Oracle, limit: f64, names: Names<'_>) -> Result<()> {
        if !oracle.possible() {
            return Err(Error::new(Code::OptionInvalid, "no record is possible: nothing can be said of any"));
        }
        let orders = || self.parts.iter().filter_map(|part| part.way.as_ref()).map(|(_, order)| &order.cost);
        let bytes = 8.0 * (2.0 * self.cells + orders().map(|cost| cost.numbers).fold(0.0, f64::max));
        let largest = orders().map(|cost| cost.largest).fold(self.cells, f64::max);
        if bytes <= limit && largest <= f64::from(u32::MAX) {
            return Ok(());
        }
        let attributes = oracle.tree().attributes();
        let list = |axes: &mut dyn Iterator<Item = u16>| {
            let named =
                axes.filter_map(|axis| attributes.get(usize::from(axis))).map(|attribute| names(*attribute));
            named.collect::<Vec<_>>().join(", ")
        };
        let widest =
            orders().max_by(|a, b| a.numbers.total_cmp(&b.numbers)).map_or(&[][..], |cost| &cost.widest);
        Err(Error::new(
            Code::ModelTooLarge,
            format!(
                "what is to be known of ({}) takes {:.0} MB where {:.0} are allowed, over ({}) at once: ask about fewer \
                 attributes together, or coarser ones",
                list(&mut self.parts.iter().flat_map(|part| &part.wanted).map(|wanted| wanted.axis)),
                bytes / 1e6,
                limit / 1e6,
                list(&mut widest.iter().filter_map(|axis| axis.checked_sub(1))),
            ),
        ))
    }

    /// What finding the way took.
    pub fn planning(&self) -> usize {
        let merges = |part: &Connected| part.way.as_ref().map_or(0, |(_, order)| order.merges.len());
        1000 + MERGE as usize * self.parts.iter().map(merges).sum::<usize>()
    }

    /// The answers of each part, of which `whole` says how much of Z there is in them: 1 where nothing was lost.
    pub async fn answers(
        &self,
        oracle: &Oracle,
        whole: impl Fn(&[f64]) -> f64,
        pace: &Pace,
    ) -> Result<Vec<Part>> {
        let mut answers = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            let values = match &part.way {
                None => part.uniform(&self.sizes),
                Some(way) => {
                    let mut values = part.sum::<f64>(oracle, way, &self.sizes, pace).await?;
                    if !(1.0 - LOST..=1.0 + LOST).contains(&whole(&values)) {
                        values = part.sum::<Signed>(oracle, way, &self.sizes, pace).await?;
                    }
                    values
                }
            };
            answers.push((part.answers.clone(), values));
        }
        Ok(answers)
    }
}

impl Connected {
    fn new(
        oracle: &Oracle,
        places: &Places,
        root: Option<usize>,
        wanted: Vec<Wanted>,
        sizes: &[u32],
    ) -> Self {
        let answers = union(&wanted.iter().map(|wanted| wanted.answer).collect::<Axes>(), &[]);
        let axes: Axes = wanted.iter().map(|wanted| wanted.axis).collect();
        let matrices = || wanted.iter().filter(|wanted| wanted.matrix.is_some());
        let way = |cut: Cut| {
            let mut tensors = cut.axes(oracle);
            tensors.iter_mut().flatten().for_each(|axis| *axis = after(axis));
            tensors.extend(matrices().map(|wanted| union(&[after(&wanted.axis)], &[wanted.answer])));
            tensors.push(answers.clone());
            (cut, Order::new(tensors, sizes))
        };
        let way = root.map(|root| {
            if let Some(leaf) = leaf_of(oracle.tree(), &axes) {
                return way(Cut::within(oracle, leaf, &axes));
            }
            let [least, whole] = Cut::around(oracle, places, root, &axes);
            let (least, merges) = (way(least), whole.axes(oracle).len());
            // Worth a try where it takes less than what it might spare.
            let cost = |way: &(Cut, Order)| way.1.cost.multiplications;
            if merges > MANY || cost(&least) <= 4.0 * MERGE * merges as f64 {
                return least;
            }
            let whole = way(whole);
            if cost(&whole) < cost(&least) { whole } else { least }
        });
        Self { wanted, answers, way }
    }

    /// The share of an axis that no factor has.
    fn uniform(&self, sizes: &[u32]) -> Vec<f64> {
        let one = &self.wanted[0];
        let codes = f64::from(sizes[usize::from(after(&one.axis))]);
        let Some(matrix) = &one.matrix else { return vec![1.0 / codes; codes as usize] };
        let answers = sizes[usize::from(one.answer)] as usize;
        let mut sums = vec![0.0; answers];
        for (at, entry) in matrix.iter().enumerate() {
            let answer = if one.answer == QUERIES { at / codes as usize } else { at % answers };
            sums[answer] += entry / codes;
        }
        sums
    }

    async fn sum<T: Entry>(
        &self,
        oracle: &Oracle,
        (cut, order): &(Cut, Order),
        sizes: &[u32],
        pace: &Pace,
    ) -> Result<Vec<f64>> {
        let mut tensors = cut.tensors::<T>(oracle);
        for wanted in &self.wanted {
            if let Some(matrix) = &wanted.matrix {
                let (entries, log) = T::taken(matrix, false);
                tensors.push(Tensor { entries, log });
            }
        }
        let (entries, log) = summed(order, &tensors, sizes, pace).await?;
        Ok(T::numbers(entries, log - cut.log_mass(oracle)))
    }
}

/// The smallest factor that has all axes.
fn leaf_of(tree: &Tree, axes: &Axes) -> Option<usize> {
    let has = |leaf: &usize| axes.iter().all(|axis| tree.leaves[*leaf].axes.binary_search(axis).is_ok());
    (0..tree.leaves.len()).filter(has).min_by_key(|leaf| tree.leaves[*leaf].cells)
}
