"""The cases of `mock-server`: every call of its control interface, every endpoint of the authority, and the services beside it."""

import base64
import json
import re
import socket
import urllib.parse

import policies
from cases import ROOT, Conversation
from commands import TENANTS, tenant, token, CLAIMS
from shapes import DOCUMENTS, FEW, FEW_DOCUMENTS, FEWEST, TEXTS

CASES = []

# Calls as the reference of the control interface writes them, and names of endpoints as the authority's table does.
CALLS = set()
ENDPOINTS = set()

DOMAIN = "/contoso.onmicrosoft.com/B2C_1_susi/"
CLIENT = "11111111-2222-4333-8444-555555555555"
SECRET = "S3cret-of-the-job"
VERIFIER = "v" * 43
CHALLENGE = "u5TfOe2JX30xjTVYAHb7W1VDVQpJqM8HvYVGUcbVtz0"
ADA = "0a1b2c3d-0000-4000-8000-00000000ada0"
REDIRECT = "http://localhost/signed-in"


def authority(**changes):
    """A tenant with an app that may do everything, a person, a provider and a custom policy with user info."""
    whole = tenant(
        apps={"ios": {
            "client": {"kind": "msal-ios", "policy": "susi"}, "platform": {"bundleId": "com.contoso.app"},
            "registration": {
                "clientId": CLIENT, "redirectUris": {"native": ["msauth.com.contoso.app://auth", REDIRECT]}, "secrets": [SECRET],
                "graph": ["User.ReadWrite.All"], "userAdministrator": True, "ropc": True,
                "implicit": {"idToken": True, "accessToken": True}}}},
        providers={"facebook": {"type": "oauth2"}})
    whole["policies"]["susi"]["providers"] = ["facebook"]
    whole["policies"]["ropc"] = {"id": "B2C_1_ropc", "type": "ropc"}
    whole["policies"]["info"] = {
        "id": "B2C_1A_UserInfo", "type": "custom", "file": str(ROOT / "scenarios" / "policies" / "UserInfo.xml")}
    whole["policyFolders"] = [str(ROOT / "scenarios" / "policies")]
    whole["users"]["ada"]["objectId"] = ADA
    return {**whole, **changes}


def written(make=lambda size: authority()):
    def write(folder, size):
        path = folder / "tenant.json"
        path.write_text(json.dumps(make(size)))
        return path
    return write


WORKFORCE = {
    "name": "woodgrove", "kind": "workforce",
    "apis": {"expenses": {"appIdUri": "https://expenses.woodgrove.test/", "scopes": ["read"]}},
    "apps": {"ios": {
        "client": {"kind": "msal-ios", "authority": "https://login.microsoftonline.com/common", "scopes": ["user.read"]},
        "platform": {"bundleId": "com.woodgrove.app"},
        "registration": {"clientId": CLIENT, "redirectUris": {"native": [REDIRECT]}}}},
    "users": {"ada": {"email": "ada@woodgrove.test", "password": "Analytical-1843", "displayName": "Ada"}}}


def add(subject, shape, play, calls=(), endpoints=(), make=lambda size: authority(), **more):
    CALLS.update(calls)
    ENDPOINTS.update(endpoints)
    CASES.append(Conversation(subject, shape, play, tenant=written(make), **more))


def family(subject, shapes, play, short=(), start=1024, most=1 << 20, **more):
    """A case for each shape; `play` takes the text of a shape instead of its size."""
    for shape, make in shapes.items():
        def whole(server, size, *given, make=make):
            return play(server, make(size), *given)
        add(subject, shape, whole, start=start, most=most, short=shape in short, **more)


def logs(server):
    """Reads what the server keeps of requests, as its inspector page does."""
    server.control("GET", "/requests?limit=1000")
    server.control("GET", "/events?limit=1000")


# An address may have 32 kB and a body 1 MB; what is percent-encoded is three times as long.
ADDRESS = 30_000
BODY = 1_000_000


def form(text):
    """A text as it stands is a whole form: with its own names and separators."""
    return text.replace(" ", "+").replace("\n", "%0A").replace("\r", "%0D")


def value(text):
    return urllib.parse.quote_plus(text.encode("utf-8", "surrogatepass"))


# MARK: The authority

def posted(path, before=""):
    def play(server, text):
        server.request("POST", path, before + form(text))
        logs(server)
    return play


def asked(path):
    def play(server, text):
        server.request("GET", path + value(text)[:ADDRESS])
        logs(server)
    return play


FORMS = {
    "token": (DOMAIN + "oauth2/v2.0/token", "grant_type=authorization_code&client_id=" + CLIENT + "&"),
    "tokenV1": ("/_hosts/login.microsoftonline.com/contoso.onmicrosoft.com/oauth2/token",
                "grant_type=client_credentials&client_id=" + CLIENT + "&resource="),
    "authorize": (DOMAIN + "oauth2/v2.0/authorize", "client_id=" + CLIENT + "&response_type=code&scope=openid&"),
    "logout": (DOMAIN + "oauth2/v2.0/logout", "post_logout_redirect_uri=" + REDIRECT + "&"),
    "userinfo": (DOMAIN.replace("B2C_1_susi", "B2C_1A_UserInfo") + "openid/v2.0/userinfo", "access_token="),
    "discovery": (DOMAIN + "v2.0/.well-known/openid-configuration", ""),
    "keys": (DOMAIN + "discovery/v2.0/keys", ""),
    "selfAsserted": (DOMAIN + "SelfAsserted?tx=StateProperties=a&p=B2C_1_susi", "request_type=RESPONSE&"),
    "phoneFactorVerify": (DOMAIN + "Phonefactor/verify", "request_type=VERIFICATION&"),
    "displayControlAction": (DOMAIN + "SelfAsserted/DisplayControlAction/vbeta/emailVerificationControl/SendCode", "email="),
    "pageAction": (DOMAIN + "api/CombinedSigninAndSignup/confirmed", ""),
    "authResponse": ("/contoso.onmicrosoft.com/oauth2/authresp", "state=a&code="),
    "clientTrace": (DOMAIN + "client/perftrace?tx=StateProperties=a&p=B2C_1_susi", ""),
    "saml": (DOMAIN + "samlp/sso/login", "SAMLRequest="),
    "staticAsset": ("/static/tenant/default/a.css", ""),
    "instanceDiscovery": ("/_hosts/login.microsoftonline.com/common/discovery/instance?api-version=1.1&authorization_endpoint=", ""),
    "userRealm": ("/common/userrealm/ada?api-version=2.1", ""),
}
# One reads every shape; the others read forms in the same way and get the shapes most likely to hurt.
for endpoint, (path, before) in FORMS.items():
    whole = endpoint in ("authorize", "selfAsserted")
    make = (lambda size: WORKFORCE) if endpoint in ("instanceDiscovery", "userRealm") else (lambda size: authority())
    family(f"authority-{endpoint}", TEXTS if endpoint == "token" else FEW if whole else FEWEST, posted(path, before), endpoints=[endpoint], most=BODY, make=make,
           short=("password%3D", "password=") if endpoint == "token" else ("pairs",) if endpoint == "authorize" else ())
    family(f"address-{endpoint}", FEWEST, asked(path + ("&" if "?" in path else "?") + before), endpoints=[endpoint], most=ADDRESS,
           start=4096, make=make)
for page in ("login", "consent", "kmsi"):
    family(f"workforce-{page}", FEWEST, posted(f"/common/{page}", "ctx=a&"), endpoints=["workforcePage"], make=lambda size: WORKFORCE)
for endpoint in ("oauth2/v2.0/authorize", "oauth2/v2.0/token", "oauth2/v2.0/logout"):
    family("workforce-" + endpoint.split("/")[-1], FEWEST, posted(f"/common/{endpoint}", f"client_id={CLIENT}&"),
           make=lambda size: WORKFORCE)

PARAMETERS = (
    "client_id", "redirect_uri", "scope", "state", "nonce", "prompt", "login_hint", "domain_hint", "ui_locales", "acr_values",
    "claims", "id_token_hint", "code_challenge", "response_type", "response_mode", "request", "p")
ASKED = {
    "client_id": CLIENT, "response_type": "code", "redirect_uri": REDIRECT, "scope": "openid", "state": "s",
    "code_challenge": CHALLENGE, "code_challenge_method": "S256"}
VALUES = {name: TEXTS[name] for name in ("one-word", "other-words", "token-dotted", "dotted-word", "objects", "combining")}
for parameter in PARAMETERS:
    def authorize(server, text, parameter=parameter):
        server.request("POST", DOMAIN + "oauth2/v2.0/authorize", urllib.parse.urlencode(
            {**ASKED, parameter: text.encode("utf-8", "surrogatepass")}))
        logs(server)
    family(f"authorize-{parameter}", VALUES, authorize, most=BODY, short=("other-words",) if parameter == "scope" else ())
GRANT = {"client_id": CLIENT, "grant_type": "authorization_code", "code": "a", "redirect_uri": REDIRECT, "code_verifier": VERIFIER}
for parameter in ("grant_type", "code", "code_verifier", "refresh_token", "client_secret", "username", "password", "scope",
                  "client_assertion", "client_id", "redirect_uri"):
    def redeem(server, text, parameter=parameter):
        grant = {"refresh_token": "refresh_token", "username": "password", "password": "password"}.get(parameter)
        fields = {**GRANT, **({"grant_type": grant} if grant else {}), parameter: text.encode("utf-8", "surrogatepass")}
        path = DOMAIN.replace("susi", "ropc") if grant == "password" else DOMAIN
        server.request("POST", path + "oauth2/v2.0/token", urllib.parse.urlencode(fields))
        logs(server)
    family(f"token-{parameter}", VALUES, redeem, most=BODY)


def field(name):
    def play(server, text):
        server.request("GET", DOMAIN + "oauth2/v2.0/authorize?" + urllib.parse.urlencode(ASKED), None, {
            name: form(text).encode("ascii", "ignore").decode()[:60_000] or "a"})
        logs(server)
    return play


for name in ("Cookie", "Authorization", "Accept-Language", "User-Agent", "Origin", "Referer", "X-Forwarded-For", "Accept"):
    family(f"header-{name}", FEWEST, field(name), most=60_000, start=4096, short=("pairs",) if name == "Cookie" else ())
add("header-many", "cookies", lambda server, n: [server.request(
    "GET", DOMAIN + "oauth2/v2.0/authorize?" + urllib.parse.urlencode(ASKED), None,
    {"Cookie": "; ".join(f"x-ms-cpim-cache|a{number}_0=abc" for number in range(n))}), logs(server)], most=2000)
add("header-many", "headers", lambda server, n: [server.request(
    "GET", DOMAIN + "v2.0/.well-known/openid-configuration", None, {f"x-a{number}": "b" for number in range(n)}), logs(server)],
    most=4096)
family("path", {name: TEXTS[name] for name in ("one-word", "slashes", "percents", "dotted-word", "colons")}, lambda server, text: [
    server.request("GET", "/" + value(text)[:ADDRESS].replace("%2F", "/")), server.request("GET", "/contoso.onmicrosoft.com/" + value(
        text)[:ADDRESS].replace("%2F", "/") + "/oauth2/v2.0/authorize"), logs(server)], most=ADDRESS, start=4096)


# MARK: Signing in

def address():
    return DOMAIN + "oauth2/v2.0/authorize?" + urllib.parse.urlencode(ASKED)


def sign_in(server, policy="B2C_1_susi", **more):
    """A sign-in by the control interface."""
    path = address().replace("B2C_1_susi", policy)
    return server.control("POST", "/sign-ins", {"url": f"http://localhost:{server.port}{path}", "person": "ada", **more})


def page(server):
    """The sign-in page: its cookies and settings."""
    status, said, fields = server.request("GET", address())
    cookies = "; ".join(line.split(";")[0] for line in fields.get_all("Set-Cookie") or [])
    text = said.decode("utf-8", "replace")
    return cookies, re.search(r'"transId":"([^"]*)"', text)[1], re.search(r'"csrf":"([^"]*)"', text)[1]


def post_page(server, text, given):
    cookies, transaction, csrf = given
    server.request(
        "POST", DOMAIN + "SelfAsserted?" + urllib.parse.urlencode({"tx": transaction, "p": "B2C_1_susi"}),
        urllib.parse.urlencode({
            "request_type": "RESPONSE", "email": text.encode("utf-8", "surrogatepass"),
            "password": text.encode("utf-8", "surrogatepass")}),
        {"Cookie": cookies, "X-CSRF-TOKEN": csrf, "X-Requested-With": "XMLHttpRequest"})
    logs(server)


family("page-post", TEXTS, post_page, prepare=lambda server, size: page(server), most=BODY, short=("one-word",))


def post_fields(server, size, given):
    post = urllib.parse.urlencode({f"field{number}": "value" for number in range(size)})
    cookies, transaction, csrf = given
    server.request(
        "POST", DOMAIN + "SelfAsserted?" + urllib.parse.urlencode({"tx": transaction, "p": "B2C_1_susi"}),
        "request_type=RESPONSE&" + post, {"Cookie": cookies, "X-CSRF-TOKEN": csrf, "X-Requested-With": "XMLHttpRequest"})
    logs(server)


add("page-post", "fields", post_fields, prepare=lambda server, size: page(server), most=60_000)


# MARK: Many of each thing at the authority

for thing in ("users", "apps", "policies", "apis", "providers", "rest-stubs", "policy-keys", "hosts", "redirect-uris", "scopes",
              "attributes", "claims-of-a-user"):
    def grown(size, thing=thing):
        base = TENANTS[thing](size)
        base["apps"] = {**base["apps"], **authority()["apps"]} if thing != "redirect-uris" else {
            "ios": {**authority()["apps"]["ios"], "registration": {
                **authority()["apps"]["ios"]["registration"],
                "redirectUris": {"native": [REDIRECT] + [f"http://localhost/{number}" for number in range(size)]}}}}
        return base

    def use(server, size):
        for _ in range(4):
            sign_in(server)
        server.request("GET", "/")
        server.control("GET", "/tenant")
        server.control("GET", "/users?limit=1000")
        logs(server)
    add("tenant", thing, use, make=grown, start=16, most=1 << 14, short=thing in ("users", "apps"),
        calls=["GET /tenant", "GET /users", "POST /sign-ins"])


def sign_ins(server, size):
    for _ in range(size):
        sign_in(server)


def after(call):
    """Many sign-ins, then calls that read what they left."""
    def play(server, size, given):
        for _ in range(3):
            call(server)
    return play


# So many as a page of an answer has; more cost the same.
for shape, call, path in (
        ("requests", lambda server: server.control("GET", "/requests?limit=1000"), "GET /requests"),
        ("events", lambda server: server.control("GET", "/events?limit=1000"), "GET /events"),
        ("sessions", lambda server: server.control("GET", "/sessions?limit=1000"), "GET /sessions"),
        ("state", lambda server: server.control("GET", "/state"), "GET /state"),
        ("end-sessions", lambda server: server.control("DELETE", "/sessions"), "DELETE /sessions"),
        ("reset", lambda server: server.control("POST", "/reset", {}), "POST /reset"),
        ("sign-in", sign_in, "POST /sign-ins")):
    add("after-sign-ins", shape, after(call), prepare=sign_ins, calls=[path], start=8, most=512)
add("many", "sign-ins", sign_ins, start=8, most=1024, short=True)
add("many", "browsers", lambda server, n: [sign_in(server, browser=f"browser {number}") for number in range(n)], start=8, most=1024)
add("many", "worlds", lambda server, n: [
    server.control("POST", "/worlds", {"tenant": tenant(), "seed": number}) for number in range(n)] and
    server.control("GET", "/worlds"), calls=["POST /worlds", "GET /worlds"], start=8, most=512)
add("many", "tokens", lambda server, n: [server.control("POST", "/tokens", {"key": f"key{number}"}) for number in range(n)],
    calls=["POST /tokens"], start=4, most=64)
add("many", "key-sets", lambda server, n: [server.control("POST", "/keys/service/rotate", {}) for _ in range(n)] and [
    server.control("GET", "/keys"), server.request("GET", DOMAIN + "discovery/v2.0/keys"), sign_in(server)],
    calls=["GET /keys", "POST /keys/{set}/rotate"], start=2, most=64)
add("many", "patches", lambda server, n: [server.control("PATCH", "/tenant", {
    "patch": {"users": {f"person{number}": {"email": f"person{number}@example.test", "password": "Analytical-1"}}}})
    for number in range(n)], start=8, most=2048)
add("many", "people", lambda server, n: [server.control("POST", "/users", {"name": f"person{number}", "user": {
    "email": f"person{number}@example.test", "password": "Analytical-1", "displayName": "A"}}) for number in range(n)],
    calls=["POST /users"], start=16, most=4096)
add("many", "restarts", lambda server, n: [server.control("POST", "/apis/tasks/restart", {}) for _ in range(n)],
    calls=["POST /apis/{name}/restart"], start=64, most=4096)
add("many", "effects", lambda server, n: [server.control("POST", "/faults/effects", {"exchange": str(number), "b2cError": "AADB2C90035"})
                                          for number in range(n)] and logs(server), calls=["POST /faults/effects"], start=64, most=8192)


def wrong_password(server, size):
    for number in range(size):
        sign_in(server, password=f"wrong-{number}")
    logs(server)


add("many", "wrong-passwords", wrong_password, start=4, most=512)


# MARK: The control interface

def body(method, path, wrap=lambda text: text):
    def play(server, text):
        server.control(method, path, wrap(text))
        logs(server)
    return play


WRITING = {
    "POST /worlds": "/worlds", "POST /reset": "/reset", "PATCH /clock": "/clock", "PATCH /tenant": "/tenant", "POST /users": "/users",
    "PATCH /users/{name}": "/users/ada", "POST /sign-ins": "/sign-ins", "POST /keys/{set}/rotate": "/keys/service/rotate",
    "PUT /faults": "/faults", "POST /faults/effects": "/faults/effects", "POST /tokens": "/tokens",
    "POST /apis/{name}/restart": "/apis/tasks/restart", "PUT /state": "/state"}
for call, path in WRITING.items():
    method, name = call.split(" ")
    subject = "control-" + call.replace(" /", "-").replace("/", "-").replace("{", "").replace("}", "")
    family(subject, FEW_DOCUMENTS, body(method, path), calls=[call], most=1 << 24,
           short=("deep-objects",) if call in ("PATCH /tenant",) else ())
LONG = {name: TEXTS[name] for name in ("one-word", "percents", "dotted-word", "slashes", "at-word", "combining")}
for call, path in {
        "GET /users/{name}": "/users/", "PATCH /users/{name}": "/users/", "DELETE /users/{name}": "/users/",
        "DELETE /sessions/{id}": "/sessions/", "DELETE /worlds/{world}": "/worlds/", "GET /inbox": "/inbox?to=",
        "POST /apis/{name}/restart": "/apis/", "POST /keys/{set}/rotate": "/keys/"}.items():
    method = call.split(" ")[0]
    end = "/restart" if "restart" in call else "/rotate" if "rotate" in call else ""

    def named(server, text, method=method, path=path, end=end):
        server.control(method, path + value(text)[:ADDRESS] + end, {} if method in ("POST", "PATCH") else None)
        logs(server)
    family("control-name-" + call.replace(" /", "-").replace("/", "-").replace("{", "").replace("}", ""), LONG, named, calls=[call],
           most=ADDRESS, start=4096)


def rule(number):
    return {"match": {"endpoint": "token", "query": {f"a{number}": "b"}}, "network": "reset", "optional": True}


def account(number):
    return {"email": f"person{number}@example.test", "password": f"Analytical-{number}", "displayName": f"Person {number}"}


def state(server, change):
    whole = json.loads(server.control("GET", "/state")[1])
    change(whole)
    return whole


THINGS = {
    "fault-rules": ("PUT /faults", lambda server, n: [
        server.control("PUT", "/faults", {"rules": [rule(number) for number in range(n)]}), sign_in(server), sign_in(server),
        server.control("GET", "/faults"), server.control("DELETE", "/faults"), logs(server)]),
    "patch-users": ("PATCH /tenant", lambda server, n: server.control(
        "PATCH", "/tenant", {"patch": {"users": {f"person{number}": account(number) for number in range(n)}}})),
    "patch-policies": ("PATCH /tenant", lambda server, n: server.control(
        "PATCH", "/tenant", {"patch": {"policies": {f"p{number}": {"id": f"B2C_1_p{number}"} for number in range(n)}}})),
    "patch-findings": ("PATCH /tenant", lambda server, n: server.control(
        "PATCH", "/tenant", {"patch": {"users": {f"person{number}": 1 for number in range(n)}}})),
    "world-users": ("POST /worlds", lambda server, n: server.control("POST", "/worlds", {"tenant": tenant(
        users={f"person{number}": account(number) for number in range(n)})})),
    "token-claims": ("POST /tokens", lambda server, n: server.control(
        "POST", "/tokens", {"claims": {f"claim{number}": "v" for number in range(n)}})),
    "sign-in-actions": ("POST /sign-ins", lambda server, n: sign_in(
        server, actions=[{"fill": {"email": f"a{number}"}} for number in range(n)])),
    "sign-in-browser": ("POST /sign-ins", lambda server, n: [sign_in(server, browser=f"{number}" + "b" * n) for number in range(20)]),
    "sign-in-password": ("POST /sign-ins", lambda server, n: [sign_in(server, password="b" * n), logs(server)]),
    "sign-in-user": ("POST /sign-ins", lambda server, n: sign_in(server, user={f"extension_a{number}": "v" for number in range(n)})),
    "user-attributes": ("PATCH /users/{name}", lambda server, n: [server.control(
        "PATCH", "/users/ada", {f"extension_a{number}": "v" for number in range(n)}), sign_in(server), server.control(
            "GET", "/users/ada")]),
}
for shape, (call, play) in THINGS.items():
    add("control", shape, play, calls=[call, "GET /faults", "DELETE /faults", "GET /users/{name}"], start=64, most=1 << 20,
        short=shape in ("fault-rules", "sign-in-browser", "patch-users"))


def accounts(server, size, given=None):
    """Puts a state with so many accounts in place; their form is that of an account that is there."""
    def more(whole):
        first = whole["accounts"][0]
        whole["accounts"] += [json.loads(re.sub(
            r"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-)[0-9a-f]{12}", lambda found: found[1] + f"{number:012x}",
            json.dumps(first).replace("ada@example.test", f"person{number}@example.test").replace('"ada"', f'"person{number}"')))
            for number in range(1, size)]
    return state(server, more)


def put_state(server, size, whole):
    server.control("PUT", "/state", whole)
    server.control("GET", "/state")
    server.control("GET", "/users?limit=1000")
    sign_in(server)


add("control", "state-accounts", put_state, prepare=accounts, calls=["PUT /state"], start=64, most=1 << 15, short=True)
add("control", "events-stream", lambda server, n: [sign_in(server) for _ in range(n)] and stream(server), start=8, most=256,
    calls=["GET /events/stream"])
add("control", "small-calls", lambda server, n: [server.control(*call) for _ in range(n) for call in (
    ("GET", "/clock"), ("GET", "/inbox"), ("DELETE", "/inbox"), ("GET", "/openapi.json"), ("PATCH", "/clock", {"advance": "PT1S"}))],
    calls=["GET /clock", "PATCH /clock", "GET /inbox", "DELETE /inbox", "GET /openapi.json"], start=16, most=1024)


def stream(server):
    """The entries so far; what comes later is not waited for."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=2) as connection:
        connection.sendall(f"GET /_b2c/v1/events/stream HTTP/1.1\r\nHost: localhost:{server.port}\r\n\r\n".encode())
        connection.settimeout(0.5)
        try:
            while connection.recv(1 << 16):
                pass
        except socket.timeout:
            pass


# MARK: Microsoft Graph

GRAPH = "/_hosts/graph.microsoft.com/v1.0/users"


def directory(server, scope="https://graph.microsoft.com/.default"):
    _, said, _ = server.request(
        "POST", "/_hosts/login.microsoftonline.com/contoso.onmicrosoft.com/oauth2/v2.0/token", urllib.parse.urlencode({
            "grant_type": "client_credentials", "client_id": CLIENT, "client_secret": SECRET, "scope": scope}))
    return {"Authorization": "Bearer " + json.loads(said)["access_token"], "Content-Type": "application/json"}


FILTERS = {
    "or": lambda n: " or ".join(f"displayName eq 'a{number}'" for number in range(max(1, n // 24))),
    "and": lambda n: " and ".join(f"displayName eq 'a{number}'" for number in range(max(1, n // 24))),
    "in": lambda n: "displayName in (" + ",".join(f"'a{number}'" for number in range(max(1, n // 6))) + ")",
    "parentheses": lambda n: "(" * (n // 2) + "displayName eq 'a'" + ")" * (n // 2),
    "not": lambda n: "not(" * (n // 5) + "displayName eq 'a'" + ")" * (n // 5),
    "starts": lambda n: "startswith(displayName,'" + "a" * n + "')",
    "quotes": lambda n: "displayName eq '" + "''" * (n // 2) + "'",
    "open-quote": lambda n: "displayName eq '" + "a" * n,
    "lambda": lambda n: "identities/any(c:" * (n // 17) + "c/issuer eq 'a'" + ")" * (n // 17),
}
for option, shapes in {
        "filter": FILTERS, "select": {"names": lambda n: ",".join(f"name{number}" for number in range(max(1, n // 8)))},
        "orderby": {"names": lambda n: ",".join(f"name{number}" for number in range(max(1, n // 8)))},
        "top": {"digits": TEXTS["digits"]}, "count": {"word": TEXTS["one-word"]}, "unknown": FEWEST}.items():
    family(f"graph-{option}", shapes, lambda server, text, given, option=option: [
        server.request("GET", f"{GRAPH}?${option}={value(text)[:ADDRESS]}", None, given), logs(server)],
        prepare=lambda server, size: directory(server), most=ADDRESS, start=4096,
        short=("or",) if option == "filter" else ())


def populated(server, size):
    server.control("PATCH", "/tenant", {"patch": {"users": {f"person{number}": account(number) for number in range(size)}}})
    return directory(server)


GRAPH_QUERIES = {
    "list": "?$top=999", "filter": "?$filter=" + urllib.parse.quote("displayName eq 'Ada'"),
    "starts": "?$filter=" + urllib.parse.quote("startswith(displayName,'P')") + "&$top=999",
    "identity": "?$filter=" + urllib.parse.quote(
        "identities/any(c:c/issuerAssignedId eq 'person1@example.test' and c/issuer eq 'contoso.onmicrosoft.com')"),
    "order": "?$orderby=displayName&$top=999", "count": "?$count=true&$top=1", "one": "/" + ADA}
for shape, query in GRAPH_QUERIES.items():
    add("graph-people", shape, lambda server, size, given, query=query: [
        server.request("GET", GRAPH + query, None, {**given, "ConsistencyLevel": "eventual"}) for _ in range(3)] and logs(server),
        prepare=populated, start=32, most=1 << 14)
family("graph-post", DOCUMENTS, lambda server, text, given: [server.request("POST", GRAPH, text, given), logs(server)],
       prepare=lambda server, size: directory(server), most=BODY)
family("graph-patch", FEW_DOCUMENTS, lambda server, text, given: [
    server.request("PATCH", GRAPH + "/" + ADA, text, given), logs(server)],
    prepare=lambda server, size: directory(server), most=BODY)
family("graph-token", FEWEST, lambda server, text: [server.request("GET", GRAPH, None, {
    "Authorization": "Bearer " + form(text).encode("ascii", "ignore").decode()[:60_000]}), logs(server)], most=60_000, start=4096)


# MARK: The log of the journey recorder

def loyalty(folder, size):
    """A custom policy that is recorded; its parents lie beside it."""
    policies.write(folder / "policies", "steps", 4)
    whole = authority()
    whole["policies"]["susi"] = {"id": "B2C_1A_grown", "type": "custom", "file": "policies/Grown.xml"}
    whole["policyFolders"] = ["policies"]
    path = folder / "tenant.json"
    path.write_text(json.dumps(whole))
    return path


CASES.append(Conversation(
    "journey-recorder", "sign-ins", lambda server, size: [
        sign_in(server, "B2C_1A_grown") for _ in range(size)], tenant=loyalty, options=["--journey-recorder", "journeys.jsonl"], start=4, most=512))


# MARK: Services beside the authority

for service, path in {
        "provider-authorize": "/_hosts/facebook.provider.test/authorize", "provider-token": "/_hosts/facebook.provider.test/token",
        "api": "/_hosts/tasks.api.contoso.test/tasks"}.items():
    family(service, FEWEST, posted(path, "client_id=a&redirect_uri=b&"), most=BODY)
    family(service, {f"address-{name}": make for name, make in FEWEST.items()}, asked(path + "?client_id=a&redirect_uri=b&a="),
           most=ADDRESS, start=4096)

def bearer(server, text):
    server.request("GET", "/_hosts/tasks.api.contoso.test/tasks", None, {"Authorization": "Bearer " + text[:60_000]})
    logs(server)


family("api-token", {
    "claims": lambda n: token({**CLAIMS, **{f"c{number}": "v" for number in range(max(1, n // 16))}}),
    "scopes": lambda n: token({**CLAIMS, "scp": " ".join(f"s{number}" for number in range(max(1, n // 8)))}),
    "deep": lambda n: "eyJhbGciOiJub25lIn0." + base64.urlsafe_b64encode(b'{"a":' * (n // 8)).decode() + ".c2ln",
    "dots": TEXTS["token-dotted"], "word": TEXTS["one-word"]}, bearer, most=60_000, start=4096)
family("start-page", FEWEST, asked("/?a="), most=ADDRESS, start=4096)
family("landing-page", FEWEST, asked("/signed-in?code=a&state=b&a="), most=ADDRESS, start=4096)
family("control-page", {name: TEXTS[name] for name in ("one-word", "percents")}, asked("/_b2c/?a="), most=ADDRESS, start=4096)
