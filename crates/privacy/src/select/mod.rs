//! Choosing one candidate by its private score: the [`exponential`] mechanism and [`permute_and_flip`], over any
//! number of candidates, in one pass, with the exact law.
//!
//! Scores are whole numbers ([`scores`]), so sensitivities are exact; log-weights plus noise are real numbers,
//! of which one is proven to be the largest (`race`); `docs/adr/0010-selection.md` says why that is the
//! exact law, without statistical distance.
//!
//! | theorem | function | tests |
//! |---|---|---|
//! | one unit changes a cell's score by at most 2ᵍ·k | [`CellScores::sensitivity`], [`Grid`] | `scores_move_by_at_most_their_sensitivity` |
//! | one unit changes a marginal's score by at most 2ᵍ·L1·factor | [`MarginalScores`] | `marginals_move_by_exactly_their_sensitivity` |
//! | one unit changes an edge's score by at most k·max(a, b − a), or k·b under replace, and ⌈b·k/10⌉ more where it leans | [`Quantile::sensitivity`] | `edges_move_by_their_sensitivity_and_no_more` |
//! | argmax of t·s + ln w + Gumbel has P ∝ w·exp(t·s) | [`exponential`] | `exponential_has_its_exact_law`, `weights_multiply_probabilities` |
//! | argmax of t·s + Exponential is permute-and-flip | [`permute_and_flip`] | `permute_and_flip_has_its_exact_law` |
//! | a candidate passed over could not have won | `race::Candidate::may_lose` | `passing_over_is_never_wrong` |
//! | whole numbers pass over the same, and who comes first changes no law | `race::Candidate::bars`, `slice` | `bars_hold_back_nobody_who_may_win`, `who_is_compared_first_changes_no_law` |
//! | a table and binary64 decide only what is certain | `race::Race::decide_near`, `steps`, `noise::Noise::near`, `approximate` | `near_decisions_are_exact`, `steps_enclose_what_begins_so`, `radii_hold`, `binary64_logarithms_keep_their_bound` |
//! | tiny probabilities are kept | `race::Race::decide` | `nothing_underflows`, `many_small_probabilities_add_up` |
//! | intervals contain the real number | `exact::ln`, `noise::Noise::within` | `logarithms_match_published_digits`, `intervals_shrink_into_each_other` |
//! | the result depends on the law only, not on blocks or an offset of scores | `race::Race::run` | `blocks_do_not_matter`, `blocks_do_not_matter_to_many`, `an_offset_changes_no_bit` |
//! | over a sealed table: the same, by one grant for one index | [`Sealed::select`](crate::sealed::Sealed::select), [`Selecting`] | `tests/select/sealed.rs`, `tests/audit/select.rs` |
//! | ε-DP, and ε²/8-zCDP by bounded range | [`Cost::exponential`](crate::cost::Cost::exponential) | `exponential_keeps_epsilon_and_bounded_range`, `half_the_sensitivity_is_caught` |
//! | ε-DP, hence ε²/2-zCDP | [`Cost::permute_and_flip`](crate::cost::Cost::permute_and_flip) | `permute_and_flip_keeps_epsilon`, `half_the_sensitivity_is_caught` |

mod approximate;
mod bits;
mod choice;
mod exact;
mod exponential;
pub mod marginals;
mod noise;
mod permute_and_flip;
pub mod quantile;
mod race;
#[cfg(test)]
mod race_tests;
pub mod scores;
mod selecting;
mod slice;
mod steps;

pub use bits::Bits;
pub use choice::{Candidates, Choice, Mechanism};
pub use exponential::exponential;
pub use marginals::{MarginalScores, Piece, Pieces, Terms};
pub use permute_and_flip::permute_and_flip;
pub use quantile::{Lean, Quantile};
pub use scores::{Block, Blocks, CellScores, Cells, Difference, Grid, Scores};
pub use selecting::{Public, PublicAnswers, Selecting, admit};
