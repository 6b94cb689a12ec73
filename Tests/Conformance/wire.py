#!/usr/bin/env python3
"""What published clients that sign in at real tenants put on the wire, sent raw to a mock-server in the clear, and what
they read of its answers.

usage: wire.py PATH-OF-MOCK-SERVER

Standard library only. docs/parity.md has the evidence for each check.
"""
import base64
import hashlib
import html
import json
import os
import re
import socket
import sys
import tempfile
import urllib.parse

from harness import PATIENCE, Server, run_part

NATIVE, SPA, WEB = ("7c1d5c1e-5a0b-4a55-9e33-0d4f9f1b7a01", "7c1d5c1e-5a0b-4a55-9e33-0d4f9f1b7a02",
                    "7c1d5c1e-5a0b-4a55-9e33-0d4f9f1b7a03")
REDIRECT = {NATIVE: f"msal{NATIVE}://auth/", SPA: "https://spa.contoso.test/", WEB: "https://web.contoso.test/cb"}
SHORTENED = f"msal{NATIVE}://auth"
SECRET = "S3cret-of-the-web-app"
ID = "0a9c4d5e-6f70-4b81-92a3-b4c5d6e7f809"
TENANT = {
    "name": "contoso", "id": ID,
    "policies": {
        "susi": {"id": "B2C_1_susi", "languages": ["en"]}, "edit": {"id": "B2C_1_edit", "type": "profileEditing"},
        "passwords": {"id": "B2C_1_ropc", "type": "ropc"},
    },
    "apps": {
        "phone": {
            "registration": {"clientId": NATIVE, "redirectUris": {"native": [REDIRECT[NATIVE], SHORTENED]}},
            "client": {"kind": "appauth", "policy": "susi", "redirectUri": REDIRECT[NATIVE]}},
        "page": {
            "registration": {"clientId": SPA, "redirectUris": {"spa": [REDIRECT[SPA], REDIRECT[SPA] + "other"]}},
            "client": {"kind": "msal-browser", "policy": "susi", "redirectUri": REDIRECT[SPA]}},
        "site": {
            "registration": {
                "clientId": WEB, "secrets": [SECRET], "redirectUris": {"web": [REDIRECT[WEB]]}, "graph": ["User.ReadWrite.All"]},
            "client": {"kind": "web", "policy": "susi", "redirectUri": REDIRECT[WEB]}},
    },
    "users": {"ada": {"email": "ada@example.test", "password": "Analytical-1843", "displayName": "Ada"}},
}
POLICY = "/contoso.onmicrosoft.com/B2C_1_susi"
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
JWE = "AADB2C90090: The provided JWE is not a valid 5 segment token."
FLAGS = ["IS_TEXT", "IS_EMAIL", "IS_PASSWORD", "IS_DATE", "IS_RADIO", "IS_DROP", "IS_TEXT_IN_PARAGRAPH", "IS_CHECK_MULTI",
         "IS_LINK"]
MEMBERS = ["UX_INPUT_TYPE", "USER_INPUT_TYPE", *FLAGS, "VERIFY", "DN", "ID", "U_HELP", "DAY_PRE", "MONTH_PRE", "YEAR_PRE",
           "IS_REQ", "IS_RDO", "OPTIONS"]


class Client:
    """A script with a cookie jar of its own. `quotes`: it puts values that are no plain tokens in quotes, as some do."""

    def __init__(self, server, quotes=False, policy=POLICY):
        self.server, self.quotes, self.policy, self.cookies = server, quotes, policy, {}

    def request(self, method, path, form=None, headers=None):
        fields = dict(headers or {})
        if self.cookies:
            fields["Cookie"] = "; ".join(
                f'{name}="{value}"' if self.quotes and not re.fullmatch(r"[\w!#$%&'*+.^`|~-]*", value) else f"{name}={value}"
                for name, value in self.cookies.items())
        body = None
        if form is not None:
            body, fields["Content-Type"] = urllib.parse.urlencode(form), "application/x-www-form-urlencoded"
        status, answered, text = self.server.send(method, "localhost", path, body, fields)
        for line in answered.get_all("Set-Cookie") or []:
            name, value = line.split(";")[0].split("=", 1)
            if value:
                self.cookies[name] = value
            else:
                self.cookies.pop(name, None)
        return status, answered, text

    def authorize(self, app=NATIVE, scope=None, **more):
        query = {"client_id": app, "response_type": "code", "redirect_uri": REDIRECT[app], "state": "s/1",
                 "scope": scope or "openid offline_access", "code_challenge": CHALLENGE, "code_challenge_method": "S256", **more}
        return self.request("GET", f"{self.policy}/oauth2/v2.0/authorize?" + urllib.parse.urlencode(query))

    @staticmethod
    def variable(text, name):
        """A settings object of a page; of SETTINGS only what stands before the sanitizer's rules."""
        found = re.search(rf"(?:^|>)var {name} = (.*);$", text, re.M)[1]
        return json.loads(re.sub(r',"sanitizerPolicy":.*$', "}", found))

    def sign_in(self, page, posted=None, confirmed=None, password="Analytical-1843", base=None):
        """Posts the sign-in page and leaves it. `posted`, `confirmed`: the query's `tx` as it is to be sent."""
        settings = self.variable(page, "SETTINGS")
        fields = self.variable(page, "SA_FIELDS")["AttributeFields"]
        base = base or settings["hosts"]["tenant"]
        issued = "tx=" + settings["transId"]
        text = lambda how: issued if how is None else how(settings["transId"], self.cookies["x-ms-cpim-trans"])
        query = "&".join(filter(None, [text(posted), "p=" + settings["hosts"]["policy"]]))
        status, _, said = self.request(
            "POST", f"{base}/SelfAsserted?{query}",
            {"request_type": "RESPONSE", fields[0]["ID"]: "ada@example.test", fields[1]["ID"]: password},
            {"X-CSRF-TOKEN": settings["csrf"], "X-Requested-With": "XMLHttpRequest"})
        if status != 200 or json.loads(said)["status"] != "200":
            return status, None, said
        query = "&".join(filter(None, [
            "rememberMe=false", "csrf_token=" + settings["csrf"], text(confirmed), "p=" + settings["hosts"]["policy"]]))
        return self.request("GET", f"{base}/api/{settings['api']}/confirmed?{query}")

    def code(self, app=NATIVE, **how):
        _, answered, said = self.sign_in(self.authorize(app, **how)[2])
        return urllib.parse.parse_qs(urllib.parse.urlsplit(answered["Location"]).query)["code"][0]

    def token(self, app, policy=None, **form):
        form = {"client_id": app, **form} | ({"client_secret": SECRET} if app == WEB else {})
        status, _, said = self.request("POST", f"{policy or self.policy}/oauth2/v2.0/token", form)
        return status, json.loads(said)

    def redeem(self, app, code, **form):
        return self.token(app, grant_type="authorization_code", code=code, code_verifier=VERIFIER, **form)


# Ways of writing `tx`: what the page says, and what clients were seen to make of it and of the transaction cookie.
PADDED = lambda issued, _: "tx=" + issued + "=" * (-len(issued.split("=", 1)[1]) % 4)
TRANSACTIONS = {
    "as the page says": None,
    "percent-encoded": lambda issued, _: "tx=" + urllib.parse.quote(issued, safe=""),
    "the cookie's value": lambda _, cookie: "tx=StateProperties=" + cookie,
    "the cookie's value, percent-encoded": lambda _, cookie: "tx=" + urllib.parse.quote("StateProperties=" + cookie, safe=""),
    "with padding": PADDED,
    "any text": lambda *_: "tx=undefined",
    "empty": lambda *_: "tx=",
    "absent": lambda *_: "",
}


def check_transactions(report, server):
    for name, how in TRANSACTIONS.items():
        status, answered, said = (client := Client(server)).sign_in(client.authorize()[2], how, how)
        report.check(f"tx {name}", status == 302 and "code=" in answered["Location"], (status, said[:300]))
    # Cookies still decide.
    client = Client(server)
    page = client.authorize()[2]
    client.cookies = {name: value for name, value in client.cookies.items() if name != "x-ms-cpim-trans"}
    settings = client.variable(page, "SETTINGS")
    status, _, said = client.request(
        "GET", f"{POLICY}/api/CombinedSigninAndSignup/confirmed?csrf_token={settings['csrf']}&tx={settings['transId']}")
    report.check("without the transaction cookie tx is worth nothing", "AADB2C90046" in said, (status, said[:300]))


def check_redirects(report, server):
    for app, shown in ((NATIVE, None), (WEB, "href=\"https://web.contoso.test/cb?state=s%2f1&amp;code=")):
        status, answered, body = (client := Client(server)).sign_in(client.authorize(app)[2])
        location = answered["Location"]
        report.check(f"Location of {REDIRECT[app]}", location.startswith(REDIRECT[app] + "?state=s%2f1&code="), location)
        if shown is None:
            quoted = urllib.parse.quote_plus(location, safe="-_.!*()")
            shown = 'href="' + re.sub(r"%[0-9A-F]{2}", lambda hit: hit[0].lower(), quoted) + '">here</a>'
        report.check(f"body of the redirect to {REDIRECT[app]}", shown in body, body[:200])


def check_cookies(report, server):
    client = Client(server)
    _, answered, page = client.authorize()
    sealed = r"m1\.[A-Za-z0-9+/]{16}\.[A-Za-z0-9+/]{22}==\.0\.(?:[A-Za-z0-9+/]{4})+[A-Za-z0-9+/]{2,3}={1,2}"
    cache = [value for name, value in client.cookies.items() if name.startswith("x-ms-cpim-cache|")]
    report.check("the journey's cookie", len(cache) == 1 and re.fullmatch(sealed, cache[0]), cache)
    routing = {name: client.cookies.get(f"x-ms-cpim-{name}") for name in ("slice", "dc", "geo")}
    report.check("the cookies that route", routing == {"slice": "001-000", "dc": "DB3", "geo": "EU"}, routing)
    csrf = base64.b64decode(client.variable(page, "SETTINGS")["csrf"]).decode().split(";")
    report.check("seven digits of the second", re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z", csrf[1]), csrf)
    status, answered, _ = client.sign_in(page)
    set_cookies = answered.get_all("Set-Cookie")
    report.check("cookies at the end: session, journey, transactions",
                 [re.split(r"[|:=]", line)[0] for line in set_cookies] == ["x-ms-cpim-sso", "x-ms-cpim-cache", "x-ms-cpim-trans"],
                 set_cookies)
    session = set_cookies[0].split(";")[0].split("=", 1)[1]
    report.check("the session's cookie", re.fullmatch(sealed, session), session)
    for line in set_cookies[1:]:
        report.check("a cookie is taken away with dashes in its time",
                     re.search(r"=; .*expires=[A-Z][a-z]{2}, \d\d-[A-Z][a-z]{2}-20\d\d \d\d:\d\d:\d\d GMT", line), line)
    # Python's http.cookies, among others, puts such values in quotes; the front end turns that away.
    quoting = Client(server, quotes=True)
    page = quoting.authorize()[2]
    status, _, said = quoting.sign_in(page)
    report.check("a jar that quotes gets 400", (status, said) == (400, "Bad Request"), (status, said))
    status, _, said = quoting.authorize()
    report.check("and so does its next request", (status, said) == (400, "Bad Request"), (status, said[:100]))


def check_pages(report, server):
    client = Client(server)
    _, answered, page = client.authorize(ui_locales="de")
    for field in client.variable(page, "SA_FIELDS")["AttributeFields"]:
        known = [name for name in field if name not in ("PRE", "PAT", "PAT_DESC", "INPUT_VALIDATION")]
        report.check(f"members of field {field['ID']}", known == MEMBERS, known)
        report.check(f"flags of field {field['ID']}", sum(field[flag] is True for flag in FLAGS) == 1, field)
    content = re.search(r"var CONTENT = (.*);$", page, re.M)[1]
    letters = [letter for letter in content if letter.isalpha() and not letter.isascii()]
    report.check("letters of CONTENT are entities", not letters and "&#252;" in content, letters)
    report.check("and read as German", "ü" in html.unescape(content))
    comments = re.findall(r"<!-- (\w+): ", page)
    report.check("comments of production",
                 comments == ["Build", "StateVersion", "DeploymentMode", "CorrelationId", "DataCenter", "Slice"], comments)
    settings = client.variable(page, "SETTINGS")
    report.check("settings that clients read",
                 (settings["config"].get("includePasswordRequirements"), settings["config"].get("announceVerCompleteMsg"),
                  settings["trimSpacesInPassword"]) == ("true", "True", True), settings)
    by_id = Client(server, policy=f"/{ID}/B2C_1_susi")
    _, answered, page = by_id.authorize()
    report.check("the report address names the domain",
                 "report-uri /contoso.onmicrosoft.com/B2C_1_susi/" in answered["Content-Security-Policy-Report-Only"],
                 answered["Content-Security-Policy-Report-Only"])
    report.check("a sign-in under the tenant's id", by_id.sign_in(page)[0] == 302)
    # The path of another policy: the journey of the cookies goes on.
    client = Client(server)
    _, answered, said = client.sign_in(client.authorize()[2], base="/contoso.onmicrosoft.com/B2C_1_edit")
    report.check("posts at another policy's path", answered and "code=" in (answered["Location"] or ""), said[:300])


def check_tokens(report, server):
    for app, taken, refused in ((NATIVE, f"msal{NATIVE}", SHORTENED), (NATIVE, None, "http://evil.test"),
                                (SPA, None, REDIRECT[SPA] + "other"), (WEB, None, "https://web.contoso.test/")):
        for uri in filter(None, (taken, REDIRECT[app])):
            status, said = (client := Client(server)).redeem(app, client.code(app), redirect_uri=uri)
            report.check(f"a code is redeemed with redirect_uri {uri}", status == 200, said)
        if refused:
            status, said = (client := Client(server)).redeem(app, client.code(app), redirect_uri=refused)
            report.check(f"and not with {refused}", (status, said.get("error")) == (400, "redirect_uri_mismatch"), said)
        status, said = (client := Client(server)).redeem(app, client.code(app))
        report.check(f"nor is redirect_uri required of {REDIRECT[app]}", status == 200, said)
        status, said = (client := Client(server)).redeem(app, client.code(app, scope="openid"))
        report.check("a refresh token without offline_access is a single-page app's alone",
                     ("refresh_token" in said) == (app == SPA), sorted(said))
        if app == SPA:
            report.check("for a day", int(said["refresh_token_expires_in"]) == 86_400, said["refresh_token_expires_in"])
            status, again = client.token(app, grant_type="refresh_token", refresh_token=said["refresh_token"])
            report.check("and it is good", status == 200 and "refresh_token" in again, again)
    client = Client(server)
    real = client.code()
    for name, sent in (("plain text", "not-a-token"), ("a JWT", "eyJhbGciOiJub25lIn0.e30."), ("dots", "...."),
                       ("six segments", real + ".x"), ("four segments", real.rsplit(".", 1)[0]),
                       ("an unknown kid", "eyJraWQiOiJ4In0." + real.split(".", 1)[1]), ("a blank", " ")):
        for kind, parameter in (("authorization_code", "code"), ("refresh_token", "refresh_token")):
            status, said = client.token(NATIVE, grant_type=kind, code_verifier=VERIFIER, **{parameter: sent})
            report.check(f"{name} as {parameter}", (status, said["error"], said["error_description"].split("\r\n")[0])
                         == (400, "invalid_grant", JWE), said)
    status, said = client.token(NATIVE, grant_type="authorization_code", code="")
    report.check("an empty code is a missing one", said["error_description"].startswith("AADB2C90083"), said)


def check_addresses(report, server):
    for prefix in ("", "/te", "/tfp"):
        status, _, said = server.send("GET", "localhost", f"{prefix}{POLICY}/v2.0/.well-known/openid-configuration")
        document = json.loads(said)
        found = {urllib.parse.urlsplit(document[name]).path.split("/contoso")[0]
                 for name in ("authorization_endpoint", "token_endpoint", "end_session_endpoint", "jwks_uri")}
        report.check(f"discovery below {prefix or '/'}", found == {prefix}, found)
    status, _, said = server.send("GET", "localhost", f"{POLICY[:-4]}ropc/v2.0/.well-known/openid-configuration")
    report.check("a policy for passwords has no end_session_endpoint",
                 status == 200 and "end_session_endpoint" not in said and "authorization_endpoint" in said, said)
    for method in ("TRACE", "PUT", "PATCH", "DELETE"):
        # http.client refuses no method, but reads no body of an answer to some.
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
            connection.sendall(f"{method} {POLICY}/oauth2/v2.0/authorize HTTP/1.1\r\nHost: localhost:{server.port}\r\n"
                               "Connection: close\r\n\r\n".encode())
            said = b""
            while part := connection.recv(65_536):
                said += part
        head = said.decode("latin-1").split("\r\n\r\n")[0]
        report.check(f"{method} is refused with what is allowed", " 405 " in head.split("\r\n")[0] + " "
                     and re.search(r"(?mi)^allow: .*GET", head), head)


def check_directory(report, server):
    """What libraries and older scripts send to the directory, and what Graph says of bodies that are not complete."""
    site = {"grant_type": "client_credentials", "client_id": WEB, "client_secret": SECRET}

    def send(method, host, path, fields, text):
        status, _, said = server.send(method, "localhost", f"/_hosts/{host}{path}", text, fields)
        return status, json.loads(said)

    def token(path, **form):
        return send("POST", "login.microsoftonline.com", f"/contoso.onmicrosoft.com/oauth2{path}/token",
                    {"Content-Type": "application/x-www-form-urlencoded"}, urllib.parse.urlencode({**site, **form}))

    graph = "https://graph.microsoft.com"
    status, said = token("", resource=graph)
    report.check("version 1.0 gives a token", status == 200 and said["expires_in"] == "3599", said)
    status, said = token("/v2.0", scope=graph + "/.default openid offline_access profile")
    report.check("scopes that libraries add are taken", status == 200, said)
    fields = {"Authorization": "Bearer " + said["access_token"], "Content-Type": "application/json"}
    status, said = send("GET", "graph.microsoft.com", "/v1.0/me", fields, None)
    report.check("/me is of a person", (status, said["error"]["message"])
                 == (400, "/me request is only valid with delegated authentication flow."), said)
    person = {"accountEnabled": True, "displayName": "Eve", "passwordProfile": {"password": "Evening-2026"}, "identities": [
        {"signInType": "userName", "issuer": "contoso.onmicrosoft.com", "issuerAssignedId": "eve"}]}
    for name in ("accountEnabled", "displayName"):
        status, said = send("POST", "graph.microsoft.com", "/v1.0/users", fields,
                            json.dumps({key: value for key, value in person.items() if key != name}))
        report.check(f"a person without {name}", status == 400 and name in said["error"]["message"], said)
    status, said = send("POST", "graph.microsoft.com", "/v1.0/users", fields, json.dumps(person))
    report.check("a person with both", status == 201, said)
    status, said = send("GET", "graph.microsoft.com", "/v1.0/groups", fields, None)
    report.check("what is not simulated says so", (status, said["error"]["code"]) == (501, "NotSimulated"), said)


class Checks:
    """The report, for checks that are a value."""

    def __init__(self, report):
        self.report = report

    def check(self, name, holds, shown=""):
        def action():
            assert holds, shown

        self.report.check(name, action)


def body(program):
    def checks(report):
        with tempfile.TemporaryDirectory() as folder:
            tenant = os.path.join(folder, "tenant.json")
            with open(tenant, "w") as file:
                json.dump(TENANT, file)
            server = Server(program, tenant, tls=False)
            try:
                for part in (check_transactions, check_redirects, check_cookies, check_pages,
                             check_tokens, check_addresses, check_directory):
                    # One that breaks off is one failed check.
                    report.check(part.__name__.replace("_", " "), lambda: part(Checks(report), server))
            finally:
                server.stop()
    return checks


if __name__ == "__main__":
    sys.exit(run_part("wire", body(sys.argv[1])))
