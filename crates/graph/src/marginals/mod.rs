//! What a model says about attributes that no clique has together, and queries with a factor for each attribute (Private-PGM,
//! Algorithm 3): the messages of the tree around these attributes are multiplied, and everything else is summed.

mod cut;
mod factored;
mod product;
mod question;

pub use factored::{Factor, factored, kronecker};

use crate::oracle::Oracle;
use crate::reduction::Reduction;
use crate::tree::{Axes, Tree, offsets, union};
use marginalia_compute::job::Pace;
use marginalia_compute::vector::filled;
use marginalia_tables::{Code, Error, Result};
use question::{Asked, Question, after};

/// Names of attributes, for refusals.
pub type Names<'a> = &'a (dyn Fn(u16) -> String + Sync);

/// The shares of the cells of sets of attributes, each with its last one fastest, from the potentials that went in
/// [`Oracle::reverse`] last. An attribute in no clique is uniform. Refused before any memory is taken where a set takes more
/// than `limit` bytes.
pub async fn marginals(
    oracle: &Oracle,
    sets: &[Vec<u16>],
    limit: f64,
    names: Names<'_>,
    pace: &Pace,
) -> Result<Vec<Vec<f64>>> {
    let tree = oracle.tree();
    let places = cut::Places::new(oracle);
    let sizes = [&[1], &tree.sizes[..]].concat();
    let mut questions = Vec::with_capacity(sets.len());
    for set in sets {
        let order = axes_of(tree, set.iter().copied())?;
        let leaf = leaf_of(tree, &order);
        let asked = match leaf {
            Some(_) => Vec::new(),
            None => {
                order.iter().map(|axis| Asked { axis: *axis, answer: after(axis), matrix: None }).collect()
            }
        };
        let answers: Axes = order.iter().map(after).collect();
        let question = Question::new(oracle, &places, sizes.clone(), asked, &answers);
        question.admit(oracle, limit, names)?;
        pace.did(question.planning()).await;
        questions.push((question, answers, leaf));
    }
    let mut marginals = Vec::with_capacity(sets.len());
    for (question, answers, leaf) in questions {
        pace.show(marginals.len(), sets.len());
        let parts = match leaf {
            Some(leaf) => vec![within(oracle, leaf, &answers, &sizes)],
            None => question.answers(oracle, |values| values.iter().sum(), pace).await?,
        };
        marginals.push(outer(&answers, &parts, &sizes, pace).await?);
    }
    Ok(marginals)
}

/// The axes of a tree for attributes, in their order.
fn axes_of(tree: &Tree, attributes: impl Iterator<Item = u16>) -> Result<Axes> {
    let axis = |attribute: u16| tree.axis_of.get(usize::from(attribute)).copied();
    let axes = attributes.map(axis).collect::<Option<Axes>>();
    let axes = axes.ok_or_else(|| {
        Error::new(Code::AttributeUnknown, "a question names an attribute that is not there")
    })?;
    if union(&axes, &[]).len() != axes.len() {
        return Err(Error::new(Code::OptionInvalid, "a question names an attribute twice"));
    }
    Ok(axes)
}

/// The smallest factor that has all axes.
fn leaf_of(tree: &Tree, axes: &Axes) -> Option<usize> {
    let has = |leaf: &usize| axes.iter().all(|axis| tree.leaves[*leaf].axes.binary_search(axis).is_ok());
    (0..tree.leaves.len()).filter(has).min_by_key(|leaf| tree.leaves[*leaf].cells)
}

/// A part of an answer: shares, or sums of them, along some axes.
type Part = (Axes, Vec<f64>);

/// From the marginal of a factor that of some of its axes.
fn within(oracle: &Oracle, leaf: usize, answers: &Axes, sizes: &[u32]) -> Part {
    let leaf = &oracle.tree().leaves[leaf];
    let marginal = &oracle.marginals()[leaf.at..leaf.at + leaf.cells];
    let axes = union(answers, &[]);
    let cells = axes.iter().map(|axis| sizes[usize::from(*axis)] as usize).product();
    let mut sums = vec![0.0; cells];
    let of_leaf = leaf.axes.iter().map(after).collect();
    Reduction::new(&of_leaf, &axes, sizes).sum(marginal, &mut sums);
    (axes, sums)
}

/// The product of parts along all their axes in an order.
async fn outer(order: &Axes, parts: &[Part], sizes: &[u32], pace: &Pace) -> Result<Vec<f64>> {
    let cells = order.iter().map(|axis| sizes[usize::from(*axis)] as usize).product();
    let mut out = filled(1.0, cells)?;
    for (axes, values) in parts {
        let places = offsets(order, [axes], sizes);
        out.iter_mut().zip(places).for_each(|(out, [place])| *out *= values[place as usize]);
        pace.did(4 * out.len()).await;
    }
    Ok(out)
}
