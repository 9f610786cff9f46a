//! What records and marginals take: `cargo run --release -p marginalia-graph --example bench_records -- FOLDER`, with adult15/ in the folder.

use marginalia_compute::job::{Job, Steps};
use marginalia_compute::seed::Seed;
use marginalia_graph::{Factor, Method, Oracle, Passes, Tree, factored, marginals, plan, records};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let folder = std::env::args().nth(1).expect("a folder with adult15/");
    let (sizes, cliques, answers) = adult(&folder);
    let tree = Arc::new(plan(&sizes, &cliques, 1e10).unwrap());
    let mut oracle = fitted(&tree, &answers);
    for (n, runs) in [(48_842, 10), (1_000_000, 3)] {
        for method in [Method::Systematic, Method::Iid] {
            let mut best = f64::INFINITY;
            let mut columns = Vec::new();
            for _ in 0..runs {
                let start = Instant::now();
                let job = Steps::new(move |pace| async move {
                    let made = records(&oracle, n, method, &Seed::new(1), &pace).await;
                    Ok((oracle, made?))
                });
                (oracle, columns) = job.complete().unwrap();
                best = best.min(1e3 * start.elapsed().as_secs_f64());
            }
            let tv = mean_tv(&tree, &cliques, &sizes, oracle.marginals(), &columns);
            println!("{n} {method:?}: {best:.1} ms, mean TV of the measured triples {tv:.4}");
        }
    }
    asked(&sizes, &cliques, oracle);
}

/// All pairs that no clique has, and a thousand rectangles over all attributes.
fn asked(sizes: &[u32], cliques: &[Vec<u16>], mut oracle: Oracle) {
    let d = sizes.len() as u16;
    let held = |pair: &[u16]| cliques.iter().any(|clique| pair.iter().all(|a| clique.contains(a)));
    let pairs = (0..d).flat_map(|a| (0..a).map(move |b| vec![a, b]));
    let sets: Vec<Vec<u16>> = pairs.filter(|pair| !held(pair)).collect();
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let (start, sets) = (Instant::now(), sets.clone());
        let job = Steps::new(move |pace| async move {
            marginals(&oracle, &sets, 1e9, &|a| a.to_string(), &pace).await?;
            Ok(oracle)
        });
        oracle = job.complete().unwrap();
        best = best.min(1e3 * start.elapsed().as_secs_f64());
    }
    println!("{} pairs: {best:.1} ms", sets.len());

    let mut seed = Seed::new(2);
    let mut rows = |size: u32| -> Vec<f64> {
        let inside = |_| {
            let last = seed.below(u64::from(size)) as u32;
            (0..size).map(move |code| f64::from(u8::from(code <= last)))
        };
        (0..1000).flat_map(inside).collect()
    };
    let factors: Vec<Factor> =
        (0..d).map(|attribute| Factor { attribute, rows: rows(sizes[usize::from(attribute)]) }).collect();
    let start = Instant::now();
    let job =
        Steps::new(
            move |pace| async move { factored(&oracle, &factors, 1e10, &|a| a.to_string(), &pace).await },
        );
    let answers = job.complete().unwrap();
    println!("{} factored queries: {:.1} ms", answers.len(), 1e3 * start.elapsed().as_secs_f64());
}

/// The attributes and cliques of the fifteen triples, and their noisy shares.
fn adult(folder: &str) -> (Vec<u32>, Vec<Vec<u16>>, Vec<Vec<f64>>) {
    let text = std::fs::read_to_string(format!("{folder}/adult15/measurements.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let domain = json["domain"].as_object().unwrap();
    let names: Vec<&String> = domain.keys().collect();
    let sizes: Vec<u32> = domain.values().map(|size| size.as_u64().unwrap() as u32).collect();
    let place = |name: &serde_json::Value| {
        names.iter().position(|own| own.as_str() == name.as_str().unwrap()).unwrap() as u16
    };
    let clique = |one: &serde_json::Value| one["clique"].as_array().unwrap().iter().map(place).collect();
    let cliques: Vec<Vec<u16>> = json["measurements"].as_array().unwrap().iter().map(clique).collect();
    let bytes = std::fs::read(format!("{folder}/adult15/measurements.f32")).unwrap();
    let (fours, _) = bytes.as_chunks::<4>();
    let mut answers = fours.iter().map(|four| f64::from(f32::from_le_bytes(*four)) / 48_842.0);
    let cells = |clique: &Vec<u16>| clique.iter().map(|a| sizes[usize::from(*a)] as usize).product();
    let answers = cliques.iter().map(|clique| answers.by_ref().take(cells(clique)).collect()).collect();
    (sizes, cliques, answers)
}

/// A few hundred steps of mirror descent: for records, any model like it will do.
fn fitted(tree: &Arc<Tree>, answers: &[Vec<f64>]) -> Oracle {
    let y: Vec<f64> = answers.iter().enumerate().flat_map(|(leaf, y)| tree.arranged(leaf, y)).collect();
    let mut oracle = Oracle::new(Arc::new(Passes::new(Arc::clone(tree))));
    let (mut theta, mut gradient) = (vec![0.0; tree.cells()], vec![0.0; tree.cells()]);
    let (mut rate, mut best) = (2.0, f64::INFINITY);
    for _ in 0..300 {
        let trial: Vec<f64> = theta.iter().zip(&gradient).map(|(theta, g)| theta - rate * g).collect();
        oracle.forward(&trial);
        oracle.reverse(&trial);
        let rest: Vec<f64> = oracle.marginals().iter().zip(&y).map(|(m, y)| m - y).collect();
        let loss: f64 = rest.iter().map(|r| r * r).sum();
        if loss <= best {
            (theta, gradient, best, rate) = (trial, rest, loss, 1.01 * rate);
        } else {
            rate *= 0.5;
        }
    }
    oracle.forward(&theta);
    oracle.reverse(&theta);
    oracle
}

fn mean_tv(tree: &Tree, cliques: &[Vec<u16>], sizes: &[u32], marginals: &[f64], columns: &[Vec<u16>]) -> f64 {
    let n = columns[0].len();
    let of = |(leaf, clique): (usize, &Vec<u16>)| {
        let own = &tree.leaves()[leaf];
        let model = tree.restored(leaf, &marginals[own.at..own.at + own.cells]);
        let mut shares = vec![0.0; model.len()];
        let mut at = vec![0; n];
        for a in clique {
            let (size, column) = (sizes[usize::from(*a)] as usize, &columns[usize::from(*a)]);
            at.iter_mut().zip(column).for_each(|(at, code)| *at = *at * size + usize::from(*code));
        }
        at.into_iter().for_each(|at| shares[at] += 1.0 / n as f64);
        shares.iter().zip(&model).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0
    };
    cliques.iter().enumerate().map(of).sum::<f64>() / cliques.len() as f64
}
