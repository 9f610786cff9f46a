//! Marginals of real surveys, against the optimum of HiGHS's simplex. Reads the folder that `MARGINALIA_DATA` names.

use marginalia_lp::{Marginal, Options, Problem, Status, TwoStage};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> Option<PathBuf> {
    let Some(data) = std::env::var_os("MARGINALIA_DATA") else {
        println!("not run: MARGINALIA_DATA names no folder with the problems");
        return None;
    };
    Some(Path::new(&data).join("problems"))
}

fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect()
}

fn floats(path: PathBuf) -> Vec<f64> {
    let bytes = fs::read(path).unwrap();
    bytes.chunks_exact(8).map(|chunk| f64::from_le_bytes(chunk.try_into().unwrap())).collect()
}

/// The problem of the first `count` cliques with the answers at ε 10.
fn problem(folder: &Path, name: &str, count: usize) -> Problem {
    let layout: Value =
        serde_json::from_str(&fs::read_to_string(folder.join(format!("{name}.json"))).unwrap()).unwrap();
    let (sizes, cells) = (numbers(&layout["sizes"]), numbers(&layout["cells"]));
    let rows = fs::read(folder.join(format!("{name}.rows.u8"))).unwrap();
    let of_row = |clique: &Value| -> Vec<u32> {
        let clique = numbers(clique);
        let cell = |row: &[u8]| clique.iter().fold(0, |cell, a| cell * sizes[*a] + usize::from(row[*a]));
        rows.chunks_exact(sizes.len()).map(|row| cell(row) as u32).collect()
    };
    let of_rows: Vec<Vec<u32>> = layout["cliques"].as_array().unwrap()[..count].iter().map(of_row).collect();
    let marginals: Vec<Marginal<'_>> =
        of_rows.iter().zip(&cells).map(|(of_row, cells)| Marginal { cells: *cells, of_row }).collect();
    let answers = floats(folder.join(format!("{name}.y.10.l1.f64")));
    let prior = floats(folder.join(format!("{name}.prior.f64")));
    Problem::new(&marginals, &prior, &answers[..cells[..count].iter().sum()], None).unwrap()
}

#[test]
fn the_least_loss_is_that_of_another_solver() {
    let Some(folder) = folder() else { return };
    let cases = [
        ("acs-ma", 19, 0.0331047688655),
        ("acs-ma", 23, 0.1151153431007),
        ("adult", 2, 0.1002141410336),
        ("adult", 4, 0.2169958152061),
    ];
    for (name, count, optimum) in cases {
        let job = TwoStage::new(problem(&folder, name, count), Options::default()).unwrap();
        let found = job.finish();
        assert_eq!(found.status, Status::Converged, "{name} {count}: {:?}", found.certificate);
        assert!((found.certificate.loss - optimum).abs() < 1e-9, "{name} {count}: {:?}", found.certificate);
        println!("{name} {count}: {:?}", found.certificate);
    }
}
