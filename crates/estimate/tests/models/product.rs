//! The product of single attributes against the same distribution on all rows that its schema allows.

use marginalia_estimate::job::Job;
use marginalia_estimate::models::product::ProductModel;
use marginalia_estimate::models::support::{Base, Distribution, SupportModel};
use marginalia_estimate::models::{Condition, Model, RecordsRequest};
use marginalia_estimate::records::Method;
use marginalia_estimate::seed::Seed;
use marginalia_tables::{Code, Schema, Table, Workload};
use std::sync::Arc;

/// Three attributes, one derived from the first, and one derived from that.
pub fn schema() -> Arc<Schema> {
    let json = r#"{"nulls":[],"attributes":[
        {"name":"a","type":"category","values":["p","q","r","s"]},
        {"name":"b","type":"category","values":["0","1"]},
        {"name":"c","type":"category","values":["x","y","z"]},
        {"name":"d","type":"derived","from":"a","values":["u","v","w"],"codes":[0,1,1,2]},
        {"name":"e","type":"derived","from":"d","values":["m","n"],"codes":[1,0,1]}]}"#;
    Arc::new(Schema::from_json(json).unwrap())
}

pub fn shares() -> Vec<Vec<f64>> {
    vec![vec![0.1, 0.2, 0.3, 0.4], vec![0.75, 0.25], vec![0.5, 0.0, 0.5]]
}

pub fn product(total: f64) -> Arc<dyn Model> {
    Arc::new(ProductModel::new(schema(), shares(), total).unwrap())
}

/// The same on rows.
fn brute(total: f64) -> Arc<dyn Model> {
    let rows = product(total).as_prior(1 << 20).unwrap().unwrap().complete().unwrap();
    let base = Arc::new(Base::from_table(rows).unwrap());
    assert!((base.weight() - total).abs() < 1e-9);
    assert_eq!(base.rows(), 4 * 2 * 2);
    Arc::new(SupportModel::new(schema(), Distribution::prior(base, total).unwrap()).unwrap())
}

pub fn answers(model: &Arc<dyn Model>, cliques: &[Vec<u16>]) -> Vec<f64> {
    let domain = marginalia_tables::Domain::new(model.schema().sizes());
    let workload = Arc::new(Workload::from_cliques(domain, cliques).unwrap());
    Arc::clone(model).answer(&workload, 1 << 30).unwrap().complete().unwrap()
}

/// All cliques of five attributes, in a shuffled order each.
pub fn cliques() -> Vec<Vec<u16>> {
    let mut seed = Seed::new(4);
    let all = (0..32u16).map(|set| {
        let mut clique: Vec<u16> = (0..5).filter(|a| set >> a & 1 == 1).collect();
        seed.shuffle(&mut clique);
        clique
    });
    all.collect()
}

pub fn assert_alike(model: &Arc<dyn Model>, other: &Arc<dyn Model>) {
    assert!((model.total() - other.total()).abs() < 1e-9);
    let pairs = answers(model, &cliques()).into_iter().zip(answers(other, &cliques()));
    pairs.for_each(|(a, b)| assert!((a - b).abs() < 1e-9, "{a} is not {b}"));
}

#[test]
fn a_product_answers_every_clique_as_all_its_rows_do() {
    assert_alike(&product(80.0), &brute(80.0));
}

#[test]
fn a_condition_on_any_attribute_is_exact() {
    let conditions: [Condition; 4] = [
        vec![(0, vec![true, false, true, true])],
        vec![(4, vec![true, false]), (1, vec![false, true])],
        vec![(3, vec![true, false, true]), (0, vec![false, true, true, true])],
        Vec::new(),
    ];
    for condition in conditions {
        let (part, brute) = (product(60.0).part(&condition), brute(60.0).part(&condition));
        assert_alike(&part.unwrap().unwrap(), &brute.unwrap().unwrap());
    }
    assert!(product(60.0).part(&vec![(2, vec![false, true, false])]).unwrap().is_none());
    for wrong in [(0, vec![true; 2]), (9, vec![true])] {
        assert_eq!(product(1.0).part(&vec![wrong]).unwrap_err().code, Code::OptionInvalid);
    }
}

fn made(records: u64, method: Method, seed: u64) -> Table {
    let request = RecordsRequest { records, method, targets: Vec::new(), seed };
    product(50.0).records(request).unwrap().complete().unwrap()
}

fn counts(table: &Table, attribute: usize) -> Vec<f64> {
    let mut counts = vec![0.0; table.schema().sizes()[attribute] as usize];
    (0..table.rows()).for_each(|row| counts[usize::from(table.columns()[attribute].get(row))] += 1.0);
    counts
}

#[test]
fn rounded_records_have_the_counts_of_each_attribute() {
    for method in [Method::Controlled, Method::Systematic] {
        let table = made(1001, method, 5);
        assert_eq!(table.rows(), 1001);
        for (attribute, shares) in shares().iter().enumerate() {
            let all = counts(&table, attribute);
            all.iter().zip(shares).for_each(|(n, share)| assert!((n - 1001.0 * share).abs() < 1.0));
        }
        // Derived attributes follow.
        let of = |a: usize, row| table.columns()[a].get(row);
        assert!((0..1001).all(|row| of(3, row) == [0, 1, 1, 2][usize::from(of(0, row))]));
    }
    assert_eq!(made(0, Method::Controlled, 1).rows(), 0);
}

/// χ² of the table of the first and third attribute against independence, with 3 degrees of freedom.
#[test]
fn attributes_of_records_are_independent() {
    let expected = |a: usize, c: usize| 40_000.0 * shares()[0][a] * shares()[2][c];
    for method in [Method::Systematic, Method::Iid] {
        let table = made(40_000, method, 9);
        let mut cells = [[0.0; 3]; 4];
        for row in 0..table.rows() {
            let code = |a: usize| usize::from(table.columns()[a].get(row));
            cells[code(0)][code(2)] += 1.0;
        }
        let pairs = (0..4).flat_map(|a| [0, 2].map(|c| (a, c)));
        let chi: f64 = pairs.map(|(a, c)| (cells[a][c] - expected(a, c)).powi(2) / expected(a, c)).sum();
        assert!(chi < 30.0, "{chi}");
        assert!(cells.iter().all(|cells| cells[1] == 0.0));
    }
}

#[test]
fn a_seed_makes_the_same_records_again() {
    let codes = |seed| {
        let table = made(500, Method::Iid, seed);
        (0..500).map(|row| table.columns()[0].get(row)).collect::<Vec<u16>>()
    };
    assert_eq!(codes(3), codes(3));
    assert_ne!(codes(3), codes(4));
}

#[test]
fn what_is_no_product_is_refused() {
    let refused = |shares, total| ProductModel::new(schema(), shares, total).unwrap_err().code;
    for wrong in [vec![], vec![vec![0.5, 0.5]; 3], [&shares()[..2], &[vec![0.5, -0.5, 1.0]]].concat()] {
        assert_eq!(refused(wrong, 1.0), Code::OptionInvalid);
    }
    assert_eq!(refused(shares(), f64::NAN), Code::OptionInvalid);
    let few = product(3.0).as_prior(100).unwrap();
    assert_eq!(few.err().unwrap().code, Code::ModelTooLarge);
}
