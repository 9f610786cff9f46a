//! Throw-away: errors at each strength.
use marginalia_estimate::estimation::{Asked, Calibration, Iteration, Law, Loss, Settings};
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::seed::Seed;
use marginalia_estimate::strength::{Rule, harmonic};
use marginalia_estimate::support::{Base, Model};
use marginalia_estimate::total::Total;
use marginalia_tables::{Codes, Domain, query::Query};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

struct Study {
    sizes: Vec<u32>,
    cliques: Vec<Vec<u16>>,
    public: Vec<Vec<u8>>,
    private: Vec<Vec<u8>>,
}
fn read(name: &str) -> Study {
    let at = |e: &str| std::fs::read(format!("/tmp/st/{name}.{e}")).unwrap();
    let about: Value = serde_json::from_slice(&at("json")).unwrap();
    let list =
        |v: &Value| -> Vec<u64> { v.as_array().unwrap().iter().map(|x| x.as_u64().unwrap()).collect() };
    let sizes: Vec<u32> = list(&about["sizes"]).iter().map(|x| *x as u32).collect();
    let cliques = about["cliques"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| list(c).iter().map(|x| *x as u16).collect())
        .collect();
    let cols = |e: &str| {
        let b = at(e);
        let n = b.len() / sizes.len();
        b.chunks(n).map(|c| c.to_vec()).collect()
    };
    Study { public: cols("pub"), private: cols("priv"), sizes, cliques }
}
fn marginal(s: &Study, cols: &[Vec<u8>], w: &[f64], clique: &[u16]) -> Vec<f64> {
    let cells: usize = clique.iter().map(|a| s.sizes[*a as usize] as usize).product();
    let mut out = vec![0.0; cells];
    for r in 0..w.len() {
        let mut c = 0;
        for a in clique {
            c = c * s.sizes[*a as usize] as usize + cols[*a as usize][r] as usize;
        }
        out[c] += w[r];
    }
    out
}
fn tv(a: &[f64], b: &[f64]) -> f64 {
    let (sa, sb): (f64, f64) = (a.iter().sum(), b.iter().sum());
    a.iter().zip(b).map(|(a, b)| (a / sa - b / sb).abs()).sum::<f64>() / 2.0
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let name = &args[1];
    let epsilons: Vec<f64> = args[2].split(',').map(|x| x.parse().unwrap()).collect();
    let seeds: u64 = args[3].parse().unwrap();
    let which = args.get(4).map_or("before", |x| x.as_str());
    let s = read(name);
    let n_attr = s.sizes.len();
    // distinct rows
    let mut map: BTreeMap<Vec<u8>, f64> = BTreeMap::new();
    let npub = s.public[0].len();
    let half: Vec<u8> = (0..3)
        .map(|a| {
            let mut c = s.public[a].clone();
            c.sort();
            c[npub >> 1]
        })
        .collect();
    for r in 0..npub {
        let w = if which == "odd" {
            (0..3).map(|a| if s.public[a][r] <= half[a] { 0.25 } else { 1.0 }).product()
        } else {
            1.0
        };
        *map.entry((0..n_attr).map(|a| s.public[a][r]).collect()).or_insert(0.0) += w;
    }
    if which == "mix" {
        let mut rng = Seed::new(77);
        for _ in 0..2 * npub {
            *map.entry((0..n_attr).map(|a| s.public[a][(rng.uniform() * npub as f64) as usize]).collect())
                .or_insert(0.0) += 0.05 / 0.95 / 2.0;
        }
    }
    let rows: Vec<&Vec<u8>> = map.keys().collect();
    let weights: Vec<f64> =
        if which == "uniform" { vec![1.0; rows.len()] } else { map.values().copied().collect() };
    let cols: Vec<Vec<u8>> = (0..n_attr).map(|a| rows.iter().map(|r| r[a]).collect()).collect();
    let codes = cols
        .iter()
        .zip(&s.sizes)
        .map(|(c, size)| {
            let mut k = Codes::new(*size as usize);
            k.extend(&c.iter().map(|x| u16::from(*x)).collect::<Vec<_>>()).unwrap();
            k
        })
        .collect();
    let base = Arc::new(Base::new(Domain::new(s.sizes.clone()), codes, Some(&weights)).unwrap());
    let nprv = s.private[0].len();
    let ones = vec![1.0; nprv];
    let pairs: Vec<Vec<u16>> = (0..n_attr as u16).flat_map(|a| (0..a).map(move |b| vec![b, a])).collect();
    let truth: Vec<Vec<f64>> = s.cliques.iter().map(|c| marginal(&s, &s.private, &ones, c)).collect();
    let truth_pairs: Vec<Vec<f64>> = pairs.iter().map(|c| marginal(&s, &s.private, &ones, c)).collect();
    let pub_s = Study { sizes: s.sizes.clone(), cliques: s.cliques.clone(), public: vec![], private: vec![] };
    let errors = |w: &[f64]| {
        let a = s.cliques.iter().zip(&truth).map(|(c, t)| tv(&marginal(&pub_s, &cols, w, c), t)).sum::<f64>()
            / s.cliques.len() as f64;
        let b =
            pairs.iter().zip(&truth_pairs).map(|(c, t)| tv(&marginal(&pub_s, &cols, w, c), t)).sum::<f64>()
                / pairs.len() as f64;
        (1e4 * a, 1e4 * b)
    };
    let public = npub as f64;
    println!(
        "{name} {which} N {npub} rows {} n {nprv} cliques {} prior {:?} equal {:?}",
        rows.len(),
        s.cliques.len(),
        errors(base.prior()),
        errors(&vec![1.0; rows.len()])
    );
    let mut sums: BTreeMap<String, (f64, f64, f64)> = BTreeMap::new();
    for eps in epsilons {
        for seed in 0..seeds {
            let mut rng = Seed::new(1000 + seed + (eps * 1000.0) as u64);
            let q = (-eps / s.cliques.len() as f64).exp();
            let mut geo = || ((-rng.uniform()).ln_1p() / q.ln()).floor();
            let variance = 2.0 * q / (1.0 - q).powi(2);
            let scale = s.cliques.len() as f64 / eps;
            let ms: Vec<Measurement> = s
                .cliques
                .iter()
                .zip(&truth)
                .map(|(c, t)| Measurement {
                    clique: c.clone(),
                    answers: t.iter().map(|x| x + geo() - geo()).collect(),
                    variance,
                })
                .collect();
            let total = Total::measured(&ms).unwrap();
            let harm = harmonic(public, total.records());
            {
                let asked: Vec<Asked> = ms
                    .iter()
                    .map(|m| Asked {
                        clique: m.clique.clone(),
                        query: Query::Identity,
                        answers: m.answers.clone(),
                    })
                    .collect();
                let model = Arc::new(Model::prior(Arc::clone(&base), total.records()).unwrap());
                let options = marginalia_estimate::iterative::Options {
                    tolerance: 1e-4,
                    steps: 20 * ms.len(),
                    ..marginalia_estimate::iterative::Options::sweeps(ms.len())
                };
                let mut c = Iteration::new(model, &asked, total, options, 1 << 30).unwrap();
                while !c.step(u64::MAX).unwrap() {}
                let e = c.finish().unwrap();
                let (near, all) = errors(e.model.weights().unwrap());
                let sum = sums.entry(format!("{eps:>4} iterative")).or_default();
                *sum = (sum.0 + near / seeds as f64, sum.1 + all / seeds as f64, 0.0);
            }
            for (label, rule) in [("auto", Rule::default()), ("harm", Rule::Harmonic)] {
                let start = std::time::Instant::now();
                let settings =
                    Settings { loss: Loss::L2, rule, public, tolerance: 1e-6, passes: 20_000, seed };
                let noises = vec![Law::Laplace(scale); ms.len()];
                let mut c = Calibration::new(Arc::clone(&base), ms.clone(), noises, total, settings, 1 << 30)
                    .unwrap();
                while !c.step(u64::MAX).unwrap() {}
                let e = c.finish().unwrap();
                let secs = start.elapsed().as_secs_f64();
                let (near, all) = errors(e.model.weights().unwrap());
                let sum = sums.entry(format!("{eps:>4} {label}")).or_default();
                *sum = (sum.0 + near / seeds as f64, sum.1 + all / seeds as f64, sum.2 + secs / seeds as f64);
                println!(
                    "  eps {eps} seed {seed} {label}: near {near:.1} pairs {all:.1} strength HARM*{:.3} flat {:.2} z {:.1} {:?} {secs:.2} s",
                    e.strength.unwrap() / harm,
                    e.flatness.unwrap(),
                    e.consistency.unwrap_or(f64::NAN),
                    e.status
                );
            }
        }
    }
    println!();
    for (k, (n, p, t)) in sums {
        println!("SUM {name} {which} eps {k}: near {n:.1} pairs {p:.1} {t:.2} s");
    }
}
