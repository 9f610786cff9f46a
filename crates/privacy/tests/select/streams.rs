//! What must not matter: blocks, offsets; and what is refused.

use crate::support::{Listed, Seeded, ratio};
use marginalia_privacy::select::{
    Blocks, CellScores, Cells, Difference, Grid, Scores, exponential, permute_and_flip,
};
use marginalia_tables::{Code, Result};
use proptest::prelude::*;

/// What both mechanisms choose, and where they leave the bits.
fn chosen(listed: &Listed, seed: u64) -> [(u64, u64); 2] {
    let mut bits = Seeded(seed);
    let first = exponential(&mut listed.clone(), &ratio(1, 7), &mut bits).expect("one takes part");
    let after = bits.0;
    let second = permute_and_flip(&mut listed.clone(), &ratio(1, 7), &mut bits).expect("one takes part");
    [(first, after), (second, bits.0)]
}

proptest! {
    #[test]
    fn blocks_do_not_matter(scores in prop::collection::vec(-20i64..20, 1..200), size in 1usize..70, seed: u64) {
        let whole = Listed::new(&scores);
        prop_assert_eq!(chosen(&whole, seed), chosen(&whole.clone().blocks_of(size), seed));
    }

    #[test]
    fn blocks_do_not_matter_to_many(
        seeds in prop::collection::vec(-20i64..20, 1..60), times in 1usize..60, size in 1usize..2_000, seed: u64,
        weighted: bool,
    ) {
        let scores = seeds.repeat(times);
        let weights: Vec<f64> = (0..scores.len()).map(|i| (i % 3) as f64 + 0.5).collect();
        let plain = Listed::new(&scores);
        if weighted {
            let whole = plain.weighted(&weights);
            let one = |mut listed: Listed| exponential(&mut listed, &ratio(1, 7), &mut Seeded(seed));
            prop_assert_eq!(one(whole.clone()), one(whole.blocks_of(size)));
        } else {
            prop_assert_eq!(chosen(&plain, seed), chosen(&plain.clone().blocks_of(size), seed));
        }
    }

    #[test]
    fn an_offset_changes_no_bit(
        scores in prop::collection::vec(-1000i64..1000, 1..100), by in -(1i64 << 60)..1 << 60, seed: u64,
    ) {
        let moved: Vec<i64> = scores.iter().map(|score| score + by).collect();
        prop_assert_eq!(chosen(&Listed::new(&scores), seed), chosen(&Listed::new(&moved), seed));
    }
}

#[test]
fn nothing_to_choose_from_is_an_error() {
    let lists = [
        Listed::new(&[]),
        Listed::new(&[1, 2]).masked(&[false, false]),
        Listed::new(&[1, 2]).masked(&[true, false]).weighted(&[0.0, 1.0]),
    ];
    for mut list in lists {
        let error = exponential(&mut list, &ratio(1, 1), &mut Seeded(1)).expect_err("there is nothing");
        assert_eq!(error.code, Code::SelectionEmpty);
    }
}

#[test]
fn invalid_public_values_are_errors() {
    for weight in [-1.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE / 2.0, -0.5] {
        let mut list = Listed::new(&[1, 2]).weighted(&[1.0, weight]);
        let error = exponential(&mut list, &ratio(1, 1), &mut Seeded(1)).expect_err("the weight is invalid");
        assert_eq!(error.code, Code::OptionInvalid);
    }
    let mut weighted = Listed::new(&[1, 2]).weighted(&[1.0, 1.0]);
    let error = permute_and_flip(&mut weighted, &ratio(1, 1), &mut Seeded(1)).expect_err("it has weights");
    assert_eq!(error.code, Code::OptionInvalid);
    let mut short = Listed::new(&[1, 2]);
    for (epsilon, sensitivity) in [(ratio(0, 1), 1), (ratio(-1, 1), 1), (ratio(1, 1), 0)] {
        short.sensitivity = sensitivity;
        let error = exponential(&mut short, &epsilon, &mut Seeded(1)).expect_err("it is out of range");
        assert_eq!(error.code, Code::OptionInvalid);
    }
}

/// A source that never changes cannot choose between equals, and must not run for ever.
#[test]
fn a_broken_source_is_an_error() {
    struct Zeros;
    impl marginalia_privacy::select::Bits for Zeros {
        fn next_u64(&mut self) -> u64 {
            0
        }
    }
    let error =
        exponential(&mut Listed::new(&[1, 1]), &ratio(1, 1), &mut Zeros).expect_err("no digits differ");
    assert_eq!(error.code, Code::EntropyBroken);
}

/// Cells in memory, given once.
struct Once(Vec<i64>, Vec<f64>, Vec<f64>, bool);

impl Blocks for Once {
    fn next(&mut self) -> Result<Option<Cells<'_>>> {
        let first = !std::mem::replace(&mut self.3, true);
        let cells = Cells {
            counts: &self.0,
            answers: &self.1,
            penalties: (!self.2.is_empty()).then_some(&*self.2),
            weights: None,
            mask: None,
        };
        Ok(first.then_some(cells))
    }
}

fn scores(counts: &[i64], answers: &[f64], penalties: &[f64], difference: Difference) -> Result<Vec<i64>> {
    let once = Once(counts.to_vec(), answers.to_vec(), penalties.to_vec(), false);
    let mut scores = CellScores::new(once, Grid::new(4)?, difference, 2);
    assert_eq!(scores.sensitivity(), 32);
    let all = scores.next()?.expect("there is one block").scores.to_vec();
    assert!(scores.next()?.is_none());
    Ok(all)
}

#[test]
fn public_terms_are_rounded_to_the_grid() {
    let (counts, answers) = ([3, 0, 5, 0], [2.5, 0.04, 5.97, -1.03126]);
    let absolute = scores(&counts, &answers, &[], Difference::Absolute);
    assert_eq!(absolute, Ok(vec![8, 1, 16, 17]));
    let signed = scores(&counts, &answers, &[0.0, 1.0, -1.0, 0.5], Difference::Signed);
    assert_eq!(signed, Ok(vec![8, -17, 0, 9]));
}

#[test]
fn counts_that_no_table_reaches_are_cut() {
    let most = 1i64 << 50;
    let signed =
        scores(&[i64::MAX, most / 16 + 1, most / 16 - 1, i64::MIN], &[0.0; 4], &[], Difference::Signed);
    assert_eq!(signed, Ok(vec![most, most, most - 16, -most]));
}

#[test]
fn public_terms_beyond_the_grid_are_refused() {
    for wrong in [f64::NAN, f64::INFINITY, 1e15, -1e300] {
        let answer = scores(&[0], &[wrong], &[], Difference::Absolute).expect_err("it is too large");
        let penalty = scores(&[0], &[0.0], &[wrong], Difference::Signed).expect_err("it is too large");
        assert_eq!((answer.code, penalty.code), (Code::OptionInvalid, Code::OptionInvalid));
    }
    assert!(scores(&[0, 1], &[0.0], &[], Difference::Signed).is_err());
    assert!(scores(&[0, 1], &[0.0, 0.0], &[0.0], Difference::Signed).is_err());
    assert!(Grid::new(17).is_err());
}

proptest! {
    /// Whatever the public terms are: neighbouring counts have scores at most the sensitivity apart.
    #[test]
    fn scores_move_by_at_most_their_sensitivity(
        count: i64, by in -2i64..=2, answer in -1e12f64..1e12, penalty in -1e9f64..1e9,
    ) {
        for difference in [Difference::Absolute, Difference::Signed] {
            let score = |count: i64| scores(&[count], &[answer], &[penalty], difference).expect("it fits")[0];
            prop_assert!((score(count) - score(count.saturating_add(by))).abs() <= 32);
        }
    }
}
