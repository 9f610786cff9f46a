#!/usr/bin/env bash
# The committed modules are what the sources give: built again, they are equal to the byte. That makes the
# test-suite, which runs on the committed ones, a test of the rebuilt ones (docs/adr/0001-build.md).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"
need node wasm

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
scripts/build-wasm --out "$scratch"
# A build with the feature for tests has the mark that scripts/gates/stale.mjs looks for.
if [ "$full" = true ]; then
  scripts/build-wasm --only simd --features test-noise --out "$scratch/marked"
  grep -qaF "built with test-noise" "$scratch/marked/simd/marginalia_bg.wasm" ||
    fail "a build with test-noise does not show its mark; mend crates/privacy/src/random.rs or scripts/gates/stale.mjs"
  rm -r "$scratch/marked"
fi
if diff -rq pkg "$scratch"; then
  echo "pkg/ is reproduced to the byte"
else
  diff <(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).tools.join("\n")' pkg/manifest.json) \
    <(node -p 'JSON.parse(fs.readFileSync(process.argv[1])).tools.join("\n")' "$scratch/manifest.json") || echo "the tools differ as shown above"
  fail "pkg/ is not what the sources and tools give; run npm run build, test, and commit pkg/"
fi
