//! The potentials of a model on the cliques of another.

use crate::estimators::invalid;
use crate::models::graphical::{Cliques, GraphicalModel, cells_of_some};
use marginalia_tables::Result;

/// Potentials for these cliques that make the same distribution.
pub fn potentials(start: &GraphicalModel, cliques: &Cliques) -> Result<Vec<f64>> {
    let (own, tree) = (start.oracle().tree(), cliques.passes().tree());
    let mut potentials = vec![0.0; tree.cells()];
    for (number, clique) in start.cliques().iter().enumerate() {
        let leaf = &own.leaves()[number];
        let theta = own.restored(number, &start.potentials()[leaf.at..leaf.at + leaf.cells]);
        let within = |other: &Vec<u16>| clique.iter().all(|attribute| other.contains(attribute));
        let Some(to) = cliques.list().iter().position(within) else {
            return Err(invalid(
                "the model to start from has a clique that is in none of the measured ones: measure it too, or start from nothing",
            ));
        };
        let cells = cells_of_some(&cliques.sizes(), &cliques.list()[to], clique);
        let spread: Vec<f64> = cells.iter().map(|cell| theta[*cell as usize]).collect();
        let of = &tree.leaves()[to];
        potentials[of.at..of.at + of.cells]
            .iter_mut()
            .zip(tree.arranged(to, &spread))
            .for_each(|(sum, theta)| *sum += theta);
    }
    Ok(potentials)
}
