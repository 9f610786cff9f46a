//! Sums over long vectors in an order that vectorises and is the same on every machine.

use marginalia_tables::{Error, Result};

const LANES: usize = 8;

/// `n` zeros, or the error that there is no room for them.
pub fn zeros(n: usize) -> Result<Vec<f64>> {
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(n).map_err(|_| Error::out_of_memory(n * size_of::<f64>()))?;
    zeros.resize(n, 0.0);
    Ok(zeros)
}

/// A copy, or the error that there is no room for one.
pub fn copy(a: &[f64]) -> Result<Vec<f64>> {
    let mut copy = zeros(a.len())?;
    copy.copy_from_slice(a);
    Ok(copy)
}

/// Σ f(a_i, b_i), in eight sums side by side.
pub fn sum2(a: &[f64], b: &[f64], f: impl Fn(f64, f64) -> f64) -> f64 {
    let n = a.len().min(b.len());
    let ((a, a_rest), (b, b_rest)) = (a[..n].as_chunks::<LANES>(), b[..n].as_chunks::<LANES>());
    let mut sums = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += f(a[lane], b[lane]);
        }
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| f(*a, *b)).sum();
    sums.iter().sum::<f64>() + rest
}

/// a·b.
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    sum2(a, b, |a, b| a * b)
}

/// Σ a_i.
pub fn sum(a: &[f64]) -> f64 {
    sum2(a, a, |a, _| a)
}

/// |w∘a|₂, the length of `a` where each component counts `w_i`-fold.
pub fn weighted_norm(w: &[f64], a: &[f64]) -> f64 {
    libm::sqrt(sum2(w, a, |w, a| w * a * w * a))
}

/// y += α x.
pub fn add(y: &mut [f64], alpha: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += alpha * x);
}

/// y = x + β y.
pub fn scale_and_add(y: &mut [f64], beta: f64, x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y = x + beta * *y);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_any_length_are_exact_on_integers() {
        for n in 0..40 {
            let a: Vec<f64> = (0..n).map(f64::from).collect();
            let squares = (0..n).map(|i| i * i).sum::<i32>();
            assert_eq!(dot(&a, &a), f64::from(squares));
            assert_eq!(sum(&a), f64::from(n * (n - 1) / 2));
            let twice = vec![2.0; n as usize];
            assert_eq!(weighted_norm(&twice, &a), libm::sqrt(f64::from(4 * squares)));
        }
    }

    #[test]
    fn room_that_there_is_not_is_an_error() {
        assert_eq!(zeros(usize::MAX / 16).unwrap_err().code, marginalia_tables::Code::OutOfMemory);
        assert_eq!(copy(&[1.0, 2.0]).unwrap(), [1.0, 2.0]);
        assert_eq!(zeros(2).unwrap(), [0.0, 0.0]);
    }

    #[test]
    fn updates_are_those_of_the_textbook() {
        let mut y = [1.0, 2.0];
        add(&mut y, 2.0, &[10.0, 20.0]);
        assert_eq!(y, [21.0, 42.0]);
        scale_and_add(&mut y, 0.5, &[1.0, 1.0]);
        assert_eq!(y, [11.5, 22.0]);
    }
}
