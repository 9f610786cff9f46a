#!/usr/bin/env bash
# Every target of fuzz/ for half a minute; for ten with --full.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../lib/env.sh"
need rust fuzz

[ -f fuzz/Cargo.toml ] || fail "fuzz/Cargo.toml is missing; restore the fuzz targets"
seconds=30
if [ "$full" = true ]; then seconds=600; fi

# Sanitizers are compiler flags that stable Rust hides, and need a runtime that distributions leave out.
export RUSTC_BOOTSTRAP=1
sanitizer=none
if compgen -G "$(rustc --print target-libdir)/librustc*_rt.asan*" >/dev/null; then sanitizer=address; fi

targets=$(cargo fuzz list)
[ -n "$targets" ] || fail "fuzz/Cargo.toml names no target"
cargo fuzz build --sanitizer "$sanitizer" >/dev/null 2>&1 || cargo fuzz build --sanitizer "$sanitizer" || fail "fuzz/ does not compile"
for target in $targets; do
  echo "fuzz $target: $seconds s, sanitizer $sanitizer"
  cargo fuzz run --sanitizer "$sanitizer" "$target" -- -max_total_time="$seconds" -rss_limit_mb=2048 -verbosity=0 -print_funcs=0 -print_final_stats=1 2>&1 |
    grep -v '^ *\(Finished\|Running\|Compiling\)\|^"\|^######' ||
    fail "$target found a failing input; add it as a test and mend it (cargo fuzz fmt $target <file> shows it)"
done
