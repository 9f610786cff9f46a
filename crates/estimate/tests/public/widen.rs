//! Widened priors: the network's law and score, and the weights of what comes out.

use crate::data;
use crate::tables::table;
use marginalia_estimate::deviates::stream;
use marginalia_estimate::job::Job;
use marginalia_estimate::priors::deny::Deny;
use marginalia_estimate::priors::dependencies::Dependencies;
use marginalia_estimate::priors::widen::{self, Family, LearnOptions, Learnt, Network, WidenOptions, search};
use marginalia_estimate::seed::Seed;
use marginalia_tables::{Code, Schema, Table};
use std::collections::HashMap;
use std::sync::Arc;

fn learn(table: &Arc<Table>, options: LearnOptions) -> Network {
    widen::learn(Arc::clone(table), options).unwrap().complete().unwrap().network
}

fn widen(table: &Arc<Table>, deny: Deny, share: f64, rows: usize, step: u64) -> Table {
    let network = learn(table, LearnOptions::default());
    let options = WidenOptions { share, rows, seed: 5 };
    let none = Dependencies::default();
    let mut job = widen::widen(Arc::clone(table), network, deny, &none, options).unwrap();
    loop {
        let now = job.step(step);
        assert!(now.done <= now.total);
        if now.over {
            return job.complete().unwrap().table;
        }
    }
}

fn rows(table: &Table) -> Vec<(Vec<u16>, f64)> {
    let codes = |row| table.columns().iter().map(|column| column.get(row)).collect();
    (0..table.rows()).map(|row| (codes(row), table.weights().unwrap().get(row))).collect()
}

/// All cells of a domain.
fn cells(sizes: &[usize]) -> Vec<Vec<u16>> {
    let mut cells = vec![Vec::new()];
    for size in sizes {
        let more = |cell: &Vec<u16>| {
            (0..*size as u16).map(|code| [cell.clone(), vec![code]].concat()).collect::<Vec<_>>()
        };
        cells = cells.iter().flat_map(more).collect();
    }
    cells
}

/// `a` makes `b` likely, both together make `c`, and `d` depends on `c` alone; `e` on nothing.
const SIZES: [usize; 5] = [2, 3, 3, 2, 2];

fn law(row: &[u16]) -> f64 {
    let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|i| usize::from(row[i]));
    let given_a = [[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]];
    let given_ab = [
        [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]],
        [[0.1, 0.2, 0.7], [0.6, 0.2, 0.2], [0.2, 0.7, 0.1]],
    ];
    let given_c = [[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]];
    [0.4, 0.6][a] * given_a[a][b] * given_ab[a][b][c] * given_c[c][d] * [0.25, 0.75][e]
}

fn known() -> Arc<Table> {
    let rows = cells(&SIZES);
    let weights: Vec<f64> = rows.iter().map(|row| 1e9 * law(row)).collect();
    table(&SIZES, &rows, Some(&weights))
}

#[test]
fn a_known_network_is_recovered() {
    let network = learn(&known(), LearnOptions { strength: Some(1e9), ..LearnOptions::default() });
    let all = cells(&SIZES);
    for row in &all {
        assert!((network.probability(row) / law(row) - 1.0).abs() < 1e-6, "{row:?}");
    }
    let edges: usize = network.parents().iter().map(|(_, parents)| parents.len()).sum();
    assert_eq!(edges, 4);
    let mut random = Seed::new(8);
    let mut seen: HashMap<Vec<u16>, f64> = HashMap::new();
    let mut row = [0; 5];
    const DRAWS: f64 = 200_000.0;
    for _ in 0..DRAWS as usize {
        network.draw(&mut random, &mut row);
        *seen.entry(row.to_vec()).or_default() += 1.0;
    }
    let term = |row: &Vec<u16>| {
        (seen.get(row).copied().unwrap_or(0.0) - DRAWS * law(row)).powi(2) / (DRAWS * law(row))
    };
    let chi2: f64 = all.iter().map(term).sum();
    // χ² with 71 degrees of freedom exceeds 147 with probability 3.4e-7.
    assert!(chi2 < 147.0, "{chi2}");
}

/// Smoothing gives the law that its formula says, also where draws choose a level first.
#[test]
fn draws_follow_the_smoothed_law() {
    let mut random = Seed::new(4);
    let rows: Vec<Vec<u16>> = (0..60)
        .map(|_| {
            let a = random.below(2) as u16;
            let b = if random.below(4) == 0 { random.below(3) as u16 } else { a };
            vec![a, b, if random.below(5) == 0 { random.below(4) as u16 } else { a + b }]
        })
        .collect();
    let table = table(&[2, 3, 4], &rows, None);
    let network = learn(&table, LearnOptions::default());
    assert!(network.parents().iter().any(|(_, parents)| !parents.is_empty()));
    let all = cells(&[2, 3, 4]);
    let total: f64 = all.iter().map(|row| network.probability(row)).sum();
    assert!((total - 1.0).abs() < 1e-12);
    const DRAWS: f64 = 100_000.0;
    let mut seen: HashMap<Vec<u16>, f64> = HashMap::new();
    let mut row = [0; 3];
    for _ in 0..DRAWS as usize {
        network.draw(&mut random, &mut row);
        *seen.entry(row.to_vec()).or_default() += 1.0;
    }
    for row in &all {
        let expected = DRAWS * network.probability(row);
        let miss = (seen.get(row).copied().unwrap_or(0.0) - expected).abs();
        // Each of 24 cells beyond 6 deviations and a half: probability below 1e-8 for those with 10 and more.
        assert!(miss < 6.0 * expected.sqrt() + 5.0, "{row:?}: {miss} of {expected}");
    }
}

/// Log-likelihood of an attribute given parents less half the logarithm of the rows for each free number.
fn criterion(rows: &[Vec<u16>], sizes: &[usize], x: usize, parents: &[u16]) -> f64 {
    let mut joint: HashMap<(Vec<u16>, u16), f64> = HashMap::new();
    let mut counts: HashMap<Vec<u16>, f64> = HashMap::new();
    for row in rows {
        let cell: Vec<u16> = parents.iter().map(|a| row[usize::from(*a)]).collect();
        *joint.entry((cell.clone(), row[x])).or_default() += 1.0;
        *counts.entry(cell).or_default() += 1.0;
    }
    let likelihood: f64 = joint.iter().map(|((cell, _), n)| n * (n / counts[cell]).ln()).sum();
    let cells: usize = parents.iter().map(|a| sizes[usize::from(*a)]).product();
    likelihood - 0.5 * (rows.len() as f64).ln() * ((sizes[x] - 1) * cells) as f64
}

fn dependent_rows(seed: u64, sizes: &[usize], rows: usize) -> Vec<Vec<u16>> {
    let mut random = stream(seed, &[77]);
    let row = |random: &mut Seed| {
        let mut row: Vec<u16> = Vec::new();
        for (i, size) in sizes.iter().enumerate() {
            let own = random.below(*size as u64) as u16;
            let copied = if i > 0 { row[random.below(i as u64) as usize] % *size as u16 } else { own };
            row.push(if random.below(3) > 0 { copied } else { own });
        }
        row
    };
    (0..rows).map(|_| row(&mut random)).collect()
}

/// The criterion of every family is that of the formula, and the structure found is, but for few, the best of all.
#[test]
fn the_score_and_the_structure_are_those_of_brute_force() {
    const SIZES: [usize; 4] = [2, 3, 2, 4];
    let mut best_found = 0;
    for seed in 0..40 {
        let rows = dependent_rows(seed, &SIZES, 150);
        let table = table(&SIZES, &rows, None);
        let mut job = widen::learn(Arc::clone(&table), LearnOptions::default()).unwrap();
        loop {
            let now = job.step(100);
            assert!(now.done <= now.total);
            if now.over {
                break;
            }
        }
        let Learnt { network, families, entropies } = job.complete().unwrap();
        let subsets = |x: u16| {
            let others: Vec<u16> = (0..4).filter(|a| *a != x).collect();
            let pairs = [(0, 1), (0, 2), (1, 2)].map(|(i, j)| vec![others[i], others[j]]);
            others.iter().map(|a| vec![*a]).chain(pairs).chain([vec![]]).collect::<Vec<_>>()
        };
        let mut gains: Vec<Vec<Family>> = Vec::new();
        for x in 0..4 {
            let alone = criterion(&rows, &SIZES, x, &[]);
            gains.push(Vec::new());
            for parents in subsets(x as u16) {
                let gain = entropies.gain(x as u16, &parents).unwrap();
                assert!((gain - (criterion(&rows, &SIZES, x, &parents) - alone)).abs() < 1e-8);
                gains[x].push(Family { parents, gain });
            }
        }
        let structure = search(&families);
        assert!(structure.order.len() == 4 && (structure.score - network.score()).abs() < 1e-9);
        for (at, x) in structure.order.iter().enumerate() {
            assert!(structure.parents[usize::from(*x)].iter().all(|a| structure.order[..at].contains(a)));
        }
        best_found += usize::from(structure.score > best_of_all(&gains) - 1e-9);
    }
    println!("the best structure of all in {best_found} of 40");
    assert!(best_found >= 34, "{best_found}");
}

/// The highest score over all orders of four attributes.
fn best_of_all(gains: &[Vec<Family>]) -> f64 {
    let mut best = f64::NEG_INFINITY;
    for code in 0..256u32 {
        let order: Vec<u16> = (0..4).map(|i| (code >> (2 * i) & 3) as u16).collect();
        if (0..4).any(|x| !order.contains(&x)) {
            continue;
        }
        let of = |(at, x): (usize, &u16)| {
            let fits = |family: &&Family| family.parents.iter().all(|a| order[..at].contains(a));
            gains[usize::from(*x)]
                .iter()
                .filter(fits)
                .map(|family| family.gain)
                .fold(f64::NEG_INFINITY, f64::max)
        };
        best = best.max(order.iter().enumerate().map(of).sum());
    }
    best
}

/// Weights keep their sum, and every marginal is that of the prior and of what was drawn, mixed at the share.
#[test]
fn the_share_is_exact() {
    let weights: Vec<f64> = (0..200).map(|i| f64::from(i % 7)).collect();
    let sizes = [2, 3, 2, 4];
    let prior = table(&sizes, &dependent_rows(3, &sizes, 200), Some(&weights));
    let total: f64 = weights.iter().sum();
    let wide = widen(&prior, Deny::default(), 0.05, 400, 13);
    assert_eq!(rows(&wide), rows(&widen(&prior, Deny::default(), 0.05, 400, u64::MAX)));
    let sum = |rows: &[(Vec<u16>, f64)]| rows.iter().map(|row| row.1).sum::<f64>();
    let (before, after) = (rows(&prior), rows(&wide));
    assert!((sum(&after) - total).abs() < 1e-9 * total);
    let mut distinct: Vec<&Vec<u16>> = after.iter().map(|row| &row.0).collect();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), after.len());
    // What exceeds the prior's own share are whole drawn rows, 400 in all.
    let mut drawn = 0.0;
    for (codes, weight) in &after {
        let own: f64 = before.iter().filter(|row| row.0 == *codes).map(|row| 0.95 * row.1).sum();
        let times = (weight - own) / (0.05 * total / 400.0);
        assert!((times - times.round()).abs() < 1e-6 && times > -1e-6, "{times}");
        drawn += times;
    }
    assert!((drawn - 400.0).abs() < 1e-6);
    assert_eq!(widen(&prior, Deny::default(), 0.0, 400, 99).rows(), {
        let mut own: Vec<_> = before.iter().filter(|row| row.1 > 0.0).map(|row| &row.0).collect();
        own.sort();
        own.dedup();
        own.len()
    });
}

#[test]
fn denied_rows_are_neither_kept_nor_drawn() {
    let sizes = [2, 3, 2, 4];
    let prior = table(&sizes, &dependent_rows(3, &sizes, 200), None);
    let rule = |a: u16, b: u16| vec![(1, vec![a]), (3, vec![b, b + 1])];
    let deny = Deny::new(&prior.domain(), &[rule(0, 0), rule(2, 1)]).unwrap();
    let wide = rows(&widen(&prior, deny.clone(), 0.3, 400, 50));
    assert!(wide.iter().all(|(codes, _)| !deny.denies(|a| codes[a])));
    let kept = (0..200).filter(|row| !deny.denies_row(&prior, *row)).count();
    assert!(kept < 200 && (wide.iter().map(|row| row.1).sum::<f64>() - kept as f64).abs() < 1e-9);
    let all = Deny::new(&prior.domain(), &[vec![(0, vec![0, 1])]]).unwrap();
    let network = learn(&prior, LearnOptions::default());
    let options = WidenOptions { share: 0.3, rows: 400, seed: 5 };
    let none = Dependencies::default();
    let job = widen::widen(Arc::clone(&prior), network.clone(), all, &none, options).unwrap();
    assert_eq!(job.complete().unwrap_err().code, Code::OptionInvalid);
    let options = WidenOptions { share: 1.0, ..options };
    assert!(widen::widen(prior, network, Deny::default(), &none, options).is_err());
}

/// A drawn row has a raw number of its own code, and all rows of the prior keep theirs.
#[test]
fn raw_numbers_stay_within_their_codes() {
    let json = r#"{"nulls":[],"attributes":[{"name":"sex","type":"category","values":["f","m"]},
        {"name":"age","type":"integer","lows":[0,20,40,60],"max":99,"nullable":true}]}"#;
    let schema = Arc::new(Schema::from_json(json).unwrap());
    let mut prior = Table::new(schema, false, &[1]);
    let ages: Vec<f64> = (0..80).map(|i| f64::from(i * 37 % 80)).collect();
    let sexes: Vec<u16> = (0..80).map(|i| (i / 2 % 2) as u16).collect();
    let bins: Vec<u16> = ages.iter().map(|age| (*age / 20.0) as u16).collect();
    prior.extend(&[&sexes, &bins], None, &[&ages]).unwrap();
    let wide = widen(&Arc::new(prior), Deny::default(), 0.2, 50, 9);
    let raw = &wide.raw()[0];
    let mut numbers = Vec::new();
    for row in 0..wide.rows() {
        for place in raw.of(row) {
            assert_eq!((raw.values.get(place) / 20.0) as u16, wide.columns()[1].get(row));
            numbers.push(raw.values.get(place));
        }
    }
    assert_eq!(numbers.len(), 130);
    assert!(ages.iter().all(|age| numbers.contains(age)));
    let again = widen(&Arc::new(wide), Deny::default(), 0.0, 0, 9);
    assert_eq!(again.raw()[0].values.len(), 130);
}

/// On a survey, rows of a later year that the earlier one lacks become fewer, as published for this method.
#[test]
fn widening_reaches_rows_of_a_later_year() {
    let names = "AGEP SEX MSP RAC1P HOUSING_TYPE OWN_RENT EDU PINCP_DECILE DVET DEYE";
    let Some((earlier, later)) = data::survey(names) else { return };
    let outside = |base: &Table| {
        let known: std::collections::HashSet<Vec<u16>> = rows(base).into_iter().map(|row| row.0).collect();
        let row = |row| later.columns().iter().map(|column| column.get(row)).collect::<Vec<u16>>();
        (0..later.rows()).filter(|i| !known.contains(&row(*i))).count() as f64 / later.rows() as f64
    };
    let before = outside(&data::distinct(&earlier));
    let usual = WidenOptions::usual(earlier.rows() as f64, 5);
    let wide = widen(&earlier, Deny::default(), usual.share, usual.rows, 4096);
    println!("outside {before:.3}, after widening {:.3}, {} rows", outside(&wide), wide.rows());
    assert!(outside(&wide) < 0.75 * before);
}
