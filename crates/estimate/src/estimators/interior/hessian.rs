//! The Hessian of the dual, H + D with H = M(diag q − qqᵀ)Mᵀ, as products with vectors.

use super::problem::Problem;
use super::watch::Watch;
use crate::job::Pace;
use crate::models::support::{Number, zeros};
use crate::vector::dot;
use marginalia_tables::Result;

/// H + D at one point.
pub(super) struct Hessian<'a> {
    pub problem: &'a Problem,
    pub q: &'a [f64],
    pub m: &'a [f64],
    /// D of each cell: z⁺/a + z⁻/b.
    pub d: Vec<f64>,
    pub watch: &'a Watch,
    pub pace: &'a Pace,
}

impl Hessian<'_> {
    /// What the system is scaled by, S = (m + D)^-½ of each cell: never infinite, as m^-½ may be.
    pub fn scale(&self) -> impl Iterator<Item = f64> {
        self.m.iter().zip(&self.d).map(|(m, d)| 1.0 / libm::sqrt(m + d))
    }
}

/// S(H + D)S, whose diagonal is about 1, in single or double precision.
///
/// Single is enough for directions, which are solved for inexactly, and half as much to read and write.
pub(super) struct Scaled<'a, T> {
    pub hessian: &'a Hessian<'a>,
    /// S.
    pub s: Vec<T>,
    /// SDS.
    d: Vec<T>,
    q: Vec<T>,
    m: Vec<T>,
    /// Sx, MᵀSx, and what of that is to be summed again.
    v: Vec<T>,
    t: Vec<T>,
}

impl<'a, T: Number> Scaled<'a, T> {
    pub fn new(hessian: &'a Hessian<'a>) -> Result<Self> {
        // What is less than the least normal number makes products slow, of which there are none in double precision.
        let least = if size_of::<T>() == size_of::<f32>() { f64::from(f32::MIN_POSITIVE) } else { 0.0 };
        let (rows, cells) = (hessian.q.len(), hessian.m.len());
        let (mut s, mut d, mut q, mut m) = (zeros(cells)?, zeros(cells)?, zeros(rows)?, zeros(cells)?);
        fill(&mut s, hessian.scale());
        fill(&mut d, hessian.m.iter().zip(&hessian.d).map(|(m, d)| d / (m + d)));
        fill(&mut q, hessian.q.iter().map(|q| if *q < least { 0.0 } else { *q }));
        fill(&mut m, hessian.m.iter().copied());
        Ok(Self { hessian, s, d, q, m, v: zeros(cells)?, t: zeros(rows)? })
    }

    /// S(H + D)S x: two passes over the rows.
    pub async fn product(&mut self, x: &[T], product: &mut [T]) {
        let Hessian { problem, watch, pace, .. } = self.hessian;
        self.v.iter_mut().zip(self.s.iter().zip(x)).for_each(|(v, (s, x))| *v = *s * *x);
        problem.index.gather(&self.v, &mut self.t);
        pace.did(problem.pass_work()).await;
        let mean = dot(&self.m, &self.v);
        self.t.iter_mut().zip(&self.q).for_each(|(t, q)| *t = *q * (*t - mean));
        problem.index.scatter(&self.t, product);
        let of_cells = self.s.iter().zip(self.d.iter().zip(x));
        product
            .iter_mut()
            .zip(of_cells)
            .for_each(|(product, (s, (d, x)))| *product = *s * *product + *d * *x);
        watch.count(|counts| {
            counts.products += 1;
            counts.row_passes += 2;
        });
        pace.did(problem.pass_work()).await;
    }
}

fn fill<T: Number>(to: &mut [T], from: impl Iterator<Item = f64>) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = T::of(from));
}
