//! Whatever is asked, in whatever order: the sum of what is granted stays within the budget.

use marginalia_privacy::account::Account;
use marginalia_privacy::budget::Budget;
use marginalia_privacy::convert;
use marginalia_privacy::cost::Cost;
use marginalia_privacy::rational::{Ratio, from_double, parse, plus, text};
use marginalia_privacy::sensitivity::Sensitivity;
use marginalia_privacy::unit::{Neighbours, Relation, Unit};
use marginalia_tables::Code;
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Pow, Zero};
use proptest::prelude::*;
use serde_json::json;

fn amount(text: &str) -> Ratio {
    parse(text).unwrap()
}

fn one() -> Sensitivity {
    Sensitivity::marginals(&Neighbours { unit: Unit::Row, relation: Relation::AddRemove }, 1)
}

#[test]
fn three_tenths_fit_and_not_a_hair_more() {
    let mut account = Account::open(Budget::pure(amount("0.3")).unwrap()).unwrap();
    for _ in 0..3 {
        let cost = Cost::exponential(&from_double(0.1).unwrap()).unwrap();
        let paid = account.charge(&cost).unwrap().redeem(&cost).unwrap();
        assert_eq!(paid.price, amount("1/10"));
    }
    assert_eq!(account.left(), Ratio::zero());
    let error = account.charge(&Cost::exponential(&amount("1e-300")).unwrap()).unwrap_err();
    assert_eq!(error.code, Code::BudgetExceeded);
    let expected = "this asks for ε = 1e-300, and of the budget of ε = 0.3 only 0 is left: ask for less, by more noise \
                    or fewer marginals";
    assert_eq!(error.message, expected);
}

#[test]
fn what_was_spent_elsewhere_counts_and_the_sum_never_falls() {
    let mut account = Account::open(Budget::pure(amount("1")).unwrap()).unwrap();
    let tenth = Cost::exponential(&amount("1/10")).unwrap();
    let _paid = account.charge(&tenth).unwrap();
    for (limit, spent) in [("1/2", "1/2"), ("0", "1/2"), ("9/20", "1/2"), ("19/20", "19/20")] {
        account.raise(amount(limit));
        assert_eq!(*account.spent(), amount(spent));
    }
    assert_eq!(account.charge(&tenth).unwrap_err().code, Code::BudgetExceeded);
    account.raise(amount("7"));
    assert_eq!(account.left(), Ratio::zero());
}

#[test]
fn a_grant_covers_what_it_was_given_for() {
    let mut account = Account::open(Budget::zcdp(amount("1")).unwrap()).unwrap();
    let cost = Cost::gaussian(&one(), &amount("2")).unwrap();
    let dearer = Cost::gaussian(&one(), &amount("1.99")).unwrap();
    let error = account.charge(&cost).unwrap().redeem(&dearer).unwrap_err();
    assert_eq!(error.code, Code::BudgetExceeded);
    assert_eq!(*account.spent(), amount("1/4"), "what is granted stays spent");
}

#[test]
fn gaussian_noise_has_no_price_in_pure_epsilon() {
    let mut account = Account::open(Budget::pure(amount("1")).unwrap()).unwrap();
    let mut cost = Cost::laplace(&one(), &amount("100")).unwrap();
    cost += &Cost::gaussian(&one(), &amount("1e9")).unwrap();
    assert_eq!(account.charge(&cost).unwrap_err().code, Code::BudgetInvalid);
    assert_eq!(*account.spent(), Ratio::zero());
}

#[test]
fn an_account_continues_where_it_was() {
    let budget = Budget::approximate(amount("1"), amount("1e-6")).unwrap();
    let mut account = Account::resume(budget.clone(), amount("0.02")).unwrap();
    assert!(account.charge(&Cost::gaussian(&one(), &amount("100")).unwrap()).is_err());
    assert!(account.charge(&Cost::gaussian(&one(), &amount("200")).unwrap()).is_ok());
    let mut overdrawn = Account::resume(budget.clone(), amount("5")).unwrap();
    assert_eq!(overdrawn.left(), Ratio::zero());
    assert!(overdrawn.charge(&Cost::none()).is_err());
    assert!(Account::resume(budget, amount("-1")).is_err());
}

#[test]
fn budgets_and_units_keep_their_form() {
    let budgets = [
        json!({"type": "pure", "epsilon": "1/10"}),
        json!({"type": "zcdp", "rho": "2"}),
        json!({"type": "approximate", "epsilon": "1", "delta": "1/1000000"}),
    ];
    for form in budgets {
        assert_eq!(Budget::from_json(&form).unwrap().to_json(), form);
    }
    for form in [json!("row"), json!({"column": "id", "maxRows": 3}), json!({"maxRows": 1})] {
        assert_eq!(Unit::from_json(&form).unwrap().to_json(), form);
    }
    for form in [json!("add-remove"), json!({"replace": {"n": 1000}})] {
        assert_eq!(Relation::from_json(&form).unwrap().to_json(), form);
    }
    assert!(
        Budget::from_json(&json!({"type": "approximate", "epsilon": "1", "delta": "1/10000", "n": 100}))
            .is_ok()
    );
}

#[test]
fn conversions_reach_as_far_as_is_said_exactly() {
    let rho = |epsilon: &str, delta: &str| convert::rho(&amount(epsilon), &amount(delta));
    for (epsilon, delta) in [("1", "1e-300"), ("1e-12", "1/2"), ("1e5", "1e-300")] {
        assert!(rho(epsilon, delta).unwrap() > 0.0);
        assert!(convert::epsilon(&amount(epsilon), &amount(delta)).unwrap() > 0.0);
    }
    let least = Budget::approximate(amount("1"), amount("1e-300")).unwrap();
    assert_eq!(Budget::from_json(&least.to_json()).unwrap(), least);
    for (epsilon, delta) in [
        ("1", "9.99999999999999999999e-301"),
        ("1", "0.50000000000000000000001"),
        ("9.99e-13", "1/10"),
        ("100000.1", "1/10"),
    ] {
        assert!(rho(epsilon, delta).unwrap_err().message.contains("must lie between"));
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let budgets = [
        json!(null),
        json!({"type": "pure"}),
        json!({"type": "pure", "epsilon": 1}),
        json!({"type": "pure", "epsilon": "0"}),
        json!({"type": "pure", "epsilon": "-1"}),
        json!({"type": "pure", "epsilon": "1", "delta": "1/2"}),
        json!({"type": "zcdp", "rho": "1/0"}),
        json!({"type": "approximate", "epsilon": "1"}),
        json!({"type": "approximate", "epsilon": "1", "delta": "0"}),
        json!({"type": "approximate", "epsilon": "1", "delta": "2/3"}),
        json!({"type": "approximate", "epsilon": "1", "delta": "1/10000", "n": 99}),
        json!({"type": "renyi", "epsilon": "1"}),
    ];
    for form in budgets {
        assert_eq!(Budget::from_json(&form).unwrap_err().code, Code::BudgetInvalid, "{form}");
    }
    assert!(Account::open(Budget::Pure(amount("-1"))).is_err(), "a budget made by hand is checked as well");
    for form in [json!("rows"), json!({"maxRows": 0}), json!({"maxRows": 1.5}), json!({"column": "a"})] {
        assert_eq!(Unit::from_json(&form).unwrap_err().code, Code::OptionInvalid, "{form}");
    }
    for form in [
        json!("replace"),
        json!({"replace": {}}),
        json!({"replace": {"n": 0}}),
        json!({"replace": {"n": 1}, "m": 1}),
    ] {
        assert_eq!(Relation::from_json(&form).unwrap_err().code, Code::OptionInvalid, "{form}");
    }
    assert!(Cost::laplace(&one(), &Ratio::zero()).is_err());
    assert!(Cost::gaussian(&one(), &amount("-1")).is_err());
    assert!(Cost::exponential(&Ratio::zero()).is_err());
}

/// Positive amounts with up to 600 bits above and below.
fn wild() -> impl Strategy<Value = Ratio> {
    let whole = || {
        prop::collection::vec(any::<u32>(), 1..20)
            .prop_map(|digits| BigInt::from(BigUint::new(digits)) + BigInt::one())
    };
    let small = (1_i64..1000, 1_i64..1000).prop_map(|(p, q)| Ratio::new(p.into(), q.into()));
    prop_oneof![(whole(), whole()).prop_map(|(p, q)| Ratio::new(p, q)), small]
}

fn budget() -> impl Strategy<Value = Budget> {
    let approximate = (1_u32..1_000_000, 1_u32..40).prop_map(|(epsilon, digits)| {
        Budget::approximate(Ratio::new(epsilon.into(), 10_000.into()), amount(&format!("1e-{digits}")))
            .unwrap()
    });
    prop_oneof![wild().prop_map(Budget::Pure), wild().prop_map(Budget::Zcdp), approximate]
}

/// What sums are rounded by, at most.
fn hair() -> Ratio {
    amount("1e-80")
}

#[test]
fn sums_of_costs_are_exact_as_long_as_they_are_short() {
    let sum = |texts: &[&str]| texts.iter().fold(Ratio::zero(), |so, text| plus(&so, &amount(text)));
    assert_eq!(sum(&["0.1"; 10]), Ratio::one());
    assert_eq!(sum(&["1/3", "1/47", "1e-70"]), amount("1/3") + amount("1/47") + amount("1e-70"));
    assert_eq!(sum(&["1", "1e-81"]), Ratio::one() + hair());
    let odd = (hair() / BigInt::from(3), amount("2"));
    assert_eq!((plus(&odd.0, &odd.1), plus(&odd.1, &odd.0)), (amount("2") + hair(), amount("2") + hair()));
}

/// Denominators that share nothing: the sum is never too small, never much too large, and does not grow long.
#[test]
fn thousands_of_odd_charges_cost_what_they_cost() {
    let mut account = Account::open(Budget::pure(amount("1000")).unwrap()).unwrap();
    let mut least = Ratio::zero();
    for i in 0..10_000_u32 {
        let price = Ratio::new(1.into(), (99_991 + 2 * u64::from(i)).into());
        // Rounded down to 120 places, so that the check stays short as well.
        let grid = BigInt::from(10).pow(120u32);
        least += (&price * &grid).floor() / &grid;
        let _paid = account.charge(&Cost::exponential(&price).unwrap()).unwrap();
        let above = account.spent() - &least;
        is_within(&above, i + 1);
    }
    assert!(text(account.spent()).len() < 170);
}

fn is_within(above: &Ratio, charges: u32) {
    assert!(
        *above >= Ratio::zero() && *above <= hair() * BigInt::from(charges + 1),
        "{above} after {charges}"
    );
}

#[test]
fn what_is_left_can_always_be_spent() {
    for budget in ["1", "1/3", &format!("1{}/{}", "3".repeat(119), "7".repeat(120))] {
        let mut account = Account::open(Budget::pure(amount(budget)).unwrap()).unwrap();
        for part in [3, 47, 53, 59, 61] {
            let price =
                account.left() / BigInt::from(part) * amount("0.99999999999999999999999999999999999999999");
            let _paid = account.charge(&Cost::exponential(&price).unwrap()).unwrap();
        }
        let _paid = account.charge(&Cost::exponential(&account.left()).unwrap()).unwrap();
        assert_eq!(account.left(), Ratio::zero());
        assert_eq!(account.spent(), account.limit());
    }
}

proptest! {
    #[test]
    fn no_sequence_exceeds_the_budget(budget in budget(), asks in prop::collection::vec((0..4, wild()), 1..15)) {
        let mut account = Account::open(budget.clone()).unwrap();
        let limit = budget.limit().unwrap();
        let mut total = Ratio::zero();
        for (kind, scale) in asks {
            let cost = match kind {
                0 => Cost::laplace(&one(), &scale),
                1 => Cost::gaussian(&one(), &scale),
                2 => Cost::exponential(&scale),
                _ => Cost::permute_and_flip(&scale),
            }.unwrap();
            let before = account.spent().clone();
            match account.charge(&cost) {
                Ok(grant) => {
                    let price = grant.redeem(&cost).unwrap().price;
                    let added = account.spent() - &before;
                    prop_assert!(added >= price && added < &price + hair(), "{added} for {price}");
                    total += price;
                }
                Err(error) => {
                    prop_assert_eq!(account.spent(), &before);
                    let price = cost.price(budget.currency());
                    prop_assert_eq!(error.code == Code::BudgetInvalid, price.is_none());
                    prop_assert!(price.is_none_or(|price| before + price > limit), "refused what fits");
                }
            }
            prop_assert!(total <= *account.spent() && *account.spent() <= limit);
            prop_assert_eq!(account.left() + account.spent(), limit.clone());
        }
    }

    #[test]
    fn conversions_are_monotone(
        power in -9.0..4.9_f64, decimals in 0.31..290.0_f64, step in prop_oneof![Just(0.0), 1e-17..1e-3_f64],
    ) {
        // From neighbouring doubles to far apart.
        let more = |x: f64| (x * (1.0 + step)).max(x.next_up());
        let exact = |x: f64| Ratio::from_float(x).unwrap();
        let (amount, delta) = (10_f64.powf(power), 10_f64.powf(-decimals).min(0.49));
        let (one, two) = (exact(amount), exact(more(amount)));
        let (strict, loose) = (exact(delta), exact(more(delta)));
        prop_assert!(convert::epsilon(&one, &strict).unwrap() <= convert::epsilon(&two, &strict).unwrap());
        prop_assert!(convert::epsilon(&one, &strict).unwrap() >= convert::epsilon(&one, &loose).unwrap());
        prop_assert!(convert::rho(&one, &strict).unwrap() <= convert::rho(&two, &strict).unwrap());
        prop_assert!(convert::rho(&one, &strict).unwrap() <= convert::rho(&one, &loose).unwrap());
        let rho = exact(convert::rho(&one, &strict).unwrap().max(1e-12));
        prop_assert!(convert::delta(&rho, &one).unwrap() >= convert::delta(&rho, &two).unwrap());
        let larger = exact(more(convert::rho(&one, &strict).unwrap().max(1e-12)));
        prop_assert!(convert::delta(&rho, &one).unwrap() <= convert::delta(&larger, &one).unwrap());
    }

    #[test]
    fn there_and_back_gives_nothing_away(power in -3.0..2.0_f64, decimals in 0.31..40.0_f64) {
        let exact = |x: f64| Ratio::from_float(x).unwrap();
        let (epsilon, delta) = (10_f64.powf(power), 10_f64.powf(-decimals));
        let rho = convert::rho(&exact(epsilon), &exact(delta)).unwrap();
        let back = convert::epsilon(&exact(rho.next_up()), &exact(delta)).unwrap();
        // Two roundings on the safe side: never better than where it began, and close to it.
        prop_assert!(back > epsilon * (1.0 - 1e-9) && back < epsilon * (1.0 + 1e-9), "{back} {epsilon}");
    }
}
