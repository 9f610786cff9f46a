//! Algorithm 1 of the paper: mirror descent, where the entropy is the mirror.

use super::walk::Walk;
use marginalia_compute::vector::dot;
use marginalia_tables::Result;

/// The step size η.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Steps {
    /// Doubled after each step, and halved until the loss falls by half of what the gradient promises.
    Search,
    /// Grown slowly, and halved where the loss does not fall: as large as it can be more often than not.
    Adaptive,
    /// Falling as 1/√t: for losses without a gradient.
    Decreasing,
}

impl Steps {
    /// What a step that is kept must gain, as a part of what the gradient promises, and how much longer the next one is:
    /// before the first that was not kept, and after.
    const fn rule(self) -> (f64, f64, f64) {
        match self {
            Self::Search => (0.5, 2.0, 2.0),
            Self::Adaptive => (0.05, 2.0, 1.01),
            Self::Decreasing => (0.0, 1.0, 1.0),
        }
    }
}

pub(super) async fn mirror_descent(walk: &mut Walk<'_>, steps: Steps) -> Result<()> {
    let (least, mut growth, later) = steps.rule();
    let (mut theta, mut gradient, mut next) = (walk.zeros()?, walk.zeros()?, walk.zeros()?);
    let mut mu = walk.marginals(&theta).await?;
    let mut loss = walk.loss(&mu, &mut gradient).await?;
    let mut range = walk.range(&gradient);
    let (mut eta, mut t) = (1.0 / range, 1.0f64);
    while walk.judge(loss, &theta, None)? && !walk.flat(range) {
        let trial: Vec<f64> = theta.iter().zip(&gradient).map(|(theta, g)| theta - eta * g).collect();
        let there = walk.marginals(&trial).await?;
        let lower = walk.loss(&there, &mut next).await?;
        let promised = dot(&gradient, &mu) - dot(&gradient, &there);
        if steps == Steps::Decreasing || loss - lower >= least * promised.max(0.0) {
            (theta, mu, loss) = (trial, there, lower);
            std::mem::swap(&mut gradient, &mut next);
            eta *= growth;
        } else {
            eta *= 0.5;
            growth = later;
        }
        if steps == Steps::Decreasing {
            t += 1.0;
            range = walk.range(&gradient);
            eta = 1.0 / (range * t.sqrt());
        }
    }
    Ok(())
}
