#!/usr/bin/env bash
# The packed tarball, installed by consumers of every kind into empty folders.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"
need node browser

[ -f test/packaging/run.mjs ] || fail "test/packaging/run.mjs is missing; restore it"
npm run --silent bundle
node test/packaging/run.mjs "$@" || fail "run node test/packaging/run.mjs"
