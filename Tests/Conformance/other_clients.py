"""Further libraries of PyPI that apps of Azure AD B2C are written with, against a mock-server over TLS: requests-oauthlib,
social-auth-core (its backend for Azure AD B2C), pyoidc, Microsoft's identity, fastapi-azure-auth, azure-ad-verify-token.

    other_clients.py MOCK_SERVER

Each signs in and has to refuse what is wrong.
"""

import importlib.metadata
import json
import logging
import os
import sys
import urllib.parse
import warnings

import requests

from harness import Server, find, run_part
from plain_browser import Answer, PlainBrowser

HERE = os.path.dirname(os.path.abspath(__file__))
TENANT = os.path.join(HERE, "clients", "tenant.json")
HOST = "contoso.b2clogin.com"
SCOPE = "https://contoso.onmicrosoft.com/tasks/read"
WEB = json.load(open(TENANT))["apps"]["web"]["registration"]
REDIRECT = WEB["redirectUris"]["web"][0]


class World:
    def __init__(self, server):
        self.server = server

    def address(self, policy="B2C_1_susi", host=HOST):
        return f"https://{host}/contoso.onmicrosoft.com/{policy}"

    def document(self, policy="B2C_1_susi", host=HOST):
        return requests.get(self.address(policy, host) + "/v2.0/.well-known/openid-configuration").json()

    def answer(self, url, person=lambda page: page.sign_in("ada@example.test", "Analytical-1843")):
        """What comes back to the app from an authorization request."""
        found = person(PlainBrowser(self.server).open(url))
        assert isinstance(found, Answer), found
        return found

    def minted(self, token, **how):
        return self.server.control("POST", "/tokens", {"from": token, **how})["token"]

    def forging(self, claims):
        """ID tokens come with other claims from now on."""
        self.server.control("PUT", "/faults", {"rules": [{"match": {"endpoint": "token"}, "claims": {"idToken": claims}}]})


def refused(action, what, *words):
    try:
        found = action()
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        assert all(word in said for word in words), f"{what}: {said}"
        return
    raise AssertionError(f"{what} is accepted: {found}")


def requests_oauthlib_checks(world):
    from requests_oauthlib import OAuth2Session

    def tokens(person=lambda page: page.sign_in("ada@example.test", "Analytical-1843"), secret=WEB["secrets"][0]):
        base = world.address() + "/oauth2/v2.0"
        session = OAuth2Session(WEB["clientId"], redirect_uri=REDIRECT, scope=["openid", "offline_access", SCOPE], pkce="S256")
        answer = world.answer(session.authorization_url(base + "/authorize")[0], person)
        callback = answer.url + "?" + urllib.parse.urlencode(answer.parameters)
        return session, session.fetch_token(base + "/token", client_secret=secret, authorization_response=callback)

    def signs_in():
        session, found = tokens()
        assert found["access_token"] and found["refresh_token"]
        assert session.get("https://tasks.api.contoso.test/tasks").status_code == 200
        again = session.refresh_token(
            world.address() + "/oauth2/v2.0/token", client_id=WEB["clientId"], client_secret=WEB["secrets"][0])
        assert again["access_token"]

    def refuses():
        refused(lambda: tokens(lambda page: page.cancel()), "a cancelled sign-in", "access_denied", "AADB2C90091")
        refused(lambda: tokens(secret="guessed"), "a wrong secret", "invalid_client", "AADB2C90081")

    return signs_in, refuses


def social_auth_core_checks(world):
    from social_core.backends.azuread_b2c import AzureADB2COAuth2
    from social_core.storage import BaseStorage
    from social_core.strategy import BaseStrategy

    class Nonces:
        """Framework storages remember which answers have been taken; here each comes once."""
        use = consume = staticmethod(lambda *_, **__: True)

    class Strategy(BaseStrategy):
        def __init__(self):
            self.kept, self.data = {}, {}
            super().__init__(storage=type("Storage", (BaseStorage,), {"nonce": Nonces}))

        def get_setting(self, name):
            return {"KEY": WEB["clientId"], "SECRET": WEB["secrets"][0], "TENANT_NAME": "contoso", "POLICY": "b2c_1_susi",
                    "SCOPE": ["offline_access", WEB["clientId"]]}[name.removeprefix("SOCIAL_AUTH_AZUREAD_B2C_OAUTH2_")]

        def request_data(self, merge=True):
            return self.data

        def request_host(self):
            return "web.contoso.test"

        def build_absolute_uri(self, path=None):
            return path

        def session_get(self, name, default=None):
            return self.kept.get(name, default)

        def session_set(self, name, value):
            self.kept[name] = value

        def session_pop(self, name):
            return self.kept.pop(name, None)

    def person(answered=lambda page: page.sign_in("ada@example.test", "Analytical-1843")):
        strategy = Strategy()
        backend = AzureADB2COAuth2(strategy, redirect_uri=REDIRECT)
        strategy.data.update(world.answer(backend.auth_url(), answered).parameters)
        backend.data = strategy.data
        backend.process_error(backend.data)
        backend.validate_state()
        found = backend.request_access_token(
            backend.access_token_url(), data=backend.auth_complete_params(strategy.data["state"]), headers=backend.auth_headers(),
            auth=backend.auth_complete_credentials(), method=backend.ACCESS_TOKEN_METHOD)
        return backend, backend.user_data(found["access_token"], response=found)

    def signs_in():
        backend, claims = person()
        assert claims["name"] == "Ada" and claims["tfp"] == "B2C_1_susi", claims
        assert "/oauth2/v2.0/logout" in backend.logout_url()

    def refuses():
        refused(lambda: person(lambda page: page.cancel()), "a cancelled sign-in")
        world.forging({"aud": "11111111-0000-0000-0000-000000000000"})
        refused(person, "a token for another app")

    return signs_in, refuses


def oic_checks(world):
    from oic.oic import Client
    from oic.oic.message import AuthorizationResponse, RegistrationResponse
    from oic.utils.authn.client import CLIENT_AUTHN_METHOD

    def claims(policy, **forged):
        client = Client(client_authn_method=CLIENT_AUTHN_METHOD)
        strict = policy == "B2C_1_strict"
        # Only the issuer that names the policy is where its document is (OpenID Connect Discovery 1.0, section 4.3).
        client.allow["issuer_mismatch"] = not strict
        client.provider_config(world.document(policy)["issuer"].rstrip("/") if strict else world.address(policy) + "/v2.0")
        client.store_registration_info(RegistrationResponse(client_id=WEB["clientId"], client_secret=WEB["secrets"][0]))
        url = client.construct_AuthorizationRequest(request_args={
            "client_id": WEB["clientId"], "response_type": "code", "scope": ["openid", "offline_access", SCOPE], "nonce": "a-nonce",
            "state": "a-state", "redirect_uri": REDIRECT}).request(client.authorization_endpoint)
        answer = client.parse_response(
            AuthorizationResponse, info=urllib.parse.urlencode(world.answer(url).parameters), sformat="urlencoded")
        found = client.do_access_token_request(
            state="a-state", request_args={"code": answer["code"], "redirect_uri": REDIRECT}, authn_method="client_secret_basic")
        return found["id_token"]

    def signs_in():
        for policy in ("B2C_1_susi", "B2C_1_strict"):
            assert claims(policy)["name"] == "Ada", policy

    def refuses():
        for what, forged in [("a foreign audience", {"aud": "11111111-0000-0000-0000-000000000000"}),
                             ("a foreign issuer", {"iss": "https://elsewhere.test/"}), ("an expired token", {"exp": 1, "iat": 1})]:
            world.forging(forged)
            refused(lambda: claims("B2C_1_strict"), what)

    return signs_in, refuses


def identity_checks(world):
    import identity.web

    def auth():
        return identity.web.Auth(
            session={}, authority=world.address(), client_id=WEB["clientId"], client_credential=WEB["secrets"][0])

    def signs_in():
        app = auth()
        app.complete_log_in(world.answer(app.log_in(scopes=[SCOPE], redirect_uri=REDIRECT)["auth_uri"]).parameters)
        assert (app.get_user() or {}).get("name") == "Ada", app.get_user()
        assert app.get_token_for_user([SCOPE])["access_token"]

    def refuses():
        app = auth()
        parameters = world.answer(app.log_in(scopes=[SCOPE], redirect_uri=REDIRECT)["auth_uri"], lambda page: page.cancel()).parameters
        answer = app.complete_log_in(parameters)
        assert "AADB2C90091" in answer["error_description"] and not app.get_user(), answer

    return signs_in, refuses


def access_token(world, host):
    from requests_oauthlib import OAuth2Session

    base = world.address(host=host) + "/oauth2/v2.0"
    session = OAuth2Session(WEB["clientId"], redirect_uri=REDIRECT, scope=["openid", SCOPE])
    answer = world.answer(session.authorization_url(base + "/authorize")[0])
    return session.fetch_token(base + "/token", client_secret=WEB["secrets"][0], code=answer.parameters["code"])


def fastapi_azure_auth_checks(world):
    from fastapi import FastAPI, Security
    from fastapi.testclient import TestClient
    from fastapi_azure_auth import B2CMultiTenantAuthorizationCodeBearer

    # Its own HTTP library looks names up where this process cannot put any in between.
    host = f"localhost:{world.server.port}"

    def api():
        found = access_token(world, host)
        scheme = B2CMultiTenantAuthorizationCodeBearer(
            app_client_id=found["resource"], openid_config_url=world.address(host=host) + "/v2.0/.well-known/openid-configuration",
            openapi_authorization_url="https://x.test", openapi_token_url="https://x.test", scopes={SCOPE: "read"}, validate_iss=False)
        app = FastAPI()

        @app.get("/me")
        def me(user=Security(scheme, scopes=["read"])):
            return {"name": user.name}

        client = TestClient(app)
        return found["access_token"], lambda text: client.get("/me", headers={"Authorization": f"Bearer {text}"} if text else {})

    def lets_in():
        token, call = api()
        assert call(token).json() == {"name": "Ada"}, call(token).text

    def refuses():
        token, call = api()
        assert call(None).status_code == 401
        for what, how in [("an altered payload", {"tamper": "payload"}), ("no signature", {"alg": "none"}), ("the key of nobody", {"key": "nobody"}),
                          ("an expired token", {"lifetime": "-PT6M"}), ("another scope", {"claims": {"scp": "write"}}),
                          ("another audience", {"claims": {"aud": "x"}})]:
            assert call(world.minted(token, **how)).status_code in (401, 403), what

    return lets_in, refuses


def azure_ad_verify_token_checks(world):
    import azure_ad_verify_token

    def claims(**how):
        document, token = world.document(), access_token(world, HOST)["id_token"]
        return azure_ad_verify_token.verify_jwt(
            token=world.minted(token, **how) if how else token, valid_audiences=[WEB["clientId"]], issuer=document["issuer"],
            jwks_uri=document["jwks_uri"])

    def verifies():
        assert claims()["name"] == "Ada"

    def refuses():
        for what, how in [("an altered payload", {"tamper": "payload"}), ("the key of nobody", {"key": "nobody"}),
                          ("an expired token", {"lifetime": "-PT6M"}), ("another issuer", {"claims": {"iss": "https://elsewhere.test/"}})]:
            refused(lambda: claims(**how), what)

    return verifies, refuses


LIBRARIES = {
    "requests-oauthlib": requests_oauthlib_checks, "social-auth-core": social_auth_core_checks, "oic": oic_checks,
    "identity": identity_checks, "fastapi-azure-auth": fastapi_azure_auth_checks, "azure-ad-verify-token": azure_ad_verify_token_checks,
}


def main():
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)

    def body(report):
        server = Server(sys.argv[1], TENANT)
        find([HOST, "tasks.api.contoso.test"], server.port)
        os.environ["REQUESTS_CA_BUNDLE"] = os.environ["SSL_CERT_FILE"] = server.authority
        # The service answers with the scopes of the API alone.
        os.environ["OAUTHLIB_RELAX_TOKEN_SCOPE"] = "1"
        world = World(server)
        try:
            for name, checks in LIBRARIES.items():
                for check in checks(world):
                    server.control("DELETE", "/faults")
                    server.control("POST", "/reset", {"to": "start"})
                    report.check(f"{name} {importlib.metadata.version(name)}: {check.__name__.replace('_', ' ')}", check)
        finally:
            server.stop()

    return run_part("other clients", body)


if __name__ == "__main__":
    sys.exit(main())
