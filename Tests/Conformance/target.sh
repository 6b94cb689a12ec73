#!/usr/bin/env bash
# Runs the shipped scripts against mock-server over TLS, four at a time and each in a world of its own, and sets the
# report beside that of a run in process with the same seed.
#
#   target.sh [FOLDER WITH b2c AND mock-server]     (default: .build/release)
set -euo pipefail
cd "$(dirname "$0")/../.."
bin=${1:-.build/release}
work=$(mktemp -d)
server=""
finish() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap finish EXIT

"$bin/mock-server" --tenant scenarios/tenants/contoso.json --tls --port 0 --quiet \
  --certificate-directory "$work/certificates" --ready-file "$work/ready" >"$work/server.log" 2>&1 &
server=$!
until [ -s "$work/ready" ]; do
  kill -0 "$server" 2>/dev/null || { echo "mock-server did not start:" >&2; cat "$work/server.log" >&2; exit 1; }
  sleep 0.1
done

cat >"$work/target.json" <<END
{ "kind": "mock-server", "name": "mock-server over TLS", "url": "$(cat "$work/ready")",
  "caFile": "certificates/ca.pem" }
END
start=$(date +%s.%N)
"$bin/b2c" run scenarios --target "$work/target.json" --seed 7 --jobs 4 --report-json "$work/remote.json" >"$work/remote.txt" ||
  { grep -vE '^ok ' "$work/remote.txt"; exit 1; }
end=$(date +%s.%N)
tail -n 1 "$work/remote.txt"
awk -v a="$start" -v b="$end" 'BEGIN { printf "the whole suite over loopback: %.1f s\n", b - a }'

"$bin/b2c" run scenarios --seed 7 --report-json "$work/local.json" >/dev/null
# The reports say where they ran; nothing else may differ.
for name in remote local; do grep -v '"target":' "$work/$name.json" >"$work/$name.cut"; done
if cmp -s "$work/remote.cut" "$work/local.cut"; then
  echo "same seed, same report in process and over the network"
else
  diff "$work/local.cut" "$work/remote.cut" | head -n 40
  exit 1
fi
