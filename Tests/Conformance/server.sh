#!/usr/bin/env bash
# Starts mock-server as a stranger would and asks it with curl: in the clear, over TLS by the tool's own authority,
# under its real host names, and through b2c; then sends it malformed input.
#
# usage: server.sh FOLDER-OF-THE-PROGRAMS
set -euo pipefail
programs=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
tenant=scenarios/tenants/contoso.json
work=$(mktemp -d)
server=
trap 'if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi; rm -rf "$work"' EXIT
export B2C_CERTIFICATE_DIRECTORY=$work/certificates

fail() { echo "FAILED: $*" >&2; exit 1; }

# start ARGUMENTS...: sets $url
start() {
  rm -f "$work/ready"
  "$@" --tenant "$tenant" --port 0 --ready-file "$work/ready" >"$work/out" 2>"$work/log" &
  server=$!
  until [ -s "$work/ready" ]; do
    kill -0 "$server" 2>/dev/null || { cat "$work/log" >&2; fail "the server did not start"; }
    sleep 0.05
  done
  url=$(cat "$work/ready")
  grep -q "^mock-server ready: $url$" "$work/out" || fail "no ready line: $(cat "$work/out")"
}

stop() {
  kill -"$1" "$server"
  wait "$server" || fail "the server ended with $? after SIG$1"
  server=
  [ ! -e "$work/ready" ] || fail "the ready file is still there"
}

path=contoso.onmicrosoft.com/B2C_1_susi
document=$path/v2.0/.well-known/openid-configuration

# In the clear, at localhost.
start "$programs/mock-server"
port=${url##*:}
curl -fsS "$url/health" | grep -q '"ready"' || fail "health"
for base in "http://localhost:$port" "http://127.0.0.1:$port"; do
  curl -fsS "$base/$document" | grep -q "\"token_endpoint\":\"$base/" || fail "URLs of the address used: $base"
done
curl -fsS "http://localhost:$port/$path/discovery/v2.0/keys" | grep -q '"kid"' || fail "keys"
[ "$(curl -s -o "$work/answer" -w '%{http_code}' "$url/_hosts/graph.microsoft.com/v1.0/me")" = 401 ] || fail "Graph without a token"
curl -s -D "$work/head" -o /dev/null "$url/_hosts/graph.microsoft.com/v1.0/me"
grep -qi '^www-authenticate: bearer' "$work/head" || fail "Graph says no WWW-Authenticate"
[ "$(curl -s -o /dev/null -w '%{http_code}' "$url/common/userrealm/ada@example.test?api-version=1.0")" = 404 ] || fail "user realm"
# The banner lists people; the lines of requests name nobody.
if sed '/^people$/,/^hosts/d' "$work/log" | grep -q 'ada@'; then fail "the access log names somebody"; fi
stop TERM

# Over TLS.
start "$programs/mock-server" --tls
port=${url##*:}
[ "${url%%:*}" = https ] || fail "the ready line says $url"
ca=$("$programs/b2c" certificate path)
[ "$ca" = "$B2C_CERTIFICATE_DIRECTORY/ca.pem" ] || fail "certificate path says $ca"
key=$B2C_CERTIFICATE_DIRECTORY/ca-key.pem
[ "$(stat -c %a "$key" 2>/dev/null || stat -f %Lp "$key")" = 600 ] || fail "others can read $key"
if curl -fs "$url/health" >/dev/null 2>&1; then fail "curl trusts an authority that it does not know"; fi
for name in localhost 127.0.0.1; do
  curl -fsS --cacert "$ca" "https://$name:$port/health" | grep -q ready || fail "TLS at $name"
done
# Real host names: those of the tenant file by the first certificate, others by one made when they are asked for.
for host in contoso.b2clogin.com graph.microsoft.com login.fabrikam.test; do
  status=$(curl -s -o "$work/answer" -w '%{http_code}' --cacert "$ca" --connect-to "$host:443:127.0.0.1:$port" "https://$host/$document")
  case $host/$status in
    contoso.b2clogin.com/200 | graph.microsoft.com/404 | login.fabrikam.test/200) ;;
    *) fail "$host answers $status" ;;
  esac
done
curl -fsS --cacert "$ca" --connect-to "contoso.b2clogin.com:443:127.0.0.1:$port" "https://contoso.b2clogin.com/$document" \
  | grep -q '"issuer":"https://contoso.b2clogin.com/' || fail "the issuer under the real name"
# A client that asks for HTTP/2 first gets HTTP/1.1, on one connection for all requests.
for _ in $(seq 500); do echo "url = \"https://localhost:$port/$document\""; echo 'output = /dev/null'; done >"$work/urls"
curl -fsS --cacert "$ca" -w '%{http_version} %{num_connects}\n' -K "$work/urls" >"$work/versions" || fail "500 requests"
[ "$(awk '$1 == 1.1' "$work/versions" | wc -l)" = 500 ] || fail "HTTP/1.1 was not spoken"
[ "$(awk '{ n += $2 } END { print n }' "$work/versions")" = 1 ] || fail "500 requests took more than one connection"
if command -v openssl >/dev/null; then
  openssl s_client -connect "127.0.0.1:$port" -servername localhost -alpn h2,http/1.1 -CAfile "$ca" </dev/null >"$work/tls" 2>&1 || true
  grep -q 'ALPN protocol: http/1.1' "$work/tls" || fail "TLS does not name HTTP/1.1"
  grep -q 'Verify return code: 0 (ok)' "$work/tls" || fail "openssl does not verify the certificate"
fi
hash=$("$programs/b2c" certificate path --spki)
if command -v openssl >/dev/null; then
  own=$(openssl x509 -in "$ca" -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64)
  [ "$hash" = "$own" ] || fail "the hash of the key is $own, not $hash"
fi
"$programs/b2c" certificate trust | grep -q update-ca-certificates || fail "trust says nothing about Debian"
stop INT

# Through b2c, which becomes the server.
start "$programs/b2c" serve
curl -fsS "$url/health" >/dev/null || fail "b2c serve"
stop TERM

if command -v python3 >/dev/null; then
  python3 Tests/Conformance/hostile.py "$programs/mock-server" "$tenant"
fi
echo "mock-server: curl in the clear, over TLS, under real names, through b2c: as it should be"
