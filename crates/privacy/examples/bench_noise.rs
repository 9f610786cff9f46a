//! Times the draws of noise: `bench_noise [draws] [repeats]`, one line of JSON for each law, scale and way.
//!
//! The key is fixed: a benchmark protects nobody.

use marginalia_privacy::random::{Entropy, Generator, Keys};
use marginalia_privacy::sampler::{Law, Noise, Scale, general};
use marginalia_tables::error::Result;
use num_bigint::BigInt;
use num_rational::BigRational;
use std::time::Instant;

/// Scales b or σ as fractions: from noise that is mostly 0 to noise that fills words.
const SPREADS: [(u64, u64); 5] = [(1, 2), (7, 3), (10, 1), (10_000, 1), (1 << 40, 1)];

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let argument = |i: usize, or: usize| numbers.get(i).copied().unwrap_or(or);
    let (draws, repeats) = (argument(0, 1_000_000), argument(1, 5));
    let mut generator = Generator::new(&mut Keys::new(Fixed)).expect("the key is there");
    let mut words = vec![0; draws];
    let least = shortest(repeats, || words.iter_mut().for_each(|word| *word = generator.next_u64() as i64));
    print("words", "chacha20", "", draws, least);
    for (p, q) in SPREADS {
        let spread = BigRational::new(BigInt::from(p), BigInt::from(q));
        let scale = |x: &BigRational| Scale::at_least(x).expect("within the limits");
        let laplace = Law::laplace(scale(&spread)).expect("within the limits");
        let gaussian = Law::gaussian(scale(&(&spread * &spread))).expect("within the limits");
        for (name, law) in [("laplace", laplace), ("gaussian", gaussian)] {
            time(name, law, &mut generator, &mut words, repeats);
        }
    }
}

fn time(name: &str, law: Law, generator: &mut Generator, noise: &mut [i64], repeats: usize) {
    let spread = law.scale().to_string();
    let setting_up = shortest(repeats, || {
        std::hint::black_box(marginalia_privacy::sampler::table::Table::new(law));
    });
    print(name, "table", &spread, 1, setting_up);
    // As a measurement draws: the table is made anew each time.
    let least = shortest(repeats, || Noise::new(law).fill(generator, noise));
    print(name, "fill", &spread, noise.len(), least);
    let few = noise.len() / 100;
    let least =
        shortest(repeats, || noise[..few].iter_mut().for_each(|draw| *draw = general(law, generator)));
    print(name, "general", &spread, few, least);
}

/// The least of the times, in nanoseconds.
fn shortest(repeats: usize, mut run: impl FnMut()) -> u128 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_nanos()
    };
    (0..repeats).map(time).min().unwrap_or_default()
}

fn print(law: &str, way: &str, scale: &str, draws: usize, nanoseconds: u128) {
    let each = nanoseconds as f64 / draws as f64;
    println!(r#"{{"law":"{law}","way":"{way}","scale":"{scale}","draws":{draws},"ns_per_draw":{each:.2}}}"#);
}

struct Fixed;

impl Entropy for Fixed {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        bytes.fill(7);
        Ok(())
    }
}
