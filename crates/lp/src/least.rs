//! Stage one: the least loss `Σ cᵢ |(Mq)ᵢ − yᵢ|` of a distribution, by its dual, which has half the unknowns:
//! max `u·y − κ` over `|uᵢ| ≤ cᵢ` and `(Mᵀu)ₓ ≤ κ` for every row. The multipliers of its rows are `q`.

use crate::conic::{Answer, Constraints, Watch, minimise};
use crate::merge::Reduced;

/// An interior optimum of both sides: neither a vertex nor unique, but where one of a pair of complementary
/// quantities can be above zero, it is.
#[derive(Debug, Clone)]
pub struct Least {
    pub q: Vec<f64>,
    /// Within the box exactly.
    pub u: Vec<f64>,
    /// What is left of `κ − Mᵀu` in each row.
    pub row_slack: Vec<f64>,
    /// What is left to each bound of `u`, and the multiplier of the bound: residuals up and down.
    pub upper: Vec<Pair>,
    pub lower: Vec<Pair>,
    pub iterations: u32,
}

/// Two numbers of which one is zero at the optimum.
#[derive(Debug, Clone, Copy)]
pub struct Pair {
    pub slack: f64,
    pub multiplier: f64,
}

/// Nothing when the watch ended it.
pub fn least_loss(problem: &Reduced, iterations: u32, watch: Watch) -> Option<Least> {
    let (rows, cells) = (problem.rows(), problem.cells());
    let mut constraints = Constraints::default();
    for x in 0..rows {
        let row = constraints.row(0.0);
        problem
            .cells_of(x)
            .iter()
            .for_each(|c| constraints.entry(row, *c as usize, problem.weights[*c as usize]));
        constraints.entry(row, cells, -1.0);
    }
    for sign in [1.0, -1.0] {
        for c in 0..cells {
            let row = constraints.row(1.0);
            constraints.entry(row, c, sign);
        }
    }
    // u = c·v with |v| ≤ 1: weights over many orders of magnitude do not reach the bounds.
    let scaled = problem.answers.iter().zip(&problem.weights).map(|(y, c)| -y * c);
    let objective: Vec<f64> = scaled.chain([1.0]).collect();
    let cone = constraints.nonnegative();
    let Answer { x, s, z, iterations, stopped } =
        minimise(&objective, constraints, &[cone], iterations, watch);
    if stopped {
        return None;
    }
    let pairs = |from: usize| {
        (from..from + cells).map(|i| Pair { slack: s[i].max(0.0), multiplier: z[i].max(0.0) }).collect()
    };
    // Where the solver broke down, the prior and a dual of zero are still an answer with a certificate.
    let whole = x.iter().chain(&s).chain(&z).all(|value| value.is_finite());
    let sum: f64 = z[..rows].iter().map(|q| q.max(0.0)).sum();
    let usable = whole && sum > 0.0;
    let mass = |(q, p): (&f64, &f64)| if usable { q.max(0.0) / sum } else { *p };
    let dual = |(v, c): (&f64, &f64)| if usable { v.clamp(-1.0, 1.0) * c } else { 0.0 };
    Some(Least {
        q: z[..rows].iter().zip(&problem.prior).map(mass).collect(),
        u: x[..cells].iter().zip(&problem.weights).map(dual).collect(),
        row_slack: s[..rows].iter().map(|s| s.max(0.0)).collect(),
        upper: pairs(rows),
        lower: pairs(rows + cells),
        iterations,
    })
}
