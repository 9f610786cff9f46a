//! Algorithm 2 of the paper: accelerated dual averaging (Xiao 2010, Algorithm 3). For K as [`Loss::lipschitz`](super::Loss::lipschitz)
//! has it, L(μ) is within 4K·KL(p*‖p₀)/(T(T+1)) of the least after T iterations.

use super::walk::Walk;
use marginalia_tables::Result;

pub(super) async fn dual_averaging(walk: &mut Walk<'_>) -> Result<()> {
    let k = walk.lipschitz()?;
    let (mut theta, mut g, mut g_mean) = (walk.zeros()?, walk.zeros()?, walk.zeros()?);
    let mut nu = walk.marginals(&theta).await?;
    let mut mu = nu.clone();
    let mut loss = walk.value(&mu).await?;
    let mut t = 0.0;
    while walk.judge(loss, &theta, Some(&mu))? {
        t += 1.0;
        let c = 2.0 / (t + 1.0);
        let omega = mixed(&mu, c, &nu);
        walk.loss(&omega, &mut g).await?;
        mix(&mut g_mean, c, &g);
        theta.iter_mut().zip(&g_mean).for_each(|(theta, g)| *theta = -t * (t + 1.0) / (4.0 * k) * g);
        nu = walk.marginals(&theta).await?;
        mix(&mut mu, c, &nu);
        loss = walk.value(&mu).await?;
    }
    Ok(())
}

/// (1 − c)a + cb.
pub(super) fn mixed(a: &[f64], c: f64, b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| (1.0 - c) * a + c * b).collect()
}

/// The same in the place of a.
pub(super) fn mix(a: &mut [f64], c: f64, b: &[f64]) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a = (1.0 - c) * *a + c * b);
}
