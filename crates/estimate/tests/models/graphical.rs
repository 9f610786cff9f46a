//! Graphical models against the same distribution on all rows that their schema allows, and their estimator.

use super::product::{answers, assert_alike, cliques, schema};
use marginalia_estimate::estimators::graphical::{GraphicalEstimator, Strength};
use marginalia_estimate::estimators::{Certificate, Estimate, Estimator, Request, Status};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::{Law, Measured};
use marginalia_estimate::models::graphical::{Cliques, GraphicalModel, Places, Roots};
use marginalia_estimate::models::support::{Base, Distribution, SupportModel};
use marginalia_estimate::models::{Condition, GRAPHICAL, Model, RecordsRequest, Saved, restore};
use marginalia_estimate::records::Method;
use marginalia_estimate::seed::Seed;
use marginalia_estimate::total::Total;
use marginalia_tables::query::{Factor, Matrix, Product, Query};
use marginalia_tables::{Code, Domain, Schema};
use std::sync::Arc;

const LIMIT: u64 = 1 << 30;

/// Some potentials on two cliques of the three attributes that are not derived.
fn model() -> Arc<dyn Model> {
    let cliques = Cliques::new(schema(), vec![vec![0, 1], vec![2, 1]], 1e9).unwrap();
    let mut seed = Seed::new(3);
    let potentials = (0..14).map(|_| 2.0 * seed.uniform()).collect();
    Arc::new(GraphicalModel::new(cliques, potentials, 80.0).unwrap().unwrap())
}

/// The same on rows: every combination of codes, weighted by the answer to the clique of all.
fn brute(model: &Arc<dyn Model>) -> Arc<dyn Model> {
    let all = answers(model, &[vec![0, 1, 2]]);
    let schema = Arc::clone(model.schema());
    let mut table = marginalia_tables::Table::new(Arc::clone(&schema), true, &[]);
    let cells = (0..4u16).flat_map(|a| (0..2).flat_map(move |b| (0..3).map(move |c| [a, b, c])));
    for ([a, b, c], weight) in cells.zip(&all) {
        table.extend(&[&[a], &[b], &[c]], Some(&[*weight]), &[]).unwrap();
    }
    let base = Arc::new(Base::from_table(table).unwrap());
    let total = all.iter().sum();
    Arc::new(SupportModel::new(schema, Distribution::prior(base, total).unwrap()).unwrap())
}

#[test]
fn it_answers_every_clique_as_all_its_rows_do() {
    assert_alike(&model(), &brute(&model()));
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
        let (part, rows) = (model().part(&condition), brute(&model()).part(&condition));
        assert_alike(&part.unwrap().unwrap(), &rows.unwrap().unwrap());
    }
    assert!(model().part(&vec![(2, vec![false; 3])]).unwrap().is_none());
    for wrong in [(0, vec![true; 2]), (9, vec![true])] {
        assert_eq!(model().part(&vec![wrong]).unwrap_err().code, Code::OptionInvalid);
    }
}

#[test]
fn what_is_saved_is_the_same_bits() {
    let part = model().part(&vec![(4, vec![true, false])]).unwrap().unwrap();
    for model in [model(), part] {
        let form = model.form().unwrap();
        let saved = |form| Saved { schema: schema(), total: model.total(), rows: None, form, limit: LIMIT };
        let again = restore(GRAPHICAL, "graphical", saved(form.clone())).unwrap().complete().unwrap();
        assert_eq!(again.form().unwrap(), form);
        assert_eq!(answers(&again, &cliques()), answers(&model, &cliques()));
        let mut wrong = form.clone();
        wrong.numbers.pop();
        assert_eq!(
            restore(GRAPHICAL, "graphical", saved(wrong)).err().map(|e| e.code),
            Some(Code::OptionInvalid)
        );
        let mut wrong = form.clone();
        wrong.numbers[0] = f64::NAN;
        let refused = restore(GRAPHICAL, "graphical", saved(wrong)).and_then(|job| job.complete());
        assert_eq!(refused.err().map(|e| e.code), Some(Code::OptionInvalid));
        let mut wrong = form;
        wrong.cliques = Some(vec![vec![0, 1, 3], vec![2]]);
        assert_eq!(
            restore(GRAPHICAL, "graphical", saved(wrong)).err().map(|e| e.code),
            Some(Code::OptionInvalid)
        );
    }
}

#[test]
fn records_have_the_counts_of_cliques() {
    let request = RecordsRequest { records: 8000, method: Method::Systematic, targets: Vec::new(), seed: 4 };
    let table = model().records(request).unwrap().complete().unwrap();
    let mut cells = [0.0; 12];
    for row in 0..table.rows() {
        let code = |a: usize| usize::from(table.columns()[a].get(row));
        assert_eq!(code(3), [0, 1, 1, 2][code(0)]);
        cells[code(4) * 6 + code(1) * 3 + code(2)] += 1.0;
    }
    let wanted = answers(&model(), &[vec![4, 1, 2]]);
    for (cell, wanted) in cells.iter().zip(wanted) {
        let wanted: f64 = 100.0 * wanted;
        assert!((cell - wanted).abs() < 5.0 * wanted.sqrt() + 3.0, "{cell} {wanted}");
    }
}

pub fn measured(clique: &[u16], query: Query, answers: &[f64]) -> Measured {
    Measured { clique: clique.to_vec(), query, answers: answers.to_vec(), variance: 0.01, law: Law::Gaussian }
}

fn estimated(schema: Arc<Schema>, measurements: Vec<Measured>, total: f64) -> Estimate {
    let request = Request::new(schema, None, measurements, Total::known(total).unwrap());
    let strength = Strength::Fixed(1e-3);
    let estimator = GraphicalEstimator { strength, tolerance: 1e-6, ..GraphicalEstimator::default() };
    estimator.begin(request).unwrap().complete().unwrap()
}

#[test]
fn an_estimate_meets_exact_answers() {
    let truth = model();
    // Of a derived attribute, of one that is not, and of combinations.
    let ask = |clique: &[u16]| answers(&truth, &[clique.to_vec()]);
    let prefix = Query::Linear(Matrix::prefix(6).unwrap());
    let measurements = vec![
        measured(&[3, 1], Query::Identity, &ask(&[3, 1])),
        measured(&[0], Query::Identity, &ask(&[0])),
        measured(&[1, 2], prefix.clone(), &prefix.apply(&ask(&[1, 2]))),
    ];
    let found = estimated(schema(), measurements, 80.0);
    assert_eq!(found.status, Status::Converged);
    for clique in [vec![3, 1], vec![1, 3], vec![0], vec![4], vec![2, 1]] {
        let pairs = answers(&found.model, std::slice::from_ref(&clique)).into_iter().zip(ask(&clique));
        pairs.for_each(|(a, b)| assert!((a - b).abs() < 0.05, "{clique:?}: {a} is not {b}"));
    }
    let Certificate::Graphical { gap, answers, .. } = found.certificate else { unreachable!() };
    assert!(gap >= 0.0 && answers == 16);
}

/// Products of queries, of derived attributes and in any order, are as their expansion; so are losses that have no closed steps.
#[test]
fn a_product_of_queries_is_never_expanded() {
    let truth = model();
    let ask = |clique: &[u16]| answers(&truth, &[clique.to_vec()]);
    let combinations = Factor::Linear(Matrix::new(3, vec![1, 1, 0, 0, -1, 2]).unwrap());
    let sums = |codes| Factor::Linear(Matrix::prefix(codes).unwrap());
    let cliques: [(&[u16], Vec<Factor>); 3] = [
        (&[2, 1], vec![combinations, sums(2)]),
        (&[4, 0], vec![Factor::Identity(2), sums(4)]),
        (&[0, 1, 2], vec![sums(4), Factor::Identity(2), sums(3)]),
    ];
    let all = cliques.map(|(clique, factors)| (clique, Product::new(factors).unwrap()));
    let found = [false, true].map(|expanded| {
        let ask = |(clique, product): &(&[u16], Product)| {
            let noisy: Vec<f64> = product
                .apply(&ask(clique))
                .iter()
                .zip(1..)
                .map(|(x, i)| x + 0.1 * f64::from(i % 3))
                .collect();
            let entries = |answer| (0..product.cells()).map(move |cell| product.entry(answer, cell));
            let matrix = Matrix::new(product.cells(), (0..product.answers()).flat_map(entries).collect());
            let query =
                if expanded { Query::Linear(matrix.unwrap()) } else { Query::Product(product.clone()) };
            measured(clique, query, &noisy)
        };
        let measurements: Vec<Measured> = all.iter().map(ask).collect();
        let total = Total::of_queries(&measurements).unwrap();
        let found = estimated(schema(), measurements, 80.0);
        assert_eq!(found.status, Status::Converged);
        (total.value, total.variance, answers(&found.model, &[vec![0, 1], vec![2, 4]]))
    });
    let [own, expanded] = found;
    assert!((own.0 - expanded.0).abs() < 1e-9 && (own.1 - expanded.1).abs() < 1e-9);
    own.2.iter().zip(&expanded.2).for_each(|(a, b)| assert!((a - b).abs() < 1e-2, "{a} {b}"));
    let short = measured(&[2, 1], Query::Product(Product::new(vec![sums(2)]).unwrap()), &[1.0, 2.0]);
    let request = Request::new(schema(), None, vec![short], Total::known(8.0).unwrap());
    assert!(GraphicalEstimator::default().begin(request).unwrap().complete().is_err());
}

#[test]
fn what_nobody_measured_is_uniform() {
    let found = estimated(schema(), vec![measured(&[1], Query::Identity, &[60.0, 20.0])], 80.0);
    let all = answers(&found.model, &[vec![0], vec![1], vec![2]]);
    let wanted = [20.0, 20.0, 20.0, 20.0, 60.0, 20.0, 80.0 / 3.0, 80.0 / 3.0, 80.0 / 3.0];
    all.iter().zip(wanted).for_each(|(a, b)| assert!((a - b).abs() < 1e-2, "{a} {b}"));
}

#[test]
fn what_does_not_fit_is_refused_with_the_names() {
    let error = Cliques::new(schema(), vec![vec![0, 1], vec![1, 2], vec![0, 2]], 100.0).unwrap_err();
    assert_eq!(error.code, Code::ModelTooLarge);
    assert!(error.message.contains("a, ") || error.message.contains(", a"), "{}", error.message);
    assert_eq!(Cliques::new(schema(), vec![vec![3]], 1e9).unwrap_err().code, Code::OptionInvalid);
}

#[test]
fn places_are_the_cells_of_a_clique() {
    let places = Places::new(&Roots::new(&schema()), &[4, 1, 0]).unwrap();
    assert_eq!((places.roots, places.cells), (vec![0, 1], 16));
    // e follows from d, d from a: 1 0 0 1 for the codes of a.
    assert_eq!(places.of, [8, 12, 1, 5, 2, 6, 11, 15]);
    assert!(Places::new(&Roots::new(&schema()), &[0, 2]).unwrap().same());
    assert!(!Places::new(&Roots::new(&schema()), &[2, 0]).unwrap().same());
    let none = Places::new(&Roots::new(&schema()), &[]).unwrap();
    assert_eq!((none.of, none.cells), (vec![0], 1));
}

/// Rows of the model's own distribution as a prior, of some attributes by their names.
fn public(records: u64, attributes: &[usize]) -> Arc<Base> {
    let request = RecordsRequest { records, method: Method::Systematic, targets: Vec::new(), seed: 1 };
    let table = model().records(request).unwrap().complete().unwrap();
    let columns: Vec<_> = attributes.iter().map(|a| table.columns()[*a].clone()).collect();
    let sizes: Vec<u32> = attributes.iter().map(|a| schema().sizes()[*a]).collect();
    Arc::new(Base::new(Domain::new(sizes), columns, None).unwrap())
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / 160.0
}

#[test]
fn what_is_public_of_cliques_is_what_it_starts_from() {
    let ask = |clique: &[u16]| answers(&model(), &[clique.to_vec()]);
    let noisy = |clique: &[u16], variance: f64| Measured {
        variance,
        ..measured(
            clique,
            Query::Identity,
            &ask(clique).iter().map(|_| 80.0 / ask(clique).len() as f64).collect::<Vec<_>>(),
        )
    };
    let measurements = vec![noisy(&[0, 1], 1e6), noisy(&[2, 1], 1e6)];
    let estimated = |rows: Option<Arc<Base>>, known: Option<Vec<u16>>, measurements: Vec<Measured>| {
        let request =
            Request { known, ..Request::new(schema(), rows, measurements, Total::known(80.0).unwrap()) };
        GraphicalEstimator::default().begin(request).unwrap().complete().unwrap()
    };
    // Answers that say next to nothing leave the prior as it is.
    let with = estimated(Some(public(4000, &[0, 1, 2, 3, 4])), None, measurements.clone());
    let without = estimated(None, None, measurements);
    for clique in [vec![0, 1], vec![2, 1], vec![3, 2]] {
        let of =
            |found: &Estimate| distance(&answers(&found.model, std::slice::from_ref(&clique)), &ask(&clique));
        assert!(of(&with) < 0.02 && of(&without) > 0.04, "{clique:?} {} {}", of(&with), of(&without));
    }
    let Certificate::Graphical { strength, .. } = with.certificate else { unreachable!() };
    assert!((strength - 4000.0 * 80.0 / 4080.0).abs() < 1e-9);
    // What it knows nothing of follows from the answers; what these say nothing of follows from it.
    let exact = vec![noisy(&[0, 1], 1e6), measured(&[2, 1], Query::Identity, &ask(&[2, 1]))];
    let part = estimated(Some(public(4000, &[1, 0])), Some(vec![1, 0]), exact);
    assert!(distance(&answers(&part.model, &[vec![0, 1]]), &ask(&[0, 1])) < 0.02);
    assert!(distance(&answers(&part.model, &[vec![2]]), &ask(&[2])) < 0.02);
}

#[test]
fn a_prior_of_others_is_worth_what_the_answers_say() {
    // The prior has the codes of a the other way round.
    let base = public(4000, &[0, 1, 2]);
    let turned = (0..base.rows()).map(|row| 3 - base.columns()[0].get(row)).collect::<Vec<u16>>();
    let mut first = marginalia_tables::Codes::new(4);
    first.extend(&turned).unwrap();
    let columns = vec![first, base.columns()[1].clone(), base.columns()[2].clone()];
    let wrong = Arc::new(Base::new(Domain::new([4, 2, 3]), columns, None).unwrap());
    let truth = Arc::new(model().part(&Vec::new()).unwrap().unwrap());
    let ask = |clique: &[u16]| answers(&truth, &[clique.to_vec()]);
    let many = |clique: &[u16]| Measured {
        variance: 900.0,
        ..measured(clique, Query::Identity, &ask(clique).iter().map(|n| 100.0 * n).collect::<Vec<_>>())
    };
    let measurements = vec![many(&[0, 1]), many(&[2, 1])];
    let request = Request::new(schema(), Some(wrong), measurements, Total::known(8000.0).unwrap());
    let request = Request { known: Some(vec![0, 1, 2]), public: 8e5, ..request };
    let found = GraphicalEstimator::default().begin(request).unwrap().complete().unwrap();
    let Certificate::Graphical { strength, .. } = found.certificate else { unreachable!() };
    assert!(strength < 1000.0, "{strength}");
    assert!(distance(&answers(&found.model, &[vec![0, 1]]), &many(&[0, 1]).answers) < 2.0);
}
