//! A run in groups within groups: all rows, then each group of the first attribute; each level is a charge of its own, and
//! what it asks is asked in all of its groups.

use crate::common::seal;
use crate::distinguisher::{epsilon, tries};
use crate::measure::{gaussian, laplace, request, together, unit};
use marginalia_privacy::account::Account;
use marginalia_privacy::budget::{Budget, Currency};
use marginalia_privacy::convert;
use marginalia_privacy::measure::{Request, cost};
use marginalia_privacy::rational::{Ratio, parse};
use marginalia_privacy::sampler::Law;
use marginalia_privacy::unit::{Neighbours, Relation};
use marginalia_tables::Code;
use marginalia_tables::query::Query;
use num_traits::ToPrimitive;

/// What the levels ask, as `ts/mechanisms/groups/choosing.ts` does: of all rows the second attribute; in each group how many
/// rows it has, and again the second attribute.
fn levels(law: Law) -> [Vec<Request>; 2] {
    let whole = |clique: &[u16]| request(clique, Query::Identity, law);
    let grouped = |clique: &[u16]| Request { groups: vec![0], ..whole(clique) };
    [vec![whole(&[1])], vec![grouped(&[]), grouped(&[1])]]
}

/// The answers of a run: 3 of all rows, 2 numbers of rows, and 3 of each group.
const ANSWERS: usize = 3 + 2 + 6;

/// Two tables, and in which direction the answers of the other are, if they are others.
struct Study {
    neighbours: Neighbours,
    tables: [[usize; 6]; 2],
    law: Law,
    moved: [i32; ANSWERS],
}

impl Study {
    /// All levels are paid from one account, as the bindings pay them, and leave nothing of it.
    fn paid(&self, currency: Currency) -> Ratio {
        let sealed = seal(&self.neighbours, self.tables[0]);
        let costs = levels(self.law).map(|own| cost(&self.neighbours, &sealed.domain(), &own).unwrap());
        let price = costs.iter().map(|cost| cost.price(currency).unwrap().clone()).sum::<Ratio>();
        let budget = match currency {
            Currency::Epsilon => Budget::pure(price.clone()),
            Currency::Rho => Budget::zcdp(price.clone()),
        };
        let mut account = Account::open(budget.unwrap()).unwrap();
        for cost in &costs {
            let _paid = account.charge(cost).unwrap().redeem(cost).unwrap();
        }
        assert_eq!(account.charge(&costs[0]).unwrap_err().code, Code::BudgetExceeded);
        price
    }

    /// What shows of ε when every answer that can tell is where it is with the other table, or further.
    fn found(&self, halved: bool, delta: f64) -> f64 {
        let exact = self.exact();
        let often = self.tables.map(|table| {
            let sealed = seal(&self.neighbours, table);
            let [first, second] = [0, 1]
                .map(|level| together(&sealed, &levels(self.law)[level], halved, level as u64, tries()));
            let runs = first.into_iter().zip(second).map(|(all, each)| [all, each].concat());
            let beyond = |run: &Vec<f64>| {
                let answers = run.iter().zip(&exact).zip(self.moved);
                answers.into_iter().all(|((noisy, exact), way)| f64::from(way) * (noisy - exact) >= 0.0)
            };
            runs.filter(beyond).count() as u64
        });
        epsilon(often[0], often[1], tries(), delta)
    }

    /// The answers of the other table.
    fn exact(&self) -> Vec<f64> {
        let (x, y) = self.tables[1].split_at(3);
        let sums = x.iter().zip(y).map(|(one, other)| one + other);
        let rows = [x, y].map(|group| group.iter().sum());
        let exact: Vec<f64> = sums.chain(rows).chain(x.iter().chain(y).copied()).map(|n| n as f64).collect();
        assert_eq!(exact.len(), ANSWERS);
        exact
    }

    /// The claim is kept, nearly attained, and broken with half the noise.
    #[track_caller]
    fn audit_pure(&self) {
        let claim = self.paid(Currency::Epsilon).to_f64().unwrap();
        let (honest, halved) = (self.found(false, 0.0), self.found(true, 0.0));
        assert!(honest <= claim, "{honest} of {claim}");
        assert!(honest >= 0.7 * claim, "the attack is weak: {honest} of {claim}");
        assert!(halved > claim, "half the noise is not found out: {halved} of {claim}");
    }
}

/// A row of another group and another code: two answers of each question move.
const MOVED: [i32; ANSWERS] = [-1, 1, 0, -1, 1, -1, 0, 0, 0, 1, 0];
const TABLES: [[usize; 6]; 2] = [[3, 0, 0, 0, 0, 1], [2, 0, 0, 0, 1, 1]];

#[test]
fn a_row_that_goes_to_another_group() {
    Study {
        neighbours: unit(1, Relation::Replace { n: 4 }),
        tables: TABLES,
        law: laplace("3"),
        moved: MOVED,
    }
    .audit_pure();
}

#[test]
fn a_row_more_in_a_group() {
    Study {
        neighbours: unit(1, Relation::AddRemove),
        tables: [[1, 0, 0, 0, 0, 1], [2, 0, 0, 0, 0, 1]],
        law: laplace("3/2"),
        moved: [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0],
    }
    .audit_pure();
}

#[test]
fn a_unit_whose_rows_are_in_two_groups() {
    Study {
        neighbours: unit(2, Relation::AddRemove),
        tables: [[1, 0, 0, 0, 0, 1], [2, 0, 0, 0, 1, 1]],
        law: laplace("3"),
        moved: [1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0],
    }
    .audit_pure();
}

/// What follows of ρ for δ = 1/100.
#[test]
fn gaussian_noise_in_groups() {
    let study = Study {
        neighbours: unit(1, Relation::Replace { n: 4 }),
        tables: TABLES,
        law: gaussian("3"),
        moved: MOVED,
    };
    let claim = convert::epsilon(&study.paid(Currency::Rho), &parse("0.01").unwrap()).unwrap();
    let (honest, halved) = (study.found(false, 0.01), study.found(true, 0.01));
    assert!(honest <= claim && honest > claim / 4.0, "{honest} of {claim}");
    assert!(halved > claim, "half the noise is not found out: {halved} of {claim}");
}
