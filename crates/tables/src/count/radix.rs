//! A stable sort by digits: its time depends on the number of items alone, not on what they are.

use crate::{Error, Result};

const DIGIT: u32 = 8;
const DIGITS: usize = 1 << DIGIT;

/// The items in ascending order of their keys, none above `most`; equal keys keep their order.
pub fn sorted<T: Copy>(items: Vec<T>, most: u64, key: impl Fn(&T) -> u64) -> Result<Vec<T>> {
    let mut from = items;
    let mut to = Vec::new();
    to.try_reserve_exact(from.len()).map_err(|_| Error::out_of_memory(size_of_val(&from[..])))?;
    to.extend_from_slice(&from);
    for shift in (0..u64::BITS - most.leading_zeros()).step_by(DIGIT as usize) {
        let digit = |item: &T| (key(item) >> shift) as usize % DIGITS;
        let mut places = [0usize; DIGITS];
        from.iter().for_each(|item| places[digit(item)] += 1);
        let mut start = 0;
        for place in &mut places {
            start += std::mem::replace(place, start);
        }
        for item in &from {
            let place = &mut places[digit(item)];
            to[*place] = *item;
            *place += 1;
        }
        std::mem::swap(&mut from, &mut to);
    }
    Ok(from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_a_stable_sort_does(keys in proptest::collection::vec((0u32..64).prop_flat_map(|bits| 0..=u64::MAX >> bits), 0..300)) {
            let items: Vec<(u64, usize)> = keys.iter().copied().zip(0..).collect();
            let mut expected = items.clone();
            expected.sort();
            let most = keys.iter().copied().max().unwrap_or(0);
            prop_assert_eq!(sorted(items, most, |item| item.0).unwrap(), expected);
        }
    }
}
