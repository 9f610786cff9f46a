//! Tiny problems, against all vertices that an optimum can be at.

use marginalia_lp::{Marginal, Options, Problem, Solution, Status, Target, TwoStage};
use proptest::prelude::*;

#[derive(Debug, Clone)]
struct Tiny {
    sizes: Vec<usize>,
    cells: Vec<Vec<u32>>,
    prior: Vec<f64>,
    answers: Vec<f64>,
    weights: Vec<f64>,
}

impl Tiny {
    fn solve(&self, target: Target) -> Solution {
        let marginals: Vec<Marginal<'_>> = self
            .sizes
            .iter()
            .zip(&self.cells)
            .map(|(cells, of_row)| Marginal { cells: *cells, of_row })
            .collect();
        let problem = Problem::new(&marginals, &self.prior, &self.answers, Some(&self.weights)).unwrap();
        TwoStage::new(problem, Options { target, ..Options::default() }).unwrap().finish()
    }

    /// The rows of each supported cell as zeros and ones, its answer and its weight.
    fn supported(&self) -> Vec<(Vec<f64>, f64, f64)> {
        let mut found = Vec::new();
        let mut place = 0;
        for (size, of_row) in self.sizes.iter().zip(&self.cells) {
            for cell in 0..*size as u32 {
                let rows: Vec<f64> = of_row.iter().map(|of| f64::from(u8::from(*of == cell))).collect();
                if rows.contains(&1.0) {
                    found.push((rows, self.answers[place], self.weights[place]));
                }
                place += 1;
            }
        }
        found
    }

    fn loss(&self, q: &[f64]) -> f64 {
        self.supported().iter().map(|(rows, y, c)| c * (dot(rows, q) - y).abs()).sum()
    }

    /// Points where as many of `qₓ = 0` and `(Mq)ᵢ = yᵢ` hold as there are unknowns.
    fn vertices(&self) -> Vec<Vec<f64>> {
        let n = self.prior.len();
        let mut planes: Vec<(Vec<f64>, f64)> =
            (0..n).map(|x| ((0..n).map(|i| f64::from(u8::from(i == x))).collect(), 0.0)).collect();
        planes.extend(self.supported().into_iter().map(|(rows, y, _)| (rows, y)));
        let mut found = Vec::new();
        for choice in 0u32..1 << planes.len() {
            if choice.count_ones() as usize != n - 1 {
                continue;
            }
            let chosen = planes.iter().enumerate().filter(|(i, _)| choice >> i & 1 == 1);
            let mut system: Vec<(Vec<f64>, f64)> = chosen.map(|(_, plane)| plane.clone()).collect();
            system.push((vec![1.0; n], 1.0));
            found.extend(solution(system).filter(|q| q.iter().all(|q| *q >= -1e-9)));
        }
        found
    }
}

impl Tiny {
    /// Whether answers nearly agree, so that two vertices are all but one: no accuracy tells which of them is the optimum.
    fn nearly_degenerate(&self) -> bool {
        let vertices = self.vertices();
        let between = |value: f64, from: f64| value > from && value < 1e-4;
        vertices.iter().enumerate().any(|(i, a)| {
            vertices[..i].iter().any(|b| {
                let distance: f64 = a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum();
                between(distance, 1e-9) || between((self.loss(a) - self.loss(b)).abs(), 1e-9)
            })
        })
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Two answers agree to seven digits: between them lies all that is optimal, or nothing is. The loss is certain all the same.
#[test]
fn answers_that_nearly_agree_have_a_certain_loss() {
    for fifth in [0.0, 0.5310522385284722] {
        let tiny = Tiny {
            sizes: vec![2, 2, 2],
            cells: vec![vec![0, 1], vec![1, 0], vec![1, 0]],
            prior: vec![0.5, 0.5],
            answers: vec![
                0.7221942869217743,
                0.4248296601940067,
                0.0,
                0.21482902108697463,
                fifth,
                0.5751704901656349,
            ],
            weights: vec![1.0; 6],
        };
        let least = tiny.vertices().iter().map(|q| tiny.loss(q)).fold(f64::INFINITY, f64::min);
        for target in [Target::Loss, Target::Lp] {
            let found = tiny.solve(target).certificate;
            assert!((found.loss - least).abs() < 1e-6 && found.relative_loss_gap < 1e-6, "{found:?} {least}");
            assert!(found.kl_gap <= found.kl, "{found:?}");
        }
    }
}

/// Gaussian elimination; nothing when the planes do not meet in one point.
fn solution(mut system: Vec<(Vec<f64>, f64)>) -> Option<Vec<f64>> {
    let n = system.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|a, b| system[*a].0[i].abs().total_cmp(&system[*b].0[i].abs()))?;
        system.swap(i, pivot);
        if system[i].0[i].abs() < 1e-9 {
            return None;
        }
        let (row, value) = system[i].clone();
        for (other, right) in system
            .iter_mut()
            .enumerate()
            .filter(|(j, _)| *j != i)
            .map(|(_, plane)| plane)
            .map(|p| (&mut p.0, &mut p.1))
        {
            let factor = other[i] / row[i];
            other.iter_mut().zip(&row).for_each(|(a, b)| *a -= factor * b);
            *right -= factor * value;
        }
    }
    Some((0..n).map(|i| system[i].1 / system[i].0[i]).collect())
}

fn kl(q: &[f64], p: &[f64]) -> f64 {
    q.iter().zip(p).filter(|(q, _)| **q > 0.0).map(|(q, p)| q * (q / p).ln()).sum()
}

fn tiny() -> impl Strategy<Value = Tiny> {
    (2usize..=5, prop::collection::vec(2usize..=3, 1..=3)).prop_flat_map(|(rows, sizes)| {
        let cells: usize = sizes.iter().sum();
        let of_rows: Vec<_> = sizes.iter().map(|size| prop::collection::vec(0..*size as u32, rows)).collect();
        (
            Just(sizes),
            of_rows,
            prop::collection::vec(0.05f64..1.0, rows),
            prop::collection::vec(prop_oneof![4 => -0.2f64..0.8, 1 => Just(0.0)], cells),
            prop::collection::vec(prop_oneof![3 => Just(1.0), 1 => 0.1f64..5.0], cells),
        )
            .prop_map(|(sizes, cells, prior, answers, weights)| {
                let sum: f64 = prior.iter().sum();
                let prior = prior.iter().map(|p| p / sum).collect();
                Tiny { sizes, cells, prior, answers, weights }
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// The loss is the least at any vertex, and towards no vertex of that loss does the entropy fall: Eq. (4),
    /// because the optima are the hull of these vertices and the entropy is convex.
    #[test]
    fn the_loss_is_least_and_then_the_entropy(tiny in tiny()) {
        prop_assume!(!tiny.nearly_degenerate());
        let found = tiny.solve(Target::Loss);
        let vertices = tiny.vertices();
        let least = vertices.iter().map(|q| tiny.loss(q)).fold(f64::INFINITY, f64::min);
        prop_assert_eq!(found.status, Status::Converged, "{:?}", found);
        prop_assert!((tiny.loss(&found.q) - least).abs() < 1e-7, "{} {}", tiny.loss(&found.q), least);
        prop_assert!((found.certificate.loss - tiny.loss(&found.q)).abs() < 1e-12);
        prop_assert!((found.certificate.kl - kl(&found.q, &tiny.prior)).abs() < 1e-9);
        prop_assert!((found.q.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        for vertex in vertices.iter().filter(|q| tiny.loss(q) < least + 1e-9) {
            let slope: f64 = vertex.iter().zip(&found.q).zip(&tiny.prior)
                .map(|((v, q), p)| if v.max(*q) > 1e-9 { (v - q) * (q.max(1e-300) / p).ln() } else { 0.0 })
                .sum();
            prop_assert!(slope > -1e-5, "{slope} {found:?}");
        }
    }

    /// The bounds of the certificate hold for every vertex, and for mixtures with the prior.
    #[test]
    fn no_distribution_is_below_the_certified_bounds(tiny in tiny(), share in 0.0f64..1.0) {
        let found = tiny.solve(Target::Loss).certificate;
        for vertex in tiny.vertices() {
            let q: Vec<f64> = vertex.iter().zip(&tiny.prior)
                .map(|(v, p)| (1.0 - share) * v.max(0.0) + share * p).collect();
            prop_assert!(tiny.loss(&q) >= found.loss - found.loss_gap - 1e-9);
            if tiny.loss(&q) <= found.loss {
                prop_assert!(kl(&q, &tiny.prior) >= found.kl - found.kl_gap - 1e-9, "{} {:?} {}", kl(&q, &tiny.prior), found, tiny.loss(&q) - found.loss);
            }
        }
    }

    /// Eq. (2): the answers are those of an optimum of stage one, which costs entropy against Eq. (4).
    #[test]
    fn the_literal_stages_have_the_same_loss_and_no_less_entropy(tiny in tiny()) {
        prop_assume!(!tiny.nearly_degenerate());
        let (loss, lp) = (tiny.solve(Target::Loss), tiny.solve(Target::Lp));
        prop_assert_eq!(lp.status, Status::Converged, "{:?}", lp);
        prop_assert!((loss.certificate.loss - lp.certificate.loss).abs() < 1e-7);
        prop_assert!(lp.certificate.kl > loss.certificate.kl - 1e-6);
    }

    /// Answers that some distribution on the support gives: Csiszár's projection, which splits the divergence of
    /// every such distribution.
    #[test]
    fn consistent_answers_are_projected_onto(tiny in tiny(), truth in prop::collection::vec(0.01f64..1.0, 5)) {
        let rows = tiny.prior.len();
        let sum: f64 = truth[..rows].iter().sum();
        let truth: Vec<f64> = truth[..rows].iter().map(|x| x / sum).collect();
        let mut answers = Vec::new();
        for (size, of_row) in tiny.sizes.iter().zip(&tiny.cells) {
            answers.extend((0..*size as u32).map(|cell| {
                of_row.iter().zip(&truth).filter(|(of, _)| **of == cell).map(|(_, q)| q).sum::<f64>()
            }));
        }
        let tiny = Tiny { answers, ..tiny };
        for target in [Target::Loss, Target::Lp, Target::Answers] {
            let found = tiny.solve(target);
            prop_assert_eq!((found.status, found.reason), (Status::Converged, None), "{:?}", found);
            let parts = kl(&truth, &found.q) + kl(&found.q, &tiny.prior);
            prop_assert!((kl(&truth, &tiny.prior) - parts).abs() < 1e-6);
        }
    }
}
