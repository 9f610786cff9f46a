//! Times a whole hierarchy: `bench_hierarchy [rows] [years] [lanes] [sweeps]`, one line of JSON.
//!
//! 181 areas of 2 states in each of some years, 7 of which make the 1,267 groups of a large survey; 36 columns, 50
//! two-way marginals of each group, with the noise of ε = 10 and 7 rows for each person, on rows that all groups
//! share. Rows and answers are generated from a fixed seed, the answers of a group when it is asked for.

use marginalia_estimate::deviates::{laplace, stream};
use marginalia_estimate::estimators::Status;
use marginalia_estimate::estimators::calibrated::CalibratedEstimator;
use marginalia_estimate::hierarchy::{
    self, Derived, GroupEstimator, HierarchyPlan, Level, Prior, Setup, Source, Strength, Task,
};
use marginalia_estimate::job::Job;
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::models::support::{Base, Index};
use marginalia_estimate::seed::Seed;
use marginalia_estimate::total::Total;
use marginalia_tables::{Codes, Domain, Result};
use std::sync::Arc;
use std::time::Instant;

const COLUMNS: usize = 36;
const AREAS: u32 = 181;
const SIZES: [u32; 9] = [2, 3, 5, 7, 9, 12, 20, 4, 16];

/// Answers of a group: the prior's, shifted by group and cell, with noise.
struct Generated {
    plan: Arc<HierarchyPlan>,
    index: Arc<Index>,
    prior: Vec<f64>,
    cells: Vec<usize>,
}

impl Source for Generated {
    fn task(&self, group: usize) -> Result<Task> {
        let level = self.plan.groups()[group].level;
        let records = [500_000.0, 816.0][level];
        let scale = [140.0, 140.0][level];
        let mut seed = stream(5, &[group as u64]);
        let of = |(marginal, cells): (&marginalia_estimate::models::support::Marginal, &usize)| {
            let mut answers: Vec<f64> = (0..*cells).map(|_| (scale * laplace(&mut seed)).round()).collect();
            for (place, m) in marginal.places.iter().zip(&self.prior[marginal.cells.clone()]) {
                let shift = 1.0 + 0.3 * ((*place as usize * 7 + group) as f64).sin();
                answers[*place as usize] += records * m * shift;
            }
            Measurement { clique: marginal.clique.clone(), answers, variance: 2.0 * scale * scale }
        };
        let measurements = self.index.marginals().iter().zip(&self.cells).map(of).collect();
        Ok(Task { measurements, total: Total { value: records, variance: 100.0 } })
    }
}

fn main() {
    let argument = |at: usize, default: usize| {
        std::env::args().nth(at).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (rows, years, lanes, sweeps) = (argument(1, 10_000), argument(2, 7), argument(3, 1), argument(4, 5));
    let base = base(rows);
    let setup = setup(&base, years as u32, sweeps);
    let index = Arc::clone(setup.levels()[1].index());
    let mut prior = vec![0.0; index.cells()];
    index.scatter(base.prior(), &mut prior);
    let of_clique = |one: &marginalia_estimate::models::support::Marginal| {
        base.cells(&one.clique).expect("small") as usize
    };
    let cells = index.marginals().iter().map(of_clique).collect();
    let source = Generated { plan: Arc::clone(setup.plan()), index, prior, cells };
    let before = memory("VmHWM");
    let start = Instant::now();
    let job = hierarchy::hierarchy(Arc::clone(&setup), Arc::new(source), lanes);
    let mut job = job.expect("the setup is valid").streaming();
    let (mut first, mut longest) = (0, 0.0f64);
    let (mut refused, mut bytes, mut groups) = (0, 0, 0);
    let work = loop {
        let step = Instant::now();
        let now = job.step(10_000_000);
        longest = longest.max(step.elapsed().as_secs_f64());
        for one in job.take() {
            refused += usize::from(one.status == Status::Refused);
            bytes += one.state.bytes();
            groups += 1;
        }
        if first == 0 && now.done >= 40 {
            first = memory("VmHWM");
        }
        if now.over {
            break now.work;
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{{\"rows\":{rows},\"groups\":{groups},\"lanes\":{lanes},\"threads\":{},\"sweeps\":{sweeps},\"seconds\":{seconds:.1},\
         \"groups_per_second\":{:.1},\"units_per_row_and_marginal\":{:.1},\"ns_per_unit\":{:.2},\"refused\":{refused},\
         \"longest_step_ms\":{:.0},\"bytes_per_state\":{},\"peak_kb\":[{before},{first},{}]}}",
        cfg!(feature = "threads"),
        groups as f64 / seconds,
        work as f64 / (groups * rows * 50) as f64,
        seconds * 1e9 / work as f64,
        longest * 1e3,
        bytes / groups,
        memory("VmHWM"),
    );
}

fn base(rows: usize) -> Arc<Base> {
    let mut seed = Seed::new(1);
    let sizes: Vec<u32> = (0..COLUMNS).map(|a| SIZES[a % SIZES.len()]).collect();
    let columns = sizes.iter().map(|size| {
        let skewed = |u: f64| ((u * u * f64::from(*size)) as u16).min(*size as u16 - 1);
        let codes: Vec<u16> = (0..rows).map(|_| skewed(seed.uniform())).collect();
        let mut column = Codes::new(*size as usize);
        column.extend(&codes).expect("there is memory");
        column
    });
    let columns = columns.collect();
    Arc::new(Base::new(Domain::new(sizes), columns, None).expect("the prior is valid"))
}

fn setup(base: &Arc<Base>, years: u32, sweeps: usize) -> Arc<Setup> {
    let sizes: Vec<u32> = base.domain().sizes().iter().copied().chain([2, AREAS, years]).collect();
    let [state, area, year] = [36, 37, 38];
    let codes = (0..AREAS).map(|area| u16::from(area >= 100)).collect();
    let derived = vec![Derived { attribute: state, from: area, codes }];
    let plan = HierarchyPlan::new(Domain::new(sizes), vec![vec![state], vec![area, year]], derived);
    let mut seed = Seed::new(2);
    let mut pairs: Vec<Vec<u16>> = (0..36u16).flat_map(|a| (0..a).map(move |b| vec![b, a])).collect();
    seed.shuffle(&mut pairs);
    pairs.truncate(50);
    let options = CalibratedEstimator { tolerance: 1e-3, sweeps, ..CalibratedEstimator::default() };
    let estimator = GroupEstimator::calibrated(options, Strength::Harmonic { most: f64::INFINITY });
    let level = Level::new(base, pairs, estimator, 1 << 31).expect("the index fits");
    let prior = Prior::new(Arc::clone(base), base.rows() as f64);
    let plan = Arc::new(plan.expect("the plan is valid"));
    Arc::new(Setup::new(plan, prior, vec![level.clone(), level], 3).expect("the setup is valid"))
}

/// A line of what Linux says of the memory of this process, in kB; 0 elsewhere.
fn memory(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kb| kb.parse().ok()).unwrap_or(0)
}
