//! The account in Rust and the one in TypeScript agree to the last digit and bit: both run the random plans and
//! conversions of one generator, and the digest of everything that happens is the same
//! (test/golden/agreement.json; `test/privacy/agreement.test.ts` mirrors this file).

use marginalia_privacy::account::Account;
use marginalia_privacy::budget::Budget;
use marginalia_privacy::cost::Cost;
use marginalia_privacy::rational::Ratio;
use marginalia_privacy::sensitivity::{Matrix, Sensitivity, Spread};
use marginalia_privacy::unit::{Neighbours, Relation, Unit};
use marginalia_privacy::{advantage, convert};
use marginalia_tables::query::{self, Factor, Product};
use num_traits::Pow;

fn golden() -> serde_json::Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test/golden/agreement.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

struct Draws(u32);

impl Draws {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 8) % n
    }

    fn ratio(&mut self, size: u32) -> Ratio {
        let p = self.below(size) + 1;
        Ratio::new(p.into(), (self.below(size) + 1).into())
    }

    /// p/10^e with p up to a million.
    fn decimal(&mut self, exponents: u32) -> Ratio {
        let p = self.below(1_000_000) + 1;
        Ratio::from(num_bigint::BigInt::from(p)) / num_bigint::BigInt::from(10).pow(self.below(exponents))
    }
}

/// FNV-1a.
struct Digest(u32);

impl Digest {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u32::from(*byte)).wrapping_mul(16_777_619);
        }
    }
}

fn sensitivity(draws: &mut Draws, neighbours: &Neighbours) -> Sensitivity {
    let spread = if draws.below(2) == 1 { Spread::Groups } else { Spread::Whole };
    match draws.below(3) {
        0 => Sensitivity::marginals(neighbours, u64::from(draws.below(200) + 1)),
        1 => Sensitivity::count(neighbours, spread),
        _ => {
            let columns = draws.below(4) + 1;
            let rows = draws.below(4) + 1;
            let values: Vec<i64> = (0..rows * columns).map(|_| i64::from(draws.below(11)) - 5).collect();
            Sensitivity::linear(neighbours, Matrix::new(columns as usize, &values).unwrap(), spread)
        }
    }
}

fn cost(draws: &mut Draws, sensitivity: &Sensitivity) -> Cost {
    let kind = draws.below(4);
    let scale = draws.ratio(1000);
    match kind {
        0 => Cost::laplace(sensitivity, &(scale * Ratio::from_integer(100.into()))),
        1 => Cost::gaussian(sensitivity, &(scale * Ratio::from_integer(10_000.into()))),
        2 => Cost::exponential(&(scale / Ratio::from_integer(50.into()))),
        _ => Cost::permute_and_flip(&(scale / Ratio::from_integer(50.into()))),
    }
    .unwrap()
}

fn plan(draws: &mut Draws, digest: &mut Digest) {
    let unit = Unit::Declared { max_rows: draws.below(5) + 1 };
    let relation = if draws.below(2) == 1 { Relation::Replace { n: 1000 } } else { Relation::AddRemove };
    let neighbours = Neighbours { unit, relation };
    let kind = draws.below(3);
    let amount = draws.ratio(100);
    let budget = match kind {
        0 => Budget::pure(amount),
        1 => Budget::zcdp(amount),
        _ => {
            let delta = Ratio::new(1.into(), num_bigint::BigInt::from(10).pow(draws.below(20) + 1));
            Budget::approximate(amount, delta)
        }
    };
    let mut account = Account::open(budget.unwrap()).unwrap();
    digest.add(account.limit().to_string().as_bytes());
    for _ in 0..20 {
        let norms = sensitivity(draws, &neighbours);
        digest.add(format!("{} {}", norms.l1(), norms.l2_squared()).as_bytes());
        let cost = cost(draws, &norms);
        match account.charge(&cost) {
            Ok(grant) => digest.add(grant.redeem(&cost).unwrap().price.to_string().as_bytes()),
            Err(error) => digest.add(error.message.as_bytes()),
        }
        digest.add(account.spent().to_string().as_bytes());
    }
}

#[test]
fn plans_come_to_the_same() {
    let (mut draws, mut digest) = (Draws(1), Digest(2_166_136_261));
    for _ in 0..300 {
        plan(&mut draws, &mut digest);
    }
    assert_eq!(golden()["plans"], digest.0);
}

/// Products of up to three queries with numbers from a least one on.
fn product(draws: &mut Draws) -> Product {
    let least = [0, 0, -3][draws.below(3) as usize];
    let most = 1 + draws.below(4);
    let factors = (0..=draws.below(3)).map(|_| {
        let columns = draws.below(4) + 1;
        if draws.below(3) == 0 {
            return Factor::Identity(columns as usize);
        }
        let count = (draws.below(4) + 1) * columns;
        let values = (0..count).map(|_| draws.below(most + 1) as i32 + least).collect();
        Factor::Linear(query::Matrix::new(columns as usize, values).unwrap())
    });
    Product::new(factors.collect()).unwrap()
}

#[test]
fn products_come_to_the_same() {
    let (mut draws, mut digest) = (Draws(4), Digest(2_166_136_261));
    for _ in 0..2000 {
        let unit = Unit::Declared { max_rows: draws.below(3) + 1 };
        let relation = if draws.below(2) == 1 { Relation::Replace { n: 9 } } else { Relation::AddRemove };
        let spread = if draws.below(4) == 0 { Spread::Groups } else { Spread::Whole };
        let norms = Sensitivity::product(&Neighbours { unit, relation }, &product(&mut draws), spread);
        digest.add(format!("{} {}", norms.l1(), norms.l2_squared()).as_bytes());
    }
    // So many pairs that they are not compared, and such as are.
    for codes in [300, 40] {
        let prefix = || Factor::Linear(query::Matrix::prefix(codes).unwrap());
        let neighbours = Neighbours { unit: Unit::Row, relation: Relation::Replace { n: 9 } };
        let both = Product::new(vec![prefix(), prefix()]).unwrap();
        let norms = Sensitivity::product(&neighbours, &both, Spread::Whole);
        digest.add(format!("{} {}", norms.l1(), norms.l2_squared()).as_bytes());
    }
    assert_eq!(golden()["products"], digest.0);
}

/// Charges whose denominators share nothing, until the budget is gone, and then what is left of it.
fn odd(draws: &mut Draws, digest: &mut Digest, budget: Budget) {
    let neighbours = Neighbours { unit: Unit::Row, relation: Relation::AddRemove };
    let norms = Sensitivity::marginals(&neighbours, 3);
    let mut account = Account::open(budget).unwrap();
    for _ in 0..3000 {
        let kind = draws.below(4);
        let scale = draws.ratio(1 << 24);
        let cost = match kind {
            0 => Cost::laplace(&norms, &(scale * Ratio::from_integer(1000.into()))),
            1 => Cost::gaussian(&norms, &(scale * Ratio::from_integer(1000.into()))),
            2 => Cost::exponential(&(scale / Ratio::from_integer(100.into()))),
            _ => Cost::permute_and_flip(&(scale / Ratio::from_integer(100.into()))),
        }
        .unwrap();
        if account.charge(&cost).is_err() {
            digest.add(b"refused");
        }
        digest.add(account.spent().to_string().as_bytes());
    }
}

#[test]
fn thousands_of_odd_charges_come_to_the_same() {
    let (mut draws, mut digest) = (Draws(3), Digest(2_166_136_261));
    let amount = |text: &str| marginalia_privacy::rational::parse(text).unwrap();
    for budget in ["1000000", "100/3", "12345678901234567890/1234567890123456789"] {
        odd(&mut draws, &mut digest, Budget::pure(amount(budget)).unwrap());
        odd(&mut draws, &mut digest, Budget::zcdp(amount(budget)).unwrap());
    }
    assert_eq!(golden()["odd"], digest.0);
}

#[test]
fn conversions_come_to_the_same_bits() {
    let (mut draws, mut digest) = (Draws(2), Digest(2_166_136_261));
    for _ in 0..2000 {
        let epsilon = draws.decimal(10);
        let epsilon = if epsilon > Ratio::from_integer(100_000.into()) { epsilon.recip() } else { epsilon };
        let rho = draws.ratio(100_000);
        let delta = draws.ratio(1000) / Ratio::from(num_bigint::BigInt::from(10).pow(draws.below(250) + 4));
        let results = [
            convert::rho(&epsilon, &delta),
            convert::epsilon(&rho, &delta),
            convert::delta(&rho, &epsilon),
            advantage::pure(&epsilon),
            advantage::zcdp(&rho),
        ];
        for result in results {
            digest.add(&result.unwrap().to_le_bytes());
        }
    }
    assert_eq!(golden()["conversions"], digest.0);
}
