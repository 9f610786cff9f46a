//! The making of a plan, in steps: the distinct sets of the workload, covers of the small ones, a pass for each
//! cover and each large set.

use super::cost::CostModel;
use super::cover::{Covering, Request};
use super::effort::Effort;
use super::greedy::Cover;
use super::plan::{Form, Pass, Plan};
use super::sets::{Sets, Sorting, sort_by};
use crate::{Domain, Result, Workload};

/// What making one pass takes, in units of work.
const PASS: u64 = 256;

/// A plan in the making.
pub struct Planner {
    rows: u64,
    cost: CostModel,
    stage: Stage,
    plan: Plan,
    done: u64,
}

enum Stage {
    Sorting(Sorting),
    Covering(Sets, Box<Covering>),
    /// A pass for each cover of small sets.
    Covers(Sets, std::vec::IntoIter<Cover>),
    /// A pass for each other set, so many of all having theirs: the small ones come first.
    Alone(Sets, u32),
    Over,
}

impl Planner {
    /// Nothing is looked at yet.
    pub fn new(workload: &Workload, rows: u64, cost: CostModel) -> Result<Self> {
        let stage = Stage::Sorting(Sorting::new(workload)?);
        Ok(Self { rows, cost, stage, plan: Plan { passes: Vec::new(), cost: 0.0 }, done: 0 })
    }

    /// Does about `work` units more, as a [`super::Counting`] does; true when the plan is made. Every step is
    /// given the workload that the planner is for.
    pub fn step(&mut self, workload: &Workload, work: u64) -> Result<bool> {
        let mut effort = Effort::new(self.done, work);
        while !effort.over() && !matches!(self.stage, Stage::Over) {
            self.stage = match std::mem::replace(&mut self.stage, Stage::Over) {
                Stage::Sorting(mut sorting) => match sorting.step(workload, &mut effort) {
                    Some(sets) => {
                        let covering = Covering::new(&self.request(workload.domain(), &sets));
                        Stage::Covering(sets, Box::new(covering))
                    }
                    None => Stage::Sorting(sorting),
                },
                Stage::Covering(sets, mut covering) => {
                    if !covering.step(&self.request(workload.domain(), &sets), &mut effort)? {
                        Stage::Covering(sets, covering)
                    } else if let Some(covers) = covering.finish() {
                        Stage::Covers(sets, covers.into_iter())
                    } else {
                        Stage::Alone(sets, 0)
                    }
                }
                Stage::Covers(sets, covers) => self.covers(workload, sets, covers, &mut effort),
                Stage::Alone(sets, passes) => self.alone(workload, sets, passes, &mut effort),
                Stage::Over => Stage::Over,
            };
        }
        self.done = effort.done;
        Ok(matches!(self.stage, Stage::Over))
    }

    /// The units of work done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The plan, once all is done.
    pub fn finish(self) -> Plan {
        self.plan
    }

    fn covers(
        &mut self,
        workload: &Workload,
        sets: Sets,
        mut covers: std::vec::IntoIter<Cover>,
        effort: &mut Effort,
    ) -> Stage {
        while !effort.over() {
            let Some(cover) = covers.next() else {
                let small = sets.len() as u32 - self.first(&sets);
                return Stage::Alone(sets, small);
            };
            self.push(block(workload.domain(), &sets, cover));
            effort.spend(PASS);
        }
        Stage::Covers(sets, covers)
    }

    fn alone(&mut self, workload: &Workload, sets: Sets, mut passes: u32, effort: &mut Effort) -> Stage {
        let (first, all) = (self.first(&sets), sets.len() as u32);
        while passes < all {
            if effort.over() {
                return Stage::Alone(sets, passes);
            }
            let set = if passes < all - first { first + passes } else { passes - (all - first) };
            let pass = if set >= first {
                block(workload.domain(), &sets, Cover::alone(&sets, set))
            } else {
                large(workload, &sets, set, self.rows)
            };
            self.push(pass);
            effort.spend(PASS);
            passes += 1;
        }
        Stage::Over
    }

    fn push(&mut self, pass: Pass) {
        self.plan.cost += self.cost.of(self.rows, pass.attributes.len(), pass.cells, pass.cliques.len());
        self.plan.passes.push(pass);
    }

    fn request<'a>(&'a self, domain: &'a Domain, sets: &'a Sets) -> Request<'a> {
        Request { domain, sets, first: self.first(sets), rows: self.rows, cost: &self.cost }
    }

    /// The first set that is small: they are ordered by size.
    fn first(&self, sets: &Sets) -> u32 {
        let (mut low, mut high) = (0, sets.len() as u32);
        while low < high {
            let middle = low + (high - low) / 2;
            if sets.cells(middle) > self.cost.max_cells {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// The pass of a cover.
fn block(domain: &Domain, sets: &Sets, cover: Cover) -> Pass {
    let Cover { mut attributes, cells, sets: covered } = cover;
    sort_by(&mut attributes, |a| (std::cmp::Reverse(domain.sizes()[usize::from(a)]), a));
    let mut cliques: Vec<usize> = covered.iter().flat_map(|set| sets.cliques(*set)).collect();
    cliques.sort_unstable();
    Pass { attributes, cells, form: Form::Block, cliques }
}

/// The pass of a large set.
fn large(workload: &Workload, sets: &Sets, set: u32, rows: u64) -> Pass {
    let cliques: Vec<usize> = sets.cliques(set).collect();
    Pass {
        // The order that the first clique asks for, so that a single one is counted in place.
        attributes: workload.clique(cliques[0]).to_vec(),
        cells: sets.cells(set),
        form: Form::of_large(sets.cells(set), rows),
        cliques,
    }
}
