#!/usr/bin/env python3
"""mock-server beside oidc-provider-mock (PyPI) and glewlwyd (Debian): how fast each is ready, answers, and signs people in.

    Benchmarks/peers/peers.py [--quick] [--json FILE] [MOCK_SERVER]

README.md beside this file says what is measured and what the figures do not say.
"""

import argparse
import base64
import glob
import gzip
import hashlib
import json
import os
import platform
import re
import selectors
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", ".."))
VERIFIER = "a-verifier-of-forty-three-characters-or-more-0123456789"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
CALLBACK = "http://localhost/callback"
PERSON = {"name": "ada@example.test", "password": "Analytical-1843"}


class Skip(Exception):
    """What the machine lacks."""


class Failed(Exception):
    """A sign-in that the server did not finish: it does not count, and is reported."""


# -- a client that is the same for all: few instructions, keep-alive, many people at a time in one thread


class Reply:
    def __init__(self, head, body):
        self.status, self.head, self.body = int(head[9:12]), head, body

    def header(self, name):
        found = re.search(rb"\r\n" + name + rb": *([^\r\n]*)", self.head, re.I)
        return found[1].decode() if found else None

    def cookies(self):
        return [line.split(b";")[0].decode() for line in re.findall(rb"\r\nset-cookie: *([^\r\n]*)", self.head, re.I)]


def request(method, path, port, body=None, cookies=(), kind="application/x-www-form-urlencoded", more=""):
    data = (body or "").encode()
    head = f"{method} {path} HTTP/1.1\r\nHost: localhost:{port}\r\nAccept: */*\r\n{more}"
    if cookies:
        head += "Cookie: " + "; ".join(cookies) + "\r\n"
    if body is not None:
        head += f"Content-Type: {kind}\r\nContent-Length: {len(data)}\r\n"
    return head.encode() + b"\r\n" + data


class Caller:
    """One person at a time, again and again, over one connection as long as the server keeps it."""

    def __init__(self, port, flow, selector):
        self.port, self.flow, self.selector, self.socket = port, flow, selector, None
        self.steps, self.buffer, self.sent, self.why = None, b"", b"", None

    def begin(self):
        self.steps = self.flow()
        self.send(next(self.steps))

    def send(self, data):
        self.sent, self.buffer = data, b""
        if self.socket is None:
            self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=20)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.selector.register(self.socket, selectors.EVENT_READ, self)
        self.socket.sendall(data)

    def close(self):
        if self.socket is not None:
            self.selector.unregister(self.socket)
            self.socket.close()
            self.socket = None

    def ready(self):
        """Takes what has come; true when the flow is done."""
        part = self.socket.recv(65536)
        self.buffer += part
        reply = self.complete(not part)
        if reply is None:
            if not part:
                raise RuntimeError(f"the server hung up on {self.sent[:60]!r}")
            return False
        if not part or re.search(rb"\r\nconnection: *close", reply.head, re.I) or reply.head.startswith(b"HTTP/1.0"):
            self.close()
        try:
            self.send(self.steps.send(reply))
        except StopIteration:
            self.why = None
            return True
        except Failed as reason:
            self.why = str(reason)
            return True
        return False

    def complete(self, ended):
        end = self.buffer.find(b"\r\n\r\n")
        if end < 0:
            return None
        head, body = self.buffer[:end], self.buffer[end + 4:]
        length = re.search(rb"\r\ncontent-length: *(\d+)", head, re.I)
        if length:
            return Reply(head, body) if len(body) >= int(length[1]) else None
        if re.search(rb"\r\ntransfer-encoding: *chunked", head, re.I):
            if not body.endswith(b"0\r\n\r\n"):
                return None
            whole = b""
            while body:
                size, body = body.split(b"\r\n", 1)
                count = int(size.split(b";")[0], 16)
                whole, body = whole + body[:count], body[count + 2:]
                if not count:
                    break
            return Reply(head, whole)
        if head[9:12] in (b"204", b"304"):
            return Reply(head, b"")
        return Reply(head, body) if ended else None


def drive(port, flow, people, seconds=None, times=None):
    """Flows per second of so many people at a time, how many there were, why others failed, and how much of the time
    this client was at work.
    """
    selector = selectors.DefaultSelector()
    callers = [Caller(port, flow, selector) for _ in range(people)]
    begin, worked = time.perf_counter(), time.process_time()
    done = started = 0
    failures = []

    def may_begin():
        return started < times if times else time.perf_counter() - begin < seconds

    running = 0
    for caller in callers:
        if may_begin():
            caller.begin()
            started += 1
            running += 1
    while running:
        events = selector.select(timeout=30)
        if not events:
            raise RuntimeError("nothing came for 30 s")
        for key, _ in events:
            caller = key.data
            if caller.socket is None or not caller.ready():
                continue
            if caller.why is None:
                done += 1
            else:
                failures.append(caller.why)
            if may_begin():
                caller.begin()
                started += 1
            else:
                running -= 1
    elapsed, worked = time.perf_counter() - begin, time.process_time() - worked
    for caller in callers:
        caller.close()
    return done / elapsed, done, failures, worked / elapsed


class Keys:
    """Verifies RS256 by the published keys; a flow without a good token does not count."""

    def __init__(self, document):
        from cryptography.hazmat.primitives.asymmetric import rsa
        number = lambda text: int.from_bytes(base64.urlsafe_b64decode(text + "=="), "big")
        self.keys = [rsa.RSAPublicNumbers(number(key["e"]), number(key["n"])).public_key() for key in document["keys"] if key.get("kty") == "RSA"]
        if [key.key_size for key in self.keys] != [2048] * len(self.keys) or not self.keys:
            raise RuntimeError("the keys are not RSA of 2048 bits")

    def verify(self, token):
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric import padding
        head, body, signature = token.split(".")
        if json.loads(base64.urlsafe_b64decode(head + "=="))["alg"] != "RS256":
            raise RuntimeError("the token is not RS256")
        for key in self.keys:
            try:
                key.verify(base64.urlsafe_b64decode(signature + "=="), f"{head}.{body}".encode(), padding.PKCS1v15(), hashes.SHA256())
                return
            except InvalidSignature:
                continue
        raise RuntimeError("no published key has signed the token")


# -- the servers


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def answer(port, path):
    """The answer to one request, by a connection of its own."""
    found = []

    def flow():
        found.append((yield request("GET", path, port, more="Connection: close\r\n")))

    drive(port, flow, 1, times=1)
    return found[0]


class Peer:
    """One server: how it is started, where its documents are, how somebody signs in."""

    name = ""
    note = ""
    has_session = False

    def __init__(self, folder):
        self.folder, self.port, self.process = folder, 0, None

    def start(self, core=None):
        """Starts it and gives the seconds until the first discovery document."""
        self.port = free_port()
        pin = (lambda: os.sched_setaffinity(0, {core})) if core is not None and hasattr(os, "sched_setaffinity") else None
        command, environment = self.command()
        begin = time.perf_counter()
        self.process = subprocess.Popen(
            command, env={**os.environ, **environment}, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, preexec_fn=pin)
        while time.perf_counter() - begin < 20:
            if self.process.poll() is not None:
                raise Skip(f"{self.name} ended with {self.process.returncode} at its start")
            try:
                if answer(self.port, self.discovery).status == 200:
                    elapsed = time.perf_counter() - begin
                    self.check_port()
                    return elapsed
            except OSError:
                pass
            except RuntimeError:
                pass
            time.sleep(0.01)
        self.stop()
        raise Skip(f"{self.name} is not ready after 20 s")

    def check_port(self):
        """The port is that process's and not another's."""
        if not os.path.isdir("/proc/net"):
            return
        wanted = f"{self.port:04X}"
        inodes = {line.split()[9] for line in open("/proc/net/tcp").read().splitlines()[1:] if line.split()[1].endswith(":" + wanted) and line.split()[3] == "0A"}
        own = set()
        for link in glob.glob(f"/proc/{self.process.pid}/fd/*"):
            try:
                own.add(os.readlink(link))
            except OSError:
                pass
        if not any(f"socket:[{inode}]" in own for inode in inodes):
            raise RuntimeError(f"port {self.port} is not {self.name}'s")

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None

    def session_cookies(self):
        """The cookies of a person who is signed in, for another client."""
        return ""

    def memory(self):
        """Resident megabytes."""
        found = re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{self.process.pid}/status").read())
        return int(found[1]) / 1024

    def prepare(self):
        """After the start: what signing in needs once."""
        document = json.loads(answer(self.port, self.discovery).body)
        self.jwks = urllib.parse.urlsplit(document["jwks_uri"]).path
        self.keys = Keys(json.loads(answer(self.port, self.jwks).body))

    def code(self, reply):
        location = reply.header(b"location") or ""
        code = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query)).get("code")
        if not code:
            raise Failed(f"{self.name}: no code: {reply.status} {location} {reply.body[:200]!r}")
        return code

    def redeem(self, path, code, **more):
        reply = yield request("POST", path, self.port, urllib.parse.urlencode({
            "grant_type": "authorization_code", "code": code, "redirect_uri": CALLBACK, "code_verifier": VERIFIER, **more}))
        if reply.status != 200:
            raise Failed(f"{self.name}: no tokens: {reply.status} {reply.body[:300]!r}")
        self.keys.verify(json.loads(reply.body)["id_token"])

    def query(self, **more):
        return urllib.parse.urlencode({
            "redirect_uri": CALLBACK, "response_type": "code", "state": "s", "nonce": "n-0S6_WzA2Mj", "code_challenge": CHALLENGE,
            "code_challenge_method": "S256", **more})


class MockServer(Peer):
    name = "mock-server"
    note = "page, password, confirmation, token: four requests; ID token signed"
    has_session = True
    client = "5d6e6b7a-0a4e-4b1e-9c6e-2b7b5a3c9d0f"
    base = "/contoso.onmicrosoft.com/B2C_1_susi"
    discovery = base + "/v2.0/.well-known/openid-configuration"

    def __init__(self, folder, program):
        super().__init__(folder)
        self.program = program
        self.tenant = os.path.join(folder, "tenant.json")
        with open(self.tenant, "w") as file:
            json.dump({
                "name": "contoso", "policies": {"susi": {"id": "B2C_1_susi"}}, "apis": {"tasks": {"scopes": ["read"]}},
                "apps": {"bench": {
                    "registration": {"clientId": self.client, "redirectUris": {"native": [CALLBACK]}},
                    "client": {"kind": "appauth", "policy": "susi", "redirectUri": CALLBACK}}},
                "users": {"ada": {"email": PERSON["name"], "password": PERSON["password"], "displayName": "Ada"}},
            }, file)

    def version(self):
        head = subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()
        kind = next((kind for kind in ("release", "debug") if f"/{kind}/" in self.program), "unknown build")
        return f"{head or 'unknown revision'} ({kind})"

    def command(self):
        return [self.program, "--tenant", self.tenant, "--port", str(self.port), "--quiet"], {}

    def cookies(self, jar, reply):
        for cookie in reply.cookies():
            name, _, value = cookie.partition("=")
            if value:
                jar[name] = cookie
            else:
                jar.pop(name, None)

    def authorize(self, jar):
        query = self.query(client_id=self.client, scope="openid")
        reply = yield request("GET", f"{self.base}/oauth2/v2.0/authorize?{query}", self.port, cookies=jar.values())
        self.cookies(jar, reply)
        return reply

    def sign_in(self, jar=None):
        jar = {} if jar is None else jar
        page = yield from self.authorize(jar)
        csrf = re.search(rb'"csrf":"([^"]*)"', page.body)[1].decode()
        transaction = re.search(rb'"transId":"([^"]*)"', page.body)[1].decode()
        tail = f"tx={transaction}&p=B2C_1_susi"
        reply = yield request(
            "POST", f"{self.base}/SelfAsserted?{tail}", self.port,
            urllib.parse.urlencode({"request_type": "RESPONSE", "email": PERSON["name"], "password": PERSON["password"]}),
            jar.values(), more=f"X-CSRF-TOKEN: {csrf}\r\nX-Requested-With: XMLHttpRequest\r\n")
        if b'"200"' not in reply.body:
            raise Failed(f"mock-server refuses the password: {reply.body!r}")
        self.cookies(jar, reply)
        reply = yield request(
            "GET", f"{self.base}/api/CombinedSigninAndSignup/confirmed?rememberMe=false&csrf_token={csrf}&{tail}", self.port, cookies=jar.values())
        self.cookies(jar, reply)
        yield from self.redeem(f"{self.base}/oauth2/v2.0/token", self.code(reply), client_id=self.client)

    def prepare(self):
        super().prepare()
        self.jar = {}
        _, _, failures, _ = drive(self.port, lambda: self.sign_in(self.jar), 1, times=1)
        if failures:
            raise RuntimeError(failures[0])

    def session_cookies(self):
        return "; ".join(self.jar.values())

    def with_session(self):
        reply = yield from self.authorize(dict(self.jar))
        yield from self.redeem(f"{self.base}/oauth2/v2.0/token", self.code(reply), client_id=self.client)


class OidcProviderMock(Peer):
    name = "oidc-provider-mock"
    note = "form, name, token: three requests; no password is asked; ID token signed, access token opaque; it has no sessions: the lines with one leave its form out"
    has_session = True
    discovery = "/.well-known/openid-configuration"

    def __init__(self, folder, pythons):
        super().__init__(folder)
        environment = None
        for python in pythons:
            place = os.path.join(folder, "venv")
            shutil.rmtree(place, ignore_errors=True)
            if subprocess.run([python, "-m", "venv", place], capture_output=True).returncode:
                continue
            if not install(os.path.join(place, "bin", "python"), "oidc-provider-mock"):
                environment = place
                break
        if not environment:
            raise Skip("oidc-provider-mock cannot be installed from PyPI")
        self.program = os.path.join(environment, "bin", "oidc-provider-mock")
        self.python = os.path.join(environment, "bin", "python")

    def version(self):
        said = subprocess.run(
            [self.python, "-c", "import importlib.metadata as m, platform; print(m.version('oidc-provider-mock'), '(Python', platform.python_version() + ')')"],
            capture_output=True, text=True).stdout.strip()
        return said + (", which rebuilds its key for each token: see README" if said.startswith("0.3") else "")

    def command(self):
        return [self.program, "--host", "127.0.0.1", "--port", str(self.port)], {}

    def sign_in(self):
        page = yield request("GET", self.authorization(), self.port)
        if page.status != 200:
            raise Failed(f"oidc-provider-mock shows no form: {page.status} {page.body[:200]!r}")
        yield from self.with_session()

    def authorization(self):
        return "/oauth2/authorize?" + self.query(client_id="bench", scope="openid")

    def with_session(self):
        reply = yield request("POST", self.authorization(), self.port, "sub=ada%40example.test")
        yield from self.redeem("/oauth2/token", self.code(reply), client_id="bench", client_secret="secret")


class Glewlwyd(Peer):
    name = "glewlwyd"
    note = "password by its JSON interface, authorization, token: three requests; ID and access token signed; SQLite file"
    has_session = True
    discovery = "/api/oidc/.well-known/openid-configuration"

    def __init__(self, folder):
        super().__init__(folder)
        self.root = unpacked(os.path.join(folder, "packages"), "glewlwyd")
        self.port = free_port()
        self.configure()

    def library(self):
        return ":".join(glob.glob(os.path.join(self.root, "usr", "lib", "*-linux-gnu*")))

    def version(self):
        return subprocess.run([self.root + "/usr/bin/glewlwyd", "--version"], env={**os.environ, "LD_LIBRARY_PATH": self.library()},
                              capture_output=True, text=True).stdout.strip() + " (Debian package, unpacked)"

    def command(self):
        os.makedirs(self.root + "/usr/lib/glewlwyd/user_middleware", exist_ok=True)
        modules = {"user": "user", "user_middleware": "user_middleware", "client": "client", "user_auth_scheme": "scheme", "plugin": "plugin"}
        lines = [
            f"port={self.port}", 'bind_address="127.0.0.1"', f'external_url="http://localhost:{self.port}"', 'login_url="login.html"',
            'api_prefix="api"', f'static_files_path="{self.root}/usr/share/glewlwyd/webapp/"', 'log_mode="file"', 'log_level="NONE"',
            'log_file="/dev/null"', 'cookie_domain="localhost"', "cookie_secure=0", "session_expiration=2419200",
            'session_key="GLEWLWYD2_SESSION_ID"', 'admin_scope="g_admin"', 'profile_scope="g_profile"', 'hash_algorithm="SHA512"',
            f'database={{ type="sqlite3" path="{self.folder}/glewlwyd.db" }};',
            *(f'{name}_module_path="{self.root}/usr/lib/glewlwyd/{place}"' for name, place in modules.items())]
        path = os.path.join(self.folder, "glewlwyd.conf")
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")
        return [self.root + "/usr/bin/glewlwyd", "--config-file=" + path], {"LD_LIBRARY_PATH": self.library()}

    def configure(self):
        """The database, and by its administrator's interface an OpenID Connect plugin with RS256, a client and a person."""
        database = sqlite3.connect(os.path.join(self.folder, "glewlwyd.db"))
        with gzip.open(self.root + "/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz", "rt") as script:
            database.executescript(script.read())
        database.close()
        run = lambda *command, text="": subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
        key = run("openssl", "genrsa", "2048")
        public = run("openssl", "rsa", "-pubout", text=key)
        wanted, self.discovery = self.discovery, "/"
        try:
            self.start_quietly()
            admin = self.call("POST", "/api/auth/", {"username": "admin", "password": "password"}).cookies()
            # The issuer keeps the port of this first start; nobody looks at it here.
            self.call("POST", "/api/mod/plugin/", {"module": "oidc", "name": "oidc", "display_name": "OIDC", "parameters": {
                "iss": "http://localhost/api/oidc", "jwt-type": "rsa", "jwt-key-size": "256", "key": key, "cert": public,
                "access-token-duration": 3600, "refresh-token-duration": 1209600, "code-duration": 600, "refresh-token-rolling": True,
                "allow-non-oidc": False, "auth-type-code-enabled": True, "auth-type-token-enabled": False, "auth-type-id-token-enabled": True,
                "auth-type-none-enabled": False, "auth-type-password-enabled": False, "auth-type-client-enabled": False,
                "auth-type-device-enabled": False, "auth-type-refresh-enabled": True, "scope": [{"name": "openid", "refresh-token-rolling": True}],
                "pkce-allowed": True, "pkce-method-plain-allowed": False, "subject-type": "public", "jwks-show": True}}, admin)
            self.call("POST", "/api/client/", {
                "client_id": "bench", "name": "bench", "confidential": False, "enabled": True, "authorization_type": ["code"],
                "redirect_uri": [CALLBACK], "scope": ["openid"], "token_endpoint_auth_method": ["none"]}, admin)
            self.call("POST", "/api/user/", {
                "username": PERSON["name"], "name": "Ada", "password": PERSON["password"], "scope": ["openid"], "enabled": True}, admin)
            person = self.call("POST", "/api/auth/", {"username": PERSON["name"], "password": PERSON["password"]}).cookies()
            self.call("PUT", "/api/auth/grant/bench", {"scope": "openid"}, person)
        finally:
            self.stop()
            self.discovery = wanted

    def start_quietly(self):
        command, environment = self.command()
        self.process = subprocess.Popen(command, env={**os.environ, **environment}, cwd=self.folder, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(500):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.01)
        raise Skip("glewlwyd does not listen after 5 s")

    def call(self, method, path, body, cookies=()):
        found = []

        def flow():
            found.append((yield request(method, path, self.port, json.dumps(body), cookies, "application/json", "Connection: close\r\n")))

        drive(self.port, flow, 1, times=1)
        if found[0].status >= 300:
            raise Skip(f"glewlwyd refuses {method} {path}: {found[0].status} {found[0].body[:300]!r}")
        return found[0]

    def prepare(self):
        document = json.loads(answer(self.port, self.discovery).body)
        self.jwks = urllib.parse.urlsplit(document["jwks_uri"]).path
        self.keys = Keys(json.loads(answer(self.port, self.jwks).body))
        self.session = self.call("POST", "/api/auth/", {"username": PERSON["name"], "password": PERSON["password"]}).cookies()

    def session_cookies(self):
        return "; ".join(self.session)

    def finish(self, cookies):
        reply = yield request(
            "GET", "/api/oidc/auth?" + self.query(client_id="bench", scope="openid") + "&g_continue", self.port, cookies=cookies)
        yield from self.redeem("/api/oidc/token/", self.code(reply), client_id="bench")

    def sign_in(self):
        reply = yield request(
            "POST", "/api/auth/", self.port, json.dumps({"username": PERSON["name"], "password": PERSON["password"]}), kind="application/json")
        if reply.status != 200:
            raise Failed(f"glewlwyd refuses the password: {reply.status}")
        yield from self.finish(reply.cookies())

    def with_session(self):
        yield from self.finish(self.session)


# -- what is installed for it, below a folder that is taken away again


def install(python, *packages):
    """The last line of pip's complaint, or nothing."""
    done = subprocess.run(
        [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages], capture_output=True, text=True, timeout=300)
    return (done.stderr.strip() or "pip failed").splitlines()[-1] if done.returncode else None


def unpacked(folder, package):
    """A Debian package and what it needs, unpacked and not installed: no root, and nothing of the machine changes."""
    if not shutil.which("apt-get") or not shutil.which("dpkg"):
        raise Skip(f"{package} is a Debian package, and this machine has no apt-get")
    os.makedirs(folder, exist_ok=True)
    plan = subprocess.run(["apt-get", "-s", "install", "--no-install-recommends", package], capture_output=True, text=True).stdout
    names = re.findall(r"^Inst (\S+)", plan, re.M) or [package]
    fetched = subprocess.run(["apt-get", "download", "-qq", *names], cwd=folder, capture_output=True, text=True, timeout=300)
    files = glob.glob(os.path.join(folder, "*.deb"))
    if not files:
        raise Skip(f"apt-get cannot fetch {package} (is apt-get update due?): {(fetched.stderr.strip() or '-').splitlines()[-1]}")
    root = os.path.join(folder, "root")
    for file in files:
        subprocess.run(["dpkg", "-x", file, root], check=True)
    return root


def newer_pythons():
    """Pythons for the newest oidc-provider-mock, which wants 3.12, and then this one."""
    found = []
    for name in ("python3.14", "python3.13", "python3.12"):
        places = [shutil.which(name), *glob.glob(os.path.expanduser(f"~/.pyenv/versions/{name[6:]}.*/bin/{name}"))]
        found += [place for place in places if place and not subprocess.run([place, "-c", "import venv, ensurepip"], capture_output=True).returncode]
    return found + [sys.executable]


# -- measuring


def spread(values):
    middle = statistics.median(values)
    number = lambda value: f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    return f"{number(middle)} ({number(min(values))}-{number(max(values))})"


def ratio(ours, theirs):
    """How many times theirs ours is; said only where the ranges of the rounds lie apart."""
    if min(ours) <= max(theirs) and min(theirs) <= max(ours):
        return "no ratio: the ranges overlap"
    return f"{statistics.median(ours) / statistics.median(theirs):.1f} times" if statistics.median(theirs) else "no ratio: the other has none"


class Wrk:
    """wrk, for what one request answers: Python asks too slowly to tell fast servers apart."""

    def __init__(self, folder):
        self.program, self.environment = shutil.which("wrk"), dict(os.environ)
        if not self.program:
            root = unpacked(folder, "wrk")
            self.program = root + "/usr/bin/wrk"
            self.environment["LD_LIBRARY_PATH"] = ":".join(glob.glob(root + "/usr/lib/*-linux-gnu*"))
        said = subprocess.run([self.program, "-v"], env=self.environment, capture_output=True, text=True).stdout
        self.version = " ".join(said.split()[:2])
        if not self.version.startswith("wrk"):
            raise Skip("wrk does not run here")

    def rate(self, port, path, people, seconds):
        said = subprocess.run(
            [self.program, "-t1", f"-c{people}", f"-d{max(1, round(seconds))}s", f"http://localhost:{port}{path}"], env=self.environment,
            capture_output=True, text=True, timeout=60 + seconds).stdout
        found = re.search(r"Requests/sec: *([\d.]+)", said)
        if not found or "Non-2xx" in said:
            raise RuntimeError(f"wrk at {path}: {said[-300:]}")
        return float(found[1])


class LeanClient:
    """The client of `Benchmarks --loopback`, which is compiled: a sign-in costs it a small part of what it costs the server."""

    def __init__(self, program):
        self.program = program

    def drive(self, peer, people, seconds, times=None, session=False):
        """The same as drive()."""
        more = ["--sign-ins", str(times)] if times else []
        more += ["--session", peer.session_cookies()] if session else []
        done = subprocess.run(
            [self.program, str(seconds), "--peer", peer.name, f"http://localhost:{peer.port}", peer.jwks, str(people), *more],
            capture_output=True, text=True, timeout=60 + seconds)
        if done.returncode:
            raise RuntimeError(f"{self.program}: {done.stderr[-300:] or done.stdout[-300:]}")
        said = json.loads(done.stdout)
        return said["rate"], said["done"], said["failures"], said["busy"]


class PythonClient:
    """The client of this file, where the other is not built."""

    def drive(self, peer, people, seconds, times=None, session=False):
        """So many people for so long, or so many sign-ins if they fit."""
        flow = peer.with_session if session else peer.sign_in
        if not times:
            return drive(peer.port, flow, people, seconds)
        begin, worked, done, failures = time.perf_counter(), time.process_time(), 0, []
        while done + len(failures) < times and time.perf_counter() - begin < seconds:
            part = drive(peer.port, flow, people, times=min(200, times - done - len(failures)))
            done, failures = done + part[1], failures + part[2]
        elapsed = time.perf_counter() - begin
        return done / elapsed, done, failures, (time.process_time() - worked) / elapsed


def documents(wrk, port, path, people, seconds):
    if wrk:
        return wrk.rate(port, path, people, seconds)

    def flow():
        reply = yield request("GET", path, port)
        if reply.status != 200:
            raise RuntimeError(f"{path}: {reply.status}")
    return drive(port, flow, people, seconds)[0]


def together(peers, client, rounds, seconds, figures, failed):
    """Server and clients on all cores: what somebody has who measures a server on a machine of a few cores."""
    what = "sign-ins/s, 8 clients, server and clients on all cores"
    for _ in range(rounds):
        for peer in peers:
            peer.start()
            try:
                peer.prepare()
                rate, _, failures, _ = client.drive(peer, 8, seconds)
            finally:
                peer.stop()
            figures[peer.name].setdefault(what, []).append(rate)
            if failures:
                failed.setdefault((peer.name, what), []).extend(failures)


def measure(peers, wrk, client, rounds, seconds, starts, many, patience):
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    server_core, client_core = (cores[0], cores[1]) if len(cores) > 1 else (None, None)
    figures = {peer.name: {} for peer in peers}

    failed, busy = {}, {}

    def note(peer, what, value):
        figures[peer.name].setdefault(what, []).append(value)

    def sign_ins(peer, what, people, session=False):
        rate, done, failures, worked = client.drive(peer, people, seconds, session=session)
        note(peer, what, rate)
        busy.setdefault((peer.name, what), []).append(worked)
        for why in failures:
            failed.setdefault((peer.name, what), []).append(why)

    for _ in range(starts):
        for peer in peers:
            note(peer, "ready, ms", peer.start(server_core) * 1000)
            peer.stop()
    together(peers, client, rounds, seconds, figures, failed)
    if client_core is not None:
        os.sched_setaffinity(0, {client_core})
    try:
        for peer in peers:
            peer.start(server_core)
            peer.prepare()
            note(peer, "memory when ready, MB", peer.memory())
        for round in range(rounds):
            print(f"round {round + 1} of {rounds}", flush=True)
            for peer in peers:
                note(peer, "discovery/s, 16 clients", documents(wrk, peer.port, peer.discovery, 16, seconds))
                note(peer, "keys/s, 16 clients", documents(wrk, peer.port, peer.jwks, 16, seconds))
                for people in (1, 8, 64):
                    sign_ins(peer, f"sign-ins/s, {people} client{'s' if people > 1 else ''}", people)
                if peer.has_session:
                    for people in (1, 8):
                        what = f"sign-ins/s with a session, {people} client{'s' if people > 1 else ''}"
                        sign_ins(peer, what, people, session=True)
        for peer in peers:
            peer.stop()
        # What the rounds have left in memory is not that of so many sign-ins: each begins again.
        for peer in peers:
            peer.start(server_core)
            peer.prepare()
            done = client.drive(peer, 8, patience, times=many)[1]
            note(peer, "sign-ins before the next line", done)
            note(peer, "memory then, MB", peer.memory())
            peer.stop()
    finally:
        for peer in peers:
            peer.stop()
    return figures, failed, busy


def report(peers, figures, failed, busy):
    print()
    ours = peers[0].name
    rows = []
    for peer in peers:
        for what in figures[peer.name]:
            if what not in rows:
                rows.append(what)
    for what in rows:
        print(what)
        for peer in peers:
            values = figures[peer.name].get(what)
            if not values:
                continue
            line = f"  {peer.name:20} {spread(values):28}"
            base = figures[ours].get(what)
            if peer.name != ours and base and "/s" in what:
                line += f" mock-server: {ratio(base, values)}"
            print(line.rstrip())
            worked = busy.get((peer.name, what))
            if worked and statistics.median(worked) > 0.85:
                print(f"  {'':20} the client was at work {statistics.median(worked):.0%} of the time: the server may be faster")
            reasons = failed.get((peer.name, what))
            if reasons:
                print(f"  {'':20} and {len(reasons)} that failed, such as: {reasons[0][:110]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("server", nargs="?", help="mock-server; without it that of the release build")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2, help="of each measurement")
    parser.add_argument("--starts", type=int, default=20)
    parser.add_argument("--many", type=int, default=10_000, help="sign-ins before memory is read again")
    parser.add_argument("--patience", type=float, default=600, help="seconds that these may take; a server that needs more has fewer of them")
    parser.add_argument("--quick", action="store_true", help="a look, not a measurement: one short round")
    parser.add_argument("--json", help="writes all figures to this file")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.seconds, arguments.starts, arguments.many, arguments.patience = 1, 0.5, 2, 200, 30
    program = os.path.abspath(arguments.server or os.path.join(ROOT, ".build", "release", "mock-server"))
    if not os.access(program, os.X_OK):
        print(f"peers: skipped, there is no {program}: swift build -c release --product mock-server")
        return 0
    # Ended from outside, it still ends what it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    folder = tempfile.mkdtemp()
    try:
        try:
            import cryptography
        except ImportError:
            # The client checks signatures; it goes on in a Python that can.
            place = os.path.join(folder, "client")
            subprocess.run([sys.executable, "-m", "venv", place], check=True, capture_output=True)
            problem = install(os.path.join(place, "bin", "python"), "cryptography")
            if problem:
                print(f"peers: skipped, cryptography cannot be installed: {problem}")
                return 0
            return subprocess.run([os.path.join(place, "bin", "python"), *sys.argv]).returncode
        peers = []
        for name, make in [
            ("mock-server", lambda place: MockServer(place, program)),
            ("oidc-provider-mock", lambda place: OidcProviderMock(place, newer_pythons())), ("glewlwyd", Glewlwyd),
        ]:
            place = os.path.join(folder, name)
            os.makedirs(place)
            try:
                peers.append(make(place))
            except (Skip, OSError, subprocess.SubprocessError) as reason:
                print(f"{name}: skipped, {reason}")
        if len(peers) < 2 or not isinstance(peers[0], MockServer):
            print("peers: skipped, there is nothing to compare")
            return 0
        print(f"{time.strftime('%Y-%m-%d %H:%M')}, {platform.system()} {platform.release()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        print("server and client on a core each, keep-alive, no access logs")
        try:
            wrk = Wrk(os.path.join(folder, "wrk"))
        except (Skip, OSError, subprocess.SubprocessError) as reason:
            wrk = None
            print(f"documents are asked for by the same client, which holds fast servers back: {reason}")
        else:
            print(f"documents are asked for by {wrk.version}")
        for peer in peers:
            print(f"{peer.name} {peer.version()}: {peer.note}")
        program = os.path.join(os.path.dirname(program), "Benchmarks")
        client = LeanClient(program) if os.access(program, os.X_OK) else PythonClient()
        if isinstance(client, PythonClient):
            print(f"sign-ins by a client in Python, which holds fast servers back: there is no {program}")
        figures, failed, busy = measure(
            peers, wrk, client, arguments.rounds, arguments.seconds, arguments.starts, arguments.many, arguments.patience)
        report(peers, figures, failed, busy)
        print(f"\nload afterwards {os.getloadavg()[0]:.1f}; median (smallest-largest) of {arguments.rounds} rounds of {arguments.seconds:g} s")
        if arguments.json:
            with open(arguments.json, "w") as file:
                json.dump({"versions": {peer.name: peer.version() for peer in peers}, "figures": figures}, file, indent=1)
        return 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
