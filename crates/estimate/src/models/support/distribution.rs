//! A distribution on the rows of a prior.

use super::base::{Base, invalid};
use super::index::Index;
use super::marginals;
use super::restore::check_weights;
use super::rows::{relative_entropy, sum, tilt};
use crate::job::Job;
use crate::models::check;
use marginalia_compute::vector::{room, zeros};
use marginalia_tables::{Result, Schema, Table, Workload};
use std::sync::{Arc, OnceLock};

/// Rows that go into a table at once.
const TABLE_ROWS: usize = 4096;

/// A distribution `q` on the rows of a shared base, and the number of records that it stands for. It is given by
/// potentials, `q ∝ p exp(Mᵀ u)`, or by its weights. Weights that follow from potentials are a cache: many models
/// on one base need no more memory than their potentials.
#[derive(Debug, Clone)]
pub struct Distribution {
    base: Arc<Base>,
    potentials: Option<(Arc<Index>, Vec<f64>)>,
    weights: OnceLock<Vec<f64>>,
    total: f64,
}

impl Distribution {
    /// The prior itself.
    pub fn prior(base: Arc<Base>, total: f64) -> Result<Self> {
        let mut weights = room(base.rows())?;
        weights.extend_from_slice(base.prior());
        Self::from_weights(base, weights, total)
    }

    /// The distribution with a potential for each supported cell of an index over the same rows.
    pub fn from_potentials(base: Arc<Base>, index: Arc<Index>, u: Vec<f64>, total: f64) -> Result<Self> {
        if index.rows() != base.rows() || index.cells() != u.len() || u.iter().any(|u| !u.is_finite()) {
            return Err(invalid("potentials must be finite, and one for each supported cell of the prior"));
        }
        check::total(total)?;
        Ok(Self { base, potentials: Some((index, u)), weights: OnceLock::new(), total })
    }

    /// The distribution whose weights are proportional to those given, one for each row.
    pub fn from_weights(base: Arc<Base>, mut weights: Vec<f64>, total: f64) -> Result<Self> {
        check::total(total)?;
        let all = sum(weights.len(), |row| weights[row]);
        let proper = weights.iter().all(|weight| *weight >= 0.0) && all > 0.0 && all.is_finite();
        if weights.len() != base.rows() || !proper {
            return Err(invalid(
                "a model needs a weight for each row of its prior: finite, not negative, not all zero",
            ));
        }
        weights.iter_mut().for_each(|weight| *weight /= all);
        Ok(Self { base, potentials: None, weights: OnceLock::from(weights), total })
    }

    /// The distribution with exactly the weights that [`Distribution::weights`] gave before.
    pub fn restored(base: Arc<Base>, weights: Vec<f64>, total: f64) -> Result<Self> {
        check::total(total)?;
        check_weights(&weights, base.rows())?;
        Ok(Self { base, potentials: None, weights: OnceLock::from(weights), total })
    }

    /// The same distribution for another number of records.
    pub fn with_total(self, total: f64) -> Result<Self> {
        check::total(total)?;
        Ok(Self { total, ..self })
    }

    /// The rows and the prior that the model is on.
    pub fn base(&self) -> &Arc<Base> {
        &self.base
    }

    /// The number of records.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// The index and the potentials of its cells, where the model is given by them.
    pub fn potentials(&self) -> Option<(&Arc<Index>, &[f64])> {
        self.potentials.as_ref().map(|(index, u)| (index, u.as_slice()))
    }

    /// What the distribution gives to each row; sums to 1. Worked out from the potentials when they are not there.
    pub fn weights(&self) -> Result<&[f64]> {
        if self.weights.get().is_none()
            && let Some((index, u)) = &self.potentials
        {
            let (mut t, mut q) = (zeros(self.base.rows())?, zeros(self.base.rows())?);
            index.gather(u, &mut t);
            tilt(self.base.prior(), &t, &mut q);
            // Another thread may have been first, with the same bits.
            drop(self.weights.set(q));
        }
        Ok(self.weights.get().map_or(&[], Vec::as_slice))
    }

    /// The weights of the rows themselves.
    pub fn into_weights(self) -> Result<Vec<f64>> {
        self.weights()?;
        Ok(self.weights.into_inner().unwrap_or_default())
    }

    /// A copy of the weights.
    pub fn copied(&self) -> Result<Vec<f64>> {
        let mut copy = room(self.base.rows())?;
        copy.extend_from_slice(self.weights()?);
        Ok(copy)
    }

    /// Drops weights that can be worked out again.
    pub fn forget(&mut self) {
        if self.potentials.is_some() {
            self.weights.take();
        }
    }

    /// Gives up what only speeds up passes over many rows, unless others have it too.
    pub fn shed(&mut self) {
        if let Some(index) = self.potentials.as_mut().and_then(|(index, _)| Arc::get_mut(index)) {
            index.shed();
        }
    }

    /// The counts of the cells of any clique, measured or not, in at most `limit` bytes.
    pub fn marginal(self: &Arc<Self>, clique: &[u16], limit: u64) -> Result<Vec<f64>> {
        self.answer(&Arc::new(Workload::from_cliques(self.base.domain().clone(), &[clique])?), limit)
    }

    /// The counts of all cells of a workload, clique after clique, in at most `limit` bytes.
    pub fn answer(self: &Arc<Self>, workload: &Arc<Workload>, limit: u64) -> Result<Vec<f64>> {
        marginals(Arc::clone(self), Arc::clone(workload), limit)?.complete()
    }

    /// The model with every row scaled by the ratio of its cell of a clique (of all its cells), normalised.
    pub fn scaled(&self, clique: &[u16], ratios: &[f64], limit: u64) -> Result<Self> {
        let index = Index::over(Arc::clone(&self.base), vec![clique.to_vec()], limit)?.complete()?;
        if self.base.cells(clique)? as usize != ratios.len() {
            return Err(invalid("a table that scales a model needs one ratio for each cell of its clique"));
        }
        let supported: Vec<f64> =
            index.marginals()[0].places.iter().map(|place| ratios[*place as usize]).collect();
        let mut weights = room(self.base.rows())?;
        weights.extend_from_slice(self.weights()?);
        index.scale(0, &supported, &mut weights);
        Self::from_weights(Arc::clone(&self.base), weights, self.total)
    }

    /// The rows as a table of their schema, each weighted by the records that the model gives to it.
    pub fn table(&self, schema: &Arc<Schema>) -> Result<Table> {
        let weights = self.weights()?;
        let columns = &self.base.columns()[..schema.base().len()];
        let mut table = Table::new(Arc::clone(schema), true, &[]);
        let mut blocks: Vec<Vec<u16>> = vec![Vec::new(); columns.len()];
        for first in (0..weights.len()).step_by(TABLE_ROWS) {
            let rows = first..weights.len().min(first + TABLE_ROWS);
            for (block, column) in blocks.iter_mut().zip(columns) {
                block.clear();
                block.extend(rows.clone().map(|row| column.get(row)));
            }
            let records: Vec<f64> = weights[rows].iter().map(|weight| weight * self.total).collect();
            let blocks: Vec<&[u16]> = blocks.iter().map(Vec::as_slice).collect();
            table.extend(&blocks, Some(&records), &[])?;
        }
        Ok(table)
    }

    /// Relative entropy to the prior, in nats.
    pub fn relative_entropy(&self) -> Result<f64> {
        Ok(relative_entropy(self.weights()?, self.base.prior()))
    }

    /// How many of the prior's `records` the model effectively rests on, when every one of them gets the weight q/p:
    /// all of them at the prior itself, 1/Σ(q²/p) of them elsewhere (Kish).
    pub fn effective_size(&self, records: f64) -> Result<f64> {
        let (q, p) = (self.weights()?, self.base.prior());
        Ok(records / sum(q.len(), |row| q[row] * q[row] / p[row]))
    }
}
