//! Measurements in, model out. Never sees `privacy`.
