//! Models of every kind by name: what they are given by makes the same bits again.

use super::product::{product, schema};
use marginalia_estimate::job::Job;
use marginalia_estimate::models::product::ProductModel;
use marginalia_estimate::models::support::{Base, Distribution, Index, SupportModel};
use marginalia_estimate::models::{Form, Model, PLAIN, Saved, narrowed, restore};
use marginalia_tables::{Code, Domain, Result, Workload};
use std::sync::Arc;

fn base() -> Arc<Base> {
    let rows = product(10.0).as_prior(1 << 20).unwrap().unwrap().complete().unwrap();
    Arc::new(Base::from_table(rows).unwrap())
}

fn on_rows() -> Arc<dyn Model> {
    let base = base();
    let index =
        Index::over(Arc::clone(&base), vec![vec![0, 1], vec![2]], 1 << 20).unwrap().complete().unwrap();
    let u = (0..index.cells()).map(|cell| 0.3 * cell as f64 - 1.0).collect();
    let distribution = Distribution::from_potentials(base, index, u, 7.5).unwrap();
    Arc::new(SupportModel::new(schema(), distribution).unwrap())
}

fn again(model: &Arc<dyn Model>, kind: &str, form: Form) -> Result<Arc<dyn Model>> {
    let (schema, total, rows) = (Arc::clone(model.schema()), model.total(), Some(base()));
    restore(PLAIN, kind, Saved { schema, total, rows, form, limit: 1 << 20 })?.complete()
}

fn bits(model: &Arc<dyn Model>) -> Vec<u64> {
    let workload =
        Workload::from_cliques(Domain::new(schema().sizes()), &[vec![0u16, 1, 2], vec![4]]).unwrap();
    let answers = Arc::clone(model).answer(&Arc::new(workload), 1 << 20).unwrap().complete().unwrap();
    answers.iter().map(|answer| answer.to_bits()).collect()
}

#[test]
fn a_form_makes_the_same_bits_again() {
    for model in [on_rows(), product(12.25)] {
        let same = again(&model, model.kind(), model.form().unwrap()).unwrap();
        assert_eq!((same.kind(), same.total()), (model.kind(), model.total()));
        assert_eq!((bits(&same), same.form().unwrap()), (bits(&model), model.form().unwrap()));
    }
}

#[test]
fn forms_of_other_kinds_are_refused() {
    let (rows, product) = (on_rows(), product(1.0));
    for (model, kind, form) in [
        (&rows, "product", rows.form().unwrap()),
        (&product, "support", product.form().unwrap()),
        (&product, "product", Form { cliques: None, numbers: vec![] }),
        (&product, "mixture", product.form().unwrap()),
    ] {
        assert_eq!(again(model, kind, form).unwrap_err().code, Code::OptionInvalid, "{kind}");
    }
}

#[test]
fn what_a_kind_lacks_is_refused_by_code() {
    assert!(narrowed::<SupportModel>(&on_rows()).is_ok() && narrowed::<ProductModel>(&product(1.0)).is_ok());
    assert_eq!(narrowed::<SupportModel>(&product(1.0)).unwrap_err().code, Code::ModelUnsupported);
    let request = marginalia_estimate::models::ErrorsRequest {
        measurements: Vec::new(),
        total: marginalia_estimate::total::Total::known(1.0).unwrap(),
        strength: 1.0,
        refitted: Vec::new(),
        questions: Vec::new(),
        condition: Vec::new(),
        normalize: false,
        limit: 0,
    };
    assert!(product(1.0).standard_errors(request).is_none());
}
