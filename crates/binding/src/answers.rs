//! Serves `ts/tables/answers.ts`. Both modules have them, and what they answer: an object knows its own.

use crate::error::Result;
use marginalia_tables::information::{Ranking, spanning_tree};
use marginalia_tables::room::listed;
use marginalia_tables::{Code, Error};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// The counts of all cliques of a workload.
#[wasm_bindgen]
pub struct Answers(Arc<marginalia_tables::count::Answers>);

impl Answers {
    /// Behind a handle.
    pub fn new(answers: marginalia_tables::count::Answers) -> Self {
        Self(Arc::new(answers))
    }

    fn checked(&self, i: usize) -> Result<usize> {
        if i < self.0.workload().len() {
            return Ok(i);
        }
        Err(Error::new(Code::OptionInvalid, "the workload has no such clique").into())
    }
}

#[wasm_bindgen]
impl Answers {
    /// Where the cells of clique `i` begin and end among all; an error where they are too many to be handed out.
    pub fn place(&self, i: usize) -> Result<Vec<f64>> {
        let range = self.0.place(self.checked(i)?)?;
        Ok(vec![range.start as f64, range.end as f64])
    }

    /// The number of cells of all cliques; nothing where one is held sparse.
    pub fn cells(&self) -> Option<f64> {
        self.0.flat().map(|flat| flat.len() as f64)
    }

    /// A copy of some consecutive cells, counted over all cliques.
    pub fn block(&self, from: f64, to: f64) -> Result<Vec<f64>> {
        Ok(self.0.block(from as u64..to as u64)?)
    }

    /// How many numbers are held for clique `i`: of all its cells, or of those that occur.
    pub fn held(&self, i: usize) -> Result<usize> {
        Ok(self.0.held(self.checked(i)?))
    }

    /// Of some of the numbers that are held for clique `i`, the cells of those that are not zero, and then as many counts.
    pub fn nonzero(&self, i: usize, from: usize, to: usize) -> Result<Vec<f64>> {
        let (cells, counts) = self.0.nonzero_of(self.checked(i)?, from..to)?;
        let mut both = Vec::new();
        let bytes = 2 * size_of_val(&counts[..]);
        both.try_reserve_exact(2 * counts.len()).map_err(|_| Error::out_of_memory(bytes))?;
        both.extend(cells.into_iter().map(|cell| cell as f64));
        both.extend(counts);
        Ok(both)
    }

    /// Ranks pairs: for the `k` most informative ones; without `k`, for the tree with the highest total.
    pub fn rank(&self, k: Option<u32>) -> Result<RankJob> {
        let attributes = self.0.workload().domain().sizes().len();
        let most = k.map(|k| k as usize);
        Ok(RankJob { ranking: Ranking::new(self.0.clone())?, attributes, most })
    }
}

/// Ranks the pairs of a workload that was counted by their mutual information.
#[wasm_bindgen]
pub struct RankJob {
    ranking: Ranking,
    attributes: usize,
    most: Option<usize>,
}

#[wasm_bindgen]
impl RankJob {
    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        Ok(self.ranking.step(work as u64)?)
    }

    /// The units done.
    pub fn done(&self) -> f64 {
        self.ranking.done() as f64
    }

    /// All units.
    pub fn total(&self) -> f64 {
        self.ranking.total() as f64
    }

    /// The attributes of one pair after another.
    pub fn finish(self) -> Result<Vec<u16>> {
        let ranked = self.ranking.finish()?;
        Ok(match self.most {
            Some(k) => listed(ranked.iter().take(k).map(|pair| pair.attributes))?.into_flattened(),
            None => spanning_tree(&ranked, self.attributes).into_flattened(),
        })
    }
}
