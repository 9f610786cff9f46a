//! Probabilities, variances and tails against sums and against figures of another implementation.

use super::super::{LIMIT, Law, Scale};
use super::{fraction, gaussian, grid, laplace};
use num_bigint::BigInt;
use num_rational::BigRational;

#[track_caller]
fn close(ours: f64, theirs: f64) {
    assert!((ours - theirs).abs() <= 1e-9 * theirs.abs(), "{ours:e} is not {theirs:e}");
}

fn by_variance(p: u64, q: u64) -> Law {
    Law::gaussian(Scale::at_least(&fraction(p, q)).expect("within the limits")).expect("within the limits")
}

/// Sums with 40 digits, by Python's decimal module.
#[test]
fn variances_are_those_of_the_discrete_laws() {
    for (p, q, expected) in [
        (1, 100, 3.8574996959278356e-22),
        (1, 16, 0.0006704754170156478),
        (1, 4, 0.21501267508813848),
        (49, 100, 0.4888056304285871),
        (1, 2, 0.49897913083282047),
        (51, 100, 0.5091281290991901),
        (1, 1, 0.9999997887677281),
        (100, 1, 100.0),
        (1 << 63, 1, 9.223372036854776e+18),
    ] {
        close(by_variance(p, q).variance(), expected);
    }
    for (p, q, expected) in [
        (1, 10, 9.080810470095082e-05),
        (1, 2, 0.3620308304831552),
        (1, 1, 1.8413471884155845),
        (10, 1, 199.83341663360946),
        (10_000, 1, 199999999.83333334),
        (1 << 40, 1, 2.4178516392292583e+24),
    ] {
        close(laplace(&fraction(p, q)).variance(), expected);
    }
}

#[test]
fn tails_of_gauss_by_sum_and_by_integral() {
    for (variance, k, expected) in [
        (1, 0, 0.6010577217331383),
        (1, 5, 1.2170045181944825e-08),
        (4000, 100, 0.11204660419535775),
        (4096, 100, 0.11633871305641087),
        (5000, 0, 0.9943581041645224),
        (5000, 500, 1.4604111627670912e-12),
        (1_000_000, 0, 0.9996010577195986),
        (1_000_000, 5000, 5.718176631761282e-07),
    ] {
        close(by_variance(variance, 1).tail(k), expected);
    }
}

/// Probabilities sum to one, their second moment is the variance, what is left beyond k is the tail.
#[test]
fn probabilities_variance_and_tail_agree() {
    for law in grid().filter(|law| law.variance() < 3000.0) {
        let (mut within, mut second) = (0.0, 0.0);
        for x in 0..3000i64 {
            let both = law.pmf(x) + if x == 0 { 0.0 } else { law.pmf(-x) };
            within += both;
            second += (x * x) as f64 * both;
            assert!((law.tail(x as u64) - (1.0 - within)).abs() < 1e-12, "{law:?} beyond {x}");
        }
        close(within, 1.0);
        assert!((second - law.variance()).abs() <= 1e-9 * law.variance() + 1e-300, "{law:?}: {second}");
    }
}

#[test]
fn quantiles_are_the_least_that_suffice() {
    for law in grid() {
        for level in [0.5, 0.9, 0.99] {
            let k = law.quantile(level);
            assert!(law.tail(k) <= 1.0 - level, "{law:?}");
            assert!(k == 0 || law.tail(k - 1) > 1.0 - level, "{law:?}");
        }
        assert_eq!(law.quantile(0.0), 0);
    }
    // 90 % lie within 1.64485 σ or within ln 10 · b, of which the stretch of ½ around an integer takes a part.
    assert_eq!(gaussian(&fraction(10_000, 1)).quantile(0.9), 16_449);
    assert_eq!(laplace(&fraction(10_000, 1)).quantile(0.9), 23_026);
}

#[test]
fn the_limit_holds_what_is_beyond_it() {
    let law = laplace(&fraction(1 << 48, 1));
    assert_eq!((law.pmf(LIMIT + 1), law.pmf(i64::MAX), law.tail(u64::MAX)), (0.0, 0.0, 0.0));
    close(law.pmf(LIMIT), (-32f64).exp() / 2.0);
    close(law.pmf(-LIMIT), law.pmf(LIMIT));
}

#[test]
fn spreads_that_leave_nothing_are_refused() {
    let scale = |x: BigRational| Scale::at_least(&x).expect("within the limits of scales");
    let most = BigRational::from(BigInt::from(1u64 << 48));
    let above = &most + fraction(1, 1000);
    assert!(Law::laplace(scale(most.clone())).is_ok() && Law::laplace(scale(above)).is_err());
    assert!(Law::gaussian(scale(&most * &most)).is_ok());
}

#[cfg(feature = "test-noise")]
#[test]
fn halved_laws_have_half_the_spread() {
    let half = |law: Law| law.halved().expect("within the limits");
    assert_eq!(half(laplace(&fraction(7, 3))), laplace(&fraction(7, 6)));
    assert_eq!(half(gaussian(&fraction(7, 3))), gaussian(&fraction(7, 6)));
}
