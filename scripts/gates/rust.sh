#!/usr/bin/env bash
# Native tests, and doc tests with them: with four threads, with one, and without any. Results must not depend on it.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"
need rust

# The long versions are optimised, and keep the checks of a debug build.
if [ "$full" = true ]; then
  export PROPTEST_CASES=4096 MARGINALIA_FULL=1 CARGO_PROFILE_DEV_OPT_LEVEL=2
else
  # The gate judges a change, not a draw: without this, and in long versions, cases are new each time.
  export PROPTEST_RNG_SEED=20261120
fi
RAYON_NUM_THREADS=4 cargo test --quiet --workspace --locked --features threads ||
  fail "a test fails; run RAYON_NUM_THREADS=4 cargo test --workspace --features threads"
RAYON_NUM_THREADS=1 cargo test --quiet --workspace --locked --features threads --lib --tests ||
  fail "a test fails; run RAYON_NUM_THREADS=1 cargo test --workspace --features threads"
# Without: crates that have other code then, and the bits of an estimate. Audits halve the noise to see that they would find out.
if [ "$full" = true ]; then
  cargo test --quiet --workspace --locked || fail "a test fails; run cargo test --workspace"
fi
cargo test --quiet --package marginalia-tables --package marginalia-compute --locked --lib --tests ||
  fail "a test fails; run cargo test --package marginalia-tables --package marginalia-compute"
cargo test --quiet --package marginalia-estimate --locked --test bits ||
  fail "bits depend on threads; run cargo test --package marginalia-estimate --test bits"
cargo test --quiet --package marginalia-privacy --locked --features test-noise ||
  fail "an audit fails; run cargo test --package marginalia-privacy --features test-noise"
