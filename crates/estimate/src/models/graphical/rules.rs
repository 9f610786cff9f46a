//! Which combinations of codes can be.

use super::places::cells_of_some;
use super::{Cliques, Places, Roots};
use marginalia_graph::{Oracle, Passes, plan};
use marginalia_tables::{Code, Error, Result, Schema};
use std::sync::Arc;

/// Combinations of codes of some attributes: no record has one, or each record has one of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// The attributes.
    pub clique: Vec<u16>,
    /// For each attribute the codes that belong to a combination.
    pub combinations: Vec<Vec<Vec<u16>>>,
    /// Whether these are all that can be.
    pub only: bool,
}

impl Rule {
    /// Whether a record with such codes keeps it.
    pub fn allows(&self, code: impl Fn(usize) -> u16) -> bool {
        let of = |codes: &[Vec<u16>]| {
            self.clique
                .iter()
                .zip(codes)
                .all(|(attribute, codes)| codes.contains(&code(usize::from(*attribute))))
        };
        self.combinations.iter().any(|codes| of(codes)) == self.only
    }

    /// Whether each cell of the clique can be, the last attribute fastest.
    fn cells(&self, sizes: &[u32]) -> Result<Vec<bool>> {
        let size = |attribute: &u16| sizes.get(usize::from(*attribute)).map(|size| *size as usize);
        let sizes: Option<Vec<usize>> = self.clique.iter().map(size).collect();
        let sizes = sizes.ok_or_else(|| unknown("an attribute"))?;
        let cells =
            sizes.iter().try_fold(1usize, |cells, size| cells.checked_mul(*size)).filter(|n| *n < MOST);
        let Some(cells) = cells else {
            let message =
                "a rule is over more than 10^8 combinations: name fewer attributes, or coarser ones";
            return Err(Error::new(Code::ModelTooLarge, message));
        };
        let mut can = vec![!self.only; cells];
        for combination in &self.combinations {
            let mut places = vec![0];
            for (codes, size) in combination.iter().zip(&sizes) {
                if codes.iter().any(|code| usize::from(*code) >= *size) {
                    return Err(unknown("a code"));
                }
                let with = |place: &usize| {
                    codes.iter().map(move |code| place * size + usize::from(*code)).collect::<Vec<_>>()
                };
                places = places.iter().flat_map(with).collect();
            }
            places.into_iter().for_each(|place| can[place] = self.only);
        }
        Ok(can)
    }

    /// The code of one of two attributes for each code of the other, where just one can be.
    fn function(&self, sizes: &[u32], can: &[bool], to: usize) -> Option<Vec<u16>> {
        let [first, second] =
            <[u16; 2]>::try_from(&self.clique[..]).ok()?.map(|a| sizes[usize::from(a)] as usize);
        let (from, to, strides) =
            if to == 1 { (first, second, [second, 1]) } else { (second, first, [1, second]) };
        let code = |from: usize| {
            let mut codes = (0..to).filter(|to| can[from * strides[0] + to * strides[1]]);
            codes.next().filter(|_| codes.next().is_none()).map(|code| code as u16)
        };
        (0..from).map(code).collect()
    }
}

/// What rules say of a schema: which attributes follow from others, and what can be of the cells of some cliques of the rest.
#[derive(Debug)]
pub struct Ruled {
    /// From which attribute each one follows.
    pub roots: Roots,
    masks: Vec<(Vec<u16>, Vec<bool>)>,
}

impl Ruled {
    /// By the rules over two attributes one follows from the other where it can, and takes no place in a model. Refused with the
    /// names of those that contradict each other; no table of what they allow takes more than `limit` bytes.
    pub fn new(schema: &Schema, rules: &[Rule], limit: f64) -> Result<Self> {
        let sizes = schema.sizes();
        let can = rules.iter().map(|rule| rule.cells(&sizes)).collect::<Result<Vec<_>>>()?;
        let mut roots = Roots::new(schema);
        let mut left = Vec::new();
        for (rule, can) in rules.iter().zip(&can) {
            let mut ways = [1, 0].map(|to| Some((to, rule.function(&sizes, can, to)?)));
            // The coarser one takes less where it is left out of nothing.
            ways.sort_by_key(|way| {
                way.as_ref().map_or(u32::MAX, |(to, _)| sizes[usize::from(rule.clique[*to])])
            });
            let mut follows = |(to, codes): (usize, Vec<u16>)| {
                let [to, from] = [rule.clique[to], rule.clique[1 - to]];
                usize::from(to) < schema.base().len() && roots.follow(to, from, &codes)
            };
            if !ways.into_iter().flatten().any(&mut follows) {
                left.push((rule, can));
            }
        }
        let mut masks: Vec<(Vec<u16>, Vec<bool>)> = Vec::new();
        for (rule, can) in left {
            let (clique, can) = mask(&roots, rule, can)?;
            match masks.iter_mut().find(|(other, _)| *other == clique) {
                Some((_, cells)) => cells.iter_mut().zip(can).for_each(|(cell, can)| *cell &= can),
                None => masks.push((clique, can)),
            }
        }
        if !possible(&sizes, &masks, limit)? {
            return Err(contradiction(schema, rules, &can, limit));
        }
        Ok(Self { roots, masks })
    }

    /// The cliques of a model that has these, with one for each rule that is over no more than one of them.
    pub fn cliques(&self, mut list: Vec<Vec<u16>>) -> Vec<Vec<u16>> {
        for (clique, _) in &self.masks {
            if !list.iter().any(|other| has(other, clique)) {
                list.push(clique.clone());
            }
        }
        list
    }

    /// What can be of the cells of these cliques, in the order of the tree: 0 or −∞; nothing where all can.
    pub fn mask(&self, cliques: &Cliques) -> Option<Vec<f64>> {
        let tree = cliques.passes().tree();
        let mut mask = vec![0.0; tree.cells()];
        for (clique, can) in &self.masks {
            let leaf = cliques.list().iter().position(|other| has(other, clique))?;
            let of = &tree.leaves()[leaf];
            let cells = tree.arranged(leaf, &cells_of_some(&cliques.sizes(), &cliques.list()[leaf], clique));
            let cells = mask[of.at..].iter_mut().zip(cells);
            cells.filter(|(_, cell)| !can[*cell as usize]).for_each(|(mask, _)| *mask = f64::NEG_INFINITY);
        }
        (!self.masks.is_empty()).then_some(mask)
    }
}

fn has(clique: &[u16], other: &[u16]) -> bool {
    other.iter().all(|attribute| clique.contains(attribute))
}

/// What of the roots' cells can be.
fn mask(roots: &Roots, rule: &Rule, can: &[bool]) -> Result<(Vec<u16>, Vec<bool>)> {
    let places = Places::new(roots, &rule.clique)?;
    let cells = places.of.iter().map(|place| can[*place as usize]).collect();
    Ok((places.roots, cells))
}

/// Whether any record can be.
fn possible(sizes: &[u32], masks: &[(Vec<u16>, Vec<bool>)], limit: f64) -> Result<bool> {
    let cliques: Vec<Vec<u16>> = masks.iter().map(|(clique, _)| clique.clone()).collect();
    let tree = Arc::new(plan(sizes, &cliques, limit)?);
    let log = |can: &bool| if *can { 0.0 } else { f64::NEG_INFINITY };
    let of = |(leaf, (_, can)): (usize, &(Vec<u16>, Vec<bool>))| {
        tree.arranged(leaf, &can.iter().map(log).collect::<Vec<f64>>())
    };
    let potentials: Vec<f64> = masks.iter().enumerate().flat_map(of).collect();
    Ok(Oracle::new(Arc::new(Passes::new(Arc::clone(&tree)))).forward(&potentials) > f64::NEG_INFINITY)
}

/// The refusal of rules, with the names of as few of them as leave no record.
fn contradiction(schema: &Schema, rules: &[Rule], can: &[Vec<bool>], limit: f64) -> Error {
    let roots = Roots::new(schema);
    let masks =
        |of: &[usize]| of.iter().map(|i| mask(&roots, &rules[*i], &can[*i])).collect::<Result<Vec<_>>>();
    let mut left: Vec<usize> = (0..rules.len()).collect();
    for rule in 0..rules.len() {
        let fewer: Vec<usize> = left.iter().copied().filter(|other| *other != rule).collect();
        let still = masks(&fewer).and_then(|masks| possible(&schema.sizes(), &masks, limit));
        if still == Ok(false) {
            left = fewer;
        }
    }
    let name = |attribute: &u16| schema.attributes()[usize::from(*attribute)].name.clone();
    let named =
        |rule: usize| format!("({})", rules[rule].clique.iter().map(name).collect::<Vec<_>>().join(", "));
    let named = left.into_iter().map(named).collect::<Vec<_>>().join(" and ");
    let message = format!(
        "no record can be as the rules about {named} say together: leave one of them out, or let it allow more"
    );
    Error::new(Code::OptionInvalid, message)
}

const MOST: usize = 100_000_000;

fn unknown(what: &str) -> Error {
    Error::new(Code::AttributeUnknown, format!("a rule names {what} that the schema lacks"))
}
