#!/usr/bin/env python3
"""Holds an exported token cache against MSAL Python.

    msal_cache_roundtrip.py --exported FILE --written FILE --client-id ID --authority URL --scope SCOPE [--now SECONDS]

Reads FILE as MSAL Python's SerializableTokenCache, finds the account in it and gets an access token from it without a
network, then lets MSAL Python redeem the refresh token and sign a second person in, and writes what it has to the other
file. Prints a JSON object with what it found; exits 1 with a sentence when something does not fit.

The authority is `https://HOST/TENANT/POLICY`, the form MSAL Python knows as B2C. No request leaves the process.
"""
import argparse
import base64
import json
import sys
import time
from urllib.parse import parse_qs, urlparse


def base64url(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def id_token(subject, policy, client_id):
    claims = {"iss": "https://example.test/", "aud": client_id, "sub": subject, "oid": subject, "tfp": policy,
              "iat": int(time.time()), "exp": int(time.time()) + 3600, "name": subject}
    return ".".join([base64url({"alg": "none"}), base64url(claims), ""])


class Answer:
    """What MSAL Python expects of a response."""

    def __init__(self, status, body):
        self.status_code = status
        self.text = json.dumps(body)
        self.headers = {}

    def raise_for_status(self):
        if self.status_code >= 400:
            raise RuntimeError("HTTP %s" % self.status_code)


class Tenant:
    """Stands in for the network: metadata, and one answer a refresh token."""

    def __init__(self, authority, client_id, scope):
        self.authority, self.client_id, self.scope = authority, client_id, scope
        self.refreshed = []

    def get(self, url, **_):
        if urlparse(url).path.endswith("/.well-known/openid-configuration"):
            base = self.authority + "/oauth2/v2.0"
            return Answer(200, {"issuer": self.authority + "/v2.0/", "authorization_endpoint": base + "/authorize",
                                "token_endpoint": base + "/token", "jwks_uri": self.authority + "/keys"})
        return Answer(404, {})

    def post(self, url, data=None, **_):
        form = {name: values[0] for name, values in parse_qs(data).items()} if isinstance(data, str) else dict(data)
        self.refreshed.append(form.get("refresh_token"))
        return Answer(200, self.tokens("python", self.uid))

    def tokens(self, prefix, uid):
        subject = uid.rsplit("-b2c_", 1)[0]
        return {"access_token": prefix + "-access", "token_type": "Bearer", "expires_in": 3600, "scope": self.scope,
                "refresh_token": prefix + "-refresh", "client_info": base64url({"uid": uid, "utid": self.utid}),
                "id_token": id_token(subject, self.authority.rsplit("/", 1)[-1], self.client_id)}

    def close(self):
        pass


def fail(sentence):
    print(sentence, file=sys.stderr)
    sys.exit(1)


def main():
    parser = argparse.ArgumentParser()
    for name in ["exported", "written", "client-id", "authority", "scope"]:
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--now", type=int)
    options = parser.parse_args()
    if options.now is not None:
        # The exported cache lives in the time of its scenario.
        time.time = lambda: float(options.now)

    import msal

    cache = msal.SerializableTokenCache()
    with open(options.exported, encoding="utf-8") as file:
        cache.deserialize(file.read())
    tenant = Tenant(options.authority, options.client_id, options.scope)
    app = msal.PublicClientApplication(
        options.client_id, authority=options.authority, token_cache=cache, http_client=tenant)

    accounts = app.get_accounts()
    policy = "-" + options.authority.rsplit("/", 1)[-1].lower() + "."
    mine = [account for account in accounts if policy in account["home_account_id"]]
    if len(mine) != 1:
        fail("%d of %d accounts belong to the policy: %s" % (len(mine), len(accounts), accounts))
    account = mine[0]
    tenant.uid, tenant.utid = account["home_account_id"].split(".")

    cached = app.acquire_token_silent([options.scope], account=account)
    if not cached or "access_token" not in cached:
        fail("the exported access token is not found: %s" % cached)
    if tenant.refreshed:
        fail("the exported access token was refreshed instead of used")
    renewed = app.acquire_token_silent([options.scope], account=account, force_refresh=True)
    if not renewed or renewed.get("access_token") != "python-access":
        fail("the exported refresh token was not redeemed: %s" % renewed)

    grace = "9e9e9e9e-0000-4000-8000-000000000001" + policy[:-1]
    cache.add({
        "client_id": options.client_id, "scope": [options.scope], "grant_type": "authorization_code",
        "token_endpoint": options.authority + "/oauth2/v2.0/token", "environment": urlparse(options.authority).hostname,
        "response": tenant.tokens("grace", grace), "params": {}, "data": {},
    })
    with open(options.written, "w", encoding="utf-8") as file:
        file.write(cache.serialize())
    print(json.dumps({
        "msal": msal.__version__, "accounts": [entry["home_account_id"] for entry in accounts],
        "username": account["username"], "accessToken": cached["access_token"], "refreshToken": tenant.refreshed[0],
        "added": grace + "." + tenant.utid,
    }, indent=2))


if __name__ == "__main__":
    main()
