#!/usr/bin/env bash
# Programs that are killed at any moment and at exact points of their course leave true accounts and no half of a file.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"
need node

if [ "$full" = true ]; then export MARGINALIA_FULL=1; fi
node scripts/lib/bundle.mjs --untyped
vitest run --project kill || fail "run npx vitest run --project kill"
