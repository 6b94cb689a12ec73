#!/usr/bin/env bash
# Real clients against what was built: every part, or those named. A part is skipped with a word where the machine
# lacks what it needs.
#
#   Tests/Conformance/run.sh [PART...]          parts: server target cache browser real_browser msal_browser control
#
# B2C and MOCK_SERVER name the programs; without them those of the release build, else of the debug build.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

program() {
  for kind in release debug; do
    if [ -x "$root/.build/$kind/$1" ]; then echo "$root/.build/$kind/$1"; return; fi
  done
}
b2c=${B2C:-$(program b2c)}
server=${MOCK_SERVER:-$(program mock-server)}

parts=("$@")
# A further part is a line here and a function of its name below.
[ ${#parts[@]} -gt 0 ] || parts=(server target cache browser msal_browser control)

if ! command -v python3 >/dev/null || ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
  echo "conformance: skipped, no python3 with venv here"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
python=$work/venv/bin/python

# Packages of a part, installed when the first part asks for them.
need() {
  "$python" -m pip install --quiet --disable-pip-version-check "$@"
}

server() {
  [ -n "$server" ] && [ -n "$b2c" ] || { echo "server: skipped, b2c and mock-server are not both built"; return 0; }
  "$here/server.sh" "$(dirname "$server")"
}

target() {
  [ -n "$server" ] && [ -n "$b2c" ] || { echo "target: skipped, b2c and mock-server are not both built"; return 0; }
  "$here/target.sh" "$(dirname "$server")"
}

cache() {
  [ -n "$b2c" ] || { echo "cache: skipped, no b2c is built"; return 0; }
  "$here/cache.sh" "$b2c"
}

browser() {
  [ -n "$server" ] || { echo "pages in Chromium: skipped, no mock-server is built"; return 0; }
  # The readers of QR codes are a pleasure, not a need.
  need selenium
  need zxing-cpp pillow || true
  "$python" "$here/browser.py" "$server" --plain
  "$python" "$here/browser.py" "$server" ${B2C_SCREENSHOTS:+--screenshots "$B2C_SCREENSHOTS"}
}

real_browser() {
  [ -n "$server" ] || { echo "RealBrowser: skipped, no mock-server is built"; return 0; }
  ls "$root"/.build/debug/*.xctest >/dev/null 2>&1 || { echo "RealBrowser: skipped, the tests are not built"; return 0; }
  "$python" "$here/real_browser.py" "$server"
}

msal_browser() {
  [ -n "$server" ] || { echo "msal-browser: skipped, no mock-server is built"; return 0; }
  need selenium
  "$python" "$here/msal_browser.py" "$server"
}

control() {
  [ -n "$server" ] || { echo "control API: skipped, no mock-server is built"; return 0; }
  need selenium openapi-spec-validator
  # B2C_SCHEMATHESIS names a schemathesis that is to try the calls with made-up input as well.
  local other=(${B2C_SCHEMATHESIS:+--schemathesis "$B2C_SCHEMATHESIS"})
  command -v chromedriver >/dev/null || other+=(--no-browser)
  "$python" "$here/control.py" "$server" "$root/scenarios/tenants/contoso.json" \
    ${B2C_SCREENSHOTS:+--screens "$B2C_SCREENSHOTS"} "${other[@]}"
}

failed=()
for part in "${parts[@]}"; do
  if ! declare -F "$part" >/dev/null; then
    echo "conformance: there is no part $part" >&2
    exit 2
  fi
  echo "== $part"
  # Each in a shell of its own, so that the first error ends the part and not the run.
  set +e
  (set -e; "$part")
  [ $? -eq 0 ] || failed+=("$part")
  set -e
done
if [ ${#failed[@]} -gt 0 ]; then
  echo "conformance: failed: ${failed[*]}"
  exit 1
fi
echo "conformance: passed: ${parts[*]}"
