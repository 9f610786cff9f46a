//! Forecasts of how a budget is best divided among levels.

use marginalia_estimate::design::{Forecast, Law, Noise};
use marginalia_estimate::hierarchy::{HierarchyPlan, Simulated, Spent, Strength, TotalRule, split};
use marginalia_estimate::job::Job;
use marginalia_estimate::seed::Seed;
use marginalia_tables::{Code, Schema, Table};
use std::sync::Arc;

const AREAS: usize = 40;

/// Areas of two states, and three attributes.
fn schema() -> Arc<Schema> {
    let states: Vec<&str> = (0..AREAS).map(|i| if i < 25 { "0" } else { "1" }).collect();
    let areas: Vec<String> =
        (0..AREAS).map(|i| format!("\"{}{i:02}\"", if i < 25 { 'a' } else { 'b' })).collect();
    let json = format!(
        r#"{{"nulls":[],"attributes":[{{"name":"area","type":"category","values":[{}]}},
        {{"name":"x","type":"category","values":["0","1","2","3","4","5"]}},
        {{"name":"y","type":"category","values":["0","1","2","3"]}},{{"name":"z","type":"category","values":["0","1"]}},
        {{"name":"state","type":"derived","from":"area","values":["a","b"],"codes":[{}]}}]}}"#,
        areas.join(","),
        states.join(",")
    );
    Arc::new(Schema::from_json(&json).unwrap())
}

fn table(rows: usize) -> Arc<Table> {
    let mut table = Table::new(schema(), false, &[]);
    let mut seed = Seed::new(4);
    let mut codes: [Vec<u16>; 4] = Default::default();
    for _ in 0..rows {
        let area = seed.below(AREAS as u64);
        let x = (seed.below(4) + area % 3).min(5);
        let row = [area, x, (x + seed.below(3)) % 4, seed.below(2)];
        codes.iter_mut().zip(row).for_each(|(column, code)| column.push(code as u16));
    }
    let columns: Vec<&[u16]> = codes.iter().map(Vec::as_slice).collect();
    table.extend(&columns, None, &[]).unwrap();
    Arc::new(table)
}

fn plan() -> Arc<HierarchyPlan> {
    // States follow from areas.
    let levels = vec![vec![4], vec![0]];
    Arc::new(HierarchyPlan::of_schema(&schema(), levels).unwrap())
}

fn level(count: f64, cliques: &[&[u16]], spent: f64) -> Spent {
    let budgets = vec![spent / cliques.len().max(1) as f64; cliques.len()];
    Spent { count, cliques: cliques.iter().map(|clique| clique.to_vec()).collect(), budgets }
}

/// All for areas, all for states, and the same for both.
fn splits(budget: f64) -> Vec<Vec<Spent>> {
    let (pairs, singles): (&[&[u16]], &[&[u16]]) = (&[&[1, 2], &[2, 3]], &[&[1], &[2]]);
    let nothing = || level(0.0, &[], 0.0);
    vec![
        vec![nothing(), level(0.0, singles, budget)],
        vec![level(0.0, pairs, 0.8 * budget), level(0.2 * budget, &[], 0.0)],
        vec![level(0.25 * budget, pairs, 0.25 * budget), level(0.25 * budget, singles, 0.25 * budget)],
    ]
}

fn setting(budget: f64) -> Simulated {
    Simulated {
        splits: splits(budget),
        tables: vec![vec![1, 2], vec![2, 3], vec![1, 3]],
        noise: Noise { law: Law::Laplace, budget: 1.0, sensitivity: 1.0 },
        expected: 4000.0,
        strength: 4000.0,
        strengths: vec![Strength::Harmonic { most: f64::INFINITY }, Strength::Harmonic { most: 60.0 }],
        counts: vec![Vec::new(), Vec::new()],
        between: vec![1e9, 60.0],
        rule: TotalRule::Combined,
        agree: true,
        known: false,
        drift: 0.3,
        common: 3000.0,
        draws: 2,
        most_rows: 3000,
        most_groups: 16,
        seed: 7,
    }
}

fn forecast(setting: Simulated) -> Forecast {
    split(plan(), table(4000), setting).unwrap().complete().unwrap()
}

#[test]
fn what_groups_are_asked_decides_where_there_is_budget_for_it() {
    let rich = forecast(setting(20.0));
    let mean = |i: usize| rich.candidates[i].mean;
    // Areas differ by x, which no answer of a state can tell.
    assert!(rich.chosen != 1 && mean(0).min(mean(2)) > mean(1).max(rich.untouched.mean) + 80.0, "{rich:?}");
    // Noise of 100 and more in groups of 100: what is public is better than any answer.
    let poor = forecast(setting(0.02));
    assert!(poor.candidates.iter().all(|one| one.mean < poor.untouched.mean), "{poor:?}");
}

#[test]
fn known_groups_are_simulated_with_what_is_known_of_them() {
    let plain = forecast(setting(2.0));
    let counts = || {
        let clique = vec![0u16, 1];
        let mut answers = vec![0.0; 6 * AREAS];
        let table = table(4000);
        (0..table.rows()).for_each(|row| {
            let [area, x] = [0, 1].map(|a: usize| usize::from(table.columns()[a].get(row)));
            answers[6 * area + x] += 1.0;
        });
        vec![marginalia_estimate::measurement::Measurement { clique, answers, variance: 1.0 }]
    };
    let local = forecast(Simulated { counts: vec![Vec::new(), counts()], ..setting(2.0) });
    // Areas differ by x, and public counts say how.
    assert!(local.untouched.mean > plain.untouched.mean + 20.0, "{local:?} {plain:?}");
    assert!(local.candidates[0].mean > plain.candidates[0].mean, "{local:?} {plain:?}");
}

#[test]
fn steps_of_any_size_say_the_same_and_are_small() {
    let whole = forecast(setting(1.0));
    for work in [1, 5000, 50_000] {
        let mut job = split(plan(), table(4000), setting(1.0)).unwrap();
        let mut steps = 0;
        loop {
            let now = job.step(work);
            assert!(now.done <= now.total && now.total == 6);
            if now.over {
                break;
            }
            steps += 1;
        }
        assert!(steps > 30);
        assert_eq!(job.complete().unwrap(), whole);
    }
}

#[test]
fn few_rows_and_groups_are_enough() {
    let small = forecast(Simulated { most_rows: 400, most_groups: 5, ..setting(20.0) });
    assert_ne!(small.chosen, 1, "{small:?}");
    // Of more records than can be drawn the law itself is the truth.
    let many = forecast(Simulated { expected: 1e9, ..setting(0.02) });
    assert!(many.candidates[0].mean.is_finite() && many.candidates[0].mean > many.untouched.mean);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let group = vec![vec![level(0.0, &[], 0.0), level(1.0, &[&[0, 1]], 1.0)]];
    let short = vec![vec![level(1.0, &[&[1]], 1.0)]];
    let negative = vec![vec![level(0.0, &[], 0.0), level(-1.0, &[&[1]], 1.0)]];
    for splits in [group, short, negative, Vec::new()] {
        let error = split(plan(), table(10), Simulated { splits, ..setting(1.0) }).err().unwrap();
        assert_eq!(error.code, Code::OptionInvalid);
    }
    for wrong in [
        Simulated { tables: Vec::new(), ..setting(1.0) },
        Simulated { draws: 0, ..setting(1.0) },
        Simulated { expected: 0.0, ..setting(1.0) },
        Simulated { drift: f64::NAN, ..setting(1.0) },
        Simulated { between: vec![1.0], ..setting(1.0) },
    ] {
        assert_eq!(split(plan(), table(10), wrong).err().unwrap().code, Code::OptionInvalid);
    }
    let nobody = split(plan(), table(0), setting(1.0)).unwrap().complete();
    assert_eq!(nobody.unwrap_err().code, Code::OptionInvalid);
}
