//! Private rows. They come in through [`SealedReader`] and never leave: a [`Sealed`] table answers only what this crate
//! measures or selects from it, and each of those takes a grant.

use crate::bounded::Bounded;
use crate::counts::Kept;
use crate::random::{Generator, Keys};
use crate::unit::{Neighbours, Unit};
use marginalia_tables::held::Held;
use marginalia_tables::read::{BadRows, Encoding, Format, LenientOptions, LenientReader};
use marginalia_tables::{Domain, Result, Schema, Table};
use std::fmt;
use std::sync::Arc;

/// How a private text is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealOptions {
    /// How rows and fields are written.
    pub format: Format,
    /// How characters are written.
    pub encoding: Encoding,
    /// What becomes of a record that is no row.
    pub bad_rows: BadRows,
}

/// Reads private rows. It tells nothing of them: no number, and no error but of the header and of memory.
pub struct SealedReader {
    reader: LenientReader,
    rows: Bounded,
    neighbours: Neighbours,
    held: Held,
}

impl SealedReader {
    /// A reader under a schema that has a code for every text. The rows of each unit are bounded while they are read,
    /// where the unit is a column; that needs entropy.
    pub fn new(
        schema: Arc<Schema>,
        options: &SealOptions,
        neighbours: Neighbours,
        keys: &mut Keys,
    ) -> Result<Self> {
        let held = Held::default();
        let table = Table::new(schema.clone(), false, &[]);
        let (name, rows) = match &neighbours.unit {
            Unit::Column { column, max_rows } => {
                let point = options.format.point();
                (Some(column.clone()), Bounded::by_unit(table, *max_rows, point, Generator::new(keys)?))
            }
            Unit::Row | Unit::Declared { .. } => (None, Bounded::all(table)),
        };
        let SealOptions { format, encoding, bad_rows } = options.clone();
        let reader = LenientReader::new(schema, LenientOptions { format, encoding, bad_rows, name })?;
        Ok(Self { reader, rows, neighbours, held })
    }

    /// Reads a piece of the text.
    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.reader.push(bytes, &mut self.rows)
    }

    /// Seals what was read.
    pub fn finish(mut self) -> Result<Sealed> {
        self.reader.finish(&mut self.rows)?;
        let kept = Arc::default();
        Ok(Sealed { table: Arc::new(self.rows.table), neighbours: self.neighbours, kept, _held: self.held })
    }
}

/// A sealed table. Nobody else can open it:
///
/// ```compile_fail,E0616
/// fn rows(sealed: &marginalia_privacy::sealed::Sealed) -> usize {
///     sealed.table.rows()
/// }
/// ```
///
/// nor take it apart:
///
/// ```compile_fail,E0451
/// fn taken(sealed: marginalia_privacy::sealed::Sealed) {
///     let marginalia_privacy::sealed::Sealed { table, .. } = sealed;
/// }
/// ```
///
/// nor count in it, as in a table that is public:
///
/// ```compile_fail,E0277
/// use marginalia_tables::count::CountSource;
/// fn counted(_: impl CountSource) {}
/// fn all(sealed: marginalia_privacy::sealed::Sealed) {
///     counted(sealed);
/// }
/// ```
///
/// nor measure in it without a grant:
///
/// ```compile_fail,E0061
/// use marginalia_privacy::{measure::Request, sealed::Sealed};
/// fn free(sealed: &Sealed, requests: Vec<Request>) {
///     let _ = sealed.measure(requests, 1 << 20);
/// }
/// ```
///
/// nor see in a measurement what it was before the noise:
///
/// ```compile_fail,E0616
/// fn exact(measuring: &marginalia_privacy::measure::Measuring) -> u64 {
///     measuring.counting.done()
/// }
/// ```
///
/// What does work, in the order of the above:
///
/// ```
/// use marginalia_privacy::{account::Grant, measure::{Measuring, Request}, sealed::Sealed};
/// use marginalia_tables::{Table, count::CountSource};
/// use std::sync::Arc;
/// fn codes(sealed: &Sealed) -> u32 {
///     sealed.domain().sizes()[0]
/// }
/// fn whole(sealed: Sealed) {
///     let Sealed { .. } = sealed;
/// }
/// fn counted(_: impl CountSource) {}
/// fn all(table: Table) {
///     counted(table);
/// }
/// fn paid(sealed: &Sealed, grant: Grant, requests: Vec<Request>) {
///     let _ = sealed.measure(grant, requests, 1 << 20);
/// }
/// fn price(measuring: &Measuring) -> bool {
///     measuring.paid().price > Default::default()
/// }
/// ```
#[derive(Clone)]
pub struct Sealed {
    /// Read by this crate alone, and only for what a grant was given up.
    pub(crate) table: Arc<Table>,
    pub(crate) neighbours: Neighbours,
    /// The counts of workloads that selections were made over.
    pub(crate) kept: Arc<Kept>,
    _held: Held,
}

impl Sealed {
    /// The number of codes of each attribute, which the schema declares.
    pub fn domain(&self) -> Domain {
        self.table.domain()
    }

    /// What one unit is, and what it means to be without it.
    pub fn neighbours(&self) -> &Neighbours {
        &self.neighbours
    }
}

impl fmt::Debug for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sealed { .. }")
    }
}
