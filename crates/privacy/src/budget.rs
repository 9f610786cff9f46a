//! What may be spent in all, and the currency that it implies.

use crate::convert;
use crate::rational::{self, Ratio, invalid};
use marginalia_tables::Result;
use num_traits::One;
use serde_json::{Map, Value, json};

/// The promise that an account keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Budget {
    /// Pure ε: costs in ε add up.
    Pure(Ratio),
    /// ρ-zCDP: costs in ρ add up.
    Zcdp(Ratio),
    /// (ε, δ): composed in ρ, up to the largest ρ of which (ε, δ) is known to follow.
    Approximate(Ratio, Ratio),
}

/// What costs are added up in.
///
/// A budget (ε, δ) could also be kept by adding ε while every charge is pure. It is not: one sum is easier to
/// believe than two of which either may bind, and who spends pure ε only says so with [`Budget::Pure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Currency {
    /// ε of pure differential privacy.
    Epsilon,
    /// ρ of zero-concentrated differential privacy.
    Rho,
}

impl Currency {
    /// Its letter.
    pub fn symbol(self) -> &'static str {
        match self {
            Currency::Epsilon => "ε",
            Currency::Rho => "ρ",
        }
    }
}

impl Budget {
    /// Pure ε, which must be positive.
    pub fn pure(epsilon: Ratio) -> Result<Self> {
        rational::positive(&epsilon, "ε")?;
        Ok(Budget::Pure(epsilon))
    }

    /// ρ-zCDP; ρ must be positive.
    pub fn zcdp(rho: Ratio) -> Result<Self> {
        rational::positive(&rho, "ρ")?;
        Ok(Budget::Zcdp(rho))
    }

    /// (ε, δ), both positive and within what can be converted.
    pub fn approximate(epsilon: Ratio, delta: Ratio) -> Result<Self> {
        convert::rho(&epsilon, &delta)?;
        Ok(Budget::Approximate(epsilon, delta))
    }

    /// What its costs are added up in.
    pub fn currency(&self) -> Currency {
        match self {
            Budget::Pure(_) => Currency::Epsilon,
            Budget::Zcdp(_) | Budget::Approximate(..) => Currency::Rho,
        }
    }

    /// The largest sum of costs that keeps the promise; an error if the amounts make no sense.
    pub fn limit(&self) -> Result<Ratio> {
        match self {
            Budget::Pure(amount) | Budget::Zcdp(amount) => {
                rational::positive(amount, self.currency().symbol())?;
                Ok(amount.clone())
            }
            Budget::Approximate(epsilon, delta) => convert::rho_allowed(epsilon, delta),
        }
    }

    /// Its form in files: `{"type": "pure", "epsilon": "1/10"}`, and so on.
    pub fn to_json(&self) -> Value {
        match self {
            Budget::Pure(epsilon) => json!({ "type": "pure", "epsilon": rational::text(epsilon) }),
            Budget::Zcdp(rho) => json!({ "type": "zcdp", "rho": rational::text(rho) }),
            Budget::Approximate(epsilon, delta) => {
                json!({ "type": "approximate", "epsilon": rational::text(epsilon), "delta": rational::text(delta) })
            }
        }
    }

    /// Reads the form in files. A public `n` beside δ says where δ = 1/n² comes from, and must agree with it.
    pub fn from_json(value: &Value) -> Result<Self> {
        let fields = value.as_object().ok_or_else(unreadable)?;
        match fields.get("type").and_then(Value::as_str) {
            Some("pure") => {
                only(fields, &["epsilon"])?;
                Self::pure(amount(fields, "epsilon")?)
            }
            Some("zcdp") => {
                only(fields, &["rho"])?;
                Self::zcdp(amount(fields, "rho")?)
            }
            Some("approximate") => {
                only(fields, &["epsilon", "delta", "n"])?;
                let delta = amount(fields, "delta")?;
                if let Some(n) = fields.get("n") {
                    let n = Ratio::from(num_bigint::BigInt::from(n.as_u64().ok_or_else(unreadable)?));
                    if &delta * &n * &n != Ratio::one() {
                        return Err(invalid("δ of this budget is not 1/n² of the n beside it"));
                    }
                }
                Self::approximate(amount(fields, "epsilon")?, delta)
            }
            _ => Err(unreadable()),
        }
    }
}

fn only(fields: &Map<String, Value>, known: &[&str]) -> Result<()> {
    let strange = fields.keys().any(|key| key != "type" && !known.contains(&key.as_str()));
    if strange { Err(unreadable()) } else { Ok(()) }
}

fn amount(fields: &Map<String, Value>, name: &str) -> Result<Ratio> {
    rational::parse(fields.get(name).and_then(Value::as_str).ok_or_else(unreadable)?)
}

fn unreadable() -> marginalia_tables::Error {
    invalid("a budget is pure with epsilon, zcdp with rho, or approximate with epsilon and delta, as texts")
}
