//! Selections over sealed counts: public answers come block by block, from whoever has them; one index goes out.
//!
//! Theorem: the index has the law of the mechanism over the scores of the candidates, whose sensitivity for the
//! declared neighbours is derived here; its cost is that of [`Choice::cost`], for which a grant was given up before
//! anything is drawn. Nothing else is told: no error, count of steps or shape depends on a count.

use super::choice::{Candidates, Choice, Mechanism};
use super::marginals::{Distances, Piece};
use super::noise::Noise;
use super::quantile::Quantile;
use super::race::{Race, Rate};
use super::scores::{Block, Cells, Difference, Grid, fill, invalid, rate};
use crate::account::{Grant, Paid};
use crate::counts::{Counts, Prepared};
use crate::random::Generator;
use crate::sealed::Sealed;
use crate::sensitivity::Sensitivity;
use crate::unit::Neighbours;
use marginalia_tables::held::Held;
use marginalia_tables::{Error, Result, Workload};
use num_traits::ToPrimitive;
use std::sync::Arc;
use zeroize::Zeroizing;

/// What the public knows of some consecutive cells.
#[derive(Debug, Clone, Copy)]
pub struct Public<'a> {
    /// What the model answers, in records.
    pub answers: &'a [f64],
    /// Subtracted from the scores of cells, in records; 0 if there are none.
    pub penalties: Option<&'a [f64]>,
    /// Weights of cells, as in [`Block`].
    pub weights: Option<&'a [f64]>,
    /// Which cells take part, as in [`Block`].
    pub mask: Option<&'a [bool]>,
}

impl<'a> Public<'a> {
    /// Answers, and nothing beside them.
    pub fn answers(answers: &'a [f64]) -> Self {
        Self { answers, penalties: None, weights: None, mask: None }
    }

    fn check(&self, cells: bool) -> Result<()> {
        let length = self.answers.len();
        let fits = |other: Option<usize>| other.is_none_or(|other| cells && other == length);
        let lengths = [self.penalties, self.weights].map(|terms| terms.map(<[f64]>::len));
        if lengths.into_iter().chain([self.mask.map(<[bool]>::len)]).all(fits) {
            return Ok(());
        }
        Err(invalid("give penalties, weights and marks of the mask once per candidate"))
    }

    fn part(&self, from: usize, to: usize) -> Self {
        Self {
            answers: &self.answers[from..to],
            penalties: self.penalties.map(|terms| &terms[from..to]),
            weights: self.weights.map(|terms| &terms[from..to]),
            mask: self.mask.map(|terms| &terms[from..to]),
        }
    }
}

/// Whatever walks the cells of a workload with public answers: a model, a file, JavaScript.
pub trait PublicAnswers {
    /// The next cells, in the order of the workload, in blocks of any size; `None` after the last.
    ///
    /// # Errors
    /// Whatever goes wrong on the public side.
    fn next(&mut self) -> Result<Option<Public<'_>>>;
}

/// Cells that are scored at once: few enough to stay in a cache.
const BLOCK: usize = 4096;

/// A selection in the making. Until it is finished it tells nothing:
///
/// ```compile_fail,E0616
/// fn peeked(selecting: marginalia_privacy::select::Selecting) -> bool {
///     selecting.race.winner().is_ok()
/// }
/// ```
///
/// and it tells one index, not two:
///
/// ```compile_fail,E0382
/// fn twice(selecting: marginalia_privacy::select::Selecting) -> bool {
///     selecting.finish() == selecting.finish()
/// }
/// ```
///
/// What does work:
///
/// ```
/// fn once(selecting: marginalia_privacy::select::Selecting) -> bool {
///     selecting.finish().is_ok()
/// }
/// ```
pub struct Selecting {
    counts: Arc<Counts>,
    paid: Paid,
    generator: Generator,
    race: Race,
    scoring: Scoring,
    /// Cells that were answered, and the marginal of the next.
    at: usize,
    marginal: usize,
    failed: Option<Error>,
    /// Private counts and scores of a block.
    exact: Zeroizing<Vec<i64>>,
    scores: Zeroizing<Vec<i64>>,
    _held: Held,
}

enum Scoring {
    Cells(Grid, Difference),
    Marginals(Box<Distances>),
    /// Scored from the counts alone, at the end.
    Edges(Quantile),
}

impl Sealed {
    /// Begins to select. The grant must cover what the choice costs; it is given up even where the choice is refused.
    ///
    /// # Errors
    /// `BUDGET_EXCEEDED` for too small a grant; `OPTION_INVALID` for counts of another table, and for an ε, factors or a
    /// unit beyond all use.
    pub fn select(
        &self,
        grant: Grant,
        prepared: &Prepared,
        choice: Choice,
        generator: Generator,
    ) -> Result<Selecting> {
        let paid = grant.redeem(&choice.cost()?)?;
        let (scoring, race) = self.race(prepared, choice)?;
        // Edges need no public answers.
        let at = if let Scoring::Edges(_) = scoring { prepared.counts.cells.len() } else { 0 };
        Ok(Selecting {
            counts: prepared.counts.clone(),
            paid,
            generator,
            race,
            scoring,
            at,
            marginal: 0,
            failed: None,
            // As much as a block needs: it never grows, which would leave counts behind.
            exact: Zeroizing::new(Vec::with_capacity(BLOCK)),
            scores: Zeroizing::default(),
            _held: Held::default(),
        })
    }

    /// Refuses what [`Sealed::select`] would refuse, but for the grant: to be asked before anything is charged.
    pub fn admits(&self, prepared: &Prepared, choice: &Choice) -> Result<()> {
        self.race(prepared, choice.clone()).map(|_| ())
    }

    fn race(&self, prepared: &Prepared, choice: Choice) -> Result<(Scoring, Race)> {
        if prepared.counts.among.is_some() && !matches!(choice.candidates, Candidates::Cells(_)) {
            return Err(invalid(
                "some cells of a workload were counted alone: these can be chosen from, and nothing else",
            ));
        }
        if prepared.is_of(self) {
            return race(&self.neighbours, prepared.workload(), choice);
        }
        Err(invalid("the workload was counted for another sealed table: prepare it for this one"))
    }
}

/// Refuses a choice from a workload that [`Sealed::select`] would refuse: to be asked before rows are read.
pub fn admit(neighbours: &Neighbours, workload: &Workload, choice: &Choice) -> Result<()> {
    race(neighbours, workload, choice.clone()).map(|_| ())
}

/// How candidates are scored, and their race. The most by which one score changes between neighbours is, for a cell, the
/// rows of a unit, under either relation, times the units of the grid; for a marginal its L1 change, times those and its
/// factor; for an edge what [`Quantile::sensitivity`] says.
fn race(neighbours: &Neighbours, workload: &Workload, choice: Choice) -> Result<(Scoring, Race)> {
    let grid = choice.grid;
    let (scoring, sensitivity) = match choice.candidates {
        Candidates::Cells(difference) => {
            let sensitivity = grid.units() * u64::from(neighbours.unit.rows());
            (Scoring::Cells(grid, difference), sensitivity)
        }
        Candidates::Marginals(terms) => {
            terms.check(workload.len())?;
            let records = Sensitivity::marginals(neighbours, 1).l1().to_u64().unwrap_or(u64::MAX);
            let distances = Distances::new(grid, records, terms)?;
            let sensitivity = distances.sensitivity();
            (Scoring::Marginals(Box::new(distances)), sensitivity)
        }
        Candidates::Edges(quantile) => {
            quantile.check(workload)?;
            let sensitivity = quantile.sensitivity(neighbours)?;
            (Scoring::Edges(quantile), sensitivity)
        }
    };
    let noise = match choice.mechanism {
        Mechanism::Exponential => Noise::Gumbel,
        Mechanism::PermuteAndFlip => Noise::Exponential,
    };
    let rate = Rate::new(rate(&choice.epsilon, sensitivity)?)?;
    Ok((scoring, Race::new(noise, rate)))
}

impl Selecting {
    /// What was paid.
    pub fn paid(&self) -> &Paid {
        &self.paid
    }

    /// Selects with noise half as wide, for audits that must find out; before anything is pushed.
    #[cfg(feature = "test-noise")]
    pub fn halve(&mut self) -> Result<()> {
        self.race.halve()
    }

    /// Cells that are answered already, and all of them: public.
    pub fn progress(&self) -> (u64, u64) {
        (self.at as u64, self.counts.cells.len() as u64)
    }

    /// Takes answers to about `cells` more cells; true after the last.
    ///
    /// # Errors
    /// Those of the answers, and of [`Selecting::push`].
    pub fn step(&mut self, answers: &mut dyn PublicAnswers, cells: u64) -> Result<bool> {
        let until = (self.at as u64).saturating_add(cells);
        while (self.at as u64) < until {
            match answers.next()? {
                Some(public) => self.push(&public)?,
                None => return Ok(true),
            }
        }
        Ok(false)
    }

    /// Takes the answers to the next cells, as many as there are. Time is linear in them.
    ///
    /// # Errors
    /// `OPTION_INVALID` when there are more than cells, or for numbers beyond all use; `ENTROPY_BROKEN`. Every later
    /// call gives the same error, since candidates may have been passed over.
    pub fn push(&mut self, public: &Public) -> Result<()> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.pushed(public).inspect_err(|error| self.failed = Some(error.clone()))
    }

    fn pushed(&mut self, public: &Public) -> Result<()> {
        public.check(matches!(self.scoring, Scoring::Cells(..)))?;
        let length = public.answers.len();
        if length > self.counts.cells.len() - self.at {
            return Err(invalid("there are more answers than the workload has cells"));
        }
        let mut from = 0;
        while from < length {
            let to = from + self.room().min(length - from);
            self.block(&public.part(from, to))?;
            from = to;
        }
        Ok(())
    }

    /// The cells up to the end of a block, or, where marginals are candidates, of the marginal.
    fn room(&self) -> usize {
        match self.scoring {
            Scoring::Cells(..) => BLOCK,
            Scoring::Marginals(_) => BLOCK.min(self.end() - self.at),
            Scoring::Edges(_) => 0,
        }
    }

    /// Where the marginal of the next cell ends.
    fn end(&self) -> usize {
        let workload = &self.counts.workload;
        if self.marginal < workload.len() { workload.cells(self.marginal).end as usize } else { self.at }
    }

    fn block(&mut self, public: &Public) -> Result<()> {
        let to = self.at + public.answers.len();
        let last = to == self.end();
        self.exact.clear();
        self.exact.extend(self.counts.cells[self.at..to].iter().map(|count| i64::from(*count)));
        self.at = to;
        let Public { answers, penalties, weights, mask } = *public;
        match &mut self.scoring {
            Scoring::Cells(grid, difference) => {
                let cells = Cells { counts: &self.exact, answers, penalties, weights, mask };
                fill(&mut self.scores, &cells, *grid, *difference)?;
                self.race.take(&Block { scores: &self.scores, weights, mask }, &mut self.generator)
            }
            Scoring::Marginals(distances) => {
                self.marginal += usize::from(last);
                match distances.add(&Piece { counts: &self.exact, answers, last })? {
                    Some(candidate) => self.race.take(&candidate, &mut self.generator),
                    None => Ok(()),
                }
            }
            Scoring::Edges(_) => Ok(()),
        }
    }

    /// The index of what is selected: a cell among all cells of the workload that were counted, a marginal, or an edge.
    ///
    /// # Errors
    /// `OPTION_INVALID` when cells were not answered; `SELECTION_EMPTY` when nothing takes part; `ENTROPY_BROKEN`.
    pub fn finish(mut self) -> Result<u64> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if self.at < self.counts.cells.len() {
            return Err(invalid("answers are missing: give one for each cell of the workload"));
        }
        if let Scoring::Edges(quantile) = &self.scoring {
            quantile.score(&self.counts.cells, &mut self.scores)?;
            let edges = Block { scores: &self.scores, weights: None, mask: quantile.mask.as_deref() };
            self.race.take(&edges, &mut self.generator)?;
        }
        self.race.winner(&mut self.generator)
    }
}
