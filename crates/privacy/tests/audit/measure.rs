//! Measurements of two neighbouring tables.

use crate::common::{generator, grant, seal};
use crate::distinguisher::{epsilon, tries};
use marginalia_privacy::budget::Currency;
use marginalia_privacy::convert;
use marginalia_privacy::measure::{Request, cost};
use marginalia_privacy::rational::{Ratio, parse};
use marginalia_privacy::sampler::{Law, Scale};
use marginalia_privacy::sealed::Sealed;
use marginalia_privacy::unit::{Neighbours, Relation, Unit};
use marginalia_tables::query::{Matrix, Query};
use num_traits::ToPrimitive;

pub fn laplace(b: &str) -> Law {
    Law::laplace(Scale::at_least(&parse(b).unwrap()).unwrap()).unwrap()
}

pub fn gaussian(sigma_squared: &str) -> Law {
    Law::gaussian(Scale::at_least(&parse(sigma_squared).unwrap()).unwrap()).unwrap()
}

pub fn request(clique: &[u16], query: Query, law: Law) -> Request {
    Request { clique: clique.to_vec(), query, law, groups: Vec::new() }
}

/// The values of many requests for the same, one after the other.
pub fn measured(sealed: &Sealed, request: &Request, halved: bool, n: u64) -> Vec<Vec<f64>> {
    together(sealed, std::slice::from_ref(request), halved, 0, n)
}

/// The same for requests that are made together, whose values stand behind each other. Calls of another series draw other
/// noise.
pub fn together(sealed: &Sealed, requests: &[Request], halved: bool, series: u64, n: u64) -> Vec<Vec<f64>> {
    let mut all = Vec::new();
    for key in 0..n.div_ceil(1000) {
        let many = vec![requests; 1000].concat();
        let cost = cost(sealed.neighbours(), &sealed.domain(), &many).unwrap();
        let mut measuring = sealed.measure(grant(&cost), many, 1 << 20).unwrap();
        if halved {
            measuring.halve().unwrap();
        }
        let noisy = measuring.finish(&mut [generator((series << 32) + 1 + key)]).unwrap();
        let calls = noisy.chunks(requests.len());
        all.extend(calls.map(|call| call.iter().flat_map(|noisy| noisy.values.clone()).collect()));
    }
    all
}

/// Two tables, and what tells them apart.
struct Case {
    neighbours: Neighbours,
    tables: [[usize; 6]; 2],
    request: Request,
    event: fn(&[f64]) -> bool,
}

impl Case {
    fn found(&self, halved: bool, delta: f64) -> f64 {
        let often = self.tables.map(|table| {
            let sealed = seal(&self.neighbours, table);
            let values = measured(&sealed, &self.request, halved, tries());
            values.iter().filter(|values| (self.event)(values)).count() as u64
        });
        epsilon(often[0], often[1], tries(), delta)
    }

    fn price(&self, currency: Currency) -> Ratio {
        let sealed = seal(&self.neighbours, self.tables[0]);
        let cost = cost(&self.neighbours, &sealed.domain(), std::slice::from_ref(&self.request)).unwrap();
        cost.price(currency).unwrap().clone()
    }

    /// The claim is kept, nearly attained, and broken with half the noise.
    #[track_caller]
    fn audit_pure(&self) {
        let claim = self.price(Currency::Epsilon).to_f64().unwrap();
        let (honest, halved) = (self.found(false, 0.0), self.found(true, 0.0));
        assert!(honest <= claim, "{honest} of {claim}");
        assert!(honest >= 0.85 * claim, "the attack is weak: {honest} of {claim}");
        assert!(halved > claim, "half the noise is not found out: {halved} of {claim}");
    }
}

pub fn unit(max_rows: u32, relation: Relation) -> Neighbours {
    Neighbours { unit: Unit::Declared { max_rows }, relation }
}

#[test]
fn a_row_more() {
    Case {
        neighbours: unit(1, Relation::AddRemove),
        tables: [[2, 1, 0, 1, 0, 0], [2, 2, 0, 1, 0, 0]],
        request: request(&[0], Query::Identity, laplace("3/2")),
        event: |values| values[0] >= 4.0,
    }
    .audit_pure();
}

#[test]
fn three_rows_of_one_unit() {
    Case {
        neighbours: unit(3, Relation::AddRemove),
        tables: [[0; 6], [0, 0, 0, 3, 0, 0]],
        request: request(&[0, 1], Query::Identity, laplace("2")),
        event: |values| values[3] >= 3.0,
    }
    .audit_pure();
}

#[test]
fn a_row_that_becomes_another() {
    Case {
        neighbours: unit(1, Relation::Replace { n: 2 }),
        tables: [[2, 0, 0, 0, 0, 0], [1, 0, 0, 1, 0, 0]],
        request: request(&[0], Query::Identity, laplace("5/2")),
        event: |values| values[0] <= 1.0 && values[1] >= 1.0,
    }
    .audit_pure();
}

/// The sums of the first, the first two, all three cells: a row in the first is in all of them.
#[test]
fn linear_queries() {
    Case {
        neighbours: unit(1, Relation::AddRemove),
        tables: [[0; 6], [1, 0, 0, 0, 0, 0]],
        request: request(&[1], Query::Linear(Matrix::prefix(3).unwrap()), laplace("3")),
        event: |values| values.iter().all(|value| *value >= 1.0),
    }
    .audit_pure();
}

/// What follows of ρ for δ = 1/100.
#[test]
fn gaussian_noise() {
    let case = Case {
        neighbours: unit(1, Relation::AddRemove),
        tables: [[0; 6], [1, 0, 0, 0, 0, 0]],
        request: request(&[0], Query::Identity, gaussian("1")),
        event: |values| values[0] >= 2.0,
    };
    let claim = convert::epsilon(&case.price(Currency::Rho), &parse("0.01").unwrap()).unwrap();
    let (honest, halved) = (case.found(false, 0.01), case.found(true, 0.01));
    assert!(honest <= claim && honest > claim / 4.0, "{honest} of {claim}");
    assert!(halved > claim, "half the noise is not found out: {halved} of {claim}");
}
