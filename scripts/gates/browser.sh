#!/usr/bin/env bash
# The built package in Chromium, with and without cross-origin isolation.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"
need node browser

compgen -G "test/browser/*.test.ts" >/dev/null || fail "test/browser/ has no tests; restore them"
node scripts/lib/bundle.mjs --untyped
vitest run --project browser || fail "run npx vitest run --project browser"
