#!/usr/bin/env bash
# All TypeScript, tests and examples included, under the strict options of tsconfig.json.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"
need node

tsc --project tsconfig.json || fail "mend the types that tsc reports"
