"""MSAL Python, as it is on PyPI, against a mock-server over TLS.

    msal_python.py MOCK_SERVER B2C

The version is that of the package installed. The server's certificate authority is the one that `b2c certificate`
makes and names; the host names lead to it inside this process, so nothing of the machine is changed.
"""

import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile
import urllib.parse
import warnings

import msal
import requests

from harness import Server, find, run_part
from plain_browser import Answer, Page, PlainBrowser, Refused

HERE = os.path.dirname(os.path.abspath(__file__))
TENANT = os.path.join(HERE, "clients", "tenant.json")
HOST = "contoso.b2clogin.com"
DOMAIN = "contoso.onmicrosoft.com"
API = "https://contoso.onmicrosoft.com/tasks/"
DIRECTORY, GRAPH = "login.microsoftonline.com", "https://graph.microsoft.com"
CLIENTS = {name: app["registration"] for name, app in json.load(open(TENANT))["apps"].items()}
VERSION = tuple(int(part) for part in msal.__version__.split(".")[:2])

ADA, GRACE = ("ada@example.test", "Analytical-1843"), ("grace@example.test", "Compiler-1952")


def refused(result, error, code):
    """The library's result is an error, under the OAuth name and the code of the service."""
    assert result and "access_token" not in result, result
    found = result.get("error"), (result.get("error_description") or "").split(":")[0]
    assert found == (error, code), f"{found}, not {(error, code)}"


def fails(exception, action, words):
    """The library raises, and says these words."""
    try:
        found = action()
    except exception as error:
        assert words in str(error), f"{type(error).__name__}: {error}"
        return
    raise AssertionError(f"no {exception.__name__}: {found}")


class App:
    """What an app does with the library, and the person who signs in to it."""

    def __init__(self, server):
        self.server = server
        self.session = requests.Session()
        # Else REQUESTS_CA_BUNDLE wins over `verify`.
        self.session.trust_env = False
        self.session.verify = server.authority
        self.browser = PlainBrowser(server)
        self.cache = msal.SerializableTokenCache()

    def authority(self, policy):
        return f"https://{HOST}/{DOMAIN}/{policy}"

    def public(self, policy="B2C_1_susi", **more):
        return msal.PublicClientApplication(
            CLIENTS["desk"]["clientId"], **{"authority": self.authority(policy), "http_client": self.session, "token_cache": self.cache, **more})

    def confidential(self, name, secret=None, policy="B2C_1_susi"):
        return msal.ConfidentialClientApplication(
            CLIENTS[name]["clientId"], client_credential=secret or CLIENTS[name]["secrets"][0], authority=self.authority(policy),
            http_client=self.session, token_cache=msal.SerializableTokenCache())

    def start(self, client, scopes=("read",), redirect_uri="http://localhost", **more):
        """What the app opens the browser with, and where the browser comes to."""
        flow = client.initiate_auth_code_flow([API + scope for scope in scopes], redirect_uri=redirect_uri, **more)
        return flow, self.browser.open(flow["auth_uri"])

    def sign_in(self, policy="B2C_1_susi", person=ADA, client=None, **more):
        client = client or self.public(policy)
        flow, page = self.start(client, **more)
        answer = page
        if isinstance(answer, Page) and "password" in answer.fields:
            answer = answer.sign_in(*person)
        if isinstance(answer, Page) and "city" in answer.fields:
            answer = answer.send(displayName="Ada", city="Ockham")
        assert isinstance(answer, Answer), answer.text[:300]
        return client.acquire_token_by_auth_code_flow(flow, answer.parameters)

    def call_api(self, token):
        return self.session.get("https://tasks.api.contoso.test/tasks", headers={"Authorization": "Bearer " + token})

    def fresh(self):
        """The tenant as its file says, nobody signed in, and an empty cache."""
        self.server.control("DELETE", "/faults")
        self.server.control("POST", "/reset", {"to": "start"})
        self.server.control("PATCH", "/clock", {"skew": "PT0S"})
        self.__init__(self.server)

    def age_access_tokens(self):
        """The cached access tokens have run out, as after an hour."""
        cached = json.loads(self.cache.serialize())
        for token in cached["AccessToken"].values():
            token["expires_on"] = token["extended_expires_on"] = "1"
        self.cache.deserialize(json.dumps(cached))


def checks(app, report):
    requests_of = lambda since: [one["path"] for one in app.server.requests(since)[0]]

    def code_flow():
        result = app.sign_in()
        claims = result["id_token_claims"]
        assert claims["name"] == "Ada" and claims["tfp"] == "B2C_1_susi" and claims["aud"] == CLIENTS["desk"]["clientId"], claims
        assert result["scope"] == API + "read" and result["token_type"] == "Bearer" and result["expires_in"] == 3600, result
        answer = app.call_api(result["access_token"])
        assert answer.status_code == 200 and answer.json() == [], (answer.status_code, answer.text)

    def code_flow_uses_pkce():
        client = app.public()
        flow, page = app.start(client)
        sent = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(flow["auth_uri"]).query))
        assert sent["code_challenge_method"] == "S256" and sent["code_challenge"], sent
        answer = page.sign_in(*ADA)
        refused(client.acquire_token_by_auth_code_flow({**flow, "code_verifier": "another" + flow["code_verifier"]}, answer.parameters),
                "invalid_grant", "AADB2C90183" if len(flow["code_verifier"]) > 121 else "AADB2C90182")

    def form_post():
        client = app.public()
        flow, page = app.start(client, response_mode="form_post")
        answer = page.sign_in(*ADA)
        assert answer.posted and set(answer.parameters) >= {"code", "state"}, answer
        assert "access_token" in client.acquire_token_by_auth_code_flow(flow, answer.parameters)

    def single_sign_on():
        app.sign_in()
        flow, answer = app.start(app.public())
        assert isinstance(answer, Answer) and "code" in answer.parameters, answer
        flow, page = app.start(app.public(), prompt="login")
        assert isinstance(page, Page)

    def silent_from_cache():
        first = app.sign_in()
        client = app.public()
        since = app.server.requests()[1]
        found = client.acquire_token_silent([API + "read"], account=client.get_accounts()[0])
        assert found["access_token"] == first["access_token"], "another token"
        assert not [path for path in requests_of(since) if "openid-configuration" not in path], requests_of(since)

    def silent_by_refresh():
        first = app.sign_in()
        app.age_access_tokens()
        # An API grants five minutes to clocks that differ.
        app.server.control("PATCH", "/clock", {"advance": "PT66M"})
        client = app.public()
        found = client.acquire_token_silent([API + "read"], account=client.get_accounts()[0])
        assert found["access_token"] != first["access_token"] and app.call_api(found["access_token"]).status_code == 200, found
        assert app.call_api(first["access_token"]).status_code == 401, "an access token of an hour ago"
        forced = client.acquire_token_silent([API + "read"], account=client.get_accounts()[0], force_refresh=True)
        assert "access_token" in forced, forced

    def silent_for_another_scope():
        app.sign_in()
        client = app.public()
        found = client.acquire_token_silent([API + "write"], account=client.get_accounts()[0])
        assert found and found["scope"] == API + "write", found
        # That token is good for other calls than this one.
        answer = app.call_api(found["access_token"])
        assert answer.status_code == 403 and "insufficient_scope" in answer.headers["WWW-Authenticate"], answer.headers

    def password():
        client = app.public("B2C_1_ropc")
        since = app.server.requests()[1]
        result = client.acquire_token_by_username_password(*ADA, scopes=[API + "read"])
        assert result.get("id_token_claims", {}).get("tfp") == "B2C_1_ropc", result
        assert any("/common/userrealm/" in path for path in requests_of(since)), requests_of(since)
        assert app.call_api(result["access_token"]).status_code == 200
        found = client.acquire_token_silent([API + "read"], account=client.get_accounts()[0], force_refresh=True)
        assert found and found["id_token_claims"]["name"] == "Ada", found

    def wrong_password():
        result = app.public("B2C_1_ropc").acquire_token_by_username_password(ADA[0], "not-this-one", scopes=[API + "read"])
        refused(result, "access_denied", "AADB2C90225")
        flow, page = app.start(app.public())
        fails(Refused, lambda: page.sign_in(ADA[0], "not-this-one"), "AADB2C")

    def client_credentials():
        client = app.confidential("job")
        result = client.acquire_token_for_client([API + ".default"])
        assert "access_token" in result and "id_token" not in result and "refresh_token" not in result, result
        assert app.call_api(result["access_token"]).status_code == 200
        again = client.acquire_token_for_client([API + ".default"])
        assert again["access_token"] == result["access_token"] and client.get_accounts() == []
        refused(app.confidential("job", "guessed").acquire_token_for_client([API + ".default"]), "invalid_client", "AADB2C90081")
        refused(client.acquire_token_for_client([API + "read"]), "invalid_grant", "AADB2C90085")

    def people_over_graph():
        """The directory gives the job a token for Graph; who is made there signs in, and who is deleted does not."""
        directory = lambda secret: msal.ConfidentialClientApplication(
            CLIENTS["job"]["clientId"], client_credential=secret, authority=f"https://{DIRECTORY}/{DOMAIN}", http_client=app.session)
        refused(directory("guessed").acquire_token_for_client([GRAPH + "/.default"]), "invalid_client", "AADSTS7000215")
        client = directory(CLIENTS["job"]["secrets"][0])
        result = client.acquire_token_for_client([GRAPH + "/.default"])
        assert result.get("expires_in") == 3599 and "id_token" not in result, result
        assert client.acquire_token_for_client([GRAPH + "/.default"])["access_token"] == result["access_token"], "not from the cache"

        def graph(method, path, status, **more):
            answer = app.session.request(
                method, GRAPH + "/v1.0/users" + path, headers={"Authorization": "Bearer " + result["access_token"]}, **more)
            assert answer.status_code == status, (method, path, answer.status_code, answer.text)
            return answer.json() if answer.text else None

        mail, password = "eve@example.test", "Evening-2026"
        made = graph("POST", "", 201, json={
            "accountEnabled": True, "displayName": "Eve", "passwordPolicies": "DisablePasswordExpiration",
            "passwordProfile": {"password": password},
            "identities": [{"signInType": "emailAddress", "issuer": DOMAIN, "issuerAssignedId": mail}]})
        found = graph("GET", "", 200, params={
            "$select": "id,displayName", "$filter": f"identities/any(c:c/issuerAssignedId eq '{mail}' and c/issuer eq '{DOMAIN}')"})
        assert found["value"] == [{"id": made["id"], "displayName": "Eve"}], found
        names, link = [], GRAPH + "/v1.0/users?$select=displayName&$top=2"
        while link:
            page = graph("GET", link.split("/users")[1], 200)
            names, link = names + [person["displayName"] for person in page["value"]], page.get("@odata.nextLink")
        assert names == ["Ada", "Grace", "Eve"], names
        signed_in = app.sign_in(person=(mail, password))
        assert signed_in.get("id_token_claims", {}).get("name") == "Eve", signed_in
        graph("PATCH", "/" + made["id"], 204, json={"displayName": "Eve B."})
        own = app.public()
        refresh = lambda: own.acquire_token_silent_with_error([API + "read"], account=own.get_accounts()[0], force_refresh=True)
        # The refresh token keeps the claims of its sign-in; the next sign-in has the new ones.
        assert app.sign_in(person=(mail, password), prompt="login")["id_token_claims"]["name"] == "Eve B."
        graph("DELETE", "/" + made["id"], 204)
        refused(refresh(), "invalid_grant", "AADB2C90128")
        assert graph("GET", "/" + made["id"], 404)["error"]["code"] == "Request_ResourceNotFound"

    def web_app():
        client = app.confidential("web")
        uri = CLIENTS["web"]["redirectUris"]["web"][0]
        result = app.sign_in(client=client, redirect_uri=uri)
        assert result.get("id_token_claims", {}).get("name") == "Ada", result
        other = app.confidential("web", "guessed")
        refused(app.sign_in(client=other, redirect_uri=uri), "invalid_client", "AADB2C90081")

    def accounts_per_policy():
        app.sign_in()
        app.sign_in("B2C_1_edit")
        client = app.public()
        accounts = {account["home_account_id"].split(".")[0][36:]: account for account in client.get_accounts()}
        assert set(accounts) == {"-b2c_1_susi", "-b2c_1_edit"}, accounts
        assert len({account["local_account_id"][:36] for account in accounts.values()}) == 1, accounts
        client.remove_account(accounts["-b2c_1_susi"])
        assert [account["home_account_id"] for account in client.get_accounts()] == [accounts["-b2c_1_edit"]["home_account_id"]]
        edited = app.public("B2C_1_edit").acquire_token_silent([API + "read"], account=accounts["-b2c_1_edit"], force_refresh=True)
        assert edited["id_token_claims"]["city"] == "Ockham", edited

    def two_people():
        app.sign_in()
        app.sign_in(person=GRACE, prompt="login")
        client = app.public()
        found = {client.acquire_token_silent([API + "read"], account=account, force_refresh=True)["id_token_claims"]["name"]
                 for account in client.get_accounts()}
        assert found == {"Ada", "Grace"}, found

    def sign_out():
        app.sign_in()
        document = app.session.get(app.authority("B2C_1_susi") + "/v2.0/.well-known/openid-configuration").json()
        answer = app.browser.open(
            document["end_session_endpoint"] + "?" + urllib.parse.urlencode({"post_logout_redirect_uri": "http://localhost/out", "state": "7"}))
        assert isinstance(answer, Answer) and answer.url == "http://localhost/out" and answer.parameters == {"state": "7"}, answer
        flow, page = app.start(app.public())
        assert isinstance(page, Page) and page.fields, "a page that asks for the password again"
        flow, answer = app.start(app.public(), prompt="none")
        refused(app.public().acquire_token_by_auth_code_flow(flow, answer.parameters), "interaction_required", "AADB2C90077")
        # Who was signed out still has the tokens of before.
        client = app.public()
        assert client.acquire_token_silent([API + "read"], account=client.get_accounts()[0], force_refresh=True)

    def at_localhost():
        """As without any names: MSAL knows the address as its own, or is told not to ask."""
        for more in ({}, {"instance_discovery": False}):
            client = msal.PublicClientApplication(
                CLIENTS["desk"]["clientId"], authority=f"https://localhost:{app.server.port}/{DOMAIN}/B2C_1_susi", http_client=app.session, **more)
            result = app.sign_in(client=client)
            assert result.get("id_token_claims", {}).get("iss", "").startswith(f"https://localhost:{app.server.port}/"), result

    def address_forms():
        for authority in [f"https://{HOST}/tfp/{DOMAIN}/b2c_1_SUSI", f"https://{HOST}/{DOMAIN}/b2c_1_susi"]:
            result = app.sign_in(client=app.public(authority=authority))
            assert result.get("id_token_claims", {}).get("tfp") == "B2C_1_susi", result

    def authority_as_oidc():
        client = msal.PublicClientApplication(
            CLIENTS["desk"]["clientId"], oidc_authority=app.authority("B2C_1_susi") + "/v2.0", http_client=app.session)
        assert "access_token" in app.sign_in(client=client)

    # -- what must fail

    def expired_refresh_token():
        app.sign_in()
        app.server.control("PATCH", "/clock", {"advance": "P15D"})
        app.age_access_tokens()
        client = app.public()
        account = client.get_accounts()[0]
        assert client.acquire_token_silent([API + "read"], account=account) is None
        refused(client.acquire_token_silent_with_error([API + "read"], account=account), "invalid_grant", "AADB2C90080")

    def revoked_refresh_token():
        app.sign_in()
        # A new password revokes what was granted before it.
        app.server.control("PATCH", "/clock", {"advance": "PT1M"})
        app.server.control("PATCH", "/users/ada", {"password": "Difference-1822"})
        client = app.public()
        refused(client.acquire_token_silent_with_error([API + "read"], account=client.get_accounts()[0], force_refresh=True),
                "invalid_grant", "AADB2C90129")

    def wrong_policy():
        fails(ValueError, lambda: app.public("B2C_1_nowhere"), "B2C_1_nowhere")
        flow, page = app.start(app.public())
        refused(app.public("B2C_1_edit").acquire_token_by_auth_code_flow(flow, page.sign_in(*ADA).parameters),
                "invalid_grant", "AADB2C90088")
        # A refresh token belongs to its policy as well.
        app.sign_in()
        other = app.public("B2C_1_edit")
        refused(other.acquire_token_silent_with_error([API + "read"], account=other.get_accounts()[0], force_refresh=True),
                "invalid_grant", "AADB2C90088")

    def wrong_redirect_uri():
        flow, page = app.start(app.public(), redirect_uri="https://elsewhere.contoso.test/")
        assert isinstance(page, Page) and page.is_error and "AADB2C90006" in page.text, "nobody may be sent to an address that is not registered"
        def redeem(client, uri, other):
            flow, page = app.start(client, redirect_uri=uri, prompt="login")
            return client.acquire_token_by_auth_code_flow({**flow, "redirect_uri": other}, page.sign_in(*ADA).parameters)

        web = CLIENTS["web"]["redirectUris"]["web"][0]
        refused(redeem(app.confidential("web"), web, "https://elsewhere.contoso.test/"), "redirect_uri_mismatch", "AADB2C90006")
        # A native app may send what is before `://` of its redirect URI, as published ones do, and nothing else.
        accepted = redeem(app.public(), "http://localhost", "http")
        assert "access_token" in accepted, accepted
        for other in ["http://localhost/signed-in", "https://elsewhere.contoso.test/"]:
            refused(redeem(app.public(), "http://localhost", other), "redirect_uri_mismatch", "AADB2C90006")

    def cancelled():
        client = app.public()
        flow, page = app.start(client)
        refused(client.acquire_token_by_auth_code_flow(flow, page.cancel().parameters), "access_denied", "AADB2C90091")

    def forgot_password():
        client = app.public()
        flow, page = app.start(client)
        refused(client.acquire_token_by_auth_code_flow(flow, page.forgot_password().parameters), "access_denied", "AADB2C90118")

    def unknown_scope():
        client = app.public()
        flow, answer = app.start(client, scopes=("nothing",))
        refused(client.acquire_token_by_auth_code_flow(flow, answer.parameters), "invalid_request", "AADB2C90117")
        app.sign_in()
        refused(client.acquire_token_silent_with_error([API + "nothing"], account=client.get_accounts()[0]), "invalid_request", "AADB2C90117")

    def code_used_twice():
        client = app.public()
        flow, page = app.start(client)
        answer = page.sign_in(*ADA)
        assert "access_token" in client.acquire_token_by_auth_code_flow(dict(flow), answer.parameters)
        assert client.acquire_token_by_auth_code_flow(dict(flow), answer.parameters)["error"] == "invalid_grant"

    def state_of_somebody_else():
        client = app.public()
        flow, page = app.start(client)
        fails(ValueError, lambda: client.acquire_token_by_auth_code_flow(flow, {**page.sign_in(*ADA).parameters, "state": "other"}), "state")

    def rotated_keys():
        first = app.sign_in()["access_token"]
        app.server.control("POST", "/keys/service/rotate", {"keepPublished": False})
        app.server.control("POST", "/apis/*/restart", {})
        answer = app.call_api(first)
        assert answer.status_code == 401 and "invalid_token" in answer.headers["WWW-Authenticate"], answer.headers
        client = app.public()
        second = client.acquire_token_silent([API + "read"], account=client.get_accounts()[0], force_refresh=True)["access_token"]
        kid = lambda token: json.loads(msal.oauth2cli.oidc.decode_part(token.split(".")[0]))["kid"]
        assert kid(first) != kid(second), "the same key"
        assert app.call_api(second).status_code == 200

    def tampered_access_token():
        token = app.sign_in()["access_token"]
        head, body, signature = token.split(".")
        for changed in [f"{head}.{body}.{'A' * len(signature)}", f"{head}.{body[:-4]}AAAA.{signature}", f"{head}.{body}."]:
            answer = app.call_api(changed)
            assert answer.status_code == 401 and "invalid_token" in answer.headers["WWW-Authenticate"], (answer.status_code, changed[-40:])

    def tampered_id_token():
        def with_claims(claims):
            app.server.control("PUT", "/faults", {"rules": [{"match": {"endpoint": "token"}, "claims": {"idToken": claims}}]})
            try:
                return app.sign_in(prompt="login")
            finally:
                app.server.control("DELETE", "/faults")
        fails(Exception, lambda: with_claims({"nonce": "somebody else's"}), "nonce")
        fails(Exception, lambda: with_claims({"nonce": None}), "nonce")
        # The library checks the audience up to 1.37; later it leaves that to whoever checks the signature.
        if VERSION < (1, 38):
            fails(Exception, lambda: with_claims({"aud": CLIENTS["web"]["clientId"]}), "aud")
        # It takes no notice of the issuer.
        assert "access_token" in with_claims({"iss": "https://elsewhere.test/"})

    def server_down():
        app.sign_in()
        app.server.control("PUT", "/faults", {"rules": [{"match": {"endpoint": "token"}, "respond": {"status": 503, "body": "busy"}}]})
        client = app.public()
        refresh = lambda client: client.acquire_token_silent_with_error(
            [API + "read"], account=client.get_accounts()[0], force_refresh=True)
        fails(Exception, lambda: refresh(client), "503")
        app.server.control("DELETE", "/faults")
        # The library keeps such an answer for a while, and asks nobody; another client has not seen it.
        since = app.server.requests()[1]
        fails(Exception, lambda: refresh(client), "503")
        assert not [path for path in requests_of(since) if path.endswith("/token")], requests_of(since)
        assert "access_token" in refresh(app.public())

    def no_device_flow():
        fails(ValueError, lambda: app.public().initiate_device_flow([API + "read"]), "device")

    for check in [
        code_flow, code_flow_uses_pkce, form_post, single_sign_on, silent_from_cache, silent_by_refresh, silent_for_another_scope, password,
        client_credentials, people_over_graph, web_app, accounts_per_policy, two_people, sign_out, at_localhost, address_forms, authority_as_oidc,
        wrong_password, expired_refresh_token, revoked_refresh_token, wrong_policy, wrong_redirect_uri, cancelled, forgot_password,
        unknown_scope, code_used_twice, state_of_somebody_else, rotated_keys, tampered_access_token, tampered_id_token, server_down,
        no_device_flow,
    ]:
        app.fresh()
        report.check(check.__name__.replace("_", " "), check)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("b2c")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")

    def body(report):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "B2C_CERTIFICATE_DIRECTORY": folder}
            subprocess.run([arguments.b2c, "certificate", "create"], env=environment, check=True, capture_output=True)
            path = subprocess.run([arguments.b2c, "certificate", "path"], env=environment, check=True, capture_output=True, text=True).stdout.strip()
            server = Server(arguments.server, TENANT, certificates=folder)
            assert os.path.samefile(path, server.authority), path
            find([HOST, "tasks.api.contoso.test", "localhost", DIRECTORY, "graph.microsoft.com"], server.port)
            try:
                checks(App(server), report)
            finally:
                server.stop()

    return run_part(f"MSAL Python {msal.__version__}", body)


if __name__ == "__main__":
    sys.exit(main())
