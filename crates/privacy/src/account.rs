//! The last gate: what was spent, and whether more may be.
//!
//! Costs are added and compared with the limit before anything is drawn, so at every stop their sum is at most the
//! limit. It is exact, or a little more than exact where it would be long ([`rational::plus`]). Later charges may depend on everything released: both pure ε and ρ-zCDP allow it as long as the sum is
//! bounded in advance on every path (Rogers, Roth, Ullman and Vadhan 2016 for pure ε; Feldman and Zrnic 2021 for
//! ρ-zCDP), which a refusal before each draw ensures.

use crate::budget::{Budget, Currency};
use crate::cost::Cost;
use crate::rational::{self, Ratio, invalid, show};
use marginalia_tables::{Code, Error, Result};
use num_traits::{Signed, Zero};

/// A budget and what was spent of it.
#[derive(Debug)]
pub struct Account {
    budget: Budget,
    limit: Ratio,
    spent: Ratio,
}

/// The right to draw once, already paid for. Whoever draws takes it by value, so it cannot serve twice:
///
/// ```compile_fail,E0382
/// use marginalia_privacy::{account::Grant, cost::Cost};
/// fn twice(grant: Grant, cost: &Cost) {
///     let _ = grant.redeem(cost);
///     let _ = grant.redeem(cost);
/// }
/// ```
///
/// nor be copied:
///
/// ```compile_fail,E0599
/// use marginalia_privacy::account::Grant;
/// fn copied(grant: &Grant) -> Grant {
///     Grant::clone(grant)
/// }
/// ```
///
/// nor be made by hand:
///
/// ```compile_fail,E0451
/// use marginalia_privacy::{account::Grant, budget::Currency, rational::Ratio};
/// fn forged(price: Ratio) -> Grant {
///     Grant { currency: Currency::Rho, price }
/// }
/// ```
///
/// What does work:
///
/// ```
/// use marginalia_privacy::{account::Grant, cost::Cost};
/// fn once(grant: Grant, cost: &Cost) -> bool {
///     grant.redeem(cost).is_ok()
/// }
/// ```
#[derive(Debug)]
#[must_use = "what is granted stays spent, whether it is drawn or not"]
pub struct Grant {
    currency: Currency,
    price: Ratio,
}

/// What was paid, for the measurement that was drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paid {
    /// What the price is in.
    pub currency: Currency,
    /// The price.
    pub price: Ratio,
}

impl Account {
    /// An account of which nothing was spent.
    pub fn open(budget: Budget) -> Result<Self> {
        Self::resume(budget, Ratio::zero())
    }

    /// An account of which `spent` was spent before, in the budget's currency. It may be more than the limit; then
    /// nothing more is granted.
    pub fn resume(budget: Budget, spent: Ratio) -> Result<Self> {
        let limit = budget.limit()?;
        if spent.is_negative() {
            return Err(invalid("what was spent cannot be negative"));
        }
        Ok(Self { budget, limit, spent })
    }

    /// The promise that it keeps.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The largest sum that the promise allows.
    pub fn limit(&self) -> &Ratio {
        &self.limit
    }

    /// The sum of all that was granted, or a little more: see [`rational::plus`].
    pub fn spent(&self) -> &Ratio {
        &self.spent
    }

    /// What may still be spent.
    pub fn left(&self) -> Ratio {
        (&self.limit - &self.spent).max(Ratio::zero())
    }

    /// Takes over what was spent elsewhere, such as grants that were lost before a draw. The sum never falls.
    pub fn raise(&mut self, spent: Ratio) {
        if spent > self.spent {
            self.spent = spent;
        }
    }

    /// Pays for a draw, or refuses and leaves the account as it was. What is granted stays spent.
    pub fn charge(&mut self, cost: &Cost) -> Result<Grant> {
        let currency = self.budget.currency();
        let price = price(cost, currency)?;
        if &self.spent + price > self.limit {
            return Err(self.exceeded(price));
        }
        // Rounding alone exceeds no limit: what is left can always be spent.
        self.spent = rational::plus(&self.spent, price).min(self.limit.clone());
        Ok(Grant { currency, price: price.clone() })
    }

    fn exceeded(&self, price: &Ratio) -> Error {
        let symbol = self.budget.currency().symbol();
        let promise = match &self.budget {
            Budget::Approximate(epsilon, delta) => {
                format!(" (ε = {}, δ = {})", show(epsilon, false), show(delta, false))
            }
            Budget::Pure(_) | Budget::Zcdp(_) => String::new(),
        };
        let message = format!(
            "this asks for {symbol} = {}, and of the budget of {symbol} = {}{promise} only {} is left: ask for less, \
             by more noise or fewer marginals",
            show(price, true),
            show(&self.limit, false),
            show(&self.left(), false),
        );
        Error::new(Code::BudgetExceeded, message)
    }
}

impl Grant {
    /// Uses the grant up for a draw of this cost, which the drawer derived itself. If it costs more than was paid,
    /// nothing may be drawn; the grant is gone and stays spent.
    pub fn redeem(self, cost: &Cost) -> Result<Paid> {
        let price = price(cost, self.currency)?;
        if *price > self.price {
            let symbol = self.currency.symbol();
            let message = format!(
                "this draw costs {symbol} = {}, and {symbol} = {} was paid for it: plan it again",
                show(price, true),
                show(&self.price, false)
            );
            return Err(Error::new(Code::BudgetExceeded, message));
        }
        Ok(Paid { currency: self.currency, price: self.price })
    }
}

fn price(cost: &Cost, currency: Currency) -> Result<&Ratio> {
    cost.price(currency).ok_or_else(|| {
        invalid("Gaussian noise has no price in pure ε: use Laplace noise, or a budget zcdp(ρ) or approximate(ε, δ)")
    })
}
