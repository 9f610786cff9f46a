//! That of a product of queries, W = W₁ ⊗ W₂ ⊗ …, without its columns, of which there may be millions.
//!
//! A column of W is the product of a column of each factor, and so are its norms. Under replace the worst ‖W_i − W_j‖₂² =
//! ‖W_i‖₂² + ‖W_j‖₂² − 2⟨W_i, W_j⟩ is asked for. Where no entry is negative, all three are products of numbers from 0 on, so that of
//! the pairs of columns of a factor only those count than which no other has norms as large and an inner product as small; and for
//! entries of 0 and 1 it is the same in L1. Elsewhere, or where these are too many, the triangle says enough: ‖W_i − W_j‖₁ ≤ 2·max‖W_j‖₁
//! and ‖W_i − W_j‖₂² ≤ 4·max‖W_j‖₂², of which the half will do where no inner product is negative.

use super::{Norms, Sensitivity, Spread};
use crate::unit::{Neighbours, Relation};
use marginalia_tables::query::{Factor, Product};
use num_bigint::BigInt;

/// Products of pairs of columns and rows of a factor that are worked out, and pairs of the product that are compared.
const COLUMNS: usize = 1 << 24;
const PAIRS: usize = 1 << 16;

/// ‖a‖², ‖b‖² and ⟨a, b⟩ of a pair of columns.
type Pair = [BigInt; 3];

pub(super) fn product(neighbours: &Neighbours, product: &Product, spread: Spread) -> Sensitivity {
    let one = || BigInt::from(1);
    let single =
        product.factors().iter().map(single).fold(Norms { l1: one(), squared: one() }, |all, own| Norms {
            l1: all.l1 * own.l1,
            squared: all.squared * own.squared,
        });
    let entries = || product.factors().iter().flat_map(entries);
    let signed = entries().any(|entry| entry < 0);
    let most = match (neighbours.relation, spread) {
        (Relation::AddRemove, _) => single,
        (Relation::Replace { .. }, _) => {
            let triangle =
                Norms { l1: &single.l1 * 2, squared: &single.squared * if signed { 4 } else { 2 } };
            let pairs = || pairs(product).filter(|_| !signed && spread == Spread::Whole);
            match pairs() {
                Some(apart) if entries().all(|entry| entry <= 1) => {
                    Norms { l1: apart.clone().max(single.l1), squared: apart.max(single.squared) }
                }
                Some(apart) => Norms { l1: triangle.l1, squared: apart.max(single.squared) },
                None => triangle,
            }
        }
    };
    Sensitivity { l1: most.l1, l2_squared: most.squared }.of_unit(neighbours)
}

/// The largest norms of a column.
fn single(factor: &Factor) -> Norms {
    let column = |j| Norms::of((0..factor.rows()).map(move |row| i128::from(factor.entry(row, j))));
    match factor {
        Factor::Identity(_) => column(0),
        Factor::Linear(_) => {
            (0..factor.columns()).map(column).fold(Norms::default(), |most, one| most.max(&one))
        }
    }
}

/// All entries; of an identity both there are.
fn entries(factor: &Factor) -> Vec<i32> {
    match factor {
        Factor::Identity(_) => vec![0, 1],
        Factor::Linear(matrix) => matrix.values().to_vec(),
    }
}

/// The largest ‖W_i − W_j‖₂² where no entry is negative, unless that is too much work.
fn pairs(product: &Product) -> Option<BigInt> {
    let mut all: Vec<Pair> = vec![[1, 1, 1].map(BigInt::from)];
    for factor in product.factors() {
        let own = front(factor)?;
        if all.len() * own.len() > PAIRS {
            return None;
        }
        let with = |one: &Pair| {
            own.iter().map(|two| std::array::from_fn(|i| &one[i] * &two[i])).collect::<Vec<Pair>>()
        };
        all = all.iter().flat_map(with).collect();
    }
    all.into_iter().map(|[a, b, inner]| a + b - 2 * inner).max()
}

/// The pairs of columns of a factor of which no other has norms as large and an inner product as small.
fn front(factor: &Factor) -> Option<Vec<Pair>> {
    let (rows, columns) = (factor.rows(), factor.columns());
    if let Factor::Identity(codes) = factor {
        return Some(vec![[1, 1, i32::from(*codes == 1)].map(BigInt::from)]);
    }
    if columns.saturating_mul(columns).saturating_mul(rows) > COLUMNS {
        return None;
    }
    let inner = |i, j| {
        let term = |row| BigInt::from(i64::from(factor.entry(row, i)) * i64::from(factor.entry(row, j)));
        (0..rows).map(term).sum::<BigInt>()
    };
    let norms: Vec<BigInt> = (0..columns).map(|j| inner(j, j)).collect();
    let mut all: Vec<Pair> = (0..columns)
        .flat_map(|i| (0..columns).map(move |j| (i, j)))
        .map(|(i, j)| [norms[i].clone(), norms[j].clone(), inner(i, j)])
        .collect();
    all.sort_by(|one, two| (&two[0], &two[1], &one[2]).cmp(&(&one[0], &one[1], &two[2])));
    let mut front: Vec<Pair> = Vec::new();
    for pair in all {
        // Those before have a first norm as large.
        if !front.iter().any(|other| other[1] >= pair[1] && other[2] <= pair[2]) {
            front.push(pair);
        }
    }
    Some(front)
}

#[cfg(test)]
mod tests {
    use super::super::Matrix;
    use super::*;
    use crate::unit::Unit;
    use marginalia_tables::query;
    use proptest::prelude::*;

    const RELATIONS: [Relation; 2] = [Relation::AddRemove, Relation::Replace { n: 9 }];

    fn expanded(neighbours: &Neighbours, product: &Product, spread: Spread) -> Sensitivity {
        let entries =
            (0..product.answers()).flat_map(|answer| (0..product.cells()).map(move |cell| (answer, cell)));
        let values: Vec<i64> = entries.map(|(answer, cell)| product.entry(answer, cell).into()).collect();
        Sensitivity::linear(neighbours, Matrix::new(product.cells(), &values).unwrap(), spread)
    }

    fn any_factor(entries: std::ops::Range<i32>) -> impl Strategy<Value = Factor> {
        let matrix = (1..4usize, 1..4usize).prop_flat_map(move |(rows, columns)| {
            prop::collection::vec(entries.clone(), rows * columns)
                .prop_map(move |values| Factor::Linear(query::Matrix::new(columns, values).unwrap()))
        });
        prop_oneof![matrix, (1..4usize).prop_map(Factor::Identity)]
    }

    proptest! {
        /// Never less than that of the expanded matrix, which is checked against all neighbours; the same where it says so.
        #[test]
        fn it_is_that_of_the_expansion(
            kind in 0..3usize,
            bits in prop::collection::vec(any_factor(0..2), 1..4),
            counts in prop::collection::vec(any_factor(0..4), 1..4),
            signed in prop::collection::vec(any_factor(-3..4), 1..4),
            max_rows in 1..3u32,
        ) {
            let product = Product::new([bits, counts, signed][kind].clone()).unwrap();
            for relation in RELATIONS {
                let neighbours = Neighbours { unit: Unit::Declared { max_rows }, relation };
                for spread in [Spread::Whole, Spread::Groups] {
                    let own = Sensitivity::product(&neighbours, &product, spread);
                    let exact = expanded(&neighbours, &product, spread);
                    prop_assert!(own.l1 >= exact.l1 && own.l2_squared >= exact.l2_squared);
                    if relation == RELATIONS[0] || kind == 0 || kind == 1 && spread == Spread::Groups {
                        prop_assert_eq!(&own, &exact);
                    }
                    if kind == 1 {
                        prop_assert_eq!(&own.l2_squared, &exact.l2_squared);
                    }
                }
            }
        }
    }

    #[test]
    fn of_millions_of_cells_it_is_known_at_once() {
        let neighbours = Neighbours { unit: Unit::Row, relation: RELATIONS[1] };
        let of = |factors| Sensitivity::product(&neighbours, &Product::new(factors).unwrap(), Spread::Whole);
        let prefix = |codes| Factor::Linear(query::Matrix::prefix(codes).unwrap());
        // The first cell of all is in every answer, and no two columns differ in more.
        assert_eq!(of(vec![prefix(100), prefix(120)]).l2_squared, 12_000.into());
        // Two columns that share no answer.
        assert_eq!(of(vec![prefix(100), Factor::Identity(1000)]).l1, 200.into());
        // Too many pairs to be compared.
        assert_eq!(of(vec![prefix(100), prefix(100), prefix(100)]).l1, 2_000_000.into());
    }
}
