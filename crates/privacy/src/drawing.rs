//! What is asked of exact counts, and the noise that goes on it.
//!
//! Answers are made block by block, on as many threads as there are generators. Each thread has a generator to itself, and which
//! answers it draws the noise of follows from the requests alone. Streams of different keys are independent, and no draw
//! is made of two of them, so the noise is what it would be from one.

use crate::measure::{Noisy, Request, cells_of};
use crate::random::Generator;
use crate::sampler::{Law, Noise};
use marginalia_tables::count::Answers;
use marginalia_tables::query::Query;
use marginalia_tables::{Code, Error, Result};
#[cfg(feature = "threads")]
use rayon::prelude::*;

/// Values beyond ±2⁵² are ±2⁵², by definition: whole numbers that a double holds exactly.
///
/// Noise is cut at twice that, which no sum may show: a count added to the largest noise would be seen as it is. So
/// counts are cut here as well, which brings neighbours no farther apart, and then the largest noise leads beyond ±2⁵²
/// whatever the count, where all sums are one.
const MOST: i64 = 1 << 52;

/// Answers that are made at once, where those of one group are not more.
const BLOCK: usize = 1 << 12;

/// Draws that are worth another thread.
const GRAIN: usize = 1 << 14;

/// How many generators can be used at the same time.
pub fn threads() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    1
}

/// Answers of one request that one generator makes.
struct Part<'a> {
    query: &'a Query,
    noise: &'a Noise,
    /// The cells and the answers of a group.
    cells: usize,
    answers: usize,
    /// The first cell, counted over all cliques.
    first: u64,
    /// Of whole groups.
    values: &'a mut [f64],
}

/// Queries on exact counts, each with noise of its law.
pub(crate) fn noisy(
    counts: &Answers,
    requests: &[Request],
    generators: &mut [Generator],
) -> Result<Vec<Noisy>> {
    let shapes: Vec<(usize, usize)> =
        requests.iter().map(|request| shape(counts, request)).collect::<Result<_>>()?;
    let mut all: Vec<Noisy> = Vec::with_capacity(requests.len());
    let mut samplers = Vec::new();
    for (i, (request, (cells, answers))) in requests.iter().zip(&shapes).enumerate() {
        let range = counts.workload().cells(i);
        let draws = answers * ((range.end - range.start) as usize / cells);
        sampler(&mut samplers, request.law).expect(draws);
        all.push(Noisy { values: zeros(draws)?, law: request.law, variance: request.law.variance() });
    }
    // A table takes as long as some ten thousand draws.
    each(samplers.iter_mut().collect(), |noise: &mut Noise| {
        noise.prepare();
        Ok(())
    })?;
    let lanes = lanes(counts, requests, &shapes, &mut all, &samplers, generators.len())?;
    each(lanes.into_iter().zip(generators).collect(), |(parts, generator)| {
        let mut noise = Vec::new();
        parts.into_iter().try_for_each(|part| part.draw(counts, generator, &mut noise))
    })?;
    Ok(all)
}

/// The cells and the answers of what is asked at a time: of a group, or of a cell where each is asked for itself.
fn shape(counts: &Answers, request: &Request) -> Result<(usize, usize)> {
    match &request.query {
        Query::Identity => Ok((1, 1)),
        query => {
            let cells = cells_of(counts.workload().domain(), &request.clique)?;
            Ok((cells, query.answers(cells)?))
        }
    }
}

/// Answers in runs of about as many, in order, one run for each generator that is worth it.
fn lanes<'a>(
    counts: &Answers,
    requests: &'a [Request],
    shapes: &[(usize, usize)],
    all: &'a mut [Noisy],
    samplers: &'a [Noise],
    generators: usize,
) -> Result<Vec<Vec<Part<'a>>>> {
    if generators == 0 {
        return Err(Error::new(Code::EntropyUnavailable, "noise needs a generator, one at least"));
    }
    let draws: usize = all.iter().map(|noisy| noisy.values.len()).sum();
    let lanes = draws.div_ceil(GRAIN).clamp(1, generators);
    // All but the last run have at least as many, so there are no more runs than generators.
    let each = draws.div_ceil(lanes);
    let (mut runs, mut left) = (vec![Vec::new()], each);
    for (i, ((request, (cells, answers)), noisy)) in requests.iter().zip(shapes).zip(all).enumerate() {
        let noise = samplers.iter().find(|noise| noise.law() == request.law);
        let noise = noise.ok_or_else(|| Error::new(Code::OptionInvalid, "a request has no sampler"))?;
        let (mut rest, mut first) = (&mut noisy.values[..], counts.workload().cells(i).start);
        while !rest.is_empty() {
            if left == 0 {
                runs.push(Vec::new());
                left = each;
            }
            let groups = left.div_ceil(*answers).min(rest.len() / answers);
            let (values, later) = rest.split_at_mut(groups * answers);
            (rest, left) = (later, left.saturating_sub(values.len()));
            let part = Part { query: &request.query, noise, cells: *cells, answers: *answers, first, values };
            if let Some(run) = runs.last_mut() {
                run.push(part);
            }
            first += (groups * cells) as u64;
        }
    }
    Ok(runs)
}

impl Part<'_> {
    fn draw(self, counts: &Answers, generator: &mut Generator, noise: &mut Vec<i64>) -> Result<()> {
        let groups = (BLOCK / self.answers.max(self.cells)).max(1);
        let mut first = self.first;
        for values in self.values.chunks_mut(groups * self.answers) {
            let cells = (values.len() / self.answers * self.cells) as u64;
            let exact = counts.block(first..first + cells)?;
            first += cells;
            noise.resize(values.len(), 0);
            self.noise.fill_prepared(generator, noise);
            match self.query {
                Query::Identity => {
                    let exact = exact.iter().map(|count| *count as i64);
                    values.iter_mut().zip(exact).zip(&*noise).for_each(|((v, x), z)| *v = sum(x, *z));
                }
                Query::Linear(matrix) => {
                    let exact = exact.chunks(self.cells).flat_map(|x| matrix.rows().map(|row| dot(row, x)));
                    values.iter_mut().zip(exact).zip(&*noise).for_each(|((v, x), z)| *v = sum(x, *z));
                }
                Query::Product(product) => {
                    let whole = |count: &f64| i128::from(*count as i64);
                    let exact = exact
                        .chunks(self.cells)
                        .flat_map(|x| product.apply(&x.iter().map(whole).collect::<Vec<_>>()));
                    values.iter_mut().zip(exact).zip(&*noise).for_each(|((v, x), z)| *v = sum(shown(x), *z));
                }
            }
        }
        Ok(())
    }
}

/// A row of `W x` in integers, cut as it may be shown; no sum of 2³² rows times 2³¹ over 2²² cells can overflow.
fn dot(row: &[i32], counts: &[f64]) -> i64 {
    let exact: i128 =
        row.iter().zip(counts).map(|(w, count)| i128::from(*w) * i128::from(*count as i64)).sum();
    shown(exact)
}

fn shown(exact: i128) -> i64 {
    exact.clamp(-i128::from(MOST), i128::from(MOST)) as i64
}

fn sum(exact: i64, noise: i64) -> f64 {
    (exact.clamp(-MOST, MOST) + noise).clamp(-MOST, MOST) as f64
}

/// The sampler of a law; requests with one law share it, so that many small ones draw as fast as a large one.
fn sampler(samplers: &mut Vec<Noise>, law: Law) -> &mut Noise {
    let at = samplers.iter().position(|noise| noise.law() == law).unwrap_or_else(|| {
        samplers.push(Noise::new(law));
        samplers.len() - 1
    });
    &mut samplers[at]
}

fn zeros(count: usize) -> Result<Vec<f64>> {
    let mut zeros = Vec::new();
    zeros
        .try_reserve_exact(count)
        .map_err(|_| Error::out_of_memory(count.saturating_mul(size_of::<f64>())))?;
    zeros.resize(count, 0.0);
    Ok(zeros)
}

/// Does something with each of some things, where there are threads on all of them.
fn each<T: Send>(items: Vec<T>, work: impl Fn(T) -> Result<()> + Send + Sync) -> Result<()> {
    #[cfg(feature = "threads")]
    if items.len() > 1 {
        return items.into_par_iter().with_max_len(1).try_for_each(work);
    }
    items.into_iter().try_for_each(work)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::LIMIT;

    #[test]
    fn noise_at_its_limit_hides_every_count() {
        for exact in [0, 1, 1 << 31, -5, MOST, -MOST, i64::MAX, i64::MIN] {
            assert_eq!([sum(exact, LIMIT), sum(exact, -LIMIT)], [MOST as f64, -MOST as f64], "{exact}");
        }
        assert_eq!(
            (sum(7, -9), sum(MOST, -1), sum(i64::MAX, -1)),
            (-2.0, MOST as f64 - 1.0, MOST as f64 - 1.0)
        );
        let (large, counts) = ([i32::MIN; 4], [f64::from(u32::MAX) * 1e6; 4]);
        assert_eq!((dot(&large, &counts), dot(&[3, -1], &[2.0, 7.0])), (-MOST, -1));
    }
}
