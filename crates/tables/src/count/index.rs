//! Cell numbers of rows: the columns of a pass with their strides, and plain loops for large cliques.

use crate::{Codes, Table};
use std::ops::Range;

/// One column of a pass within a chunk, and how far apart the cells of neighbouring codes are.
pub enum Column<'a> {
    /// A byte per row.
    U8(&'a [u8], u64),
    /// Two bytes per row.
    U16(&'a [u16], u64),
}

/// The columns of `attributes` in a chunk. Attributes with one code add nothing to a cell number and are left out.
pub fn columns<'a>(table: &'a Table, attributes: &[u16], chunk: usize) -> Vec<Column<'a>> {
    let sizes = table.schema().sizes();
    let mut stride = 1u64;
    let mut columns = Vec::with_capacity(attributes.len());
    for &a in attributes.iter().rev() {
        let size = u64::from(sizes[usize::from(a)]);
        if size > 1 {
            columns.push(match &table.columns()[usize::from(a)] {
                Codes::U8(codes) => Column::U8(codes.chunk(chunk), stride),
                Codes::U16(codes) => Column::U16(codes.chunk(chunk), stride),
            });
        }
        stride *= size;
    }
    columns
}

/// Writes the cell numbers of some rows of a chunk.
pub fn cells(columns: &[Column], rows: Range<usize>, cells: &mut [u64]) {
    cells.fill(0);
    for column in columns {
        match column {
            Column::U8(codes, stride) => add(&codes[rows.clone()], *stride, cells),
            Column::U16(codes, stride) => add(&codes[rows.clone()], *stride, cells),
        }
    }
}

fn add<T: Copy + Into<u64>>(codes: &[T], stride: u64, cells: &mut [u64]) {
    for (cell, code) in cells.iter_mut().zip(codes) {
        *cell += (*code).into() * stride;
    }
}
