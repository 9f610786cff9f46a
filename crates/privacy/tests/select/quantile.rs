//! Edges as candidates: scores by hand, on all neighbours of small tables, and the law over a sealed table.

use crate::common::{generator, grant, seal};
use crate::statistics::{agrees, draws};
use crate::support::{exponential_law, permute_and_flip_law, ratio};
use marginalia_privacy::counts::Prepared;
use marginalia_privacy::sealed::Sealed;
use marginalia_privacy::select::{Candidates, Choice, Grid, Lean, Mechanism, Public, Quantile, admit};
use marginalia_privacy::unit::{Neighbours, Relation, Unit};
use marginalia_tables::{Code, Workload};

const LEANS: [Option<Lean>; 3] = [None, Some(Lean::Lower), Some(Lean::Upper)];

fn scores(part: (u32, u32), counts: &[u32], bins: u32) -> Vec<i64> {
    let mut scores = vec![7];
    Quantile { part, bins, lean: None, mask: None }.score(counts, &mut scores).unwrap();
    scores
}

#[test]
fn the_edge_with_the_right_share_below_it_is_best() {
    // Of 10 values 0, 2, 5, 9, 10 lie below the edges; the last code is no bin.
    assert_eq!(scores((1, 2), &[2, 3, 4, 1, 50], 4), [-10, -6, 0, -8, -10]);
    assert_eq!(scores((9, 10), &[2, 3, 4, 1, 50], 4), [-90, -70, -40, 0, -10]);
    assert_eq!(scores((1, 3), &[0, 0], 2), [0, 0, 0]);
    // No sum of counts that are cut is too large.
    let most = leaning((1, 1000), &vec![u32::MAX; 65_536], 65_536, Some(Lean::Lower));
    assert_eq!(most[65_536], -(999 + 100) * 65_536 * i64::from(u32::MAX));
}

fn leaning(part: (u32, u32), counts: &[u32], bins: u32, lean: Option<Lean>) -> Vec<i64> {
    let mut scores = Vec::new();
    Quantile { part, bins, lean, mask: None }.score(counts, &mut scores).unwrap();
    scores
}

#[test]
fn of_edges_beyond_the_last_value_the_nearest_is_best() {
    let counts = [0, 40, 50, 10, 0, 0, 0, 0];
    assert_eq!(scores((99, 100), &counts, 8)[4..], [-100; 5]);
    assert_eq!(leaning((99, 100), &counts, 8, Some(Lean::Lower))[3..6], [-900 - 375, -100 - 500, -100 - 625]);
    assert_eq!(leaning((1, 100), &counts, 8, Some(Lean::Upper))[..3], [-100 - 1000, -100 - 875, -3900 - 750]);
}

/// All tables with up to two rows in each of three bins and outside, and all pairs of which one has the rows of one unit in the place
/// of the other's.
#[test]
fn edges_move_by_their_sensitivity_and_no_more() {
    let tables: Vec<[u32; 4]> = (0..81).map(|i| [i % 3, i / 3 % 3, i / 9 % 3, i / 27]).collect();
    for part in [(1, 2), (1, 5), (4, 5), (1, 200)] {
        for max_rows in [1, 2] {
            for relation in [Relation::AddRemove, Relation::Replace { n: 9 }] {
                for lean in LEANS {
                    let replace = relation != Relation::AddRemove;
                    let unit = Unit::Declared { max_rows };
                    let neighbours = Neighbours { unit, relation };
                    let declared =
                        Quantile { part, bins: 3, lean, mask: None }.sensitivity(&neighbours).unwrap();
                    let most = farthest(&tables, max_rows, replace, |table| leaning(part, table, 3, lean));
                    // A bound that leans moves by all that is declared only where far edges have most rows on their other side.
                    let least = if lean.is_none() { declared } else { declared * 3 / 4 };
                    assert!(
                        (least..=declared).contains(&most),
                        "{part:?}, {max_rows}, {relation:?}, {lean:?}"
                    );
                }
            }
        }
    }
}

/// The most by which a score differs between neighbours.
fn farthest(tables: &[[u32; 4]], rows: u32, replace: bool, scores: impl Fn(&[u32; 4]) -> Vec<i64>) -> u64 {
    let all: Vec<Vec<i64>> = tables.iter().map(scores).collect();
    let mut most = 0;
    for (one, mine) in tables.iter().zip(&all) {
        for (other, theirs) in tables.iter().zip(&all) {
            let gone: u32 = one.iter().zip(other).map(|(a, b)| a.saturating_sub(*b)).sum();
            let come: u32 = one.iter().zip(other).map(|(a, b)| b.saturating_sub(*a)).sum();
            if gone <= rows && come <= rows && (replace || gone.min(come) == 0) {
                most = mine.iter().zip(theirs).map(|(a, b)| a.abs_diff(*b)).max().unwrap().max(most);
            }
        }
    }
    most
}

/// `b` of the table of the other tests has three codes, with 5, 5 and 1 rows.
const CELLS: [usize; 6] = [3, 0, 1, 2, 5, 0];

fn prepared(neighbours: &Neighbours) -> (Sealed, Prepared) {
    let sealed = seal(neighbours, CELLS);
    let workload = Workload::from_cliques(sealed.domain(), &[[1]]).unwrap();
    let prepared = sealed.prepare(workload, 1 << 20).unwrap().finish().unwrap();
    (sealed, prepared)
}

fn choice(mechanism: Mechanism, mask: Option<Vec<bool>>) -> Choice {
    let candidates = Candidates::Edges(Quantile { part: (1, 3), bins: 2, lean: None, mask });
    Choice { mechanism, epsilon: ratio(3, 2), grid: Grid::new(8).unwrap(), candidates }
}

fn chosen((sealed, prepared): &(Sealed, Prepared), choice: &Choice, key: u64) -> u64 {
    let grant = grant(&choice.cost().unwrap());
    sealed.select(grant, prepared, choice.clone(), generator(key)).unwrap().finish().unwrap()
}

#[test]
fn edges_are_chosen_by_the_exact_law() {
    // L is 0, 5, 10 of N = 10 (the code 2 is no bin): −|3·L − 10|.
    let expected = [-10, -5, -20];
    // k·max(a, b − a) = 2·2 under add/remove, k·b = 2·3 under replace.
    for (relation, most) in [(Relation::AddRemove, 4.0), (Relation::Replace { n: 9 }, 6.0)] {
        let neighbours = Neighbours { unit: Unit::Declared { max_rows: 2 }, relation };
        let table = prepared(&neighbours);
        for (mechanism, law) in [
            (Mechanism::Exponential, exponential_law as fn(&[i64], &[f64], f64) -> Vec<f64>),
            (Mechanism::PermuteAndFlip, permute_and_flip_law),
        ] {
            for mask in [None, Some(vec![true, false, true])] {
                let shares: Vec<f64> =
                    (0..3).map(|i| f64::from(u8::from(mask.as_ref().is_none_or(|mask| mask[i])))).collect();
                let law = law(&scores_in(&expected), &shares, 1.5 / (2.0 * most));
                let mut counts = [0; 3];
                for key in 0..draws() / 20 {
                    counts[chosen(&table, &choice(mechanism, mask.clone()), key) as usize] += 1;
                }
                assert_eq!(agrees(&counts, &law), Ok(()), "{mechanism:?}, {mask:?}");
            }
        }
    }
}

fn scores_in(expected: &[i64; 3]) -> Vec<i64> {
    assert_eq!(scores((1, 3), &[5, 5, 1], 2), expected);
    expected.to_vec()
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_read() {
    let neighbours = Neighbours { unit: Unit::Row, relation: Relation::AddRemove };
    let (sealed, prepared) = prepared(&neighbours);
    let workload = prepared.workload();
    let refused = |part, bins, mask| {
        let candidates = Candidates::Edges(Quantile { part, bins, lean: None, mask });
        let choice = Choice { candidates, ..choice(Mechanism::Exponential, None) };
        admit(&neighbours, workload, &choice).unwrap_err().code == Code::OptionInvalid
    };
    assert!(refused((0, 3), 2, None) && refused((3, 3), 2, None) && refused((1, 1001), 2, None));
    assert!(refused((1, 3), 0, None) && refused((1, 3), 4, None) && refused((1, 3), 2, Some(vec![true])));
    let pairs = Workload::from_cliques(sealed.domain(), &[[0, 1]]).unwrap();
    assert!(admit(&neighbours, &pairs, &choice(Mechanism::Exponential, None)).is_err());
    // No answers are taken.
    let choice = choice(Mechanism::Exponential, None);
    let grant = grant(&choice.cost().unwrap());
    let mut selecting = sealed.select(grant, &prepared, choice, generator(1)).unwrap();
    assert!(selecting.push(&Public::answers(&[1.0])).is_err());
}
