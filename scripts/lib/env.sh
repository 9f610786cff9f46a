# Sourced by every script: where things are. Nothing here is specific to one machine.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
tools=${MARGINALIA_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/marginalia-tools}
export PATH="$tools/bin:$root/node_modules/.bin:$PATH"
cd "$root"

# The WebAssembly build needs the library's sources, which only the distribution's toolchain carries:
# rustup's shims, which may come first on PATH, must not answer.
wasm_rustc=/usr/bin/rustc
wasm_cargo=/usr/bin/cargo
wasm_linker=wasm-ld-22

# The version of a crate in Cargo.lock.
locked_version() {
  awk -v name="\"$1\"" '$1 == "name" { hit = $3 == name } hit && $1 == "version" { gsub(/"/, "", $3); print $3; exit }' Cargo.lock
}

fail() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit 1
}

# The parts of scripts/toolchain that a script cannot do without.
need() {
  "$root/scripts/toolchain" "$@" >/dev/null
}

# Gates that have a long version run it when called with --full.
full=false
for argument in "$@"; do
  if [ "$argument" = --full ]; then full=true; fi
done
