//! Counting against a brute-force count.

use marginalia_tables::count::{Answers, CountJob, Counting, count};
use marginalia_tables::{CHUNK_ROWS, Code, Domain, Result, Schema, Table, Workload};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

const LIMIT: u64 = 1 << 30;

/// A schema of categories with so many codes each.
fn schema(sizes: &[u32]) -> Schema {
    let attribute = |(i, size): (usize, &u32)| {
        let values: Vec<String> = (0..*size).map(|value| format!("\"{value}\"")).collect();
        format!(r#"{{"name":"a{i}","type":"category","values":[{}]}}"#, values.join(","))
    };
    let attributes: Vec<String> = sizes.iter().enumerate().map(attribute).collect();
    Schema::from_json(&format!(r#"{{"nulls":[],"attributes":[{}]}}"#, attributes.join(","))).unwrap()
}

/// A generator whose numbers depend on its seed alone.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((self.0 >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// A table of random rows, skewed towards the first codes; weights are eighths, so that their sums are exact.
fn table(sizes: &[u32], rows: usize, weighted: bool, seed: u64) -> Arc<Table> {
    let mut random = Random(seed);
    let mut table = Table::new(Arc::new(schema(sizes)), weighted, &[]);
    let columns: Vec<Vec<u16>> = sizes
        .iter()
        .map(|size| {
            (0..rows)
                .map(|_| {
                    let most = random.below(*size) + 1;
                    random.below(most) as u16
                })
                .collect()
        })
        .collect();
    let weights: Vec<f64> = (0..rows).map(|_| f64::from(random.below(100)) / 8.0).collect();
    let columns: Vec<&[u16]> = columns.iter().map(Vec::as_slice).collect();
    table.extend(&columns, weighted.then_some(&weights), &[]).unwrap();
    Arc::new(table)
}

/// The cells that occur, one row after another.
fn brute_force(table: &Table, clique: &[u16]) -> BTreeMap<u64, f64> {
    let sizes = table.schema().sizes();
    let mut counts = BTreeMap::new();
    for row in 0..table.rows() {
        let cell = clique.iter().fold(0u64, |cell, a| {
            let a = usize::from(*a);
            cell * u64::from(sizes[a]) + u64::from(table.columns()[a].get(row))
        });
        *counts.entry(cell).or_default() += table.weights().map_or(1.0, |weights| weights.get(row));
    }
    counts.retain(|_, count| *count != 0.0);
    counts
}

fn assert_counts(table: &Table, answers: &Answers) {
    for (i, clique) in answers.workload().cliques().enumerate() {
        let expected = brute_force(table, clique);
        let (cells, counts) = answers.nonzero(i).unwrap();
        assert!(cells.iter().zip(&counts).eq(expected.iter()), "clique {clique:?} differs");
        let range = answers.workload().cells(i);
        if range.end - range.start < 1 << 20 {
            let mut dense = vec![0.0; (range.end - range.start) as usize];
            expected.iter().for_each(|(cell, count)| dense[*cell as usize] = *count);
            assert_eq!(answers.clique(i).unwrap(), dense, "clique {clique:?} differs");
        }
    }
}

/// Sizes of attributes, some with one code and some that need two bytes.
fn sizes() -> impl Strategy<Value = Vec<u32>> {
    let size = prop_oneof![1 => Just(1u32), 8 => 2u32..12, 2 => 12u32..257, 1 => 257u32..700];
    prop::collection::vec(size, 1..9)
}

/// Cliques of up to six attributes in any order, the empty one and repeated ones among them.
fn cliques(attributes: usize) -> impl Strategy<Value = Vec<Vec<u16>>> {
    let all: Vec<u16> = (0..attributes as u16).collect();
    let clique = prop::sample::subsequence(all, 0..=attributes.min(6)).prop_shuffle();
    prop::collection::vec(clique, 0..25)
}

fn check(sizes: &[u32], cliques: &[Vec<u16>], rows: usize, weighted: bool, seed: u64, work: u64) {
    let table = table(sizes, rows, weighted, seed);
    let Ok(workload) = Workload::from_cliques(table.domain(), cliques) else { return };
    let counted =
        CountJob::new(Arc::clone(&table), Arc::new(workload), LIMIT).and_then(|job| in_steps(job, work));
    match counted {
        Err(error) => assert_eq!(error.code, Code::ModelTooLarge),
        Ok(answers) => assert_counts(&table, &answers),
    }
}

/// Counts in steps of so much work, which must add up to what was announced.
fn in_steps(mut job: CountJob, work: u64) -> Result<Answers> {
    let mut done = 0;
    while !job.step(work)? {
        assert!(job.done() > done, "a step did nothing");
        done = job.done();
    }
    assert_eq!(job.done(), job.total());
    Box::new(job).finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_cliques_of_any_table(
        (sizes, cliques) in sizes().prop_flat_map(|s| { let n = s.len(); (Just(s), cliques(n)) }),
        rows in prop_oneof![Just(0usize), 1usize..3, 3usize..5000],
        weighted: bool,
        seed: u64,
        work in prop_oneof![Just(1u64), 1u64..100_000, Just(u64::MAX)],
    ) {
        check(&sizes, &cliques, rows, weighted, seed, work);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn tables_of_several_chunks(
        (sizes, cliques) in sizes().prop_flat_map(|s| { let n = s.len(); (Just(s), cliques(n)) }),
        chunks in 1usize..4,
        more in -3isize..4,
        weighted: bool,
        seed: u64,
        work in prop_oneof![Just(1u64), Just(200_000), Just(u64::MAX)],
    ) {
        check(&sizes, &cliques, (chunks * CHUNK_ROWS).saturating_add_signed(more), weighted, seed, work);
    }
}

#[test]
fn tables_of_several_segments() {
    let sizes = [2, 3, 50, 300, 4];
    for weighted in [false, true] {
        let table = table(&sizes, 17 * CHUNK_ROWS + 5, weighted, 7);
        let cliques: Vec<Vec<u16>> = (0..40).map(|i| vec![i % 5, (i + 1) % 5]).collect();
        let workload = Arc::new(Workload::from_cliques(table.domain(), &cliques).unwrap());
        let answers = count(&table, &workload, LIMIT).unwrap();
        assert_counts_of(&table, &answers, 5);
    }
}

/// Compares the first cliques only; the others must equal the one five before.
fn assert_counts_of(table: &Table, answers: &Answers, first: usize) {
    for i in 0..answers.workload().len() {
        if i < first {
            let expected = brute_force(table, answers.workload().clique(i));
            let (cells, counts) = answers.nonzero(i).unwrap();
            assert!(cells.iter().zip(&counts).eq(expected.iter()), "clique {i} differs");
        } else {
            assert_eq!(answers.clique(i), answers.clique(i - first));
        }
    }
}

#[test]
fn large_cliques_are_dense_or_sparse_and_right_in_both_forms() {
    for weighted in [false, true] {
        let table = table(&[300, 400, 7, 90], 20_000, weighted, 3);
        let cliques: [&[u16]; 6] = [&[0, 1], &[1, 0], &[3, 1, 0], &[0, 1, 3], &[2, 0, 1, 3], &[2]];
        let workload = Arc::new(Workload::from_cliques(table.domain(), &cliques).unwrap());
        let answers = count(&table, &workload, LIMIT).unwrap();
        let sparse: Vec<bool> = (0..6).map(|i| answers.is_sparse(i)).collect();
        assert_eq!(sparse, [false, false, true, true, true, false]);
        assert!(answers.flat().is_none());
        assert_counts(&table, &answers);
    }
}

#[test]
fn blocks_are_the_cells_of_all_cliques_cut_anywhere() {
    let table = table(&[300, 400, 30], 500, true, 11);
    let cliques: [&[u16]; 5] = [&[2], &[0, 1], &[], &[1, 2], &[0, 1, 2]];
    let workload = Arc::new(Workload::from_cliques(table.domain(), &cliques).unwrap());
    let answers = count(&table, &workload, LIMIT).unwrap();
    assert!(answers.is_sparse(4) && !answers.is_sparse(0), "both forms occur");
    let all: Vec<f64> = (0..5).flat_map(|i| brute_force_cells(&table, &workload, i)).collect();
    let end = workload.total_cells();
    for size in [1 << 23, 90_001, 4096] {
        let mut joined = Vec::new();
        for from in (0..end).step_by(size) {
            joined.extend(answers.block(from..from + size as u64).unwrap());
        }
        assert_eq!(joined, all);
    }
    let few = answers.block(2..5).unwrap();
    assert_eq!(few, all[2..5]);
    assert!(answers.block(end..end + 9).unwrap().is_empty());
}

/// All cells of clique `i`, one row after another.
fn brute_force_cells(table: &Table, workload: &Workload, i: usize) -> Vec<f64> {
    let range = workload.cells(i);
    let mut cells = vec![0.0; (range.end - range.start) as usize];
    for (cell, count) in brute_force(table, workload.clique(i)) {
        cells[cell as usize] = count;
    }
    cells
}

#[test]
fn sparse_cliques_of_several_chunks_are_renumbered_in_small_steps() {
    let table = table(&[300, 400, 7, 90], 2 * CHUNK_ROWS + 9, true, 5);
    let cliques: [&[u16]; 3] = [&[3, 1, 0], &[0, 1, 3], &[1, 3, 0]];
    let workload = Arc::new(Workload::from_cliques(table.domain(), &cliques).unwrap());
    let mut job = CountJob::new(Arc::clone(&table), workload, LIMIT).unwrap();
    let (mut steps, mut largest, mut done) = (1, 0, 0);
    while !job.step(1 << 16).unwrap() {
        largest = largest.max(job.done() - done);
        (done, steps) = (job.done(), steps + 1);
    }
    assert!(steps >= 6 && largest < 256 * CHUNK_ROWS as u64, "{steps} steps, the largest of {largest} units");
    assert_counts(&table, &Box::new(job).finish().unwrap());
}

/// No step does more than was asked for and the rows of one chunk, which come in one go: nothing that takes as long as
/// all cells is done at once, neither clearing nor turning nor copying them.
#[cfg(feature = "threads")]
fn threads() -> u64 {
    rayon::current_num_threads() as u64
}

#[cfg(not(feature = "threads"))]
fn threads() -> u64 {
    1
}

#[test]
fn large_dense_cliques_are_counted_and_turned_in_small_steps() {
    const WORK: u64 = 1 << 16;
    let table = table(&[420, 400, 3], CHUNK_ROWS + 9, true, 9);
    let cliques: [&[u16]; 6] = [&[2], &[1, 0], &[0, 1], &[0, 2, 1], &[1, 0], &[1, 2, 0]];
    let workload = Arc::new(Workload::from_cliques(table.domain(), &cliques).unwrap());
    // The limit leaves room for the answers and little more: no second table is made.
    let limit = 8 * workload.total_cells() + (2 << 20);
    let mut job = CountJob::new(Arc::clone(&table), workload, limit).unwrap();
    let (mut steps, mut largest, mut done) = (1, 0, 0);
    while !job.step(WORK).unwrap() {
        largest = largest.max(job.done() - done);
        (done, steps) = (job.done(), steps + 1);
    }
    assert_eq!(job.done(), job.total());
    // A step gives every thread as much.
    assert!(largest <= threads() * (WORK + 8 * CHUNK_ROWS as u64), "a step of {largest} units");
    assert!(steps > 150 / threads(), "{steps} steps");
    let answers = Box::new(job).finish().unwrap();
    assert!((0..6).all(|i| !answers.is_sparse(i)));
    assert_counts(&table, &answers);
}

#[test]
fn what_does_not_fit_the_limit_is_refused_before_and_after() {
    let table = table(&[256, 256, 256, 256], 100, false, 1);
    let workload = |cliques: &[&[u16]]| Arc::new(Workload::from_cliques(table.domain(), cliques).unwrap());
    let pairs = workload(&[&[0, 1], &[2, 3]]);
    let error = count(&table, &pairs, 1 << 20).unwrap_err();
    assert_eq!(error.code, Code::ModelTooLarge);
    assert!(error.message.contains("131072 cells"), "{}", error.message);
    let answers = count(&table, &workload(&[&[3, 2, 1, 0]]), 1 << 24).unwrap();
    assert_eq!(answers.clique(0).unwrap_err().code, Code::ModelTooLarge);
    assert_eq!(answers.nonzero(0).unwrap().1.iter().sum::<f64>(), 100.0);
}

#[test]
fn a_workload_over_another_domain_is_refused() {
    let table = table(&[2, 3], 10, false, 1);
    let workload = Workload::from_cliques(Domain::new([2, 4]), &[[0u16]]).unwrap();
    assert_eq!(count(&table, &Arc::new(workload), LIMIT).unwrap_err().code, Code::OptionInvalid);
}

/// Sums of weights that no float holds exactly, over several segments, as one number.
fn fingerprint() -> u64 {
    let sizes = [3, 5, 17, 260, 40, 2, 64, 90];
    let mut random = Random(11);
    let mut table = Table::new(Arc::new(schema(&sizes)), true, &[]);
    let rows = 3 * CHUNK_ROWS + 17;
    let columns: Vec<Vec<u16>> =
        sizes.iter().map(|size| (0..rows).map(|_| random.below(*size) as u16).collect()).collect();
    let weights: Vec<f64> = (0..rows).map(|_| 1.0 / f64::from(1 + random.below(1000))).collect();
    let columns: Vec<&[u16]> = columns.iter().map(Vec::as_slice).collect();
    table.extend(&columns, Some(&weights), &[]).unwrap();
    let mut cliques: Vec<Vec<u16>> = (0..8).flat_map(|a| (0..a).map(move |b| vec![a, b])).collect();
    cliques.extend([vec![], vec![3, 4, 6], vec![2, 3, 4, 6, 7]]);
    let table = Arc::new(table);
    let workload = Arc::new(Workload::from_cliques(table.domain(), &cliques).unwrap());
    let answers = in_steps(CountJob::new(table, workload, LIMIT).unwrap(), 300_000).unwrap();
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for i in 0..cliques.len() {
        let (cells, sums) = answers.nonzero(i).unwrap();
        for word in cells.into_iter().chain(sums.into_iter().map(f64::to_bits)) {
            hash = (hash ^ word).wrapping_mul(0x0100_0000_01b3);
        }
    }
    hash
}

/// The same number with and without the feature `threads`, and on every platform.
const FINGERPRINT: u64 = 5_205_855_425_416_128_256;

#[test]
fn sums_of_weights_have_the_same_bits_everywhere() {
    assert_eq!(fingerprint(), FINGERPRINT);
}

#[cfg(feature = "threads")]
#[test]
fn sums_of_weights_have_the_same_bits_for_any_number_of_threads() {
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(fingerprint), FINGERPRINT);
    }
}
