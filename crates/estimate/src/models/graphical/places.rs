//! The cells of a clique, whose attributes may be derived, as classes of the cells of those that they follow from.

use crate::models::check::invalid;
use marginalia_tables::{Code, Error, Result, Schema};

/// A clique by attributes that are not derived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// These attributes, ascending.
    pub roots: Vec<u16>,
    /// For each of their cells, the last attribute fastest, that of the clique.
    pub of: Vec<u32>,
    /// The cells of the clique.
    pub cells: usize,
}

/// From which attribute each one follows, and its code for each code of that: by the schema, and by rules.
#[derive(Debug, Clone)]
pub struct Roots {
    sizes: Vec<u32>,
    of: Vec<(u16, Option<Vec<u16>>)>,
}

impl Roots {
    /// Those of a schema.
    pub fn new(schema: &Schema) -> Self {
        let root = |attribute| schema.root(attribute);
        let of = (0..schema.attributes().len()).map(root).map(|(root, codes)| (root as u16, codes)).collect();
        Self { sizes: schema.sizes(), of }
    }

    /// The attribute that one follows from, and its code for each code of that; none where these are the same.
    pub fn of(&self, attribute: u16) -> (u16, Option<&[u16]>) {
        let (root, codes) = &self.of[usize::from(attribute)];
        (*root, codes.as_deref())
    }

    /// Whether nothing is known that an attribute follows from.
    pub fn is_root(&self, attribute: u16) -> bool {
        self.of(attribute).0 == attribute
    }

    /// Lets an attribute follow from another, by a code for each of its codes; with it goes all that follows from the first. Not
    /// where either says already what the other is.
    pub fn follow(&mut self, to: u16, from: u16, codes: &[u16]) -> bool {
        let (root, through) = self.of[usize::from(from)].clone();
        if !self.is_root(to) || root == to {
            return false;
        }
        let codes: Vec<u16> = match through {
            Some(through) => through.iter().map(|code| codes[usize::from(*code)]).collect(),
            None => codes.to_vec(),
        };
        for (own, further) in self.of.iter_mut().filter(|(own, _)| *own == to) {
            let along = |code: &u16| further.as_ref().map_or(*code, |further| further[usize::from(*code)]);
            *further = Some(codes.iter().map(along).collect());
            *own = root;
        }
        true
    }

    /// What the attributes of a clique follow from, ascending.
    pub fn roots(&self, clique: &[u16]) -> Vec<u16> {
        let mut roots: Vec<u16> = clique.iter().map(|attribute| self.of(*attribute).0).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// For each cell of a clique of roots, the last attribute fastest, the code of an attribute that follows from one of them.
    pub fn codes(&self, clique: &[u16], attribute: u16) -> Vec<u32> {
        let (root, through) = self.of(attribute);
        let mut codes = cells_of_some(&self.sizes, clique, &[root]);
        if let Some(through) = through {
            codes.iter_mut().for_each(|code| *code = u32::from(through[*code as usize]));
        }
        codes
    }
}

impl Places {
    /// Those of a clique; its cells and those of its roots are fewer than 2³².
    pub fn new(known: &Roots, clique: &[u16]) -> Result<Self> {
        let sizes = &known.sizes;
        let size = |attribute: u16| sizes.get(usize::from(attribute)).map(|size| u64::from(*size));
        let all = |attributes: &[u16]| {
            attributes
                .iter()
                .try_fold(1u64, |cells, a| cells.checked_mul(size(*a)?))
                .filter(|cells| *cells < 1 << 32)
        };
        if clique.iter().any(|attribute| size(*attribute).is_none()) {
            return Err(invalid("a clique names an attribute that is not there"));
        }
        let rooted: Vec<_> = clique.iter().map(|attribute| known.of(*attribute)).collect();
        let roots = known.roots(clique);
        let (Some(cells), Some(fine)) = (all(clique), all(&roots)) else {
            let message = "a clique, or what its attributes are derived from, has 2^32 cells or more: use fewer attributes";
            return Err(Error::new(Code::ModelTooLarge, message));
        };
        // What each code of a root adds to the place in the clique.
        let mut steps: Vec<Vec<u32>> =
            roots.iter().map(|root| vec![0; sizes[usize::from(*root)] as usize]).collect();
        let mut stride = 1;
        for (attribute, (root, codes)) in clique.iter().zip(&rooted).rev() {
            let place = roots.partition_point(|other| other < root);
            for (code, step) in steps[place].iter_mut().enumerate() {
                *step += stride * codes.map_or(code as u32, |codes| u32::from(codes[code]));
            }
            stride *= size(*attribute).unwrap_or(1) as u32;
        }
        let mut of = Vec::new();
        of.try_reserve_exact(fine as usize).map_err(|_| Error::out_of_memory(4 * fine as usize))?;
        of.push(0);
        for step in steps.iter().rev() {
            let within = of.len();
            for code in 1..step.len() {
                of.extend_from_within(..within);
                of[code * within..].iter_mut().for_each(|place| *place += step[code]);
            }
            of[..within].iter_mut().for_each(|place| *place += step[0]);
        }
        Ok(Self { roots, of, cells: cells as usize })
    }

    /// Whether the cells are those of the roots, in the same order.
    pub fn same(&self) -> bool {
        self.cells == self.of.len() && (0..).zip(&self.of).all(|(own, place)| own == *place)
    }
}

/// For each cell of a clique, the last attribute fastest, the cell of some of its attributes, in their own order.
pub fn cells_of_some(sizes: &[u32], clique: &[u16], some: &[u16]) -> Vec<u32> {
    let size = |attribute: &u16| sizes[usize::from(*attribute)];
    let stride = |attribute: &u16| {
        let at = some.iter().position(|other| other == attribute);
        at.map_or(0, |at| some[at + 1..].iter().map(size).product())
    };
    let mut cells = vec![0];
    for attribute in clique {
        let stride: u32 = stride(attribute);
        cells = cells
            .iter()
            .flat_map(|cell| (0..size(attribute)).map(move |code| cell + code * stride))
            .collect();
    }
    cells
}
