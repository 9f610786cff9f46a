//! What models of all kinds refuse.

use super::Condition;
use marginalia_tables::{Code, Error, Result, Workload};

/// Refuses what is no number of records.
pub(super) fn total(total: f64) -> Result<()> {
    if total.is_finite() && total >= 0.0 {
        return Ok(());
    }
    Err(invalid("the total of a model must be a finite number of records, and not negative"))
}

/// Refuses answers that take more than `limit` bytes.
pub(super) fn answers(workload: &Workload, limit: u64) -> Result<()> {
    // Beside the answers there are the sums of the clique in progress.
    let bytes = workload.total_cells().saturating_mul(16);
    if bytes <= limit {
        return Ok(());
    }
    let message = format!(
        "the answers need {bytes} bytes, the limit is {limit}: raise `memoryLimit`, or ask for fewer or smaller cliques"
    );
    Err(Error::new(Code::ModelTooLarge, message))
}

/// Refuses a condition that does not fit the sizes of its attributes.
pub(super) fn condition(sizes: &[u32], condition: &Condition) -> Result<()> {
    let unfit = |(attribute, allowed): &(u16, Vec<bool>)| {
        sizes.get(usize::from(*attribute)).is_none_or(|size| *size as usize != allowed.len())
    };
    if condition.iter().any(unfit) {
        return Err(invalid("a condition says of each code of its attribute whether it is meant"));
    }
    Ok(())
}

/// The refusal of what makes no sense.
pub(super) fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
