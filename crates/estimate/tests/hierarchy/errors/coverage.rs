//! Against repeated draws: of the noise, and of all.

use marginalia_estimate::deviates::normal;
use marginalia_estimate::hierarchy::Strength;
use marginalia_estimate::seed::Seed;

use super::world::*;

/// The part of answers within 1.645 of their standard errors, and how many there were.
#[derive(Default)]
struct Cover(f64, f64);

impl Cover {
    fn take(&mut self, found: &[f64], expected: &[f64], errors: impl Iterator<Item = f64>) {
        for ((found, expected), error) in found.iter().zip(expected).zip(errors) {
            self.0 += f64::from(u8::from((found - expected).abs() <= 1.645 * error.sqrt()));
            self.1 += 1.0;
        }
    }

    fn part(&self) -> f64 {
        self.0 / self.1
    }
}

/// Of one group, of some, of all; with the cliques that are asked of each.
const SUMS: [&[usize]; 3] = [&[3], &[3, 4], &FINEST];
const QUESTIONS: [&[u16]; 3] = [&[2], &[3], &[2, 3]];

/// Of 400 draws. Of the answers of a draw at least four are apart, so that a share of 0.9 has a deviation of 0.3/√1600 =
/// 0.0075; 0.0375 are five, which a true share leaves by chance less than once in a million times.
const DRAWS: usize = 400;
const REACH: f64 = 0.0375;

#[test]
fn noise_holds_the_answers_of_other_draws_as_often_as_it_says() {
    let (plan, levels) = chain();
    let mut seed = Seed::new(11);
    let how = (Strength::Fixed(500.0), &AGREE);
    let exact = estimated(&plan, base(true), &measured(&levels, &records(), || 0.0), how);
    let mut covers = SUMS.map(|_| Cover::default());
    for _ in 0..DRAWS {
        let measured = measured(&levels, &records(), || normal(&mut seed));
        let hierarchy = estimated(&plan, base(true), &measured, how);
        for (groups, cover) in SUMS.iter().zip(&mut covers) {
            let (center, found) =
                (answers(&exact, groups, &QUESTIONS), answers(&hierarchy, groups, &QUESTIONS));
            let spreads = errors(&hierarchy, &measured, &AGREE, request(groups, &QUESTIONS));
            // Nothing is known of a pair without a row, and nothing is said of it.
            let some = |i: &usize| spreads[*i].noise > 1e-9;
            let at: Vec<usize> = (0..found.len()).filter(some).collect();
            let [found, center] =
                [&found, &center].map(|list| at.iter().map(|i| list[*i]).collect::<Vec<_>>());
            cover.take(&found, &center, at.iter().map(|i| spreads[*i].noise));
        }
    }
    for cover in covers {
        assert!((cover.part() - 0.9).abs() < REACH, "{} of {}", cover.part(), cover.1);
    }
}

/// So many draws from shares.
fn sample(shares: &[f64], records: usize, seed: &mut Seed) -> Vec<f64> {
    let mut counts = vec![0.0; shares.len()];
    let all: f64 = shares.iter().sum();
    for _ in 0..records {
        let mut left = seed.uniform() * all;
        let row = shares.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        counts[row.unwrap_or(0)] += 1.0;
    }
    counts
}

#[test]
fn all_holds_the_records_themselves_where_public_rows_and_groups_are_samples() {
    let (plan, levels) = chain();
    let mut seed = Seed::new(12);
    let mut covers = SUMS.map(|_| Cover::default());
    let mut short = SUMS.map(|_| Cover::default());
    for _ in 0..DRAWS {
        // What is true is as far from the public shares as a sample of PUBLIC records.
        let truth = sample(base(true).prior(), PUBLIC as usize, &mut seed);
        let records = [300, 500, 200, 700].map(|n| sample(&truth, n, &mut seed));
        let measured = measured(&levels, &records, || normal(&mut seed));
        let hierarchy = estimated(&plan, base(true), &measured, (HARMONIC, &AGREE));
        for (i, groups) in SUMS.iter().enumerate() {
            let mut own = records.clone();
            for (g, at) in FINEST.iter().enumerate() {
                if !groups.contains(at) {
                    own[g].fill(0.0);
                }
            }
            let expected: Vec<f64> = QUESTIONS.iter().flat_map(|clique| counted(&own, clique)).collect();
            let found = answers(&hierarchy, groups, &QUESTIONS);
            let spreads = errors(&hierarchy, &measured, &AGREE, request(groups, &QUESTIONS));
            let at: Vec<usize> = (0..found.len()).filter(|i| spreads[*i].noise > 1e-9).collect();
            let [found, expected] =
                [&found, &expected].map(|list| at.iter().map(|i| list[*i]).collect::<Vec<_>>());
            covers[i].take(&found, &expected, at.iter().map(|i| spreads[*i].noise + spreads[*i].open));
            short[i].take(&found, &expected, at.iter().map(|i| spreads[*i].noise));
        }
    }
    let of = |covers: &[Cover; 3]| [0, 1, 2].map(|i: usize| covers[i].part());
    for cover in of(&covers) {
        assert!((cover - 0.9).abs() < REACH, "{cover}");
    }
    // By the noise alone they are too small for that, which is why both are there; all groups together were measured.
    let [one, some, _] = of(&short);
    assert!(one < 0.7 && some < 0.7, "{one} {some}");
}
