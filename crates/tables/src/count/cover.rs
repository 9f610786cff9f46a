//! Covers many small attribute sets by few larger ones: the cheapest of as many greedy attempts as the counting
//! that they may save is worth.

use super::cost::CostModel;
use super::effort::Effort;
use super::facets::Facets;
use super::greedy::{Cover, Greedy, Task};
use super::sets::Sets;
use crate::{Domain, Result};

/// The largest covers tried, in cells.
const LIMITS: [u64; 4] = [1 << 14, 1 << 15, 1 << 16, 1 << 13];

/// Planning may take this share of the time that counting takes.
const SHARE: f64 = 0.04;

/// What looking at a set takes in nanoseconds, with all that goes with it.
const LOOK: f64 = 6.0;

/// What a unit of all that an attempt does takes in nanoseconds, looks being but a part of it.
const UNIT: f64 = 2.0;

/// How often an attempt looks at a set, at least.
const LOOKS: usize = 16;

/// The most attempts.
const ATTEMPTS: u64 = 64;

/// What pricing a set takes, in units of work.
const PRICE: u64 = 16;

/// What beginning and ending an attempt take for each set, in units of work.
const SETTING_OUT: u64 = 16;

/// What there is to cover, and for whom.
pub struct Request<'a> {
    /// The attributes.
    pub domain: &'a Domain,
    /// All sets.
    pub sets: &'a Sets,
    /// The first of those to cover, which are all from there on.
    pub first: u32,
    /// The number of rows.
    pub rows: u64,
    /// What passes cost.
    pub cost: &'a CostModel,
}

/// Covers in the making.
pub struct Covering {
    stage: Stage,
    ease: Vec<f64>,
    /// The cheapest covers so far; none while that is every set by itself. And what they cost.
    best: Option<Vec<Cover>>,
    lowest: f64,
    /// What every set by itself costs.
    alone: f64,
    /// Of the cheapest covers, how large they may be.
    limit: u64,
    attempt: u64,
    /// Nanoseconds that attempts took.
    spent: f64,
}

enum Stage {
    /// Adds up what every set by itself costs, up to this one.
    Pricing(u32),
    Facets(Facets),
    Trying(Facets, Box<Greedy>),
    Over,
}

impl Covering {
    /// Nothing is tried yet.
    pub fn new(request: &Request) -> Self {
        let ease = |size: &u32| 1.0 / libm::sqrt(libm::log(f64::from(*size)) + 1e-3);
        Self {
            stage: Stage::Pricing(request.first),
            ease: request.domain.sizes().iter().map(ease).collect(),
            best: None,
            lowest: 0.0,
            alone: 0.0,
            limit: LIMITS[0],
            attempt: 0,
            spent: 0.0,
        }
    }

    /// Goes on; true when there is nothing left to try.
    pub fn step(&mut self, request: &Request, effort: &mut Effort) -> Result<bool> {
        while !effort.over() {
            self.stage = match std::mem::replace(&mut self.stage, Stage::Over) {
                Stage::Pricing(set) => self.price_alone(request, set, effort)?,
                Stage::Facets(mut facets) => {
                    if facets.step(request.sets, effort)? {
                        self.attempt(request, facets, effort)?
                    } else {
                        Stage::Facets(facets)
                    }
                }
                Stage::Trying(facets, mut greedy) => {
                    let most = (self.alone / UNIT) as u64;
                    let done = greedy.step(&self.task(request, &facets), most, effort);
                    if !done {
                        Stage::Trying(facets, greedy)
                    } else if self.compare(request, *greedy) {
                        Stage::Over
                    } else {
                        self.attempt(request, facets, effort)?
                    }
                }
                Stage::Over => return Ok(true),
            }
        }
        Ok(false)
    }

    /// The cheapest covers; none when that is every set by itself.
    pub fn finish(self) -> Option<Vec<Cover>> {
        self.best
    }

    fn price_alone(&mut self, request: &Request, mut set: u32, effort: &mut Effort) -> Result<Stage> {
        let Request { domain, sets, first, rows, cost } = *request;
        let end = sets.len() as u32;
        while set < end && !effort.over() {
            self.lowest += cost.of(rows, sets.attributes(set).len(), sets.cells(set), 1);
            effort.spend(PRICE);
            set += 1;
        }
        if set < end {
            return Ok(Stage::Pricing(set));
        }
        self.alone = self.lowest;
        if first == end || self.least(request) > self.lowest {
            return Ok(Stage::Over);
        }
        Ok(Stage::Facets(Facets::new(sets, first, domain.sizes().len())?))
    }

    /// The nanoseconds that an attempt takes at least.
    fn least(&self, request: &Request) -> f64 {
        (LOOKS * (request.sets.len() - request.first as usize)) as f64 * LOOK
    }

    fn task<'a>(&'a self, request: &Request<'a>, facets: &'a Facets) -> Task<'a> {
        let Request { domain, sets, first, rows, cost } = *request;
        Task { sets, first, facets, sizes: domain.sizes(), ease: &self.ease, rows, cost }
    }

    /// Begins the next attempt.
    fn attempt(&mut self, request: &Request, facets: Facets, effort: &mut Effort) -> Result<Stage> {
        effort.spend(SETTING_OUT * request.sets.len() as u64);
        let limit = self.tried(request);
        let varied = (self.attempt + 1).saturating_sub(LIMITS.len() as u64);
        let greedy = Greedy::new(&self.task(request, &facets), limit, varied)?;
        Ok(Stage::Trying(facets, Box::new(greedy)))
    }

    /// How large the covers of this attempt may be.
    fn tried(&self, request: &Request) -> u64 {
        let limit = LIMITS.get(self.attempt as usize).unwrap_or(&self.limit);
        (*limit).min(request.cost.max_cells)
    }

    /// Keeps the covers of an attempt if they are the cheapest; true when it was the last.
    fn compare(&mut self, request: &Request, greedy: Greedy) -> bool {
        let (covers, looks, units) = greedy.finish();
        let Request { rows, cost, .. } = *request;
        let of = |cover: &Cover| cost.of(rows, cover.attributes.len(), cover.cells, cover.sets.len());
        let price: f64 = covers.iter().map(of).sum();
        if price < self.lowest {
            (self.limit, self.best, self.lowest) = (self.tried(request), Some(covers), price);
        }
        let attempt = (looks as f64 * LOOK + self.least(request)).max(units as f64 * UNIT);
        self.spent += attempt;
        self.attempt += 1;
        self.spent + attempt > self.lowest * SHARE || self.attempt == ATTEMPTS
    }
}
