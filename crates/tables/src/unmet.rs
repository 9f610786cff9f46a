//! Why answers cannot be met: said by whoever looks for a distribution that has them.

/// Why no distribution on a support meets the answers; the first that applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unmet {
    /// Some answer that is not zero belongs to a cell without a row.
    Unsupported,
    /// Some answer is negative.
    Negative,
    /// The answers of some marginal do not sum to the total.
    Totals,
    /// Each marginal could be met, but not all on these rows.
    Disagree,
}

impl Unmet {
    /// The name that crosses to JavaScript.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unsupported => "unsupported",
            Self::Negative => "negative",
            Self::Totals => "totals",
            Self::Disagree => "disagree",
        }
    }
}
