#!/usr/bin/env bash
# Native tests, and doc tests with them: without threads, with one, with four. Results must not depend on it.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"
need rust

if [ "$full" = true ]; then export PROPTEST_CASES=4096; fi
cargo test --quiet --workspace --locked || fail "a test fails; run cargo test --workspace"
for count in 1 4; do
  RAYON_NUM_THREADS=$count cargo test --quiet --workspace --locked --features threads ||
    fail "a test fails; run RAYON_NUM_THREADS=$count cargo test --workspace --features threads"
done
