//! Serves `ts/privacy/seal.ts`. Nothing here returns what depends on private rows, but for what was measured.

use marginalia_binding::error::Result;
use marginalia_binding::options::{Separated, parse, query, whole};
use marginalia_privacy::account::Account;
use marginalia_privacy::budget::Budget;
use marginalia_privacy::drawing;
use marginalia_privacy::measure::{self, Noisy, Request};
use marginalia_privacy::random::{Entropy, Generator, Keys};
use marginalia_privacy::rational;
use marginalia_privacy::sampler::{Law, Scale};
use marginalia_privacy::sealed::{SealOptions, Sealed};
use marginalia_privacy::unit::{Neighbours, Relation, Unit};
use marginalia_tables::read::BadRows;
use marginalia_tables::{Code, Domain, Error, Schema};
use serde::Deserialize;
use serde_json::Value;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    type Uint8Array;
    /// An array in JavaScript's own memory: `getRandomValues` takes none that threads share.
    #[wasm_bindgen(constructor)]
    fn new(length: u32) -> Uint8Array;
    #[wasm_bindgen(method, structural, indexing_getter)]
    fn get(this: &Uint8Array, index: u32) -> u8;
    #[wasm_bindgen(method)]
    fn fill(this: &Uint8Array, value: u8);
    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues, catch)]
    fn get_random_values(array: &Uint8Array) -> std::result::Result<JsValue, JsValue>;
}

/// The platform's entropy. It is asked for when it is needed, never when a module is loaded: workerd refuses that.
struct Platform;

impl Entropy for Platform {
    fn fill(&mut self, bytes: &mut [u8]) -> std::result::Result<(), Error> {
        for part in bytes.chunks_mut(65_536) {
            let array = Uint8Array::new(part.len() as u32);
            get_random_values(&array).map_err(|_| {
                let message = "`crypto.getRandomValues` gives no entropy here: run where it does";
                Error::new(Code::EntropyUnavailable, message)
            })?;
            for (i, byte) in (0..).zip(part.iter_mut()) {
                *byte = array.get(i);
            }
            array.fill(0);
        }
        Ok(())
    }
}

/// The keys of all that is drawn in this instance, which all its threads share.
static KEYS: LazyLock<Mutex<Keys>> = LazyLock::new(|| Mutex::new(Keys::new(Platform)));

pub(crate) fn keys() -> MutexGuard<'static, Keys> {
    KEYS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells the keys of this instance from those of others in the process, before and beside it.
#[wasm_bindgen(js_name = nameInstance)]
pub fn name_instance(name: &str) {
    keys().name(name.as_bytes());
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Options {
    #[serde(flatten)]
    text: Separated,
    bad_rows: String,
    unit: Value,
    relation: Value,
    budget: Value,
}

/// A private table that may not be read yet, and the account that is charged for what it answers.
#[wasm_bindgen]
pub struct Vault {
    schema: Arc<Schema>,
    options: SealOptions,
    pub(crate) neighbours: Neighbours,
    pub(crate) account: Account,
    pub(crate) sealed: Option<Sealed>,
}

#[wasm_bindgen]
impl Vault {
    /// A vault for the normal form of a schema, and options as JSON.
    #[wasm_bindgen(constructor)]
    pub fn new(schema: &str, options: &str) -> Result<Vault> {
        let options: Options = parse(options)?;
        let bad_rows = match options.bad_rows.as_str() {
            "drop" => BadRows::Drop,
            "null" => BadRows::Null,
            _ => return Err(invalid("`badRows` is neither drop nor null").into()),
        };
        let (format, encoding) = options.text.read()?;
        let neighbours = Neighbours {
            unit: Unit::from_json(&options.unit)?,
            relation: Relation::from_json(&options.relation)?,
        };
        let account = Account::open(Budget::from_json(&options.budget)?)?;
        let schema = Arc::new(Schema::from_json(schema)?);
        Ok(Self {
            schema,
            options: SealOptions { format, encoding, bad_rows },
            neighbours,
            account,
            sealed: None,
        })
    }

    /// A reader of the rows.
    pub fn reader(&self) -> Result<SealedReader> {
        let (schema, neighbours) = (self.schema.clone(), self.neighbours.clone());
        let reader =
            marginalia_privacy::sealed::SealedReader::new(schema, &self.options, neighbours, &mut keys())?;
        Ok(SealedReader(reader))
    }

    /// Puts the rows in that a reader has read.
    pub fn fill(&mut self, reader: SealedReader) -> Result<()> {
        self.sealed = Some(reader.0.finish()?);
        Ok(())
    }

    /// What requests cost together, in the currency of the budget, as a fraction. Refused is here all that would be
    /// refused when they are measured, in at most `limit` bytes, but for what is left of the budget.
    pub fn price(&self, requests: &str, limit: f64) -> Result<String> {
        let requests = self.requests(requests)?;
        let cost = measure::cost(&self.neighbours, &self.domain(), &requests)?;
        measure::workload(self.domain(), &requests, limit as u64)?;
        let price = cost.price(self.account.budget().currency());
        Ok(rational::text(
            price.ok_or_else(|| invalid("Gaussian noise has no price in pure ε: use Laplace noise"))?,
        ))
    }

    /// The exact variance of the noise of each request.
    pub fn variances(&self, requests: &str) -> Result<Vec<f64>> {
        Ok(self.requests(requests)?.iter().map(|request| request.law.variance()).collect())
    }

    /// What was spent in all, as a fraction.
    pub fn spent(&self) -> String {
        rational::text(self.account.spent())
    }

    /// Charges the account, of which `spent` was spent before by what the ledger says, and begins to measure in at
    /// most `limit` bytes.
    pub fn measure(&mut self, requests: &str, spent: &str, limit: f64) -> Result<Measuring> {
        let requests = self.requests(requests)?;
        let sealed = self.sealed.as_ref().ok_or_else(|| invalid("the rows were not read yet"))?;
        let cost = measure::cost(&self.neighbours, &sealed.domain(), &requests)?;
        let generators = Generator::several(&mut keys(), drawing::threads())?;
        self.account.raise(rational::parse(spent)?);
        let grant = self.account.charge(&cost)?;
        Ok(Measuring { measuring: sealed.measure(grant, requests, limit as u64)?, generators })
    }

    pub(crate) fn domain(&self) -> Domain {
        Domain::new(self.schema.sizes())
    }

    fn requests(&self, json: &str) -> std::result::Result<Vec<Request>, Error> {
        let value: Vec<Value> = parse(json)?;
        value.iter().map(|value| self.request(value)).collect()
    }

    fn request(&self, value: &Value) -> std::result::Result<Request, Error> {
        let domain = self.domain();
        let clique: Vec<u16> = whole(&value["clique"])?;
        let groups: Vec<u16> = whole(&value["groups"])?;
        if clique.iter().chain(&groups).any(|a| usize::from(*a) >= domain.sizes().len()) {
            return Err(Error::new(Code::AttributeUnknown, "a clique names an attribute that is not there"));
        }
        let cells = domain.cells(&clique).map_or(usize::MAX, |cells| cells as usize);
        let query = query(&value["query"], cells)?;
        let scale = Scale::at_least(&rational::parse(value["scale"].as_str().unwrap_or_default())?)?;
        let law = match value["law"].as_str() {
            Some("laplace") => Law::laplace(scale)?,
            Some("gaussian") => Law::gaussian(scale)?,
            _ => return Err(invalid("`law` is neither laplace nor gaussian")),
        };
        Ok(Request { clique, query, law, groups })
    }
}

/// Reads private rows.
#[wasm_bindgen]
pub struct SealedReader(marginalia_privacy::sealed::SealedReader);

#[wasm_bindgen]
impl SealedReader {
    /// Reads a piece of the text.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        Ok(self.0.push(bytes)?)
    }
}

/// Measurements in the making.
#[wasm_bindgen]
pub struct Measuring {
    measuring: measure::Measuring,
    /// One for each thread, keyed where the platform's entropy is asked for.
    generators: Vec<Generator>,
}

#[wasm_bindgen]
impl Measuring {
    /// Does about `work` units; true when the noise is next. How far it is depends on the rows, so nobody is told.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        Ok(self.measuring.step(work as u64)?)
    }

    /// Adds the noise.
    pub fn finish(mut self) -> Result<Measured> {
        Ok(Measured(self.measuring.finish(&mut self.generators)?))
    }
}

/// What was measured: safe to publish.
#[wasm_bindgen]
pub struct Measured(Vec<Noisy>);

#[wasm_bindgen]
impl Measured {
    /// How many requests were answered.
    pub fn length(&self) -> usize {
        self.0.len()
    }

    /// Gives the values of request `i` away.
    pub fn take(&mut self, i: usize) -> Vec<f64> {
        self.0.get_mut(i).map_or(Vec::new(), |noisy| std::mem::take(&mut noisy.values))
    }
}

fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}
