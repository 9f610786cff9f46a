#!/usr/bin/env bash
# Rust and TypeScript are formatted by their tools, not by taste.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"
need rust node

cargo fmt --all --check || fail "run cargo fmt --all"
biome format || fail "run npx biome format --write"
