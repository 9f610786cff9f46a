//! Records of groups, as a table.

use super::rounding::{Rounding, rounded};
use super::{Hierarchy, Shared, invalid};
use crate::deviates::child;
use crate::job::Steps;
use crate::models::support::{Condition, Index, room};
use crate::records::{Method, ROW, Unfolded, shuffled, unfold};
use crate::seed::Seed;
use marginalia_tables::table::Raw;
use marginalia_tables::{Code, Error, Result, Table};
use std::sync::Arc;

/// So many records of each of some groups of the last level, in random order, of those that meet a condition on attributes that
/// are none of groups.
#[derive(Debug, Clone)]
pub struct GroupRecordsRequest {
    /// The groups, and how many records of each.
    pub wanted: Vec<(usize, u64)>,
    /// How weights become numbers of records.
    pub method: Method,
    /// The seed of all draws.
    pub seed: u64,
    /// Which records are made.
    pub condition: Condition,
    /// Groups that are rounded side by side. Records are the same whatever their number.
    pub lanes: usize,
}

/// Records of groups on shared rows; `targets` are the tables that controlled rounding keeps in each.
pub fn records_of_shared(
    shared: &Shared,
    hierarchy: Hierarchy,
    targets: Vec<Vec<u16>>,
    request: GroupRecordsRequest,
) -> Steps<Table> {
    let (rows, weights) = (Arc::clone(&shared.rows), shared.base.prior().to_vec());
    Steps::new(move |pace| async move {
        pace.show(0, 1000);
        let targets = if request.method == Method::Controlled { targets } else { Vec::new() };
        let unfolded = pace.quiet().run(unfold(rows, weights)).await?;
        let index = pace.quiet().run(unfolded.index(&targets)?).await?;
        pace.run(records_of_groups(hierarchy, unfolded, index, request)?).await
    })
}

/// The same on unfolded shared rows, over which the index of the targets is.
pub fn records_of_groups(
    hierarchy: Hierarchy,
    unfolded: Unfolded,
    targets: Arc<Index>,
    request: GroupRecordsRequest,
) -> Result<Steps<Table>> {
    let groups = hierarchy.setup.plan().groups();
    let last = hierarchy.setup.levels().len() - 1;
    let GroupRecordsRequest { wanted, seed, .. } = &request;
    if wanted.iter().any(|(group, _)| groups.get(*group).is_none_or(|one| one.level != last)) {
        return Err(invalid("records are made of groups of the last level"));
    }
    let all = wanted.iter().try_fold(0u64, |all, (_, n)| all.checked_add(*n));
    if all.is_none_or(|all| all >= u64::from(u32::MAX)) {
        return Err(Error::new(Code::ModelTooLarge, "at most 2^32 - 1 records can be made at once"));
    }
    let random = Seed::new(child(*seed, &[ORDER]));
    let groups = Arc::new(Rounding::new(hierarchy, unfolded, targets, request)?);
    Ok(Steps::new(move |pace| async move {
        // Groups rounded, and then records copied, in thousandths of all.
        let records = Records::new(&groups, rounded(&groups, &pace).await?)?;
        let order = shuffled(records.rows.len(), random, &pace.quiet()).await?;
        let raw: Vec<usize> = groups.unfolded.rows.raw().iter().map(|raw| raw.attribute).collect();
        let mut copied = Table::new(Arc::clone(groups.unfolded.rows.schema()), false, &raw);
        for block in order.chunks(BLOCK) {
            records.copy(block, &mut copied)?;
            pace.show(900 + 100 * copied.rows() / order.len(), 1000);
            pace.did(ROW * block.len()).await;
        }
        Ok(copied)
    }))
}

/// Of each record its row and its group's place among those that were asked for.
struct Records<'a> {
    groups: &'a Rounding,
    rows: Vec<u32>,
    of: Vec<u32>,
}

impl<'a> Records<'a> {
    /// From the rows of the records of each group.
    fn new(groups: &'a Rounding, lists: Vec<Vec<u32>>) -> Result<Self> {
        let all = lists.iter().map(Vec::len).sum();
        let (mut rows, mut of) = (room(all)?, room(all)?);
        for (place, list) in (0u32..).zip(lists) {
            rows.extend_from_slice(&list);
            of.resize(rows.len(), place);
        }
        Ok(Self { groups, rows, of })
    }

    fn copy(&self, order: &[u32], to: &mut Table) -> Result<()> {
        let Rounding { hierarchy, unfolded, request, .. } = self.groups;
        let (plan, rows) = (hierarchy.setup.plan(), &unfolded.rows);
        let group = |record: u32| &plan.groups()[request.wanted[self.of[record as usize] as usize].0];
        let row = |record: u32| self.rows[record as usize] as usize;
        let base = rows.schema().base().len();
        let mut codes: Vec<Vec<u16>> = Vec::with_capacity(base);
        for (a, column) in (0u16..).zip(&rows.columns()[..base]) {
            let own = plan.rest().contains(&a);
            let code = |record: &u32| match own {
                true => Some(column.get(row(*record))),
                false => plan.code(group(*record), a),
            };
            let known: Option<Vec<u16>> = order.iter().map(code).collect();
            codes.push(known.ok_or_else(|| invalid("a group does not say what its records are"))?);
        }
        let number = |raw: &Raw, record: &u32| match plan.has_numbers(raw.attribute as u16) {
            true => plan.number(group(*record), raw.attribute as u16),
            false => raw.values.get(row(*record)),
        };
        let raw = |raw: &Raw| order.iter().map(|record| number(raw, record)).collect();
        let raw: Vec<Vec<f64>> = rows.raw().iter().map(raw).collect();
        let codes: Vec<&[u16]> = codes.iter().map(Vec::as_slice).collect();
        let raw: Vec<&[f64]> = raw.iter().map(Vec::as_slice).collect();
        to.extend(&codes, None, &raw)
    }
}

/// Rows that are copied at once.
const BLOCK: usize = 4096;
const ORDER: u64 = 0x6f72_6465;
