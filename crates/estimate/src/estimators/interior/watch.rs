//! What was seen of a solution so far.

use super::certificate::{Certificate, Counts};
use super::point::Point;
use crate::job::Pace;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Counters and the best point so far.
pub(super) struct Watch {
    seen: Mutex<Seen>,
    pace: Pace,
}

#[derive(Debug, Default)]
struct Seen {
    counts: Counts,
    best: Option<(Certificate, Vec<f64>)>,
    /// Every certificate that was the best, and the passes until then.
    trace: Vec<(usize, Certificate)>,
}

impl Watch {
    /// Nothing was seen yet.
    pub fn new(pace: &Pace) -> Self {
        Self { seen: Mutex::default(), pace: pace.clone() }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the counters.
    pub fn count(&self, change: impl FnOnce(&mut Counts)) {
        change(&mut self.seen().counts);
    }

    /// The counters.
    pub fn counts(&self) -> Counts {
        self.seen().counts
    }

    /// Keeps a point if it is better than all before, and says whether it is.
    pub fn offer(&self, certificate: Certificate, point: &Point) -> bool {
        let mut seen = self.seen();
        match &mut seen.best {
            Some((best, u)) if certificate.relative < best.relative => {
                *best = certificate;
                u.copy_from_slice(&point.u);
            }
            Some(_) => return false,
            none => *none = Some((certificate, point.u.clone())),
        }
        let passes = seen.counts.row_passes;
        seen.trace.push((passes, certificate));
        self.pace.judged();
        true
    }

    /// Every certificate that was the best of its time, and the row passes until then.
    pub fn trace(&self) -> Vec<(usize, Certificate)> {
        self.seen().trace.clone()
    }

    /// The best point so far.
    pub fn best(&self) -> Option<Vec<f64>> {
        self.seen().best.as_ref().map(|(_, u)| u.clone())
    }
}
