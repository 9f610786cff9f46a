#!/usr/bin/env bash
# Native tests, and doc tests with them: without threads, with one, with four. Results must not depend on it.
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
cargo test --quiet --workspace --locked || fail "a test fails; run cargo test --workspace"
for count in 1 4; do
  RAYON_NUM_THREADS=$count cargo test --quiet --workspace --locked --features threads ||
    fail "a test fails; run RAYON_NUM_THREADS=$count cargo test --workspace --features threads"
done
# Audits, which halve the noise to see that they would find out.
cargo test --quiet --package marginalia-privacy --locked --features test-noise ||
  fail "an audit fails; run cargo test --package marginalia-privacy --features test-noise"
