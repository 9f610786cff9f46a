//! Every long computation as JavaScript sees it. Serves `ts/engine/operations/objects.ts`.

use marginalia_binding::error::Result;
use marginalia_estimate::job::{self, Progress};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// What a function returns that begins a computation of `T`: `#[wasm_bindgen(unchecked_return_type = "Job<T>")]`.
#[wasm_bindgen(typescript_custom_section)]
const TYPE: &str = "
/**
 * A computation: `step` does about `work` units and says whether none are left, `finish` gives its outcome or throws; `found` is what
 * it has come to since that was last asked, where it tells anything before its end.
 */
export interface Job<T> {
  free(): void;
  step(work: number): boolean;
  done(): number;
  total(): number;
  found(): Float64Array<ArrayBuffer>;
  finish(): T;
}
";

/// A computation, and how its outcome becomes a value of JavaScript.
#[wasm_bindgen(skip_typescript)]
pub struct Job {
    job: Box<dyn Open>,
    progress: Progress,
}

trait Open {
    fn step(&mut self, work: u64) -> Progress;
    fn found(&mut self) -> Vec<f64>;
    fn finish(self: Box<Self>) -> Result<JsValue>;
}

struct Bound<J, F> {
    job: J,
    found: fn(&mut J) -> Vec<f64>,
    value: F,
}

impl<J: job::Job, F: FnOnce(J::Output) -> Result<JsValue>> Open for Bound<J, F> {
    fn step(&mut self, work: u64) -> Progress {
        self.job.step(work)
    }

    fn found(&mut self) -> Vec<f64> {
        (self.found)(&mut self.job)
    }

    fn finish(self: Box<Self>) -> Result<JsValue> {
        (self.value)(Box::new(self.job).finish()?)
    }
}

impl Job {
    /// A computation whose outcome `value` turns into one of JavaScript.
    pub(crate) fn new<J: job::Job + 'static>(
        job: J,
        value: impl FnOnce(J::Output) -> Result<JsValue> + 'static,
    ) -> Self {
        Self::telling(job, |_| Vec::new(), value)
    }

    /// One that tells what it has come to since that was last asked.
    pub(crate) fn telling<J: job::Job + 'static>(
        job: J,
        found: fn(&mut J) -> Vec<f64>,
        value: impl FnOnce(J::Output) -> Result<JsValue> + 'static,
    ) -> Self {
        Self { job: Box::new(Bound { job, found, value }), progress: Progress::default() }
    }
}

#[wasm_bindgen]
impl Job {
    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> bool {
        self.progress = self.job.step(work as u64);
        self.progress.over
    }

    /// What is done, of the total.
    pub fn done(&self) -> f64 {
        self.progress.done as f64
    }

    /// What there is to do; 0 where nobody knows.
    pub fn total(&self) -> f64 {
        self.progress.total as f64
    }

    /// What it has come to since this was last asked.
    pub fn found(&mut self) -> Vec<f64> {
        self.job.found()
    }

    /// The outcome.
    pub fn finish(self) -> Result<JsValue> {
        self.job.finish()
    }
}
