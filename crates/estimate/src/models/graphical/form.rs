//! Graphical models from what they were saved as.

use super::{Cliques, GraphicalModel, Roots};
use crate::job::{Boxed, Steps};
use crate::models::check::invalid;
use crate::models::{Model, Saved};
use marginalia_graph as graph;
use marginalia_tables::{Result, Schema};
use std::sync::Arc;

/// A graphical model from the potentials of one clique after another.
pub fn restore(saved: Saved) -> Result<Boxed<Arc<dyn Model>>> {
    let Saved { schema, total, form, limit, .. } = saved;
    let cliques =
        form.cliques.ok_or_else(|| invalid("a graphical model is given by potentials of cliques"))?;
    let (roots, cliques, numbers) = unfollowed(&schema, cliques, form.numbers)?;
    let saved_cliques = cliques.len();
    let cliques = Cliques::on(schema, roots, cliques, limit as f64)?;
    if cliques.list().len() != saved_cliques {
        return Err(invalid("a graphical model has a clique for each attribute that is not derived"));
    }
    let tree = Arc::clone(cliques.passes().tree());
    if numbers.len() != tree.cells() {
        return Err(invalid("a graphical model has a potential for each cell of its cliques"));
    }
    let arranged = |(number, leaf): (usize, &graph::Leaf)| {
        tree.arranged(number, &numbers[leaf.at..leaf.at + leaf.cells])
    };
    let potentials = tree.leaves().iter().enumerate().flat_map(arranged).collect();
    Ok(Box::new(Steps::new(move |_| async move {
        let model = GraphicalModel::new(cliques, potentials, total)?;
        let model =
            model.ok_or_else(|| invalid("no record is possible in a graphical model that was saved"))?;
        Ok(Arc::new(model) as Arc<dyn Model>)
    })))
}

/// What [`GraphicalModel::form`] says by a clique of two, of which the second is in no other and has one code that can be for each of
/// the first: that it follows from that.
fn unfollowed(
    schema: &Schema,
    cliques: Vec<Vec<u16>>,
    numbers: Vec<f64>,
) -> Result<(Roots, Vec<Vec<u16>>, Vec<f64>)> {
    let (sizes, mut roots) = (schema.sizes(), Roots::new(schema));
    let (mut left, mut kept, mut rest) = (Vec::new(), Vec::new(), &numbers[..]);
    let once = |attribute: u16| cliques.iter().filter(|clique| clique.contains(&attribute)).count() == 1;
    for clique in &cliques {
        let size = |attribute: &u16| sizes.get(usize::from(*attribute)).map(|size| *size as usize);
        let cells = clique.iter().try_fold(1usize, |cells, attribute| cells.checked_mul(size(attribute)?));
        let Some((own, others)) = cells.and_then(|cells| rest.split_at_checked(cells)) else {
            return Err(invalid("a graphical model has a potential for each cell of its cliques"));
        };
        rest = others;
        let only = |own: &[f64]| {
            let mut codes = own.iter().zip(0..).filter(|(number, _)| **number > f64::NEG_INFINITY);
            codes.next().filter(|(number, _)| **number == 0.0 && codes.next().is_none()).map(|(_, code)| code)
        };
        let follows = match clique[..] {
            [root, attribute] if once(attribute) => {
                let codes = own
                    .chunks(sizes[usize::from(attribute)] as usize)
                    .map(only)
                    .collect::<Option<Vec<u16>>>();
                codes.is_some_and(|codes| roots.follow(attribute, root, &codes))
            }
            _ => false,
        };
        if !follows {
            kept.push(clique.clone());
            left.extend_from_slice(own);
        }
    }
    if !rest.is_empty() {
        return Err(invalid("a graphical model has a potential for each cell of its cliques"));
    }
    Ok((roots, kept, left))
}
