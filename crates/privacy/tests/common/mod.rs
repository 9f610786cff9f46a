//! Small sealed tables, generators with known keys, and grants for whatever something costs.

use marginalia_privacy::account::{Account, Grant};
use marginalia_privacy::budget::Budget;
use marginalia_privacy::cost::Cost;
use marginalia_privacy::random::{Entropy, Generator, Keys};
use marginalia_privacy::rational::parse;
use marginalia_privacy::sealed::{SealOptions, Sealed, SealedReader};
use marginalia_privacy::unit::Neighbours;
use marginalia_tables::read::{BadRows, Encoding, Format};
use marginalia_tables::{Result, Schema};
use std::sync::Arc;

const SCHEMA: &str = r#"{"nulls":[""],"attributes":[
    {"name":"a","type":"category","values":["x"],"other":"y"},
    {"name":"b","type":"category","values":["0","1"],"other":"2"}]}"#;

/// Keys that follow from a number (SplitMix64): they protect nobody.
struct Known(u64);

impl Entropy for Known {
    fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        for chunk in bytes.chunks_mut(8) {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = self.0;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            chunk.copy_from_slice(&(z ^ (z >> 31)).to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

pub fn generator(key: u64) -> Generator {
    Generator::new(&mut Keys::new(Known(key << 8))).unwrap()
}

/// A table of `a` (x, y) and `b` (0, 1, 2) with so many rows in each of the six cells.
pub fn seal(neighbours: &Neighbours, cells: [usize; 6]) -> Sealed {
    let schema = Arc::new(Schema::from_json(SCHEMA).unwrap());
    let format = Format::default();
    let options = SealOptions { format, encoding: Encoding::Utf8, bad_rows: BadRows::Drop };
    let mut reader =
        SealedReader::new(schema, &options, neighbours.clone(), &mut Keys::new(Known(1))).unwrap();
    reader.push(b"a,b\n").unwrap();
    for (row, count) in ["x,0\n", "x,1\n", "x,2\n", "y,0\n", "y,1\n", "y,2\n"].iter().zip(cells) {
        reader.push(row.repeat(count).as_bytes()).unwrap();
    }
    reader.finish().unwrap()
}

/// What a deep purse pays.
pub fn grant(cost: &Cost) -> Grant {
    Account::open(Budget::zcdp(parse("1000000000").unwrap()).unwrap()).unwrap().charge(cost).unwrap()
}
