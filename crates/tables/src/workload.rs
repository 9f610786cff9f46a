//! Which marginals are asked for: cliques as flat arrays, with the place of each one's cells in the answers.

use crate::{Code, Error, Result};
use std::ops::Range;
use std::sync::Arc;

/// The number of codes of each attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Domain {
    sizes: Arc<[u32]>,
}

impl Domain {
    /// A domain from the number of codes of each attribute.
    pub fn new(sizes: impl Into<Arc<[u32]>>) -> Self {
        Self { sizes: sizes.into() }
    }

    /// The number of codes of each attribute.
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The number of cells of a clique; `None` when it does not fit in 2⁵³.
    pub fn cells(&self, clique: &[u16]) -> Option<u64> {
        let product = clique
            .iter()
            .try_fold(1u64, |cells, a| cells.checked_mul(u64::from(self.sizes[usize::from(*a)])));
        product.filter(|cells| *cells <= 1 << 53)
    }
}

/// Cliques over a domain. The cells of clique `i` are `cells(i)` of one flat buffer, row-major with the last
/// attribute fastest, in the attribute order that the caller gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workload {
    domain: Domain,
    attributes: Vec<u16>,
    starts: Vec<usize>,
    offsets: Vec<u64>,
}

impl Workload {
    /// Cliques as flat arrays: clique `i` is `attributes[starts[i]..starts[i + 1]]`.
    pub fn new(domain: Domain, attributes: Vec<u16>, starts: Vec<usize>) -> Result<Self> {
        let in_order = starts.first() == Some(&0) && starts.windows(2).all(|pair| pair[0] <= pair[1]);
        if !in_order || starts.last() != Some(&attributes.len()) {
            return Err(Error::new(
                Code::OptionInvalid,
                "the starts of the cliques do not fit their attributes",
            ));
        }
        if attributes.iter().any(|a| usize::from(*a) >= domain.sizes.len()) {
            return Err(Error::new(Code::AttributeUnknown, "a clique names an attribute that is not there"));
        }
        let mut offsets = vec![0u64];
        for pair in starts.windows(2) {
            let clique = &attributes[pair[0]..pair[1]];
            if clique.iter().enumerate().any(|(i, a)| clique[..i].contains(a)) {
                return Err(Error::new(Code::OptionInvalid, "a clique names an attribute twice"));
            }
            let last = offsets[offsets.len() - 1];
            let next = domain.cells(clique).and_then(|cells| last.checked_add(cells));
            offsets.push(next.filter(|n| *n <= 1 << 53).ok_or_else(|| {
                Error::new(Code::ModelTooLarge, "the cliques have more than 2^53 cells: use fewer attributes")
            })?);
        }
        Ok(Self { domain, attributes, starts, offsets })
    }

    /// Cliques given one by one.
    pub fn from_cliques<C: AsRef<[u16]>>(domain: Domain, cliques: &[C]) -> Result<Self> {
        let mut attributes = Vec::new();
        let mut starts = vec![0];
        for clique in cliques {
            attributes.extend_from_slice(clique.as_ref());
            starts.push(attributes.len());
        }
        Self::new(domain, attributes, starts)
    }

    /// The domain that the cliques are over.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// Number of cliques.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there is no clique.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The attributes of clique `i`.
    pub fn clique(&self, i: usize) -> &[u16] {
        &self.attributes[self.starts[i]..self.starts[i + 1]]
    }

    /// All cliques in order.
    pub fn cliques(&self) -> impl ExactSizeIterator<Item = &[u16]> {
        (0..self.len()).map(|i| self.clique(i))
    }

    /// Where the cells of clique `i` stand among all cells.
    pub fn cells(&self, i: usize) -> Range<u64> {
        self.offsets[i]..self.offsets[i + 1]
    }

    /// The number of cells of all cliques together.
    pub fn total_cells(&self) -> u64 {
        self.offsets[self.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_follow_one_another_in_the_order_of_the_cliques() {
        let workload = Workload::from_cliques(Domain::new([2, 3, 5]), &[&[2u16, 0][..], &[], &[1]]).unwrap();
        assert_eq!((workload.cells(0), workload.cells(1), workload.cells(2)), (0..10, 10..11, 11..14));
        assert_eq!(workload.total_cells(), 14);
    }

    #[test]
    fn wrong_cliques_are_refused() {
        let domain = Domain::new([1 << 16; 4]);
        let code = |cliques: &[&[u16]]| Workload::from_cliques(domain.clone(), cliques).unwrap_err().code;
        assert_eq!(code(&[&[0, 0]]), Code::OptionInvalid);
        assert_eq!(code(&[&[4]]), Code::AttributeUnknown);
        assert_eq!(code(&[&[0, 1, 2, 3]]), Code::ModelTooLarge);
        assert_eq!(
            Workload::new(domain.clone(), vec![0, 1], vec![0, 1]).unwrap_err().code,
            Code::OptionInvalid
        );
    }
}
