//! Selections from two neighbouring tables.

use crate::common::{generator, grant, seal};
use crate::distinguisher::{epsilon, tries};
use marginalia_privacy::counts::Prepared;
use marginalia_privacy::rational::parse;
use marginalia_privacy::sealed::Sealed;
use marginalia_privacy::select::{Candidates, Choice, Difference, Grid, Mechanism, Public, Quantile, Terms};
use marginalia_privacy::unit::{Neighbours, Relation, Unit};
use marginalia_tables::Workload;

pub const REPLACE: Neighbours = Neighbours { unit: Unit::Row, relation: Relation::Replace { n: 3 } };

/// A table and the counts of some of its marginals.
pub fn prepared(cells: [usize; 6], cliques: &[&[u16]]) -> (Sealed, Prepared) {
    let sealed = seal(&REPLACE, cells);
    let workload = Workload::from_cliques(sealed.domain(), cliques).unwrap();
    let prepared = sealed.prepare(workload, 1 << 20).unwrap().finish().unwrap();
    (sealed, prepared)
}

pub fn choice(mechanism: Mechanism, epsilon: &str, candidates: Candidates) -> Choice {
    Choice { mechanism, epsilon: parse(epsilon).unwrap(), grid: Grid::new(0).unwrap(), candidates }
}

pub fn selected(table: &(Sealed, Prepared), choice: &Choice, answers: &[f64], halved: bool, key: u64) -> u64 {
    let grant = grant(&choice.cost().unwrap());
    let mut selecting = table.0.select(grant, &table.1, choice.clone(), generator(key)).unwrap();
    if halved {
        selecting.halve().unwrap();
    }
    selecting.push(&Public::answers(answers)).unwrap();
    selecting.finish().unwrap()
}

/// What shows of ε when the second candidate is chosen, or is not.
pub fn found(
    tables: [[usize; 6]; 2],
    clique: &[&[u16]],
    choice: &Choice,
    answers: &[f64],
    halved: bool,
) -> f64 {
    let often = tables.map(|table| {
        let table = prepared(table, clique);
        let second = |key: &u64| selected(&table, choice, answers, halved, *key) == 1;
        (0..tries()).filter(second).count() as u64
    });
    epsilon(often[0], often[1], tries(), 0.0)
}

#[track_caller]
fn audit(tables: [[usize; 6]; 2], cliques: &[&[u16]], choice: &Choice, answers: &[f64], claim: f64) {
    let [honest, halved] = [false, true].map(|halved| found(tables, cliques, choice, answers, halved));
    assert!(honest <= claim, "{honest} of {claim}");
    assert!(honest >= 0.7 * claim, "the attack is weak: {honest} of {claim}");
    assert!(halved > claim, "half the noise is not found out: {halved} of {claim}");
}

/// One row goes from x to y: one score falls, the other rises. With ε = 2 the ratio for the exponential mechanism is
/// (1 + e³)/(1 + e), short of e² by what the first candidate loses; for permute-and-flip it is e².
#[test]
fn cells() {
    let tables = [[3, 0, 0, 0, 0, 0], [2, 0, 0, 1, 0, 0]];
    for mechanism in [Mechanism::Exponential, Mechanism::PermuteAndFlip] {
        for difference in [Difference::Signed, Difference::Absolute] {
            audit(tables, &[&[0]], &choice(mechanism, "2", Candidates::Cells(difference)), &[0.0; 2], 2.0);
        }
    }
}

/// Two marginals of which one gains 2 in L1 and the other loses 2: the first answer fits the first table, the others the
/// second.
#[test]
fn marginals() {
    let tables = [[0, 3, 0, 0, 0, 0], [0, 2, 0, 1, 0, 0]];
    let candidates = Candidates::Marginals(Terms::default());
    // a: (3, 0) against (7, −4) is 8, then (2, 1) is 10. b: (0, 3, 0) against (1, 2, 0) is 2, then 0.
    let answers = [7.0, -4.0, 1.0, 2.0, 0.0];
    audit(tables, &[&[0], &[1]], &choice(Mechanism::PermuteAndFlip, "1", candidates), &answers, 1.0);
}

/// One row goes from below both edges to above both: −|2·4 − 9| and −|2·9 − 9| become −|2·3 − 9| and −|2·8 − 9|. All of b = 2 moves
/// either score, so permute-and-flip shows e²; the exponential mechanism (1 + e⁴)/(1 + e²).
#[test]
fn edges() {
    let tables = [[4, 5, 0, 0, 0, 0], [3, 5, 1, 0, 0, 0]];
    for mechanism in [Mechanism::Exponential, Mechanism::PermuteAndFlip] {
        let quantile =
            Quantile { part: (1, 2), bins: 3, lean: None, mask: Some(vec![false, true, true, false]) };
        let choice = choice(mechanism, "2", Candidates::Edges(quantile));
        let [honest, halved] = [false, true].map(|halved| {
            let often = tables.map(|table| {
                let table = prepared(table, &[&[1]]);
                (0..tries()).filter(|key| selected(&table, &choice, &[], halved, *key) == 2).count() as u64
            });
            epsilon(often[0], often[1], tries(), 0.0)
        });
        assert!((1.4..=2.0).contains(&honest), "{honest}");
        assert!(halved > 2.0, "half the noise is not found out: {halved}");
    }
}
