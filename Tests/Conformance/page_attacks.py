#!/usr/bin/env python3
"""What a web page tries against a running mock-server, in headless Chromium.

usage: page_attacks.py PATH-OF-MOCK-SERVER

Scripts in the origin of the sign-in pages, and in another one, try to reach the control API, to move the default world's
clock, to run script by an address that the mock leads to, and to end the process. The inspector must work all the same.
"""
import json
import os
import sys
import time
import urllib.parse

from harness import Server, Skip, chromium

HERE = os.path.dirname(os.path.abspath(__file__))
TENANT = os.path.join(HERE, "browser", "tenant.json")
POLICY = "/contoso.onmicrosoft.com/B2C_1_susi"
CHECKS = []

# A request of a page's script: what the script gets to see of the answer.
FETCH = """
const done = arguments[arguments.length - 1];
const [url, options] = arguments;
fetch(url, options).then(async (answer) => done({ status: answer.status, text: (await answer.text()).slice(0, 400) }))
  .catch((error) => done({ status: 0, text: String(error) }));
"""


def check(what, holds, shown=""):
    CHECKS.append(bool(holds))
    print(("ok   " if holds else "FAIL ") + what + ("" if holds else f": {shown}"))


def clock(server):
    return server.control("GET", "/clock")["now"]


def attack_from(browser, server, console, page, name):
    """Everything that a script of the page can try against the control API."""
    calls = [
        ("GET", "/state?secrets=show", None), ("GET", "/clock", None), ("GET", "/users?secrets=show", None),
        ("PATCH", "/clock", {"now": "9999-01-01T00:00:00Z"}), ("POST", "/reset", {}), ("DELETE", "/users/ada", None),
        ("POST", "/worlds", {"tenant": {"name": "x"}}),
    ]
    for origin in (f"http://localhost:{server.port}", f"http://127.0.0.1:{server.port}", console):
        for method, path, body in calls:
            for mode in ("cors", "no-cors"):
                if mode == "no-cors" and method not in ("GET", "POST"):
                    continue
                browser.get(page)
                options = {"method": method, "mode": mode}
                if body is not None:
                    options["body"] = json.dumps(body)
                    options["headers"] = {"Content-Type": "text/plain" if mode == "no-cors" else "application/json"}
                got = browser.execute_async_script(FETCH, f"{origin}/_b2c/v1{path}", options)
                check(f"{name}: {method} {origin}{path} ({mode}) is refused",
                      got["status"] in (0, 403) and "Analytical" not in got["text"], got)
    check(f"{name}: Ada is still there", "ada" in server.control("GET", "/users")["users"])


def main():
    server = Server(sys.argv[1], TENANT, tls=False)
    browser = None
    try:
        browser = chromium(server, [])
        browser.set_script_timeout(15)
        here = f"http://localhost:{server.port}"
        elsewhere = f"http://127.0.0.1:{server.port}"
        line = next(line for line in server.output().splitlines() if line.startswith("inspector "))
        console = line.split()[1].replace("127.0.0.1", "localhost").removesuffix("/_b2c/")
        page = f"{here}{POLICY}/oauth2/v2.0/authorize"

        # The control API from a page of the same origin, and from another one.
        attack_from(browser, server, console, page, "a page of the sign-in origin")
        attack_from(browser, server, console, f"{elsewhere}{POLICY}/oauth2/v2.0/authorize", "a page of another site")

        # The header of worlds, from another site.
        before = clock(server)
        for origin in (here, elsewhere):
            browser.get(f"{elsewhere}{POLICY}/oauth2/v2.0/authorize")
            for value in ("default;now=9999-12-31T23:59:59Z", "default;exchange=9223372036854775807", "w1;now=9999-01-01T00:00:00Z"):
                browser.execute_async_script(FETCH, f"{origin}{POLICY}/v2.0/.well-known/openid-configuration",
                                             {"headers": {"B2C-World": value}})
                browser.execute_async_script(FETCH, f"{origin}/health", {})
        after = clock(server)
        check("no page moves the default world's clock", before[:13] <= after[:13] and after < "9999", (before, after))

        # A language that overflows.
        for value in ("de;q=9223372036854775807", "de;q=-9223372036854775808", "de;q=1.99999999999999999999"):
            browser.get(page)
            browser.execute_async_script(FETCH, page, {"headers": {"Accept-Language": value}})
        check("the server stands", server.process.poll() is None)

        # Addresses that run script.
        providers = [line.split()[0] for line in server.output().splitlines() if line.endswith("  provider google")]
        base = f"/{providers[0]}"
        status, _, text = server.send("GET", "", f"/_hosts{base}/.well-known/openid-configuration")
        metadata = json.loads(text) if status == 200 else None
        check("the provider is found", metadata is not None, providers)
        run = "javascript:void(window.name='ran')//"
        for target in (run, "JavaScript:void(window.name='ran')//", "java%09script:void(window.name='ran')//",
                       "%01javascript:void(window.name='ran')//", "data:text/html,<script>window.name='ran'</script>"):
            target = target if "%" in target else urllib.parse.quote(target, safe="")
            authorize = "/_hosts/" + metadata["authorization_endpoint"].split("://", 1)[1]
            end = "/_hosts/" + metadata["end_session_endpoint"].split("://", 1)[1]
            for mode in ("query", "fragment", "form_post"):
                for address in (
                    f"{here}{authorize}?client_id=x&response_type=code&prompt=none&response_mode={mode}&redirect_uri={target}",
                    f"{here}{end}?post_logout_redirect_uri={target}",
                    f"{here}{POLICY}/oauth2/v2.0/logout?post_logout_redirect_uri={target}",
                    f"{here}{POLICY}/oauth2/v2.0/authorize?client_id=5c9f43f0-3c47-4c5d-8a0e-2f3d0b8f4a11&response_type=code"
                    f"&scope=openid&response_mode={mode}&redirect_uri={target}",
                ):
                    browser.get("about:blank")
                    browser.execute_script("window.name = ''")
                    browser.get(address)
                    time.sleep(0.05)
                    ran = browser.execute_script("return window.name") == "ran"
                    shown = urllib.parse.urlsplit(address)
                    check(f"no script by {target[:24]} at {shown.path[-24:]} {mode}", not ran, address)

        # And the inspector, by the address that people know.
        browser.get(f"{here}/_b2c/")
        for _ in range(100):
            if browser.execute_script("return document.getElementById('link')?.textContent") == "live":
                break
            time.sleep(0.1)
        check("the inspector is at the console", browser.current_url == f"{console}/_b2c/", browser.current_url)
        check("and is live", browser.execute_script("return document.getElementById('link')?.textContent") == "live")
        status, _, _ = server.send("GET", "", POLICY + "/v2.0/.well-known/openid-configuration")
        check("the server stands after all that", status == 200 and server.process.poll() is None)
    finally:
        if browser:
            browser.quit()
        server.stop()
    if not all(CHECKS):
        return 1
    print(f"page attacks: {len(CHECKS)} tried in Chromium, none does harm")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Skip as why:
        print(f"page attacks: skipped, {why}")
