//! Records against the law of their model, cell by cell. Seeds are fixed; a law that is right fails one of the tests below with a
//! probability of 1e-6 each.

use super::dense::{self, Dense, arranged, random};
use marginalia_compute::job::{Job, Steps};
use marginalia_compute::seed::Seed;
use marginalia_graph::{Method, Oracle, Passes, complete, condition, plan, records};
use marginalia_tables::{Code, Result};
use proptest::prelude::*;
use std::sync::Arc;

const METHODS: [Method; 2] = [Method::Systematic, Method::Iid];

/// A model, and the same cell by cell.
struct Model {
    sizes: Vec<u32>,
    cliques: Vec<Vec<u16>>,
    potentials: Vec<Vec<f64>>,
}

impl Model {
    fn new(sizes: &[u32], cliques: &[Vec<u16>], spread: f64) -> Self {
        let potentials = random(&mut Seed::new(5), sizes, cliques, spread);
        Self { sizes: sizes.to_vec(), cliques: cliques.to_vec(), potentials }
    }

    fn shares(&self) -> Vec<f64> {
        Dense::new(&self.sizes, &self.cliques, &self.potentials).shares()
    }

    fn oracle(&self, evidence: &[(u16, Vec<bool>)]) -> Result<(Oracle, Vec<f64>)> {
        let tree = Arc::new(plan(&self.sizes, &self.cliques, 1e9)?);
        let mut theta = arranged(&tree, &self.potentials);
        condition(&tree, &mut theta, evidence)?;
        let mut oracle = Oracle::new(Arc::new(Passes::new(tree)));
        oracle.forward(&theta);
        oracle.reverse(&theta);
        Ok((oracle, theta))
    }

    fn job(&self, n: usize, method: Method, seed: u64) -> Steps<Vec<Vec<u16>>> {
        let (oracle, _) = self.oracle(&[]).unwrap();
        Steps::new(move |pace| async move { records(&oracle, n, method, &Seed::new(seed), &pace).await })
    }

    fn complete(&self, rows: Vec<Vec<Option<u16>>>, method: Method) -> Result<Vec<Vec<u16>>> {
        let (oracle, theta) = self.oracle(&[])?;
        let job = move |pace| async move {
            complete(oracle.tree(), &theta, &rows, 1e9, method, &Seed::new(11), &pace).await
        };
        Steps::new(job).complete()
    }

    /// How often each cell occurs.
    fn counts(&self, columns: &[Vec<u16>]) -> Vec<f64> {
        let mut counts = vec![0.0; self.sizes.iter().map(|size| *size as usize).product()];
        for row in 0..columns[0].len() {
            let at = columns.iter().zip(&self.sizes).fold(0, |at, (column, size)| {
                assert!(u32::from(column[row]) < *size);
                at * *size as usize + usize::from(column[row])
            });
            counts[at] += 1.0;
        }
        counts
    }
}

/// That counts are of independent records of a law: Pearson's χ², cells that expect fewer than five taken together.
fn of_law(counts: &[f64], shares: &[f64]) {
    let n: f64 = counts.iter().sum();
    let (mut terms, mut chi2, mut few) = (0, 0.0, (0.0, 0.0));
    let mut term = |count: f64, expected: f64| {
        chi2 += (count - expected) * (count - expected) / expected;
        terms += 1;
    };
    for (count, share) in counts.iter().zip(shares) {
        assert!(*share > 0.0 || *count == 0.0, "a record that is not possible");
        match n * share < 5.0 {
            true => few = (few.0 + count, few.1 + n * share),
            false => term(*count, n * share),
        }
    }
    if few.1 >= 5.0 {
        term(few.0, few.1);
    }
    unlikely(chi2, terms - 1);
}

/// A χ² of so many degrees that a right law exceeds with probability 1e-6 (Wilson and Hilferty).
fn unlikely(chi2: f64, degrees: usize) {
    if degrees > 0 {
        let v = 2.0 / (9.0 * degrees as f64);
        let z = ((chi2 / degrees as f64).cbrt() - (1.0 - v)) / v.sqrt();
        assert!(z < 4.75, "χ² = {chi2} with {degrees} degrees of freedom");
    }
}

fn shapes() -> Vec<Model> {
    let sizes = [3, 2, 5, 4, 1, 3];
    dense::hard_cliques().iter().map(|cliques| Model::new(&sizes, cliques, 1.5)).collect()
}

/// A chain: its ends know nothing of each other but by the middle.
fn chain() -> Model {
    Model::new(&[5, 4, 6], &[vec![0, 1], vec![1, 2]], 1.5)
}

/// Opposite potentials in two factors: each alone makes likely what the other forbids.
fn opposed() -> Model {
    let mut model = Model::new(&[4, 5, 6], &[vec![0, 1], vec![1, 2], vec![2, 0]], 1.0);
    for at in 0..30 {
        model.potentials[1][at] -= 900.0 * (at / 6) as f64;
        if at < 20 {
            model.potentials[0][at] += 900.0 * (at % 5) as f64;
        }
    }
    model
}

#[test]
fn independent_records_are_of_the_law() {
    for model in shapes() {
        let columns = model.job(20_000, Method::Iid, 1).complete().unwrap();
        of_law(&model.counts(&columns), &model.shares());
    }
}

#[test]
fn each_of_a_few_systematic_records_is_of_the_law() {
    for model in shapes() {
        let mut counts = vec![0.0; model.shares().len()];
        for seed in 0..4000 {
            let columns = model.job(3, Method::Systematic, seed).complete().unwrap();
            let one: Vec<Vec<u16>> = columns.iter().map(|column| vec![column[1]]).collect();
            counts.iter_mut().zip(model.counts(&one)).for_each(|(all, one)| *all += one);
        }
        of_law(&counts, &model.shares());
    }
}

#[test]
fn a_systematic_group_gets_what_is_due_up_or_down() {
    let model = chain();
    let columns = model.job(997, Method::Systematic, 2).complete().unwrap();
    let (counts, shares) = (model.counts(&columns), model.shares());
    // Sums over what is no part of a cell: those of (a, b, c) with c fastest.
    let sum = |values: &[f64], of: &dyn Fn(usize) -> bool| -> f64 {
        values.iter().enumerate().filter(|(at, _)| of(*at)).map(|(_, value)| value).sum()
    };
    for b in 0..4 {
        let in_b = |at: usize| at / 6 % 4 == b;
        let (group, share) = (sum(&counts, &in_b), sum(&shares, &in_b));
        assert!((group - 997.0 * share).abs() < 1.0);
        for a in 0..5 {
            let cell = |at: usize| in_b(at) && at / 24 == a;
            assert!((sum(&counts, &cell) - group * sum(&shares, &cell) / share).abs() < 1.0);
        }
        for c in 0..6 {
            let cell = |at: usize| in_b(at) && at % 6 == c;
            assert!((sum(&counts, &cell) - group * sum(&shares, &cell) / share).abs() < 1.0);
        }
    }
}

/// That two columns are independent in each group of a third: χ² given both margins.
fn independent(a: &[u16], c: &[u16], groups: &[u16]) {
    let (mut chi2, mut degrees) = (0.0, 0);
    for group in 0..=groups.iter().copied().max().unwrap() {
        let mut table = vec![vec![0.0; 6]; 6];
        let rows = (0..a.len()).filter(|row| groups[*row] == group);
        rows.for_each(|row| table[usize::from(a[row])][usize::from(c[row])] += 1.0);
        let row: Vec<f64> = table.iter().map(|row| row.iter().sum()).collect();
        let column: Vec<f64> = (0..6).map(|c| table.iter().map(|row| row[c]).sum()).collect();
        let all: f64 = row.iter().sum();
        for (r, counts) in row.iter().zip(&table) {
            for (c, count) in column.iter().zip(counts) {
                let expected = r * c / all;
                chi2 += if expected > 0.0 { (count - expected) * (count - expected) / expected } else { 0.0 };
            }
        }
        let some = |sums: &[f64]| sums.iter().filter(|sum| **sum > 0.0).count().saturating_sub(1);
        degrees += some(&row) * some(&column);
    }
    unlikely(chi2, degrees);
}

/// Where records are not shuffled before they are grouped, what comes later follows what came before.
#[test]
fn what_the_model_does_not_connect_stays_independent() {
    for method in METHODS {
        let columns = chain().job(20_000, method, 3).complete().unwrap();
        independent(&columns[0], &columns[2], &columns[1]);
        let apart = Model::new(&[5, 6, 3], &[vec![0], vec![1]], 1.5);
        let columns = apart.job(20_000, method, 4).complete().unwrap();
        independent(&columns[0], &columns[1], &vec![0; 20_000]);
        independent(&columns[0], &columns[2], &columns[1]);
        // Nor does the place of a record tell anything.
        let places: Vec<u16> = (0..20_000).map(|row| (row / 4000) as u16).collect();
        independent(&columns[0], &places, &columns[1]);
    }
}

#[test]
fn records_of_numbers_that_do_not_reach() {
    let model = opposed();
    assert!(model.oracle(&[]).unwrap().0.logarithmic());
    let columns = model.job(20_000, Method::Iid, 5).complete().unwrap();
    of_law(&model.counts(&columns), &model.shares());
    let columns = model.job(20_000, Method::Systematic, 5).complete().unwrap();
    let off =
        model.counts(&columns).iter().zip(model.shares()).map(|(n, p)| (n - 2e4 * p).abs()).sum::<f64>();
    assert!(off < 2e4 * 0.02, "{off}");
}

#[test]
fn evidence_is_exact() {
    for model in shapes().into_iter().filter(|model| model.cliques.iter().any(|c| c.contains(&3))) {
        let evidence = [(3, vec![false, true, false, true])];
        let (oracle, _) = model.oracle(&evidence).unwrap();
        let job =
            move |pace| async move { records(&oracle, 20_000, Method::Iid, &Seed::new(6), &pace).await };
        let columns = Steps::new(job).complete().unwrap();
        let mut shares = model.shares();
        let inner: usize = model.sizes[4..].iter().map(|size| *size as usize).product();
        shares.iter_mut().enumerate().for_each(|(at, share)| *share *= (at / inner % 4 % 2) as f64);
        let met: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= met);
        of_law(&model.counts(&columns), &shares);
    }
}

#[test]
fn what_is_impossible_is_refused() {
    let model = chain();
    let made = |evidence: &[(u16, Vec<bool>)]| {
        let (oracle, _) = model.oracle(evidence)?;
        let job = move |pace| async move { records(&oracle, 10, Method::Iid, &Seed::new(6), &pace).await };
        Steps::new(job).complete()
    };
    let none = made(&[(0, vec![true, false, false, false, false]), (0, vec![false, true, true, true, true])]);
    assert_eq!(none.unwrap_err().code, Code::OptionInvalid);
    assert_eq!(made(&[(0, vec![true])]).unwrap_err().code, Code::OptionInvalid);
    assert_eq!(made(&[(7, vec![true])]).unwrap_err().code, Code::AttributeUnknown);

    let mut ruled = chain();
    ruled.potentials[0][3] = f64::NEG_INFINITY; // a = 0 and b = 3
    let row = |codes: [Option<u16>; 3]| codes.map(|code| vec![code]).to_vec();
    for method in METHODS {
        assert!(ruled.complete(row([Some(0), Some(2), None]), method).is_ok());
        assert!(ruled.complete(row([Some(0), Some(3), None]), method).is_err());
        assert!(ruled.complete(row([Some(0), Some(3), Some(1)]), method).is_err());
        ruled.potentials[1][18..].fill(f64::NEG_INFINITY); // b = 3
        assert!(ruled.complete(row([None, Some(3), None]), method).is_err());
        assert!(ruled.complete(row([None, None, Some(6)]), method).is_err());
        assert!(ruled.complete(vec![vec![None], vec![None]], method).is_err());
    }
}

#[test]
fn completed_rows_are_of_the_law() {
    let mut models = shapes();
    models.push(opposed());
    for model in models {
        // Records of the model, of which it draws again what is left out at random.
        let columns = model.job(20_000, Method::Iid, 7).complete().unwrap();
        let mut seed = Seed::new(8);
        let keep = |code: &u16| (seed.uniform() < 0.5).then_some(*code);
        let mut keep = keep;
        let rows: Vec<Vec<_>> = columns.iter().map(|column| column.iter().map(&mut keep).collect()).collect();
        let whole = model.complete(rows.clone(), Method::Iid).unwrap();
        for (whole, rows) in whole.iter().zip(&rows) {
            assert!(whole.iter().zip(rows).all(|(whole, code)| code.is_none_or(|code| code == *whole)));
        }
        of_law(&model.counts(&whole), &model.shares());
    }
}

#[test]
fn completed_groups_get_what_is_due() {
    // All of the same codes: what is missing is due to them as to a group.
    let model = chain();
    let rows = vec![vec![None; 300], vec![Some(2); 300], vec![None; 300]];
    let columns = model.complete(rows, Method::Systematic).unwrap();
    let (counts, shares) = (model.counts(&columns), model.shares());
    let group: f64 = (0..120).filter(|at| at / 6 % 4 == 2).map(|at| shares[at]).sum();
    for a in 0..5 {
        let cells = (24 * a + 12)..(24 * a + 18);
        let due = 300.0 * shares[cells.clone()].iter().sum::<f64>() / group;
        assert!((counts[cells].iter().sum::<f64>() - due).abs() < 1.0);
    }
    independent(&columns[0], &columns[2], &columns[1]);
}

#[test]
fn steps_of_any_length_give_the_same_records() {
    for method in METHODS {
        let whole = chain().job(100_000, method, 9).complete().unwrap();
        let mut job = chain().job(100_000, method, 9);
        let mut steps = 0;
        while !job.step(1).over {
            steps += 1;
        }
        assert!(steps > 50, "{steps}");
        assert_eq!(job.complete().unwrap(), whole);
    }
    assert_eq!(chain().job(0, Method::Iid, 9).complete().unwrap(), vec![Vec::<u16>::new(); 3]);
}

prop_compose! {
    fn any_shape()(sizes in prop::collection::vec(1u32..5, 2..7))
        (cliques in prop::collection::vec(prop::sample::subsequence((0..sizes.len() as u16).collect::<Vec<_>>(), 0..=sizes.len().min(4)).prop_shuffle(), 0..12), sizes in Just(sizes))
        -> (Vec<u32>, Vec<Vec<u16>>) { (sizes, cliques) }
}

proptest! {
    /// Records of any model are possible ones, and are refused where there are none.
    #[test]
    fn any_model(
        (sizes, cliques) in any_shape(),
        seed: u64,
        spread in prop::sample::select(vec![0.0, 1.0, 30.0, 600.0]),
        ruled in prop::sample::select(vec![0.0, 0.1, 0.6]),
        n in 0usize..50,
        method in prop::sample::select(METHODS.to_vec()),
    ) {
        let mut seed = Seed::new(seed);
        let mut model = Model::new(&sizes, &cliques, spread);
        for theta in model.potentials.iter_mut().flatten() {
            *theta = if seed.uniform() < ruled { f64::NEG_INFINITY } else { *theta };
        }
        let logs = Dense::new(&sizes, &cliques, &model.potentials).logs;
        let possible = logs.iter().any(|log| *log > f64::NEG_INFINITY);
        let made = model.job(n, method, seed.next_u64()).complete();
        prop_assert_eq!(made.is_ok(), possible);
        let columns = made.unwrap_or_else(|_| vec![vec![0; n]; sizes.len()]);
        let counts = model.counts(&columns);
        prop_assert!(!possible || counts.iter().zip(&logs).all(|(count, log)| *count == 0.0 || *log > f64::NEG_INFINITY));

        let keep = |code: &u16| (seed.uniform() < 0.5).then_some(*code);
        let mut keep = keep;
        let rows: Vec<Vec<_>> = columns.iter().map(|column| column.iter().map(&mut keep).collect()).collect();
        match model.complete(rows, method) {
            Ok(columns) => {
                let counts = model.counts(&columns);
                prop_assert!(counts.iter().zip(&logs).all(|(count, log)| *count == 0.0 || *log > f64::NEG_INFINITY));
            }
            Err(error) => prop_assert!(!possible && n > 0, "{}", error),
        }
    }
}
