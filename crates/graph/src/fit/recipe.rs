//! An estimate with all settings its own: the base is the product of the fit's own single attributes, refitted, and how much
//! it is worth follows from how far the answers are from the fit.
//!
//! Each round lowers loss + n₀·total correlation, because [`product_of_oneways`](super::product_of_oneways) is the nearest
//! product to a fit. For M answers and df effective parameters, Σ(y − m)²/σ² = M − df is the rule that worked best where answers are
//! many; it is no unbiased estimate of anything. The level of that sum is noise where they are few, or say little beside what their
//! noise does, df ≪ √M: there n₀ is where Stein's estimate of the risk, Σ(y − m)²/σ² − M + 2df, is least. It would be unbiased for
//! normal noise and a base that is not refitted.

use super::direction::Hessian;
use super::newton::{Fit, Options, fit};
use super::{Point, Problem, product_of_oneways};
use crate::Tree;
use marginalia_compute::job::Pace;
use marginalia_compute::math::{exp, ln};
use marginalia_compute::seed::Seed;
use marginalia_compute::vector::{add, dot};
use marginalia_tables::Result;

/// Rounds at most, and at least where the strength is to be chosen.
const ROUNDS: usize = 10;
const LEAST_ROUNDS: usize = 5;

/// The most answers that are few: of normal noise, and of other.
const FEW: (usize, usize) = (3000, 600);
const ROUNDS_OF_FEW: usize = 14;

/// Var(r²)/σ⁴ of normal noise, for which Stein's estimate is one.
const NORMAL: f64 = 2.0;

/// Standard deviations of Σ(y − m)²/σ² by noise that df must be for the level of that sum to say anything.
const CLEAR: f64 = 5.0;

/// The first strength, by the root of the mean weight of an answer. Noise of σ moves potentials by (n²/σ²)/n₀ · σ/n, the root of the
/// weight over n₀: at the root itself by 1.
const FIRST: f64 = 1.0;

/// The least one: below it fits only follow noise, ever more slowly.
const LEAST: f64 = 0.1;

/// The part of a step of ln n₀ that is made, the longest one before that, and when a step is none.
const DAMPING: f64 = 0.9;
const LONGEST: f64 = 1.2;
const SETTLED: f64 = 0.15;

/// What the slope of Σ(y − m)²/(Mσ²) in ln n₀ is taken to be at first, and its bounds.
const SLOPE: f64 = 0.1;
const SLOPES: (f64, f64) = (0.01, 0.5);

/// ln n₀ may move so far before df is worked out anew; no round before this one does.
const MOVED: f64 = 0.26;
const FREEDOM_FROM: usize = 3;

/// Standard errors above which a distance is no noise.
const FAR: f64 = 3.0;

/// Gaps of fits that are only to choose by.
const ROUGH: f64 = 3e-2;
const FAIR: f64 = 1e-2;

/// What the fit moves from: some distribution, times the product of the fit's own single attributes, for those that the first
/// knows nothing of.
#[derive(Debug, Clone)]
pub struct Base {
    /// Potentials of what is known, for the cells of all factors.
    pub potentials: Vec<f64>,
    /// Whether the product has each attribute.
    pub refitted: Vec<bool>,
}

impl Base {
    /// Nothing is known: all attributes are the fit's own.
    pub fn own(tree: &Tree) -> Self {
        Self { potentials: vec![0.0; tree.cells()], refitted: vec![true; tree.sizes.len()] }
    }

    /// With the single attributes of such marginals.
    fn refit(&self, tree: &Tree, marginals: &[f64]) -> Vec<f64> {
        let mut base = product_of_oneways(tree, marginals, |attribute| self.refitted[usize::from(attribute)]);
        add(&mut base, 1.0, &self.potentials);
        base
    }

    fn fixed(&self) -> bool {
        !self.refitted.contains(&true)
    }
}

/// How many records the base is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Choice {
    /// So many.
    Fixed(f64),
    /// As many as the distance of the answers from the fit says.
    Residual,
    /// As many as make Stein's estimate of the risk least.
    Risk,
    /// What is best for so many answers, by Var(r²)/σ⁴ of their noise: 2 for the normal law, 5 for that of Laplace.
    Free(f64),
    /// So many, unless the answers are farther from that fit than their noise explains: then as if free.
    Unless {
        /// So many.
        strength: f64,
        /// Var(r²)/σ⁴ of the noise.
        spread: f64,
    },
}

impl Choice {
    /// A free choice is by the distance of the answers, until this turns out to say nothing; of few answers it is known to.
    fn free(spread: f64, answers: usize) -> Self {
        let few = if spread <= NORMAL { FEW.0 } else { FEW.1 };
        if answers <= few { Self::Risk } else { Self::Free(spread) }
    }
}

/// A fit, and what was chosen for it.
#[derive(Debug)]
pub struct Calibrated {
    /// The last fit.
    pub fit: Fit,
    /// How many records the base was worth.
    pub strength: f64,
    /// Effective parameters, where these were worked out.
    pub freedom: Option<f64>,
    /// Σ (y − m)²/σ².
    pub residual: f64,
    /// Fits before the last one.
    pub rounds: usize,
}

/// The estimate of a problem. Stopped early it is the fit of the base and the strength that were chosen by then.
pub async fn calibrate(
    problem: &mut Problem,
    base: &Base,
    choice: Choice,
    options: &Options,
    pace: &Pace,
) -> Result<Calibrated> {
    let mut rule = Rule::new(problem, choice);
    let mut start = None;
    let mut rounds = 0;
    let mut all = rule.rounds(base.fixed());
    problem.set_base(&base.potentials);
    while rounds < all && !pace.stopped() {
        rounds += 1;
        pace.show(rounds - 1, all + LAST);
        problem.set_strength(rule.strength());
        let tolerance = options.tolerance.max(if rounds <= 2 { ROUGH } else { FAIR });
        let found = fit(problem, start.take(), &Options { tolerance, ..*options }, &pace.quiet()).await?;
        let mut point = found.point;
        let done = rule.judge(problem, &mut point, rounds, pace).await?;
        all = rule.rounds(base.fixed());
        if !base.fixed() {
            problem.set_base(&base.refit(problem.passes.tree(), point.marginals()));
        }
        let scale = problem.strength() / rule.strength();
        point.u.iter_mut().for_each(|u| *u *= scale);
        start = Some(point.u);
        if done {
            break;
        }
    }
    problem.set_strength(rule.strength());
    let fit = fit(problem, start, options, &pace.part(all, all + LAST, all + LAST)).await?;
    let residual = fit.point.residual(problem);
    Ok(Calibrated {
        fit,
        strength: problem.strength(),
        freedom: rule.freedom.map(|(_, df)| df),
        residual,
        rounds,
    })
}

/// What the last fit takes, in rounds.
const LAST: usize = 3;

/// The search for ln n₀.
struct Rule {
    choice: Choice,
    log: f64,
    /// The least that ln n₀ may be.
    least: f64,
    search: Search,
    slope: f64,
    /// ln n₀ and Σ(y − m)²/(Mσ²) of the round before.
    before: Option<(f64, f64)>,
    /// The ln n₀ that df was worked out at, and df.
    freedom: Option<(f64, f64)>,
}

impl Rule {
    fn new(problem: &Problem, choice: Choice) -> Self {
        let sum: f64 = problem.weights.iter().sum();
        // Without an answer any will do.
        let mean = if sum > 0.0 { sum / problem.weights.len() as f64 } else { 1.0 };
        let first = match choice {
            Choice::Fixed(strength) | Choice::Unless { strength, .. } => strength,
            _ => (FIRST * mean.sqrt()).max(f64::MIN_POSITIVE),
        };
        let choice = match choice {
            Choice::Free(spread) => Choice::free(spread, problem.answers()),
            other => other,
        };
        let least = ln((LEAST * mean.sqrt()).max(f64::MIN_POSITIVE));
        let search = Search::default();
        Self { choice, log: ln(first), least, search, slope: SLOPE, before: None, freedom: None }
    }

    fn rounds(&self, fixed: bool) -> usize {
        match (self.choice, fixed) {
            (Choice::Fixed(_), true) => 0,
            (Choice::Fixed(_), false) => LEAST_ROUNDS,
            (Choice::Risk, _) => ROUNDS_OF_FEW,
            _ => ROUNDS,
        }
    }

    fn strength(&self) -> f64 {
        match self.choice {
            Choice::Fixed(strength) => strength,
            _ => exp(self.log),
        }
    }

    /// Moves on from a fit at its strength; whether that is all.
    async fn judge(
        &mut self,
        problem: &Problem,
        point: &mut Point,
        round: usize,
        pace: &Pace,
    ) -> Result<bool> {
        if matches!(self.choice, Choice::Fixed(_)) || problem.answers() == 0 {
            return Ok(false);
        }
        let answers = problem.answers() as f64;
        let ratio = point.residual(problem) / answers;
        if matches!(self.choice, Choice::Risk) {
            // The first base knows nothing: what it says of n₀ is of another problem.
            if round == 1 {
                return Ok(false);
            }
            let df = freedom(problem, point, &pace.quiet()).await?;
            self.freedom = Some((self.log, df));
            let next = self.search.next(self.log, (ratio - 1.0) * answers + 2.0 * df);
            self.log = next.unwrap_or(self.search.place()).max(self.least);
            return Ok(next.is_none());
        }
        if let Some((log, before)) = self.before.filter(|(log, _)| (log - self.log).abs() > 1e-3) {
            self.slope = ((ratio - before) / (self.log - log)).clamp(SLOPES.0, SLOPES.1);
        }
        self.before = Some((self.log, ratio));
        let stale = self.freedom.is_none_or(|(at, _)| (at - self.log).abs() > MOVED);
        if round >= FREEDOM_FROM && stale {
            self.freedom = Some((self.log, freedom(problem, point, &pace.quiet()).await?));
        }
        let df = self.freedom.map_or(0.0, |(_, df)| df);
        if let Choice::Free(spread) = self.choice
            && round >= FREEDOM_FROM
            && spread <= NORMAL
            && df < CLEAR * (spread * answers).sqrt()
        {
            self.choice = Choice::Risk;
            return Ok(false);
        }
        if let Choice::Unless { spread, .. } = self.choice {
            let standard = (ratio - 1.0 + df / answers) * (answers / spread).sqrt();
            if round < FREEDOM_FROM || standard <= FAR {
                return Ok(round >= FREEDOM_FROM);
            }
            self.choice = Choice::free(spread, problem.answers());
        }
        let step = DAMPING * ((ratio - 1.0 + df / answers) / self.slope).clamp(-LONGEST, LONGEST);
        self.log = (self.log - step).max(self.least);
        Ok(round >= LEAST_ROUNDS && step.abs() < SETTLED)
    }
}

/// The first step of a search on a line, and where steps are too short.
const STEP: f64 = 1.15;
const SHORT: f64 = 0.4;

/// A search for the least of a function on a line: down first, on as long as it falls, and from the least with half the step.
#[derive(Default)]
struct Search {
    /// The place of the least value, and the value.
    found: Option<(f64, f64)>,
    step: f64,
    /// Whether no more can be hoped for on the other side.
    turned: bool,
}

impl Search {
    fn place(&self) -> f64 {
        self.found.map_or(0.0, |(place, _)| place)
    }

    /// Where to look after this value; nowhere, when it is found.
    fn next(&mut self, at: f64, value: f64) -> Option<f64> {
        match self.found {
            None => (self.found, self.step) = (Some((at, value)), -STEP),
            Some((_, least)) if value < least => (self.found, self.turned) = (Some((at, value)), true),
            Some(_) if !self.turned => (self.step, self.turned) = (-self.step, true),
            Some(_) => (self.step, self.turned) = (-self.step.abs() / 2.0, false),
        }
        (self.step.abs() >= SHORT).then(|| self.place() + self.step)
    }
}

/// Where the residual of df's system is small enough, and the most products.
const NEAR: f64 = 1e-2;
const PRODUCTS: usize = 300;

/// tr C(C + 1/λ)⁻¹ for the covariance C of the answers, by one vector z of random signs: z·(z − x) with
/// (1 + Λ^½ C Λ^½) x = z.
pub(super) async fn freedom(problem: &Problem, point: &mut Point, pace: &Pace) -> Result<f64> {
    let mut seed = Seed::new(SIGNS);
    let z: Vec<f64> = problem.lambda.iter().map(|_| if seed.uniform() < 0.5 { -1.0 } else { 1.0 }).collect();
    let (x, _) = Hessian::new(problem)?.solve(problem, &mut point.oracle, &z, (NEAR, PRODUCTS), pace).await?;
    Ok(dot(&z, &z) - dot(&z, &x))
}

/// The seed of the signs: the estimate of a problem is one.
const SIGNS: u64 = 0x6672_6565;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::Operator;
    use crate::{Passes, plan};
    use marginalia_compute::job::{Job, Steps};
    use marginalia_tables::query::Matrix;
    use std::sync::Arc;

    #[test]
    fn the_least_of_a_parabola_on_either_side() {
        for (from, wanted) in [(0.0, 3.3), (0.0, -4.1), (2.0, 2.0), (0.0, 0.4), (0.0, -0.4)] {
            let mut search = Search::default();
            let (mut at, mut looks) = (from, 1);
            while let Some(next) = search.next(at, (at - wanted) * (at - wanted)) {
                (at, looks) = (next, looks + 1);
            }
            assert!((search.place() - wanted).abs() <= STEP / 4.0 + 1e-12, "{} {wanted}", search.place());
            assert!(looks <= ROUNDS_OF_FEW, "{looks}");
        }
    }

    /// Of one answer any sign says the same, and its covariance is known.
    #[test]
    fn the_freedom_of_one_answer() {
        let passes = Arc::new(Passes::new(Arc::new(plan(&[4], &[vec![0]], 1e9).unwrap())));
        let mut problem = Problem::new(passes);
        let first = Matrix::new(4, vec![1, 0, 0, 0]).unwrap();
        problem.measure(0, Operator::Linear(first), &[0.25], 9.0).unwrap();
        let freedom = Steps::new(|pace| async move {
            let mut found = fit(&problem, None, &Options::default(), &pace).await?;
            freedom(&problem, &mut found.point, &pace).await
        });
        let covariance = 0.25 * 0.75;
        assert!((freedom.complete().unwrap() - covariance / (covariance + 1.0 / 9.0)).abs() < 1e-9);
    }
}
