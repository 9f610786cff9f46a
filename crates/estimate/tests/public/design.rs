//! Candidate workloads, the plain solver they are tried with, and forecasts.

use crate::solver::swept;
use crate::tables::table;
use marginalia_estimate::counts::count_on;
use marginalia_estimate::design::{
    self, Candidate, DesignOptions, Family, Forecast, Law, Noise, Simulation, all_tables,
};
use marginalia_estimate::estimators::calibrated::{Options, Task};
use marginalia_estimate::job::Job;
use marginalia_estimate::models::support::Index;
use marginalia_estimate::seed::Seed;
use marginalia_tables::{Schema, Table};
use std::sync::Arc;

fn rough() -> Options {
    Options { tolerance: 1e-4, passes: 400, ..Options::default() }
}

fn candidates(table: &Arc<Table>, options: DesignOptions) -> Vec<Candidate> {
    let mut job = design::candidates(Arc::clone(table), options).unwrap();
    loop {
        let now = job.step(10);
        assert!(now.done <= now.total);
        if now.over {
            return job.complete().unwrap();
        }
    }
}

/// The golden vector A of the problem with squared loss, λ = 10.
#[test]
fn the_plain_solver_is_right() {
    let rows = [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2]].map(Vec::from);
    let rows = table(&[2, 3], &rows, None);
    let index = Arc::new(Index::new(&rows.domain(), rows.columns(), &[&[0], &[1]]).unwrap());
    let answers = vec![0.45, 0.52, -0.03, 0.55, 0.50];
    let task = Task {
        prior: vec![0.3, 0.2, 0.1, 0.15, 0.25],
        variances: vec![0.1; 5],
        total: 1.0,
        strength: 1.0,
        rows,
        index,
        answers,
    };
    let q = swept(task, 1e-13, 10_000);
    let golden =
        [0.073_764_380_746, 0.270_828_456_413, 0.122_623_703_638, 0.212_328_448_632, 0.320_455_010_572];
    for (q, golden) in q.iter().zip(golden) {
        assert!((q - golden).abs() < 1e-7, "{q} {golden}");
    }
}

/// Attribute 1 copies 0, 2 copies 0 in two rows of three, 3 and 4 are on their own; 5 has many values.
fn public() -> Arc<Table> {
    let mut seed = Seed::new(6);
    let row = |_| {
        let a = seed.below(3) as u16;
        let b = if seed.below(3) < 2 { a } else { seed.below(3) as u16 };
        vec![a, a, b, seed.below(2) as u16, seed.below(4) as u16, seed.below(50) as u16]
    };
    let rows: Vec<Vec<u16>> = (0..3000).map(row).collect();
    table(&[3, 3, 3, 2, 4, 50], &rows, None)
}

#[test]
fn candidates_are_what_they_say() {
    let options =
        DesignOptions { tops: vec![1, 3, 99], group: Some(4), cells: 199, ..DesignOptions::default() };
    let all = candidates(&public(), options);
    let of = |family| {
        let found: Vec<&Candidate> = all.iter().filter(|candidate| candidate.family == family).collect();
        (found[0].cliques.clone(), found.len())
    };
    assert_eq!(of(Family::OneWays), ((0..6).map(|a| vec![a]).collect(), 2));
    // The others are independent, so that they are measured alone.
    let alone: Vec<Vec<u16>> = (3..6).map(|a| vec![a]).collect();
    assert_eq!(of(Family::Tree(2)).0, [vec![vec![0, 1], vec![0, 2]], alone.clone()].concat());
    assert_eq!(of(Family::Tree(1)).0, [vec![vec![0, 1], vec![2]], alone].concat());
    let (top, _) = of(Family::Top(1));
    assert_eq!(top[0], [0, 1]);
    assert!((0..6).all(|a| top.iter().any(|clique| clique.contains(&a))));
    assert_eq!(of(Family::Top(3)).0[..3], [vec![0, 1], vec![0, 2], vec![1, 2]]);
    // Fourteen of fifteen pairs have fewer cells than the limit: 4 × 50 has not.
    assert_eq!(of(Family::AllPairs).0.len(), 14);
    assert!(all.iter().all(|candidate| candidate.family != Family::Top(99)));
    let (group, _) = of(Family::GroupPairs);
    assert_eq!(group[..4], [vec![4, 0], vec![4, 1], vec![4, 2], vec![4, 3]]);
    assert!(group.len() == 5 && group[4].contains(&5));
    for candidate in &all {
        assert!((candidate.shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let cells = |i: usize| public().domain().cells(&candidate.cliques[i]).unwrap() as f64;
        for (i, share) in candidate.shares.iter().enumerate() {
            let expected = (cells(i) / cells(0)).powf(candidate.exponent);
            assert!((share / candidate.shares[0] / expected - 1.0).abs() < 1e-12);
        }
    }
}

/// Of fifteen pairs twelve are allowed: the first twelve take the place of all, and the first three.
#[test]
fn where_all_pairs_are_too_many_the_most_informative_take_their_place() {
    let of = |most| {
        let all = candidates(&public(), DesignOptions { most, tops: vec![1], ..DesignOptions::default() });
        let families = all.iter().filter(|one| one.exponent == 0.0).map(|one| one.family);
        let pairs = all.iter().map(|one| one.cliques.iter().filter(|clique| clique.len() == 2).count());
        (families.skip_while(|family| *family != Family::Top(1)).collect::<Vec<_>>(), pairs.max().unwrap())
    };
    assert_eq!(of(15), (vec![Family::Top(1), Family::AllPairs], 15));
    assert_eq!(of(12).0, [Family::Top(1), Family::Top(3), Family::Top(12)]);
    // Each attribute is in one of them at least, for which more pairs may be taken.
    assert!((12..15).contains(&of(12).1));
}

/// Attributes 0 and 1 say most of each other, but in 32 cells; 1 and 2 say nearly as much in 8.
#[test]
fn trees_are_of_pairs_that_are_worth_their_price() {
    let mut seed = Seed::new(8);
    let mut often = |shares: u64| seed.below(20) < shares;
    let row = |i: u64| {
        let a = (i % 8) as u16;
        let b = a / 4;
        let c = if often(16) { b } else { 1 - b };
        let exact = if often(18) { a % 2 } else { 1 - a % 2 };
        vec![a, 2 * exact + c, if often(19) { c } else { 1 - c }]
    };
    let rows: Vec<Vec<u16>> = (0..4000).map(row).collect();
    let all = candidates(&table(&[8, 4, 2], &rows, None), DesignOptions::default());
    let first = |family| all.iter().find(|one| one.family == family).unwrap().cliques[0].clone();
    // .56 nats in 32 cells, .49 in 8.
    assert_eq!(first(Family::AllPairs), [0, 1]);
    assert_eq!(first(Family::Tree(1)), [1, 2]);
}

#[test]
fn derived_attributes_are_not_measured_unless_named() {
    let json = r#"{"nulls":[],"attributes":[{"name":"puma","type":"category","values":["a1","a2","b1"]},
        {"name":"sex","type":"category","values":["f","m"]},
        {"name":"state","type":"derived","from":"puma","values":["a","b"],"codes":[0,0,1]}]}"#;
    let mut table = Table::new(Arc::new(Schema::from_json(json).unwrap()), false, &[]);
    table.extend(&[&[0, 1, 2, 2], &[0, 1, 1, 1]], None, &[]).unwrap();
    let table = Arc::new(table);
    let all = candidates(&table, DesignOptions::default());
    assert!(all.iter().all(|candidate| candidate.cliques.iter().flatten().all(|a| *a < 2)));
    let attributes = Some(vec![2, 1]);
    let named = candidates(&table, DesignOptions { attributes, ..DesignOptions::default() });
    assert!(named.iter().any(|candidate| candidate.cliques == [[1, 2]]));
    assert!(design::candidates(table, DesignOptions { group: Some(3), ..DesignOptions::default() }).is_err());
}

#[test]
fn counts_outside_the_support_are_kept_apart() {
    let base = table(&[2, 3], &[vec![0, 0], vec![1, 2], vec![1, 1]], None);
    let other = table(&[2, 3], &[vec![1, 2], vec![0, 1], vec![1, 2], vec![1, 0]], None);
    let index = Index::new(&base.domain(), base.columns(), &[&[1], &[0, 1]]).unwrap();
    let (cells, outside) = count_on(&index, &[vec![1], vec![0, 1]], &other, &[1.0, 2.0, 4.0, 8.0]);
    assert_eq!((cells, outside), (vec![8.0, 2.0, 5.0, 0.0, 0.0, 5.0], vec![0.0, 10.0]));
}

/// Rows of three attributes: weights of the prior make them independent, those of the law make the first two equal.
fn simulation(budget: f64) -> Simulation {
    let rows: Vec<Vec<u16>> = (0..36u16).map(|i| vec![i / 12, i / 4 % 3, i % 4]).collect();
    let law = rows.iter().map(|row| if row[0] == row[1] { 4.0 } else { 1.0 }).collect();
    let rows = table(&[3, 3, 4], &rows, None);
    Simulation {
        tables: all_tables(&rows.domain(), &[0, 1, 2], None, 1000),
        rows,
        prior: vec![1.0; 36],
        law,
        strength: 2000.0,
        expected: 5000,
        drift: 0.5,
        noise: Noise { law: Law::Laplace, budget, sensitivity: 1.0 },
        most_rows: 1000,
        seed: 3,
    }
}

fn workloads(simulation: &Simulation) -> Vec<Candidate> {
    let domain = simulation.rows.domain();
    let singles = (0..3).map(|a| vec![a]).collect();
    let pairs = vec![vec![0, 1], vec![0, 2], vec![1, 2]];
    vec![
        Candidate::new(&domain, Family::OneWays, 0.0, singles),
        Candidate::new(&domain, Family::AllPairs, 0.0, pairs),
    ]
}

fn forecast(simulation: Simulation, draws: usize) -> Forecast {
    let candidates = workloads(&simulation);
    let mut job = design::forecast(simulation, candidates, draws, rough()).unwrap();
    loop {
        let now = job.step(50);
        assert!(now.done <= now.total);
        if now.over {
            return job.complete().unwrap();
        }
    }
}

#[test]
fn a_forecast_finds_what_the_prior_lacks() {
    let rich = forecast(simulation(3.0), 4);
    assert_eq!((rich.chosen, &rich.close), (1, &vec![1]));
    assert!(rich.candidates[1].mean > 980.0, "{rich:?}");
    // One-ways cannot tell that two attributes are equal: of that pair, 1/3 of the mass is misplaced.
    assert!(rich.candidates[0].mean < rich.candidates[1].mean - 40.0, "{rich:?}");
    assert!(rich.candidates[0].mean > rich.untouched.mean - 2.0, "{rich:?}");
    // With hardly a budget no workload is better than none, and none does great harm.
    let poor = forecast(simulation(1e-4), 4);
    assert!(poor.candidates.iter().all(|one| (one.mean - poor.untouched.mean).abs() < 3.0), "{poor:?}");
    // Of many records without drift, the untouched prior misses 1/3 of the mass of one pair of three.
    let still = forecast(Simulation { strength: 1e8, expected: 1_000_000, ..simulation(1.0) }, 1);
    let distance = 2.0 - still.untouched.mean / 500.0;
    assert!((distance - 2.0 / 9.0).abs() < 0.005, "{distance}");
}

#[test]
fn a_forecast_is_the_same_for_the_same_seed_and_any_steps() {
    let whole = design::forecast(simulation(1.0), workloads(&simulation(1.0)), 2, rough()).unwrap();
    assert_eq!(forecast(simulation(1.0), 2), whole.complete().unwrap());
    assert_ne!(forecast(simulation(1.0), 2), forecast(Simulation { seed: 4, ..simulation(1.0) }, 2));
    let wrong = Simulation { prior: vec![0.0; 36], ..simulation(1.0) };
    assert!(design::forecast(wrong, workloads(&simulation(1.0)), 2, rough()).is_err());
    assert!(design::forecast(simulation(1.0), Vec::new(), 2, rough()).is_err());
}

/// A sample of the rows, each drawn in proportion to its weight, leads to about the same scores.
#[test]
fn fewer_rows_give_about_the_same_forecast() {
    let mut seed = Seed::new(2);
    let rows: Vec<Vec<u16>> = (0..4000)
        .map(|_| {
            let a = seed.below(6) as u16;
            vec![a, (a + seed.below(3) as u16) % 6, seed.below(5) as u16]
        })
        .collect();
    let weights: Vec<f64> = (0..4000).map(|i| f64::from(1 + i % 5)).collect();
    let rows = table(&[6, 6, 5], &rows, Some(&weights));
    let simulation = |most_rows| Simulation {
        tables: all_tables(&rows.domain(), &[0, 1, 2], None, 1000),
        rows: Arc::clone(&rows),
        prior: weights.clone(),
        law: weights.clone(),
        most_rows,
        strength: 1e5,
        ..simulation(0.5)
    };
    let [full, thin] = [5000, 1500].map(|most| forecast(simulation(most), 3));
    println!("{:?} {:?}", full.candidates, thin.candidates);
    for (a, b) in full.candidates.iter().zip(&thin.candidates) {
        assert!((a.mean - b.mean).abs() < 8.0, "{a:?} {b:?}");
    }
}
