//! Auslender and Teboulle, Interior gradient and proximal methods for convex and conic optimization (2006): their improved
//! method, where the entropy is the distance.

use super::averaging::{mix, mixed};
use super::walk::Walk;
use marginalia_compute::vector::add;
use marginalia_tables::Result;

pub(super) async fn interior_gradient(walk: &mut Walk<'_>) -> Result<()> {
    let k = walk.lipschitz()?;
    let l = 1.0 / k;
    let mut c = k;
    let (mut theta, mut g) = (walk.zeros()?, walk.zeros()?);
    let mut z = walk.marginals(&theta).await?;
    let mut x = z.clone();
    let mut loss = walk.value(&x).await?;
    while walk.judge(loss, &theta, Some(&x))? {
        let a = 0.5 * ((c * l * (c * l + 4.0)).sqrt() - c * l);
        let y = mixed(&x, a, &z);
        c *= 1.0 - a;
        walk.loss(&y, &mut g).await?;
        add(&mut theta, -a / c, &g);
        z = walk.marginals(&theta).await?;
        mix(&mut x, a, &z);
        loss = walk.value(&x).await?;
    }
    Ok(())
}
