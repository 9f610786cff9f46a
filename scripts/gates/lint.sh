#!/usr/bin/env bash
# Every warning is an error: clippy with and without threads, rustdoc's links, biome.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"
need rust node

for features in "" threads; do
  cargo clippy --quiet --workspace --all-targets --locked --features "$features" -- -D warnings ||
    fail "mend what clippy reports${features:+ with --features $features}"
done
cargo clippy --quiet --package marginalia-privacy --all-targets --locked --features test-noise -- -D warnings ||
  fail "mend what clippy reports with --features test-noise"
RUSTDOCFLAGS="-D warnings" cargo doc --quiet --workspace --no-deps --locked || fail "mend the comments that rustdoc reports"
biome lint --error-on-warnings || fail "mend what biome reports (npx biome lint --write mends some of it)"
biome check --formatter-enabled=false --linter-enabled=false --enforce-assist=true ||
  fail "run npx biome check --write to sort the imports"
