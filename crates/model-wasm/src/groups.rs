//! Serves `ts/engine/operations/hierarchy.ts` too: what is asked of groups that were estimated.

use crate::hierarchy::{invalid, lanes};
use crate::model::Model;
use crate::model::condition;
use crate::public::{cliques, seed};
use marginalia_binding::answers::Answers;
use marginalia_binding::error::Result;
use marginalia_binding::table::Table;
use marginalia_estimate::hierarchy::{
    AnswerJob, GroupRecordsJob, Hierarchy, HierarchyPlan, Level, PathJob, Shared, model,
};
use marginalia_estimate::models::support::{Condition, IndexJob};
use marginalia_estimate::records::{Method, UnfoldJob};
use marginalia_tables::{Schema, Workload};
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// Groups that were estimated.
#[wasm_bindgen]
pub struct Groups {
    pub(crate) hierarchy: Hierarchy,
    pub(crate) shared: Shared,
}

#[wasm_bindgen]
impl Groups {
    /// The rows that groups share.
    pub fn rows(&self) -> usize {
        self.shared.base.rows()
    }

    /// How many levels there are.
    pub fn levels(&self) -> usize {
        self.hierarchy.setup.levels().len()
    }

    /// Of each level the factor of the strengths of its priors, and by how many standard errors its answers contradicted
    /// them; not numbers where nobody asked these.
    pub fn judged(&self) -> Vec<f64> {
        let of = |level: &Level| level.judged().map_or([f64::NAN; 2], |one| [one.trust, one.excess]);
        self.hierarchy.setup.levels().iter().flat_map(of).collect()
    }
}

/// The answering of a workload of some groups together.
#[wasm_bindgen]
pub struct GroupAnswerJob {
    job: AnswerJob,
    workload: Arc<Workload>,
    limit: u64,
}

#[wasm_bindgen]
impl GroupAnswerJob {
    /// Answers a workload, clique `i` of which is `flat[starts[i]..starts[i + 1]]`, in at most `limit` bytes: the sum of
    /// what groups of the last level have.
    #[wasm_bindgen(constructor)]
    pub fn new(
        groups: &Groups,
        places: Vec<u32>,
        flat: Vec<u16>,
        starts: Vec<u32>,
        limit: f64,
    ) -> Result<GroupAnswerJob> {
        let starts = starts.into_iter().map(|start| start as usize).collect();
        let Hierarchy { setup, states } = groups.hierarchy.clone();
        let workload = Arc::new(Workload::new(setup.plan().domain().clone(), flat, starts)?);
        let (places, limit) = (places.into_iter().map(|place| place as usize).collect(), limit as u64);
        let job = AnswerJob::new(setup, states, places, Arc::clone(&workload), limit)?;
        Ok(Self { job, workload, limit })
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        Ok(self.job.step(work as u64)?)
    }

    /// Groups answered.
    pub fn done(&self) -> f64 {
        self.job.groups_done() as f64
    }

    /// All groups.
    pub fn total(&self) -> f64 {
        self.job.groups() as f64
    }

    /// The answers.
    pub fn finish(self) -> Result<Answers> {
        let cells = self.job.finish()?;
        Ok(Answers::new(marginalia_tables::count::Answers::from_cells(self.workload, cells, self.limit)?))
    }
}

/// The making of one group's distribution.
#[wasm_bindgen]
pub struct GroupModelJob {
    job: PathJob,
    plan: Arc<HierarchyPlan>,
    group: usize,
    schema: Arc<Schema>,
}

#[wasm_bindgen]
impl GroupModelJob {
    /// A job for a group of the last level.
    #[wasm_bindgen(constructor)]
    pub fn new(groups: &Groups, group: usize) -> Result<GroupModelJob> {
        let Hierarchy { setup, states } = &groups.hierarchy;
        let plan = Arc::clone(setup.plan());
        let job = PathJob::new(Arc::clone(setup), states, group)?;
        Ok(Self { job, plan, group, schema: Arc::clone(groups.shared.rows.schema()) })
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        Ok(self.job.step(work as u64)?)
    }

    /// The units done.
    pub fn done(&self) -> f64 {
        self.job.done() as f64
    }

    /// Not known.
    pub fn total(&self) -> f64 {
        0.0
    }

    /// The distribution.
    pub fn finish(self) -> Result<Model> {
        Model::of_rows(model(&self.plan, self.group, &self.job.finish()?)?, self.schema)
    }
}

enum Stage {
    Unfold(UnfoldJob),
    Index(IndexJob),
    Round(Box<GroupRecordsJob>),
    Done,
}

/// Makes records of groups, so many of each.
#[wasm_bindgen]
pub struct GroupsRecordsJob {
    hierarchy: Hierarchy,
    unfolded: Option<marginalia_estimate::records::Unfolded>,
    targets: Vec<Vec<u16>>,
    wanted: Vec<(usize, u64)>,
    method: Method,
    seed: u64,
    condition: Condition,
    stage: Stage,
    made: Option<Table>,
}

#[wasm_bindgen]
impl GroupsRecordsJob {
    /// A job for groups at these places, each with a number of records. `flat` and `starts` are the tables that controlled
    /// rounding keeps in each, `digits` the seed.
    #[wasm_bindgen(constructor)]
    pub fn new(
        groups: &Groups,
        wanted: &[f64],
        method: &str,
        flat: Vec<u16>,
        starts: Vec<u32>,
        digits: &str,
    ) -> Result<GroupsRecordsJob> {
        let method = match method {
            "controlled" => Method::Controlled,
            "systematic" => Method::Systematic,
            "iid" => Method::Iid,
            _ => return Err(invalid("`method` is none of controlled, systematic, iid").into()),
        };
        let rows = &groups.shared.rows;
        let targets = cliques(&rows.domain(), &flat, &starts)?;
        let targets = if method == Method::Controlled { targets } else { Vec::new() };
        let weights = groups.shared.base.prior().to_vec();
        let stage = Stage::Unfold(UnfoldJob::new(Arc::clone(rows), weights));
        let (pairs, _) = wanted.as_chunks::<2>();
        let wanted = pairs.iter().map(|[group, records]| (*group as usize, *records as u64)).collect();
        let hierarchy = groups.hierarchy.clone();
        Ok(Self {
            hierarchy,
            unfolded: None,
            targets,
            wanted,
            method,
            seed: seed(digits)?,
            condition: Condition::new(),
            stage,
            made: None,
        })
    }

    /// Makes only records that meet a condition, on attributes that are none of groups.
    pub fn within(&mut self, attributes: &[u16], allowed: &[u8]) -> Result<()> {
        let plan = self.hierarchy.setup.plan();
        self.condition = condition(plan.domain().sizes(), attributes, allowed)?;
        Ok(())
    }

    /// Does about `work` units; true at the end.
    pub fn step(&mut self, work: f64) -> Result<bool> {
        let ready = match &mut self.stage {
            Stage::Unfold(job) => job.step((work / 50.0) as usize + 1)?,
            Stage::Index(job) => job.step(work as u64)?,
            Stage::Round(job) => job.step(work as u64)?,
            Stage::Done => return Ok(true),
        };
        if ready {
            let stage = std::mem::replace(&mut self.stage, Stage::Done);
            self.stage = self.next(stage)?;
        }
        Ok(matches!(self.stage, Stage::Done))
    }

    fn next(&mut self, stage: Stage) -> Result<Stage> {
        Ok(match stage {
            Stage::Unfold(job) => {
                let unfolded = job.finish()?;
                let index = unfolded.index(&self.targets)?;
                self.unfolded = Some(unfolded);
                Stage::Index(index)
            }
            Stage::Index(job) => {
                let unfolded = self.unfolded.take().ok_or_else(|| invalid("the job has ended"))?;
                let (hierarchy, wanted) = (self.hierarchy.clone(), std::mem::take(&mut self.wanted));
                let (how, lanes) = ((self.method, self.seed), lanes(wanted.len()));
                let index = job.finish()?;
                let condition = &self.condition;
                let job = GroupRecordsJob::new(hierarchy, unfolded, index, wanted, how, condition, lanes)?;
                Stage::Round(Box::new(job))
            }
            Stage::Round(job) => {
                self.made = Some(Table::new(job.finish()?));
                Stage::Done
            }
            Stage::Done => Stage::Done,
        })
    }

    /// Thousandths done.
    pub fn done(&self) -> f64 {
        match &self.stage {
            Stage::Unfold(_) | Stage::Index(_) => 0.0,
            Stage::Round(job) => job.done() as f64,
            Stage::Done => self.total(),
        }
    }

    /// All thousandths.
    pub fn total(&self) -> f64 {
        1000.0
    }

    /// The records.
    pub fn finish(self) -> Result<Table> {
        Ok(self.made.ok_or_else(|| invalid("the job has not ended"))?)
    }
}
