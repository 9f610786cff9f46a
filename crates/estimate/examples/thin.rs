//! Throw-away: errors at each strength.
use marginalia_estimate::calibrated::{Calibrated, Options, Problem};
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::seed::Seed;
use marginalia_estimate::strength::{LAPLACE, Noise, consistency, flatness, harmonic};
use marginalia_estimate::support::{Base, Index};
use marginalia_estimate::total::Total;
use marginalia_tables::{Codes, Domain};
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
    let js: Vec<i32> = (-2..=6).collect();
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
    let refs: Vec<&[u16]> = s.cliques.iter().map(|c| c.as_slice()).collect();
    let index = Arc::new(Index::new(base.domain(), base.columns(), &refs).unwrap());
    let public = npub as f64;
    println!(
        "{name} {which} N {npub} rows {} n {nprv} cliques {} cells {} prior {:?} equal {:?}",
        rows.len(),
        s.cliques.len(),
        index.cells(),
        errors(base.prior()),
        errors(&vec![1.0; rows.len()])
    );
    for eps in epsilons {
        let mut acc: BTreeMap<(bool, i32), [f64; 10]> = BTreeMap::new();
        for seed in 0..seeds {
            let mut rng = Seed::new(1000 + seed + (eps * 1000.0) as u64);
            let q = (-eps / s.cliques.len() as f64).exp();
            let mut geo = || ((-rng.uniform()).ln_1p() / q.ln()).floor();
            let variance = 2.0 * q / (1.0 - q).powi(2);
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
            let total = Total::measured(&ms).unwrap().records();
            let problem = Problem::new(Arc::clone(&base), Arc::clone(&index), &ms, total, 1.0).unwrap();
            let alpha = flatness(
                &index,
                base.prior(),
                &problem.y,
                &Noise::new(problem.lambda.iter().map(|l| 1.0 / l).collect(), vec![LAPLACE; index.cells()])
                    .unwrap(),
            )
            .unwrap();
            let harm = harmonic(public, total);
            let noise =
                Noise::new(problem.lambda.iter().map(|l| 1.0 / l).collect(), vec![LAPLACE; index.cells()])
                    .unwrap();
            // explained share of flattening
            let mut mp = vec![0.0; index.cells()];
            index.scatter(base.prior(), &mut mp);
            let eq = vec![1.0 / rows.len() as f64; rows.len()];
            let mut me = vec![0.0; index.cells()];
            index.scatter(&eq, &mut me);
            let (mut before, mut after) = (0.0, 0.0);
            for i in 0..index.cells() {
                let l = problem.lambda[i];
                let mix = (1.0 - alpha) * mp[i] + alpha * me[i];
                before += l * (problem.y[i] - mp[i]).powi(2) - 1.0;
                after += l * (problem.y[i] - mix).powi(2) - 1.0;
            }
            let sp = (5.0 * index.cells() as f64).sqrt();
            println!(
                "  eps {eps} seed {seed} sigma {:.1} alpha {alpha:.2} excess {:.1} -> {:.1} sd; explained {:.2}",
                variance.sqrt(),
                before / sp,
                after / sp,
                1.0 - after / before
            );
            for flat in [false] {
                let b = if flat { Arc::new(base.reweighted(&eq).unwrap()) } else { Arc::clone(&base) };
                for j in &js {
                    let strength = harm * 2f64.powi(*j);
                    let lambda = problem.lambda.iter().map(|l| l / strength).collect();
                    let p = Arc::new(Problem { base: Arc::clone(&b), lambda, ..problem.clone() });
                    let job = {
                        let mut j = Calibrated::new(
                            p,
                            Options { tolerance: 1e-3, passes: 2000, ..Options::default() },
                        )
                        .unwrap();
                        j.step(u64::MAX).unwrap();
                        j.finish().unwrap()
                    };
                    let w = job.model.weights().unwrap().to_vec();
                    let (near, all) = errors(&w);
                    let mut m = vec![0.0; index.cells()];
                    index.scatter(&w, &mut m);
                    let z = consistency(&problem.y, &m, &noise);
                    let neff = 1.0 / w.iter().map(|w| w * w).sum::<f64>();
                    let sq: Vec<f64> = w.iter().map(|w| w * w).collect();
                    let mut c = vec![0.0; index.cells()];
                    index.scatter(&sq, &mut c);
                    let samp = c.iter().map(|c| c.sqrt()).sum::<f64>() * 0.5 * 0.79788
                        / s.cliques.len() as f64
                        * 1e4;
                    let per: Vec<f64> = w.iter().zip(b.prior()).map(|(w, p)| w * w / (p * public)).collect();
                    let k = 0.5 * 0.79788 * 1e4;
                    let total_v: f64 = per.iter().sum();
                    let (mut s1, mut s2, mut s3, mut np) = (0.0, 0.0, 0.0, 0.0);
                    let one =
                        |a: u16| (marginal(&pub_s, &cols, &w, &[a]), marginal(&pub_s, &cols, &per, &[a]));
                    for cl in &s.cliques {
                        let (m, v) = (marginal(&pub_s, &cols, &w, cl), marginal(&pub_s, &cols, &per, cl));
                        let l1: f64 = m
                            .iter()
                            .zip(&v)
                            .map(|(m, v)| (v * (1.0 - 2.0 * m) + total_v * m * m).max(0.0).sqrt())
                            .sum::<f64>()
                            * k;
                        s1 += l1 / s.cliques.len() as f64;
                        if cl.len() == 2 {
                            let ((ma, va), (mb, vb)) = (one(cl[0]), one(cl[1]));
                            let mut sum = 0.0;
                            for i in 0..ma.len() {
                                for j in 0..mb.len() {
                                    let vij = v[i * mb.len() + j];
                                    let (pi, pj) = (ma[i], mb[j]);
                                    let x = ((1.0 - pi) * (1.0 - pj)).powi(2) * vij
                                        + ((1.0 - pi) * pj).powi(2) * (va[i] - vij)
                                        + (pi * (1.0 - pj)).powi(2) * (vb[j] - vij)
                                        + (pi * pj).powi(2) * (total_v - va[i] - vb[j] + vij);
                                    sum += x.max(0.0).sqrt();
                                }
                            }
                            s3 += sum * k;
                            np += 1.0;
                            s2 += sum * k / s.cliques.len() as f64;
                        } else {
                            s2 += l1 / s.cliques.len() as f64;
                        }
                    }
                    s3 /= np;
                    let arms = (m
                        .iter()
                        .zip(&problem.y)
                        .map(|(m, y)| (m - y).powi(2) - variance / total / total)
                        .sum::<f64>()
                        .max(0.0)
                        * index.cells() as f64)
                        .sqrt()
                        * k
                        / s.cliques.len() as f64;
                    let e = acc.entry((flat, *j)).or_default();
                    for (e, v) in e.iter_mut().zip([near, all, z, neff, samp, near + samp, s1, s2, s3, arms])
                    {
                        *e += v / seeds as f64;
                    }
                }
            }
        }
        for flat in [false] {
            println!("  eps {eps} flat {flat}");
            for (k, title) in ["near", "pairs", "z", "neff", "samp", "near+samp", "S1", "S2", "S3", "Arms"]
                .iter()
                .enumerate()
            {
                println!(
                    "   {title:>10} {}",
                    js.iter().map(|j| format!("{:7.1}", acc[&(flat, *j)][k])).collect::<Vec<_>>().join(" ")
                );
            }
        }
    }
}
