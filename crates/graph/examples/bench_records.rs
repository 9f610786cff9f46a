//! What records and marginals take: `cargo run --release -p marginalia-graph --example bench_records -- FOLDER`, with adult15/ in the folder.

#[path = "adult15/mod.rs"]
mod adult15;

use adult15::Adult;
use marginalia_compute::job::{Job, Steps};
use marginalia_compute::seed::Seed;
use marginalia_graph::fit::{Options, Problem, fit};
use marginalia_graph::{Factor, Method, Oracle, Passes, Tree, complete, factored, marginals, records};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let folder = std::env::args().nth(1).expect("a folder with adult15/");
    let adult = Adult::read(&folder);
    let (mut oracle, theta) = fitted(adult.problem());
    let (tree, Adult { sizes, cliques, .. }) = (Arc::clone(oracle.tree()), adult);
    let mut rows = Vec::new();
    for (n, runs) in [(48_842, 10), (1_000_000, 3)] {
        for method in [Method::Systematic, Method::Iid] {
            let mut best = f64::INFINITY;
            for _ in 0..runs {
                let start = Instant::now();
                let job = Steps::new(move |pace| async move {
                    let made = records(&oracle, n, method, &Seed::new(1), &pace).await;
                    Ok((oracle, made?))
                });
                (oracle, rows) = job.complete().unwrap();
                best = best.min(1e3 * start.elapsed().as_secs_f64());
            }
            let tv = mean_tv(&tree, &cliques, &sizes, oracle.marginals(), &rows);
            println!("{n} {method:?}: {best:.1} ms, mean TV of the measured triples {tv:.4}");
        }
    }
    time_marginals(&sizes, &cliques, oracle);
    rows.iter_mut().for_each(|column| column.truncate(48_842));
    let whole = |column: &Vec<u16>| column.iter().map(|code| Some(*code)).collect::<Vec<_>>();
    let mut partial: Vec<_> = rows.iter().map(whole).collect();
    partial[5].fill(None);
    completed("without an occupation", &tree, &theta, partial);
    let mut seed = Seed::new(4);
    let mut partial: Vec<_> = rows.iter().map(whole).collect();
    partial.iter_mut().flatten().for_each(|code| *code = code.filter(|_| seed.uniform() < 0.8));
    completed("without a fifth of their codes", &tree, &theta, partial);
}

/// All pairs that no clique has, and a thousand rectangles over all attributes.
fn time_marginals(sizes: &[u32], cliques: &[Vec<u16>], mut oracle: Oracle) {
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

/// The fit with a uniform base that is worth 300 records.
fn fitted(mut problem: Problem) -> (Oracle, Vec<f64>) {
    let tree = Arc::clone(problem.tree());
    problem.set_strength(300.0);
    let job = Steps::new(|pace| async move { fit(&problem, None, &Options::default(), &pace).await });
    let theta = job.complete().unwrap().point.potentials().to_vec();
    let mut oracle = Oracle::new(Arc::new(Passes::new(tree)));
    oracle.forward(&theta);
    oracle.reverse(&theta);
    (oracle, theta)
}

/// Rows of which some codes are left out.
fn completed(name: &str, tree: &Arc<Tree>, theta: &[f64], rows: Vec<Vec<Option<u16>>>) {
    let (tree, theta) = (Arc::clone(tree), theta.to_vec());
    let (start, n) = (Instant::now(), rows[0].len());
    let job = Steps::new(move |pace| async move {
        complete(&tree, &theta, &rows, 1e9, Method::Systematic, &Seed::new(3), &pace).await
    });
    job.complete().unwrap();
    println!("{n} rows {name}: completed in {:.1} ms", 1e3 * start.elapsed().as_secs_f64());
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
