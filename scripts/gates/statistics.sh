#!/usr/bin/env bash
# Laws of noise and choices, audits, forecasts and intervals hold as they are counted over many draws.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"
need node

node scripts/lib/bundle.mjs --untyped
vitest run --project statistics || fail "run npx vitest run --project statistics"
