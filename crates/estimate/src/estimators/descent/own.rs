//! A loss that whoever holds the estimation works out.

use crate::estimators::estimation::Outside;
use crate::estimators::invalid;
use crate::job::Pace;
use crate::models::graphical::{Cliques, Places};
use marginalia_graph::fit::descent::{Evaluation, Own};
use marginalia_tables::Result;

/// A function of the counts of some cliques.
#[derive(Debug)]
pub struct OwnLoss {
    pub cliques: Cliques,
    /// The cells of each of its cliques, one after another.
    pub places: Vec<Places>,
    pub records: f64,
    pub lipschitz: Option<f64>,
    pub outside: Outside,
    pub pace: Pace,
}

impl OwnLoss {
    /// Each of its cliques with the factor that has it, and where this begins and ends.
    fn leaves(&self) -> impl Iterator<Item = (&Places, usize, std::ops::Range<usize>)> {
        self.places.iter().filter_map(|places| {
            let number = self.cliques.list().iter().position(|clique| *clique == places.roots)?;
            let leaf = &self.cliques.passes().tree().leaves()[number];
            Some((places, number, leaf.at..leaf.at + leaf.cells))
        })
    }

    async fn loss(&self, cells: &[f64], gradient: &mut [f64]) -> Result<f64> {
        let tree = self.cliques.passes().tree();
        let mut counts = vec![0.0; self.places.iter().map(|places| places.cells).sum()];
        let mut at = 0;
        for (places, number, of) in self.leaves() {
            let shares = tree.restored(number, &cells[of]);
            places
                .of
                .iter()
                .zip(shares)
                .for_each(|(place, share)| counts[at + *place as usize] += self.records * share);
            at += places.cells;
        }
        let Some((loss, slopes)) = self.outside.evaluate(counts, &self.pace).await? else {
            return Ok(f64::NAN);
        };
        if slopes.len() != at || !loss.is_finite() || slopes.iter().any(|slope| !slope.is_finite()) {
            return Err(invalid("a loss of your own is a finite number, with a finite slope for each cell"));
        }
        gradient.fill(0.0);
        at = 0;
        for (places, number, of) in self.leaves() {
            let slope = |place: &u32| self.records * slopes[at + *place as usize];
            let fine: Vec<f64> = places.of.iter().map(slope).collect();
            gradient[of].iter_mut().zip(tree.arranged(number, &fine)).for_each(|(g, slope)| *g += slope);
            at += places.cells;
        }
        Ok(loss)
    }
}

impl Own for OwnLoss {
    fn at<'a>(&'a self, cells: &'a [f64], gradient: &'a mut [f64]) -> Evaluation<'a> {
        Box::pin(self.loss(cells, gradient))
    }

    /// That of shares, from that of counts.
    fn lipschitz(&self) -> Option<f64> {
        self.lipschitz.map(|lipschitz| self.records * self.records * lipschitz)
    }
}
