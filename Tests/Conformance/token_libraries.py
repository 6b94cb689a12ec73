"""Token libraries and a web app's library from PyPI against a mock-server over TLS: PyJWT, joserfc, Authlib.

    token_libraries.py MOCK_SERVER

MSAL Python looks at no signature; these do.
"""

import argparse
import importlib.util
import json
import os
import ssl
import sys
import urllib.parse
import warnings

import authlib
import flask
import joserfc
import jwt
import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.flask_client import OAuth
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwk
from joserfc import jwt as joserfc_jwt

from harness import Server, find, run_part
from plain_browser import Answer, PlainBrowser

HERE = os.path.dirname(os.path.abspath(__file__))
TENANT = os.path.join(HERE, "clients", "tenant.json")
HOST = "contoso.b2clogin.com"
AUTHORITY = f"https://{HOST}/contoso.onmicrosoft.com/"
SCOPE = "https://contoso.onmicrosoft.com/tasks/read"
SETTINGS = json.load(open(TENANT))["apps"]
WEB = SETTINGS["web"]["registration"]
REDIRECT = WEB["redirectUris"]["web"][0]


class PyJWT:
    """Keys fetched and chosen by the library's own client."""

    name = f"PyJWT {jwt.__version__}"

    def __init__(self, document, session):
        context = ssl.create_default_context(cafile=session.verify)
        self.keys = jwt.PyJWKClient(document["jwks_uri"], ssl_context=context)

    def claims(self, token, audience, issuer):
        key = self.keys.get_signing_key_from_jwt(token)
        return jwt.decode(token, key, algorithms=["RS256"], audience=audience, issuer=issuer, options={"require": ["exp", "iat", "sub"]})


class Joserfc:
    name = f"joserfc {joserfc.__version__}"

    def __init__(self, document, session):
        self.keys = jwk.KeySet.import_key_set(session.get(document["jwks_uri"]).json())

    def claims(self, token, audience, issuer):
        found = joserfc_jwt.decode(token, self.keys, algorithms=["RS256"])
        joserfc_jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": issuer}, aud={"essential": True, "value": audience}, exp={"essential": True},
            sub={"essential": True}).validate(found.claims)
        return found.claims


class Authlib:
    name = f"Authlib {authlib.__version__}"

    def __init__(self, document, session):
        from authlib.jose import JsonWebKey
        self.keys = JsonWebKey.import_key_set(session.get(document["jwks_uri"]).json())

    def claims(self, token, audience, issuer):
        from authlib.jose import JsonWebToken
        found = JsonWebToken(["RS256"]).decode(token, self.keys, claims_options={
            "iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": audience}, "exp": {"essential": True}})
        found.validate()
        return found


class World:
    def __init__(self, server):
        self.server = server
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.verify = server.authority

    def fresh(self):
        self.server.control("DELETE", "/faults")
        self.server.control("POST", "/reset", {"to": "start"})
        self.server.control("PATCH", "/clock", {"skew": "PT0S"})

    def document(self, policy="B2C_1_susi"):
        return self.session.get(f"{AUTHORITY}{policy}/v2.0/.well-known/openid-configuration").json()

    def client(self, policy="B2C_1_susi", **more):
        """Authlib's client for a web app; as requests' sessions are, with the server's authority."""
        client = OAuth2Session(**{
            "client_id": WEB["clientId"], "client_secret": WEB["secrets"][0], "redirect_uri": REDIRECT,
            "scope": f"openid offline_access {SCOPE}", "code_challenge_method": "S256", **more})
        client.trust_env, client.verify = False, self.server.authority
        return client, self.document(policy)

    def authorize(self, client, document, **more):
        verifier = "a-verifier-that-is-long-enough-for-everybody-0123"
        url, state = client.create_authorization_url(document["authorization_endpoint"], code_verifier=verifier, nonce="n-1", **more)
        answer = PlainBrowser(self.server).open(url).sign_in("ada@example.test", "Analytical-1843")
        assert isinstance(answer, Answer), answer
        return {"authorization_response": answer.url + "?" + urllib.parse.urlencode(answer.parameters), "code_verifier": verifier, "state": state}

    def tokens(self, policy="B2C_1_susi", **more):
        client, document = self.client(policy, **more)
        return client.fetch_token(document["token_endpoint"], **self.authorize(client, document))

    def minted(self, token, **how):
        return self.server.control("POST", "/tokens", {"from": token, **how})["token"]


def refuses(action, what):
    """What a library has against it; anything else that goes wrong is no refusal."""
    try:
        found = action()
    except Exception as error:
        if type(error).__module__.split(".")[0] not in ("jwt", "joserfc", "authlib") and "Key not found" not in str(error):
            raise
        if os.environ.get("B2C_CONFORMANCE_TRACE"):
            print(f"          {what}: {type(error).__module__}.{type(error).__name__}: {error}")
        return error
    raise AssertionError(f"{what} is accepted: {found}")


def library_checks(world, report, kind):
    def check(name, action):
        world.fresh()
        report.check(f"{kind.name}: {name}", action)

    def verifies():
        tokens, document = world.tokens(), world.document()
        library = kind(document, world.session)
        claims = library.claims(tokens["id_token"], WEB["clientId"], document["issuer"])
        assert claims["name"] == "Ada" and claims["tfp"] == "B2C_1_susi" and claims["nonce"] == "n-1", dict(claims)
        claims = library.claims(tokens["access_token"], tokens["resource"], document["issuer"])
        assert claims["scp"] == "read" and claims["azp"] == WEB["clientId"], dict(claims)

    def rejects():
        token, document = world.tokens()["id_token"], world.document()
        library = kind(document, world.session)
        read = lambda token: library.claims(token, WEB["clientId"], document["issuer"])
        kid = json.loads(joserfc.util.urlsafe_b64decode(token.split(".")[0].encode()))["kid"]
        # What is right, made the same way as all that is wrong.
        assert read(world.minted(token))["name"] == "Ada"
        for what, how in [
            ("an altered payload", {"tamper": "payload"}), ("an altered signature", {"tamper": "signature"}),
            ("a token without signature", {"alg": "none"}), ("HS256", {"alg": "HS256"}),
            ("the key of nobody", {"key": "nobody"}), ("the key of nobody under a good kid", {"key": "nobody", "header": {"kid": kid}}),
            ("an expired token", {"lifetime": "-PT6M"}), ("another audience", {"claims": {"aud": SETTINGS["job"]["registration"]["clientId"]}}),
            ("another issuer", {"claims": {"iss": "https://elsewhere.test/v2.0/"}}), ("a token of tomorrow", {"claims": {"nbf": 4102444800}}),
            ("no expiry", {"claims": {"exp": None}}),
        ]:
            wrong = world.minted(token, **how)
            refuses(lambda: read(wrong), what)
        refuses(lambda: read(token.rsplit(".", 1)[0] + "."), "a cut signature")

    def expires():
        """A token of an hour ago, by this machine's clock."""
        world.server.control("PATCH", "/clock", {"advance": "-PT66M"})
        token, document = world.tokens()["id_token"], world.document()
        library = kind(document, world.session)
        refuses(lambda: library.claims(token, WEB["clientId"], document["issuer"]), "an expired token")

    def follows_rotation():
        first, document = world.tokens()["id_token"], world.document()
        read = lambda library, token: library.claims(token, WEB["clientId"], document["issuer"])["name"]
        old = kind(document, world.session)
        world.server.control("POST", "/keys/service/rotate", {"keepPublished": True})
        second = world.tokens()["id_token"]
        both = kind(document, world.session)
        assert read(both, first) == read(both, second) == "Ada", "both keys are published"
        if kind is not PyJWT:  # which fetches the keys anew for a kid that it does not know
            refuses(lambda: read(old, second), "a key that is not known")
        world.server.control("POST", "/keys/service/rotate", {"keepPublished": False})
        third = world.tokens()["id_token"]
        new = kind(document, world.session)
        assert read(new, third) == "Ada"
        for token in (first, second):
            refuses(lambda: read(new, token), "a key that is published no more")

    for name, action in [("good tokens", verifies), ("bad tokens", rejects), ("expiry", expires), ("rotated keys", follows_rotation)]:
        check(name, action)


def web_app_checks(world, report):
    """Authlib as the client of a web app: by hand, and as Flask apps have it."""

    def site(**settings):
        """A web app with a sign-in, on no network: Flask's own test client is the browser's way to it."""
        app = flask.Flask("web")
        app.secret_key = "of the test"
        oauth = OAuth(app)
        oauth.register("b2c", **{
            "client_id": WEB["clientId"], "client_secret": WEB["secrets"][0],
            "server_metadata_url": AUTHORITY + "B2C_1_susi/v2.0/.well-known/openid-configuration",
            "client_kwargs": {
                "scope": "openid offline_access " + SCOPE, "code_challenge_method": "S256", "verify": world.server.authority,
                "trust_env": False}, **settings})

        @app.get("/login")
        def login():
            return oauth.b2c.authorize_redirect(REDIRECT)

        @app.get("/signin-oidc")
        def signed_in():
            return oauth.b2c.authorize_access_token()["userinfo"]

        # Errors come out as they are.
        app.testing = True
        return app.test_client()

    def through(browser, person=lambda page: page.sign_in("ada@example.test", "Analytical-1843"), **changed):
        """From the button of the app to its callback."""
        answer = person(PlainBrowser(world.server).open(browser.get("/login").headers["Location"]))
        return browser.get("/signin-oidc", query_string={**answer.parameters, **changed})

    def by_hand():
        for method in ("client_secret_basic", "client_secret_post"):
            client, document = world.client(token_endpoint_auth_method=method)
            tokens = client.fetch_token(document["token_endpoint"], **world.authorize(client, document))
            answer = client.get("https://tasks.api.contoso.test/tasks")
            assert answer.status_code == 200, answer.text
            again = client.refresh_token(document["token_endpoint"], refresh_token=tokens["refresh_token"])
            assert again["access_token"] and again["refresh_token"], again

    def client_credentials():
        job = SETTINGS["job"]["registration"]
        for method in ("client_secret_basic", "client_secret_post"):
            client, document = world.client(
                client_id=job["clientId"], client_secret=job["secrets"][0], scope="https://contoso.onmicrosoft.com/tasks/.default",
                token_endpoint_auth_method=method)
            client.fetch_token(document["token_endpoint"], grant_type="client_credentials")
            assert client.get("https://tasks.api.contoso.test/tasks").status_code == 200

    def wrong_secret():
        error = refuses(lambda: world.tokens(client_secret="guessed"), "a wrong secret")
        assert isinstance(error, OAuthError) and error.error == "invalid_client" and "AADB2C90081" in error.description, error

    def expired_refresh_token():
        client, document = world.client()
        tokens = client.fetch_token(document["token_endpoint"], **world.authorize(client, document))
        world.server.control("PATCH", "/clock", {"advance": "P15D"})
        error = refuses(lambda: client.refresh_token(document["token_endpoint"], refresh_token=tokens["refresh_token"]), "an old refresh token")
        assert error.error == "invalid_grant" and "AADB2C90080" in error.description, error

    def wrong_policy():
        client, document = world.client()
        authorized = world.authorize(client, document)
        error = refuses(lambda: client.fetch_token(world.document("B2C_1_strict")["token_endpoint"], **authorized), "a code of another policy")
        assert error.error == "invalid_grant" and "AADB2C90088" in error.description, error

    def flask_app():
        answer = through(site())
        assert answer.status_code == 200 and answer.json["name"] == "Ada" and answer.json["aud"] == WEB["clientId"], answer.text

    def flask_app_cancelled():
        error = refuses(lambda: through(site(), lambda page: page.cancel()), "a cancelled sign-in")
        assert error.error == "access_denied" and "AADB2C90091" in error.description, error

    def flask_app_other_state():
        error = refuses(lambda: through(site(), state="somebody else's"), "a foreign state")
        assert "state" in str(error).lower(), error

    def flask_app_wrong_redirect_uri():
        page = PlainBrowser(world.server).open(
            site().get("/login").headers["Location"].replace(urllib.parse.quote(REDIRECT, safe=""), "https%3A%2F%2Felsewhere.test%2F"))
        assert page.is_error and "AADB2C90006" in page.text, page.text[:200]

    def flask_app_unknown_scope():
        answer = PlainBrowser(world.server).open(site().get("/login").headers["Location"].replace("tasks%2Fread", "tasks%2Fnothing"))
        assert answer.parameters["error"] == "invalid_request" and "AADB2C90117" in answer.parameters["error_description"], answer.parameters

    def flask_app_tampered():
        for what, claims in [
            ("a foreign nonce", {"nonce": "other"}), ("no nonce", {"nonce": None}), ("a foreign issuer", {"iss": "https://elsewhere.test/"}),
            ("a foreign audience", {"aud": SETTINGS["job"]["registration"]["clientId"]}), ("an expired token", {"exp": 1, "iat": 1}),
        ]:
            world.server.control("PUT", "/faults", {"rules": [{"match": {"endpoint": "token"}, "claims": {"idToken": claims}}]})
            refuses(lambda: through(site()), what)
        world.server.control("DELETE", "/faults")

    def flask_app_rotated_keys():
        """The library keeps the keys; for one that it does not know it asks again."""
        browser = site()
        assert through(browser).json["name"] == "Ada"
        world.server.control("POST", "/keys/service/rotate", {"keepPublished": False})
        assert through(browser).json["name"] == "Ada"

    def strict_discovery():
        """The issuer that names the policy is where its document is found, as OpenID Connect Discovery 4.3 has it."""
        issuer = world.document("B2C_1_strict")["issuer"]
        found = world.session.get(issuer + ".well-known/openid-configuration").json()
        assert "/tfp/" in issuer and found["issuer"] == issuer, (issuer, found)
        answer = through(site(server_metadata_url=issuer + ".well-known/openid-configuration"))
        assert answer.json["iss"] == issuer, answer.json

    for check in [
        by_hand, client_credentials, wrong_secret, expired_refresh_token, wrong_policy, flask_app, flask_app_cancelled,
        flask_app_other_state, flask_app_wrong_redirect_uri, flask_app_unknown_scope, flask_app_tampered, flask_app_rotated_keys,
        strict_discovery,
    ]:
        world.fresh()
        report.check("web app: " + check.__name__.replace("_", " "), check)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")

    def body(report):
        server = Server(arguments.server, TENANT)
        find([HOST, "tasks.api.contoso.test"], server.port)
        try:
            world = World(server)
            kinds = [PyJWT, Joserfc, Authlib]
            if not importlib.util.find_spec("authlib.jose"):  # it is leaving that to joserfc
                print("  skipped the tokens of Authlib: this version has no authlib.jose")
                kinds.remove(Authlib)
            for kind in kinds:
                library_checks(world, report, kind)
            web_app_checks(world, report)
        finally:
            server.stop()

    return run_part("tokens", body)


if __name__ == "__main__":
    sys.exit(main())
