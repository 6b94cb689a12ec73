#!/usr/bin/env python3
"""Sends malformed requests to a running mock-server and asks after each whether it still stands.

usage: hostile.py PATH-OF-MOCK-SERVER TENANT-FILE

Every input must be answered with a 4xx, or with a closed connection where there is no request to answer. Standard
library only.
"""
import os
import signal
import socket
import ssl
import subprocess
import sys
import tempfile

from harness import PATIENCE, until

PATH = "/contoso.onmicrosoft.com/B2C_1_susi"
TOKEN = PATH + "/oauth2/v2.0/token"
AUTHORIZE = PATH + "/oauth2/v2.0/authorize"
POLICY_PAGE = PATH + "/SelfAsserted"


def request(line, headers=(), body=b"", host="localhost"):
    head = [line] + (["Host: " + host] if host is not None else []) + list(headers)
    return "\r\n".join(head).encode("latin-1") + b"\r\n\r\n" + body


def post(path, body, kind="application/x-www-form-urlencoded", headers=(), length=None):
    body = body if isinstance(body, bytes) else body.encode("latin-1")
    length = len(body) if length is None else length
    return request(
        f"POST {path} HTTP/1.1", [f"Content-Type: {kind}", f"Content-Length: {length}", "Connection: close", *headers], body)


def call(method, path, body):
    """A control call with a JSON body."""
    body = body.encode()
    return request(
        f"{method} /_b2c/v1{path} HTTP/1.1",
        ["Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close"], body)


def get(path, headers=()):
    return request(f"GET {path} HTTP/1.1", ["Connection: close", *headers])


# (name, bytes, statuses that are right; None: the connection may be closed without an answer)
OK, BAD, CLOSED = 200, "4xx", None
CASES = [
    ("nothing at all", b"", {CLOSED}),
    ("one byte", b"G", {CLOSED, BAD}),
    ("a line end", b"\r\n\r\n\r\n", {CLOSED, BAD}),
    ("binary zeros", b"\0" * 4096, {CLOSED, BAD}),
    ("random bytes", bytes(range(256)) * 16, {CLOSED, BAD}),
    ("a TLS hello in the clear", bytes.fromhex("16030100c8010000c40303") + b"x" * 200, {CLOSED, BAD}),
    ("an HTTP/2 preface in the clear", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0" * 30, {CLOSED, BAD}),
    ("an SSH banner", b"SSH-2.0-OpenSSH_9.0\r\n", {CLOSED, BAD}),
    ("HTTP/0.9", b"GET /\r\n\r\n", {CLOSED, BAD}),
    ("HTTP/3.0 over TCP", request("GET /health HTTP/3.0"), {CLOSED, BAD, 505}),
    ("HTTP/1.1 without version digits", request("GET /health HTTP/x"), {CLOSED, BAD}),
    ("no method", request(" /health HTTP/1.1"), {CLOSED, BAD}),
    ("a method of spaces", request("   /health HTTP/1.1"), {CLOSED, BAD}),
    ("a method nobody knows", request("BREW /health HTTP/1.1", ["Connection: close"]), {CLOSED, BAD, OK}),
    ("a method with a colon", request("G:T / HTTP/1.1"), {CLOSED, BAD}),
    ("TRACE", request("TRACE / HTTP/1.1", ["Connection: close"]), {BAD}),
    ("CONNECT", request("CONNECT localhost:443 HTTP/1.1", ["Connection: close"]), {BAD, CLOSED}),
    ("no Host", request("GET /health HTTP/1.1", ["Connection: close"], host=None), {BAD}),
    ("an empty Host", request("GET /health HTTP/1.1", ["Connection: close"], host=""), {BAD}),
    ("two Hosts", request("GET /health HTTP/1.1", ["Host: other", "Connection: close"]), {BAD}),
    ("a Host with a path", request("GET /health HTTP/1.1", ["Connection: close"], host="localhost/x"), {BAD}),
    ("a Host with credentials", request("GET /health HTTP/1.1", ["Connection: close"], host="a@b"), {BAD}),
    ("a Host with a bad port", request("GET /health HTTP/1.1", ["Connection: close"], host="localhost:99999999"), {BAD}),
    ("a Host with letters for a port", request("GET /health HTTP/1.1", ["Connection: close"], host="localhost:http"), {BAD}),
    ("a Host with half a bracket", request("GET /health HTTP/1.1", ["Connection: close"], host="[::1"), {BAD}),
    ("a Host of Latin-1", request("GET /health HTTP/1.1", ["Connection: close"], host="b\xe4r"), {BAD, CLOSED}),
    ("a target without a slash", request("GET health HTTP/1.1", ["Connection: close"]), {BAD, CLOSED}),
    ("a target of *", request("GET * HTTP/1.1", ["Connection: close"]), {BAD, CLOSED}),
    ("an absolute target", request("GET http:///x HTTP/1.1", ["Connection: close"]), {BAD, CLOSED}),
    ("a target with a fragment", get("/health#top"), {BAD, CLOSED}),
    ("a target with a space", request("GET /a b HTTP/1.1", ["Connection: close"]), {BAD, CLOSED}),
    ("a target with a tab", request("GET /a\tb HTTP/1.1", ["Connection: close"]), {BAD, CLOSED}),
    ("a target with a zero", request("GET /a\0b HTTP/1.1", ["Connection: close"]), {BAD, CLOSED}),
    ("a target of Latin-1", request("GET /\xff\xfe HTTP/1.1", ["Connection: close"]), {BAD, CLOSED}),
    ("broken percent signs", get("/%/%z/%%%/%f"), {BAD}),
    ("overlong UTF-8", get("/%c0%af%c0%ae%c0%ae/"), {BAD}),
    ("a climb", get("/../../../../etc/passwd"), {BAD}),
    ("a climb in escapes", get("/%2e%2e/%2e%2e/etc/passwd"), {BAD}),
    ("a climb among static files", get("/static/../../etc/passwd"), {BAD}),
    ("a target of 40 kB", get("/" + "a" * 40_000), {BAD}),
    ("a target of 2 MB", get("/" + "a" * 2_000_000), {BAD, CLOSED}),
    ("a query of 30 kB", get("/x?" + "a=b&" * 7_000), {BAD}),
    ("a header of 100 kB", get("/health", ["X: " + "a" * 100_000]), {BAD, CLOSED}),
    ("2,000 headers", get("/health", [f"X-{i}: 1" for i in range(2_000)]), {BAD, CLOSED}),
    ("a header without a colon", get("/health", ["nonsense"]), {BAD, CLOSED}),
    ("a header without a name", get("/health", [": x"]), {BAD, CLOSED}),
    ("a header with a space before its colon", get("/health", ["X : y"]), {BAD, CLOSED}),
    ("a folded header", get("/health", ["X: a", " b"]), {BAD, CLOSED, OK}),
    ("a zero in a header", get("/health", ["X: a\0b"]), {BAD, CLOSED}),
    ("a lone line feed in a header", b"GET /health HTTP/1.1\nHost: localhost\nX: \x01\n\n", {BAD, CLOSED, OK}),
    ("a length below zero", post(TOKEN, "", length=-1), {BAD, CLOSED}),
    ("a length of words", post(TOKEN, "", length="many"), {BAD, CLOSED}),
    ("a length beyond 64 bits", post(TOKEN, "", length="9" * 40), {BAD, CLOSED}),
    ("two lengths", post(TOKEN, "a=b", headers=["Content-Length: 9"]), {BAD, CLOSED}),
    ("a length and chunks", post(TOKEN, "0\r\n\r\n", headers=["Transfer-Encoding: chunked"]), {BAD, CLOSED}),
    ("an unknown transfer coding", request(f"POST {TOKEN} HTTP/1.1", ["Transfer-Encoding: gzip", "Connection: close"], b"x"), {BAD, CLOSED}),
    ("a chunk size of words", request(f"POST {TOKEN} HTTP/1.1", ["Transfer-Encoding: chunked"], b"zz\r\nabc\r\n0\r\n\r\n"), {BAD, CLOSED}),
    ("a chunk size beyond 64 bits", request(f"POST {TOKEN} HTTP/1.1", ["Transfer-Encoding: chunked"], b"ffffffffffffffffff\r\nabc\r\n0\r\n\r\n"), {BAD, CLOSED}),
    ("a body larger than allowed", post(TOKEN, b"a" * 3_000_000), {413, CLOSED}),
    ("a body said to be huge", post(TOKEN, b"a", length=10 ** 12), {413}),
    ("a chunked body larger than allowed", request(f"POST {TOKEN} HTTP/1.1", ["Transfer-Encoding: chunked", "Connection: close"], b"ffff\r\n" + b"a" * 65_535 + b"\r\n" + (b"fffff\r\n" + b"a" * 1_048_575 + b"\r\n") * 2 + b"0\r\n\r\n"), {413, CLOSED}),
    ("a compressed body", post(TOKEN, b"\x1f\x8b\x08\0\0\0\0\0", headers=["Content-Encoding: gzip"]), {BAD}),
    ("a form of nothing", post(TOKEN, ""), {BAD}),
    ("a form of ampersands", post(TOKEN, "&" * 10_000), {BAD}),
    ("a form of 20,000 fields", post(TOKEN, "&".join(f"a{i}=1" for i in range(20_000))), {BAD}),
    ("a form of broken escapes", post(TOKEN, "grant_type=%&client_id=%z1&=%%%"), {BAD}),
    ("a form of invalid UTF-8", post(TOKEN, b"grant_type=\xff\xfe\xfa&client_id=\xc0\x80"), {BAD}),
    ("a form of zeros", post(TOKEN, b"grant_type=%00%00&client_id=\0"), {BAD}),
    ("JSON for a form", post(TOKEN, '{"grant_type":"password"}', kind="application/json"), {BAD}),
    ("broken JSON", post(TOKEN, '{"a":', kind="application/json"), {BAD}),
    ("JSON of 5,000 brackets", post(TOKEN, "[" * 5_000, kind="application/json"), {BAD}),
    ("no content type", request(f"POST {TOKEN} HTTP/1.1", ["Content-Length: 3", "Connection: close"], b"a=b"), {BAD}),
    ("a content type of nonsense", post(TOKEN, "a=b", kind=";;;=,,,"), {BAD}),
    ("a page's post without a journey", post(POLICY_PAGE + "?tx=StateProperties=&p=B2C_1_susi", "a=b"), {BAD, OK}),
    ("a transaction of nonsense", post(POLICY_PAGE + "?tx=%00%ff&p=" + "x" * 5_000, "request_type=RESPONSE"), {BAD, OK}),
    ("cookies of nonsense", get(AUTHORIZE, ["Cookie: ;;;===;;;\x7f, x; =; a=\"\"\"; $Version=1"]), {BAD, OK, CLOSED}),
    ("a cookie of 50 kB", get(AUTHORIZE, ["Cookie: x-ms-cpim-trans=" + "A" * 50_000]), {BAD, OK}),
    ("a state cookie of ours, cut", get(AUTHORIZE, ["Cookie: x-ms-cpim-cache|abc_0=m1.AAAA; x-ms-cpim-trans=e30"]), {BAD, OK}),
    ("a bearer token of nonsense", get("/_hosts/graph.microsoft.com/v1.0/me", ["Authorization: Bearer ...."]), {BAD}),
    ("a bearer token of 60 kB", get("/_hosts/graph.microsoft.com/v1.0/me", ["Authorization: Bearer " + "a." * 30_000]), {BAD}),
    ("Basic credentials of nonsense", post(TOKEN, "grant_type=client_credentials", headers=["Authorization: Basic !!!!"]), {BAD}),
    ("a world that does not exist", get("/health2", ["B2C-World: w99"]), {BAD}),
    ("a world header of nonsense", get("/x", ["B2C-World: ;;;exchange"]), {BAD}),
    ("a language that overflows", get(AUTHORIZE, ["Accept-Language: de;q=9223372036854775807"]), {BAD, OK}),
    ("a language below zero", get(AUTHORIZE, ["Accept-Language: de;q=-9223372036854775808, en;q=NaN"]), {BAD, OK}),
    ("an exchange that overflows", get("/x", ["B2C-World: default;exchange=9223372036854775807"]), {403, 400}),
    ("the request after it", get("/x"), {BAD}),
    ("a clock at the end of time", get("/x", ["B2C-World: default;now=9999-12-31T23:59:59Z"]), {403}),
    ("a world that can be guessed", get("/x", ["B2C-World: w1;now=9999-12-31T23:59:59Z"]), {404}),
    ("an advance that overflows", call("PATCH", "/clock", '{"advance":"P106751991167DT7H12M55.807S"}'), {OK, BAD}),
    ("the same back", call("PATCH", "/clock", '{"advance":"-P106751991167DT7H12M55.807S"}'), {OK, BAD}),
    ("the clock as it was", call("PATCH", "/clock", '{"now":"2026-01-15T12:00:00Z"}'), {OK}),
    ("a page of numbers that overflow", get("/_b2c/v1/users?from=9223372036854775807&limit=9223372036854775807"), {BAD}),
    ("an event that overflows", request("GET /_b2c/v1/events?since=1000000000000 HTTP/1.1", ["Last-Event-ID: 9223372036854775807", "Connection: close"]), {OK}),
    ("a control call of another site", get("/_b2c/v1/state", ["Origin: http://evil.test"]), {403}),
    ("a control call of a page here", get("/_b2c/v1/state", ["Sec-Fetch-Site: same-origin"]), {403}),
    ("a large body for the control API from a page", post("/_b2c/v1/worlds", b"x" * 3_000_000, kind="application/json", headers=["Origin: http://evil.test"]), {403, CLOSED}),
    ("a control call of nonsense", post("/_b2c/v1/worlds", "{" * 100, kind="application/json"), {BAD, 501}),
    ("a control patch of nonsense", post("/_b2c/v1/clock", '{"now": 1e999}', kind="application/json"), {BAD, 501}),
    ("a hosted neighbour of nonsense", get("/_hosts/%00/../x"), {BAD}),
    ("half a request", b"GET /health HTTP/1.1\r\nHost: loc", {CLOSED, BAD}),
    ("half a body", post(TOKEN, "abc", length=500), {CLOSED, BAD}),
    ("two requests, the second broken", request("GET /health HTTP/1.1") + b"NONSENSE\r\n\r\n", {OK}),
    ("1,000 requests in one piece", request("GET /health HTTP/1.1") * 1_000, {OK}),
    ("more after the end of a body", post(TOKEN, "a=b") + b"\xff" * 1_000, {BAD}),
]


def connect(port, secure=False):
    connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    if secure:
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        connection = context.wrap_socket(connection, server_hostname="localhost")
    return connection


def exchange(port, data, secure=False, wanted=()):
    """The first status that comes back; None for a connection that is closed without an answer.

    Half of a TLS connection cannot be closed, so a server may wait there for more: where no answer is one of those
    `wanted`, one second without any is enough.
    """
    received = b""
    with connect(port, secure) as connection:
        try:
            connection.sendall(data)
            if not secure:
                connection.shutdown(socket.SHUT_WR)
        except (BrokenPipeError, ConnectionResetError, ssl.SSLError, OSError):
            pass
        connection.settimeout(1 if secure and CLOSED in wanted else PATIENCE)
        try:
            while True:
                part = connection.recv(65_536)
                if not part:
                    break
                received += part
                if b"\r\n\r\n" in received and (secure or len(received) > 200_000):
                    break
        except (ConnectionResetError, ssl.SSLEOFError, ssl.SSLZeroReturnError):
            pass
        except (socket.timeout, TimeoutError):
            if not received:
                return None if secure and CLOSED in wanted else f"no answer within {PATIENCE} seconds"
    if received.startswith(b"HTTP/1."):
        return int(received.split(b" ", 2)[1][:3])
    return None if not received else f"not HTTP: {received[:40]!r}"


def is_right(status, wanted):
    if status in wanted:
        return True
    return BAD in wanted and isinstance(status, int) and 400 <= status < 500


def main():
    program, tenant = sys.argv[1:3]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for secure in (False, True):
            ready = os.path.join(folder, f"ready{secure}")
            arguments = [program, "--tenant", tenant, "--port", "0", "--ready-file", ready, "--quiet"]
            if secure:
                arguments += ["--tls", "--certificate-directory", os.path.join(folder, "certificates")]
            server = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
            try:
                until(lambda: os.path.exists(ready) or server.poll() is not None, "mock-server")
                port = int(open(ready).read().strip().rsplit(":", 1)[1])
                for name, data, wanted in CASES:
                    if secure and name in ("a TLS hello in the clear",):
                        continue
                    try:
                        status = exchange(port, data, secure, wanted)
                        health = exchange(port, get("/health"), secure)
                    except OSError as error:
                        print(f"FAILED {name}: {error}")
                        failures += 1
                        break
                    if not is_right(status, wanted):
                        print(f"FAILED {name} ({'TLS' if secure else 'plain'}): {status}, wanted {wanted}")
                        failures += 1
                    if health != 200 or server.poll() is not None:
                        print(f"FAILED after {name}: /health says {health}, exit {server.poll()}")
                        failures += 1
                        break
                if secure:
                    # Bytes that are no TLS.
                    for name, data in (("plain HTTP", b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n"), ("half a hello", b"\x16\x03\x01\xff\xff" + b"\0" * 400)):
                        exchange(port, data)
                        if exchange(port, get("/health"), True) != 200:
                            print(f"FAILED after {name} on the TLS port")
                            failures += 1
            finally:
                server.send_signal(signal.SIGTERM)
                code = server.wait(timeout=PATIENCE)
                if code != 0:
                    print(f"FAILED: the server ended with {code}")
                    failures += 1
    if failures:
        sys.exit(1)
    print(f"hostile input: {len(CASES)} inputs in the clear and over TLS, the server stands")


if __name__ == "__main__":
    main()
