//! For a cover in the making: which sets lack one attribute only, and which.

use super::effort::Effort;
use super::kernel::{with_capacity, zeros};
use super::sets::Sets;
use crate::{Error, Result};

const EMPTY: u32 = u32::MAX;

/// What noting one facet of a set takes, in units of work.
const NOTE: u64 = 64;

/// The sets by their facets. A facet of a set is what remains without one of its attributes.
pub struct Facets {
    /// Open addressing by linear probing over facets; at most half full.
    slots: Vec<u32>,
    hashes: Vec<u32>,
    /// For each facet, a set that has it and the place of the attribute that the facet lacks.
    examples: Vec<(u32, u32)>,
    /// The facet that remains without each attribute of each set, until its completions are listed.
    of: Vec<u32>,
    /// For each facet, the end of its completions: the attribute and the set that it completes.
    ends: Vec<u32>,
    completions: Vec<(u16, u32)>,
    /// The sets of each attribute, ascending, and where they end.
    with: Vec<u32>,
    with_ends: Vec<u32>,
    /// Which sizes facets have, the empty one aside.
    sizes: Vec<usize>,
    /// The set that is nothing but an attribute, by attribute.
    pub single: Vec<Option<u32>>,
    /// The next set to note, and then to list.
    noted: u32,
    listed: u32,
}

impl Facets {
    /// The facets of the sets from `first` on, over so many attributes; nothing is noted yet.
    pub fn new(sets: &Sets, first: u32, attributes: usize) -> Result<Self> {
        let members = sets.start(sets.len() as u32) - sets.start(first);
        Ok(Self {
            slots: vec![EMPTY; 1024],
            hashes: Vec::new(),
            examples: Vec::new(),
            of: with_capacity(members)?,
            ends: Vec::new(),
            completions: Vec::new(),
            with: zeros(members)?,
            with_ends: zeros(attributes)?,
            sizes: Vec::new(),
            single: vec![None; attributes],
            noted: first,
            listed: first,
        })
    }

    /// Goes on; true when all sets are noted and listed.
    pub fn step(&mut self, sets: &Sets, effort: &mut Effort) -> Result<bool> {
        let end = sets.len() as u32;
        while self.noted < end {
            if effort.over() {
                return Ok(false);
            }
            self.note(sets, self.noted)?;
            effort.spend(NOTE * sets.attributes(self.noted).len().max(1) as u64);
            self.noted += 1;
            if self.noted == end {
                self.allot()?;
                effort.spend(2 * self.of.len() as u64);
            }
        }
        while self.listed < end {
            if effort.over() {
                return Ok(false);
            }
            self.list(sets, self.listed);
            effort.spend(NOTE / 8 * sets.attributes(self.listed).len().max(1) as u64);
            self.listed += 1;
        }
        self.of = Vec::new();
        Ok(true)
    }

    /// The sets with an attribute.
    pub fn with(&self, a: usize) -> &[u32] {
        let start = if a == 0 { 0 } else { self.with_ends[a - 1] };
        &self.with[start as usize..self.with_ends[a] as usize]
    }

    /// Calls `f` with each set that has a facet in `sorted` ∪ {a} containing `a`, and the attribute that completes
    /// it; with a set that is all inside, as often as it has such facets. `sorted` is ascending and lacks `a`;
    /// `inside` says of every attribute whether it is there or `a`. Returns what it took beside the calls, in looks
    /// at a set.
    pub fn each(
        &self,
        sets: &Sets,
        (sorted, inside): (&[u16], &[bool]),
        a: u16,
        f: &mut dyn FnMut(u16, u32),
    ) -> u64 {
        let with = self.with(usize::from(a));
        let most = with.len() as u64;
        let tries = self.sizes.iter().fold(0, |sum: u64, size| sum + choices(sorted.len(), size - 1, most));
        if tries > most {
            with.iter().for_each(|set| look(sets.attributes(*set), inside, a, &mut |b| f(b, *set)));
            return 2 * most;
        }
        let mut facet = Vec::new();
        let mut took = 0;
        for &size in &self.sizes {
            took += (3 + size as u64) * choices(sorted.len(), size - 1, most);
            subsets(sorted, size - 1, &mut facet, &mut |facet| {
                let at = facet.partition_point(|b| *b < a);
                facet.insert(at, a);
                self.completions(sets, facet).iter().for_each(|(completing, set)| f(*completing, *set));
                facet.remove(at);
            });
        }
        took
    }

    /// What completes a facet.
    fn completions(&self, sets: &Sets, facet: &[u16]) -> &[(u16, u32)] {
        let id = self.slots[self.slot(sets, facet, hash(facet))];
        if id == EMPTY {
            return &[];
        }
        let start = if id == 0 { 0 } else { self.ends[id as usize - 1] };
        &self.completions[start as usize..self.ends[id as usize] as usize]
    }

    /// The slot of a facet, or the empty one that it would have.
    fn slot(&self, sets: &Sets, facet: &[u16], hash: u32) -> usize {
        let mut slot = hash as usize & (self.slots.len() - 1);
        while self.slots[slot] != EMPTY && !self.is(sets, self.slots[slot] as usize, facet, hash) {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    /// Whether `id` is the number of a facet.
    fn is(&self, sets: &Sets, id: usize, facet: &[u16], hash: u32) -> bool {
        let (set, lacking) = self.examples[id];
        let (members, lacking) = (sets.attributes(set), lacking as usize);
        self.hashes[id] == hash
            && members.len() == facet.len() + 1
            && members[..lacking] == facet[..lacking]
            && members[lacking + 1..] == facet[lacking..]
    }

    /// Finds the facets of a set, and counts it for each of them and for each of its attributes.
    fn note(&mut self, sets: &Sets, set: u32) -> Result<()> {
        let members = sets.attributes(set);
        if let [a] = members {
            self.single[usize::from(*a)] = Some(set);
        }
        let mut facet = members.get(1..).unwrap_or_default().to_vec();
        for (i, &a) in members.iter().enumerate() {
            self.with_ends[usize::from(a)] += 1;
            if i > 0 {
                facet[i - 1] = members[i - 1];
            }
            if !facet.is_empty() {
                let id = self.id(sets, &facet, (set, i as u32))?;
                self.ends[id as usize] += 1;
                self.of.push(id);
            }
        }
        if !facet.is_empty() && !self.sizes.contains(&facet.len()) {
            self.sizes.push(facet.len());
        }
        Ok(())
    }

    /// The number of a facet, a new one if need be.
    fn id(&mut self, sets: &Sets, facet: &[u16], example: (u32, u32)) -> Result<u32> {
        let hash = hash(facet);
        let slot = self.slot(sets, facet, hash);
        if self.slots[slot] != EMPTY {
            return Ok(self.slots[slot]);
        }
        let id = self.examples.len() as u32;
        self.slots[slot] = id;
        push(&mut self.hashes, hash)?;
        push(&mut self.examples, example)?;
        push(&mut self.ends, 0)?;
        if 2 * self.examples.len() > self.slots.len() {
            self.grow()?;
        }
        Ok(id)
    }

    fn grow(&mut self) -> Result<()> {
        let size = 2 * self.slots.len();
        self.slots = with_capacity(size)?;
        self.slots.resize(size, EMPTY);
        for (id, hash) in self.hashes.iter().enumerate() {
            let mut slot = *hash as usize & (size - 1);
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = id as u32;
        }
        Ok(())
    }

    /// Gives each list its place, from what was counted: `ends` are where lists start, until all are listed.
    fn allot(&mut self) -> Result<()> {
        for ends in [&mut self.ends, &mut self.with_ends] {
            let mut start = 0;
            for end in ends {
                start += std::mem::replace(end, start);
            }
        }
        self.completions = zeros(self.of.len())?;
        self.of.reverse();
        Ok(())
    }

    /// Lists a set with each of its facets and attributes.
    fn list(&mut self, sets: &Sets, set: u32) {
        let members = sets.attributes(set);
        for &a in members {
            let end = &mut self.with_ends[usize::from(a)];
            self.with[*end as usize] = set;
            *end += 1;
            if members.len() > 1 {
                let id = self.of.pop().expect("as many facets as attributes");
                let end = &mut self.ends[id as usize];
                self.completions[*end as usize] = (a, set);
                *end += 1;
            }
        }
    }
}

/// Calls `f` with the attribute that a set with `a` lacks, or when it lacks none with every other of its own.
fn look(members: &[u16], inside: &[bool], a: u16, f: &mut dyn FnMut(u16)) {
    let mut lacking = members.iter().filter(|b| !inside[usize::from(**b)]);
    match (lacking.next(), lacking.next()) {
        (None, _) => members.iter().filter(|b| **b != a).for_each(|b| f(*b)),
        (Some(b), None) => f(*b),
        _ => (),
    }
}

/// How many subsets of so many members there are, at most `most` + 1.
fn choices(members: usize, size: usize, most: u64) -> u64 {
    if size > members {
        return 0;
    }
    let mut choices = 1u64;
    for i in 0..size.min(members - size) {
        choices = choices.saturating_mul((members - i) as u64) / (i as u64 + 1);
        if choices > most {
            return most + 1;
        }
    }
    choices
}

/// Calls `f` with each subset of `size` members, after what `chosen` holds already.
fn subsets(members: &[u16], size: usize, chosen: &mut Vec<u16>, f: &mut dyn FnMut(&mut Vec<u16>)) {
    if size == 0 {
        return f(chosen);
    }
    for i in 0..(members.len() + 1).saturating_sub(size) {
        chosen.push(members[i]);
        subsets(&members[i + 1..], size - 1, chosen, f);
        chosen.pop();
    }
}

fn hash(facet: &[u16]) -> u32 {
    let mixed = facet.iter().fold(0u64, |hash, a| {
        (hash ^ u64::from(*a)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
    });
    (mixed.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 32) as u32
}

fn push<T>(list: &mut Vec<T>, item: T) -> Result<()> {
    list.try_reserve(1).map_err(|_| Error::out_of_memory(2 * list.len() * size_of::<T>()))?;
    list.push(item);
    Ok(())
}
