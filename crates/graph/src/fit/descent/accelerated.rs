//! Accelerated Bregman gradients, whose constant L is found on the way: doubled until a step keeps its promise, and a little
//! smaller for the next one. Where residuals are squared they begin where a few sweeps end.

use super::averaging::mixed;
use super::walk::Walk;
use marginalia_compute::vector::dot;
use marginalia_tables::Result;

/// What L is multiplied by after each step.
const SMALLER: f64 = 0.8;

/// What rounding may do to a loss.
const ROUNDING: f64 = 1e-14;

pub(super) async fn accelerated(walk: &mut Walk<'_>) -> Result<()> {
    let (mut theta, mut g) = (walk.zeros()?, walk.zeros()?);
    let mut z = walk.marginals(&theta).await?;
    let mut loss = walk.loss(&z, &mut g).await?;
    let mut log_z = walk.log_z;
    let range = walk.range(&g);
    if !walk.judge(loss, &theta, Some(&z))? {
        return Ok(());
    }
    if let Some(swept) = walk.swept().await? {
        let there = walk.marginals(&swept).await?;
        let lower = walk.value(&there).await?;
        if lower < loss {
            (theta, z, log_z, loss) = (swept, there, walk.log_z, lower);
        }
    }
    let mut x = z.clone();
    let (mut l, mut weight) = (range, 0.0);
    while walk.judge(loss, &theta, Some(&x))? && !walk.flat(range) {
        // L a² = A + a.
        let a = (1.0 + (1.0 + 4.0 * l * weight).sqrt()) / (2.0 * l);
        let part = a / (weight + a);
        let y = mixed(&x, part, &z);
        let at_y = walk.loss(&y, &mut g).await?;
        let trial: Vec<f64> = theta.iter().zip(&g).map(|(theta, g)| theta - a * g).collect();
        let there = walk.marginals(&trial).await?;
        let x_there = mixed(&x, part, &there);
        // KL(z⁺‖z) for θ⁺ − θ = −a∇L(y).
        let moved = -a * dot(&g, &there) - walk.log_z + log_z;
        let lower = walk.value(&x_there).await?;
        let divergence = match walk.loss.divergence(walk.problem, &x_there, &y)? {
            Some(divergence) => divergence,
            None => lower - at_y - dot(&g, &x_there) + dot(&g, &y) - ROUNDING * at_y.abs(),
        };
        if (weight + a) * divergence <= moved {
            (theta, z, x, log_z, loss) = (trial, there, x_there, walk.log_z, lower);
            weight += a;
            l *= SMALLER;
        } else {
            l *= 2.0;
        }
    }
    Ok(())
}
