//! Serves `ts/tables/answers.ts`, and the counting of `ts/tables/table.ts`.

use crate::error::Result;
use crate::table::Table;
use marginalia_tables::count::{CountSource, Counting};
use marginalia_tables::information::{Ranking, spanning_tree};
use marginalia_tables::room::listed;
use marginalia_tables::{Code, Error, Workload};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A count in the making.
#[wasm_bindgen]
pub struct CountJob(Box<dyn Counting>);

#[wasm_bindgen]
impl CountJob {
    /// Plans the count of a workload, clique `i` of which is `flat[starts[i]..starts[i + 1]]`, in at most `limit` bytes.
    #[wasm_bindgen(constructor)]
    pub fn new(table: &Table, flat: Vec<u16>, starts: Vec<u32>, limit: f64) -> Result<CountJob> {
        let starts = starts.into_iter().map(|start| start as usize).collect();
        let table = table.shared();
        let workload = Workload::new(table.domain(), flat, starts)?;
        Ok(Self(table.begin(Arc::new(workload), limit as u64)?))
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        Ok(self.0.step(work as u64)?)
    }

    /// The units done.
    pub fn done(&self) -> f64 {
        self.0.done() as f64
    }

    /// All units.
    pub fn total(&self) -> f64 {
        self.0.total() as f64
    }

    /// The answers.
    pub fn finish(self) -> Result<Answers> {
        Ok(Answers::new(self.0.finish()?))
    }
}

/// The counts of all cliques of a workload.
#[wasm_bindgen]
pub struct Answers(pub(crate) Arc<marginalia_tables::count::Answers>);

impl Answers {
    pub(crate) fn new(answers: marginalia_tables::count::Answers) -> Self {
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
    /// For the `k` most informative pairs; without `k`, for the tree with the highest total.
    #[wasm_bindgen(constructor)]
    pub fn new(answers: &Answers, k: Option<u32>) -> Result<RankJob> {
        let attributes = answers.0.workload().domain().sizes().len();
        let most = k.map(|k| k as usize);
        Ok(Self { ranking: Ranking::new(answers.0.clone())?, attributes, most })
    }

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
