//! Attacks that broke others, each against this crate, and against what they broke.

use crate::common::{generator, seal};
use crate::distinguisher::{self, epsilon, tries};
use crate::measure::{gaussian, laplace, measured, request};
use crate::select::{choice, found};
use marginalia_privacy::sampler::Law;
use marginalia_privacy::sealed::Sealed;
use marginalia_privacy::select::{Candidates, Difference, Mechanism};
use marginalia_privacy::unit::{Neighbours, Relation, Unit};
use marginalia_tables::query::{Matrix, Query};
use std::collections::HashSet;

const ROW: Neighbours = Neighbours { unit: Unit::Row, relation: Relation::AddRemove };
const TABLES: [[usize; 6]; 2] = [[2, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0]];

/// Mironov (2012): noise made of floating-point numbers reaches other values from one count than from the next. The
/// attacker learns from half of the draws which values come of the first table only, and tells by them in the rest.
fn by_learned_values(draws: [Vec<f64>; 2]) -> f64 {
    let half = draws[0].len() / 2;
    let learned = [0, 1].map(|i| draws[i][..half].iter().map(|x| x.to_bits()).collect::<HashSet<_>>());
    let only_first = |x: &&f64| learned[0].contains(&x.to_bits()) && !learned[1].contains(&x.to_bits());
    let often = [0, 1].map(|i| draws[i][half..].iter().filter(only_first).count() as u64);
    epsilon(often[0], often[1], (draws[0].len() - half) as u64, 0.0)
}

#[test]
fn values_do_not_betray_the_count() {
    for (b, epsilon) in [("7/3", 3.0 / 7.0), ("1000/3", 0.003)] {
        let request = request(&[0], Query::Identity, laplace(b));
        let draws = TABLES.map(|table| {
            let values = measured(&seal(&ROW, table), &request, false, tries());
            values.iter().map(|values| values[0]).collect::<Vec<_>>()
        });
        assert!(draws.iter().flatten().all(|x| x.fract() == 0.0));
        assert!(by_learned_values(draws) <= epsilon);
    }
}

/// The same attack on −b·ln U of a uniform number with 13 digits: with 53 it only takes longer to learn.
#[test]
fn floating_point_noise_does() {
    let mut stream = generator(1);
    let draws = [2.0, 3.0].map(|count| {
        let mut draw = || {
            let word = stream.next_u64();
            let uniform = ((word >> 51) + 1) as f64 / 8192.0;
            let noise = -7.0 / 3.0 * uniform.ln();
            count + if word & 1 == 1 { noise } else { -noise }
        };
        (0..tries()).map(|_| draw()).collect::<Vec<f64>>()
    });
    assert!(by_learned_values(draws) > 3.0 / 7.0);
}

/// The low digits of a value say nothing beyond what its law allows: for every residue the two tables differ by at most ε.
#[test]
fn low_digits_do_not_betray_the_count() {
    for (law, epsilon) in [(laplace("1000/3"), 0.003), (gaussian("12345/7"), 0.024)] {
        let draws = TABLES.map(|table| of_table(&seal(&ROW, table), law));
        for modulus in [2, 4, 8, 64] {
            for residue in 0..modulus {
                let often = |i: usize| draws[i].iter().filter(|x| x.rem_euclid(modulus) == residue).count();
                let found =
                    distinguisher::epsilon(often(0) as u64, often(1) as u64, draws[0].len() as u64, 0.0);
                assert!(found <= epsilon, "{law:?} {residue} of {modulus}: {found}");
            }
        }
    }
}

/// Many draws at once, the way of the table: 250 answers to the same question in a request.
fn of_table(sealed: &Sealed, law: Law) -> Vec<i64> {
    let many = Query::Linear(Matrix::new(2, [1, 0].repeat(250)).unwrap());
    let requests = request(&[0], many, law);
    measured(sealed, &requests, false, 1000).into_iter().flatten().map(|x| x as i64).collect()
}

/// No value is missing that should have come forty times: none that only one of the tables can have, in particular.
#[test]
fn there_are_no_holes() {
    for law in [laplace("10"), laplace("100/3"), gaussian("400"), gaussian("1/3")] {
        for (table, count) in TABLES.into_iter().zip([2, 3]) {
            let draws = of_table(&seal(&ROW, table), law);
            let seen: HashSet<i64> = draws.iter().copied().collect();
            let expected = |noise: &i64| draws.len() as f64 * law.pmf(*noise) >= 40.0;
            let missing = (0i64..)
                .take_while(expected)
                .find(|noise| [*noise, -noise].iter().any(|x| !seen.contains(&(count + x))));
            assert_eq!(missing, None, "{law:?}");
        }
    }
}

/// A precision-based attack (Haney and others 2022): a public answer of 2⁵³ makes |count − answer| a multiple of 2 in
/// floating point, and so one row worth 2. Here such answers are refused, and large ones change nothing.
#[test]
fn large_answers_do_not_magnify_a_row() {
    let distance = |count: f64| count + (1u64 << 53) as f64;
    assert_eq!(distance(3.0) - distance(2.0), 2.0, "what the attack is about");

    let tables = [[3, 0, 0, 0, 0, 0], [2, 0, 0, 1, 0, 0]];
    let choice = choice(Mechanism::PermuteAndFlip, "2", Candidates::Cells(Difference::Absolute));
    let answer = -((1u64 << 50) as f64);
    let found = found(tables, &[&[0]], &choice, &[answer; 2], false);
    assert!((1.4..=2.0).contains(&found), "{found}");
}
