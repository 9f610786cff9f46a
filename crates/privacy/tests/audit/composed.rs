//! A run: a measurement and a selection from one account, and nothing left.

use crate::distinguisher::{epsilon, tries};
use crate::measure::{laplace, measured, request};
use crate::select::{REPLACE, choice, prepared, selected};
use marginalia_privacy::account::Account;
use marginalia_privacy::budget::Budget;
use marginalia_privacy::measure::cost;
use marginalia_privacy::rational::parse;
use marginalia_privacy::select::{Candidates, Difference, Mechanism};
use marginalia_tables::Code;
use marginalia_tables::query::Query;

const TABLES: [[usize; 6]; 2] = [[3, 0, 0, 0, 0, 0], [2, 0, 0, 1, 0, 0]];

#[test]
fn a_run_spends_its_budget_and_no_more() {
    // Two cells change, so b = 2 is ε = 1; the selection has the other 1.
    let measurement = request(&[0], Query::Identity, laplace("2"));
    let choice = choice(Mechanism::PermuteAndFlip, "1", Candidates::Cells(Difference::Signed));
    let mut account = Account::open(Budget::pure(parse("2").unwrap()).unwrap()).unwrap();
    let domain = prepared(TABLES[0], &[&[0]]).0.domain();
    let costs = [cost(&REPLACE, &domain, std::slice::from_ref(&measurement)), choice.cost()];
    for cost in costs {
        let cost = cost.unwrap();
        let _paid = account.charge(&cost).unwrap().redeem(&cost).unwrap();
    }
    assert_eq!(account.charge(&choice.cost().unwrap()).unwrap_err().code, Code::BudgetExceeded);

    let found = |halved| {
        let often = TABLES.map(|table| {
            let table = prepared(table, &[&[0]]);
            let values = measured(&table.0, &measurement, halved, tries());
            let runs = (0..tries()).zip(&values);
            let second = |key| selected(&table, &choice, &[0.0; 2], halved, key) == 1;
            runs.filter(|(key, values)| values[0] <= 2.0 && values[1] >= 1.0 && second(*key)).count() as u64
        });
        epsilon(often[0], often[1], tries(), 0.0)
    };
    let (honest, halved) = (found(false), found(true));
    assert!((1.5..=2.0).contains(&honest), "{honest} of 2");
    assert!(halved > 2.0, "half the noise is not found out: {halved} of 2");
}
