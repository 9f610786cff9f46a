//! The counts of a workload, counted once and sealed: selections read them as often as they are paid for.

use crate::sealed::Sealed;
use marginalia_tables::count::{Answers, CountSource, Counting};
use marginalia_tables::held::Held;
use marginalia_tables::{Code, Error, Result, Workload};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use zeroize::Zeroizing;

/// The counts of one workload, in its order. They are cut at 2³² − 1, which brings neighbours no farther apart.
pub(crate) struct Counts {
    pub workload: Arc<Workload>,
    /// The cells that are counted, by their places among all; all of them if there is none.
    pub among: Option<Vec<u32>>,
    pub cells: Zeroizing<Vec<u32>>,
    _held: Held,
}

/// The workloads of a sealed table that are counted, the oldest first.
#[derive(Default)]
pub(crate) struct Kept(Mutex<Vec<Arc<Counts>>>);

impl Kept {
    fn find(&self, workload: &Workload, among: Option<&Vec<u32>>) -> Option<Arc<Counts>> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().find(|counts| *counts.workload == *workload && counts.among.as_ref() == among).cloned()
    }

    /// Keeps one more, and as many of the others as have room for `cells` together.
    fn keep(&self, counts: Arc<Counts>, cells: u64) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|other| *other.workload != *counts.workload || other.among != counts.among);
        all.push(counts);
        let sum = |all: &[Arc<Counts>]| all.iter().map(|counts| counts.cells.len() as u64).sum::<u64>();
        while all.len() > 1 && sum(&all) > cells {
            all.remove(0);
        }
    }
}

/// The sealed counts of a workload, ready for selections.
///
/// They cannot be read by anybody else:
///
/// ```compile_fail,E0616
/// fn open(prepared: &marginalia_privacy::counts::Prepared) -> u32 {
///     prepared.counts.cells[0]
/// }
/// ```
///
/// What does work:
///
/// ```
/// fn look(prepared: &marginalia_privacy::counts::Prepared) -> u64 {
///     prepared.workload().total_cells()
/// }
/// ```
#[derive(Clone)]
pub struct Prepared {
    pub(crate) counts: Arc<Counts>,
    /// Of which table they are.
    owner: Arc<Kept>,
}

impl Prepared {
    /// What was counted.
    pub fn workload(&self) -> &Workload {
        &self.counts.workload
    }

    /// Whether they are of this table or of a clone of it.
    pub(crate) fn is_of(&self, sealed: &Sealed) -> bool {
        Arc::ptr_eq(&self.owner, &sealed.kept)
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Prepared { .. }")
    }
}

/// Counts in the making, in steps; finished at once where the workload was counted before.
pub struct Preparing {
    sealed: Sealed,
    workload: Arc<Workload>,
    among: Option<Vec<u32>>,
    /// How many cells may be kept.
    room: u64,
    counting: Option<Box<dyn Counting>>,
    /// What was counted, of which so many cliques are copied.
    answers: Option<Answers>,
    copied: usize,
    cells: Zeroizing<Vec<u32>>,
    done: Option<Arc<Counts>>,
}

impl Sealed {
    /// Begins to count a workload for selections, in at most `limit` bytes. It costs nothing, since nothing is told.
    ///
    /// # Errors
    /// `MODEL_TOO_LARGE` by the number of cells, which is public; `OPTION_INVALID` for a workload over another schema.
    pub fn prepare(&self, workload: Workload, limit: u64) -> Result<Preparing> {
        self.prepare_among(workload, None, limit)
    }

    /// The same of some of the cells alone, by their places among all, ascending: selections are from these, counted as they are listed.
    ///
    /// # Errors
    /// Also `OPTION_INVALID` for places that are not there, or not ascending.
    pub fn prepare_among(
        &self,
        workload: Workload,
        among: Option<Vec<u32>>,
        limit: u64,
    ) -> Result<Preparing> {
        admit(&workload, limit)?;
        if let Some(places) = &among {
            listed(places, workload.total_cells())?;
        }
        let workload = Arc::new(workload);
        let done = self.kept.find(&workload, among.as_ref());
        let counting = match done {
            Some(_) => None,
            // What counting needs depends on the rows, so its own admission must not be asked.
            None => Some(self.table.clone().begin(workload.clone(), u64::MAX)?),
        };
        Ok(Preparing {
            sealed: self.clone(),
            workload,
            among,
            room: limit / size_of::<u32>() as u64,
            counting,
            answers: None,
            copied: 0,
            cells: Zeroizing::default(),
            done,
        })
    }
}

impl Preparing {
    /// Does about `work` units; true when nothing is left to do.
    pub fn step(&mut self, work: u64) -> Result<bool> {
        if self.done.is_some() {
            return Ok(true);
        }
        let Some(counting) = &mut self.counting else { return self.copy(work) };
        if counting.step(work)? {
            self.answers = self.counting.take().map(|counting| counting.finish()).transpose()?;
            let cells = match &self.among {
                Some(places) => places.len(),
                None => usize::try_from(self.workload.total_cells()).unwrap_or(usize::MAX),
            };
            self.cells.try_reserve_exact(cells).map_err(|_| refused(&self.workload))?;
        }
        Ok(false)
    }

    /// Does what is left.
    pub fn finish(mut self) -> Result<Prepared> {
        loop {
            if let Some(counts) = self.done {
                return Ok(Prepared { counts, owner: self.sealed.kept });
            }
            self.step(u64::MAX)?;
        }
    }

    /// Copies the next cliques, as many as have about `work` cells.
    fn copy(&mut self, work: u64) -> Result<bool> {
        let answers = self.answers.as_ref().ok_or_else(|| refused(&self.workload))?;
        let until = (self.cells.len() as u64).saturating_add(work.max(1));
        while self.copied < self.workload.len() && (self.cells.len() as u64) < until {
            let counts = Zeroizing::new(answers.clique(self.copied)?);
            // As a cast of a double does: larger counts become the largest.
            match &self.among {
                None => self.cells.extend(counts.iter().map(|count| *count as u32)),
                Some(places) => {
                    let own = self.workload.cells(self.copied);
                    let of =
                        places[self.cells.len()..].iter().take_while(|place| u64::from(**place) < own.end);
                    let of: Vec<usize> = of.map(|place| (u64::from(*place) - own.start) as usize).collect();
                    self.cells.extend(of.into_iter().map(|place| counts[place] as u32));
                }
            }
            self.copied += 1;
        }
        if self.copied < self.workload.len() {
            return Ok(false);
        }
        self.answers = None;
        let cells = std::mem::take(&mut self.cells);
        let (workload, among) = (self.workload.clone(), self.among.take());
        let counts = Arc::new(Counts { workload, among, cells, _held: Held::default() });
        self.sealed.kept.keep(counts.clone(), self.room);
        self.done = Some(counts);
        Ok(true)
    }
}

/// Refuses what [`Sealed::prepare`] would refuse, before anything is read: by the number of cells alone, which is public.
/// Three tables of doubles are made of them.
pub fn admit(workload: &Workload, limit: u64) -> Result<()> {
    let bytes = workload.total_cells().saturating_mul(3 * size_of::<f64>() as u64);
    if bytes <= limit {
        return Ok(());
    }
    let message = format!(
        "the candidates need {bytes} bytes, and the limit is {limit}: select from fewer or smaller cliques, or raise `memoryLimit`"
    );
    Err(Error::new(Code::ModelTooLarge, message))
}

/// Refuses places that are not those of cells, ascending.
pub fn listed(places: &[u32], cells: u64) -> Result<()> {
    let ascending = places.windows(2).all(|two| two[0] < two[1]);
    if !places.is_empty() && ascending && places.last().is_some_and(|last| u64::from(*last) < cells) {
        return Ok(());
    }
    Err(Error::new(Code::OptionInvalid, "cells that take part are listed by their places, ascending"))
}

fn refused(workload: &Workload) -> Error {
    let cells = usize::try_from(workload.total_cells()).unwrap_or(usize::MAX);
    Error::out_of_memory(cells.saturating_mul(size_of::<u32>()))
}
