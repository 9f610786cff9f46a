//! Models that were kept elsewhere, to the same bits.

use super::base::invalid;
use super::rows::sum;
use super::{Base, Distribution, Index};
use crate::job::Steps;
use crate::models::Form;
use marginalia_tables::Result;
use std::sync::Arc;

/// By how much the sum of weights may be off 1 by rounding.
const ROUNDING: f64 = 1e-9;

/// A model on a base, put together again. The cells of rows are kept in at most `limit` bytes.
pub fn restored(base: Arc<Base>, form: Form, total: f64, limit: u64) -> Result<Steps<Distribution>> {
    let Form { cliques, numbers } = form;
    let index = cliques.map(|cliques| Index::over(Arc::clone(&base), cliques, limit)).transpose()?;
    Ok(Steps::new(move |pace| async move {
        match index {
            Some(index) => Distribution::from_potentials(base, pace.run(index).await?, numbers, total),
            None => Distribution::restored(base, numbers, total),
        }
    }))
}

impl Distribution {
    /// The cliques and the potentials of their supported cells, where the model is given by them.
    pub fn form(&self) -> Option<(Vec<&[u16]>, &[f64])> {
        let (index, u) = self.potentials()?;
        Some((cliques_of(index), u))
    }
}

fn cliques_of(index: &Index) -> Vec<&[u16]> {
    index.marginals().iter().map(|marginal| marginal.clique.as_slice()).collect()
}

/// Refuses what are no weights of a distribution, as [`Distribution::weights`] gave them.
pub(super) fn check_weights(weights: &[f64], rows: usize) -> Result<()> {
    let proper = weights.len() == rows && weights.iter().all(|weight| *weight >= 0.0);
    let all = sum(weights.len(), |row| weights[row]);
    if proper && (all - 1.0).abs() <= ROUNDING {
        return Ok(());
    }
    Err(invalid("the weights of a model must be those of the rows of its prior, and sum to 1"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Job, Progress};
    use crate::seed::Seed;
    use marginalia_tables::{Code, Codes, Domain};

    fn base(rows: usize) -> Arc<Base> {
        let mut seed = Seed::new(5);
        let sizes = [7u32, 300, 4];
        let columns = sizes.iter().map(|size| {
            let codes: Vec<u16> = (0..rows).map(|_| seed.below(u64::from(*size)) as u16).collect();
            let mut column = Codes::new(*size as usize);
            column.extend(&codes).unwrap();
            column
        });
        let columns = columns.collect();
        let weights: Vec<f64> = (0..rows).map(|_| 0.1 + seed.uniform()).collect();
        Arc::new(Base::new(Domain::new(sizes), columns, Some(&weights)).unwrap())
    }

    fn bits(model: &Distribution) -> Vec<u64> {
        model.weights().unwrap().iter().map(|weight| weight.to_bits()).collect()
    }

    #[test]
    fn both_forms_come_back_to_the_same_bits() {
        let base = base(40_000);
        let cliques = vec![vec![0u16, 1], vec![2, 0], vec![1], vec![2], vec![0, 1, 2]];
        let index = Index::over(Arc::clone(&base), cliques, u64::MAX).unwrap().complete().unwrap();
        let mut seed = Seed::new(9);
        let u: Vec<f64> = (0..index.cells()).map(|_| 4.0 * seed.uniform() - 2.0).collect();
        let model = Distribution::from_potentials(Arc::clone(&base), index, u, 77.5).unwrap();
        let (cliques, u) = model.form().unwrap();
        let cliques = Some(cliques.iter().map(|clique| clique.to_vec()).collect());
        let potentials = Form { cliques, numbers: u.to_vec() };
        let weights = Form { cliques: None, numbers: model.copied().unwrap() };
        for (form, limit) in [(potentials, 3_000_000), (weights, 0)] {
            let mut job = restored(Arc::clone(&base), form, 77.5, limit).unwrap();
            while !job.step(1000).over {}
            let Progress { done, total, .. } = job.step(1);
            assert_eq!(done, total);
            let again = job.complete().unwrap();
            assert_eq!((bits(&again), again.total()), (bits(&model), 77.5));
        }
    }

    #[test]
    fn what_is_no_model_is_refused() {
        let base = base(3);
        let restore = |form, total| restored(Arc::clone(&base), form, total, u64::MAX)?.complete();
        for weights in [vec![], vec![0.5, 0.5], vec![0.5, 0.5, 0.5], vec![2.0, -1.0, 0.0], vec![f64::NAN; 3]]
        {
            assert_eq!(
                restore(Form { cliques: None, numbers: weights }, 1.0).unwrap_err().code,
                Code::OptionInvalid
            );
        }
        let third = vec![1.0 / 3.0; 3];
        assert_eq!(
            restore(Form { cliques: None, numbers: third }, f64::NAN).unwrap_err().code,
            Code::OptionInvalid
        );
        let short = Form { cliques: Some(vec![vec![0]]), numbers: vec![] };
        assert_eq!(restore(short, 1.0).unwrap_err().code, Code::OptionInvalid);
        let unknown = Form { cliques: Some(vec![vec![9]]), numbers: vec![] };
        assert_eq!(restore(unknown, 1.0).unwrap_err().code, Code::AttributeUnknown);
    }
}
