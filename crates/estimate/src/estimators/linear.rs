//! The least ‖Mq − y‖ of a distribution `q`, in the sum of all cells or the largest, as the saddle point of `v·(y − Mq)` over `q`
//! and `v` of at most 1 in the dual norm. The method is the primal-dual hybrid gradient with reflected steps that are drawn back to where they
//! began (Halpern's iteration), and that begin anew when they have come much nearer to a fixed point. One iteration is
//! two passes. Measured in Σ Δq²/p and Σ Δv² p(cell), with the prior p, M has the norm √K of K marginals whatever the data.

use crate::job::Pace;
use crate::models::support::rows::relative_entropy;
use crate::models::support::{Index, zeros};
use crate::simplex::project;
use crate::vector::{copy, sum, sum2};
use marginalia_tables::Result;

/// Steps in units of the largest for which the method converges.
const STEP: f64 = 0.998;
/// Rows of less prior than this part of the mean take steps as if they had as much.
const LEAST_STEP: f64 = 1e-3;
/// Begins anew where the residual is this part of the first; or that part and rising; or after this part of all iterations.
const MUCH: f64 = 0.2;
const SOME: f64 = 0.8;
const LONG: f64 = 0.36;
/// Halves that moved less than this stand still.
const STILL: f64 = 1e-10;
/// Iterations between two judgements.
const JUDGED: usize = 8;
/// The most iterations. Answers of real surveys take some 10⁴ to a gap of 1e-4.
const LIMIT: usize = 1_000_000;
/// Units of work for each row and cell of an iteration, beside the passes.
const VECTORS: usize = 10;

/// Below this part of the answers a sum of distances counts as zero.
const FLOOR: f64 = 1e-3;
/// ω times the cells, where a largest distance begins: its `v` is spread over all of them.
const SPREAD: f64 = 10.0;

/// How distances of cells make one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Norm {
    /// Their sum: `v` is within −1 and 1 in each cell.
    Sum,
    /// The largest, and no less than this: the sum of |v| is at most 1.
    Largest(f64),
}

/// When it is over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aim {
    /// The gap of its own best distribution that is good enough: relative of a sum, and else as it is.
    pub tolerance: f64,
    /// The gap of the distribution that it starts from that is.
    pub of_start: f64,
}

/// A point of the saddle, and what its halves are mapped to.
struct Pair {
    q: Vec<f64>,
    v: Vec<f64>,
    /// M q.
    m: Vec<f64>,
    /// Mᵀ v.
    t: Vec<f64>,
}

/// The best distribution with its distance, and the best dual point with what it proves.
#[derive(Debug, Clone)]
pub struct Best {
    /// The distribution.
    pub q: Vec<f64>,
    /// M q.
    pub m: Vec<f64>,
    /// ‖Mq − y‖.
    pub distance: f64,
    /// The dual point.
    pub v: Vec<f64>,
    /// No distribution is nearer: `v·y − max Mᵀv`.
    pub bound: f64,
}

/// What the least distance comes to: the best so far where it is finished early.
#[derive(Debug)]
pub struct Least {
    /// The best points.
    pub best: Best,
    /// Passes over all rows and marginals.
    pub passes: usize,
    /// Passes, and the distance and the entropy of the best distribution, whenever it began anew.
    pub trace: Vec<(usize, f64, f64)>,
}

/// The least distance, from a distribution and a dual point, on the support of a prior whose weights are all positive.
pub async fn least(
    index: &Index,
    prior: &[f64],
    answers: &[f64],
    (q, v): (&[f64], &[f64]),
    (norm, aim): (Norm, Aim),
    pace: &Pace,
) -> Result<Least> {
    pace.keep_awake(true);
    let least = LEAST_STEP / prior.len() as f64;
    let mut p = copy(prior)?;
    p.iter_mut().for_each(|p| *p = p.max(least));
    let mut of_cells = zeros(v.len())?;
    index.scatter(&p, &mut of_cells);
    let mut at = Pair { q: copy(q)?, v: copy(v)?, m: zeros(v.len())?, t: zeros(q.len())? };
    index.scatter(&at.q, &mut at.m);
    index.gather(&at.v, &mut at.t);
    let distance = norm.distance(answers, &at.m);
    let bound = norm.bound(answers, &at);
    let best = Best { q: copy(q)?, m: copy(&at.m)?, distance, v: copy(v)?, bound };
    let (next, anchor) = (at.copy()?, at.copy()?);
    let (steps, weight) = match norm {
        Norm::Sum => (Vec::new(), 1.0),
        Norm::Largest(_) => {
            (of_cells.iter().map(|p| 1.0 / p).collect(), SPREAD / answers.len().max(1) as f64)
        }
    };
    let mut gradients = Gradients {
        index,
        prior,
        answers,
        norm,
        aim,
        p,
        of_cells,
        steps,
        weight,
        at,
        next,
        anchor,
        thresholds: (0.0, 0.0),
        best,
        start: distance,
        iterations: 0,
        since: 0,
        first: 0.0,
        last: 0.0,
        trace: Vec::new(),
        pace,
    };
    let work = 2 * index.passes() * prior.len() + VECTORS * (prior.len() + answers.len());
    let iterate = async {
        loop {
            let over = gradients.iterate();
            pace.did(work).await;
            if over {
                return Ok(());
            }
        }
    };
    pace.unless_stopped(iterate).await?;
    Ok(Least { passes: gradients.passes(), best: gradients.best, trace: gradients.trace })
}

/// The method at work.
struct Gradients<'a> {
    index: &'a Index,
    prior: &'a [f64],
    answers: &'a [f64],
    norm: Norm,
    aim: Aim,
    /// The step of each row is in proportion to its prior `p`, that of each cell to one over its sum.
    p: Vec<f64>,
    of_cells: Vec<f64>,
    /// One over these, where `v` is projected.
    steps: Vec<f64>,
    /// ω: how much longer steps of `v` are than those of `q`.
    weight: f64,
    at: Pair,
    next: Pair,
    anchor: Pair,
    /// Those of the last projections of `q` and of `v`.
    thresholds: (f64, f64),
    best: Best,
    /// The distance of the start.
    start: f64,
    iterations: usize,
    since: usize,
    first: f64,
    last: f64,
    trace: Vec<(usize, f64, f64)>,
    pace: &'a Pace,
}

impl Gradients<'_> {
    fn passes(&self) -> usize {
        2 * self.iterations + 3
    }

    /// One iteration; whether it was the last one.
    fn iterate(&mut self) -> bool {
        self.advance();
        let residual = self.residual();
        if self.since == 0 {
            self.first = residual;
        }
        self.iterations += 1;
        let rising = residual > self.last;
        let anew = self.since > 0
            && (residual <= MUCH * self.first
                || residual <= SOME * self.first && rising
                || self.since as f64 >= LONG * self.iterations as f64);
        self.last = residual;
        let over = (anew || residual == 0.0 || self.iterations.is_multiple_of(JUDGED))
            && (self.judge() || residual == 0.0 || self.iterations >= LIMIT);
        if anew {
            self.begin_anew();
        } else {
            self.since += 1;
            let share = self.since as f64 / (self.since + 1) as f64;
            self.at.reflect(&self.next, &self.anchor, share);
        }
        over
    }

    /// One step of the hybrid gradient: `q⁺ = Π(q + τMᵀv)`, `v⁺ = Π(v + σ(y − M(2q⁺ − q)))`, τ = p/(ωK), σ = ω/p(cell).
    fn advance(&mut self) {
        let Self { at, next, p, of_cells, answers, steps, thresholds, .. } = self;
        let tau = STEP / (self.weight * self.index.marginals().len() as f64);
        let rows = next.q.iter_mut().zip(&at.q).zip(&at.t).zip(p.iter());
        rows.for_each(|(((next, q), t), p)| *next = q + tau * p * t);
        project(&mut next.q, p, &mut thresholds.0);
        self.index.scatter(&next.q, &mut next.m);
        let sigma = STEP * self.weight;
        let old = at.v.iter().zip(&at.m);
        let cells = next.v.iter_mut().zip(&next.m).zip(old).zip(answers.iter().zip(of_cells.iter()));
        cells.for_each(|(((next, m), (v, old)), (y, p))| {
            *next = v + sigma / p * (y - (2.0 * m - old));
        });
        match self.norm {
            Norm::Sum => next.v.iter_mut().for_each(|v| *v = v.clamp(-1.0, 1.0)),
            Norm::Largest(_) => within_one(&mut next.v, steps, &mut thresholds.1),
        }
        self.index.gather(&next.v, &mut next.t);
    }

    /// The distance of a step in the metric in which steps shorten.
    fn residual(&self) -> f64 {
        let (of_q, of_v) = moved(&self.next, &self.at, &self.p, &self.of_cells);
        let of_q = of_q * self.weight * self.index.marginals().len() as f64 / STEP;
        let of_v = of_v / (STEP * self.weight);
        let (next, at) = (&self.next, &self.at);
        let cells = next.v.iter().zip(&at.v).zip(next.m.iter().zip(&at.m));
        let of_both: f64 = cells.map(|((v, w), (m, n))| (v - w) * (m - n)).sum();
        (of_q + of_v + 2.0 * of_both).max(0.0).sqrt()
    }

    /// Starts from where the last step led, with steps as long as their halves were far.
    fn begin_anew(&mut self) {
        let (of_q, of_v) = moved(&self.next, &self.anchor, &self.p, &self.of_cells);
        let of_q = of_q * self.index.marginals().len() as f64;
        // A half that no longer moves says nothing of how far it has to go: it may be for want of steps.
        let wanted = if of_q.min(of_v) > STILL * STILL { (of_v / of_q).sqrt() } else { 1.0 };
        self.weight = (self.weight * wanted).sqrt();
        std::mem::swap(&mut self.at, &mut self.next);
        self.anchor.take(&self.at);
        self.since = 0;
        let entropy = relative_entropy(&self.best.q, self.prior);
        self.trace.push((self.passes(), self.best.distance, entropy));
        self.pace.judged();
    }

    /// Keeps the better halves; whether they are good enough.
    fn judge(&mut self) -> bool {
        let distance = self.norm.distance(self.answers, &self.next.m);
        if distance < self.best.distance {
            self.best.distance = distance;
            self.best.q.copy_from_slice(&self.next.q);
            self.best.m.copy_from_slice(&self.next.m);
        }
        let bound = self.norm.bound(self.answers, &self.next);
        if bound > self.best.bound {
            self.best.bound = bound;
            self.best.v.copy_from_slice(&self.next.v);
        }
        let bound = self.best.bound;
        let within = |distance: f64, tolerance: f64| {
            distance - bound <= tolerance * self.norm.natural(distance, self.answers)
        };
        within(self.best.distance, self.aim.tolerance) || within(self.start, self.aim.of_start)
    }
}

impl Pair {
    fn copy(&self) -> Result<Self> {
        Ok(Self { q: copy(&self.q)?, v: copy(&self.v)?, m: copy(&self.m)?, t: copy(&self.t)? })
    }

    fn take(&mut self, other: &Self) {
        self.q.copy_from_slice(&other.q);
        self.v.copy_from_slice(&other.v);
        self.m.copy_from_slice(&other.m);
        self.t.copy_from_slice(&other.t);
    }

    /// `s(2·next − self) + (1 − s)·anchor`.
    fn reflect(&mut self, next: &Self, anchor: &Self, s: f64) {
        let reflect = |at: &mut [f64], next: &[f64], anchor: &[f64]| {
            let all = at.iter_mut().zip(next).zip(anchor);
            all.for_each(|((at, next), anchor)| *at = s * (2.0 * next - *at) + (1.0 - s) * anchor);
        };
        reflect(&mut self.q, &next.q, &anchor.q);
        reflect(&mut self.v, &next.v, &anchor.v);
        reflect(&mut self.m, &next.m, &anchor.m);
        reflect(&mut self.t, &next.t, &anchor.t);
    }
}

/// How far apart the halves of two points are: Σ Δq²/p and Σ Δv² p.
fn moved(a: &Pair, b: &Pair, p: &[f64], of_cells: &[f64]) -> (f64, f64) {
    let of_q = a.q.iter().zip(&b.q).zip(p).map(|((a, b), p)| (a - b) * (a - b) / p);
    let of_v = a.v.iter().zip(&b.v).zip(of_cells).map(|((a, b), p)| (a - b) * (a - b) * p);
    (of_q.sum(), of_v.sum())
}

/// Draws `v` to where the sum of |v| is at most 1, in the metric Σ Δv²/step.
fn within_one(v: &mut [f64], steps: &[f64], threshold: &mut f64) {
    let mut sizes: Vec<f64> = v.iter().map(|v| v.abs()).collect();
    if sum(&sizes) > 1.0 {
        project(&mut sizes, steps, threshold);
        v.iter_mut().zip(sizes).for_each(|(v, size)| *v = size.copysign(*v));
    }
}

impl Norm {
    /// ‖m − y‖.
    pub fn distance(self, answers: &[f64], m: &[f64]) -> f64 {
        match self {
            Self::Sum => sum2(answers, m, |y, m| (y - m).abs()),
            Self::Largest(least) => answers.iter().zip(m).fold(least, |most, (y, m)| most.max((y - m).abs())),
        }
    }

    /// What no distance is below: `(v·y − max Mᵀv) / ‖v‖`, the norm where it is above 1 by rounding.
    fn bound(self, answers: &[f64], pair: &Pair) -> f64 {
        let most = pair.t.iter().fold(f64::NEG_INFINITY, |most: f64, t| most.max(*t));
        let bound = sum2(answers, &pair.v, |y, v| y * v) - most;
        match self {
            Self::Sum => bound,
            Self::Largest(least) => (bound / sum2(&pair.v, &pair.v, |v, _| v.abs()).max(1.0)).max(least),
        }
    }

    /// What a gap is measured against.
    pub fn natural(self, distance: f64, answers: &[f64]) -> f64 {
        match self {
            Self::Sum => {
                let size: f64 = answers.iter().map(|y| y.abs()).sum();
                distance.max(FLOOR * size).max(f64::MIN_POSITIVE)
            }
            Self::Largest(_) => 1.0,
        }
    }
}
