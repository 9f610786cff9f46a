//! Times selection: `bench_select [candidates] [repeats]`, one line of JSON per scenario.
//!
//! Each scenario runs beside one plain pass of `exp` over as many numbers, in turn, so that their ratio holds on a
//! busy machine; the figures are the least of the repeats. Bits come from ChaCha20 with a fixed key.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use marginalia_privacy::select::{
    Bits, Block, Blocks, CellScores, Cells, Difference, Grid, Scores, exponential, permute_and_flip,
};
use marginalia_tables::Result;
use num_rational::BigRational;
use std::hint::black_box;
use std::time::Instant;

/// Cells in one block, as a marginal of two attributes may have.
const BLOCK: usize = 4096;

struct Cipher(ChaCha20Rng);

impl Bits for Cipher {
    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// Counts beside answers, block by block.
struct Stored<'a> {
    counts: &'a [i64],
    answers: &'a [f64],
    weights: Option<&'a [f64]>,
    mask: Option<&'a [bool]>,
    at: usize,
}

impl Blocks for Stored<'_> {
    fn next(&mut self) -> Result<Option<Cells<'_>>> {
        let range = self.at..(self.at + BLOCK).min(self.counts.len());
        self.at = range.end;
        Ok((!range.is_empty()).then(|| Cells {
            counts: &self.counts[range.clone()],
            answers: &self.answers[range.clone()],
            penalties: None,
            weights: self.weights.map(|weights| &weights[range.clone()]),
            mask: self.mask.map(|mask| &mask[range.clone()]),
        }))
    }
}

/// Every score larger than all before it: the best changes as often as it can.
struct Ascending(Vec<i64>, bool);

impl Scores for Ascending {
    fn sensitivity(&self) -> u64 {
        1
    }

    fn next(&mut self) -> Result<Option<Block<'_>>> {
        let first = !std::mem::replace(&mut self.1, true);
        Ok(first.then_some(Block { scores: &self.0, weights: None, mask: None }))
    }
}

/// Public and private sides of made-up cells: sizes skewed as in a marginal, a model that is nearly right.
struct Made {
    counts: Vec<i64>,
    answers: Vec<f64>,
    weights: Vec<f64>,
    mask: Vec<bool>,
}

impl Made {
    fn new(candidates: usize) -> Self {
        let mut source = ChaCha20Rng::from_seed([7; 32]);
        let mut unit = || (source.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let mut made = Made { counts: vec![], answers: vec![], weights: vec![], mask: vec![] };
        for _ in 0..candidates {
            let size = 1000.0 * unit().powi(4);
            made.counts.push(size as i64);
            made.answers.push(size + size.sqrt() * (unit() - 0.5));
            made.weights.push(0.5 + unit());
            made.mask.push(unit() < 0.9);
        }
        made
    }

    fn scores(&self, weighted: bool) -> CellScores<Stored<'_>> {
        let stored = Stored {
            counts: &self.counts,
            answers: &self.answers,
            weights: weighted.then_some(&self.weights),
            mask: weighted.then_some(&self.mask),
            at: 0,
        };
        let grid = Grid::new(10).expect("ten digits are few");
        CellScores::new(stored, grid, Difference::Absolute, 1)
    }
}

/// The score of each candidate, by its place.
type Rising = fn(i64) -> i64;

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let (candidates, repeats) =
        (numbers.first().copied().unwrap_or(1_000_000), numbers.get(1).copied().unwrap_or(15));
    let made = Made::new(candidates);
    let mut bits = Cipher(ChaCha20Rng::from_seed([9; 32]));
    for (p, q) in [(1, 1000), (1, 10), (1, 1)] {
        let epsilon = BigRational::new(p.into(), q.into());
        let name = |what: &str| format!("{what}, epsilon {p}/{q}");
        compare(&name("exponential"), &made, repeats, || {
            exponential(&mut made.scores(false), &epsilon, &mut bits)
        });
        compare(&name("exponential, weights and mask"), &made, repeats, || {
            exponential(&mut made.scores(true), &epsilon, &mut bits)
        });
        compare(&name("permute-and-flip"), &made, repeats, || {
            permute_and_flip(&mut made.scores(false), &epsilon, &mut bits)
        });
    }
    let one = BigRational::from_integer(1.into());
    let rising: [(&str, Rising); 3] = [
        ("exponential, every candidate the best so far", |i| i),
        ("exponential, every candidate the best so far by a quarter", |i| i / 2),
        ("exponential, every thousand equal and far better than the last", |i| i / 1000 * 60),
    ];
    for (name, score) in rising {
        let mut ascending = Ascending((0..candidates as i64).map(score).collect(), false);
        compare(name, &made, repeats, || {
            ascending.1 = false;
            exponential(&mut ascending, &one, &mut bits)
        });
    }
}

/// One line for a scenario: its least time beside that of a pass of `exp`, per candidate.
fn compare(name: &str, made: &Made, repeats: usize, mut select: impl FnMut() -> Result<u64>) {
    let (mut plain, mut selected) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..repeats {
        plain = plain.min(timed(|| made.answers.iter().map(|x| (x * -0.01).exp()).sum::<f64>()));
        selected = selected.min(timed(|| select().expect("one takes part")));
    }
    let per = 1e9 / made.answers.len() as f64;
    println!(
        "{{\"scenario\":\"{name}\",\"candidates\":{},\"ns_exp\":{:.2},\"ns_select\":{:.2},\"ratio\":{:.2}}}",
        made.answers.len(),
        plain * per,
        selected * per,
        selected / plain,
    );
}

fn timed<R>(work: impl FnOnce() -> R) -> f64 {
    let start = Instant::now();
    black_box(work());
    start.elapsed().as_secs_f64()
}
