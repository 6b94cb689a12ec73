"""A web server's own relying party against a mock-server over TLS: Apache with mod_auth_openidc, a library in C that shares
nothing with those of Python. It signs people in, keeps their session, renews tokens, signs out, and guards an API.

    apache.py MOCK_SERVER
"""

import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

from harness import PATIENCE, Server, Skip, free_port, run_part, until
from plain_browser import PlainBrowser

HERE = os.path.dirname(os.path.abspath(__file__))
TENANT = os.path.join(HERE, "clients", "tenant.json")
MODULES = "/usr/lib/apache2/modules"
CALLBACK = "/signin-oidc"
SCOPE = "https://contoso.onmicrosoft.com/tasks/read"


class Apache:
    """One Apache on a free port of the loopback, with a site that needs somebody signed in and an API that needs a token."""

    def __init__(self, server, tenant, authority, *settings):
        self.port = free_port()
        self.folder = tempfile.mkdtemp()
        web = tenant["apps"]["web"]["registration"]
        www = os.path.join(self.folder, "www")
        for name in ("app", "api"):
            os.makedirs(os.path.join(www, name))
            with open(os.path.join(www, name, "index.txt"), "w") as file:
                file.write(f"this is the {name}\n")
        os.chmod(self.folder, 0o755)
        wanted = ["mpm_event", "authn_core", "authz_core", "authz_user", "headers", "mime", "auth_openidc"]
        loaded = [f"LoadModule {name}_module {MODULES}/mod_{name}.so" for name in wanted]
        config = os.path.join(self.folder, "apache.conf")
        with open(config, "w") as file:
            file.write("\n".join([
                *loaded, f"ServerRoot {self.folder}", f"PidFile {self.folder}/pid", f"DefaultRuntimeDir {self.folder}",
                f"Listen 127.0.0.1:{self.port}", "ServerName localhost", f"ErrorLog {self.folder}/error.log",
                "LogLevel warn auth_openidc:info", "User www-data" if os.geteuid() == 0 else "", f"DocumentRoot {www}",
                "TypesConfig /dev/null", "StartServers 1", "ServerLimit 1", "ThreadsPerChild 8",
                "MaxRequestWorkers 8", "GracefulShutdownTimeout 1",
                f"OIDCProviderMetadataURL {authority}/v2.0/.well-known/openid-configuration",
                f"OIDCClientID {web['clientId']}", f"OIDCClientSecret {web['secrets'][0]}",
                f"OIDCRedirectURI http://localhost:{self.port}{CALLBACK}", "OIDCCryptoPassphrase for-this-test-alone",
                f'OIDCScope "openid offline_access {SCOPE}"', "OIDCPKCEMethod S256",
                f"OIDCCABundlePath {server.authority}", "OIDCSSLValidateServer On", "OIDCRemoteUserClaim sub",
                f"OIDCOAuthVerifyJwksUri {authority}/discovery/v2.0/keys",
                "OIDCOAuthRemoteUserClaim sub", "OIDCOAuthSSLValidateServer On", f"OIDCHTTPTimeoutLong {PATIENCE}",
                "OIDCDefaultLoggedOutURL http://localhost/signed-out",
                *settings,
                "<Location /app>", "AuthType openid-connect", "Require valid-user",
                'Header set X-Name "%{OIDC_CLAIM_name}e"', 'Header set X-Policy "%{OIDC_CLAIM_tfp}e"',
                'Header set X-Token "%{OIDC_access_token}e"', "</Location>",
                f"<Location {CALLBACK}>", "AuthType openid-connect", "Require valid-user", "</Location>",
                "<Location /api>", "AuthType oauth20", "Require claim scp:read", "</Location>", ""]))
        self.process = subprocess.Popen(
            [shutil.which("apache2") or "/usr/sbin/apache2", "-f", config, "-DFOREGROUND"], stdout=subprocess.DEVNULL,
            stderr=open(os.path.join(self.folder, "start"), "w"), start_new_session=True)
        try:
            until(lambda: self.process.poll() is not None or self.send("GET", "/", {}), "Apache")
        except AssertionError as error:
            raise RuntimeError(f"{error}; it says: {self.said()}")
        if self.process.poll() is not None:
            raise RuntimeError("Apache has ended: " + self.said())

    def said(self):
        found = ""
        for name in ("start", "error.log"):
            path = os.path.join(self.folder, name)
            found += open(path).read() if os.path.exists(path) else ""
        return found[-1500:]

    def send(self, method, path, headers, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request(method, path, body, {"Host": f"localhost:{self.port}", **headers})
            answer = connection.getresponse()
            return answer, answer.read().decode("utf-8", "replace")
        finally:
            connection.close()

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)


class Visitor:
    """Somebody's browser: at the site over plain HTTP, at the hosted pages with a jar of its own."""

    def __init__(self, server, apache):
        self.apache, self.cookies, self.pages = apache, {}, PlainBrowser(server)

    def ask(self, path, method="GET", form=None):
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()), "Accept": "text/html"}
        if form is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        answer, text = self.apache.send(method, path, headers, None if form is None else urllib.parse.urlencode(form))
        for line in answer.headers.get_all("Set-Cookie") or []:
            name, value = line.split(";")[0].split("=", 1)
            if value:
                self.cookies[name] = value
            else:
                self.cookies.pop(name, None)
        return answer, text

    def sent_away(self, path="/app/index.txt"):
        """Where the site sends somebody who is not signed in."""
        answer, text = self.ask(path)
        assert answer.status == 302, (answer.status, text[:300], self.apache.said())
        return answer.headers["Location"]

    def come_back(self, answer):
        """The callback as the browser makes it; then the page that was wanted at first."""
        path = urllib.parse.urlsplit(answer.url).path
        if answer.posted:
            back, text = self.ask(path, "POST", answer.parameters)
        else:
            back, text = self.ask(path + "?" + urllib.parse.urlencode(answer.parameters))
        if back.status == 302:
            target = urllib.parse.urlsplit(back.headers["Location"])
            return self.ask(target.path + ("?" + target.query if target.query else ""))
        return back, text

    def sign_in(self):
        return self.come_back(self.pages.open(self.sent_away()).sign_in("ada@example.test", "Analytical-1843"))


def checks(server, tenant, report):
    authority = f"https://localhost:{server.port}/contoso.onmicrosoft.com/B2C_1_susi"
    kinds = {
        "code in the query": [],
        "code in a posted form, secret in the form": ["OIDCResponseMode form_post", "OIDCProviderTokenEndpointAuth client_secret_post"],
        "code and ID token at once": ["OIDCResponseType \"code id_token\"", "OIDCResponseMode form_post"],
        "ID token alone": ["OIDCResponseType id_token", "OIDCResponseMode form_post", "OIDCScope openid"],
    }
    for name, settings in kinds.items():
        apache = Apache(server, tenant, authority, *settings)

        def signs_in():
            visitor = Visitor(server, apache)
            answer, text = visitor.sign_in()
            assert answer.status == 200 and text == "this is the app\n", (answer.status, text[:300], apache.said())
            assert answer.headers["X-Name"] == "Ada" and answer.headers["X-Policy"] == "B2C_1_susi", dict(answer.headers)
            again, _ = visitor.ask("/app/index.txt")
            assert again.status == 200

        def cancelled():
            visitor = Visitor(server, apache)
            answer, text = visitor.come_back(visitor.pages.open(visitor.sent_away()).cancel())
            assert answer.status != 200 or "AADB2C90091" in text, (answer.status, text[:300])
            assert visitor.ask("/app/index.txt")[0].status == 302

        def tampered():
            for what, claims in [("nonce", {"nonce": "other"}), ("aud", {"aud": "11111111-0000-0000-0000-000000000000"}),
                                 ("iss", {"iss": "https://elsewhere.test/"}), ("exp", {"exp": 1, "iat": 1})]:
                server.control("PUT", "/faults", {"rules": [
                    {"match": {"endpoint": place}, "claims": {"idToken": claims}, "optional": True} for place in ("token", "page")]})
                visitor = Visitor(server, apache)
                answer, text = visitor.sign_in()
                server.control("DELETE", "/faults")
                assert visitor.ask("/app/index.txt")[0].status == 302, f"a foreign {what} is accepted: {text[:200]}"

        try:
            for check in (signs_in, cancelled, tampered):
                server.control("POST", "/reset", {"to": "start"})
                report.check(f"{name}: {check.__name__.replace('_', ' ')}", check)
            if name == "code in the query":
                more_checks(server, apache, report)
        finally:
            apache.stop()


def more_checks(server, apache, report):
    """What needs tokens: renewal, sign-out, keys, an API."""

    def token():
        answer, _ = Visitor(server, apache).sign_in()
        return answer.headers["X-Token"]

    def call(text):
        return apache.send("GET", "/api/index.txt", {"Authorization": f"Bearer {text}"} if text else {})[0]

    def minted(text, **how):
        return server.control("POST", "/tokens", {"from": text, **how})["token"]

    def guards_an_api():
        good = token()
        assert good and call(good).status == 200, (call(good).status, apache.said())
        refused = call(None)
        assert refused.status == 401 and refused.headers["WWW-Authenticate"].startswith("Bearer"), dict(refused.headers)
        for what, how in [("an altered payload", {"tamper": "payload"}), ("no signature", {"alg": "none"}),
                          ("the key of nobody", {"key": "nobody"}), ("an expired token", {"lifetime": "-PT6M"})]:
            assert call(minted(good, **how)).status == 401, what
        assert call(minted(good, claims={"scp": "write"})).status in (401, 403), "another scope"

    def renews_by_refresh_token():
        visitor = Visitor(server, apache)
        first = visitor.sign_in()[0].headers["X-Token"]
        # Of the same second the token would be the same.
        server.control("PATCH", "/clock", {"advance": "PT1M"})
        _, before = server.requests()
        answer, text = visitor.ask(f"{CALLBACK}?refresh=http%3A%2F%2Flocalhost%3A{apache.port}%2Fapp%2Findex.txt&access_token={first}")
        assert answer.status == 302 and "error" not in answer.headers["Location"], (answer.status, answer.headers["Location"], apache.said())
        asked, _ = server.requests(before)
        assert any(one["endpoint"] == "token" and one["response"]["status"] == 200 for one in asked), asked
        second = visitor.ask("/app/index.txt")[0].headers["X-Token"]
        server.control("PATCH", "/clock", {"skew": "PT0S"})
        assert second and second != first

    def renewal_is_refused():
        visitor = Visitor(server, apache)
        first = visitor.sign_in()[0].headers["X-Token"]
        server.control("PATCH", "/clock", {"advance": "P15D"})
        answer, _ = visitor.ask(f"{CALLBACK}?refresh=http%3A%2F%2Flocalhost%3A{apache.port}%2Fapp%2Findex.txt&access_token={first}")
        server.control("PATCH", "/clock", {"skew": "PT0S"})
        assert answer.status != 302 or "error" in answer.headers["Location"], answer.headers["Location"]

    def signs_out():
        visitor = Visitor(server, apache)
        visitor.sign_in()
        answer, _ = visitor.ask(f"{CALLBACK}?logout=http%3A%2F%2Flocalhost%3A{apache.port}%2F")
        assert answer.status == 302 and "/oauth2/v2.0/logout?" in answer.headers["Location"], answer.headers["Location"]
        visitor.pages.open(answer.headers["Location"])
        page = visitor.pages.open(visitor.sent_away())
        assert not page.is_error and page.fields, "the session at the service has outlived the sign-out"

    def follows_rotated_keys():
        server.control("POST", "/keys/service/rotate", {"keepPublished": False})
        assert Visitor(server, apache).sign_in()[0].status == 200, apache.said()

    def single_sign_on():
        visitor = Visitor(server, apache)
        visitor.sign_in()
        visitor.cookies.clear()
        answer = visitor.pages.open(visitor.sent_away())
        assert visitor.come_back(answer)[0].status == 200

    def a_foreign_state():
        visitor = Visitor(server, apache)
        answer = visitor.pages.open(visitor.sent_away()).sign_in("ada@example.test", "Analytical-1843")
        answer.parameters["state"] = "somebody-elses"
        assert visitor.come_back(answer)[0].status != 200

    for check in (guards_an_api, renews_by_refresh_token, renewal_is_refused, signs_out, single_sign_on, a_foreign_state, follows_rotated_keys):
        server.control("POST", "/reset", {"to": "start"})
        report.check(check.__name__.replace("_", " "), check)


def main():
    program = sys.argv[1]

    def body(report):
        if not (shutil.which("apache2") or os.path.exists("/usr/sbin/apache2")) or not os.path.exists(f"{MODULES}/mod_auth_openidc.so"):
            raise Skip("no Apache with mod_auth_openidc here")
        tenant = json.load(open(TENANT))
        tenant.pop("$schema", None)
        web = tenant["apps"]["web"]
        web["registration"]["redirectUris"] = {"web": [f"http://localhost{CALLBACK}"]}
        web["registration"]["implicit"] = {"idToken": True, "accessToken": True}
        web["client"]["redirectUri"] = f"http://localhost{CALLBACK}"
        folder = tempfile.mkdtemp()
        path = os.path.join(folder, "tenant.json")
        with open(path, "w") as file:
            json.dump(tenant, file)
        server = Server(program, path)
        # Apache's workers are another user's.
        os.chmod(server.folder, 0o755)
        os.chmod(os.path.dirname(server.authority), 0o755)
        try:
            checks(server, tenant, report)
        finally:
            server.stop()
            shutil.rmtree(folder, ignore_errors=True)

    return run_part("Apache with mod_auth_openidc", body)


if __name__ == "__main__":
    sys.exit(main())
