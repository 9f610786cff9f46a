//! Every long computation as JavaScript sees it. Serves `ts/engine/operations/objects.ts`.

use marginalia_binding::error::Result;
use marginalia_estimate::job::{self, Progress};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// What a function returns that begins a computation of `T`: `#[wasm_bindgen(unchecked_return_type = "Job<T>")]`.
#[wasm_bindgen(typescript_custom_section)]
const TYPE: &str = "
/** A computation: `step` does about `work` units and says whether none are left, `finish` gives its outcome or throws. */
export interface Job<T> {
  free(): void;
  step(work: number): boolean;
  done(): number;
  total(): number;
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
    fn finish(self: Box<Self>) -> Result<JsValue>;
}

struct Bound<J, F> {
    job: J,
    value: F,
}

impl<J: job::Job, F: FnOnce(J::Output) -> Result<JsValue>> Open for Bound<J, F> {
    fn step(&mut self, work: u64) -> Progress {
        self.job.step(work)
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
        Self { job: Box::new(Bound { job, value }), progress: Progress::default() }
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

    /// The outcome.
    pub fn finish(self) -> Result<JsValue> {
        self.job.finish()
    }
}
