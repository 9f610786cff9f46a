//! The problems of the folder that MARGINALIA_DATA names: two tables, noisy answers at two ε, and bounds of the
//! optimum for several strengths of the prior.

use marginalia_estimate::models::support::Index;
use marginalia_tables::{Codes, Domain};
use serde_json::Value;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One table and its marginals.
pub struct Data {
    pub name: &'static str,
    pub index: Arc<Index>,
    pub prior: Vec<f64>,
    pub about: Value,
    folder: PathBuf,
}

/// One problem on it.
pub struct Known {
    pub rule: String,
    pub epsilon: f64,
    pub loss: String,
    /// Λ or λ.
    pub weight: f64,
    pub strength: f64,
    pub primal: f64,
    pub dual: f64,
    pub answers: Vec<f64>,
}

impl fmt::Display for Known {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, epsilon, loss, weight, strength, primal, dual, .. } = self;
        write!(f, "{loss} at ε {epsilon}, n₀ {strength:.0} ({rule}), Λ or λ {weight:.3}: {dual}..{primal}")
    }
}

impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} rows, {} cells", self.name, self.index.rows(), self.index.cells())
    }
}

/// The folder of test data, or a word that there is none.
pub fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("MARGINALIA_DATA").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("MARGINALIA_DATA names no folder: problems on real data are not solved");
    }
    folder
}

fn floats(path: &Path) -> Vec<f64> {
    let bytes = std::fs::read(path).unwrap();
    bytes.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect()
}

fn integers(value: &Value) -> Vec<u32> {
    value.as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as u32).collect()
}

impl Data {
    pub fn read(folder: &Path, name: &'static str) -> Self {
        let folder = folder.join("problems");
        let about = std::fs::read(folder.join(format!("{name}.json"))).unwrap();
        let about: Value = serde_json::from_slice(&about).unwrap();
        let sizes = integers(&about["sizes"]);
        let rows = std::fs::read(folder.join(format!("{name}.rows.u8"))).unwrap();
        let columns: Vec<Codes> = sizes
            .iter()
            .enumerate()
            .map(|(a, size)| {
                let mut column = Codes::new(*size as usize);
                let codes = rows.iter().skip(a).step_by(sizes.len());
                column.extend(&codes.map(|code| u16::from(*code)).collect::<Vec<_>>()).unwrap();
                column
            })
            .collect();
        let cliques: Vec<Vec<u16>> = about["cliques"]
            .as_array()
            .unwrap()
            .iter()
            .map(|clique| integers(clique).iter().map(|a| *a as u16).collect())
            .collect();
        let cliques: Vec<&[u16]> = cliques.iter().map(Vec::as_slice).collect();
        let index = Arc::new(Index::new(&Domain::new(sizes), &columns, &cliques).unwrap());
        let prior = floats(&folder.join(format!("{name}.prior.f64")));
        Self { name, index, prior, about, folder }
    }

    /// The problems with such a loss, in the order of the file.
    pub fn problems(&self, loss: &str) -> Vec<Known> {
        let all = self.about["problems"].as_array().unwrap();
        let number = |problem: &Value, key: &str| problem[key].as_f64().unwrap();
        all.iter()
            .filter(|problem| problem["loss"] == *loss)
            .map(|problem| Known {
                rule: problem["rule"].as_str().unwrap().into(),
                epsilon: number(problem, "epsilon"),
                loss: loss.into(),
                weight: number(problem, if loss == "l1" { "Lambda" } else { "lambda" }),
                strength: number(problem, "priorStrength"),
                primal: number(problem, "primal"),
                dual: number(problem, "dual"),
                answers: self.answers(problem["answers"].as_str().unwrap()),
            })
            .collect()
    }

    /// The answers of the supported cells.
    fn answers(&self, file: &str) -> Vec<f64> {
        let all = floats(&self.folder.join(file));
        let cells = integers(&self.about["cells"]);
        let mut start = 0;
        let mut supported = Vec::with_capacity(self.index.cells());
        for (marginal, cells) in self.index.marginals().iter().zip(cells) {
            supported.extend(marginal.places.iter().map(|place| all[start + *place as usize]));
            start += cells as usize;
        }
        assert_eq!(start, all.len());
        supported
    }
}
