//! One draw of many answers chooses a strength as well as eight.

use crate::thin::{Case, choice};
use marginalia_estimate::estimators::strength::{Bootstrap, Rule};

/// All pairs of twenty attributes, 6,840 cells: priors of few rows and of another population, answers from precise to noisy. What is
/// chosen may be two or four times as strong; the errors are within 1 % of each other.
#[test]
fn one_draw_of_many_answers_is_as_good_as_eight() {
    let rule = |enough| Rule::Bootstrap(Bootstrap { enough, ..Bootstrap::default() });
    for (public, power, scale) in
        [(600, 1.6, 100.0), (600, 4.0, 200.0), (2000, 4.0, 100.0), (2000, 1.6, 50.0)]
    {
        let case = Case::of_all_pairs(public, power, scale);
        let [all, one] = [usize::MAX, 0].map(|enough| case.fit(rule(enough)));
        assert!(choice(&all).1 > 3.0, "the prior is not contradicted");
        let [eight, single] = [&all, &one].map(|estimate| case.errors(estimate)[0]);
        assert!((single / eight - 1.0).abs() < 0.01, "{eight} by eight draws, {single} by one");
    }
}
