//! Contractions at the speed of products of matrices. Sums are taken in one order, lane by lane, wherever they run.

use crate::contraction::{Contraction, Group};

/// The lanes of a sum along a vector.
const LANES: usize = 4;

/// `out = Σ a·b`, or more of it where `ADD`.
pub(crate) fn contract<const ADD: bool>(plan: &Contraction, out: &mut [f64], a: &[f64], b: &[f64]) {
    let (a, b) = if plan.swapped { (b, a) } else { (a, b) };
    for &[out_at, a_at, b_at] in &plan.batch {
        let tensors = (&mut out[out_at as usize..], &a[a_at as usize..], &b[b_at as usize..]);
        match plan.vector {
            Group::Sum => dots::<ADD>(plan, tensors),
            Group::Batch => products::<ADD, false>(plan, tensors),
            _ => products::<ADD, true>(plan, tensors),
        }
    }
}

type Tensors<'a> = (&'a mut [f64], &'a [f64], &'a [f64]);

/// A vector that `out` and `a` have, and `b` where it is not to be `SPLAT`.
fn products<const ADD: bool, const SPLAT: bool>(plan: &Contraction, (out, a, b): Tensors<'_>) {
    for &[row, row_a] in &plan.rows {
        let tensors = (&mut out[row as usize..], &a[row_a as usize..], b);
        let (fours, rest) = plan.columns.as_chunks::<4>();
        let (out, a, b) = tensors;
        for columns in fours {
            strips::<4, LANES, ADD, SPLAT>(plan, columns, (out, a, b));
        }
        let (twos, ones) = rest.as_chunks::<2>();
        for columns in twos {
            strips::<2, { 2 * LANES }, ADD, SPLAT>(plan, columns, (out, a, b));
        }
        for column in ones {
            strips::<1, { 4 * LANES }, ADD, SPLAT>(plan, &[*column], (out, a, b));
        }
    }
}

/// So many columns, `L` cells of the vector at a time.
#[inline(always)]
fn strips<const C: usize, const L: usize, const ADD: bool, const SPLAT: bool>(
    plan: &Contraction,
    columns: &[[u32; 2]; C],
    (out, a, b): Tensors<'_>,
) {
    let mut j = 0;
    while j + L <= plan.width {
        strip::<C, L, ADD, SPLAT>(plan, columns, j, (out, a, b));
        j += L;
    }
    while L > LANES && j + LANES <= plan.width {
        strip::<C, LANES, ADD, SPLAT>(plan, columns, j, (out, a, b));
        j += LANES;
    }
    while j < plan.width {
        strip::<C, 1, ADD, SPLAT>(plan, columns, j, (out, a, b));
        j += 1;
    }
}

#[inline(always)]
fn strip<const C: usize, const L: usize, const ADD: bool, const SPLAT: bool>(
    plan: &Contraction,
    columns: &[[u32; 2]; C],
    j: usize,
    (out, a, b): Tensors<'_>,
) {
    let mut sums = [[0.0; L]; C];
    for &[sum_a, sum_b] in &plan.sums {
        let x = lanes::<L>(a, sum_a as usize + j);
        for (sum, [_, column]) in sums.iter_mut().zip(columns) {
            let at = (sum_b + column) as usize;
            if SPLAT {
                let y = b[at];
                (0..L).for_each(|l| sum[l] += x[l] * y);
            } else {
                let y = lanes::<L>(b, at + j);
                (0..L).for_each(|l| sum[l] += x[l] * y[l]);
            }
        }
    }
    for (sum, [column, _]) in sums.iter().zip(columns) {
        let to = &mut out[*column as usize + j..][..L];
        for l in 0..L {
            to[l] = if ADD { to[l] + sum[l] } else { sum[l] };
        }
    }
}

/// A vector that `a` and `b` have, and `out` has not.
fn dots<const ADD: bool>(plan: &Contraction, (out, a, b): Tensors<'_>) {
    let (row_pairs, odd_row) = plan.rows.as_chunks::<2>();
    let (column_pairs, odd_column) = plan.columns.as_chunks::<2>();
    for rows in row_pairs {
        for columns in column_pairs {
            block::<2, 2, ADD>(plan, rows, columns, (out, a, b));
        }
        for column in odd_column {
            block::<2, 1, ADD>(plan, rows, &[*column], (out, a, b));
        }
    }
    for row in odd_row {
        for columns in column_pairs {
            block::<1, 2, ADD>(plan, &[*row], columns, (out, a, b));
        }
        for column in odd_column {
            block::<1, 1, ADD>(plan, &[*row], &[*column], (out, a, b));
        }
    }
}

#[inline(always)]
fn block<const R: usize, const C: usize, const ADD: bool>(
    plan: &Contraction,
    rows: &[[u32; 2]; R],
    columns: &[[u32; 2]; C],
    (out, a, b): Tensors<'_>,
) {
    let mut sums = [[[0.0; LANES]; C]; R];
    let mut rests = [[0.0; C]; R];
    for &[sum_a, sum_b] in &plan.sums {
        let from = |at: u32| at as usize..at as usize + plan.width;
        let x = rows.map(|[_, row]| &a[from(sum_a + row)]);
        let y = columns.map(|[_, column]| &b[from(sum_b + column)]);
        let whole = plan.width / LANES * LANES;
        for j in (0..whole).step_by(LANES) {
            let x = x.map(|x| lanes::<LANES>(x, j));
            let y = y.map(|y| lanes::<LANES>(y, j));
            for r in 0..R {
                for c in 0..C {
                    (0..LANES).for_each(|l| sums[r][c][l] += x[r][l] * y[c][l]);
                }
            }
        }
        for j in whole..plan.width {
            for r in 0..R {
                for c in 0..C {
                    rests[r][c] += x[r][j] * y[c][j];
                }
            }
        }
    }
    for r in 0..R {
        for c in 0..C {
            let [p, q, s, t] = sums[r][c];
            let sum = ((p + s) + (q + t)) + rests[r][c];
            let to = &mut out[(rows[r][0] + columns[c][0]) as usize];
            *to = if ADD { *to + sum } else { sum };
        }
    }
}

#[inline(always)]
fn lanes<const L: usize>(values: &[f64], at: usize) -> [f64; L] {
    let mut lanes = [0.0; L];
    lanes.copy_from_slice(&values[at..at + L]);
    lanes
}
