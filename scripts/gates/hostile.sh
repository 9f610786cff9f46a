#!/usr/bin/env bash
# Saved releases that somebody changed, at random and on purpose, and any schemas and cliques: refused by typed errors, or they make sense.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"
need node

if [ "$full" = true ]; then export MARGINALIA_FULL=1; fi
node scripts/lib/bundle.mjs --untyped
vitest run --project hostile || fail "run npx vitest run --project hostile"
