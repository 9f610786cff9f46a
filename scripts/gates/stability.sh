#!/usr/bin/env bash
# What conforming writers wrote (Python's csv, pandas, DuckDB) is read record by record, whatever fields hold and however many
# threads read; and so is what writers in JavaScript wrote (test/privacy/stability).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"
need node

command -v python3 >/dev/null || fail "python3 is missing; install it"
python=$tools/python/bin/python
[ -x "$python" ] || python3 -m venv "$tools/python" >/dev/null || fail "python3 lacks venv; install python3-venv"
"$python" -c 'import pandas' 2>/dev/null || "$python" -m pip install --quiet --disable-pip-version-check pandas ||
  fail "pandas could not be installed"
[ -d bench/node_modules/@duckdb ] || npm ci --prefix bench --ignore-scripts --no-audit --no-fund >/dev/null ||
  fail "DuckDB could not be installed; run npm ci --prefix bench"
node scripts/lib/bundle.mjs --untyped
MARGINALIA_PYTHON=$python vitest run --project stability || fail "run scripts/gates/stability.sh"
