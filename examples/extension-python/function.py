"""A custom authentication extension of Microsoft Entra External ID, with Python's standard library alone.

    python3 function.py --port 8080

It checks the token of each call, and answers every event. Replace the functions below `answers` by your own. For production use
a library for JWT and JWE: `jwe.py` shows what one does.

B2C_EXTENSION_ISSUER    `iss` of the tokens; the keys are in its discovery document
B2C_EXTENSION_AUDIENCE  `aud` of the tokens: the application id of the extension's app
B2C_EXTENSION_KEY       a PEM file with the private key that opens passwords; optional
"""

import argparse
import base64
import hashlib
import json
import os
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwe

CALLER = "99045fe1-7639-4a75-9d4a-577b6ca3810f"
SHA256 = bytes.fromhex("3031300d060960864801650304020105000420")


class Refused(Exception):
    """A call that is not answered: status and reason."""


# The answers: an action of the event, with its members.

PASSWORDS = {"ada@example.test": "Analytical-1843"}


def claims_for_token(data):
    return "tokenIssuanceStart.provideClaimsForToken", {"claims": {"tier": "gold", "roles": ["reader", "writer"]}}


def before_sign_up(data):
    return "attributeCollectionStart.setPrefillValues", {"inputs": {"city": "London"}}


def sign_up(data):
    for identity in data["userSignUpInfo"].get("identities", []):
        if identity.get("issuerAssignedId", "").endswith("@blocked.test"):
            return "attributeCollectionSubmit.showBlockPage", {"title": "Not here", "message": "Use another address."}
    return "attributeCollectionSubmit.continueWithDefaultBehavior", {}


def send_code(data):
    # Here send data["otpContext"]["oneTimeCode"] to data["otpContext"]["identifier"], and write neither to a log.
    return "OtpSend.continueWithDefaultBehavior", {}


def old_password(data):
    context = password_context(data["encryptedPasswordContext"])
    # Here ask the old directory.
    known = PASSWORDS.get(context["username"])
    right = known is not None and known == context["user-password"]
    return "passwordSubmit." + ("MigratePassword" if right else "Retry"), {"nonce": context["nonce"]}


def recovery(data):
    return "verifiedIdClaimValidation.pass", {}


ANSWERS = {
    "tokenIssuanceStart": claims_for_token, "attributeCollectionStart": before_sign_up, "attributeCollectionSubmit": sign_up,
    "emailOtpSend": send_code, "passwordSubmit": old_password, "verifiedIdClaimValidation": recovery,
}


def answer(body):
    """The answer to a call: one action, and the nonce of a password beside it."""
    event = body["type"].rpartition(".")[2]
    if event not in ANSWERS:
        raise Refused(400, f"unknown event {event}")
    action, members = ANSWERS[event](body["data"])
    # The type of a one-time code's answer has a capital O, unlike the others.
    stem = "OnOtpSend" if event == "emailOtpSend" else "on" + event[0].upper() + event[1:]
    data = {"@odata.type": f"microsoft.graph.{stem}ResponseData"}
    if "nonce" in members:
        data["nonce"] = members.pop("nonce")
    data["actions"] = [{"@odata.type": f"microsoft.graph.{action}", **members}]
    return {"data": data}


# The token of a call.

KEYS = {}


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def fetched(url):
    with urllib.request.urlopen(url, timeout=5) as response:
        return json.load(response)


def key(kid):
    """Modulus and exponent of a published key. Keys are read again if a token names an unknown one."""
    if kid not in KEYS:
        try:
            discovery = fetched(os.environ["B2C_EXTENSION_ISSUER"] + "/.well-known/openid-configuration")
            for jwk in fetched(discovery["jwks_uri"])["keys"]:
                KEYS[jwk["kid"]] = [int.from_bytes(decoded(jwk[name]), "big") for name in ("n", "e")]
        except OSError as error:
            raise Refused(503, f"the keys of the issuer cannot be read: {error}")
    if kid not in KEYS:
        raise Refused(401, "the key of the token is not published")
    return KEYS[kid]


def check(authorization):
    """Checks signature, issuer, audience, caller and times."""
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer":
        raise Refused(401, "no token")
    try:
        head, payload, signature = token.split(".")
        header, claims = json.loads(decoded(head)), json.loads(decoded(payload))
        signature = decoded(signature)
    except ValueError:
        raise Refused(401, "the token is malformed")
    if header.get("alg") != "RS256":
        raise Refused(401, "the token is not signed with RS256")
    modulus, exponent = key(header.get("kid"))
    size = (modulus.bit_length() + 7) // 8
    digest = SHA256 + hashlib.sha256(f"{head}.{payload}".encode()).digest()
    expected = b"\0\1" + b"\xff" * (size - 3 - len(digest)) + b"\0" + digest
    if len(signature) != size or pow(int.from_bytes(signature, "big"), exponent, modulus).to_bytes(size, "big") != expected:
        raise Refused(401, "the signature does not fit")
    if claims.get("iss") != os.environ["B2C_EXTENSION_ISSUER"]:
        raise Refused(401, "another issuer")
    if claims.get("aud") != os.environ["B2C_EXTENSION_AUDIENCE"]:
        raise Refused(401, "a token for another app")
    if claims.get("appid" if claims.get("ver") == "1.0" else "azp") != CALLER:
        raise Refused(401, "another caller")
    if not claims.get("nbf", 0) - 300 <= time.time() < claims.get("exp", 0) + 300:
        raise Refused(401, "the token has expired or is not valid yet")


def password_context(text):
    """What is inside the encrypted context: claims of an unsigned JWT, or JSON."""
    if "B2C_EXTENSION_KEY" not in os.environ:
        raise Refused(400, "B2C_EXTENSION_KEY is not set")
    with open(os.environ["B2C_EXTENSION_KEY"], encoding="utf-8") as file:
        private = jwe.private_key(file.read())
    try:
        inner = jwe.opened(text, *private)
        return json.loads(inner if inner.startswith(b"{") else decoded(inner.decode().split(".")[1]))
    except (ValueError, IndexError):
        raise Refused(400, "the password context cannot be opened")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.reply(200, {"status": "ready"})

    def do_POST(self):
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            check(self.headers.get("Authorization"))
            self.reply(200, answer(json.loads(content)))
        except Refused as refused:
            self.reply(refused.args[0], {"error": refused.args[1]})
        except (ValueError, KeyError, TypeError, AttributeError):
            self.reply(400, {"error": "the body of the call is malformed"})

    def reply(self, status, body):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8080)
    for name in ("B2C_EXTENSION_ISSUER", "B2C_EXTENSION_AUDIENCE"):
        if name not in os.environ:
            parser.error(f"{name} is not set: start this with `b2c exec -- python3 function.py`, or set it")
    server = ThreadingHTTPServer(("127.0.0.1", parser.parse_args().port), Handler)
    print(f"listening on http://localhost:{server.server_address[1]}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
