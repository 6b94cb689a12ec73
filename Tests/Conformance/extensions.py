"""`b2c extension` calls functions that are written without it: examples/extension-python and examples/extension-node answer every
event, three mistakes are planted in a copy and found by name, and Python's `cryptography` opens the password.

    extensions.py MOCK_SERVER B2C
"""

import base64
import hashlib
import hmac
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import xml.etree.ElementTree as ElementTree

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from harness import PATIENCE, Server, free_port, run_part

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = {
    "python": ("extension-python", [sys.executable, "function.py"]), "node": ("extension-node", ["node", "function.mjs"]),
}
EVENTS = [
    "tokenIssuanceStart", "attributeCollectionStart", "attributeCollectionSubmit", "emailOtpSend", "passwordSubmit",
    "verifiedIdClaimValidation",
]
TENANT = os.path.join(ROOT, "scenarios", "tenants", "contoso.json")
# A mistake: the line that is changed, what it becomes, and the case that finds it.
MISTAKES = [
    ('check(self.headers.get("Authorization"))', "pass", "no-token"),
    ("**members}]", "**members}] * 2", "action-count"),
    ('data["nonce"] = members.pop("nonce")', 'members.pop("nonce")', "nonce"),
]
PASSWORD = "Analytical-1843"


class Stage:
    """A server, a key, and the issuer that functions trust."""

    def __init__(self, server, b2c):
        self.b2c = os.path.abspath(b2c)
        self.folder = tempfile.mkdtemp()
        self.server = Server(os.path.abspath(server), TENANT, tls=False)
        self.origin = f"http://localhost:{self.server.port}"
        for name, kind in [("rsa", ["rsa", "-pkeyopt", "rsa_keygen_bits:2048"]), ("ec", ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"])]:
            self.openssl("genpkey", "-algorithm", *kind, "-out", f"{name}.pem")
            self.openssl("pkey", "-in", f"{name}.pem", "-pubout", "-out", f"{name}-public.pem")
        self.openssl("req", "-x509", "-key", "rsa.pem", "-subj", "/CN=extension", "-days", "2", "-out", "certificate.pem")
        nobody = f"http://localhost:{free_port()}/"
        sent = json.loads(self.run("call", nobody, "--event", EVENTS[0], "--json", expected=4)[0])
        self.issuer, self.audience = sent["issuer"], sent["audience"]

    def path(self, name):
        return os.path.join(self.folder, name)

    def openssl(self, *words):
        subprocess.run(["openssl", *words], cwd=self.folder, check=True, capture_output=True)

    def run(self, *words, expected=0, server=True):
        """A command; its output and what it says of errors."""
        done = subprocess.run(
            [self.b2c, "extension", *words, "--tenant", TENANT, *(["--server", self.origin] if server else [])], cwd=self.folder,
            capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
        assert done.returncode == expected, (words, done.returncode, done.stdout[-600:], done.stderr[-600:])
        return done.stdout, done.stderr

    def close(self):
        self.server.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


class Function:
    """A running function."""

    def __init__(self, stage, folder, command, audience=None):
        variables = {
            "B2C_EXTENSION_ISSUER": stage.issuer, "B2C_EXTENSION_AUDIENCE": audience or stage.audience,
            "B2C_EXTENSION_KEY": stage.path("rsa.pem"), "PYTHONDONTWRITEBYTECODE": "1"}
        self.process = subprocess.Popen(
            [*command, "--port", "0"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, **variables})
        line = self.process.stdout.readline()
        assert line.startswith("listening on "), line
        self.url = line.split()[2]

    def __enter__(self):
        return self.url

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)


class Answers:
    """A service that gives one answer to everything, and keeps what it got."""

    def __init__(self, status, body, headers=None):
        received = self.received = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                received.append(self.rfile.read(int(self.headers.get("Content-Length", 0))))
                content = body.encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", "Content-Length": str(len(content)), **(headers or {})}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return f"http://localhost:{self.server.server_address[1]}/"

    def __exit__(self, *_):
        self.server.shutdown()


def tried(stage, url, event, expected, *more):
    """The results of a trial by the names of the cases."""
    key = ["--key", "certificate.pem"] if event == "passwordSubmit" else []
    said = stage.run("test", url, "--event", event, "--format", "json", *key, *more, expected=expected)[0]
    return {case["name"]: case for case in json.loads(said)["cases"]}


def failed(cases):
    return {name for name, case in cases.items() if case["result"] == "failed"}


def every_event(stage, name):
    folder, command = EXAMPLES[name]
    with Function(stage, os.path.join(ROOT, "examples", folder), command) as url:
        for event in EVENTS:
            cases = tried(stage, url, event, 0)
            assert not failed(cases) and cases["wrong-audience"]["result"] == "passed", (event, cases)
        junit = ElementTree.fromstring(stage.run("test", url, "--event", EVENTS[0], "--format", "junit")[0])
        assert len(list(junit.iter("testcase"))) == len(tried(stage, url, EVENTS[0], 0)), ElementTree.tostring(junit)
        said = stage.run("call", url, "--event", EVENTS[0])[0]
        assert "provideClaimsForToken" in said and "eyJ" not in said, said


def scenario(stage):
    """A script calls the function itself, beside the server that publishes the keys."""
    folder, command = EXAMPLES["node"]
    with Function(stage, os.path.join(ROOT, "examples", folder), command) as url:
        call = {"url": url + "/", "event": EVENTS[0], "user": "ada", "server": stage.origin}
        script = {
            "name": "A function that runs", "tenant": TENANT, "app": "ios",
            "configure": {"rest": {"function": {"match": {"url": url + "/"}, "passThrough": True}}},
            "steps": [{"callExtension": call, "expect": {"result": {"claims": {"tier": "gold"}, "findings": []}}}]}
        with open(stage.path("function.json"), "w", encoding="utf-8") as file:
            json.dump(script, file)
        done = subprocess.run(
            [stage.b2c, "run", stage.path("function.json"), "--allow-real-services"], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stdout + done.stderr


def another_app(stage):
    """A function that trusts tokens for another app refuses the good one, and nothing else is said of it."""
    folder, command = EXAMPLES["python"]
    with Function(stage, os.path.join(ROOT, "examples", folder), command, audience="another") as url:
        cases = tried(stage, url, EVENTS[0], 4)
        assert failed(cases) == {"good-token"}, failed(cases)


def mistakes(stage):
    """Each is found by its name alone, and without it nothing is found."""
    folder = stage.path("function")
    shutil.copytree(os.path.join(ROOT, "examples", "extension-python"), folder)
    path = os.path.join(folder, "function.py")
    with open(path, encoding="utf-8") as file:
        good = file.read()
    for line, becomes, case in [*MISTAKES, (None, None, None)]:
        assert line is None or good.count(line) == 1, line
        with open(path, "w", encoding="utf-8") as file:
            file.write(good if line is None else good.replace(line, becomes))
        with Function(stage, folder, EXAMPLES["python"][1]) as url:
            cases = tried(stage, url, "passwordSubmit", 4 if line else 0)
            assert failed(cases) == ({case} if line else set()), (case, failed(cases))
            if line:
                sarif = json.loads(stage.run(
                    "test", url, "--event", "passwordSubmit", "--key", "certificate.pem", "--case", case, "--format", "sarif",
                    expected=4)[0])
                found = [result["ruleId"] for result in sarif["runs"][0]["results"]]
                assert found == [cases[case]["rule"]], found


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def opened(text, key):
    """The content of a JWE, its header, and the tag checked."""
    head, wrapped, vector, content, tag = text.split(".")
    header = json.loads(decoded(head))
    algorithm = hashes.SHA256() if header["alg"] == "RSA-OAEP-256" else hashes.SHA1()
    secret = key.decrypt(decoded(wrapped), padding.OAEP(padding.MGF1(algorithm), algorithm, None))
    if header["enc"] == "A256GCM":
        return header, AESGCM(secret).decrypt(decoded(vector), decoded(content) + decoded(tag), head.encode())
    assert header["enc"] == "A256CBC-HS512" and len(secret) == 64, header
    signed = head.encode() + decoded(vector) + decoded(content) + (len(head) * 8).to_bytes(8, "big")
    assert hmac.compare_digest(hmac.new(secret[:32], signed, hashlib.sha512).digest()[:32], decoded(tag))
    stream = Cipher(algorithms.AES(secret[32:]), modes.CBC(decoded(vector))).decryptor()
    padded = stream.update(decoded(content)) + stream.finalize()
    return header, padded[:-padded[-1]]


def password(stage):
    with open(stage.path("rsa.pem"), "rb") as file:
        key = load_pem_private_key(file.read(), None)
    with Answers(500, "{}") as url:
        for alg in ("RSA-OAEP-256", "RSA-OAEP"):
            for enc in ("A256GCM", "A256CBC-HS512"):
                for plain in ([], ["--plain"]):
                    said = stage.run(
                        "call", url, "--event", "passwordSubmit", "--key", "rsa-public.pem", "--alg", alg, "--enc", enc, *plain, "--json",
                        "--retries", "0", expected=4)[0]
                    assert PASSWORD not in said, said
                    header, inner = opened(json.loads(said)["sent"]["data"]["encryptedPasswordContext"], key)
                    assert (header["alg"], header["enc"]) == (alg, enc), header
                    claims = json.loads(inner if plain else decoded(inner.decode().split(".")[1]))
                    assert claims["user-password"] == PASSWORD and claims["nonce"], claims.keys()


def variables(stage):
    """A command beside a server finds the issuer, whose keys are published."""
    script = (
        "import json, os, urllib.request as web; issuer = os.environ['B2C_EXTENSION_ISSUER'];"
        "found = json.load(web.urlopen(issuer + '/.well-known/openid-configuration')); assert found['issuer'] == issuer, found;"
        "assert len(json.load(web.urlopen(found['jwks_uri']))['keys']) == 2;"
        "assert issuer == os.environ['AuthenticationEvents__AuthorityUrl'] + '/v2.0';"
        "print(os.environ['AuthenticationEvents__AudienceAppId'], os.environ['B2C_EXTENSION_AUDIENCE'])")
    done = subprocess.run(
        [stage.b2c, "exec", "--tenant", TENANT, "--", sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and done.stdout.split() == [stage.audience] * 2, (done.stdout, done.stderr)


def wrong(stage):
    """Wrong addresses, answers and keys: one sentence with what to do."""
    event = ["--event", EVENTS[0]]

    def refused(url, *pieces):
        said = stage.run("call", url, *event, expected=4)[0]
        assert all(piece in said for piece in pieces), said

    refused(f"http://localhost:{free_port()}/", "No connection to localhost", "Start the function")
    for status, body, headers, pieces in [
        (302, "", {"Location": "https://login.contoso.test/"}, ("redirects to https://login.contoso.test/", "1003002")),
        (200, "<!doctype html><p>Sign in</p>", {"Content-Type": "text/html"}, ("1003006",)),
        (200, "", {}, ("1003009",)), (200, "{", {}, ("1003003",)), (404, "{}", {}, ("1003002",)),
    ]:
        with Answers(status, body, headers) as url:
            refused(url, *pieces)
    secure = Server(os.path.abspath(sys.argv[1]), None)
    try:
        address = f"https://localhost:{secure.port}/none"
        refused(address, "the certificate is not trusted", "1003027")
        trusted = stage.run("call", address, *event, "--ca", secure.authority, expected=4)[0]
        assert "certificate" not in trusted, trusted
    finally:
        secure.stop()
    for words, piece in [
        (["--event", "passwordSubmit", "--key", "ec-public.pem"], "has no RSA key"),
        (["--event", "passwordSubmit"], "needs --key"),
        (["--event", "tokenIssuance"], "Did you mean tokenIssuanceStart?"),
    ]:
        said = stage.run("call", "http://localhost:1/", *words, expected=1)[1]
        assert piece in said, said
    # Without --server one is started for the call, and ends with it.
    said = stage.run("call", f"http://localhost:{free_port()}/", *event, expected=4, server=False)
    assert "/extension-caller/external/" in said[1] and "--server" in said[1], said


def comparisons(stage):
    """A REST API and the function that replaces it."""
    folder, command = EXAMPLES["python"]
    policies = os.path.join(ROOT, "scenarios", "policies", "Loyalty.xml")
    good = {"tier": "gold", "roles": ["reader", "writer"]}
    with Function(stage, os.path.join(ROOT, "examples", folder), command) as url:
        for body, equal in [(good, True), ({**good, "tier": "silver"}, False), ({"tier": "gold"}, False)]:
            service = Answers(200, json.dumps(body))
            with service as rest:
                said = stage.run(
                    "compare", url, "--event", EVENTS[0], "--policies", policies, "--profile", "REST-Tier", "--rest", rest, "--json",
                    expected=0 if equal else 4)[0]
            assert json.loads(said)["equal"] == equal, said
            assert json.loads(service.received[0]) == {"email": "ada@example.test"}, service.received


def moved(stage):
    """The way of docs/leaving-b2c.md: what becomes of a REST call, its skeleton filled in, and both compared."""
    policies = os.path.join(ROOT, "scenarios", "policies", "Loyalty.xml")
    skeletons = os.path.join(stage.folder, "skeletons")
    done = subprocess.run(
        [stage.b2c, "policy", "migrate", policies, "--format", "json", "--skeletons", skeletons], capture_output=True, text=True,
        timeout=PATIENCE, cwd=stage.folder)
    assert done.returncode == 0, done
    assert "REST-Tier" in done.stdout and "attributeCollectionSubmit" in done.stdout, done.stdout[:2000]
    with open(os.path.join(skeletons, "attributeCollectionSubmit", "REST-Tier", "answer.json")) as file:
        answer = json.load(file)
    for tier, equal in [("gold", True), ("silver", False)]:
        answer["data"]["actions"][0]["attributes"]["tier"] = tier
        with Answers(200, json.dumps({"tier": "gold"})) as rest, Answers(200, json.dumps(answer)) as url:
            said = stage.run(
                "compare", url, "--event", "attributeCollectionSubmit", "--policies", policies, "--profile", "REST-Tier", "--rest", rest,
                "--json", expected=0 if equal else 4)[0]
        assert json.loads(said)["equal"] == equal, said


def main():
    def body(report):
        stage = Stage(*sys.argv[1:3])
        try:
            for name in EXAMPLES:
                report.check(f"the function in {name} answers every event", lambda: every_event(stage, name))
            report.check("a scenario calls the function", lambda: scenario(stage))
            report.check("a function of another app refuses the good token", lambda: another_app(stage))
            report.check("three mistakes are found by name, one at a time", lambda: mistakes(stage))
            report.check("cryptography opens the password in both algorithms and both forms", lambda: password(stage))
            report.check("b2c exec sets issuer and audience", lambda: variables(stage))
            report.check("wrong addresses, answers and keys have one sentence with the fix", lambda: wrong(stage))
            report.check("a REST API and its extension are compared", lambda: comparisons(stage))
            report.check("a REST call is migrated: verdict, skeleton filled in, equal answers", lambda: moved(stage))
        finally:
            stage.close()

    return run_part("extensions", body)


if __name__ == "__main__":
    sys.exit(main())
