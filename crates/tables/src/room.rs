//! Lists that grow with the data: refused by an error where the memory is, instead of ending the engine.

use crate::{Error, Result};

/// Makes room for `more` entries.
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<()> {
    list.try_reserve(more).map_err(|_| Error::out_of_memory(more.saturating_mul(size_of::<T>())))
}

/// So many times the same.
pub(crate) fn filled<T: Clone>(count: usize, value: T) -> Result<Vec<T>> {
    let mut list = Vec::new();
    reserve(&mut list, count)?;
    list.resize(count, value);
    Ok(list)
}

/// A list of what an iterator gives, which knows how much that is.
pub fn listed<T>(items: impl ExactSizeIterator<Item = T>) -> Result<Vec<T>> {
    let mut list = Vec::new();
    reserve(&mut list, items.len())?;
    list.extend(items);
    Ok(list)
}
