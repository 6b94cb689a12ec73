"""The real MSAL for browsers (@azure/msal-browser) against mock-server, in a real browser.

    msal_browser.py MOCK_SERVER [--browser chromium|firefox|webkit]

The library comes from a wheel that carries it in a built bundle. It is fetched for the run and kept nowhere.
"""

import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import zipfile

from harness import BROWSERS, PATIENCE, Server, Site, Skip, Window, run_part

HERE = os.path.dirname(os.path.abspath(__file__))
TENANT = os.path.join(HERE, "browser", "tenant.json")
HOST = "contoso.b2clogin.com"
ORIGIN = "https://app.contoso.test"
APP = "5c9f43f0-3c47-4c5d-8a0e-2f3d0b8f4a11"
SCOPE = "https://contoso.onmicrosoft.com/tasks/read"
BUNDLE = "msal-streamlit-authentication==1.1.0"

# What a single-page app does with the library, one function a button.
APP_SCRIPT = """
const authority = policy => "https://contoso.b2clogin.com/contoso.onmicrosoft.com/" + policy;
const scopes = ["SCOPE"];
let app, redirected;
const ready = (async () => {
  app = new PublicClientApplication({
    auth: { clientId: "APP", authority: authority("B2C_1_susi"), knownAuthorities: ["contoso.b2clogin.com"],
            redirectUri: location.origin + "/", postLogoutRedirectUri: location.origin + "/" },
    cache: { cacheLocation: "sessionStorage" },
    system: { allowRedirectInIframe: false, iframeHashTimeout: PATIENCE, windowHashTimeout: PATIENCE, loadFrameTimeout: PATIENCE }
  });
  await app.initialize();
  try { redirected = show(await app.handleRedirectPromise()); } catch (error) { redirected = failure(error); }
  return redirected;
})();
function show(result) {
  return result && { account: result.account && { id: result.account.homeAccountId, name: result.account.name },
    claims: result.idTokenClaims, scopes: result.scopes, token: result.accessToken, fromCache: result.fromCache };
}
function failure(error) {
  return { error: error.errorCode || error.name, message: error.errorMessage || String(error), kind: error.name, sub: error.subError };
}
const popup = more => app.loginPopup({ scopes, redirectUri: location.origin + "/blank.html", ...more });
const account = () => app.getAllAccounts()[0];
const silent = more => app.acquireTokenSilent({ scopes, account: account(), redirectUri: location.origin + "/blank.html", ...more });
function start(action) {
  window.outcome = null;
  ready.then(action).then(result => { window.outcome = show(result) || { done: true }; }, error => { window.outcome = failure(error); });
}
""".replace("SCOPE", SCOPE).replace("APP", APP).replace("PATIENCE", str(PATIENCE * 1000))
PAGE = b"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>App</title></head>
<body><div id="root" hidden></div><script src="/msal.js"></script><script src="/app.js"></script></body></html>"""
BLANK = b"<!DOCTYPE html><html lang='en'><head><title>Blank</title></head><body></body></html>"


def library():
    """The bundle with the library's class made visible, and the library's version."""
    with tempfile.TemporaryDirectory() as folder:
        fetched = subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "-d", folder, BUNDLE],
            capture_output=True, text=True)
        if fetched.returncode:
            raise Skip("the wheel with msal-browser cannot be fetched: " + fetched.stderr.strip().splitlines()[-1])
        with zipfile.ZipFile(glob.glob(os.path.join(folder, "*.whl"))[0]) as wheel:
            name = next(name for name in wheel.namelist() if name.endswith(".js"))
            script = wheel.read(name).decode()
    found = re.search(r"/\*! @azure/msal-browser v([\d.]+) [\d-]+ \*/class (\w+)\{static async createPublicClientApplication", script)
    if not found:
        raise Skip("the bundle does not hold msal-browser where it was")
    # The wrapper's own page is not wanted.
    script = re.sub(r"\w+\.createRoot\(document\.getElementById\(\"root\"\)\)\.render\(.*$", "", script, flags=re.S)
    return found[1], (script + f";window.PublicClientApplication={found[2]};").encode()


class App(Window):
    """The app in its window, and the person who signs in."""

    def __init__(self, server, site, browser="chromium"):
        super().__init__(
            server, [HOST, "facebook.provider.test"], browser, others=[("app.contoso.test", site.port)], keys=[site.key])
        self.driver.set_script_timeout(PATIENCE)
        self.driver.get(ORIGIN + "/")
        self.window = self.driver.current_window_handle

    def page(self, expression):
        """What an expression is in the page itself. Firefox runs scripts of a driver where they do not see what those of
        the page have declared.
        """
        return self.driver.execute_script("return window.eval(arguments[0])", expression)

    def start(self, action):
        self.driver.switch_to.window(self.window)
        self.page(f"void start(() => {action})")

    def outcome(self):
        self.driver.switch_to.window(self.window)
        return self.until(lambda: self.page("window.outcome"), "the library's answer")

    def call(self, action):
        self.start(action)
        return self.outcome()

    def popup(self):
        """Goes to the window that the library has opened."""
        handle = self.until(lambda: [one for one in self.driver.window_handles if one != self.window], "a popup")[0]
        self.driver.switch_to.window(handle)

    def sign_in(self, name="ada@example.test", password="Analytical-1843"):
        self.fill(email=name, password=password)
        self.press("next")

    def fresh(self):
        """Nobody is signed in, neither here nor at the authority."""
        for handle in self.driver.window_handles:
            if handle != self.window:
                self.driver.switch_to.window(handle)
                self.driver.close()
        self.driver.switch_to.window(self.window)
        self.driver.get(f"https://{HOST}/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/logout")
        self.driver.delete_all_cookies()
        self.driver.get(ORIGIN + "/")
        self.driver.execute_script("sessionStorage.clear()")
        self.driver.get(ORIGIN + "/")
        self.until(lambda: self.page("ready.then(() => true)"), "the library")


def checks(app, report):
    def signed_in():
        app.fresh()
        app.start("popup()")
        app.popup()
        app.sign_in()
        result = app.outcome()
        assert "error" not in result, result
        return result

    def popup_sign_in():
        result = signed_in()
        assert result["claims"]["name"] == "Ada" and result["claims"]["tfp"] == "B2C_1_susi", result["claims"]
        assert SCOPE in result["scopes"] and result["token"].count(".") == 2, result["scopes"]
        # The account is one of the policy.
        assert "-b2c_1_susi." in result["account"]["id"], result["account"]

    def silent_from_cache():
        first = app.call("silent()")
        assert first.get("fromCache") is True and first["claims"]["name"] == "Ada", first

    def silent_by_refresh_token():
        before = app.call("silent()")["token"]
        time.sleep(1.1)  # tokens of one second are the same
        result = app.call("silent({ forceRefresh: true, cacheLookupPolicy: 3 })")
        assert result.get("fromCache") is False and result["token"] != before, result.get("error")

    def silent_by_frame():
        before = app.call("silent()")["token"]
        time.sleep(1.1)
        result = app.call("silent({ cacheLookupPolicy: 5 })")
        assert result.get("fromCache") is False and result.get("token") not in (None, before), result.get("message")

    def second_policy():
        app.start("popup({ authority: authority('B2C_1_edit') })")
        app.popup()
        # Each policy has a session of its own.
        app.until(lambda: app.driver.find_elements("id", "city") or app.driver.find_elements("id", "password"), "a page")
        if app.driver.find_elements("id", "password"):
            app.sign_in()
        app.fill(city="Ockham")
        app.press("continue")
        result = app.outcome()
        assert result["claims"]["city"] == "Ockham", result
        ids = app.page("app.getAllAccounts().map(one => one.homeAccountId)")
        assert len(ids) == 2, ids

    def sign_out():
        signed_in()
        app.page("window.isOld = true, void app.logoutRedirect({ account: account() })")
        app.until(lambda: app.page("!window.isOld && document.readyState === 'complete' && typeof ready === 'object'")
                  and app.driver.current_url == ORIGIN + "/", "the app again")
        assert app.page("app.getAllAccounts().length") == 0
        result = app.call("app.ssoSilent({ scopes, redirectUri: location.origin + '/blank.html' })")
        assert result.get("kind") == "InteractionRequiredAuthError" and "AADB2C90077" in result["message"], result

    def popup_sign_out():
        signed_in()
        app.start("app.logoutPopup({ account: account(), postLogoutRedirectUri: location.origin + '/blank.html' })")
        assert app.outcome() == {"done": True}
        assert app.page("app.getAllAccounts().length") == 0

    def redirect_sign_in():
        app.fresh()
        app.page("void ready.then(() => app.loginRedirect({ scopes }))")
        app.sign_in()
        app.until(lambda: app.driver.current_url.startswith(ORIGIN), "the app again")
        result = app.until(lambda: app.page("redirected"), "the answer")
        assert result["claims"]["name"] == "Ada", result

    def forgot_password():
        app.fresh()
        app.start("popup({ authority: authority('B2C_1_plain') })")
        app.popup()
        app.press("forgotPassword")
        result = app.outcome()
        assert result.get("error") == "access_denied" and "AADB2C90118" in result["message"], result
        # What an app does then: the policy for it.
        app.start("popup({ authority: authority('B2C_1_reset') })")
        app.popup()
        sent = len(app.server.codes("grace@example.test"))
        app.fill(email="grace@example.test")
        app.press("emailVerificationControl_but_send_code")
        app.fill(emailVerificationCode=app.until(lambda: app.server.codes("grace@example.test")[sent:], "a code")[-1])
        app.press("emailVerificationControl_but_verify_code")
        app.sees("emailVerificationControl_but_change_claims")
        app.press("continue")
        app.fill(newPassword="Nanosecond-1906", reenterPassword="Nanosecond-1906")
        app.press("continue")
        result = app.outcome()
        assert result["claims"]["tfp"] == "B2C_1_reset", result

    def forgot_password_in_flow():
        app.fresh()
        app.start("popup()")
        app.popup()
        app.press("forgotPassword")
        app.press("cancel")
        result = app.outcome()
        assert result.get("error") == "access_denied" and "AADB2C90091" in result["message"], result

    def wrong_password():
        app.fresh()
        app.start("popup()")
        app.popup()
        app.sign_in(password="not-this-one")
        app.until(lambda: any(one.is_displayed() for one in app.driver.find_elements("css selector", ".error.pageLevel")), "an error")
        app.sign_in()
        assert app.outcome()["claims"]["name"] == "Ada"

    def closed_popup():
        app.fresh()
        app.start("popup()")
        app.popup()
        app.sees("next")
        app.driver.close()
        assert app.outcome().get("error") == "user_cancelled"

    def wrong_redirect_uri():
        app.fresh()
        app.start("popup({ redirectUri: location.origin + '/unknown.html' })")
        app.popup()
        # Nobody is sent to an address that nobody has registered: the page says so, and the library hears nothing.
        app.until(lambda: "AADB2C90006" in app.driver.find_element("tag name", "body").text, "AADB2C90006")
        app.driver.close()
        assert app.outcome().get("error") == "user_cancelled"

    def unknown_scope():
        app.fresh()
        app.start("popup({ scopes: ['https://contoso.onmicrosoft.com/tasks/nothing'] })")
        result = app.outcome()
        assert "AADB2C90117" in result.get("message", ""), result

    def unknown_policy():
        app.fresh()
        result = app.call("popup({ authority: authority('B2C_1_nowhere') })")
        assert result.get("error") in ("endpoints_resolution_error", "openid_config_error"), result

    def expired_refresh_token():
        signed_in()
        app.server.control("PATCH", "/clock", {"advance": "P15D"})
        # The token for 24 h has expired, and with the session nothing else is left.
        only = app.call("silent({ forceRefresh: true, cacheLookupPolicy: 3 })")
        assert only.get("error") == "invalid_grant" and "AADB2C90080" in only["message"], only
        result = app.call("silent({ forceRefresh: true })")
        assert result.get("kind") == "InteractionRequiredAuthError", result

    def silent_without_anybody():
        app.fresh()
        result = app.call("silent()")
        assert result.get("error") == "no_account_error", result

    for check in [
        popup_sign_in, silent_from_cache, silent_by_refresh_token, silent_by_frame, second_policy, sign_out, popup_sign_out, redirect_sign_in,
        forgot_password, forgot_password_in_flow, wrong_password, closed_popup, wrong_redirect_uri, unknown_scope, unknown_policy,
        silent_without_anybody, expired_refresh_token,
    ]:
        report.check(check.__name__.replace("_", " "), check)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("--browser", choices=BROWSERS, default="chromium")
    arguments = parser.parse_args()
    try:
        version, script = library()
    except Skip as reason:
        print(f"msal-browser: skipped, {reason}")
        return 0

    def body(report):
        server = Server(arguments.server, TENANT)
        site = Site("app.contoso.test", {
            "/": ("text/html", PAGE), "/blank.html": ("text/html", BLANK), "/msal.js": ("application/javascript", script),
            "/app.js": ("application/javascript", APP_SCRIPT.encode()),
        }, server.folder)
        try:
            app = App(server, site, arguments.browser)
            try:
                checks(app, report)
            finally:
                app.close()
        finally:
            site.stop()
            server.stop()

    return run_part(f"msal-browser {version} in {BROWSERS[arguments.browser]}", body)


if __name__ == "__main__":
    sys.exit(main())
