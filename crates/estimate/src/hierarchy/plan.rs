//! Which groups there are, and which lies within which.

use super::invalid;
use marginalia_tables::{Code, Domain, Error, Result};

/// The most groups of the last level.
const MOST_GROUPS: u64 = 1 << 20;

/// A group attribute that follows from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derived {
    /// The attribute.
    pub attribute: u16,
    /// What it follows from.
    pub from: u16,
    /// Its code for each code of the other.
    pub codes: Vec<u16>,
}

/// One group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// The level.
    pub level: usize,
    /// The cell of its codes among those of the attributes of the level.
    pub key: u64,
    /// The place of the group that it lies within, whose estimate is its prior.
    pub parent: Option<usize>,
}

/// Levels from the coarsest to the finest, and their groups: each after its parent, those of one parent by their
/// keys. They follow from what is declared; no data is looked at, so that empty groups are among them.
#[derive(Debug, Clone)]
pub struct HierarchyPlan {
    domain: Domain,
    levels: Vec<Vec<u16>>,
    derived: Vec<Derived>,
    numbers: Vec<(u16, Vec<f64>)>,
    rest: Vec<u16>,
    groups: Vec<Group>,
}

impl HierarchyPlan {
    /// A chain of levels, each given by its group attributes (none for all records together). The attributes of a
    /// level must be attributes of the next, or follow from one of them.
    pub fn new(domain: Domain, levels: Vec<Vec<u16>>, derived: Vec<Derived>) -> Result<Self> {
        let (numbers, rest, groups) = Default::default();
        let mut plan = Self { domain, levels, derived, numbers, rest, groups };
        plan.check()?;
        let is_axis =
            |a: &u16| plan.finest().contains(a) || plan.derived.iter().any(|derived| derived.attribute == *a);
        let rest = (0..plan.domain.sizes().len() as u16).filter(|a| !is_axis(a)).collect();
        plan.rest = rest;
        plan.groups = plan.list()?;
        Ok(plan)
    }

    /// The same with the raw numbers of derived attributes, for each code of what these follow from.
    pub(super) fn with_numbers(self, numbers: Vec<(u16, Vec<f64>)>) -> Self {
        Self { numbers, ..self }
    }

    /// All attributes.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// The group attributes of each level.
    pub fn levels(&self) -> &[Vec<u16>] {
        &self.levels
    }

    /// The attributes that are none of groups, those of the shared base in its order.
    pub fn rest(&self) -> &[u16] {
        &self.rest
    }

    /// The groups of all levels, in order.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The places of the groups of a level, in order.
    pub fn of_level(&self, level: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.groups.len()).filter(move |at| self.groups[*at].level == level)
    }

    /// The places of the groups from the coarsest to this one.
    pub fn path(&self, group: usize) -> Vec<usize> {
        let mut path: Vec<usize> = std::iter::successors(Some(group), |at| self.groups[*at].parent).collect();
        path.reverse();
        path
    }

    /// The code that all records of a group have of an attribute; none where it is free.
    pub fn code(&self, group: &Group, attribute: u16) -> Option<u16> {
        let own = |a| digit(&self.domain, &self.levels[group.level], group.key, a);
        self.resolve(attribute, &own)
    }

    /// Whether raw numbers of an attribute are those of groups.
    pub(super) fn has_numbers(&self, attribute: u16) -> bool {
        self.numbers.iter().any(|(a, _)| *a == attribute)
    }

    /// The raw number that all records of a group have of an attribute; not one where they have none in common.
    pub(super) fn number(&self, group: &Group, attribute: u16) -> f64 {
        let known = || {
            let (_, numbers) = self.numbers.iter().find(|(a, _)| *a == attribute)?;
            numbers.get(usize::from(self.code(group, self.of(attribute)?.from)?)).copied()
        };
        known().unwrap_or(f64::NAN)
    }

    /// Whether a clique says of each of its cells which group of a level it lies in.
    pub(super) fn determines(&self, clique: &[u16], level: usize) -> bool {
        let has = |a| clique.contains(&a).then_some(());
        self.levels[level]
            .iter()
            .all(|a| has(*a).is_some() || self.of(*a).is_some_and(|derived| has(derived.from).is_some()))
    }

    fn of(&self, attribute: u16) -> Option<&Derived> {
        self.derived.iter().find(|derived| derived.attribute == attribute)
    }

    fn resolve(&self, attribute: u16, own: &impl Fn(u16) -> Option<u16>) -> Option<u16> {
        own(attribute).or_else(|| {
            let derived = self.of(attribute)?;
            own(derived.from).map(|code| derived.codes[usize::from(code)])
        })
    }

    fn finest(&self) -> &[u16] {
        self.levels.last().map_or(&[], Vec::as_slice)
    }

    fn check(&self) -> Result<()> {
        let sizes = self.domain.sizes();
        if self.levels.is_empty() {
            return Err(invalid("a hierarchy needs at least one level"));
        }
        let named = self.levels.iter().flatten().chain(self.derived.iter().map(|one| &one.attribute));
        let mut named = named.chain(self.derived.iter().map(|one| &one.from));
        if named.any(|a| usize::from(*a) >= sizes.len()) {
            return Err(Error::new(Code::AttributeUnknown, "a level names an attribute that is not there"));
        }
        if self.levels.iter().any(|level| (1..level.len()).any(|i| level[..i].contains(&level[i]))) {
            return Err(invalid("a level names an attribute twice"));
        }
        let size = |a: u16| sizes[usize::from(a)];
        for (i, derived) in self.derived.iter().enumerate() {
            let again = self.derived[..i].iter().any(|other| other.attribute == derived.attribute);
            let fits = derived.codes.len() == size(derived.from) as usize
                && derived.codes.iter().all(|code| u32::from(*code) < size(derived.attribute));
            if again || !fits || self.of(derived.from).is_some() || !self.finest().contains(&derived.from) {
                return Err(invalid(
                    "a derived group attribute needs one declared code for each code of an attribute of the last level",
                ));
            }
        }
        match (0..self.levels.len()).all(|level| self.determines(self.finest(), level)) {
            true => Ok(()),
            false => Err(no_chain()),
        }
    }

    /// The groups of the last level are all codes of its attributes that agree with what is derived; those above
    /// are what these lie within, because no record can be in another.
    fn list(&self) -> Result<Vec<Group>> {
        let last = self.levels.len() - 1;
        let cells = self.domain.cells(self.finest()).filter(|cells| *cells <= MOST_GROUPS);
        let cells = cells.ok_or_else(|| {
            Error::new(Code::ModelTooLarge, "the last level has more than 2^20 groups: use fewer or coarser")
        })?;
        let mut paths: Vec<Vec<u64>> = Vec::new();
        for key in 0..cells {
            let own = |a| digit(&self.domain, self.finest(), key, a);
            let agrees = self.derived.iter().all(|derived| {
                let from = own(derived.from).map(|code| derived.codes[usize::from(code)]);
                own(derived.attribute).is_none_or(|code| Some(code) == from)
            });
            if agrees {
                paths.push(self.levels[..last].iter().map(|level| self.key(level, &own)).collect());
                let at = paths.len() - 1;
                paths[at].push(key);
            }
        }
        paths.sort_unstable();
        let groups = tree(&paths);
        // A group that is not within one group of the level above stands there twice.
        let mut keys: Vec<(usize, u64)> = groups.iter().map(|group| (group.level, group.key)).collect();
        keys.sort_unstable();
        if keys.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(no_chain());
        }
        Ok(groups)
    }

    fn key(&self, level: &[u16], own: &impl Fn(u16) -> Option<u16>) -> u64 {
        level.iter().fold(0, |key, a| {
            let code = self.resolve(*a, own).unwrap_or(0);
            key * u64::from(self.domain.sizes()[usize::from(*a)]) + u64::from(code)
        })
    }
}

fn no_chain() -> Error {
    invalid("each attribute of a level must be one of the next level, or follow from one of them")
}

/// The groups of sorted paths of keys.
fn tree(paths: &[Vec<u64>]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for path in paths {
        let same = open.iter().zip(path).take_while(|(at, key)| groups[**at].key == **key).count();
        open.truncate(same);
        for (level, key) in path.iter().enumerate().skip(same) {
            groups.push(Group { level, key: *key, parent: open.last().copied() });
            open.push(groups.len() - 1);
        }
    }
    groups
}

/// The code of an attribute in a cell of a clique.
fn digit(domain: &Domain, clique: &[u16], key: u64, attribute: u16) -> Option<u16> {
    let mut key = key;
    for a in clique.iter().rev() {
        let size = u64::from(domain.sizes()[usize::from(*a)]);
        if *a == attribute {
            return Some((key % size) as u16);
        }
        key /= size;
    }
    None
}
