#!/usr/bin/env bash
# The token cache against MSAL Python itself: what the phone exports, MSAL Python reads, changes and writes, and the
# phone takes back. Needs a Python that has msal.
#
#   Tests/Conformance/cache.sh .build/release/b2c PYTHON
set -euo pipefail
b2c=$(realpath "$1")
python=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The scripts write and read beside themselves, so they run as copies.
mkdir -p "$work/repository/Tests"
cp -r "$here" "$work/repository/Tests/Conformance"
cp -r "$here/../../scenarios" "$work/repository/scenarios"
cd "$work/repository/Tests/Conformance"

"$b2c" run export.json --no-color
client=$(python3 -c 'import json; print(next(iter(json.load(open("exported.json"))["AccessToken"].values()))["client_id"])')
scope=$(python3 -c 'import json; print(next(iter(json.load(open("exported.json"))["AccessToken"].values()))["target"].split()[0])')
"$python" msal_cache_roundtrip.py --exported exported.json --written written.json --client-id "$client" \
    --authority https://contoso.b2clogin.com/contoso.onmicrosoft.com/b2c_1_susi --scope "$scope" --now 1768478400 >found.json
# Not the tokens in it: those stay out of every log.
python3 -c 'import json; found = json.load(open("found.json")); print("MSAL Python", found["msal"], "found", *found["accounts"])'
"$b2c" run import.json --no-color
echo "the token cache went to MSAL Python and back"
