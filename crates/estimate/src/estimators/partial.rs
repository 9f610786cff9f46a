//! Partial workloads of norm 1: queries of which every record is counted by at most one.

use crate::measurement::Measurement;
use marginalia_tables::query::{Factor, Matrix, Product, Query};
use marginalia_tables::{Code, Error, Result};

/// In the place of a query for cells that none counts.
pub const NONE: u32 = u32::MAX;

/// Disjoint sets of cells of a clique. The norm ‖W‖₁ is the largest column sum: how many queries count one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partial {
    clique: Vec<u16>,
    /// For each cell the query that counts it.
    query: Vec<u32>,
    queries: usize,
}

/// A partial workload and its noisy answers.
#[derive(Debug, Clone, PartialEq)]
pub struct PartialAnswers {
    /// The queries.
    pub partial: Partial,
    /// Their answers as fractions.
    pub answers: Vec<f64>,
}

impl Partial {
    /// All cells of a clique, a query each.
    pub fn marginal(clique: &[u16], cells: usize) -> Self {
        Self { clique: clique.to_vec(), query: (0..cells as u32).collect(), queries: cells }
    }

    /// Some cells of a clique of `cells` cells, a query each; none may be named twice.
    pub fn cells(clique: &[u16], cells: usize, chosen: &[u32]) -> Result<Self> {
        let mut query = vec![NONE; cells];
        for (i, cell) in (0..).zip(chosen) {
            match query.get_mut(*cell as usize) {
                Some(place) if *place == NONE => *place = i,
                _ => return Err(invalid("a partial workload names a cell twice, or one that is not there")),
            }
        }
        Ok(Self { clique: clique.to_vec(), query, queries: chosen.len() })
    }

    /// The rows of a matrix of zeros and ones over the cells of a clique; refused unless they are disjoint.
    pub fn from_matrix(clique: &[u16], matrix: &Matrix) -> Result<Self> {
        let mut query = vec![NONE; matrix.columns()];
        for (i, row) in (0..).zip(matrix.rows()) {
            for (cell, entry) in query.iter_mut().zip(row) {
                match (entry, *cell) {
                    (0, _) => {}
                    (1, NONE) => *cell = i,
                    _ => {
                        return Err(Error::new(
                            Code::QueryUnsupported,
                            "this estimator takes sums in which no cell occurs twice: entries 0 or 1, in disjoint rows",
                        ));
                    }
                }
            }
        }
        Ok(Self { clique: clique.to_vec(), query, queries: matrix.rows().len() })
    }

    /// Refuses a query whose answers are not disjoint sums.
    pub fn accepts(query: &Query) -> Result<()> {
        match query {
            Query::Identity => Ok(()),
            Query::Linear(matrix) => Self::from_matrix(&[], matrix).map(drop),
            Query::Product(product) => Self::from_product(&[], product).map(drop),
        }
    }

    /// Products of sums; refused unless those of each factor are disjoint.
    pub fn from_product(clique: &[u16], product: &Product) -> Result<Self> {
        let mut all = Self::marginal(clique, 1);
        for factor in product.factors() {
            let own = match factor {
                Factor::Identity(codes) => Self::marginal(clique, *codes),
                Factor::Linear(matrix) => Self::from_matrix(clique, matrix)?,
            };
            let joined = |all: u32, own_query: u32| match (all, own_query) {
                (NONE, _) | (_, NONE) => NONE,
                _ => all * own.queries as u32 + own_query,
            };
            let of = |outer: &u32| own.query.iter().map(|inner| joined(*outer, *inner)).collect::<Vec<_>>();
            all.query = all.query.iter().flat_map(of).collect();
            all.queries *= own.queries;
        }
        Ok(all)
    }

    /// The attributes whose cells are counted.
    pub fn clique(&self) -> &[u16] {
        &self.clique
    }

    /// Number of queries.
    pub fn queries(&self) -> usize {
        self.queries
    }

    /// Number of cells of the clique.
    pub fn all_cells(&self) -> usize {
        self.query.len()
    }

    /// For each of some cells the query that counts it, or [`NONE`].
    pub fn of_cells(&self, places: &[u32]) -> Vec<u32> {
        places.iter().map(|place| self.query[*place as usize]).collect()
    }
}

impl PartialAnswers {
    /// The answers of a query about a clique of `cells` cells, as counts of a table of `total` records.
    pub fn new(clique: &[u16], cells: usize, query: &Query, counts: &[f64], total: f64) -> Result<Self> {
        let partial = match query {
            Query::Identity => Partial::marginal(clique, cells),
            Query::Linear(matrix) => Partial::from_matrix(clique, matrix)?,
            Query::Product(product) => Partial::from_product(clique, product)?,
        };
        let fits = partial.all_cells() == cells && partial.queries == counts.len();
        if !fits || counts.iter().any(|count| !count.is_finite()) {
            return Err(invalid("a partial workload needs one finite answer for each of its queries"));
        }
        if !(total > 0.0 && total.is_finite()) {
            return Err(invalid("the total must be a positive number of records: use 1 for an empty table"));
        }
        Ok(Self { partial, answers: counts.iter().map(|count| count / total).collect() })
    }

    /// A measured marginal of a table of `total` records.
    pub fn measured(measurement: &Measurement, total: f64) -> Result<Self> {
        let cells = measurement.answers.len();
        Self::new(&measurement.clique, cells, &Query::Identity, &measurement.answers, total)
    }
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The norm is the largest column sum; the largest entry would let every workload of zeros and ones pass.
    #[test]
    fn overlapping_queries_are_refused() {
        let disjoint = Matrix::new(3, vec![1, 0, 0, 0, 0, 1]).unwrap();
        let partial = Partial::from_matrix(&[0], &disjoint).unwrap();
        assert_eq!(partial, Partial::cells(&[0], 3, &[0, 2]).unwrap());
        assert_eq!(partial.of_cells(&[0, 1, 2]), [0, NONE, 1]);
        let overlapping = Matrix::new(3, vec![1, 1, 0, 0, 1, 0]).unwrap();
        assert_eq!(Partial::from_matrix(&[0], &overlapping).unwrap_err().code, Code::QueryUnsupported);
        let twice = Matrix::new(2, vec![2, 0]).unwrap();
        assert_eq!(Partial::from_matrix(&[0], &twice).unwrap_err().code, Code::QueryUnsupported);
        assert!(Partial::cells(&[0], 3, &[1, 1]).is_err() && Partial::cells(&[0], 3, &[3]).is_err());
    }

    #[test]
    fn products_of_disjoint_sums_are_disjoint() {
        let sums = Matrix::new(3, vec![1, 0, 0, 0, 1, 0]).unwrap();
        let product = Product::new(vec![Factor::Identity(2), Factor::Linear(sums)]).unwrap();
        let partial = Partial::from_product(&[0, 1], &product).unwrap();
        assert_eq!(
            (partial.queries(), partial.of_cells(&[0, 1, 2, 3, 4, 5])),
            (4, vec![0, 1, NONE, 2, 3, NONE])
        );
        let expanded = (0..4).flat_map(|answer| (0..6).map(move |cell| (answer, cell)));
        let expanded = expanded.map(|(answer, cell)| product.entry(answer, cell)).collect();
        assert_eq!(partial, Partial::from_matrix(&[0, 1], &Matrix::new(6, expanded).unwrap()).unwrap());
    }

    #[test]
    fn answers_are_divided_by_the_total() {
        let partial = |total: f64| PartialAnswers::new(&[0], 2, &Query::Identity, &[3.0, -1.0], total);
        assert_eq!(partial(4.0).unwrap().answers, [0.75, -0.25]);
        assert_eq!(partial(0.0).unwrap_err().code, Code::OptionInvalid);
        assert!(PartialAnswers::new(&[0], 2, &Query::Identity, &[3.0], 1.0).is_err());
    }
}
