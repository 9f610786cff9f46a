//! As Λ grows the solution tends to the two-stage optimum: the least L1 distance, found here by enumerating the
//! vertices of the linear program, and among all distributions at that distance the least divergence.

use crate::small::{Small, Uniform};
use marginalia_estimate::estimators::interior::Status;

/// A hyperplane a·q = b.
type Plane = (Vec<f64>, f64);

/// Solves a square system by elimination; nothing where it is singular.
fn solve(mut planes: Vec<Plane>) -> Option<Vec<f64>> {
    let n = planes.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|a, b| planes[*a].0[k].abs().total_cmp(&planes[*b].0[k].abs()))?;
        planes.swap(k, pivot);
        if planes[k].0[k].abs() < 1e-9 {
            return None;
        }
        let (done, rest) = planes.split_at_mut(k + 1);
        let (row, right) = &done[k];
        for (other, other_right) in rest {
            let factor = other[k] / row[k];
            other.iter_mut().zip(row).for_each(|(x, y)| *x -= factor * y);
            *other_right -= factor * right;
        }
    }
    let mut x = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| planes[k].0[j] * x[j]).sum();
        x[k] = (planes[k].1 - known) / planes[k].0[k];
    }
    Some(x)
}

/// All subsets of `of` things of which `size` are taken.
fn subsets(of: usize, size: usize) -> impl Iterator<Item = Vec<usize>> {
    (0u32..1 << of)
        .filter(move |set| set.count_ones() as usize == size)
        .map(move |set| (0..of).filter(|i| set >> i & 1 == 1).collect())
}

/// The marginals of a small problem as dense rows: supported cells only.
fn dense(small: &Small) -> Vec<Vec<f64>> {
    let index = small.index();
    let unit = |i: usize| (0..index.cells()).map(|j| f64::from(u8::from(i == j))).collect::<Vec<_>>();
    let rows = |i: usize| {
        let mut t = vec![0.0; index.rows()];
        index.gather(&unit(i), &mut t);
        t
    };
    (0..index.cells()).map(rows).collect()
}

/// The least Σ |(Mq)_i − y_i| over all distributions, and every vertex that attains it: a vertex lies on the
/// simplex and on as many planes q_x = 0 or (Mq)_i = y_i as there are rows but one.
fn linear_program(matrix: &[Vec<f64>], answers: &[f64]) -> (f64, Vec<Vec<f64>>) {
    let rows = matrix[0].len();
    let axis = |x: usize| (0..rows).map(|z| f64::from(u8::from(x == z))).collect::<Vec<_>>();
    let mut planes: Vec<Plane> = (0..rows).map(|x| (axis(x), 0.0)).collect();
    planes.extend(matrix.iter().cloned().zip(answers.iter().copied()));
    let distance = |q: &[f64]| -> f64 {
        let of_cell = |row: &Vec<f64>| row.iter().zip(q).map(|(a, q)| a * q).sum::<f64>();
        matrix.iter().zip(answers).map(|(row, y)| (of_cell(row) - y).abs()).sum()
    };
    let vertices: Vec<Vec<f64>> = subsets(planes.len(), rows - 1)
        .filter_map(|chosen| {
            let mut chosen: Vec<Plane> = chosen.into_iter().map(|i| planes[i].clone()).collect();
            chosen.push((vec![1.0; rows], 1.0));
            solve(chosen).filter(|q| q.iter().all(|q| *q > -1e-9))
        })
        .collect();
    let least = vertices.iter().map(|q| distance(q)).fold(f64::INFINITY, f64::min);
    (least, vertices.into_iter().filter(|q| distance(q) < least + 1e-9).collect())
}

fn divergence(q: &[f64], prior: &[f64]) -> f64 {
    q.iter().zip(prior).filter(|(q, _)| **q > 1e-12).map(|(q, p)| q * (q / p).ln()).sum()
}

#[test]
fn a_large_bound_is_an_exact_penalty() {
    let mut uniform = Uniform(7);
    let mut exact = 0;
    for _ in 0..60 {
        let rows: Vec<&[u16]> = vec![&[0, 0], &[0, 1], &[1, 0], &[1, 1], &[1, 2]];
        let weights: Vec<f64> = rows.iter().map(|_| 0.05 + uniform.next()).collect();
        let total: f64 = weights.iter().sum();
        let prior: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        let small = Small::new(&[2, 3], &rows, &prior, &[&[0], &[1]]);
        let answers: Vec<f64> = (0..5).map(|_| uniform.next() * 0.6 - 0.05).collect();
        let (least, vertices) = linear_program(&dense(&small), &answers);
        let split = [answers[..2].to_vec(), answers[2..].to_vec()];
        let bound = 40.0;
        let fit = small.solve(&split, bound, 1e-11);
        assert_eq!(fit.status, Status::Converged);
        let certificate = fit.certificate;
        // Λ·distance + KL is the least: at most Λ·least + KL of whatever attains it.
        let nearest = vertices.iter().map(|q| divergence(q, &prior)).fold(f64::INFINITY, f64::min);
        assert!(certificate.distance > least - 1e-9, "{} < {least}", certificate.distance);
        assert!(certificate.primal <= bound * least + nearest + 1e-9);
        if certificate.distance < least + 1e-9 {
            exact += 1;
            assert!(certificate.divergence <= nearest + 1e-6);
        }
    }
    assert!(exact > 50, "only {exact} of 60 reached the least distance");
}

/// Answers that some distribution has: the solution is Csiszár's I-projection once Λ exceeds its multipliers.
#[test]
fn answers_without_noise_are_met_exactly() {
    let rows: Vec<&[u16]> = vec![&[0, 0], &[0, 1], &[1, 0], &[1, 1]];
    let prior = [0.4, 0.1, 0.3, 0.2];
    let small = Small::new(&[2, 2], &rows, &prior, &[&[0], &[1]]);
    let fit = small.solve(&[vec![0.3, 0.7], vec![0.6, 0.4]], 20.0, 1e-13);
    let mut q = prior;
    for _ in 0..200 {
        let a = [q[0] + q[1], q[2] + q[3]];
        q = [q[0] * 0.3 / a[0], q[1] * 0.3 / a[0], q[2] * 0.7 / a[1], q[3] * 0.7 / a[1]];
        let b = [q[0] + q[2], q[1] + q[3]];
        q = [q[0] * 0.6 / b[0], q[1] * 0.4 / b[1], q[2] * 0.6 / b[0], q[3] * 0.4 / b[1]];
    }
    assert!(fit.certificate.distance < 1e-10);
    fit.weights.iter().zip(q).for_each(|(fit, q)| assert!((fit - q).abs() < 1e-8, "{fit} is not {q}"));
}
