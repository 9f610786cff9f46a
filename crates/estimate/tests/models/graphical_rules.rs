//! What cannot be: in models, their files and their records, and rules that contradict each other.

use super::graphical::measured;
use super::product::{answers, assert_alike, schema};
use marginalia_estimate::estimators::graphical::{GraphicalEstimator, Strength};
use marginalia_estimate::estimators::{Estimate, Estimator, Request, Status};
use marginalia_estimate::job::Job;
use marginalia_estimate::models::graphical::{Rule, Ruled, cells_of_some};
use marginalia_estimate::models::support::{Base, Distribution, SupportModel};
use marginalia_estimate::models::{GRAPHICAL, Model, RecordsRequest, Saved, restore};
use marginalia_estimate::records::Method;
use marginalia_estimate::total::Total;
use marginalia_tables::query::Query;
use marginalia_tables::{Code, Error, Result};
use std::sync::Arc;

fn rule(clique: &[u16], only: bool, combinations: &[&[&[u16]]]) -> Rule {
    let codes = |codes: &&[u16]| codes.to_vec();
    let combinations = combinations.iter().map(|one| one.iter().map(codes).collect()).collect();
    Rule { clique: clique.to_vec(), combinations, only }
}

/// b is 0 for the first and the last code of a.
fn mapping() -> Rule {
    rule(&[0, 1], true, &[&[&[0, 3], &[0]], &[&[1, 2], &[1]]])
}

/// Nobody of state v, which are codes 1 and 2 of a, has y; z takes b = 1.
fn rules() -> Vec<Rule> {
    vec![rule(&[3, 2], false, &[&[&[1], &[1]]]), rule(&[2, 1], false, &[&[&[2], &[0]]])]
}

fn estimated(rules: Vec<Rule>) -> Result<Estimate> {
    let pair: Vec<f64> = (0..12).map(|cell| f64::from(10 + (cell * 7) % 13)).collect();
    let list =
        vec![measured(&[0, 2], Query::Identity, &pair), measured(&[1], Query::Identity, &[90.0, 100.0])];
    let request = Request { rules, ..Request::new(schema(), None, list, Total::known(190.0).unwrap()) };
    let estimator =
        GraphicalEstimator { strength: Strength::Fixed(1.0), tolerance: 1e-9, ..Default::default() };
    estimator.begin(request)?.complete()
}

/// Whether a cell of a, b, c breaks one of the rules.
fn breaks([a, b, c]: [u16; 3], mapped: bool) -> bool {
    ([1, 2].contains(&a) && c == 1) || (c == 2 && b == 0) || (mapped && b != [0, 1, 1, 0][usize::from(a)])
}

#[test]
fn what_cannot_be_is_in_no_answer_and_no_record() {
    for mapped in [false, true] {
        let all = if mapped { [rules(), vec![mapping()]].concat() } else { rules() };
        let found = estimated(all).unwrap();
        assert_eq!(found.status, Status::Converged);
        let cells = (0..4).flat_map(|a| (0..2).flat_map(move |b| (0..3).map(move |c| [a, b, c])));
        let whole = answers(&found.model, &[vec![0, 1, 2]]);
        for (cell, count) in cells.zip(&whole) {
            assert_eq!(breaks(cell, mapped), *count == 0.0, "{cell:?} {count}");
        }
        // As the same on rows: all answers, and parts.
        let mut table = marginalia_tables::Table::new(schema(), true, &[]);
        let cells = (0..4u16).flat_map(|a| (0..2).flat_map(move |b| (0..3).map(move |c| [a, b, c])));
        for ([a, b, c], weight) in cells.zip(&whole).filter(|(_, weight)| **weight > 0.0) {
            table.extend(&[&[a], &[b], &[c]], Some(&[*weight]), &[]).unwrap();
        }
        let base = Arc::new(Base::from_table(table).unwrap());
        let rows: Arc<dyn Model> =
            Arc::new(SupportModel::new(schema(), Distribution::prior(base, 190.0).unwrap()).unwrap());
        assert_alike(&found.model, &rows);
        let condition = vec![(1, vec![false, true]), (4, vec![true, false])];
        let [own, other] = [&found.model, &rows].map(|model| model.part(&condition).unwrap().unwrap());
        assert_alike(&own, &other);
        // In files.
        let form = found.model.form().unwrap();
        let saved = Saved { schema: schema(), total: 190.0, rows: None, form: form.clone(), limit: 1 << 30 };
        let again = restore(GRAPHICAL, "graphical", saved).unwrap().complete().unwrap();
        assert_eq!(again.form().unwrap(), form);
        assert_eq!(answers(&again, &[vec![0, 1, 2]]), whole);
        for method in [Method::Systematic, Method::Iid] {
            let request = RecordsRequest { records: 20_000, method, targets: Vec::new(), seed: 2 };
            let table = Arc::clone(&again).records(request).unwrap().complete().unwrap();
            let code = |attribute: usize, row: usize| table.columns()[attribute].get(row);
            assert!((0..table.rows()).all(|row| !breaks([0, 1, 2].map(|a| code(a, row)), mapped)));
        }
    }
}

#[test]
fn an_attribute_that_follows_takes_no_place() {
    let ruled = Ruled::new(&schema(), &[mapping()], 1e9).unwrap();
    assert_eq!(ruled.roots.of(1), (0, Some(&[0, 1, 1, 0][..])));
    assert_eq!(ruled.cliques(vec![vec![0, 2]]), [vec![0, 2]]);
    // What follows from it follows further, and nothing follows from itself.
    let chain = [
        rule(&[0, 2], true, &[&[&[0], &[0]], &[&[1, 2], &[1]], &[&[3], &[2]]]),
        rule(&[2, 1], true, &[&[&[0, 2], &[0]], &[&[1], &[1]]]),
    ];
    let ruled = Ruled::new(&schema(), &chain, 1e9).unwrap();
    assert_eq!(ruled.roots.of(1), (0, Some(&[0, 1, 1, 0][..])));
    assert_eq!(ruled.roots.codes(&[0], 1), [0, 1, 1, 0]);
    assert_eq!(cells_of_some(&[4, 2, 3], &[0, 2], &[2])[..4], [0, 1, 2, 0]);
    let found = estimated(chain.to_vec()).unwrap();
    assert_eq!(found.model.size(), 4);
}

#[test]
fn rules_that_contradict_each_other_are_named() {
    let refused = |rules: Vec<Rule>| -> Error { estimated(rules).unwrap_err() };
    let b_is_0 = rule(&[1], true, &[&[&[0]]]);
    let pair =
        refused(vec![rules()[0].clone(), rule(&[2], true, &[&[&[2]]]), b_is_0.clone(), rules()[1].clone()]);
    assert_eq!(pair.code, Code::OptionInvalid);
    assert!(pair.message.contains("(c) and (b) and (c, b) say"), "{}", pair.message);
    // By what an attribute follows from: a is 1, so b is 1.
    let followed = refused(vec![mapping(), rule(&[0], true, &[&[&[1]]]), b_is_0]);
    assert!(followed.message.contains("(a, b) and (a) and (b) say"), "{}", followed.message);
    let twice = refused(vec![mapping(), rule(&[0, 1], true, &[&[&[0, 3], &[1]], &[&[1, 2], &[0]]])]);
    assert!(twice.message.contains("(a, b) and (a, b) say"), "{}", twice.message);
    assert_eq!(refused(vec![rule(&[7], true, &[])]).code, Code::AttributeUnknown);
    assert_eq!(refused(vec![rule(&[1], true, &[&[&[2]]])]).code, Code::AttributeUnknown);
}
