//! Selects one of many cells, or passes over them with `exp`.

use crate::Contender;
use crate::noise::Fixed;
use marginalia_privacy::random::{Generator, Keys};
use marginalia_privacy::rational::{Ratio, parse};
use marginalia_privacy::select::{
    Blocks, CellScores, Cells, Difference, Grid, exponential, permute_and_flip,
};
use marginalia_tables::Result;
use serde_json::{Value, json};

/// Cells in one block, as a marginal of two attributes may have.
const BLOCK: usize = 4096;

pub struct Selecting {
    way: String,
    epsilon: Ratio,
    counts: Vec<i64>,
    answers: Vec<f64>,
    generator: Generator,
}

impl Selecting {
    /// Cells with skewed counts and a model that is nearly right; or, `ascending`, one where every cell is half a unit
    /// of the noise better than all before it, so that the best so far changes as often as it can.
    pub fn new(task: &Value) -> Self {
        let candidates = task["candidates"].as_u64().expect("candidates");
        let mut generator = Generator::new(&mut Keys::new(Fixed)).expect("the key is there");
        let mut unit = || (generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let (mut counts, mut answers) = (Vec::new(), Vec::new());
        for i in 0..candidates {
            let size = if task["ascending"] == true { i as f64 } else { 1000.0 * unit().powi(4) };
            let apart = if task["ascending"] == true { size } else { size.sqrt() * (unit() - 0.5) };
            counts.push(size as i64);
            answers.push(size - apart);
        }
        let text = |name: &str| task[name].as_str().expect("a text").to_owned();
        Self {
            way: text("way"),
            epsilon: parse(&text("epsilon")).expect("a fraction"),
            counts,
            answers,
            generator,
        }
    }
}

impl Contender for Selecting {
    /// What is selected is random.
    fn answer(&mut self) -> Value {
        json!(null)
    }

    fn run(&mut self) -> u64 {
        let stored = Stored { counts: &self.counts, answers: &self.answers, at: 0 };
        let grid = Grid::new(10).expect("ten digits are few");
        let mut scores = CellScores::new(stored, grid, Difference::Absolute, 1);
        let chosen = match self.way.as_str() {
            "exponential" => exponential(&mut scores, &self.epsilon, &mut self.generator),
            "permute-and-flip" => permute_and_flip(&mut scores, &self.epsilon, &mut self.generator),
            _ => {
                let sum: f64 = self.answers.iter().map(|x| (x * -0.01).exp()).sum();
                assert!(std::hint::black_box(sum) >= 0.0);
                Ok(0)
            }
        };
        assert!(chosen.expect("one takes part") < self.counts.len() as u64);
        self.counts.len() as u64
    }
}

struct Stored<'a> {
    counts: &'a [i64],
    answers: &'a [f64],
    at: usize,
}

impl Blocks for Stored<'_> {
    fn next(&mut self) -> Result<Option<Cells<'_>>> {
        let range = self.at..(self.at + BLOCK).min(self.counts.len());
        self.at = range.end;
        let (counts, answers) = (&self.counts[range.clone()], &self.answers[range.clone()]);
        Ok((!range.is_empty()).then_some(Cells {
            counts,
            answers,
            penalties: None,
            weights: None,
            mask: None,
        }))
    }
}
