"""The pages of mock-server itself and the page of `policy log` in real browsers: what axe says of them, on a desk and on a phone, light and dark.

    server_pages.py B2C MOCK_SERVER SCENARIOS [--browser chromium|firefox|webkit] [--screenshots FOLDER]

The start page, `/signed-in` after a sign-in, the inspector with that sign-in, and a session of a log as a page. In Chromium, --screenshots
writes the pictures of docs/images. Those of commands are what the commands print, drawn as in a terminal.
"""

import argparse
import base64
import html
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

from harness import BROWSERS, Server, Skip, Window, run_part
from report_viewer import axe

# A page may be so wide: a desk, and a phone.
SIZES = {"desk": (1180, 800), "phone": (390, 844)}
DARK = "prefers-color-scheme"

# Nina signs up, and a service that the policy calls refuses once.
SIGN_UP = {
    "name": "Nina signs up", "app": "ios",
    "configure": {"rest": {"tier": {"match": {"url": "https://loyalty.contoso.test/tier"}, "reply": [
        {"status": 409, "json": {"version": "1.0.0", "status": 409, "userMessage": "Try again later."}},
        {"status": 200, "json": {"tier": "gold"}}]}}},
    "steps": [
        {"id": "up", "acquireToken": {"policy": "loyalty"}, "user": [{"press": "signUp"}, "nina"], "expect": {"pending": {}}},
        {"resume": "up", "user": "nina"},
        {"advanceClock": "PT10M"}, {"restart": {"what": "browser", "wipe": ["cookies"]}},
        {"acquireToken": {"policy": "loyalty", "prompt": "login"}, "user": "nina"}]}


class Pages:
    """A browser at the pages, with axe and pictures."""

    def __init__(self, window, browser, source, screenshots):
        self.window, self.driver, self.browser, self.source = window, window.driver, browser, source
        self.screenshots = os.path.abspath(screenshots) if screenshots and browser == "chromium" else None

    def show(self, size, scheme="light"):
        """Sets the size of the page, and the colors where the browser can be told."""
        width, height = SIZES[size]
        if self.browser == "chromium":
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"})
            self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": DARK, "value": scheme}]})
        else:
            self.driver.set_window_size(width, height)

    def looks(self):
        """The sizes and colors that this browser can show."""
        schemes = ["light", "dark"] if self.browser == "chromium" else ["light"]
        return [(size, scheme) for size in SIZES for scheme in schemes]

    def violations(self):
        self.driver.execute_script(self.source)
        return self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run(document, { resultTypes: ['violations'] }).then((found) => done(found.violations.map((one) =>"
            " one.id + ': ' + one.nodes.map((node) => node.target.join(' ')).slice(0, 3).join(', '))), (error) => done([String(error)]))")

    def check(self, name, crop=None):
        """No violation in any look, nothing wider than the page; a picture of each look that has a name."""
        for size, scheme in self.looks():
            self.show(size, scheme)
            found = self.violations()
            assert not found, f"{size}, {scheme}: {found}"
            # Browsers have a smallest window.
            wide = self.driver.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert wide <= 1, f"{size}: {wide} px wider than the page"
            hidden = self.driver.execute_script(
                "return [...document.querySelectorAll('.wide')].filter((one) => one.scrollWidth > one.clientWidth + 1).length")
            assert not hidden, f"{size}: {hidden} tables have columns out of sight"
            suffix = {"desk": "", "phone": "-phone"}[size] + {"light": "", "dark": "-dark"}[scheme]
            if suffix != "-phone-dark":
                self.picture(name + suffix, crop)
        self.show("desk")

    def picture(self, name, crop=None):
        """Saves what shows; `crop` is the height that a picture may have."""
        if not self.screenshots:
            return
        from PIL import Image

        self.driver.execute_script("window.scrollTo(0, 0)")
        width, height = self.driver.execute_script("return [innerWidth, document.documentElement.scrollHeight]")
        clip = {"x": 0, "y": 0, "width": width, "height": min(height, crop or height), "scale": 1}
        shot = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"clip": clip, "captureBeyondViewport": True})
        image = Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")
        # 128 colors are as many as pages of text have.
        image.quantize(128, dither=Image.Dither.NONE).save(os.path.join(self.screenshots, name + ".png"), optimize=True)

    def terminal(self, name, command, text, columns=100):
        """A picture of what a command printed."""
        if not self.screenshots:
            return
        page = os.path.join(self.screenshots, name + ".html")
        with open(page, "w", encoding="utf-8") as file:
            file.write(
                "<!DOCTYPE html><meta charset=utf-8><style>body { margin: 0; background: #16181d; color: #d7dae0; "
                "font: 14px/1.5 'DejaVu Sans Mono', monospace } pre { margin: 0; padding: 16px 20px; width: max-content; "
                "font: inherit } b { color: #7fd4ff; font-weight: normal }</style>"
                f"<pre><b>$ {html.escape(command)}</b>\n{html.escape(text)}</pre>")
        try:
            self.show("desk")
            self.driver.get("file://" + page)
            width = self.driver.execute_script("return Math.ceil(document.querySelector('pre').getBoundingClientRect().width)")
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": 100, "deviceScaleFactor": 1, "mobile": False})
            self.picture(name)
        finally:
            os.remove(page)


def record(b2c, scenarios, folder):
    """A log of two sign-ins, and the policies that wrote it with a defect in one."""
    script = {**SIGN_UP, "tenant": os.path.join(scenarios, "tenants", "contoso.json")}
    with open(os.path.join(folder, "script.json"), "w", encoding="utf-8") as file:
        json.dump(script, file)
    done = subprocess.run(
        [b2c, "exec", "--", "sh", "-c", f"exec '{b2c}' run script.json --seed 5 --target \"$B2C_URL\""], cwd=folder,
        env={**os.environ, "B2C_JOURNEY_RECORDER": "export.jsonl"}, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-500:]
    shutil.copytree(os.path.join(scenarios, "policies"), os.path.join(folder, "policies"))
    base = os.path.join(folder, "policies", "Base.xml")
    with open(base, encoding="utf-8") as file:
        text = file.read()
    # The precondition of the second step of the journey is turned round.
    place = text.index('<UserJourney Id="SignUpOrSignIn">')
    place = text.index('ExecuteActionsIf="true"', place)
    with open(base, "w", encoding="utf-8") as file:
        file.write(text[:place] + text[place:].replace('"true"', '"false"', 1))


def log(b2c, folder, *options):
    """What `policy log` prints of the log."""
    done = subprocess.run([b2c, "policy", "log", "export.jsonl", *options], cwd=folder, capture_output=True, text=True, timeout=600)
    assert done.returncode in (0, 4), done.stdout[-500:] + done.stderr[-500:]
    return done.stdout


def check(report, pages, server, b2c, scenarios, folder):
    driver, origin = pages.driver, f"http://localhost:{server.port}"
    driver.set_script_timeout(120)

    def start():
        driver.get(origin + "/")
        pages.window.until(lambda: "B2C_1_susi" in pages.window.text(), "the policies")
        pages.check("start")
        driver.execute_script("document.querySelector('details').open = true")
        button = driver.find_element("css selector", "details[open] button")
        assert button.is_displayed() and "http://localhost" in driver.find_element("css selector", "details[open] pre").text
        # Where a page may not write to the clipboard, the text is selected.
        button.click()
        pages.window.until(lambda: button.text == "Copied" or driver.execute_script("return getSelection().toString()"), "a copy")

    def signed_in():
        pages.show("desk")
        driver.get(origin + "/")
        link = pages.window.until(
            lambda: next(one for one in driver.find_elements("css selector", "a[href*='authorize']")
                         if "signed-in" in urllib.parse.unquote(one.get_attribute("href"))), "a link to sign in")
        driver.get(link.get_attribute("href"))
        pages.window.fill(email="ada@example.test", password="Analytical-1843")
        pages.window.press("next")
        pages.window.until(lambda: "/signed-in" in driver.current_url and "tfp" in pages.window.text(), "the tokens")
        pages.check("signed-in", crop=1500)

    def inspector():
        control = next(line for line in server.output().splitlines() if "inspector" in line and "http" in line)
        driver.get(next(word for word in control.split() if word.startswith("http")))
        pages.window.until(lambda: driver.find_elements("css selector", "#list .journey"), "the journey of the sign-in")
        driver.execute_script("document.querySelector('#list .journey .open').click()")
        pages.window.until(lambda: "Sequence" in pages.window.text(), "the sequence")
        lanes = [one.text for one in driver.find_elements("css selector", "#detail .lanes span")]
        assert lanes == ["person", "app", "browser", "authority"], lanes
        files = driver.find_elements("css selector", "#list summary.files")
        assert len(files) == 1 and "static file" in files[0].text, [one.text for one in files]
        # Pictures of the inspector are those of the part `control`.
        kept, pages.screenshots = pages.screenshots, None
        try:
            pages.check("inspector")
        finally:
            pages.screenshots = kept

    def session():
        record(b2c, scenarios, folder)
        rows = log(b2c, folder)
        ids = [line.split()[1] for line in rows.splitlines()[1:]]
        page = os.path.join(folder, "session.html")
        log(b2c, folder, "--correlation", ids[0], "--html", page)
        driver.get("file://" + page)
        pages.window.until(lambda: "REST-Tier" in pages.window.text(), "the steps")
        pages.check("log-session", crop=1500)
        pages.terminal("log-list", "b2c policy log export.jsonl", rows)
        short = ids[1].split("-")[0]
        compared = log(b2c, folder, "--correlation", short, "--policies", "policies")
        assert "first difference at policies/Base.xml:" in compared, compared
        pages.terminal("log-difference", f"b2c policy log export.jsonl --correlation {short} --policies policies", compared)

    report.check("the start page", start)
    report.check("the page where a sign-in ends", signed_in)
    report.check("the inspector", inspector)
    report.check("a session of a log", session)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("b2c")
    parser.add_argument("server")
    parser.add_argument("scenarios")
    parser.add_argument("--browser", default="chromium", choices=BROWSERS)
    parser.add_argument("--screenshots")
    arguments = parser.parse_args()

    def body(report):
        source = axe()
        if arguments.screenshots:
            os.makedirs(arguments.screenshots, exist_ok=True)
        # The embedded tenant, over plain HTTP, as in the documents.
        server = Server(arguments.server, None, tls=False)
        try:
            window = Window(server, [], arguments.browser, width=1180, height=800)
            try:
                with tempfile.TemporaryDirectory() as folder:
                    pages = Pages(window, arguments.browser, source, arguments.screenshots)
                    check(report, pages, server, os.path.abspath(arguments.b2c), os.path.abspath(arguments.scenarios), folder)
            finally:
                window.close()
        finally:
            server.stop()

    return run_part(f"Pages of mock-server in {BROWSERS[arguments.browser]}", body)


if __name__ == "__main__":
    sys.exit(main())
