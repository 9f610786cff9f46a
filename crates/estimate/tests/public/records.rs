//! Records from weights: exact, controlled, without a pattern, and the same for the same seed.

use crate::data;
use crate::tables::table;
use marginalia_estimate::deviates::stream;
use marginalia_estimate::job::{Job, Steps};
use marginalia_estimate::models::support::Index;
use marginalia_estimate::records::{Controlled, Method, Totals, controlled, in_random_order, rounded, take};
use marginalia_tables::{Code, Codes, Domain};
use proptest::prelude::*;
use std::sync::Arc;

const SIZES: [u32; 3] = [3, 4, 2];
const TEN: &str = "AGEP SEX MSP RAC1P HOUSING_TYPE OWN_RENT EDU PINCP_DECILE DVET DEYE";

/// Rows of three attributes, indexed by all pairs.
fn pairs(rows: &[u16]) -> Arc<Index> {
    let columns = [(8, 3), (2, 4), (1, 2)].map(|(step, size)| {
        let mut column = Codes::new(size as usize);
        column.extend(&rows.iter().map(|row| row / step % size).collect::<Vec<u16>>()).unwrap();
        column
    });
    Arc::new(Index::new(&Domain::new(SIZES), &columns, &[&[0, 1], &[0, 2], &[1, 2]]).unwrap())
}

fn steps(mut job: Steps<Vec<u32>>, work: u64) -> Vec<u32> {
    let last = loop {
        let now = job.step(work);
        assert!(now.done <= now.total);
        if now.over {
            break now;
        }
    };
    assert_eq!(last.done, last.total);
    job.complete().unwrap()
}

fn begin(
    method: Method,
    weights: &[f64],
    totals: &Totals,
    targets: &Arc<Index>,
    seed: u64,
) -> Steps<Vec<u32>> {
    rounded(method, weights.to_vec(), totals.clone(), Arc::clone(targets), seed)
}

fn systematic(weights: &[f64], totals: &Totals, seed: u64) -> Vec<u32> {
    let none = Arc::new(Index::new(&Domain::new([1]), &[], &[]).unwrap());
    begin(Method::Systematic, weights, totals, &none, seed).complete().unwrap()
}

/// Threads share the passes of so large a problem: the same records with any number of them, in pieces of any size. The
/// fingerprint is that of the build without threads.
#[test]
fn large_roundings_are_the_same_with_any_threads() {
    const ROWS: usize = 10_000;
    let sizes = [7u32; 60];
    let mut draws = stream(5, &[3]);
    let mut any = |below| draws.below(below);
    let columns: Vec<Codes> = (0..60)
        .map(|_| {
            let mut column = Codes::new(7);
            column.extend(&(0..ROWS).map(|_| any(7) as u16).collect::<Vec<u16>>()).unwrap();
            column
        })
        .collect();
    let pairs: Vec<[u16; 2]> = (0..60).flat_map(|a| (0..a).map(move |b| [a, b])).collect();
    let cliques: Vec<&[u16]> = pairs.iter().map(|pair| &pair[..]).collect();
    let targets = Arc::new(Index::new(&Domain::new(sizes.to_vec()), &columns, &cliques).unwrap());
    let weights: Vec<f64> = (0..ROWS).map(|_| 1.0 + any(100) as f64).collect();
    let groups: Vec<u32> = (0..ROWS).map(|_| any(3) as u32).collect();
    let records = [900, 1000, 1100];
    let totals = Totals::groups(groups.clone(), records.to_vec()).unwrap();
    let rounded = |work| steps(begin(Method::Controlled, &weights, &totals, &targets, 3), work);
    let (whole, pieces) = (rounded(u64::MAX), rounded(3_000_000));
    assert!(whole == pieces);
    let due = due(&weights, &groups, &records);
    let systematic = begin(Method::Systematic, &weights, &totals, &targets, 3);
    let before = imbalance(&targets, &steps(systematic, u64::MAX), &due);
    let after = imbalance(&targets, &whole, &due);
    assert!(after < 0.9 * before, "{after} of {before}");
    let fingerprint = whole
        .iter()
        .fold(0u64, |hash, count| (hash ^ u64::from(*count)).wrapping_mul(0x100_0000_01b3).rotate_left(5));
    assert_eq!(fingerprint, 13_634_578_768_623_662_240);
}

/// What each row is due of the records of its group.
fn due(weights: &[f64], groups: &[u32], records: &[u64]) -> Vec<f64> {
    let mut sums = vec![0.0; records.len()];
    weights.iter().zip(groups).for_each(|(w, g)| sums[*g as usize] += w);
    let due = |(w, g): (&f64, &u32)| {
        if sums[*g as usize] > 0.0 { records[*g as usize] as f64 * w / sums[*g as usize] } else { 0.0 }
    };
    weights.iter().zip(groups).map(due).collect()
}

fn imbalance(index: &Index, counts: &[u32], due: &[f64]) -> f64 {
    let misses: Vec<f64> = counts.iter().zip(due).map(|(count, due)| f64::from(*count) - due).collect();
    let mut cells = vec![0.0; index.cells()];
    index.scatter(&misses, &mut cells);
    cells.iter().map(|x| x.abs()).sum()
}

proptest! {
    /// Totals are exact and every row has the floor or the ceiling of what it is due, whatever the steps.
    #[test]
    fn rounding_is_exact(
        rows in prop::collection::vec((0u16..24, 0u32..3, prop_oneof![Just(0.0), 1e-12..1e9f64, 0.5..2.0]), 1..80),
        mut records in prop::collection::vec(0u64..500, 3), seed: u64, work in 1u64..50,
    ) {
        let codes: Vec<u16> = rows.iter().map(|row| row.0).collect();
        let groups: Vec<u32> = rows.iter().map(|row| row.1).collect();
        let weights: Vec<f64> = rows.iter().map(|row| row.2).collect();
        for (g, records) in (0..).zip(records.iter_mut()) {
            *records *= u64::from(groups.iter().zip(&weights).any(|(group, w)| *group == g && *w > 0.0));
        }
        let index = pairs(&codes);
        let totals = Totals::groups(groups.clone(), records.clone()).unwrap();
        let due = due(&weights, &groups, &records);
        for method in [Method::Controlled, Method::Systematic, Method::Iid] {
            let counts = steps(begin(method, &weights, &totals, &index, seed), work);
            prop_assert_eq!(&counts, &steps(begin(method, &weights, &totals, &index, seed), u64::MAX));
            for (g, records) in (0..).zip(&records) {
                let made: u64 = counts.iter().zip(&groups).filter(|(_, group)| **group == g).map(|(c, _)| u64::from(*c)).sum();
                prop_assert_eq!(made, *records);
            }
            for ((count, due), weight) in counts.iter().zip(&due).zip(&weights) {
                prop_assert!(*weight > 0.0 || *count == 0);
                if method != Method::Iid {
                    let (low, high) = ((due - 1e-6).floor().max(0.0), (due + 1e-6).ceil());
                    prop_assert!((low..=high).contains(&f64::from(*count)), "{count} of {due}");
                }
            }
        }
    }

    /// The imbalance that the search reports is that of its result and never rises, from a systematic start.
    #[test]
    fn controlled_rounding_only_gets_better(
        rows in prop::collection::vec((0u16..24, 0u32..2, 1e-3..3.0f64), 2..120), n in 1u64..200, seed: u64,
    ) {
        let codes: Vec<u16> = rows.iter().map(|row| row.0).collect();
        let groups: Vec<u32> = rows.iter().map(|row| row.1).collect();
        let weights: Vec<f64> = rows.iter().map(|row| row.2).collect();
        let records: Vec<u64> = (0..2).map(|g| n * u64::from(groups.contains(&g))).collect();
        let totals = Totals::groups(groups.clone(), records.clone()).unwrap();
        let (index, due) = (pairs(&codes), due(&weights, &groups, &records));
        let start = imbalance(&index, &systematic(&weights, &totals, seed), &due);
        let mut job = controlled(weights, totals, Arc::clone(&index), seed);
        while !job.step(7).over {}
        let Controlled { counts, trace } = job.complete().unwrap();
        let end = imbalance(&index, &counts, &due);
        prop_assert!((trace[0] - start).abs() < 1e-6 && (trace[trace.len() - 1] - end).abs() < 1e-6);
        prop_assert!(trace.windows(2).all(|pair| pair[1] < pair[0]));
    }
}

/// No other choice with the same totals is better than a controlled one by more than a little, on tables small
/// enough to try all choices.
#[test]
fn controlled_rounding_comes_close_to_the_best_of_all_choices() {
    let (mut found, mut best, mut first) = (0.0, 0.0, 0.0);
    for seed in 0..60 {
        let mut random = stream(seed, &[1]);
        let codes: Vec<u16> = (0..12).map(|_| random.below(24) as u16).collect();
        let weights: Vec<f64> = (0..12).map(|_| 0.1 + random.uniform()).collect();
        let index = pairs(&codes);
        let due = due(&weights, &[0; 12], &[6]);
        let counts = begin(Method::Controlled, &weights, &Totals::all(6), &index, seed).complete().unwrap();
        let floors: Vec<u32> = due.iter().map(|due| *due as u32).collect();
        let choices =
            (0u32..1 << 12).map(|ups| (0..12).map(|i| floors[i] + (ups >> i & 1)).collect::<Vec<u32>>());
        let all = choices
            .filter(|counts| counts.iter().sum::<u32>() == 6)
            .map(|counts| imbalance(&index, &counts, &due));
        best += all.fold(f64::INFINITY, f64::min);
        found += imbalance(&index, &counts, &due);
        first += imbalance(&index, &systematic(&weights, &Totals::all(6), seed), &due);
    }
    println!("systematic {first:.1}, controlled {found:.1}, best {best:.1}");
    assert!(found - best < 0.1 * (first - best), "{first} {found} {best}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let index = pairs(&[0, 1]);
    let refused = |weights: &[f64], totals: &Totals| {
        begin(Method::Controlled, weights, totals, &index, 1).complete().err().map(|e| e.code)
    };
    assert_eq!(refused(&[1.0, f64::NAN], &Totals::all(1)), Some(Code::OptionInvalid));
    assert_eq!(refused(&[1.0, -1.0], &Totals::all(1)), Some(Code::OptionInvalid));
    assert_eq!(refused(&[1.0, f64::INFINITY], &Totals::all(1)), Some(Code::OptionInvalid));
    assert_eq!(refused(&[0.0, 0.0], &Totals::all(1)), Some(Code::OptionInvalid));
    assert_eq!(refused(&[0.0, 0.0], &Totals::all(0)), None);
    assert_eq!(refused(&[1.0, 1.0], &Totals::all(1 << 32)), Some(Code::ModelTooLarge));
    assert_eq!(
        refused(&[1.0, 0.0], &Totals::groups(vec![0, 1], vec![1, 1]).unwrap()),
        Some(Code::OptionInvalid)
    );
    assert!(Totals::groups(vec![2], vec![1, 1]).is_err());
}

/// Rounded up at most once each, neighbours in the table as independently of each other as rows far apart. In the
/// order of the table, systematic rounding of halves would choose exactly one of each two neighbours.
#[test]
fn neighbours_are_not_correlated() {
    const ROWS: usize = 200;
    const DRAWS: u64 = 20_000;
    let half = Totals::all(ROWS as u64 / 2);
    let (mut both, mut single) = (0.0, vec![0.0; ROWS]);
    for seed in 0..DRAWS {
        let counts = systematic(&[0.5; ROWS], &half, seed);
        both += f64::from(counts.windows(2).map(|pair| pair[0] * pair[1]).sum::<u32>());
        single.iter_mut().zip(&counts).for_each(|(sum, count)| *sum += f64::from(*count));
    }
    // Of neighbours in the random order exactly one is chosen, and hence any two rows with probability
    // ¼·(N−2)/(N−1). The number of chosen pairs has a variance below that of independent pairs, about N/16 a draw.
    let expected = DRAWS as f64 * (ROWS - 1) as f64 * 0.25 * (ROWS - 2) as f64 / (ROWS - 1) as f64;
    let deviation = (DRAWS as f64 * ROWS as f64 / 16.0 * 5.0).sqrt();
    assert!((both - expected).abs() < 5.0 * deviation, "{both} {expected}");
    // Each row: binomial with ½; the largest of 200 exceeds 6 deviations with probability 4e-7.
    let worst = single.iter().map(|sum| (sum - DRAWS as f64 / 2.0).abs()).fold(0.0, f64::max);
    assert!(worst < 6.0 * (DRAWS as f64 / 4.0).sqrt(), "{worst}");
}

/// The mean of systematic rounding is what each row is due, for very unequal fractions.
#[test]
fn systematic_rounding_has_the_right_mean() {
    let weights: Vec<f64> = (1..=40).map(|i| f64::from(i * i)).collect();
    let due = due(&weights, &[0; 40], &[25]);
    let mut sums = vec![0.0; 40];
    const DRAWS: u64 = 20_000;
    for seed in 0..DRAWS {
        let counts = systematic(&weights, &Totals::all(25), seed);
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += f64::from(count));
    }
    // 40 binomial counts beyond 6 deviations: probability below 1e-7 (for the rarest row, mean 22, exact Poisson
    // bounds are 0 and 58: 4e-10).
    for (sum, due) in sums.iter().zip(&due) {
        let part = due.fract();
        let bound = 6.0 * (DRAWS as f64 * part * (1.0 - part)).sqrt() + 8.0;
        assert!((sum - DRAWS as f64 * due).abs() < bound, "{sum} {due}");
    }
}

#[test]
fn a_sample_follows_the_multinomial_law() {
    let weights = [1.0, 0.0, 2.0, 3.0, 4.0];
    let none = Arc::new(Index::new(&Domain::new([1]), &[], &[]).unwrap());
    let counts = begin(Method::Iid, &weights, &Totals::all(100_000), &none, 5).complete().unwrap();
    let chi2: f64 = counts
        .iter()
        .zip(weights)
        .filter(|(_, w)| *w > 0.0)
        .map(|(count, w)| (f64::from(*count) - w * 1e4).powi(2) / (w * 1e4))
        .sum();
    // χ² with 3 degrees of freedom exceeds 36 with probability 7.5e-8, and is below .01 with 3e-4.
    assert!(counts[1] == 0 && (0.01..36.0).contains(&chi2), "{chi2}");
}

/// Records come in an order that says nothing: neither where a row stands, nor what comes next.
#[test]
fn records_come_in_random_order() {
    let counts: Vec<u32> = (0..1000).map(|row| row % 4).collect();
    let mut job = in_random_order(counts.clone(), 9);
    while !job.step(37).over {}
    let rows = job.complete().unwrap();
    assert_eq!(rows, in_random_order(counts.clone(), 9).complete().unwrap());
    let mut seen = vec![0; counts.len()];
    rows.iter().for_each(|row| seen[*row as usize] += 1);
    assert_eq!(seen, counts);
    let centred: Vec<f64> = rows.iter().map(|row| f64::from(*row) - 500.0).collect();
    let n = rows.len() as f64;
    let variance = centred.iter().map(|x| x * x).sum::<f64>() / n;
    let serial = centred.windows(2).map(|pair| pair[0] * pair[1]).sum::<f64>() / n / variance;
    let trend = centred.iter().zip(0..).map(|(x, i)| x * (f64::from(i) / n - 0.5)).sum::<f64>()
        / (n * variance / 12.0).sqrt();
    // Serial correlation has deviation n^-½, the trend deviation 1: beyond 5.5 of them with probability 4e-8 each.
    assert!(serial.abs() < 5.5 / n.sqrt() && trend.abs() < 5.5, "{serial} {trend}");
}

#[test]
fn records_are_copies_of_their_rows() {
    let base = table(&[3, 300], &[vec![0, 299], vec![2, 7]], Some(&[0.5, 2.0]));
    let mut job = take(Arc::clone(&base), vec![1, 0, 1], 4);
    while !job.step(1).over {}
    let taken = job.complete().unwrap();
    let codes = |a: usize| (0..3).map(|row| taken.columns()[a].get(row)).collect::<Vec<u16>>();
    assert_eq!((codes(0), codes(1)), (vec![2, 0, 2], vec![7, 299, 7]));
    assert!(taken.weights().is_none());
    assert_eq!(take(base, vec![2], 4).complete().unwrap_err().code, Code::OptionInvalid);
}

/// On survey rows with weights that drift from the data's, the error of the target tables, and of all others too, is
/// least for controlled rounding and most for a sample.
#[test]
fn controlled_is_better_than_systematic_and_that_than_a_sample() {
    let Some((earlier, _)) = data::survey(TEN) else { return };
    let base = data::distinct(&earlier);
    let domain = base.domain();
    let all: Vec<[u16; 2]> = (0..10).flat_map(|a| (a + 1..10).map(move |b| [a, b])).collect();
    let targets: Vec<&[u16]> = all.iter().step_by(2).map(|pair| &pair[..]).collect();
    let others: Vec<&[u16]> = all.iter().skip(1).step_by(2).map(|pair| &pair[..]).collect();
    let [targets, others] =
        [targets, others].map(|cliques| Arc::new(Index::new(&domain, base.columns(), &cliques).unwrap()));
    for seed in 0..3 {
        let mut random = stream(seed, &[2]);
        let multiplicity = |row| base.weights().unwrap().get(row);
        let weights: Vec<f64> =
            (0..base.rows()).map(|row| multiplicity(row) * (0.2 + 1.6 * random.uniform())).collect();
        let due = due(&weights, &vec![0; base.rows()], &[7634]);
        let error = [Method::Controlled, Method::Systematic, Method::Iid].map(|method| {
            let counts = begin(method, &weights, &Totals::all(7634), &targets, seed).complete().unwrap();
            [&targets, &others].map(|index| imbalance(index, &counts, &due) / index.marginals().len() as f64)
        });
        println!("controlled, systematic, sample; target tables and others: {error:.1?}");
        assert!(error[0][0] < 0.5 * error[1][0] && error[1][0] < 0.8 * error[2][0], "{error:?}");
        assert!(error[0][1] < error[1][1] && error[1][1] < 0.8 * error[2][1], "{error:?}");
    }
}
