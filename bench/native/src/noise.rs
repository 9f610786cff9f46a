//! Draws noise of one law.

use crate::Contender;
use marginalia_privacy::random::{Entropy, Generator, Keys};
use marginalia_privacy::rational::parse;
use marginalia_privacy::sampler::{Law, Noise, Scale};
use marginalia_tables::Result;
use serde_json::{Value, json};

pub struct Drawing {
    law: Law,
    generator: Generator,
    noise: Vec<i64>,
}

/// The key is fixed: a benchmark protects nobody.
pub struct Fixed;

impl Entropy for Fixed {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        bytes.fill(7);
        Ok(())
    }
}

impl Drawing {
    /// `draws` of a `law` with b or σ of `scale`.
    pub fn new(task: &Value) -> Self {
        let spread = parse(task["scale"].as_str().expect("a scale")).expect("a fraction");
        let scale = |x| Scale::at_least(&x).expect("within the limits");
        let law = match task["law"].as_str() {
            Some("gaussian") => Law::gaussian(scale(&spread * &spread)),
            _ => Law::laplace(scale(spread)),
        };
        let draws = task["draws"].as_u64().expect("draws") as usize;
        let generator = Generator::new(&mut Keys::new(Fixed)).expect("the key is there");
        Self { law: law.expect("within the limits"), generator, noise: vec![0; draws] }
    }
}

impl Contender for Drawing {
    /// Noise has no expected value.
    fn answer(&mut self) -> Value {
        json!(null)
    }

    /// As a measurement draws: the table of the law is made anew each time.
    fn run(&mut self) -> u64 {
        Noise::new(self.law).fill(&mut self.generator, &mut self.noise);
        self.noise.len() as u64
    }
}
