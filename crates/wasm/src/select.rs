//! Selections over sealed tables. Nothing here returns what depends on private rows, but for the index that was paid for.

use crate::privacy::{Vault, keys};
use marginalia_binding::error::Result;
use marginalia_binding::options::parse;
use marginalia_privacy::counts;
use marginalia_privacy::random::Generator;
use marginalia_privacy::rational;
use marginalia_privacy::sealed::Sealed;
use marginalia_privacy::select::{
    self, Candidates, Choice, Difference, Grid, Lean, Mechanism, Public, Quantile,
};
use marginalia_tables::{Code, Domain, Error, Workload};
use serde_json::Value;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
impl Vault {
    /// Begins to count the candidates of selections, in at most `limit` bytes: the cliques `flat[starts[i]..starts[i + 1]]`.
    /// What was counted before is ready at once. `among`: some of their cells alone, by their places among all.
    pub fn prepare(
        &self,
        flat: Vec<u16>,
        starts: Vec<u32>,
        among: Option<Vec<u32>>,
        limit: f64,
    ) -> Result<Preparing> {
        let sealed = self.rows()?;
        let workload = listed(sealed.domain(), flat, starts)?;
        Ok(Preparing(sealed.prepare_among(workload, among, limit as u64)?))
    }

    /// What a choice among the cells or marginals of a workload costs, in the currency of the budget, as a fraction.
    /// Refused is here all that would be refused when it is made, in at most `limit` bytes, but for public numbers that make
    /// no sense, and for what is left of the budget.
    #[wasm_bindgen(js_name = selectionPrice)]
    pub fn selection_price(
        &self,
        flat: Vec<u16>,
        starts: Vec<u32>,
        among: Option<Vec<u32>>,
        choice: &str,
        terms: Option<Terms>,
        limit: f64,
    ) -> Result<String> {
        let workload = listed(self.domain(), flat, starts)?;
        counts::admit(&workload, limit as u64)?;
        if let Some(places) = &among {
            counts::listed(places, workload.total_cells())?;
        }
        let choice = read(choice, terms)?;
        select::admit(&self.neighbours, &workload, &choice)?;
        let cost = choice.cost()?;
        let price = cost.price(self.account.budget().currency());
        Ok(price.map_or(String::new(), rational::text))
    }

    /// Charges the account, of which `spent` was spent before by what the ledger says, and begins to
    /// select.
    pub fn select(
        &mut self,
        prepared: &Prepared,
        choice: &str,
        terms: Option<Terms>,
        spent: &str,
    ) -> Result<Selecting> {
        let choice = read(choice, terms)?;
        self.rows()?.admits(&prepared.0, &choice)?;
        let cost = choice.cost()?;
        let generator = Generator::new(&mut keys())?;
        self.account.raise(rational::parse(spent)?);
        let grant = self.account.charge(&cost)?;
        Ok(Selecting(self.rows()?.select(grant, &prepared.0, choice, generator)?))
    }

    fn rows(&self) -> Result<&Sealed> {
        Ok(self.sealed.as_ref().ok_or_else(|| invalid("the rows were not read yet"))?)
    }
}

fn listed(domain: Domain, flat: Vec<u16>, starts: Vec<u32>) -> std::result::Result<Workload, Error> {
    Workload::new(domain, flat, starts.into_iter().map(|start| start as usize).collect())
}

/// A choice from `{"mechanism", "epsilon", "grid", "difference", "quantile", "bins", "lean"}`: of cells where there is a difference, of
/// edges where there is a quantile, else of marginals.
fn read(choice: &str, terms: Option<Terms>) -> std::result::Result<Choice, Error> {
    let value: Value = parse(choice)?;
    let mechanism = match value["mechanism"].as_str() {
        Some("exponential") => Mechanism::Exponential,
        Some("permute-and-flip") => Mechanism::PermuteAndFlip,
        _ => return Err(invalid("`mechanism` is neither exponential nor permute-and-flip")),
    };
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or(0);
    let candidates = match (value["difference"].as_str(), terms) {
        (None, terms) if value["quantile"].is_array() => {
            let part = (number(&value["quantile"][0]), number(&value["quantile"][1]));
            let lean = match value["lean"].as_str() {
                Some("lower") => Some(Lean::Lower),
                Some("upper") => Some(Lean::Upper),
                _ => None,
            };
            let mask = terms.and_then(|terms| terms.0.mask);
            Candidates::Edges(Quantile { part, bins: number(&value["bins"]), lean, mask })
        }
        (Some("absolute"), None) => Candidates::Cells(Difference::Absolute),
        (Some("signed"), None) => Candidates::Cells(Difference::Signed),
        (None, terms) => Candidates::Marginals(terms.map(|terms| terms.0).unwrap_or_default()),
        _ => return Err(invalid("`difference` is absolute or signed for cells; marginals have none")),
    };
    let digits = value["grid"].as_u64().and_then(|digits| u32::try_from(digits).ok());
    Ok(Choice {
        mechanism,
        epsilon: rational::parse(value["epsilon"].as_str().unwrap_or_default())?,
        grid: Grid::new(digits.unwrap_or(u32::MAX))?,
        candidates,
    })
}

/// Counts in the making.
#[wasm_bindgen]
pub struct Preparing(counts::Preparing);

#[wasm_bindgen]
impl Preparing {
    /// Does about `work` units; true at the end. How far it is depends on the rows, so nobody is told.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        Ok(self.0.step(work as u64)?)
    }

    /// The sealed counts.
    pub fn finish(self) -> Result<Prepared> {
        Ok(Prepared(self.0.finish()?))
    }
}

/// The counts of candidates, which nobody can read.
#[wasm_bindgen]
pub struct Prepared(counts::Prepared);

/// The public terms of marginals, each given once per marginal or not at all.
#[wasm_bindgen]
pub struct Terms(select::Terms);

#[wasm_bindgen]
impl Terms {
    /// Factors, penalties in records, weights, and which take part (not 0).
    #[wasm_bindgen(constructor)]
    pub fn new(
        factors: Option<Vec<u32>>,
        penalties: Option<Vec<f64>>,
        weights: Option<Vec<f64>>,
        mask: Option<Vec<u8>>,
    ) -> Terms {
        Self(select::Terms { factors, penalties, weights, mask: mask.map(marks) })
    }
}

/// A selection in the making.
#[wasm_bindgen]
pub struct Selecting(select::Selecting);

#[wasm_bindgen]
impl Selecting {
    /// Takes public answers to the next cells, in records, and what else is public of them.
    pub fn push(
        &mut self,
        answers: &[f64],
        penalties: Option<Vec<f64>>,
        weights: Option<Vec<f64>>,
        mask: Option<Vec<u8>>,
    ) -> Result<()> {
        let mask = mask.map(marks);
        let (penalties, weights, mask) = (penalties.as_deref(), weights.as_deref(), mask.as_deref());
        Ok(self.0.push(&Public { answers, penalties, weights, mask })?)
    }

    /// The cells that are answered.
    pub fn done(&self) -> f64 {
        self.0.progress().0 as f64
    }

    /// All cells.
    pub fn total(&self) -> f64 {
        self.0.progress().1 as f64
    }

    /// What is selected: the place of a cell among all cells, or of a marginal.
    pub fn finish(self) -> Result<f64> {
        Ok(self.0.finish()? as f64)
    }
}

fn marks(mask: Vec<u8>) -> Vec<bool> {
    mask.into_iter().map(|mark| mark != 0).collect()
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
