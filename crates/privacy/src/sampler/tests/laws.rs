//! Each way to draw, against the law, over the grid of scales.

use super::super::table::Table;
use super::super::{Noise, general};
use super::verdict::verdict;
use super::{SPREADS, fraction, gaussian, generator, grid, laplace, many};
use crate::random::Generator;

#[test]
fn the_fast_way_follows_the_law() {
    for (key, law) in (1..).zip(grid()) {
        let mut sample = vec![0; many()];
        Noise::new(law).fill(&mut generator(key), &mut sample);
        verdict(law, &sample).unwrap_or_else(|failed| panic!("{law:?}: {failed}"));
    }
}

#[test]
fn the_general_way_follows_the_law() {
    for (key, law) in (50..).zip(grid()) {
        let mut stream = generator(key);
        let sample: Vec<i64> = (0..many() / 5).map(|_| general(law, &mut stream)).collect();
        verdict(law, &sample).unwrap_or_else(|failed| panic!("{law:?}: {failed}"));
    }
}

/// With 8 or 11 digits some draws in a hundred equal the digits of a sum, and take the path that 63 digits make
/// rare: to take either side of the sum for granted would be found out with 8.
#[test]
fn the_rare_paths_follow_the_law() {
    for (key, law) in (100..).zip(grid()) {
        let (digits, draws) = if law.variance() < 30.0 { (8, 100_000) } else { (11, 10_000) };
        let table = Table::with_digits(law, digits).expect("the grid is within the table's reach");
        let mut stream = generator(key);
        let sample: Vec<i64> = (0..draws).map(|_| table.draw(&mut stream)).collect();
        verdict(law, &sample).unwrap_or_else(|failed| panic!("{law:?}: {failed}"));
    }
}

#[test]
fn spreads_beyond_the_table_are_drawn_the_general_way() {
    for law in [laplace(&fraction(1 << 48, 1)), gaussian(&fraction(1 << 48, 1))] {
        assert!(Table::new(law).is_none());
        let mut sample = vec![0; 20_000];
        Noise::new(law).fill(&mut generator(150), &mut sample);
        verdict(law, &sample).unwrap_or_else(|failed| panic!("{law:?}: {failed}"));
    }
}

#[test]
fn few_draws_and_many_have_one_law() {
    let law = laplace(&fraction(7, 3));
    let (mut noise, mut stream) = (Noise::new(law), generator(151));
    let mut sample: Vec<i64> = (0..100_000).map(|_| noise.draw(&mut stream)).collect();
    assert!(noise.table.is_none());
    let mut block = vec![0; 100_000];
    noise.fill(&mut stream, &mut block);
    assert!(noise.table.is_some());
    sample.append(&mut block);
    let mut known = Noise::new(law);
    let many = Table::entries(law);
    known.expect(many - 1);
    known.draw(&mut stream);
    assert!(known.table.is_none());
    known.expect(1);
    known.draw(&mut stream);
    assert!(known.table.is_some(), "{many} draws, whatever the calls they are drawn in");
    verdict(law, &sample).unwrap_or_else(|failed| panic!("{failed}"));
}

#[test]
fn tiny_scales_give_zero() {
    for law in [laplace(&fraction(1, 1000)), gaussian(&fraction(1, u64::MAX))] {
        let mut sample = [1; 1000];
        Noise::new(law).fill(&mut generator(152), &mut sample);
        assert_eq!(sample, [0; 1000]);
        assert_eq!(general(law, &mut generator(153)), 0);
    }
}

/// Words of the generator per draw, as the comments promise: the word after the draws is looked up in a second
/// stream of the same key.
#[test]
fn draws_take_few_words() {
    let words = |draw: &mut dyn FnMut(&mut Generator), draws: usize| {
        let (mut stream, mut again) = (generator(154), generator(154));
        (0..draws).for_each(|_| draw(&mut stream));
        let next = stream.next_u64();
        let used = (0..).find(|_| again.next_u64() == next).unwrap_or(usize::MAX);
        used as f64 / draws as f64
    };
    for ((p, q), law) in SPREADS.iter().flat_map(|spread| [spread, spread]).zip(grid()) {
        let table = Table::new(law).expect("within reach");
        let fast = words(
            &mut |stream| {
                table.draw(stream);
            },
            10_000,
        );
        // One word, or two and a few more; a block beyond 2³² takes a word of its own.
        let (least, most) = if p / q < 32 {
            (1.0, 1.001)
        } else if p / q < 1 << 37 {
            (2.0, 2.2)
        } else {
            (3.0, 3.3)
        };
        assert!((least..=most).contains(&fast), "{law:?}: {fast}");
        let general = words(
            &mut |stream| {
                general(law, stream);
            },
            2_000,
        );
        assert!(general < 40.0, "{law:?}: {general}");
    }
}
