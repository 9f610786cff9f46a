//! What all models on one prior share: its rows, and what it gives to each.

use crate::measurement::cells_of;
use marginalia_compute::vector::room;
use marginalia_tables::{Code, Codes, Domain, Error, Result, Schema, Table};
use std::ops::Range;
use std::sync::Arc;

/// The rows that a prior gives weight to.
#[derive(Debug, Clone)]
pub struct Base {
    grid: Grid,
    prior: Vec<f64>,
    weight: f64,
    dropped: usize,
}

/// Where the codes of rows are.
#[derive(Debug)]
enum Rows {
    Columns(Vec<Codes>),
    /// With the raw numbers that it kept.
    Table(Arc<Table>),
}

impl Rows {
    fn columns(&self) -> &[Codes] {
        match self {
            Self::Columns(columns) => columns,
            Self::Table(table) => table.columns(),
        }
    }
}

/// The codes of rows: their columns, and further ones that are not of their table.
#[derive(Debug, Clone)]
pub struct Grid {
    domain: Domain,
    rows: Arc<Rows>,
    further: Arc<Vec<Codes>>,
    count: usize,
}

/// Columns of codes, and further ones.
#[derive(Debug, Clone, Copy)]
pub struct Columns<'a>(&'a [Codes], &'a [Codes]);

impl Grid {
    /// A table with further columns, whose sizes follow those of its own in the domain.
    pub fn further(table: Arc<Table>, domain: Domain, further: Vec<Codes>) -> Self {
        let count = table.rows();
        Self { domain, rows: Arc::new(Rows::Table(table)), further: Arc::new(further), count }
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.count
    }

    /// The number of codes of each column.
    pub fn domain(&self) -> &Domain {
        &self.domain
    }

    /// All columns.
    pub fn columns(&self) -> Columns<'_> {
        Columns(self.rows.columns(), &self.further)
    }
}

impl From<Arc<Base>> for Grid {
    fn from(base: Arc<Base>) -> Self {
        base.grid.clone()
    }
}

impl<'a> From<&'a [Codes]> for Columns<'a> {
    fn from(columns: &'a [Codes]) -> Self {
        Self(columns, &[])
    }
}

impl<'a> Columns<'a> {
    fn of(self, attribute: usize) -> &'a Codes {
        self.0.get(attribute).unwrap_or_else(|| &self.1[attribute - self.0.len()])
    }
}

impl Base {
    /// A prior from columns of codes and the weight of each row, 1 each when none are given. Rows of weight zero
    /// are dropped, because a distribution of finite relative entropy to the prior gives them nothing.
    pub fn new(domain: Domain, columns: Vec<Codes>, weights: Option<&[f64]>) -> Result<Self> {
        let (prior, weight) = shares(&domain, &columns, weights)?;
        let (all, columns) =
            (prior.len(), if dropped(&prior) > 0 { positive(&columns, &prior)? } else { columns });
        Ok(Self::kept(domain, Rows::Columns(columns), prior, weight, all))
    }

    /// What is left of so many rows, those without a share of the prior taken out.
    fn kept(domain: Domain, rows: Rows, mut prior: Vec<f64>, weight: f64, all: usize) -> Self {
        prior.retain(|share| *share > 0.0);
        prior.iter_mut().for_each(|share| *share /= weight);
        let (count, dropped) = (prior.len(), all - prior.len());
        let grid = Grid { domain, rows: Arc::new(rows), further: Arc::default(), count };
        Self { grid, prior, weight, dropped }
    }

    /// The same rows under another prior, such as the weights of a model: all positive, so that what was made for
    /// the rows still fits. The columns are shared.
    pub fn reweighted(&self, weights: &[f64]) -> Result<Self> {
        let weight: f64 = weights.iter().sum();
        let positive = weights.iter().all(|weight| *weight > 0.0) && weight.is_finite();
        if weights.len() != self.rows() || !positive {
            return Err(invalid("another prior on the same rows needs a positive weight for each of them"));
        }
        let mut prior = room(weights.len())?;
        prior.extend(weights.iter().map(|one| one / weight));
        Ok(Self { grid: self.grid.clone(), prior, weight, dropped: self.dropped })
    }

    /// The rows of a table, best its distinct ones, with their weights. The table is kept as it is.
    pub fn from_table(table: impl Into<Arc<Table>>) -> Result<Self> {
        let table = table.into();
        let weights = table.weights().map(|weights| weights.to_vec()).transpose()?;
        Self::weighted(table, weights.as_deref())
    }

    /// The rows of a table whose weights are the shares of such a prior, of which `weight` is the sum: to the same bits.
    pub fn of_shares(table: Arc<Table>, weight: f64) -> Result<Self> {
        let weights = table.weights().map(|weights| weights.to_vec()).transpose()?;
        let (prior, _) = shares(&table.domain(), table.columns(), weights.as_deref())?;
        let (domain, count) = (table.domain(), prior.len());
        let grid = Grid { domain, rows: Arc::new(Rows::Table(table)), further: Arc::default(), count };
        Ok(Self { grid, prior, weight, dropped: 0 })
    }

    /// The rows of it that are kept, under the schema that they are of; one at least.
    pub fn restricted(&self, schema: &Arc<Schema>, kept: impl Fn(usize) -> bool) -> Result<Self> {
        let mut weights = room(self.rows())?;
        weights
            .extend((0..self.rows()).map(|row| if kept(row) { self.prior[row] * self.weight } else { 0.0 }));
        Self::weighted(self.table(schema)?, Some(&weights))
    }

    fn weighted(table: Arc<Table>, weights: Option<&[f64]>) -> Result<Self> {
        let (domain, all) = (table.domain(), table.rows());
        let (prior, weight) = shares(&domain, table.columns(), weights)?;
        let rows = match dropped(&prior) {
            0 => table,
            _ => {
                let columns = positive(table.columns(), &prior)?;
                let raw = table.raw().iter().map(|raw| raw.restricted(|row| prior[row] > 0.0, all));
                let raw = raw.collect::<Result<_>>()?;
                Arc::new(Table::from_parts(Arc::clone(table.schema()), columns, raw)?)
            }
        };
        Ok(Self::kept(domain, Rows::Table(rows), prior, weight, all))
    }

    /// The rows as a table of their schema; whether it has weights does not matter.
    pub fn table(&self, schema: &Arc<Schema>) -> Result<Arc<Table>> {
        match &*self.grid.rows {
            Rows::Columns(columns) => {
                Ok(Arc::new(Table::from_parts(Arc::clone(schema), columns.clone(), Vec::new())?))
            }
            Rows::Table(table) => Ok(Arc::clone(table)),
        }
    }

    /// The uniform distribution on all cells of a small domain, in their order.
    pub fn full(domain: Domain, limit: u64) -> Result<Self> {
        let all: Vec<u16> = (0..domain.sizes().len() as u16).collect();
        let cells = domain.cells(&all).filter(|cells| cells.saturating_mul(16 + all.len() as u64) <= limit);
        let cells = cells.ok_or_else(|| {
            let message = "the full domain does not fit the memory limit: estimate on the support of a prior";
            Error::new(Code::ModelTooLarge, message)
        })?;
        let mut stride = cells;
        let mut columns = Vec::with_capacity(all.len());
        for size in domain.sizes() {
            stride /= u64::from(*size).max(1);
            let mut column = Codes::new(*size as usize);
            let mut block = Vec::new();
            for first in (0..cells).step_by(4096) {
                block.clear();
                let cells = first..cells.min(first + 4096);
                block.extend(cells.map(|cell| (cell / stride % u64::from(*size)) as u16));
                column.extend(&block)?;
            }
            columns.push(column);
        }
        Self::new(domain, columns, None)
    }

    /// Number of rows of the support.
    pub fn rows(&self) -> usize {
        self.prior.len()
    }

    /// The number of codes of each attribute.
    pub fn domain(&self) -> &Domain {
        &self.grid.domain
    }

    /// The codes of each attribute.
    pub fn columns(&self) -> &[Codes] {
        self.grid.rows.columns()
    }

    /// What the prior gives to each row; sums to 1.
    pub fn prior(&self) -> &[f64] {
        &self.prior
    }

    /// The sum of the weights that the prior was given: the number of its records where weights are multiplicities.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// Rows that were left out because their weight was zero.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Refuses a clique that names an attribute that is not there, or one twice, or has too many cells to number;
    /// otherwise their number.
    pub fn cells(&self, clique: &[u16]) -> Result<u32> {
        cells_of(self.domain(), clique)
    }
}

/// The weights of rows, 1 each when none are given, and their sum; refuses what is no prior.
fn shares(domain: &Domain, columns: &[Codes], weights: Option<&[f64]>) -> Result<(Vec<f64>, f64)> {
    let rows = columns.first().map_or(weights.map_or(0, <[f64]>::len), Codes::len);
    let fits = columns.len() == domain.sizes().len()
        && columns.iter().all(|column| column.len() == rows)
        && weights.is_none_or(|weights| weights.len() == rows);
    if !fits {
        return Err(invalid("the columns and weights of a prior do not fit its schema or each other"));
    }
    if columns.iter().zip(domain.sizes()).any(|(column, size)| !within(column, *size)) {
        return Err(invalid("a prior has a code that its schema does not declare"));
    }
    let mut prior = room(rows)?;
    prior.extend((0..rows).map(|row| weights.map_or(1.0, |weights| weights[row])));
    if prior.iter().any(|weight| !weight.is_finite() || *weight < 0.0) {
        return Err(invalid("weights of a prior must be finite and not negative"));
    }
    let weight: f64 = prior.iter().sum();
    if weight.is_nan() || weight <= 0.0 || weight.is_infinite() {
        return Err(invalid("a prior needs a row of positive weight, and weights with a finite sum"));
    }
    Ok((prior, weight))
}

/// How many have no share.
fn dropped(prior: &[f64]) -> usize {
    prior.iter().filter(|share| **share <= 0.0).count()
}

/// The columns of the rows of positive weight.
fn positive(columns: &[Codes], weights: &[f64]) -> Result<Vec<Codes>> {
    let mut all = Vec::with_capacity(columns.len());
    let mut block = Vec::new();
    for column in columns {
        let mut kept = match column {
            Codes::U8(_) => Codes::new(1),
            Codes::U16(_) => Codes::new(1 << 16),
        };
        for first in (0..weights.len()).step_by(4096) {
            let rows = first..weights.len().min(first + 4096);
            block.clear();
            block.extend(rows.filter(|row| weights[*row] > 0.0).map(|row| column.get(row)));
            kept.extend(&block)?;
        }
        all.push(kept);
    }
    Ok(all)
}

/// Writes the cell of a clique, of less than 2³² cells, that each row of a range lies in.
pub fn cells_of_rows(
    domain: &Domain,
    columns: Columns<'_>,
    clique: &[u16],
    rows: Range<usize>,
    cells: &mut [u32],
) {
    cells.fill(0);
    for attribute in clique {
        let attribute = usize::from(*attribute);
        let size = domain.sizes()[attribute];
        match columns.of(attribute) {
            Codes::U8(codes) => append(codes.iter(), size, rows.clone(), cells),
            Codes::U16(codes) => append(codes.iter(), size, rows.clone(), cells),
        }
    }
}

/// Whether all codes of a column are below the size of its attribute.
fn within(column: &Codes, size: u32) -> bool {
    match column {
        Codes::U8(codes) => codes.iter().flatten().all(|code| u32::from(*code) < size),
        Codes::U16(codes) => codes.iter().flatten().all(|code| u32::from(*code) < size),
    }
}

/// `cell ← cell · size + code` for the rows of a range.
fn append<'a, T: Copy + Into<u32> + 'a>(
    chunks: impl Iterator<Item = &'a [T]>,
    size: u32,
    rows: Range<usize>,
    cells: &mut [u32],
) {
    let mut start = 0;
    for chunk in chunks {
        let end = start + chunk.len();
        let (first, last) = (rows.start.max(start), rows.end.min(end));
        if first < last {
            let codes = &chunk[first - start..last - start];
            for (cell, code) in cells[first - rows.start..].iter_mut().zip(codes) {
                *cell = cell.wrapping_mul(size).wrapping_add((*code).into());
            }
        }
        start = end;
    }
}

/// An error about an option.
pub fn invalid(message: &str) -> Error {
    Error::new(Code::OptionInvalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(size: usize, codes: &[u16]) -> Codes {
        let mut column = Codes::new(size);
        column.extend(codes).unwrap();
        column
    }

    #[test]
    fn rows_without_weight_are_dropped_and_the_rest_sums_to_one() {
        let columns = vec![column(3, &[0, 1, 2, 1]), column(300, &[299, 0, 7, 5])];
        let base = Base::new(Domain::new([3, 300]), columns, Some(&[2.0, 0.0, 1e-12, 6.0])).unwrap();
        assert_eq!((base.rows(), base.dropped(), base.weight()), (3, 1, 8.0 + 1e-12));
        assert!((base.prior().iter().sum::<f64>() - 1.0).abs() < 1e-15);
        let mut cells = [0; 2];
        cells_of_rows(base.domain(), base.columns().into(), &[1, 0], 1..3, &mut cells);
        assert_eq!(cells, [7 * 3 + 2, 5 * 3 + 1]);
    }

    #[test]
    fn what_is_no_prior_is_refused() {
        let one = |weights: &[f64]| {
            let codes = vec![column(2, &vec![0; weights.len()])];
            Base::new(Domain::new([2]), codes, Some(weights)).map(|base| base.rows())
        };
        assert_eq!(one(&[1.0]), Ok(1));
        for wrong in [&[][..], &[0.0], &[-1.0, 2.0], &[f64::NAN], &[f64::INFINITY], &[1e308, 1e308]] {
            assert_eq!(one(wrong).unwrap_err().code, Code::OptionInvalid);
        }
        let base = Base::new(Domain::new([2]), vec![column(2, &[0, 1])], None).unwrap();
        assert_eq!(base.reweighted(&[1.0, 3.0]).unwrap().prior(), [0.25, 0.75]);
        for wrong in [&[1.0][..], &[0.0, 1.0], &[f64::NAN, 1.0], &[1e308, 1e308]] {
            assert_eq!(base.reweighted(wrong).unwrap_err().code, Code::OptionInvalid);
        }
        let short = Base::new(Domain::new([2, 2]), vec![column(2, &[0]), column(2, &[])], None);
        assert_eq!(short.unwrap_err().code, Code::OptionInvalid);
        let outside = Base::new(Domain::new([2]), vec![column(3, &[2])], None);
        assert_eq!(outside.unwrap_err().code, Code::OptionInvalid);
    }

    #[test]
    fn a_full_domain_has_its_cells_in_order() {
        let base = Base::full(Domain::new([3, 1, 4]), 1 << 20).unwrap();
        let mut cells = [0; 12];
        cells_of_rows(base.domain(), base.columns().into(), &[0, 1, 2], 0..12, &mut cells);
        assert_eq!(cells, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        assert!(base.prior().iter().all(|p| (p - 1.0 / 12.0).abs() < 1e-16));
        assert_eq!(Base::full(Domain::new([3, 4]), 100).unwrap_err().code, Code::ModelTooLarge);
        assert_eq!(Base::full(Domain::new([3, 0]), 100).unwrap_err().code, Code::OptionInvalid);
    }

    #[test]
    fn cells_cross_the_chunks_of_columns() {
        let codes: Vec<u16> = (0..70_000u32).map(|row| (row % 251) as u16).collect();
        let base = Base::new(Domain::new([251]), vec![column(251, &codes)], None).unwrap();
        let mut cells = vec![0; 2048];
        cells_of_rows(base.domain(), base.columns().into(), &[0], 65_000..67_048, &mut cells);
        assert!((65_000..67_048u32).zip(&cells).all(|(row, cell)| *cell == row % 251));
        assert_eq!(base.cells(&[0, 0]).unwrap_err().code, Code::OptionInvalid);
        assert_eq!(base.cells(&[1]).unwrap_err().code, Code::AttributeUnknown);
        let wide = Base::new(Domain::new([1 << 16; 2]), vec![column(1 << 16, &[3]); 2], None).unwrap();
        assert_eq!(wide.cells(&[0, 1]).unwrap_err().code, Code::ModelTooLarge);
    }
}
