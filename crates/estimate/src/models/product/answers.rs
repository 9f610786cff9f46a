//! Answers of a product: the outer product of the shares of the attributes of a clique.

use super::ProductModel;
use crate::job::Pace;
use crate::models::Model;
use marginalia_tables::room::listed;
use marginalia_tables::{Result, Workload};

/// Cells that are filled at once.
const BLOCK: usize = 1 << 16;

/// A cell of some attributes: where its cells of the whole clique begin, and its share.
type Part = (usize, f64);

/// The counts of all cells, clique after clique.
pub async fn answers(model: &ProductModel, workload: &Workload, pace: &Pace) -> Result<Vec<f64>> {
    let mut answers = listed(std::iter::repeat_n(0.0, workload.total_cells() as usize))?;
    for clique in 0..workload.len() {
        let cells = workload.cells(clique);
        let answers = &mut answers[cells.start as usize..cells.end as usize];
        let factors = factors(model, workload.clique(clique));
        // All but the last factor at once, whose cells are filled block by block.
        let (last, first) =
            factors.split_last().map_or((&[(0, 1.0)][..], &[][..]), |(last, rest)| (last, rest));
        let mut parts: Vec<Part> = vec![(0, model.total())];
        for factor in first {
            parts = outer(&parts, factor);
            pace.did(parts.len()).await;
        }
        for block in parts.chunks((BLOCK / last.len().max(1)).max(1)) {
            for (start, share) in block {
                last.iter().for_each(|(offset, part)| answers[start + offset] += share * part);
            }
            pace.did(block.len() * last.len()).await;
        }
    }
    Ok(answers)
}

/// For each attribute that those of a clique follow from, the cells of the clique that differ by it.
fn factors(model: &ProductModel, clique: &[u16]) -> Vec<Vec<Part>> {
    let schema = model.schema();
    let mut stride = 1;
    let mut factors: Vec<(usize, Vec<Part>)> = Vec::new();
    for attribute in clique.iter().rev().map(|attribute| usize::from(*attribute)) {
        let (root, codes) = schema.root(attribute);
        let place = factors.iter().position(|(other, _)| *other == root).unwrap_or_else(|| {
            factors.push((root, model.shares()[root].iter().map(|share| (0, *share)).collect()));
            factors.len() - 1
        });
        for (code, (offset, _)) in factors[place].1.iter_mut().enumerate() {
            *offset += stride * codes.as_ref().map_or(code, |codes| usize::from(codes[code]));
        }
        stride *= schema.attributes()[attribute].size();
    }
    // The last attribute's cells are next to each other.
    factors.reverse();
    factors.into_iter().map(|(_, cells)| merged(cells)).collect()
}

/// Cells, each once.
fn merged(mut cells: Vec<Part>) -> Vec<Part> {
    cells.sort_by_key(|(offset, _)| *offset);
    cells.dedup_by(|(offset, share), (before, sum)| {
        let same = offset == before;
        *sum += f64::from(u8::from(same)) * *share;
        same
    });
    cells
}

fn outer(parts: &[Part], factor: &[Part]) -> Vec<Part> {
    let cell = |(start, all): &Part, (offset, part): &Part| (start + offset, all * part);
    parts.iter().flat_map(|whole| factor.iter().map(move |part| cell(whole, part))).collect()
}
