//! Serves `ts/engine/operations/lp.ts`.

use marginalia_binding::error::Result;
use marginalia_binding::memory;
use marginalia_lp::{Marginal, Options, Problem, Solution, Status, Target, TwoStage, Watch};
use marginalia_tables::{Code, Error};
use std::cell::RefCell;
use std::sync::Arc;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Told the number of iterations of a stage after each; true ends the stage. Must not throw.
    #[wasm_bindgen(typescript_type = "(iteration: number) => boolean")]
    pub type Watcher;
    #[wasm_bindgen(method, structural, js_name = call)]
    fn ask(this: &Watcher, receiver: &JsValue, iteration: u32) -> bool;
}

thread_local! {
    /// The solver's callback must be able to cross threads, which nothing of JavaScript can.
    static WATCHER: RefCell<Option<Watcher>> = const { RefCell::new(None) };
}

fn watch() -> Watch {
    Arc::new(|iteration| {
        WATCHER.with_borrow(|watcher| {
            watcher.as_ref().is_some_and(|watcher| watcher.ask(&JsValue::NULL, iteration))
        })
    })
}

/// A two-stage estimate in the making.
#[wasm_bindgen]
pub struct TwoStageJob(TwoStage);

#[wasm_bindgen]
impl TwoStageJob {
    /// Marginal `i` has `sizes[i]` cells; `cells` holds the cell of each row, marginal after marginal.
    #[wasm_bindgen(constructor)]
    pub fn new(
        sizes: &[u32],
        cells: &[u32],
        prior: &[f64],
        answers: &[f64],
        weights: Option<Vec<f64>>,
        settings: &Settings,
    ) -> Result<TwoStageJob> {
        if cells.len() != sizes.len() * prior.len() {
            return Err(Error::new(Code::OptionInvalid, "each marginal needs one cell for each row").into());
        }
        let rows = prior.len().max(1);
        let marginals: Vec<Marginal<'_>> = sizes
            .iter()
            .zip(cells.chunks_exact(rows))
            .map(|(size, of_row)| Marginal { cells: *size as usize, of_row })
            .collect();
        let problem = Problem::new(&marginals, prior, answers, weights.as_deref())?;
        let needed = problem.bytes();
        if memory::used().saturating_add(needed) > memory::limit() {
            return Err(Error::out_of_memory(needed).into());
        }
        Ok(Self(TwoStage::new(problem, settings.0)?))
    }

    /// Solves the next stage; true at the end. A stage that the watcher ended starts again with the next step.
    pub fn step(&mut self, watcher: Watcher) -> bool {
        WATCHER.replace(Some(watcher));
        let finished = self.0.step(watch());
        WATCHER.replace(None);
        finished
    }

    /// Stages done.
    pub fn done(&self) -> u32 {
        self.0.done()
    }

    /// The estimate, solving what is left.
    pub fn finish(self) -> Estimate {
        Estimate(self.0.finish())
    }
}

/// How it is solved.
#[wasm_bindgen]
pub struct Settings(Options);

#[wasm_bindgen]
impl Settings {
    /// `target` is `loss`, `lp` or `answers`.
    #[wasm_bindgen(constructor)]
    pub fn new(target: &str, tolerance: f64, iterations: u32) -> Result<Settings> {
        let target = match target {
            "loss" => Target::Loss,
            "lp" => Target::Lp,
            "answers" => Target::Answers,
            _ => return Err(Error::new(Code::OptionInvalid, "the target is loss, lp or answers").into()),
        };
        Ok(Self(Options { target, tolerance, iterations }))
    }
}

/// A finished estimate.
#[wasm_bindgen]
pub struct Estimate(Solution);

#[wasm_bindgen]
impl Estimate {
    /// `converged`, `limit` or `infeasible`.
    pub fn status(&self) -> String {
        let name = match self.0.status {
            Status::Converged => "converged",
            Status::Limit => "limit",
            Status::Infeasible => "infeasible",
        };
        name.to_owned()
    }

    /// Why no distribution meets the answers, if so.
    pub fn reason(&self) -> Option<String> {
        self.0.reason.map(|reason| reason.as_str().to_owned())
    }

    /// Loss, its gap, entropy, its gap, the relative gap, the loss of cells without support, iterations.
    pub fn figures(&self) -> Vec<f64> {
        let found = &self.0.certificate;
        vec![
            found.loss,
            found.loss_gap,
            found.kl,
            found.kl_gap,
            found.relative_gap,
            self.0.unsupported,
            f64::from(self.0.iterations),
        ]
    }

    /// A copy of the masses of the rows.
    pub fn q(&self) -> Vec<f64> {
        self.0.q.clone()
    }

    /// A copy of the duals of the cells.
    pub fn u(&self) -> Vec<f64> {
        self.0.u.clone()
    }
}
