//! Against values that others computed: see test/golden/make_accounting.py. TypeScript runs the same file.

use marginalia_privacy::budget::Currency;
use marginalia_privacy::cost::Cost;
use marginalia_privacy::rational::{Ratio, from_double, parse, show};
use marginalia_privacy::sensitivity::{Matrix, Sensitivity, Spread};
use marginalia_privacy::unit::{Neighbours, Relation, Unit};
use marginalia_privacy::{advantage, convert};
use num_bigint::BigInt;
use serde_json::Value;

fn golden() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test/golden/accounting.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    let list = value[key].as_array().unwrap();
    assert!(!list.is_empty());
    list
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap()
}

fn ratio(value: &Value, key: &str) -> Ratio {
    parse(text(value, key)).unwrap()
}

#[test]
fn texts_are_read_exactly_or_refused() {
    let texts = &golden()["texts"];
    for case in list(texts, "read") {
        assert_eq!(parse(text(case, "text")).unwrap().to_string(), text(case, "ratio"));
    }
    for case in list(texts, "refused") {
        assert!(parse(case.as_str().unwrap()).is_err(), "{case} is taken");
    }
}

#[test]
fn amounts_are_shown_on_the_side_asked_for() {
    for case in list(&golden(), "shown") {
        let value = ratio(case, "ratio");
        assert_eq!(
            (show(&value, true).as_str(), show(&value, false).as_str()),
            (text(case, "up"), text(case, "down"))
        );
        assert!(parse(text(case, "up")).unwrap() >= value && parse(text(case, "down")).unwrap() <= value);
    }
}

fn sensitivity(case: &Value) -> Sensitivity {
    let max_rows = u32::try_from(case["rows"].as_u64().unwrap()).unwrap();
    let relation =
        if case["relation"] == "replace" { Relation::Replace { n: 2 } } else { Relation::AddRemove };
    let neighbours = Neighbours { unit: Unit::Declared { max_rows }, relation };
    let query = &case["query"];
    let spread = if query["groups"] == true { Spread::Groups } else { Spread::Whole };
    match text(query, "type") {
        "marginals" => Sensitivity::marginals(&neighbours, query["count"].as_u64().unwrap()),
        "count" => Sensitivity::count(&neighbours, spread),
        _ => {
            let values: Vec<i64> =
                list(query, "values").iter().map(|value| value.as_i64().unwrap()).collect();
            let columns = usize::try_from(query["columns"].as_u64().unwrap()).unwrap();
            Sensitivity::linear(&neighbours, Matrix::new(columns, &values).unwrap(), spread)
        }
    }
}

#[test]
fn sensitivities_are_those_of_all_neighbours() {
    for case in list(&golden(), "sensitivities") {
        let found = sensitivity(case);
        let pair = (found.l1().to_string(), found.l2_squared().to_string());
        assert_eq!(pair, (text(case, "l1").into(), text(case, "l2Squared").into()), "{case}");
    }
}

/// With the L1 and squared L2 norms given, by way of queries that have them.
fn with_norms(l1: i64, l2_squared: i64) -> Sensitivity {
    let neighbours = Neighbours { unit: Unit::Row, relation: Relation::AddRemove };
    let column: Vec<i64> = match (l1, l2_squared) {
        (6, 12) => vec![2, 2, 2, 0],
        (7, 49) => vec![7],
        (l1, same) if l1 == same => return Sensitivity::marginals(&neighbours, l1.unsigned_abs()),
        other => panic!("no query with norms {other:?}"),
    };
    Sensitivity::linear(&neighbours, Matrix::new(1, &column).unwrap(), Spread::Whole)
}

#[test]
fn costs_are_exact() {
    for case in list(&golden(), "costs") {
        let scale = ratio(case, "scale");
        let norms = with_norms(case["l1"].as_i64().unwrap(), case["l2Squared"].as_i64().unwrap());
        let both = |cost: Cost| (cost.price(Currency::Epsilon).cloned(), cost.price(Currency::Rho).cloned());
        let expected = |name: &str| (Some(ratio(&case[name], "epsilon")), Some(ratio(&case[name], "rho")));
        assert_eq!(both(Cost::laplace(&norms, &scale).unwrap()), expected("laplace"));
        assert_eq!(both(Cost::exponential(&scale).unwrap()), expected("exponential"));
        assert_eq!(both(Cost::permute_and_flip(&scale).unwrap()), expected("permuteAndFlip"));
        let gaussian = Cost::gaussian(&norms, &scale).unwrap();
        assert_eq!(both(gaussian), (None, Some(ratio(&case["gaussian"], "rho"))));
    }
}

/// `found` is not below the true value, nor above it by more than 1e-9 of it; with `down` the other way round.
fn safe(found: f64, truth: &Ratio, down: bool, what: &Value) {
    let found = from_double(found).unwrap();
    let (low, high) = if down { (&found, truth) } else { (truth, &found) };
    assert!(low <= high, "not on the safe side: {what}");
    // The golden values have 25 digits.
    assert!((high - low) * BigInt::from(1_000_000_000) <= *truth, "not close: {what}");
}

#[test]
fn conversions_are_safe_and_close() {
    for case in list(&golden(), "conversions") {
        let (epsilon, delta, rho) = (ratio(case, "epsilon"), ratio(case, "delta"), ratio(case, "givenRho"));
        safe(convert::rho(&epsilon, &delta).unwrap(), &ratio(case, "rho"), true, case);
        let back = convert::epsilon(&rho, &delta).unwrap();
        safe(back, &ratio(case, "epsilonOfRho"), false, case);
        safe(convert::delta(&rho, &epsilon).unwrap(), &ratio(case, "deltaOfRho"), false, case);
        // The same conversion by others, who search less finely.
        let other = case["dpAccountingEpsilon"].as_f64().unwrap();
        assert!((other / back - 1.0).abs() < 3e-3, "dp-accounting disagrees: {case}");
        if let Some(other) = case["opendpEpsilon"].as_f64() {
            assert!((other / back - 1.0).abs() < 1e-9, "opendp disagrees: {case}");
        }
    }
}

#[test]
fn published_values() {
    let value = |text: &str| parse(text).unwrap();
    let near = |found: f64, expected: f64, digits: f64| assert!((found / expected - 1.0).abs() < digits);
    near(convert::delta(&value("0.025"), &value("1")).unwrap(), 1.336_131_91e-6, 1e-8);
    near(convert::epsilon(&value("0.025"), &value("1e-6")).unwrap(), 1.014_074_25, 1e-8);
    near(convert::rho(&value("1"), &value("1e-6")).unwrap(), 0.024_355_970_4, 1e-8);
    near(convert::rho(&value("1"), &value("1e-9")).unwrap(), 0.014_973_057_7, 1e-8);
    let at_1e_10 = [("0.1", 1.53605e-4), ("0.15", 3.37197e-4), ("0.2", 5.89034e-4), ("0.25", 9.07824e-4)];
    for (epsilon, rho) in at_1e_10.into_iter().chain([("0.5", 0.003475), ("1", 0.0132426)]) {
        near(convert::rho(&value(epsilon), &value("1e-10")).unwrap(), rho, 5e-6);
    }
}

#[test]
fn advantages_are_bounds_and_close() {
    for case in list(&golden(), "advantages") {
        let amount = ratio(case, "amount");
        for (found, name) in [(advantage::pure(&amount), "pure"), (advantage::zcdp(&amount), "zcdp")] {
            let (found, truth) = (from_double(found.unwrap()).unwrap(), ratio(case, name));
            assert!(found >= truth && (found - truth) < parse("1.1e-9").unwrap(), "{name}: {case}");
        }
        // What a search over pairs of chances finds is never more, and comes near.
        let (found, searched) = (advantage::zcdp(&amount).unwrap(), case["searched"].as_f64().unwrap());
        assert!(searched <= found && found - searched < 0.011, "{case}");
    }
}
