//! What this module knows of the estimators and of the kinds of models.

use marginalia_estimate::estimators::{self, Estimators};
use marginalia_estimate::models::{self, Kinds};

pub(crate) const ESTIMATORS: Estimators = estimators::GRAPHICAL;
pub(crate) const KINDS: Kinds = models::GRAPHICAL;
