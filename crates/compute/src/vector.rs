//! Sums over long vectors in an order that vectorises and is the same on every machine.

use crate::number::Number;
use marginalia_tables::{Error, Result};

const LANES: usize = 8;

/// An empty list with room for so many items.
pub fn room<T>(items: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(items).map_err(|_| Error::out_of_memory(items.saturating_mul(size_of::<T>())))?;
    Ok(list)
}

/// A list of so many zeros.
pub fn zeros<T: Number>(items: usize) -> Result<Vec<T>> {
    let mut list = room(items)?;
    list.resize(items, T::default());
    Ok(list)
}

/// A copy, or the error that there is no room for one.
pub fn copy(a: &[f64]) -> Result<Vec<f64>> {
    let mut copy = room(a.len())?;
    copy.extend_from_slice(a);
    Ok(copy)
}

/// A list of `length` equal values, or an error when memory is refused.
pub fn filled<T: Clone>(value: T, length: usize) -> Result<Vec<T>> {
    let mut list = room(length)?;
    list.resize(length, value);
    Ok(list)
}

/// Σ f(a_i, b_i), in eight sums side by side.
pub fn sum2<T: Number>(a: &[T], b: &[T], f: impl Fn(T, T) -> T) -> T {
    let n = a.len().min(b.len());
    let ((a, a_rest), (b, b_rest)) = (a[..n].as_chunks::<LANES>(), b[..n].as_chunks::<LANES>());
    let mut sums = [T::default(); LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            sums[lane] += f(a[lane], b[lane]);
        }
    }
    let add = |sum, one| sum + one;
    let rest = a_rest.iter().zip(b_rest).map(|(a, b)| f(*a, *b)).fold(T::default(), add);
    sums.into_iter().fold(T::default(), add) + rest
}

/// a·b.
pub fn dot<T: Number>(a: &[T], b: &[T]) -> T {
    sum2(a, b, |a, b| a * b)
}

/// Σ a_i.
pub fn sum(a: &[f64]) -> f64 {
    sum2(a, a, |a, _| a)
}

/// |w∘a|₂, the length of `a` where each component counts `w_i`-fold.
pub fn weighted_norm<T: Number>(w: &[T], a: &[T]) -> f64 {
    libm::sqrt(sum2(w, a, |w, a| w * a * w * a).wide())
}

/// y += α x.
pub fn add<T: Number>(y: &mut [T], alpha: T, x: &[T]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += alpha * *x);
}

/// y = x + β y.
pub fn scale_and_add<T: Number>(y: &mut [T], beta: T, x: &[T]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y = *x + beta * *y);
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
        assert_eq!(zeros::<f64>(usize::MAX / 16).unwrap_err().code, marginalia_tables::Code::OutOfMemory);
        assert_eq!(copy(&[1.0, 2.0]).unwrap(), [1.0, 2.0]);
        assert_eq!(zeros::<f64>(2).unwrap(), [0.0, 0.0]);
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
