//! What a model says about attributes that no clique has together, and queries with a factor for each attribute (Private-PGM,
//! Algorithm 3): the messages of the tree around these attributes are multiplied, and everything else is summed.

mod cut;
mod factored;
mod product;
mod question;

pub use factored::{Factor, factored, kronecker};

use crate::oracle::Oracle;
use crate::tree::{Axes, Tree, offsets, union};
use marginalia_compute::job::Pace;
use marginalia_compute::vector::filled;
use marginalia_tables::{Code, Error, Result};
use question::{Question, Wanted, after};

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
        let wanted = order.iter().map(|axis| Wanted { axis: *axis, answer: after(axis), matrix: None });
        let question = Question::new(oracle, &places, sizes.clone(), wanted.collect());
        question.admit(oracle, limit, names)?;
        pace.did(question.planning()).await;
        questions.push((question, order.iter().map(after).collect::<Axes>()));
    }
    let mut marginals = Vec::with_capacity(sets.len());
    for (question, answers) in questions {
        pace.show(marginals.len(), sets.len());
        let parts = question.answers(oracle, |values| values.iter().sum(), pace).await?;
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

/// A part of an answer: shares, or sums of them, along some axes.
type Part = (Axes, Vec<f64>);

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
