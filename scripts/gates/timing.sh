#!/usr/bin/env bash
# Calls that are aborted end soon, and take no more memory than they should: measured one after another, beside nothing else.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"
need node

node scripts/lib/bundle.mjs --untyped
vitest run --project timing || fail "run npx vitest run --project timing"
