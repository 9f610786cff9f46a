#!/usr/bin/env bash
# What the README promises to a fresh clone with nothing but Node.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"

command="npm ci && npm test"
grep -qF "$command" README.md || fail "README.md no longer names the command \"$command\"; change both together"
bash -c "$command" || fail "the command of the README fails: $command"
