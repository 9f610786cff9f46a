//! What is the same for all groups of a level, and for all levels.

use super::{HierarchyPlan, Local, Prior, invalid};
use crate::estimators::Estimator;
use crate::estimators::calibrated::CalibratedEstimator;
use crate::estimators::iterative::{self, IterativeEstimator};
use crate::estimators::strength::harmonic;
use crate::job::Job;
use crate::measurement::Law;
use crate::models::support::{self, Base, Index};
use crate::models::unsupported;
use marginalia_tables::query::Query;
use marginalia_tables::{Code, Error, Result, Schema};
use std::sync::Arc;

/// How many records the prior of a group is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Strength {
    /// So many.
    Fixed(f64),
    /// N·n̂/(N + n̂) of the N records that its prior is worth and the n̂ of the group, since both are samples, and at
    /// most so many: groups differ from what they lie within.
    Harmonic {
        /// The most, in records.
        most: f64,
    },
}

impl Strength {
    pub(super) fn of(self, prior: &Prior, records: f64) -> f64 {
        match self {
            Self::Fixed(strength) => strength,
            Self::Harmonic { most } => harmonic(prior.strength, records).min(most),
        }
    }

    fn trusted(self, prior: &Prior, records: f64, trust: f64) -> f64 {
        match self {
            Self::Fixed(strength) => strength,
            Self::Harmonic { .. } => trust * self.of(prior, records),
        }
    }
}

/// How the groups of a level are estimated.
#[derive(Debug, Clone)]
pub struct GroupEstimator {
    pub(super) estimator: Arc<dyn Estimator>,
    /// How many records their priors are worth, for an estimator that weighs priors.
    pub(super) strength: Option<Strength>,
}

impl GroupEstimator {
    /// Any that moves the rows of a prior.
    pub fn new(estimator: Arc<dyn Estimator>, strength: Option<Strength>) -> Result<Self> {
        estimator.accepts(support::KIND, &Query::Identity, Law::Gaussian)?;
        if estimator.kind() != support::KIND {
            return Err(unsupported(estimator.kind(), "be that of a group: groups are on shared rows"));
        }
        Ok(Self { estimator, strength })
    }

    /// The name of the estimator.
    pub fn name(&self) -> &'static str {
        self.estimator.name()
    }

    /// Every answer balanced by its noise, and the prior by its strength.
    pub fn calibrated(options: CalibratedEstimator, strength: Strength) -> Self {
        Self { estimator: Arc::new(options), strength: Some(strength) }
    }

    /// Algorithm 1 of the paper.
    pub fn iterative(options: iterative::Options) -> Self {
        Self { estimator: Arc::new(IterativeEstimator::from(options)), strength: None }
    }
}

/// The measured cliques of a level over the shared rows, and its estimator.
#[derive(Debug, Clone)]
pub struct Level {
    pub(super) index: Arc<Index>,
    /// What nothing is known of but the sizes of its attributes: those of the shared rows.
    pub(super) schema: Arc<Schema>,
    pub(super) estimator: GroupEstimator,
    /// A factor of the harmonic strength of its groups: less than 1 where their answers contradict their priors.
    pub(super) trust: f64,
    pub(super) judged: Option<Judged>,
}

/// What the answers of a level say of the priors of its groups.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// The factor of their strengths.
    pub trust: f64,
    /// By how many standard errors fits with the whole strength were farther from the answers than noise explains.
    pub excess: f64,
}

impl Level {
    /// A level whose groups are measured on these cliques, by the attributes of the shared base, without the count.
    /// The index is kept in at most `limit` bytes.
    pub fn new(
        base: &Arc<Base>,
        cliques: Vec<Vec<u16>>,
        estimator: GroupEstimator,
        limit: u64,
    ) -> Result<Self> {
        Self::with_index(base, Index::over(Arc::clone(base), cliques, limit)?.complete()?, estimator)
    }

    /// The same with an index that was made in steps, or that several levels share.
    pub fn with_index(base: &Base, index: Arc<Index>, estimator: GroupEstimator) -> Result<Self> {
        let schema = Arc::new(Schema::of_domain(base.domain())?);
        Ok(Self { schema, index, estimator, trust: 1.0, judged: None })
    }

    /// How many records the prior of a group of so many is worth.
    pub(super) fn strength(&self, prior: &Prior, records: f64) -> Option<f64> {
        self.estimator.strength.map(|strength| strength.trusted(prior, records, self.trust))
    }

    /// The factor of the strengths of its groups: 1 unless their answers contradict their priors.
    pub fn trust(&self) -> f64 {
        self.trust
    }

    /// What its answers say of its priors, where they were asked.
    pub fn judged(&self) -> Option<Judged> {
        self.judged
    }

    /// The measured cliques over the shared rows.
    pub fn index(&self) -> &Arc<Index> {
        &self.index
    }
}

/// All that groups share.
#[derive(Debug, Clone)]
pub struct Setup {
    pub(super) plan: Arc<HierarchyPlan>,
    pub(super) prior: Arc<Prior>,
    pub(super) levels: Vec<Level>,
    pub(super) local: Option<Local>,
    pub(super) seed: u64,
}

impl Setup {
    /// The groups of a plan on the rows of a public prior. Each group has a seed of its own, by its level and key.
    pub fn new(plan: Arc<HierarchyPlan>, prior: Prior, levels: Vec<Level>, seed: u64) -> Result<Self> {
        let rest = plan.rest().iter().map(|a| plan.domain().sizes()[usize::from(*a)]);
        if !rest.eq(prior.base.domain().sizes().iter().copied()) {
            return Err(Error::new(
                Code::OptionInvalid,
                "the shared rows must have the attributes that are none of groups, in their order",
            ));
        }
        let rows = prior.base.rows();
        if levels.len() != plan.levels().len() || levels.iter().any(|level| level.index.rows() != rows) {
            return Err(invalid("there must be an index over the shared rows for each level of the plan"));
        }
        if prior.strength.is_nan() || prior.strength <= 0.0 {
            return Err(invalid("the strength of a prior must be a positive number of records"));
        }
        Ok(Self { plan, prior: Arc::new(prior), levels, local: None, seed })
    }

    /// The same where a public table knows groups, by counts on the same shared rows.
    pub fn with_local(self, local: Local) -> Result<Self> {
        if local.index().rows() != self.prior.base.rows() {
            return Err(invalid("the public counts of groups need an index over the shared rows"));
        }
        Ok(Self { local: Some(local), ..self })
    }

    /// What public counts say of a group, where there are some of its level.
    pub(super) fn local(&self, group: usize) -> Option<&Local> {
        let level = self.plan.groups()[group].level;
        self.local.as_ref().filter(|local| local.knows(level))
    }

    /// The groups.
    pub fn plan(&self) -> &Arc<HierarchyPlan> {
        &self.plan
    }

    /// The public prior.
    pub fn prior(&self) -> &Arc<Prior> {
        &self.prior
    }

    /// The levels.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The seed of a group: of its level and key, whatever else is estimated and when.
    pub fn seed(&self, group: usize) -> u64 {
        let group = &self.plan.groups()[group];
        crate::deviates::child(self.seed, &[group.level as u64, group.key])
    }
}
