//! How much of a step's work is done.

/// Work done and work asked for, in the units of [`super::Counting::step`].
pub struct Effort {
    /// What was done, in this step and all before.
    pub done: u64,
    until: u64,
}

impl Effort {
    /// A step of about `work` more, but of some.
    pub fn new(done: u64, work: u64) -> Self {
        Self { done, until: done.saturating_add(work.max(1)) }
    }

    /// Notes work that was done.
    pub fn spend(&mut self, work: u64) {
        self.done += work;
    }

    /// Whether the step has done enough.
    pub fn over(&self) -> bool {
        self.done >= self.until
    }
}
