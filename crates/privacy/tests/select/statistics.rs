//! Counts against probabilities, with a declared rate of false alarms.

/// How many tests of this file's kind there are, at most; together they raise a false alarm with less than 1e-6.
const TESTS: f64 = 64.0;

/// 10⁶ draws; 10⁷ with `MARGINALIA_FULL`.
pub fn draws() -> u64 {
    if std::env::var_os("MARGINALIA_FULL").is_some() { 10_000_000 } else { 1_000_000 }
}

/// Pearson's χ² of counts; cells expected fewer than 200 times are taken together, and those of them that are
/// expected less than 1e-9 times altogether must not occur.
///
/// The limit is that of Laurent and Massart (2000, Lemma 1): a χ² variable with k degrees exceeds
/// k + 2√(kx) + 2x with probability at most e⁻ˣ. That of the rare ones is Bernstein's: m + √(2mx) + 2x/3.
pub fn agrees(counts: &[u64], law: &[f64]) -> Result<(), String> {
    let total = counts.iter().sum::<u64>() as f64;
    let x = (1e6 * TESTS).ln();
    let (mut statistic, mut cells) = (0.0, 0u32);
    let (mut rare, mut rarely) = (0.0, 0.0);
    let mut add = |count: f64, expected: f64| {
        statistic += (count - expected).powi(2) / expected;
        cells += 1;
    };
    for (count, p) in counts.iter().zip(law) {
        match p * total >= 200.0 {
            true => add(*count as f64, p * total),
            false => (rare, rarely) = (rare + *count as f64, rarely + p * total),
        }
    }
    if rarely < 1e-9 && rare > 0.0 {
        return Err(format!("{rare} draws of candidates that are all but impossible"));
    }
    if rarely >= 200.0 {
        add(rare, rarely);
    } else if rare > rarely + (2.0 * rarely * x).sqrt() + x / 1.5 {
        return Err(format!("{rare} draws of candidates that are expected {rarely} times"));
    }
    let k = f64::from(cells) - 1.0;
    let limit = k + 2.0 * (k * x).sqrt() + 2.0 * x;
    if statistic > limit { Err(format!("χ² is {statistic} of at most {limit}")) } else { Ok(()) }
}

#[test]
fn a_wrong_law_is_noticed() {
    let counts = [500_000, 300_000, 200_000];
    assert!(agrees(&counts, &[0.5, 0.3, 0.2]).is_ok());
    assert!(agrees(&counts, &[0.505, 0.298, 0.197]).is_err());
    assert!(agrees(&[1_000_000, 1], &[1.0, 0.0]).is_err());
    assert!(agrees(&[999_800, 200], &[0.9999, 0.0001]).is_err());
    assert!(agrees(&[999_900, 100], &[0.9999, 0.0001]).is_ok());
}
