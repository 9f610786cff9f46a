//! Selections over sealed tables: the law, who takes part, what is paid, and what must not matter.

use crate::common::{generator, grant, seal};
use crate::statistics::{agrees, draws};
use crate::support::{exponential_law, permute_and_flip_law, ratio};
use marginalia_privacy::account::Account;
use marginalia_privacy::budget::Budget;
use marginalia_privacy::counts::Prepared;
use marginalia_privacy::rational::parse;
use marginalia_privacy::sealed::Sealed;
use marginalia_privacy::select::{
    Candidates, Choice, Difference, Grid, Mechanism, Public, PublicAnswers, Selecting, Terms,
};
use marginalia_privacy::unit::{Neighbours, Relation, Unit};
use marginalia_tables::{Code, Domain, Result, Workload};

const LIMIT: u64 = 1 << 20;
/// a, then a by b: two cells and six.
const CLIQUES: [&[u16]; 2] = [&[0], &[0, 1]];
const CELLS: [usize; 6] = [3, 0, 1, 2, 5, 0];
const COUNTS: [f64; 8] = [4.0, 7.0, 3.0, 0.0, 1.0, 2.0, 5.0, 0.0];
const ANSWERS: [f64; 8] = [5.5, 5.5, 1.0, 1.25, 1.0, 2.0, 2.0, 2.5];

fn neighbours(max_rows: u32, relation: Relation) -> Neighbours {
    Neighbours { unit: Unit::Declared { max_rows }, relation }
}

/// A sealed table and its counts.
struct Table(Sealed, Prepared);

fn table(neighbours: &Neighbours) -> Table {
    let sealed = seal(neighbours, CELLS);
    let workload = Workload::from_cliques(sealed.domain(), &CLIQUES).unwrap();
    let prepared = sealed.prepare(workload, LIMIT).unwrap().finish().unwrap();
    Table(sealed, prepared)
}

fn choice(mechanism: Mechanism, candidates: Candidates) -> Choice {
    Choice { mechanism, epsilon: ratio(3, 2), grid: Grid::new(2).unwrap(), candidates }
}

fn cells(mechanism: Mechanism) -> Choice {
    choice(mechanism, Candidates::Cells(Difference::Absolute))
}

fn begin(table: &Table, choice: Choice, key: u64) -> Selecting {
    try_begin(table, choice, key).unwrap()
}

fn try_begin(Table(sealed, prepared): &Table, choice: Choice, key: u64) -> Result<Selecting> {
    let grant = grant(&choice.cost().unwrap());
    sealed.select(grant, prepared, choice, generator(key))
}

fn selected(table: &Table, choice: &Choice, public: &Public, key: u64) -> u64 {
    let mut selecting = begin(table, choice.clone(), key);
    selecting.push(public).unwrap();
    selecting.finish().unwrap()
}

fn drawn(table: &Table, choice: &Choice, public: &Public, candidates: usize) -> Vec<u64> {
    let mut counts = vec![0; candidates];
    for key in 0..draws() / 20 {
        counts[selected(table, choice, public, key) as usize] += 1;
    }
    counts
}

/// |2ᵍ·c − 2ᵍ·a| with g = 2, which all answers are multiples of.
fn distances() -> Vec<i64> {
    COUNTS.iter().zip(ANSWERS).map(|(c, a)| (4.0 * (c - a)).abs() as i64).collect()
}

type Law = fn(&[i64], &[f64], f64) -> Vec<f64>;
const LAWS: [(Mechanism, Law); 2] =
    [(Mechanism::Exponential, exponential_law), (Mechanism::PermuteAndFlip, permute_and_flip_law)];

/// t = ε/(2·2ᵍ·k), under add/remove and under replace.
#[test]
fn cells_are_chosen_by_the_exact_law() {
    for (rows, relation) in [(1, Relation::AddRemove), (3, Relation::Replace { n: 9 })] {
        let table = table(&neighbours(rows, relation));
        for (mechanism, law) in LAWS {
            let law = law(&distances(), &[1.0; 8], 1.5 / (8.0 * f64::from(rows)));
            let counts = drawn(&table, &cells(mechanism), &Public::answers(&ANSWERS), 8);
            assert_eq!(agrees(&counts, &law), Ok(()), "{mechanism:?}, {rows} rows");
        }
    }
}

/// Factors 1 and 3, penalties 0 and 2.5; the largest change of a score is 2ᵍ·3·k, under replace 2ᵍ·3·2k.
#[test]
fn marginals_are_chosen_by_the_exact_law() {
    let scores = distances();
    let scores = [scores[..2].iter().sum(), 3 * (scores[2..].iter().sum::<i64>() - 10)];
    let terms =
        Terms { factors: Some(vec![1, 3]), penalties: Some(vec![0.0, 2.5]), weights: None, mask: None };
    for (relation, most) in [(Relation::AddRemove, 24.0), (Relation::Replace { n: 9 }, 48.0)] {
        let table = table(&neighbours(2, relation));
        for (mechanism, law) in LAWS {
            let law = law(&scores, &[1.0; 2], 1.5 / (2.0 * most));
            let choice = choice(mechanism, Candidates::Marginals(terms.clone()));
            let counts = drawn(&table, &choice, &Public::answers(&ANSWERS), 2);
            assert_eq!(agrees(&counts, &law), Ok(()), "{mechanism:?}, {relation:?}");
        }
    }
}

#[test]
fn ties_are_even_and_weights_multiply() {
    let table = table(&neighbours(1, Relation::AddRemove));
    for (mechanism, _) in LAWS {
        let counts = drawn(&table, &cells(mechanism), &Public::answers(&COUNTS), 8);
        assert_eq!(agrees(&counts, &[0.125; 8]), Ok(()));
    }
    let weights = [1.0, 2.0, 0.0, 1.0, 4.0, 0.5, 0.5, 1.0];
    let public = Public { weights: Some(&weights), ..Public::answers(&ANSWERS) };
    let law = exponential_law(&distances(), &weights, 1.5 / 8.0);
    let counts = drawn(&table, &cells(Mechanism::Exponential), &public, 8);
    assert_eq!(agrees(&counts, &law), Ok(()));
}

#[test]
fn who_is_masked_is_never_chosen() {
    let table = table(&neighbours(1, Relation::AddRemove));
    for (mechanism, _) in LAWS {
        for open in 0..8 {
            let mask: Vec<bool> = (0..8).map(|i| i == open || i == 3).collect();
            let public = Public { mask: Some(&mask), ..Public::answers(&ANSWERS) };
            for key in 0..200 {
                let index = selected(&table, &cells(mechanism), &public, key) as usize;
                assert!(mask[index]);
            }
        }
        let terms = Terms { mask: Some(vec![true, false]), ..Terms::default() };
        let choice = choice(mechanism, Candidates::Marginals(terms));
        for key in 0..200 {
            assert_eq!(selected(&table, &choice, &Public::answers(&ANSWERS), key), 0);
        }
    }
}

/// Of some cells alone: the law of a mask, by answers and places of these.
#[test]
fn cells_that_are_listed_are_chosen_by_the_law_of_their_mask() {
    let Table(sealed, whole) = table(&neighbours(1, Relation::AddRemove));
    let among = vec![0, 2, 3, 7];
    let answers: Vec<f64> = among.iter().map(|place| ANSWERS[*place as usize]).collect();
    let workload = || Workload::from_cliques(sealed.domain(), &CLIQUES).unwrap();
    let prepared = sealed.prepare_among(workload(), Some(among.clone()), LIMIT).unwrap().finish().unwrap();
    let law: Vec<i64> = among.iter().map(|place| distances()[*place as usize]).collect();
    let law = exponential_law(&law, &[1.0; 4], 1.5 / 8.0);
    let listed = Table(sealed.clone(), prepared);
    let one = cells(Mechanism::Exponential);
    let counts = drawn(&listed, &one, &Public::answers(&answers), 4);
    assert_eq!(agrees(&counts, &law), Ok(()));
    // Both are kept, and each is what it was.
    let again = Table(sealed.clone(), sealed.prepare(workload(), LIMIT).unwrap().finish().unwrap());
    let both = [&again, &Table(sealed.clone(), whole)];
    for key in 0..50 {
        let chosen = both.map(|table| selected(table, &one, &Public::answers(&ANSWERS), key));
        assert_eq!(chosen[0], chosen[1]);
    }
    for wrong in [vec![], vec![1, 1], vec![2, 1], vec![8]] {
        let refused = sealed.prepare_among(workload(), Some(wrong), LIMIT).err().unwrap();
        assert_eq!(refused.code, Code::OptionInvalid);
    }
    let marginals = choice(Mechanism::Exponential, Candidates::Marginals(Terms::default()));
    assert_eq!(try_begin(&listed, marginals, 0).err().unwrap().code, Code::OptionInvalid);
}

/// Every table of up to three rows over two cells by two, and all that differ from it in a row that comes, goes or is replaced: no count
/// of a cell, whatever its clique, is farther than a row; and some is.
#[test]
fn one_row_moves_a_cell_by_one_under_both_relations() {
    let cells = |rows: &[usize]| -> Vec<i64> {
        let count = |wanted: &dyn Fn(usize) -> bool| rows.iter().filter(|row| wanted(**row)).count() as i64;
        let of = |attribute: usize, code: usize| count(&|row| row >> attribute & 1 == code);
        let single = [of(0, 0), of(0, 1), of(1, 0), of(1, 1)];
        single.into_iter().chain((0..4).map(|cell| count(&|row| row == cell))).collect()
    };
    let mut tables: Vec<Vec<usize>> = vec![vec![]];
    for rows in 0..3 {
        let longer = |table: &Vec<usize>| (0..4).map(|row| [&table[..], &[row]].concat()).collect::<Vec<_>>();
        let next: Vec<_> = tables.iter().filter(|table| table.len() == rows).flat_map(longer).collect();
        tables.extend(next);
    }
    for relation in [Relation::AddRemove, Relation::Replace { n: 3 }] {
        let mut most = 0;
        for table in &tables {
            let neighbours: Vec<Vec<usize>> = match relation {
                Relation::AddRemove => (0..4).map(|row| [&table[..], &[row]].concat()).collect(),
                Relation::Replace { .. } => (0..table.len())
                    .flat_map(|at| (0..4).map(move |row| (at, row)))
                    .map(|(at, row)| {
                        table.iter().enumerate().map(|(i, own)| if i == at { row } else { *own }).collect()
                    })
                    .collect(),
            };
            for other in neighbours {
                // Scores against an answer of the public, of which both have the same.
                for (one, two) in cells(table).into_iter().zip(cells(&other)) {
                    for answer in 0..4 {
                        let moved = ((one - answer).abs() - (two - answer).abs()).abs();
                        most = most.max(moved);
                    }
                }
            }
        }
        assert_eq!(most, i64::from(neighbours(1, relation).unit.rows()));
    }
}

struct Pieces<'a> {
    rest: &'a [f64],
    size: usize,
}

impl PublicAnswers for Pieces<'_> {
    fn next(&mut self) -> Result<Option<Public<'_>>> {
        let (now, rest) = self.rest.split_at(self.size.min(self.rest.len()));
        self.rest = rest;
        Ok((!now.is_empty()).then(|| Public::answers(now)))
    }
}

#[test]
fn blocks_do_not_matter() {
    let table = table(&neighbours(1, Relation::AddRemove));
    for candidates in [Candidates::Cells(Difference::Signed), Candidates::Marginals(Terms::default())] {
        let choice = choice(Mechanism::Exponential, candidates);
        for key in 0..100 {
            let whole = selected(&table, &choice, &Public::answers(&ANSWERS), key);
            for size in 1..8 {
                let mut pieces = Pieces { rest: &ANSWERS, size };
                let mut selecting = begin(&table, choice.clone(), key);
                while !selecting.step(&mut pieces, 2).unwrap() {}
                assert_eq!(selecting.progress(), (8, 8));
                assert_eq!(selecting.finish(), Ok(whole));
            }
        }
    }
}

/// ε²/8 for the exponential mechanism, ε²/2 for permute-and-flip, ε in pure ε; and a grant for less buys nothing.
#[test]
fn what_is_paid_is_exact() {
    let table = table(&neighbours(4, Relation::Replace { n: 5 }));
    let budgets = [(Budget::zcdp(ratio(9, 1)), ["9/32", "9/8"]), (Budget::pure(ratio(9, 1)), ["3/2", "3/2"])];
    for (budget, prices) in budgets {
        for ((mechanism, _), price) in LAWS.into_iter().zip(prices) {
            let mut account = Account::open(budget.clone().unwrap()).unwrap();
            let choice = cells(mechanism);
            let grant = account.charge(&choice.cost().unwrap()).unwrap();
            let selecting = table.0.select(grant, &table.1, choice.clone(), generator(1)).unwrap();
            assert_eq!(selecting.paid().price, parse(price).unwrap());
            assert_eq!(*account.spent(), parse(price).unwrap());
            let less = Choice { epsilon: ratio(149, 100), ..choice.clone() };
            let grant = account.charge(&less.cost().unwrap()).unwrap();
            let refused = table.0.select(grant, &table.1, choice, generator(1)).err().unwrap();
            assert_eq!(refused.code, Code::BudgetExceeded);
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_and_stays_refused() {
    let table = table(&neighbours(1, Relation::AddRemove));
    let mut long = ANSWERS.to_vec();
    long.push(0.0);
    let (short, endless) = (&ANSWERS[..7], [f64::NAN; 8]);
    let mask = [true; 7];
    let wrong = [
        Public::answers(&long),
        Public::answers(&endless),
        Public { mask: Some(&mask), ..Public::answers(&ANSWERS) },
        Public { penalties: Some(&long), ..Public::answers(&ANSWERS) },
    ];
    for public in &wrong {
        let mut selecting = begin(&table, cells(Mechanism::Exponential), 1);
        let refused = selecting.push(public).unwrap_err();
        assert_eq!(refused.code, Code::OptionInvalid);
        assert_eq!(selecting.push(&Public::answers(&ANSWERS)), Err(refused.clone()));
        assert_eq!(selecting.finish(), Err(refused));
    }
    let mut selecting = begin(&table, cells(Mechanism::Exponential), 1);
    selecting.push(&Public::answers(short)).unwrap();
    assert_eq!(selecting.finish().unwrap_err().code, Code::OptionInvalid);

    let weighted = Public { weights: Some(&[1.0; 8]), ..Public::answers(&ANSWERS) };
    let mut selecting = begin(&table, cells(Mechanism::PermuteAndFlip), 1);
    assert_eq!(selecting.push(&weighted).unwrap_err().code, Code::OptionInvalid);

    let marginals = |terms| choice(Mechanism::Exponential, Candidates::Marginals(terms));
    let mut selecting = begin(&table, marginals(Terms::default()), 1);
    let masked = Public { mask: Some(&[true; 8]), ..Public::answers(&ANSWERS) };
    assert_eq!(selecting.push(&masked).unwrap_err().code, Code::OptionInvalid);
    let three = marginals(Terms { penalties: Some(vec![0.0; 3]), ..Terms::default() });
    assert_eq!(table.0.admits(&table.1, &marginals(Terms::default())), Ok(()));
    assert_eq!(table.0.admits(&table.1, &three).unwrap_err().code, Code::OptionInvalid);
    assert_eq!(try_begin(&table, three, 1).err().unwrap().code, Code::OptionInvalid);

    let other = Table(table.0, self::table(&neighbours(1, Relation::AddRemove)).1);
    assert_eq!(try_begin(&other, marginals(Terms::default()), 1).err().unwrap().code, Code::OptionInvalid);
}

#[test]
fn a_workload_is_counted_once() {
    let sealed = seal(&neighbours(1, Relation::AddRemove), CELLS);
    let workload = |cliques: &[&[u16]]| Workload::from_cliques(sealed.domain(), cliques).unwrap();
    let steps = |cliques: &[&[u16]], limit| {
        let mut preparing = sealed.prepare(workload(cliques), limit).unwrap();
        let steps = (0..).take_while(|_| !preparing.step(1).unwrap()).count();
        assert_eq!(preparing.finish().unwrap().workload().len(), cliques.len());
        steps
    };
    assert!(steps(&CLIQUES, LIMIT) > 0);
    assert_eq!(steps(&CLIQUES, LIMIT), 0);
    assert!(steps(&[&[1]], LIMIT) > 0);
    assert_eq!(steps(&CLIQUES, LIMIT), 0, "both are kept");
    // 8 + 3 + 2 cells, and room for twelve: the oldest go.
    assert!(steps(&[&[0]], 48) > 0);
    assert_eq!(steps(&[&[1]], LIMIT), 0);
    assert!(steps(&CLIQUES, LIMIT) > 0);
    let refused = sealed.prepare(workload(&CLIQUES), 8 * 24 - 1).err().unwrap();
    assert_eq!(refused.code, Code::ModelTooLarge);
    let other = Workload::from_cliques(Domain::new([2, 4]), &CLIQUES).unwrap();
    assert_eq!(sealed.prepare(other, LIMIT).err().unwrap().code, Code::OptionInvalid);
    assert_eq!(format!("{:?}", table(sealed.neighbours()).1), "Prepared { .. }");
}
