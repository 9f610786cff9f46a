//! Figures of what is made from public tables and weights alone: `bench_public records | widen | forecast | pool`.
//! All but `records` read a survey from the folder that MARGINALIA_DATA names.

#[path = "../tests/public/data.rs"]
mod data;
#[path = "../tests/public/tables.rs"]
mod tables;

use marginalia_estimate::counts::{count_on, harmonic};
use marginalia_estimate::design::{
    self, Candidate, DesignOptions, Family, Law, Noise, Score, Simulation, all_tables,
};
use marginalia_estimate::deviates::stream;
use marginalia_estimate::estimators::calibrated::{Options, Task};
use marginalia_estimate::job::Job;
use marginalia_estimate::models::support::Index;
use marginalia_estimate::priors::deny::Deny;
use marginalia_estimate::priors::dependencies::Dependencies;
use marginalia_estimate::priors::pool::{self, AlphaOptions, PoolOptions, best_alpha};
use marginalia_estimate::priors::widen::{self, LearnOptions, WidenOptions};
use marginalia_estimate::records::{Method, Totals, in_random_order, rounded};
use marginalia_tables::{Result, Table};
use std::sync::Arc;
use std::time::Instant;

const TEN: &str = "AGEP SEX MSP RAC1P HOUSING_TYPE OWN_RENT EDU PINCP_DECILE DVET DEYE";
const NINETEEN: &str = "PUMA AGEP SEX MSP HISP RAC1P NOC NPF HOUSING_TYPE OWN_RENT DENSITY EDU PINCP_DECILE DVET DREM \
                        DPHY DEYE DEAR POVPIP";
const TWENTY_ONE: &str = "PUMA AGEP SEX MSP RAC1P HOUSING_TYPE OWN_RENT EDU PINCP_DECILE DVET DEYE HISP NOC NPF INDP \
                          INDP_CAT PINCP POVPIP DREM DPHY DEAR";

fn rough() -> Options {
    Options { tolerance: 1e-3, passes: 200, ..Options::default() }
}

fn main() -> Result<()> {
    match std::env::args().nth(1).as_deref() {
        Some("widen") => widen(),
        Some("forecast") => forecast(),
        Some("pool") => pool(),
        _ => records(),
    }
}

fn timed<T>(what: &str, f: impl FnOnce() -> Result<T>) -> Result<T> {
    let start = Instant::now();
    let result = f()?;
    println!("{what}: {:.3} s", start.elapsed().as_secs_f64());
    Ok(result)
}

fn index(table: &Table, cliques: &[Vec<u16>]) -> Result<Arc<Index>> {
    let cliques: Vec<&[u16]> = cliques.iter().map(Vec::as_slice).collect();
    Ok(Arc::new(Index::new(&table.domain(), table.columns(), &cliques)?))
}

fn pairs(attributes: u16) -> Vec<Vec<u16>> {
    (0..attributes).flat_map(|a| (a + 1..attributes).map(move |b| vec![a, b])).collect()
}

/// Ten million records of a million rows, and controlled rounding of tables like those of a survey.
fn records() -> Result<()> {
    let mut random = stream(1, &[]);
    for (rows, n, sizes) in
        [(1_000_000, 10_000_000, vec![]), (33_000, 7_600, vec![20; 10]), (490_000, 27_000, vec![20; 21])]
    {
        let weights: Vec<f64> = (0..rows).map(|_| random.uniform()).collect();
        let codes: Vec<Vec<u16>> = (0..rows)
            .map(|_| {
                sizes.iter().map(|size| (random.uniform() * random.uniform() * *size as f64) as u16).collect()
            })
            .collect();
        let table = tables::table(&sizes, &codes, None);
        let cliques = match sizes.len() {
            21 => (1..21).map(|a| vec![0, a]).collect(),
            attributes => pairs(attributes as u16),
        };
        let targets = index(&table, &cliques)?;
        let totals = Totals::all(n);
        for method in [Method::Systematic, Method::Iid, Method::Controlled] {
            let what = format!("{rows} rows, {n} records, {} tables, {method:?}", cliques.len());
            let counts = timed(&what, || {
                rounded(method, weights.clone(), totals.clone(), Arc::clone(&targets), 1).complete()
            })?;
            timed("  in random order", || in_random_order(counts, 1).complete())?;
        }
    }
    Ok(())
}

/// Fits noisy counts of all cliques and returns the weights.
fn fit(
    rows: &Arc<Table>,
    prior: Vec<f64>,
    cliques: &[Vec<u16>],
    answers: Vec<f64>,
    variances: Vec<f64>,
    total: f64,
    strength: f64,
) -> Result<Vec<f64>> {
    let index = index(rows, cliques)?;
    let rows = Arc::clone(rows);
    Task { rows, prior, index, answers, variances, total, strength }.weights(rough()).complete()
}

/// The least error of all pairs that rows can reach once all pairs are known, with the weight of variance 4.
fn widen() -> Result<()> {
    for names in [TEN, NINETEEN] {
        let Some((earlier, later)) = data::survey(names) else { return Ok(()) };
        let cliques = pairs(earlier.columns().len() as u16);
        let network =
            timed("learn", || widen::learn(Arc::clone(&earlier), LearnOptions::default())?.complete())?
                .network;
        println!("{:?}, score {:.1}", network.parents(), network.score());
        for (share, times) in [(0.0, 0.0), (0.03, 0.5), (0.03, 2.0), (0.05, 2.0), (0.03, 8.0)] {
            let options = WidenOptions { share, rows: (times * earlier.rows() as f64) as usize, seed: 1 };
            let none = Dependencies::default();
            let job = widen::widen(Arc::clone(&earlier), network.clone(), Deny::default(), &none, options)?;
            let wide = Arc::new(timed("widen", || job.complete())?.table);
            let prior = wide.weights().map_or(Ok(Vec::new()), |weights| weights.to_vec())?;
            let all = index(&wide, &cliques)?;
            let (truth, outside) = count_on(&all, &cliques, &later, &vec![1.0; later.rows()]);
            let n = later.rows() as f64;
            let q = fit(&wide, prior, &cliques, truth.clone(), vec![4.0; truth.len()], n, 300.0)?;
            let mut m = vec![0.0; all.cells()];
            all.scatter(&q, &mut m);
            let truth: Vec<f64> = truth.iter().map(|count| count / n).collect();
            let lost = outside.iter().sum::<f64>() / n;
            let floor = 0.5 * Score::of(&all, &m, &truth, lost).distance;
            println!(
                "{} attributes, {times} N rows at {share}: {} rows, pairs outside {:.5}, floor {floor:.4}",
                earlier.columns().len(),
                wide.rows(),
                lost / cliques.len() as f64,
            );
        }
    }
    Ok(())
}

/// The choice for ten attributes, and what every candidate scores on the later year.
fn forecast() -> Result<()> {
    let Some((earlier, later)) = data::survey(TEN) else { return Ok(()) };
    let rows = data::distinct(&earlier);
    let prior = rows.weights().map_or(Ok(Vec::new()), |weights| weights.to_vec())?;
    let tables = all_tables(&rows.domain(), &(0..10).collect::<Vec<u16>>(), None, 1 << 20);
    let judged = index(&rows, &tables)?;
    let n = later.rows() as f64;
    let (truth, outside) = count_on(&judged, &tables, &later, &vec![1.0 / n; later.rows()]);
    for (law, budget) in [(Law::Laplace, 1.0), (Law::Laplace, 10.0), (Law::Gaussian, 0.014_973_06)] {
        let noise = Noise { law, budget, sensitivity: 1.0 };
        let simulation = Simulation {
            rows: Arc::clone(&rows),
            prior: prior.clone(),
            law: prior.clone(),
            strength: earlier.rows() as f64,
            expected: earlier.rows() as u64,
            drift: 0.3,
            noise,
            tables: tables.clone(),
            most_rows: 20_000,
            seed: 1,
        };
        let candidates = design::candidates(Arc::clone(&earlier), DesignOptions::default())?.complete()?;
        let job = design::forecast(simulation, candidates.clone(), 3, rough())?;
        let forecast = timed("forecast", || job.complete())?;
        println!(
            "{law:?} {budget}: untouched {:.1} ± {:.1}",
            forecast.untouched.mean, forecast.untouched.standard_error
        );
        for (i, candidate) in candidates.iter().enumerate() {
            let real = real(&rows, &prior, candidate, noise, &later, earlier.rows() as f64, &|q| {
                let mut m = vec![0.0; judged.cells()];
                judged.scatter(q, &mut m);
                Score::of(&judged, &m, &truth, outside.iter().sum()).points()
            })?;
            let expected = &forecast.candidates[i];
            let mark = if i == forecast.chosen {
                "chosen"
            } else if forecast.close.contains(&i) {
                "close"
            } else {
                ""
            };
            println!(
                "  {:?} ^{}: {:.1} ± {:.1}, real {real:.2} {mark}",
                candidate.family, candidate.exponent, expected.mean, expected.standard_error
            );
        }
    }
    Ok(())
}

/// The noisy answers of a candidate on the later year, fitted.
fn measured(
    rows: &Arc<Table>,
    prior: &[f64],
    candidate: &Candidate,
    noise: Noise,
    later: &Table,
    strength: f64,
    draw: u64,
) -> Result<Vec<f64>> {
    let measured = index(rows, &candidate.cliques)?;
    let (mut answers, _) = count_on(&measured, &candidate.cliques, later, &vec![1.0; later.rows()]);
    let n = later.rows() as f64;
    let (mut seed, mut variances) = (stream(9, &[draw]), Vec::new());
    for (marginal, share) in measured.marginals().iter().zip(&candidate.shares) {
        answers[marginal.cells.clone()]
            .iter_mut()
            .for_each(|answer| *answer += noise.draw(*share, &mut seed));
        variances.extend(marginal.cells.clone().map(|_| noise.variance(*share)));
    }
    fit(rows, prior.to_vec(), &candidate.cliques, answers, variances, n, harmonic(strength, n))
}

/// The mean score of a candidate over three draws of noise on the later year.
fn real(
    rows: &Arc<Table>,
    prior: &[f64],
    candidate: &Candidate,
    noise: Noise,
    later: &Table,
    strength: f64,
    score: &dyn Fn(&[f64]) -> f64,
) -> Result<f64> {
    let draws =
        (0..3).map(|draw| Ok(score(&measured(rows, prior, candidate, noise, later, strength, draw)?)));
    Ok(draws.sum::<Result<f64>>()? / 3.0)
}

/// What is left of the score of weights after rounding, for several sets of target tables.
fn round(
    rows: &Arc<Table>,
    sets: &[(&str, Vec<Vec<u16>>)],
    records: u64,
    score: &dyn Fn(&[f64]) -> f64,
    weights: &dyn Fn(u64) -> Result<Vec<f64>>,
) -> Result<()> {
    for draw in 0..2 {
        let q = weights(draw)?;
        println!("weights {:.2}", score(&q));
        for (name, cliques) in sets {
            let targets = index(rows, cliques)?;
            for method in [Method::Controlled, Method::Systematic, Method::Iid] {
                let start = Instant::now();
                let counts = rounded(method, q.clone(), Totals::all(records), Arc::clone(&targets), draw)
                    .complete()?;
                let fractions: Vec<f64> = counts.iter().map(|c| f64::from(*c) / records as f64).collect();
                println!(
                    "  {name}, {method:?}: {:.2} in {:.3} s",
                    score(&fractions),
                    start.elapsed().as_secs_f64()
                );
            }
        }
    }
    Ok(())
}

/// Pooling over PUMA for 21 attributes: the share that validation finds, and scores on the later year.
fn pool() -> Result<()> {
    let Some((earlier, later)) = data::survey(TWENTY_ONE) else { return Ok(()) };
    let n = earlier.rows() as f64;
    let domain = earlier.domain();
    let tables = all_tables(&domain, &(0..21).collect::<Vec<u16>>(), Some(0), 1 << 24);
    let groups: Vec<u16> = (0..domain.sizes()[0] as u16).collect();
    let cliques: Vec<Vec<u16>> = (1..21).map(|a| vec![0, a]).collect();
    let m = later.rows() as f64;
    for independence in [1.0, 0.25] {
        let options = PoolOptions {
            group: 0,
            groups: groups.clone(),
            strength: n,
            independence: n * independence,
            cells: 1 << 20,
            most_rows: 1 << 22,
            deny: Deny::default(),
            dependencies: Dependencies::default(),
            estimation: rough(),
            seed: 1,
        };
        let pooled = timed("pool", || pool::pool(Arc::clone(&earlier), options.clone())?.complete())?;
        let judged = index(&pooled.rows, &tables)?;
        let (truth, outside) = count_on(&judged, &tables, &later, &vec![1.0 / m; later.rows()]);
        let score = |q: &[f64]| {
            let mut cells = vec![0.0; judged.cells()];
            judged.scatter(q, &mut cells);
            Score::of(&judged, &cells, &truth, outside.iter().sum()).points()
        };
        println!("{} rows in {} groups, independence {independence} N", pooled.rows.rows(), groups.len());
        if std::env::args().any(|argument| argument == "round") {
            let plan = Candidate::new(&domain, Family::GroupPairs, 0.5, cliques.clone());
            let noise = Noise { law: Law::Laplace, budget: 1.0, sensitivity: 1.0 };
            let quarter = tables.iter().step_by(4).cloned().collect();
            let sets = [("measured", cliques), ("a quarter of those judged", quarter), ("judged", tables)];
            let prior = pooled.mix(0.8)?;
            let weights = |draw| measured(&pooled.rows, &prior, &plan, noise, &later, n, draw);
            return round(&pooled.rows, &sets, later.rows() as u64, &score, &weights);
        }
        for exponent in [0.0, 0.5] {
            let plan = Candidate::new(&domain, Family::GroupPairs, exponent, cliques.clone());
            for (law, budget) in [(Law::Laplace, 1.0), (Law::Laplace, 10.0), (Law::Gaussian, 0.014_973_06)] {
                let noise = Noise { law, budget, sensitivity: 1.0 };
                let alphas = AlphaOptions {
                    pool: options.clone(),
                    alphas: vec![0.02, 0.4, 0.6, 0.8, 0.95],
                    plan: plan.clone(),
                    noise,
                    expected: n,
                    tables: 40,
                    seed: 1,
                };
                let found = timed("validation", || best_alpha(&earlier, alphas)?.complete())?;
                println!("{law:?} {budget}, cells^{exponent}: alpha {}, {:.1?}", found.alpha, found.scores);
                for alpha in [0.02, 0.4, 0.8, 0.95] {
                    let prior = pooled.mix(alpha)?;
                    let before = score(&prior);
                    let real = real(&pooled.rows, &prior, &plan, noise, &later, n, &score)?;
                    println!("  alpha {alpha}: prior {before:.2}, real {real:.2}");
                }
            }
        }
    }
    Ok(())
}
