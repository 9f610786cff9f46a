//! The part of a distribution that meets a condition.

use super::Distribution;
use super::rows::sum;
use crate::models::{Condition, check};
use marginalia_compute::vector::zeros;
use marginalia_tables::Result;
use std::sync::Arc;

impl Distribution {
    /// The distribution of the rows that meet a condition, for as many records as those are; nothing where none has any
    /// weight. Exact: on a support, a condition is a choice of rows.
    pub fn within(&self, condition: &Condition) -> Result<Option<Self>> {
        let mut weights = zeros(self.base().rows())?;
        self.mask(condition, &mut weights)?;
        weights.iter_mut().zip(self.weights()?).for_each(|(met, weight)| *met *= weight);
        let mass = sum(weights.len(), |row| weights[row]);
        if mass <= 0.0 {
            return Ok(None);
        }
        Ok(Some(Self::from_weights(Arc::clone(self.base()), weights, self.total() * mass)?))
    }

    /// Writes 1 for each row that meets a condition, and 0 for the others.
    pub(crate) fn mask(&self, condition: &Condition, met: &mut [f64]) -> Result<()> {
        check::condition(self.base().domain().sizes(), condition)?;
        met.fill(1.0);
        for (attribute, allowed) in condition {
            let column = &self.base().columns()[usize::from(*attribute)];
            for (row, met) in met.iter_mut().enumerate() {
                if !allowed[usize::from(column.get(row))] {
                    *met = 0.0;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::Base;
    use super::*;
    use marginalia_tables::{Code, Codes, Domain};

    fn model() -> Distribution {
        let column = |codes: &[u16]| {
            let mut column = Codes::new(3);
            column.extend(codes).unwrap();
            column
        };
        let columns = vec![column(&[0, 1, 2, 0]), column(&[0, 0, 1, 1])];
        let base = Base::new(Domain::new([3, 2]), columns, Some(&[1.0, 2.0, 3.0, 2.0])).unwrap();
        Distribution::prior(Arc::new(base), 16.0).unwrap()
    }

    #[test]
    fn a_condition_chooses_rows() {
        let met = model().within(&vec![(0, vec![true, false, true])]).unwrap().unwrap();
        assert_eq!(met.total(), 12.0);
        let weights = [1.0 / 6.0, 0.0, 0.5, 2.0 / 6.0];
        assert!(met.weights().unwrap().iter().zip(weights).all(|(a, b)| (a - b).abs() < 1e-15));
        let both = vec![(0, vec![true, true, false]), (1, vec![false, true])];
        assert_eq!(model().within(&both).unwrap().unwrap().weights().unwrap(), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(model().within(&Vec::new()).unwrap().unwrap().total(), 16.0);
    }

    #[test]
    fn what_cannot_be_is_no_model() {
        assert!(model().within(&vec![(0, vec![false; 3])]).unwrap().is_none());
        let apart = vec![(0, vec![false, true, false]), (1, vec![false, true])];
        assert!(model().within(&apart).unwrap().is_none());
        for wrong in [(0, vec![true; 2]), (7, vec![true])] {
            assert_eq!(model().within(&vec![wrong]).unwrap_err().code, Code::OptionInvalid);
        }
    }
}
