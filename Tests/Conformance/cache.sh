#!/usr/bin/env bash
# The token cache against MSAL Python itself: what the phone exports, MSAL Python reads, changes and writes, and the
# phone takes back. Needs a built b2c and python3; installs msal into a folder of its own.
#
#   Tests/Conformance/cache.sh .build/debug/b2c
set -euo pipefail
b2c=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --disable-pip-version-check msal

# The scripts write and read beside themselves, so they run as copies.
mkdir -p "$work/repository/Tests"
cp -r "$here" "$work/repository/Tests/Conformance"
cp -r "$here/../../scenarios" "$work/repository/scenarios"
cd "$work/repository/Tests/Conformance"

"$b2c" run export.json --no-color
client=$(python3 -c 'import json; print(next(iter(json.load(open("exported.json"))["AccessToken"].values()))["client_id"])')
scope=$(python3 -c 'import json; print(next(iter(json.load(open("exported.json"))["AccessToken"].values()))["target"].split()[0])')
"$work/venv/bin/python" msal_cache_roundtrip.py --exported exported.json --written written.json --client-id "$client" \
    --authority https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi --scope "$scope" --now 1768478400 >found.json
# Not the tokens in it: those stay out of every log.
python3 -c 'import json; found = json.load(open("found.json")); print("MSAL Python", found["msal"], "found", *found["accounts"])'
"$b2c" run import.json --no-color
echo "the token cache went to MSAL Python and back"
