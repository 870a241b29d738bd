# Shared by the scripts in this folder; sourced, never run. Works from bash 3.2, which is what macOS has.
# shellcheck shell=bash

ROOT="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$ROOT" || exit 1

# How the gates compile: in a folder of their own, so that the flags don't throw away the build of `swift test`; and with
# every trait, so that every decoder is tested.
STRICT=(
  --scratch-path .build-check
  --enable-all-traits
  -Xswiftc -warnings-as-errors
  --explicit-target-dependency-import-check error
)

# Builds with them. The package manager hands the traits to the compiler in an order that is another one each time that it plans a
# build anew, and then all is compiled again; unless its hashing is the same each time.
build_strictly() { SWIFT_DETERMINISTIC_HASHING=1 swift build "$@" "${STRICT[@]}"; }

# As long as no test imports XCTest, its runner is left out: it would report that it executed 0 tests.
RUNNERS=()
# shellcheck disable=SC2034
if ! grep -rqE '^(@[a-z]+ )*import XCTest' --include='*.swift' Tests; then RUNNERS=(--disable-xctest); fi

# In the functions below a failure is handed on by hand: bash forgets `set -e` inside of `$(…)`.

say() { printf '%s\n' "$*" >&2; }

fail() {
  say "$(basename "$0"): $*"
  exit 1
}

# Runs a command whose output matters only where it fails.
quietly() {
  local log status=0
  log="$(mktemp)"
  "$@" >"$log" 2>&1 || status=$?
  if [ "$status" -ne 0 ]; then cat "$log" >&2; fi
  rm -f "$log"
  return "$status"
}

# The modules that apps import, one a line, each after those that it builds on: the targets of the library products in
# Package.swift.
modules() {
  swift package describe | awk '
    /^[A-Z]/ { section = $1; list = "" }
    /^    [A-Z]/ { list = "" }
    /^    Name:/ { name = $2; library = 0 }
    /^        Library:/ { library = 1 }
    /^    Targets:/ && library { list = "targets"; next }
    /^    Target dependencies:/ { list = "dependencies"; next }
    section == "Products:" && list == "targets" && NF == 1 { module[$1] = 1; print $1, $1 }
    section == "Targets:" && list == "dependencies" && NF == 1 && (name in module) && ($1 in module) { print $1, name }
  ' | tsort
}

# The platform's name as the compiler's tools want it.
triple() { swiftc -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -n 1; }

# Builds what the API and documentation gates read, and names the folder of the modules.
strict_modules() {
  quietly build_strictly || return
  local folder
  folder="$(build_strictly --show-bin-path)" || return
  printf '%s/Modules\n' "$folder"
}

# Search paths for the module maps of the system libraries and of our own C, one argument a line; those of our own C are made by
# the build of the gates.
system_modules() {
  find -H Sources .build-check/debug -maxdepth 2 -name module.modulemap -exec dirname {} \; | sed 's/^/-I/'
}

# Builds the programs in Examples/ and names the folder that they are in.
examples() {
  local build=(swift build --package-path Examples -Xswiftc -warnings-as-errors)
  quietly "${build[@]}" || return
  "${build[@]}" --show-bin-path
}
