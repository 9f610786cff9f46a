//! Which attributes are whose parents.

use super::entropy::Family;

/// A network's structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Structure {
    /// The attributes, parents before children.
    pub order: Vec<u16>,
    /// The parents of each attribute.
    pub parents: Vec<Vec<u16>>,
    /// By how much its score is above that of independent attributes.
    pub score: f64,
}

/// A structure made from one family of each attribute: first attribute by attribute, always the one that adds most
/// with parents among those already there, then by changing one family at a time as long as that helps.
pub fn search(families: &[Vec<Family>]) -> Structure {
    let mut chosen = grow(families);
    while let Some((x, family)) = best_change(families, &chosen) {
        chosen[x] = family;
    }
    let parents: Vec<Vec<u16>> = chosen.iter().zip(families).map(|(i, of)| of[*i].parents.clone()).collect();
    let score = chosen.iter().zip(families).map(|(i, of)| of[*i].gain).sum();
    Structure { order: parents_first(&parents), parents, score }
}

/// The family of each attribute, by growing.
fn grow(families: &[Vec<Family>]) -> Vec<usize> {
    let mut chosen = vec![0; families.len()];
    let mut there = vec![false; families.len()];
    if let Some(root) = root(families) {
        there[root] = true;
    }
    for _ in 1..families.len() {
        let mut best: Option<(f64, usize, usize)> = None;
        for (x, of) in families.iter().enumerate().filter(|(x, _)| !there[*x]) {
            let fits = |family: &Family| family.parents.iter().all(|a| there[usize::from(*a)]);
            for (i, family) in of.iter().enumerate().filter(|(_, family)| fits(family)) {
                if best.is_none_or(|(gain, ..)| family.gain > gain) {
                    best = Some((family.gain, x, i));
                }
            }
        }
        if let Some((_, x, i)) = best {
            (there[x], chosen[x]) = (true, i);
        }
    }
    chosen
}

/// The parent in the best family with one parent, or the first attribute.
fn root(families: &[Vec<Family>]) -> Option<usize> {
    let single = families.iter().flatten().filter(|family| family.parents.len() == 1);
    let best = single.fold(None, |best: Option<&Family>, family| match best {
        Some(best) if best.gain >= family.gain => Some(best),
        _ => Some(family),
    });
    best.map(|family| usize::from(family.parents[0])).or((!families.is_empty()).then_some(0))
}

/// The change of one family that raises the score most and closes no circle.
fn best_change(families: &[Vec<Family>], chosen: &[usize]) -> Option<(usize, usize)> {
    let mut best = (SMALLEST_GAIN, None);
    for (x, of) in families.iter().enumerate() {
        let below = descendants(families, chosen, x);
        for (i, family) in of.iter().enumerate() {
            let rise = family.gain - of[chosen[x]].gain;
            if rise > best.0 && !family.parents.iter().any(|a| below[usize::from(*a)]) {
                best = (rise, Some((x, i)));
            }
        }
    }
    best.1
}

/// The attributes that depend on one, directly or not.
fn descendants(families: &[Vec<Family>], chosen: &[usize], x: usize) -> Vec<bool> {
    let mut below = vec![false; families.len()];
    below[x] = true;
    let mut open = vec![x as u16];
    while let Some(parent) = open.pop() {
        for (child, of) in families.iter().enumerate() {
            if !below[child] && of[chosen[child]].parents.contains(&parent) {
                below[child] = true;
                open.push(child as u16);
            }
        }
    }
    below
}

fn parents_first(parents: &[Vec<u16>]) -> Vec<u16> {
    let mut order: Vec<u16> = Vec::with_capacity(parents.len());
    while order.len() < parents.len() {
        let ready =
            |x: &u16| !order.contains(x) && parents[usize::from(*x)].iter().all(|a| order.contains(a));
        match (0..parents.len() as u16).find(ready) {
            Some(x) => order.push(x),
            None => break,
        }
    }
    order
}

/// Less than this is rounding of floating point.
const SMALLEST_GAIN: f64 = 1e-9;
