//! Bindings of `pkg/lp`, loaded only when the exact two-stage estimate is used.

pub mod lp;
