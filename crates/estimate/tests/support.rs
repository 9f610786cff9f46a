//! The support model against brute force.

use marginalia_estimate::job::Job;
use marginalia_estimate::models::support::{Base, Distribution, Index};
use marginalia_estimate::seed::Seed;
use marginalia_tables::{Code, Codes, Domain};
use proptest::prelude::*;
use std::sync::Arc;

/// Random rows over a domain, with weights.
fn base(sizes: &[u32], rows: usize, seed: u64) -> Arc<Base> {
    let mut seed = Seed::new(seed);
    let columns = sizes.iter().map(|size| {
        let codes: Vec<u16> = (0..rows).map(|_| seed.below(u64::from(*size)) as u16).collect();
        let mut column = Codes::new(*size as usize);
        column.extend(&codes).unwrap();
        column
    });
    let columns = columns.collect();
    let weights: Vec<f64> = (0..rows).map(|_| seed.uniform() + 1e-9).collect();
    Arc::new(Base::new(Domain::new(sizes), columns, Some(&weights)).unwrap())
}

/// The cell of a clique that a row lies in.
fn cell(base: &Base, clique: &[u16], row: usize) -> usize {
    clique.iter().fold(0, |cell, a| {
        let a = usize::from(*a);
        cell * base.domain().sizes()[a] as usize + usize::from(base.columns()[a].get(row))
    })
}

fn close(a: &[f64], b: &[f64]) {
    assert_eq!(a.len(), b.len());
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() <= 1e-12 * (1.0 + b.abs()), "{a} is not {b}");
    }
}

fn cliques() -> Vec<Vec<u16>> {
    [&[0][..], &[1, 0], &[], &[2], &[0, 1, 2], &[2, 1]].map(<[u16]>::to_vec).to_vec()
}

/// Every pass of an index, and the rows it was made of.
fn passes(index: &Index, w: &[f64]) -> Vec<f64> {
    let u: Vec<f64> = (0..index.cells()).map(|cell| (cell as f64).sin()).collect();
    let (mut t, mut m, mut scaled) = (vec![0.0; w.len()], vec![0.0; index.cells()], w.to_vec());
    index.gather(&u, &mut t);
    index.scatter(w, &mut m);
    let of = |i: usize| index.marginals()[i].cells.clone();
    let mut one = vec![0.0; of(4).len()];
    index.scale_and_sum(1, &u[of(1)], 4, &mut scaled, &mut one);
    index.scale(5, &u[of(5)], &mut scaled);
    let mut sum = vec![0.0; of(3).len()];
    index.sum(3, &scaled, &mut sum);
    [t, m, scaled, one, sum].concat()
}

fn brute(base: &Base, index: &Index, w: &[f64]) -> Vec<f64> {
    let of_row = |i: usize, row: usize| {
        let place = cell(base, &cliques()[i], row) as u32;
        index.marginals()[i].places.binary_search(&place).unwrap()
    };
    let u = |i: usize, row: usize| ((index.marginals()[i].cells.start + of_row(i, row)) as f64).sin();
    let t: Vec<f64> = (0..w.len()).map(|row| (0..6).map(|i| u(i, row)).sum()).collect();
    let mut m = vec![0.0; index.cells()];
    let mut scaled = w.to_vec();
    let mut one = vec![0.0; index.marginals()[4].places.len()];
    let mut sum = vec![0.0; index.marginals()[3].places.len()];
    for row in 0..w.len() {
        (0..6).for_each(|i| m[index.marginals()[i].cells.start + of_row(i, row)] += w[row]);
        scaled[row] *= u(1, row);
        one[of_row(4, row)] += scaled[row];
        scaled[row] *= u(5, row);
        sum[of_row(3, row)] += scaled[row];
    }
    [t, m, scaled, one, sum].concat()
}

fn made(base: &Arc<Base>, limit: u64) -> Arc<Index> {
    Index::over(Arc::clone(base), cliques(), limit).unwrap().complete().unwrap()
}

/// The least limit of memory, to 0.1 MB, in which as few passes are made.
fn least(base: &Arc<Base>, passes: usize) -> u64 {
    let enough = |limit: &u64| {
        let job = Index::over(Arc::clone(base), cliques(), *limit);
        job.is_ok_and(|job| job.complete().unwrap().passes() == passes)
    };
    (1..).map(|tenths| tenths * 100_000).find(enough).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn passes_agree_with_brute_force(rows in 1usize..5000, a in 1u32..6, b in 1u32..300, c in 1u32..9, seed: u64) {
        let base = base(&[a, b, c], rows, seed);
        let index = made(&base, 1 << 30);
        close(&passes(&index, base.prior()), &brute(&base, &index, base.prior()));
        let slices: Vec<Vec<u16>> = cliques();
        let slices: Vec<&[u16]> = slices.iter().map(Vec::as_slice).collect();
        let other = Index::new(base.domain(), base.columns(), &slices).unwrap();
        prop_assert_eq!(passes(&other, base.prior()), passes(&index, base.prior()));
    }
}

#[test]
fn many_rows_and_cells_that_are_not_kept_give_the_same_bits() {
    // More cells than four for each row, so that the clique of three is searched; and four chunks of rows.
    let base = base(&[4, 700, 200], 50_000, 1);
    let all = made(&base, 1 << 30);
    assert!(all.marginals().iter().all(|marginal| marginal.of_row.len() == 50_000));
    close(&passes(&all, base.prior()), &brute(&base, &all, base.prior()));
    let none = made(&base, least(&base, all.passes()));
    assert!(none.marginals().last().unwrap().of_row.is_empty());
    assert_eq!(passes(&none, base.prior()), passes(&all, base.prior()));
}

/// All pairs of five attributes, of which the later ones say little more than the first.
fn related(rows: usize) -> (Arc<Base>, Vec<Vec<u16>>) {
    let mut seed = Seed::new(7);
    let sizes = [12u32, 9, 7, 5, 20];
    let mut columns = sizes.map(|size| Codes::new(size as usize));
    for _ in 0..rows {
        let first = seed.below(12);
        let codes = sizes.map(|size| ((first + seed.below(2)) % u64::from(size)) as u16);
        columns.iter_mut().zip(codes).for_each(|(column, code)| column.extend(&[code]).unwrap());
    }
    let base = Base::new(Domain::new(sizes), columns.to_vec(), None).unwrap();
    let pairs = (0..5u16).flat_map(|a| (0..a).map(move |b| vec![a, b]));
    (Arc::new(base), pairs.chain([vec![2], vec![], vec![4, 0]]).collect())
}

#[test]
fn marginals_that_are_passed_over_together_are_each_that_of_the_rows() {
    let (base, cliques) = related(20_000);
    let make = |limit| Index::over(Arc::clone(&base), cliques.clone(), limit).unwrap().complete().unwrap();
    let index = make(1 << 30);
    assert!(index.passes() <= 3, "{} passes", index.passes());
    let u: Vec<f64> = (0..index.cells()).map(|cell| (cell as f64).sin()).collect();
    let (mut t, mut m) = (vec![0.0; 20_000], vec![f64::NAN; index.cells()]);
    index.gather(&u, &mut t);
    index.scatter(base.prior(), &mut m);
    let (mut of_rows, mut of_cells) = (vec![0.0; 20_000], vec![0.0; index.cells()]);
    for (marginal, clique) in index.marginals().iter().zip(&cliques) {
        for (row, of_row) in of_rows.iter_mut().enumerate() {
            let place = cell(&base, clique, row) as u32;
            let number = marginal.cells.start + marginal.places.binary_search(&place).unwrap();
            *of_row += u[number];
            of_cells[number] += base.prior()[row];
        }
    }
    close(&t, &of_rows);
    close(&m, &of_cells);
    // Nor are they other ones where the cells of no row are kept.
    let (mut other_t, mut other_m) = (vec![0.0; 20_000], vec![0.0; index.cells()]);
    let computed = make(2_000_000);
    assert_eq!((computed.passes(), computed.marginals()[12].of_row.len()), (index.passes(), 0));
    computed.gather(&u, &mut other_t);
    computed.scatter(base.prior(), &mut other_m);
    assert_eq!((other_t, other_m), (t, m));
}

#[test]
fn rows_that_are_all_different_are_not_passed_over_together() {
    let base = base(&[300, 300, 300], 5000, 2);
    let cliques = vec![vec![0, 1], vec![1, 2], vec![0, 2]];
    let index = Index::over(base, cliques, 1 << 30).unwrap().complete().unwrap();
    assert_eq!(index.passes(), 3);
}

#[test]
fn what_does_not_fit_is_refused_before_anything_is_made() {
    let base = base(&[4, 700, 200], 1000, 1);
    let refused = Index::over(Arc::clone(&base), cliques(), 100).err().unwrap();
    assert_eq!(refused.code, Code::ModelTooLarge);
    let unknown = Index::over(base, vec![vec![3]], 1 << 30).err().unwrap();
    assert_eq!(unknown.code, Code::AttributeUnknown);
}

#[test]
fn an_index_is_made_in_steps() {
    let base = base(&[4, 70, 20], 1000, 1);
    let mut job = Index::over(Arc::clone(&base), cliques(), 1 << 30).unwrap();
    let mut steps = 0;
    let last = loop {
        let now = job.step(1);
        if now.over {
            break now;
        }
        steps += 1;
        assert!(now.done < now.total || steps == cliques().len());
    };
    assert_eq!((steps, last.done), (cliques().len(), last.total));
    let index = job.complete().unwrap();
    assert_eq!(passes(&index, base.prior()), passes(&made(&base, 1 << 30), base.prior()));
}

#[test]
fn a_model_answers_any_clique_in_records() {
    let base = base(&[4, 30, 5], 3000, 9);
    let index = made(&base, 1 << 30);
    let u: Vec<f64> = (0..index.cells()).map(|cell| (cell as f64).cos()).collect();
    let model =
        Distribution::from_potentials(Arc::clone(&base), Arc::clone(&index), u.clone(), 250.0).unwrap();
    let mut model = Arc::new(model);
    let q = model.weights().unwrap().to_vec();
    let mut t = vec![0.0; 3000];
    index.gather(&u, &mut t);
    let expected: Vec<f64> = base.prior().iter().zip(&t).map(|(p, t)| p * t.exp()).collect();
    let all: f64 = expected.iter().sum();
    close(&q, &expected.iter().map(|w| w / all).collect::<Vec<_>>());
    for clique in [&[2u16, 0][..], &[1], &[], &[2, 1, 0]] {
        let answer = model.marginal(clique, 1 << 20).unwrap();
        let mut expected = vec![0.0; answer.len()];
        (0..3000).for_each(|row| expected[cell(&base, clique, row)] += 250.0 * q[row]);
        close(&answer, &expected);
    }
    assert_eq!(model.marginal(&[2, 1, 0], 100).unwrap_err().code, Code::ModelTooLarge);
    Arc::get_mut(&mut model).unwrap().forget();
    assert_eq!(model.weights().unwrap(), q);
}

#[test]
fn entropy_and_effective_size_are_those_of_the_prior_at_the_prior() {
    let base = base(&[2, 2], 4, 3);
    let prior = Distribution::prior(Arc::clone(&base), 10.0).unwrap();
    assert_eq!(prior.relative_entropy(), Ok(0.0));
    assert!((prior.effective_size(80.0).unwrap() - 80.0).abs() < 1e-10);
    // All weight on half of a uniform prior: half of the records count, and the entropy is ln 2.
    let uniform =
        Arc::new(Base::new(base.domain().clone(), base.columns().to_vec(), Some(&[1.0; 4])).unwrap());
    let half = Distribution::from_weights(uniform, vec![3.0, 0.0, 3.0, 0.0], 10.0).unwrap();
    assert!((half.effective_size(80.0).unwrap() - 40.0).abs() < 1e-12);
    assert!((half.relative_entropy().unwrap() - 2f64.ln()).abs() < 1e-15);
}

#[test]
fn a_table_scales_the_rows_of_its_cells() {
    let base = base(&[3, 2], 12, 5);
    let model = Arc::new(Distribution::prior(Arc::clone(&base), 6.0).unwrap());
    let scaled = model.scaled(&[0], &[2.0, 0.0, 1.0], 1 << 20).unwrap();
    let expected: Vec<f64> =
        (0..12).map(|row| base.prior()[row] * [2.0, 0.0, 1.0][cell(&base, &[0], row)]).collect();
    let all: f64 = expected.iter().sum();
    close(scaled.weights().unwrap(), &expected.iter().map(|w| w / all).collect::<Vec<_>>());
    assert_eq!(model.scaled(&[0], &[1.0], 1 << 20).unwrap_err().code, Code::OptionInvalid);
    assert!(Distribution::from_weights(Arc::clone(&base), vec![0.0; 12], 1.0).is_err());
    assert!(Distribution::from_weights(base, vec![f64::NAN; 12], 1.0).is_err());
}
