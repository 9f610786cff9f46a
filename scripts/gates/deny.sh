#!/usr/bin/env bash
# Licences, bans and sources of every crate; known vulnerabilities where the database can be fetched.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"
need rust deny

cargo-deny --log-level warn --locked check licenses bans sources || fail "mend the dependency, or give the reason for it in deny.toml"
if cargo-deny --log-level error fetch db >/dev/null 2>&1; then
  cargo-deny --log-level warn --locked check advisories || fail "raise the crate that has the advisory"
else
  echo "advisories NOT checked: their database cannot be fetched from here"
fi
