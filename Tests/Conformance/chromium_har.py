"""Captures of a real Chromium with the real MSAL for browsers, imported and played again.

    chromium_har.py MOCK_SERVER B2C

The page of msal_browser.py signs people in at a mock-server; what the browser's network domain tells is written as its
developer tools write a HAR file: cookies and credentials left out, bodies missing where the page had gone before they
could be read. `b2c import har` has to make a script of each, and the script has to pass.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.parse

import harness
from harness import Server, Site, Skip, run_part
from msal_browser import APP, APP_SCRIPT, BLANK, HOST, ORIGIN, PAGE, SCOPE, TENANT, App, library

MOVES = """
const leave = () => ready.then(() => app.loginRedirect({ scopes }));
const out = () => ready.then(() => app.logoutRedirect({ account: account() }));
"""


class Capture:
    """What the tools' network page would have shown."""

    def __init__(self, driver):
        self.driver = driver
        self.entries = {}
        self.order = []
        driver.execute_cdp_cmd("Network.enable", {})
        driver.get_log("performance")

    def take(self):
        """Reads what has happened since; has to be called before the page changes for bodies to be there."""
        for record in self.driver.get_log("performance"):
            message = json.loads(record["message"])["message"]
            handle = getattr(self, message["method"].replace("Network.", "on_"), None)
            if handle:
                handle(message["params"])
        for key in self.order:
            entry = self.entries[key]
            if entry.get("finished") and "body" not in entry and not entry.get("tried"):
                entry["tried"] = True
                try:
                    entry["body"] = self.driver.execute_cdp_cmd("Network.getResponseBody", {"requestId": entry["id"]})
                except Exception:  # the page has gone, and the body with it
                    pass

    def on_requestWillBeSent(self, params):
        id = params["requestId"]
        key = id
        if "redirectResponse" in params and id in self.entries:
            before = self.entries.pop(id)
            key = f"{id}/{len(self.order)}"
            self.order[self.order.index(id)] = key
            self.entries[key] = {**before, "response": params["redirectResponse"], "tried": True}
        self.entries[id] = {"id": id, "request": params["request"], "wall": params["wallTime"], "start": params["timestamp"],
                            "end": params["timestamp"]}
        self.order.append(id)

    def on_responseReceived(self, params):
        if params["requestId"] in self.entries:
            self.entries[params["requestId"]]["response"] = params["response"]

    def on_loadingFinished(self, params):
        entry = self.entries.get(params["requestId"])
        if entry:
            entry["finished"], entry["end"] = True, params["timestamp"]

    def on_loadingFailed(self, params):
        entry = self.entries.get(params["requestId"])
        if entry:
            entry["error"], entry["end"] = params["errorText"], params["timestamp"]

    def har(self):
        self.take()
        return {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "pages": [],
                        "entries": [self.entry(self.entries[key]) for key in self.order]}}

    @staticmethod
    def pairs(headers):
        hidden = {"cookie", "set-cookie", "authorization"}
        return [{"name": name, "value": value} for name, value in headers.items() if name.lower() not in hidden]

    def entry(self, entry):
        request, response = entry["request"], entry.get("response")
        url = request["url"]
        took = max(0, round((entry["end"] - entry["start"]) * 1000, 3))
        written = {
            "method": request["method"], "url": url, "httpVersion": "http/2.0",
            "headers": [{"name": ":method", "value": request["method"]}, *self.pairs(request["headers"])],
            "queryString": [{"name": name, "value": value} for name, value in urllib.parse.parse_qsl(
                urllib.parse.urlsplit(url).query, keep_blank_values=True)],
            "cookies": [], "headersSize": -1, "bodySize": len(request.get("postData", ""))}
        if request.get("postData"):
            type = next((value for name, value in request["headers"].items() if name.lower() == "content-type"), "")
            written["postData"] = {"mimeType": type, "text": request["postData"]}
        answer = {"status": 0, "statusText": "", "httpVersion": "", "headers": [], "cookies": [],
                  "content": {"size": 0, "mimeType": "x-unknown"}, "redirectURL": "", "headersSize": -1, "bodySize": -1,
                  "_error": entry.get("error", "net::ERR_ABORTED")}
        if response:
            content = {"size": int(response.get("encodedDataLength") or 0), "mimeType": response.get("mimeType", "")}
            if "body" in entry:
                content["text"] = entry["body"]["body"]
                content["size"] = len(content["text"])
                if entry["body"].get("base64Encoded"):
                    content["encoding"] = "base64"
            location = next((value for name, value in response["headers"].items() if name.lower() == "location"), "")
            answer = {"status": response["status"], "statusText": response["statusText"], "httpVersion": "http/2.0",
                      "headers": self.pairs(response["headers"]), "cookies": [], "content": content,
                      "redirectURL": location, "headersSize": -1, "bodySize": -1}
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(entry["wall"])) + f".{int(entry['wall'] * 1000) % 1000:03d}Z"
        return {"startedDateTime": moment, "time": took, "request": written, "response": answer, "cache": {},
                "timings": {"send": 0, "wait": took, "receive": 0}}


class Player:
    """The command, in a folder of its own."""

    def __init__(self, b2c, folder):
        self.b2c, self.folder = os.path.abspath(b2c), folder

    def play(self, name, har):
        path = os.path.join(self.folder, f"{name}.har")
        with open(path, "w") as file:
            json.dump(har, file)
        made = self.call("import", "har", path, "--output", self.folder, "--name", name)
        assert made.returncode == 0, made.stdout + made.stderr
        script, tenant = [os.path.join(self.folder, *parts) for parts in ((f"{name}.json",), ("tenants", f"{name}.json"))]
        texts = open(script).read() + open(tenant).read()
        for secret in ["Analytical-1843", "not-hers-at-all", "ada@example.test", '"Ada"']:
            assert secret not in texts, f"{secret} is in what was written"
        checked = self.call("check", self.folder)
        assert checked.returncode == 0, checked.stderr
        played = self.call("run", script, "--seed", "1")
        assert played.returncode == 0, made.stdout + played.stdout + played.stderr
        return json.load(open(script)), json.load(open(tenant)), made.stdout

    def call(self, *arguments):
        return subprocess.run([self.b2c, *arguments], cwd=self.folder, capture_output=True, text=True)


def steps(script):
    """The verbs of a script in order."""
    return [next(key for key in step if key in ("acquireToken", "acquireTokenSilent", "signOut", "open", "http", "restart",
                                                "advanceClock", "callApi")) for step in script["steps"]]


def checks(app, player, report):
    def capture(play):
        app.fresh()
        seen = Capture(app.driver)
        play(seen)
        har = seen.har()
        # What came before the flow, such as the sign-out that made the browser fresh, is no part of it.
        return har

    def back():
        app.until(lambda: app.driver.execute_script("return typeof account === 'function' && !!account()"), "the app with an account")

    def leave_and_sign_in(seen, wrong=None):
        app.driver.execute_script("leave()")
        app.sees("next")
        seen.take()
        if wrong:
            app.fill(email="ada@example.test", password=wrong)
            app.press("next")
            app.until(lambda: [one for one in app.driver.find_elements("css selector", ".error.pageLevel") if one.is_displayed()],
                      "the error")
            seen.take()
        app.sign_in()
        back()
        seen.take()

    def sign_in():
        script, tenant, _ = player.play("sign-in", capture(leave_and_sign_in))
        assert steps(script) == ["acquireToken"], steps(script)
        client = next(iter(tenant["apps"].values()))
        assert client["client"]["kind"] == "msal-browser" and client["registration"]["clientId"] == APP, client
        assert client["client"]["scopes"] == [SCOPE] and client["client"]["redirectUri"] == ORIGIN + "/", client
        assert tenant["name"] == "contoso", tenant

    def wrong_password():
        script, _, _ = player.play("wrong-password", capture(lambda seen: leave_and_sign_in(seen, "not-hers-at-all")))
        acts = script["steps"][0]["user"]
        assert "Wrong-Pass-1" in json.dumps(acts[0]) and acts[1]["on"]["error"], acts

    def refresh_and_sign_out():
        def play(seen):
            leave_and_sign_in(seen)
            answer = app.call("silent({ forceRefresh: true, cacheLookupPolicy: 3 })")
            assert "error" not in answer, answer
            seen.take()
            app.driver.execute_script("window.old = true; out()")
            app.until(lambda: app.driver.current_url.startswith(ORIGIN) and app.driver.execute_script(
                "return !window.old && typeof account === 'function' && !account()"), "the app without an account")
        script, _, _ = player.play("refresh", capture(play))
        assert steps(script)[:2] == ["acquireToken", "acquireTokenSilent"] and steps(script)[-1] in ("signOut", "open"), steps(script)

    def silent_by_frame():
        def play(seen):
            leave_and_sign_in(seen)
            answer = app.call("silent({ forceRefresh: true, cacheLookupPolicy: 5 })")
            assert "error" not in answer, answer
            seen.take()
        script, _, _ = player.play("frame", capture(play))
        assert steps(script) == ["acquireToken", "acquireTokenSilent"], steps(script)

    for check in [sign_in, wrong_password, refresh_and_sign_out, silent_by_frame]:
        report.check(check.__name__.replace("_", " "), check)


def main():
    server_program, b2c = sys.argv[1:3]
    try:
        version, script = library()
    except Skip as reason:
        print(f"chromium har: skipped, {reason}")
        return 0

    def body(report):
        server = Server(server_program, TENANT)
        site = Site("app.contoso.test", {
            "/": ("text/html", PAGE), "/blank.html": ("text/html", BLANK), "/msal.js": ("application/javascript", script),
            "/app.js": ("application/javascript", (APP_SCRIPT + MOVES).encode()),
        }, server.folder)
        try:
            harness.LOGS["performance"] = "ALL"
            app = App(server, site)
            try:
                with tempfile.TemporaryDirectory() as folder:
                    checks(app, Player(b2c, folder), report)
            finally:
                app.close()
        finally:
            site.stop()
            server.stop()

    return run_part(f"chromium har (msal-browser {version})", body)


if __name__ == "__main__":
    sys.exit(main())
