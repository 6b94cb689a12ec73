#!/usr/bin/env python3
"""Drives a running mock-server by its control API and looks at the inspector page in headless Chromium.

usage: control.py PATH-OF-mock-server TENANT-FILE [--screens FOLDER] [--no-browser] [--schemathesis PROGRAM]

Uses openapi-spec-validator and selenium where they are installed, and says what it left out.
"""
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

from harness import PATIENCE

CHECKS = []


def check(what, holds, shown=""):
    CHECKS.append((what, bool(holds)))
    print(("ok   " if holds else "FAIL ") + what + ("" if holds else f": {shown}"))


class Server:
    def __init__(self, program, tenant, *options):
        self.process = subprocess.Popen(
            [program, "--tenant", tenant, "--port", "0", "--seed", "1", *options],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.url = self.process.stdout.readline().split()[-1]
        self.cookies = {}

    def stop(self):
        self.process.terminate()
        return self.process.wait(PATIENCE)

    def send(self, method, url, body=None, headers=None):
        """Status, header fields and text; redirects are not followed."""
        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_):
                return None
        request = urllib.request.Request(url, data=body, method=method, headers=headers or {})
        try:
            with urllib.request.build_opener(Stay).open(request, timeout=PATIENCE) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()

    def control(self, method, path, body=None, headers=None):
        """Status and JSON of a control call."""
        fields = dict(headers or {})
        data = None
        if body is not None:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            fields.setdefault("Content-Type", "application/json")
        status, _, text = self.send(method, self.url + "/_b2c/v1" + path, data, fields)
        return status, json.loads(text) if text else None

    # A person at the page, as its script speaks to the service.

    def page(self, method, url, form=None, headers=None):
        fields = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()), **(headers or {})}
        data = urllib.parse.urlencode(form).encode() if form is not None else None
        if data is not None:
            fields["Content-Type"] = "application/x-www-form-urlencoded"
        status, received, text = self.send(method, url, data, fields)
        for cookie in received.get_all("Set-Cookie") or []:
            name, value = cookie.split(";")[0].split("=", 1)
            if value:
                self.cookies[name.strip()] = value
            else:
                self.cookies.pop(name.strip(), None)
        return status, received, text

    def sign_in(self, client, redirect, password, policy="b2c_1_susi"):
        """Opens the sign-in page, types, and redeems the code. Returns the token answer, or the page's refusal."""
        base = f"{self.url}/contoso.onmicrosoft.com/{policy}"
        verifier = "a-verifier-that-is-long-enough-for-the-rules-of-pkce-1"
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        query = urllib.parse.urlencode({
            "client_id": client, "redirect_uri": redirect, "response_type": "code",
            "scope": "openid offline_access https://contoso.onmicrosoft.com/tasks/read", "state": "s", "nonce": "n",
            "code_challenge": challenge, "code_challenge_method": "S256"})
        status, received, text = self.page("GET", f"{base}/oauth2/v2.0/authorize?{query}")
        if status == 302:
            return self.redeem(base, client, redirect, verifier, received["Location"])
        csrf = re.search(r'"csrf":"([^"]+)"', text).group(1)
        tx = re.search(r'"transId":"([^"]+)"', text).group(1)
        field = "signInName" if '"signInName"' in text or 'id="signInName"' in text else "email"
        _, _, answer = self.page(
            "POST", f"{base}/SelfAsserted?tx={tx}&p=B2C_1_susi",
            {"request_type": "RESPONSE", field: "ada@example.test", "password": password}, {"X-CSRF-TOKEN": csrf})
        if json.loads(answer).get("status") != "200":
            return json.loads(answer)
        _, received, _ = self.page(
            "GET", f"{base}/api/CombinedSigninAndSignup/confirmed?rememberMe=false&csrf_token="
            + urllib.parse.quote(csrf) + f"&tx={tx}&p=B2C_1_susi")
        return self.redeem(base, client, redirect, verifier, received["Location"])

    def redeem(self, base, client, redirect, verifier, location):
        code = urllib.parse.parse_qs(location.split("?", 1)[1])["code"][0]
        _, _, text = self.send("POST", f"{base}/oauth2/v2.0/token", urllib.parse.urlencode({
            "grant_type": "authorization_code", "client_id": client, "redirect_uri": redirect, "code": code,
            "code_verifier": verifier}).encode(), {"Content-Type": "application/x-www-form-urlencoded"})
        return json.loads(text)

    def refresh(self, client, token):
        _, _, text = self.send("POST", f"{self.url}/contoso.onmicrosoft.com/b2c_1_susi/oauth2/v2.0/token",
                               urllib.parse.urlencode({
                                   "grant_type": "refresh_token", "client_id": client, "refresh_token": token,
                                   "scope": "openid offline_access https://contoso.onmicrosoft.com/tasks/read",
                               }).encode(), {"Content-Type": "application/x-www-form-urlencoded"})
        return json.loads(text)


def api(server):
    status, tenant = server.control("GET", "/tenant")
    check("the tenant is readable and its passwords are masked", status == 200 and "Analytical-1843" not in json.dumps(tenant))
    registration = tenant["tenant"]["apps"]["ios"]["registration"]
    client = registration["clientId"]
    redirect = (registration["redirectUris"].get("native") or ["msauth.com.contoso.tasks://auth"])[0]

    wrong = server.sign_in(client, redirect, "not-the-password")
    check("a wrong password is refused by the page", wrong.get("status") == "400", wrong)
    tokens = server.sign_in(client, redirect, "Analytical-1843")
    check("a person signs in", "access_token" in tokens, tokens)

    _, log = server.control("GET", "/requests?since=0")
    refused = [entry for entry in log["requests"] if entry.get("refusal")]
    check("the log has the reason of the refusal", refused and refused[0]["endpoint"] == "page", refused)
    check("the log masks tokens, codes and passwords",
          all(secret not in json.dumps(log) for secret in ["Analytical-1843", tokens["access_token"], tokens["refresh_token"]]))
    _, raw = server.control("GET", "/requests?since=0&secrets=show")
    check("secrets are shown when asked for", tokens["refresh_token"] in json.dumps(raw))
    _, events = server.control("GET", "/events?since=0")
    types = {event["type"] for event in events["events"]}
    check("the journal has requests, traces and refusals", {"request", "trace"} <= types, types)
    numbers = [event["seq"] for event in events["events"]]
    check("the journal is in one order", numbers == sorted(numbers) and events["next"] == numbers[-1])

    _, clock = server.control("PATCH", "/clock", {"freeze": True})
    check("the clock stands still", clock["frozen"])
    _, moved = server.control("PATCH", "/clock", {"advance": "P15D"})
    check("the clock moves on", moved["now"][:10] != clock["now"][:10], moved)
    dead = server.refresh(client, tokens["refresh_token"])
    check("after 15 days the refresh token has expired", "AADB2C90080" in dead.get("error_description", ""), dead)
    server.control("PATCH", "/clock", {"freeze": False})
    server.control("PATCH", "/clock", {"skew": "PT0S"})

    before = server.sign_in(client, redirect, "Analytical-1843")
    server.control("POST", "/keys/service/rotate", {"keepPublished": False})
    after = server.refresh(client, before["refresh_token"])
    kid = lambda token: json.loads(base64.urlsafe_b64decode(token.split(".")[0] + "=="))["kid"]
    check("a rotated key signs", kid(before["access_token"]) != kid(after["access_token"]))
    status, answer = server.control("PATCH", "/tenant", {"patch": {"policies": {"susi": {"typ": "x"}}}})
    check("a wrong patch gets findings with pointers", status == 422 and answer["error"]["findings"][0]["pointer"] == "/policies/susi/typ"
          and "type" in answer["error"]["findings"][0].get("remedy", ""), answer)

    status, rules = server.control("PUT", "/faults", {"rules": [
        {"match": {"endpoint": "token"}, "times": 1, "b2cError": "AADB2C90085"},
        {"match": {"endpoint": "token"}, "skip": 1, "times": 1, "claims": {"accessToken": {"extra": 7}}},
        {"match": {"endpoint": "keys"}, "network": "tls"}]})
    check("fault rules are installed", status == 200 and len(rules["rules"]) == 3, rules)
    refused = server.refresh(client, before["refresh_token"])
    check("b2cError refuses as for the code", "AADB2C90085" in refused.get("error_description", ""), refused)
    server.refresh(client, before["refresh_token"])
    patched = server.refresh(client, before["refresh_token"])
    claims = json.loads(base64.urlsafe_b64decode(patched["access_token"].split(".")[1] + "=="))
    check("claims are patched", claims.get("extra") == 7, claims)
    _, unused = server.control("DELETE", "/faults")
    check("a rule that never fired is told", [rule["match"] for rule in unused["unused"]] == [{"endpoint": "keys"}], unused)

    status, user = server.control("POST", "/users", {"name": "eve", "user": {"email": "eve@example.test", "password": "Evening-2026"}})
    check("a person is added", status == 201 and user["registered"], user)
    check("not twice", server.control("POST", "/users", {"name": "eve", "user": {}})[0] == 409)
    check("and disabled", server.control("PATCH", "/users/eve", {"accountEnabled": False})[1]["accountEnabled"] is False)
    check("and removed", server.control("DELETE", "/users/eve")[0] == 204 and server.control("GET", "/users/eve")[0] == 404)
    _, sessions = server.control("GET", "/sessions")
    check("sessions are listed", len(sessions["sessions"]) >= 1, sessions)
    status, ended = server.control("DELETE", "/sessions")
    check("and ended", ended["ended"] == len(sessions["sessions"]), ended)
    status, minted = server.control("POST", "/tokens", {"claims": {"sub": "x"}, "lifetime": "-PT5M"})
    check("a token is made to order", minted["token"].count(".") == 2, minted)

    _, state = server.control("GET", "/state")
    server.control("DELETE", "/users/ada")
    check("a removed person is gone", server.control("GET", "/users/ada")[0] == 404)
    check("a state is taken back", server.control("PUT", "/state", state)[0] == 204)
    check("with its people", server.control("GET", "/users/ada")[0] == 200)
    _, again = server.control("GET", "/state")
    check("and is what it was", {**again, "clock": 0} == {**state, "clock": 0})
    check("a reset to the start mends everything", server.control("POST", "/reset", {"to": "start"})[0] == 204
          and server.control("GET", "/keys")[1]["keySets"]["service"]["use"] == "k1")

    status, world = server.control("POST", "/worlds", {"tenant": state["tenant"] | {"policies": {"susi": state["tenant"]["policies"]["susi"]}, "apps": {}}, "seed": 7, "now": "2026-01-15T12:00:00Z"})
    check("a world is made", status == 201, world)
    header = {"B2C-World": world["world"]}
    check("its time is its own", server.control("GET", "/clock", headers=header)[1]["now"] == "2026-01-15T12:00:00Z")
    check("and goes forward only", server.control("PATCH", "/clock", {"now": "2026-01-01T00:00:00Z"}, header)[0] == 409)
    check("it is removed", server.control("DELETE", "/worlds/" + world["world"])[0] == 204)

    for what, expected, arguments in [
        ("an unknown path names the nearest", 404, ("GET", "/statee")),
        ("a wrong method", 405, ("POST", "/clock", {})),
        ("an unknown member", 400, ("PATCH", "/clock", {"advanse": "PT1H"})),
        ("an unknown parameter", 400, ("GET", "/events?sinse=1")),
        ("no JSON", 400, ("PATCH", "/clock", b"{")),
        ("no content type of JSON", 415, ("PATCH", "/clock", b"{}", {"Content-Type": "text/plain"})),
        ("another host's name", 403, ("GET", "/clock", None, {"Host": "evil.example"})),
        ("another site's page", 403, ("PATCH", "/clock", {}, {"Origin": "http://evil.example"})),
        ("a cross-site request", 403, ("GET", "/clock", None, {"Sec-Fetch-Site": "cross-site"})),
        ("an unknown world", 404, ("GET", "/clock", None, {"B2C-World": "w99"})),
        ("a rule that is none", 400, ("PUT", "/faults", {"rules": [{"netwrok": "tls"}]})),
        ("rules for callbacks", 409, ("PUT", "/faults", {"rules": [{"match": {"endpoint": "callback"}, "copies": 0}]})),
        ("rules that contradict", 422, ("PUT", "/faults", {"rules": [{"network": "tls"}, {"network": "dns"}]})),
    ]:
        status, answer = server.control(*arguments)
        check(f"{what}: {expected}", status == expected and answer["error"]["message"], (status, answer))
    return client, redirect


def document(server, schemathesis):
    _, openapi = server.control("GET", "/openapi.json")
    try:
        from openapi_spec_validator import validate
    except ImportError:
        print("left out: openapi-spec-validator is not installed")
    else:
        try:
            validate(openapi)
            check("the OpenAPI document is valid", True)
        except Exception as error:  # noqa: BLE001
            check("the OpenAPI document is valid", False, error)
    if schemathesis:
        with tempfile.TemporaryDirectory() as folder:
            try:
                done = subprocess.run(
                    [schemathesis, "run", server.url + "/_b2c/v1/openapi.json", "--url", server.url + "/_b2c/v1",
                     "--checks", "not_a_server_error,status_code_conformance,content_type_conformance",
                     "--phases", "examples,fuzzing", "--exclude-path", "/events/stream", "--max-examples", "10",
                     "--max-time", "60", "--request-timeout", "10", "--no-color"],
                    capture_output=True, text=True, timeout=120, cwd=folder)
            except subprocess.TimeoutExpired:
                print("left out: schemathesis did not come to an end in two minutes")
                return
        check("schemathesis finds nothing", done.returncode == 0, done.stdout[-3000:])


def inspector(server, client, redirect, screens):
    try:
        from selenium import webdriver
        from selenium.common.exceptions import TimeoutException
        from selenium.webdriver.common.by import By
        from selenium.webdriver.support.ui import Select, WebDriverWait
    except ImportError:
        print("left out: selenium is not installed")
        return
    options = webdriver.ChromeOptions()
    for option in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1360,900"]:
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    os.environ["SE_OFFLINE"] = "true"
    driver = shutil.which("chromedriver")
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver) if driver else None)
    wait = WebDriverWait(browser, PATIENCE)
    find = lambda selector: browser.find_element(By.CSS_SELECTOR, selector)
    everything = lambda selector: browser.find_elements(By.CSS_SELECTOR, selector)

    def picture(name):
        if screens:
            browser.save_screenshot(os.path.join(screens, name + ".png"))

    def scheme(name):
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": name}]})

    def text_of(selector):
        """A list that is drawn anew may lose an element between finding and reading it."""
        return browser.execute_script("const n = document.querySelector(arguments[0]); return n ? n.innerText : ''", selector)

    def click(found, *values):
        """Clicks what an expression finds, once it is there: a list that is drawn anew may lose it for a moment."""
        wait.until(lambda _: browser.execute_script(
            f"const found = {found}; if (found) found.click(); return !!found;", *values))

    def press(label):
        click("[...document.querySelectorAll('button')].find((b) => b.innerText.startsWith(arguments[0]))", label)

    def becomes(what, test, shown):
        """A check that may have to wait."""
        try:
            check(what, wait.until(lambda _: test()))
        except TimeoutException:
            check(what, False, shown())

    try:
        scheme("light")
        browser.get(server.url + "/_b2c/")
        wait.until(lambda _: text_of("#link") == "\u25cf live" or "live" in text_of("#link"))
        check("the inspector is live", True)
        server.cookies = {}
        server.sign_in(client, redirect, "not-the-password")
        server.cookies = {}
        tokens = server.sign_in(client, redirect, "Analytical-1843")
        wait.until(lambda _: "tokens issued" in text_of("#list"))
        becomes("a sign-in appears as a journey", lambda: "susi" in text_of("#list") and "Ada" in text_of("#list"),
                lambda: text_of("#list")[:400])
        becomes("a refused post shows its reason in the list", lambda: everything("#list .why"), lambda: text_of("#list")[:400])

        def choose(endpoint, needs=""):
            click("[...document.querySelectorAll('.row[data-number]')].find("
                  "(r) => r.innerText.includes(arguments[0]) && (!arguments[1] || r.querySelector(arguments[1])))", endpoint, needs)
        choose("token")
        wait.until(lambda _: "Valid, signed by key" in text_of("#detail"))
        becomes("a token is decoded and verified", lambda: all(word in text_of("#detail") for word in ("tfp", "k1")),
                lambda: text_of("#detail")[:600])
        detail = text_of("#detail")
        check("secrets are hidden at first", tokens["refresh_token"][:60] not in detail and tokens["access_token"] not in browser.page_source)
        picture("inspector")
        find("#secrets").click()
        wait.until(lambda _: tokens["access_token"] in browser.page_source)
        check("the switch shows secrets", True)
        find("#secrets").click()
        wait.until(lambda _: tokens["access_token"] not in browser.page_source)
        choose("page", ".why")
        wait.until(lambda _: text_of("#refusal"))
        detail = text_of("#detail")
        check("the details say why it was refused", "Refused:" in detail, detail[:400])
        check("the typed password is hidden", "not-the-password" not in browser.page_source)
        picture("inspector-refused")
        choose("confirmed")
        wait.until(lambda _: "What the policy did" in text_of("#detail"))
        check("steps run and skipped are listed", "ran" in text_of("#detail") and everything("#detail .step"), text_of("#detail")[:600])
        click("[...document.querySelectorAll('.journey .open')].find((b) => b.innerText.includes('Ada'))")
        becomes("a journey is shown as a whole: its sequence and what the policy did",
                lambda: all(word in text_of("#detail") for word in ("Sequence", "authority", "POST token", "What the policy did", "AAD-UserReadUsingObjectId")),
                lambda: text_of("#detail")[:900])
        browser.execute_script("for (const one of document.querySelectorAll('#detail details')) one.open = true")
        becomes("its requests open, with secrets hidden", lambda: "Response" in text_of("#detail"), lambda: text_of("#detail")[:600])
        check("a journey hides secrets", tokens["access_token"] not in browser.page_source and "Analytical-1843" not in browser.page_source)
        scheme("dark")
        picture("inspector-dark")
        scheme("light")

        before = text_of("#clock")
        press("+1 day")
        wait.until(lambda _: text_of("#clock")[:10] != before[:10])
        check("a button moves the clock", True)
        press("Freeze clock")
        wait.until(lambda _: "stands still" in text_of("#clock"))
        check("a button stops the clock", server.control("GET", "/clock")[1]["frozen"])
        press("Rotate keys")
        wait.until(lambda _: find("#dialog").get_attribute("open") is not None)
        Select(find("#dialog select[name=set]")).select_by_visible_text("service")
        find("#dialog-ok").click()
        wait.until(lambda _: "signs with k2" in text_of("#message"))
        check("a dialog rotates keys", server.control("GET", "/keys")[1]["keySets"]["service"]["use"] == "k2")
        press("Add user")
        wait.until(lambda _: find("#dialog").get_attribute("open") is not None)
        for name, value in {"name": "grace", "email": "grace@example.test", "password": "Compiler-1952", "displayName": "Grace"}.items():
            find(f"#dialog input[name={name}]").send_keys(value)
        find("#dialog-ok").click()
        wait.until(lambda _: "grace can sign in" in text_of("#message"))
        check("a dialog adds a person", server.control("GET", "/users/grace")[0] == 200)
        press("Faults")
        wait.until(lambda _: find("#dialog").get_attribute("open") is not None)
        area = find("#dialog textarea")
        area.clear()
        area.send_keys('[{"match": {"endpoint": "tokn"}, "network": "reset"}]')
        find("#dialog-ok").click()
        wait.until(lambda _: "Did you mean" in text_of("#dialog-findings"))
        check("a wrong rule gets its findings in the dialog", "/rules/0/match/endpoint" in text_of("#dialog-findings"), text_of("#dialog-findings"))
        picture("inspector-fault")
        area.clear()
        area.send_keys('[{"match": {"endpoint": "token"}, "times": 1, "respond": {"status": 503}}]')
        find("#dialog-ok").click()
        wait.until(lambda _: "1 rule in force" in text_of("#message"))
        check("a right rule is installed", len(server.control("GET", "/faults")[1]["rules"]) == 1)
        press("End sessions")
        wait.until(lambda _: " ended." in text_of("#message"))
        check("a button ends the sessions", server.control("GET", "/sessions")[1]["sessions"] == [])
        press("Users")
        wait.until(lambda _: "grace" in text_of("#list"))
        check("people are listed", "ada" in text_of("#list"))

        browser.set_window_size(412, 915)
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True})
        press("Journeys")
        becomes("nothing sticks out on a phone", lambda: browser.execute_script(
            "return innerWidth === 390 && document.documentElement.scrollWidth <= innerWidth + 1"),
            lambda: browser.execute_script("return `${document.documentElement.scrollWidth} of ${innerWidth}`"))
        browser.execute_script("window.scrollTo(0, 0)")
        picture("inspector-phone")
        errors = [entry["message"] for entry in browser.get_log("browser")
                  if entry["level"] == "SEVERE" and "/_b2c/v1/faults" not in entry["message"]]
        check("the console has no errors and the content policy holds", not errors, errors)
    finally:
        browser.quit()


def main(arguments):
    if len(arguments) < 2:
        print(__doc__)
        return 1
    program, tenant = arguments[:2]
    option = lambda name: arguments[arguments.index(name) + 1] if name in arguments else None
    server = Server(program, tenant)
    try:
        client, redirect = api(server)
        if "--no-browser" not in arguments:
            inspector(server, client, redirect, option("--screens"))
        document(server, option("--schemathesis"))
    finally:
        code = server.stop()
    check("the server ended cleanly", code == 0, code)
    failed = [what for what, holds in CHECKS if not holds]
    print(f"{len(CHECKS)} checks, {len(failed)} failed")
    return 4 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
