//! Totals that agree, and whole records.

use crate::common::*;
use marginalia_estimate::hierarchy::{TotalRule, UNKNOWN, apportion, consistent, consistent_with, whole};
use marginalia_estimate::total::Total;
use marginalia_tables::Code;
use proptest::prelude::*;

/// min Σ (Σ_{leaves within} x − v)²/σ² over the three leaves, by the normal equations.
fn least_squares(own: &[Total]) -> [f64; 3] {
    // Groups: state 0, pumas 0 and 2, state 1, puma 1.
    let rows = [[1.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]];
    let mut a = [[0.0; 4]; 3];
    for (row, own) in rows.iter().zip(own) {
        for i in 0..3 {
            (0..3).for_each(|j| a[i][j] += row[i] * row[j] / own.variance);
            a[i][3] += row[i] * own.value / own.variance;
        }
    }
    for i in 0..3 {
        for k in (0..3).filter(|k| *k != i) {
            let ratio = a[k][i] / a[i][i];
            (0..4).for_each(|j| a[k][j] -= ratio * a[i][j]);
        }
    }
    [0, 1, 2].map(|i: usize| a[i][3] / a[i][i])
}

proptest! {
    #[test]
    fn consistent_totals_are_least_squares(own in prop::collection::vec((-50.0..500.0f64, 0.1..90.0f64), 5)) {
        let own: Vec<Total> = own.iter().map(|(value, variance)| Total { value: *value, variance: *variance }).collect();
        let totals = consistent(&two_levels(), &own).unwrap();
        let [a, c, b] = least_squares(&own);
        let values: Vec<f64> = totals.iter().map(|total| total.value).collect();
        near(&values, &[a + c, a, c, b, b], 1e-9);
        prop_assert!(totals.iter().zip(&own).all(|(after, before)| after.variance <= before.variance + 1e-12));
        // Variance of puma 0: the first diagonal element of the inverse of the normal matrix.
        let (s, x, y) = (1.0 / own[0].variance, 1.0 / own[1].variance, 1.0 / own[2].variance);
        let expected = (s + y) / ((s + x) * (s + y) - s * s);
        prop_assert!((totals[1].variance - expected).abs() < 1e-9 * expected.max(1.0));
    }

    #[test]
    fn records_are_apportioned_exactly(values in prop::collection::vec(-20.0..400.0f64, 1..30), records in 0u64..5000) {
        let totals: Vec<Total> = values.iter().map(|value| Total { value: *value, variance: 1.0 }).collect();
        let whole = apportion(&totals, records).unwrap();
        prop_assert_eq!(whole.iter().sum::<u64>(), records);
        let sum: f64 = values.iter().map(|v| v.max(0.0)).sum();
        prop_assume!(sum > 0.0);
        for (value, whole) in values.iter().zip(whole) {
            let share = value.max(0.0) * records as f64 / sum;
            prop_assert!((whole as f64 - share).abs() < 1.0 + 1e-9);
        }
    }
}

#[test]
fn known_totals_hold() {
    let known = |value| Total { value, variance: 0.0 };
    let noisy = |value| Total { value, variance: 4.0 };
    let totals = consistent(&two_levels(), &[known(100.0), noisy(30.0), noisy(50.0), noisy(7.0), known(9.0)]);
    let totals = totals.unwrap();
    let values: Vec<f64> = totals.iter().map(|total| total.value).collect();
    near(&values, &[100.0, 40.0, 60.0, 9.0, 9.0], 1e-12);
    assert!((totals[1].variance - 2.0).abs() < 1e-12);
    assert_eq!(consistent(&two_levels(), &totals[1..]).unwrap_err().code, Code::OptionInvalid);
}

#[test]
fn totals_go_to_the_groups() {
    let source = released(measured(3, 40.0), TotalRule::Combined);
    let own = source.totals().unwrap();
    let totals = consistent(&two_levels(), &own).unwrap();
    let source = (*source).clone().with_totals(totals.clone()).unwrap();
    let states = run(&setup([calibrated(), calibrated()], 1), std::sync::Arc::new(source));
    let of = |at: usize| states[at].as_ref().unwrap().total;
    (0..5).for_each(|at| assert_eq!(of(at), totals[at]));
    assert!((of(0).value - of(1).value - of(2).value).abs() < 1e-10);
    assert_eq!(whole(&Total { value: 7.9, variance: 1.0 }), 7);
    assert_eq!(whole(&Total { value: -7.9, variance: 1.0 }), 0);
    assert_eq!(apportion(&[Total { value: -1.0, variance: 1.0 }; 2], 3).unwrap(), [2, 1]);
    assert!(apportion(&[], 3).is_err());
}

#[test]
fn totals_agree_with_a_public_number_of_all() {
    let total = |value, variance| Total { value, variance };
    let own = [total(30.0, 4.0), total(14.0, 2.0), total(17.0, 2.0), total(12.0, 1.0), total(11.0, 1.0)];
    let free = consistent(&two_levels(), &own).unwrap();
    let held = consistent_with(&two_levels(), &own, Some(50.0)).unwrap();
    near(&[held[0].value + held[3].value, held[1].value + held[2].value - held[0].value], &[50.0, 0.0], 1e-9);
    near(&[held[3].value], &[held[4].value], 1e-9);
    // What all have too many goes by the variances of the states.
    let missing = 50.0 - free[0].value - free[3].value;
    let share = free[0].variance / (free[0].variance + free[3].variance);
    near(&[held[0].value], &[free[0].value + share * missing], 1e-9);
    assert!(held.iter().zip(&free).all(|(held, free)| held.variance < free.variance));
}

#[test]
fn what_nobody_measured_is_the_sum_of_what_is_within_it() {
    let total = |value, variance| Total { value, variance };
    let unknown = total(0.0, UNKNOWN);
    let own = [unknown, total(14.0, 2.0), total(17.0, 2.0), unknown, total(11.0, 1.0)];
    let totals = consistent(&two_levels(), &own).unwrap();
    let values: Vec<f64> = totals.iter().map(|one| one.value).collect();
    near(&values, &[31.0, 14.0, 17.0, 11.0, 11.0], 1e-9);
    near(&[totals[0].variance, totals[3].variance], &[4.0, 1.0], 1e-9);
}
