//! Four groups in two, their records, what is measured of them and what is asked.

use crate::common::column;
use marginalia_estimate::errors::{Question, Spread};
use marginalia_estimate::estimators::calibrated::CalibratedEstimator;
use marginalia_estimate::estimators::strength::GAUSSIAN;
use marginalia_estimate::hierarchy::{
    GroupErrorsRequest, GroupEstimator, GroupEvidence, Hierarchy, HierarchyPlan, HierarchyRequest,
    LevelAnswers, Strength, TotalRule, answer, estimate_groups, group_errors,
};
use marginalia_estimate::job::{Job, Steps};
use marginalia_estimate::measurement::Measurement;
use marginalia_estimate::models::support::Base;
use marginalia_tables::query::Query;
use marginalia_tables::{Domain, Workload};
use std::sync::Arc;

/// A coarse group, a fine one within it, and two attributes of records.
pub const SIZES: [u32; 4] = [2, 4, 3, 4];
/// What the finest groups lie within.
pub const WITHIN: [u16; 4] = [0, 0, 0, 1];
/// How many records the public table is worth.
pub const PUBLIC: f64 = 2000.0;

pub fn plan(levels: &[&[u16]]) -> Arc<HierarchyPlan> {
    let derived = marginalia_estimate::hierarchy::Derived { attribute: 0, from: 1, codes: WITHIN.to_vec() };
    let fine = levels.last().is_some_and(|last| last.contains(&1));
    let (domain, derived) = (Domain::new(SIZES), if fine { vec![derived] } else { Vec::new() });
    let levels = levels.iter().map(|level| level.to_vec()).collect();
    Arc::new(HierarchyPlan::new(domain, levels, derived).unwrap())
}

/// All pairs of the two attributes but one, and their public shares; with all codes of groups where these are none.
pub fn base(groups: bool) -> Arc<Base> {
    let pairs: Vec<[u16; 2]> =
        (0..3).flat_map(|x| (0..4).map(move |y| [x, y])).filter(|pair| *pair != [2, 3]).collect();
    let weight = |[x, y]: [u16; 2]| 1.0 + f64::from((3 * x + 5 * y) % 7);
    if groups {
        let columns =
            (0..2).map(|a| column(SIZES[a + 2], &pairs.iter().map(|pair| pair[a]).collect::<Vec<_>>()));
        let weights: Vec<f64> = pairs.iter().map(|pair| weight(*pair)).collect();
        return Arc::new(Base::new(Domain::new([3, 4]), columns.collect(), Some(&weights)).unwrap());
    }
    let rows: Vec<[u16; 4]> = (0..4u16)
        .flat_map(|g| pairs.iter().map(move |pair| [WITHIN[usize::from(g)], g, pair[0], pair[1]]))
        .collect();
    let columns = (0..4).map(|a| column(SIZES[a], &rows.iter().map(|row| row[a]).collect::<Vec<_>>()));
    let weights: Vec<f64> =
        rows.iter().map(|row| weight([row[2], row[3]]) * (1.0 + f64::from(row[1]))).collect();
    Arc::new(Base::new(Domain::new(SIZES), columns.collect(), Some(&weights)).unwrap())
}

/// The records of each finest group, pair after pair.
pub type Records = [Vec<f64>; 4];

/// Cells of a clique over all attributes.
pub fn counted(records: &Records, clique: &[u16]) -> Vec<f64> {
    let base = base(true);
    let cells: u32 = clique.iter().map(|a| SIZES[usize::from(*a)]).product();
    let mut counts = vec![0.0; cells as usize];
    for (g, own) in records.iter().enumerate() {
        for (row, n) in own.iter().enumerate() {
            let pair = [0, 1].map(|a: usize| base.columns()[a].get(row));
            let full = [WITHIN[g], g as u16, pair[0], pair[1]];
            let place = clique.iter().fold(0, |place, a| {
                place * SIZES[usize::from(*a)] as usize + usize::from(full[usize::from(*a)])
            });
            counts[place] += n;
        }
    }
    counts
}

/// What is asked of which level: cliques with their variances.
pub type Levels = Vec<Vec<(Vec<u16>, f64)>>;

/// Three levels of a chain, with counts and marginals.
pub fn chain() -> (Arc<HierarchyPlan>, Levels) {
    let levels = vec![
        vec![(vec![2, 3], 25.0)],
        vec![(vec![0], 9.0), (vec![0, 3], 16.0)],
        vec![(vec![1], 9.0), (vec![2, 1], 30.0)],
    ];
    (plan(&[&[], &[0], &[1]]), levels)
}

pub fn measured(levels: &Levels, records: &Records, mut noise: impl FnMut() -> f64) -> Vec<Vec<Measurement>> {
    let mut one = |(clique, variance): &(Vec<u16>, f64)| {
        let exact = counted(records, clique);
        let answers = exact.iter().map(|count| count + variance.sqrt() * noise()).collect();
        Measurement { clique: clique.clone(), answers, variance: *variance }
    };
    levels.iter().map(|level| level.iter().map(&mut one).collect()).collect()
}

/// How totals are found.
#[derive(Clone)]
pub struct Totals {
    pub rule: TotalRule,
    pub agree: bool,
    pub all: Option<f64>,
    pub known: Vec<(usize, f64)>,
}

pub const AGREE: Totals = Totals { rule: TotalRule::Combined, agree: true, all: None, known: Vec::new() };

pub fn estimated(
    plan: &Arc<HierarchyPlan>,
    base: Arc<Base>,
    measured: &[Vec<Measurement>],
    (strength, totals): (Strength, &Totals),
) -> Hierarchy {
    let options = CalibratedEstimator { tolerance: 1e-13, passes: 100_000, ..Default::default() };
    let level = |measurements: &Vec<Measurement>| LevelAnswers {
        measurements: measurements.clone(),
        estimator: GroupEstimator::calibrated(options.clone(), strength),
        public: Vec::new(),
        between: 1e9,
    };
    let Totals { rule, agree, all, known } = totals.clone();
    let levels = measured.iter().map(level).collect();
    let (spread, lanes, seed, limit) = (GAUSSIAN, 1, 3, 1 << 20);
    let request = HierarchyRequest { levels, rule, agree, all, known, spread, lanes, seed, limit };
    estimate_groups(Arc::clone(plan), base, PUBLIC, request).unwrap().complete().unwrap()
}

pub fn questions(cliques: &[&[u16]]) -> Vec<Question> {
    cliques.iter().map(|clique| Question { clique: clique.to_vec(), query: Query::Identity }).collect()
}

pub fn request(groups: &[usize], cliques: &[&[u16]]) -> GroupErrorsRequest {
    GroupErrorsRequest {
        groups: groups.to_vec(),
        questions: questions(cliques),
        condition: Vec::new(),
        shares: None,
    }
}

pub fn job(
    Hierarchy { setup, states }: &Hierarchy,
    measured: &[Vec<Measurement>],
    totals: &Totals,
    request: GroupErrorsRequest,
) -> marginalia_tables::Result<Steps<Vec<Spread>>> {
    let evidence = GroupEvidence { measurements: measured.to_vec(), rule: totals.rule, agree: totals.agree };
    group_errors(Arc::clone(setup), states.clone(), evidence, request)
}

pub fn errors(
    hierarchy: &Hierarchy,
    measured: &[Vec<Measurement>],
    totals: &Totals,
    request: GroupErrorsRequest,
) -> Vec<Spread> {
    job(hierarchy, measured, totals, request).unwrap().complete().unwrap()
}

pub fn answers(Hierarchy { setup, states }: &Hierarchy, groups: &[usize], cliques: &[&[u16]]) -> Vec<f64> {
    let workload = Arc::new(Workload::from_cliques(setup.plan().domain().clone(), cliques).unwrap());
    answer(Arc::clone(setup), states.clone(), groups.to_vec(), workload, 1 << 20).unwrap().complete().unwrap()
}

pub fn records() -> Records {
    let of = |g: usize| (0..11).map(|row| 20.0 + f64::from(((row * 7 + 11 * g as u32) % 23) * 3)).collect();
    [0, 1, 2, 3].map(of)
}

pub const HARMONIC: Strength = Strength::Harmonic { most: f64::INFINITY };
/// The places of the finest groups of the chain: 0 is all, 1 the first coarse group, 5 the second.
pub const FINEST: [usize; 4] = [2, 3, 4, 6];
