//! Bindings: parse, call, convert. One file per TypeScript file that it serves.
