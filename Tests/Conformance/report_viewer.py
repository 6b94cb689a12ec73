"""The HTML report and the page of `policy trace` in real browsers: what it shows of a failing build, how it is used by keyboard, and what axe says of it.

    report_viewer.py B2C MOCK_SERVER SCENARIOS [--browser chromium|firefox|webkit] [--screenshots FOLDER]

The shipped suite is run with scenarios that fail in their own ways. axe-core comes from the Python package that carries it; it is
fetched for the run and kept nowhere.
"""

import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

from harness import BROWSERS, Server, Skip, Window, run_part

HERE = os.path.dirname(os.path.abspath(__file__))
AXE = "axe-playwright-python==0.1.8"
MOST = 5_000_000

# A wrong claim, an error of the service, and a text that tries to be markup.
FAILING = {
    "claim": {"steps": [{"acquireToken": {}, "user": "ada", "expect": {"result": {"idToken": {"claims": {"name": "Bob"}}}}}]},
    "code": {"steps": [{"acquireToken": {}, "user": [{"on": "signIn", "press": "forgotPassword"}]}]},
    # The tier comes from a web API, at the second attempt; the first is a step that passes.
    "tier": {
        "configure": {"rest": {"tier": {"match": {"url": "https://loyalty.contoso.test/tier"}, "reply": {"status": 200, "json": {"tier": "gold"}}}}},
        "steps": [
            {"id": "signUp", "acquireToken": {"policy": "loyalty"}, "user": [{"press": "signUp"}, "nina"],
             "faults": [{"match": {"endpoint": "rest"}, "respond": {"status": 409, "json": {"version": "1.0.0", "status": 409, "userMessage": "Try again later"}}}],
             "expect": {"pending": {"page": {"error": "Try again later"}}}},
            {"advanceClock": "PT5M"},
            {"resume": "signUp", "user": "nina", "expect": {"result": {"idToken": {"claims": {"tier": "silver"}}}}}]},
    "password": {"steps": [{"acquireToken": {}, "user": [{"fill": {"username": "ada@example.test", "password": "Wrong-1843"}, "press": "next"}],
                            "expect": {"result": {"idToken": {"claims": {"name": "Ada"}}}}}]},
    "many": {"cases": {"a": {}, "b": {}, "c": {}, "d": {}, "e": {}},
             "steps": [{"acquireToken": {}, "user": "ada", "expect": {"result": {"idToken": {"claims": {"name": "Eve"}}}}}]},
    # A code that is expected and comes is no cause.
    "expected": {"steps": [
        {"acquireToken": {}, "user": [{"on": "signIn", "press": "forgotPassword"}], "expect": {"error": {"b2cCode": "AADB2C90118"}}},
        {"acquireToken": {}, "user": "ada", "expect": {"result": {"idToken": {"claims": {"name": "Ada  Lovelace"}}}}}]},
    "space": {"steps": [{"acquireToken": {}, "user": "ada", "expect": {"result": {"idToken": {"claims": {"name": "Ada "}}}}}]},
    "markup": {
        "name": "</script><img src=x onerror='document.title=1'> & <b>markup</b>",
        "steps": [{"acquireToken": {}, "user": "ada", "expect": {"result": {"idToken": {"claims": {"name": "<img src=x>"}}}}}]},
}


def axe():
    """The text of axe-core."""
    with tempfile.TemporaryDirectory() as folder:
        fetched = subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "-d", folder, AXE],
            capture_output=True, text=True)
        if fetched.returncode:
            raise Skip("the wheel with axe-core cannot be fetched: " + fetched.stderr.strip().splitlines()[-1])
        with zipfile.ZipFile(glob.glob(os.path.join(folder, "*.whl"))[0]) as wheel:
            return wheel.read("axe_playwright_python/axe.min.js").decode()


def build(b2c, scenarios, folder):
    """A failing build: the shipped suite, and what fails; its report, and the same with everything."""
    suite = os.path.join(folder, "scenarios")
    shutil.copytree(scenarios, suite)
    os.makedirs(os.path.join(suite, "failing"))
    for name, script in FAILING.items():
        with open(os.path.join(suite, "failing", f"{name}.json"), "w", encoding="utf-8") as file:
            json.dump({"name": f"It fails: {name}", "tenant": "../tenants/contoso.json", "app": "ios", "tags": ["broken"], **script}, file)
    compact, everything = os.path.join(folder, "report.html"), os.path.join(folder, "all.html")
    # As in a job of GitHub Actions; a run with a seed has the same bytes in each job.
    job = {**os.environ, "GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "contoso/app", "GITHUB_HEAD_REF": "", "GITHUB_REF_NAME": "main",
           "GITHUB_SHA": "0123456789abcdef", "GITHUB_RUN_ID": "7"}
    for target, options in [(compact, [suite]), (everything, [os.path.join(suite, "failing"), os.path.join(suite, "sign-in"), "--report-html-all", "--seed", "7"])]:
        done = subprocess.run([b2c, "run", *options, "--report-html", target], cwd=folder, env=job, capture_output=True, text=True, timeout=600)
        assert done.returncode == 4, done.stdout[-500:] + done.stderr[-500:]
    return compact, everything


def edited(path, change):
    """A page with other data, beside the page."""
    head, data, tail = re.fullmatch(r'(.*<script type="application/json" id="data">)(.*?)(</script>.*)', open(path, encoding="utf-8").read(), re.S).groups()
    data = json.loads(data)
    change(data)
    target = path.replace(".html", "-edited.html")
    with open(target, "w", encoding="utf-8") as file:
        file.write(head + json.dumps(data).replace("<", "\\u003c") + tail)
    return target


def traces(b2c, scenarios, folder):
    """Pages of `policy trace`: a sign-in that reaches its token, and one that a page refuses."""
    policies = os.path.join(scenarios, "policies")
    good, bad = os.path.join(folder, "trace.html"), os.path.join(folder, "refused.html")
    for target, status, options in [(good, 0, []), (bad, 4, ["--as", '{"email": "ada@example.test", "password": "Wrong-1843", "registered": false}', "--press", "cancel"])]:
        done = subprocess.run(
            [b2c, "policy", "trace", policies, "--policy", "B2C_1A_Transformations", "--html", target, *options],
            cwd=folder, capture_output=True, text=True, timeout=600)
        assert done.returncode == status, f"{options}: {done.returncode}\n{done.stdout[-500:]}{done.stderr[-500:]}"
    return good, bad


def findings(b2c, scenarios, folder):
    """The page of a run that did not begin: a misspelt verb, a file that is not JSON, and a warning."""
    suite = os.path.join(folder, "broken")
    shutil.copytree(os.path.join(scenarios, "tenants"), os.path.join(suite, "tenants"))
    script = {"name": "Two files have <b>this</b> name", "tenant": "tenants/contoso.json", "app": "ios", "steps": [{"acquireToken": {}, "user": "ada"}]}
    texts = {"a": json.dumps(script, indent=2), "b": json.dumps(script, indent=2), "verb": json.dumps(script, indent=2).replace("acquireToken", "aquireToken"),
             "cut": json.dumps(script, indent=2)[:-20]}
    for name, text in texts.items():
        with open(os.path.join(suite, f"{name}.json"), "w", encoding="utf-8") as file:
            file.write(text)
    target = os.path.join(folder, "findings.html")
    done = subprocess.run([b2c, "run", "broken", "--report-html", target], cwd=folder, capture_output=True, text=True, timeout=600)
    assert done.returncode == 2, done.stdout[-500:] + done.stderr[-500:]
    return target


def check_findings(report, viewer, source, page, screenshots):
    def shows():
        viewer.open(page)
        assert viewer.text("#facts").startswith("nothing ran: 2 errors, 1 warning"), viewer.text("#facts")
        first = next(one.text for one in viewer.find(".finding") if "aquireToken" in one.text)
        for piece in ["error: `aquireToken` is not a key of a step", "broken/verb.json:7:7", "^" * 13, "Fix: Did you mean `acquireToken`?", "b2c explain B2C-SCN-002"]:
            assert piece in first, (piece, first)
        viewer.keys("j")
        assert "finding" in viewer.driver.execute_script("return document.activeElement.className")
        if screenshots:
            viewer.driver.save_screenshot(os.path.join(screenshots, "findings.png"))

    def paths():
        def explored(data):
            data["findings"] = [{"rule": "B2C-EXP-010", "severity": "error", "message": "a way round",
                                 "remedy": "Ask for a code. Path: ada comes; at page A: fills in email. Compare: eve comes; at page B: presses next; at page C: presses back."}]

        viewer.open(edited(page, explored))
        assert [len(one.find_elements("css selector", "li")) for one in viewer.find("ol.path")] == [2, 3]
        assert viewer.find("ol.path li")[-1].text == "at page C: presses back" and "Fix: Ask for a code." in viewer.text()
        assert viewer.find("ol.path")[0].value_of_css_property("list-style-type") == "decimal"

    def fits():
        viewer.driver.set_window_size(390, 800)
        viewer.open(page)
        assert viewer.wide() <= 0, viewer.wide()
        viewer.until(viewer.caret, "the caret is in view")
        viewer.driver.set_window_size(800, 900)
        assert not (found := viewer.violations(source)), found

    report.check("a run that did not begin has a page of findings", shows)
    report.check("the paths of an exploration are numbered lines", paths)
    report.check("the page of findings fits a phone and has no violations", fits)


class Viewer:
    def __init__(self, window, engine):
        self.window, self.driver, self.engine = window, window.driver, engine

    def open(self, path, place=""):
        # A page of its own each time: another fragment alone is no navigation.
        self.driver.get("about:blank")
        self.driver.get(f"file://{path}{place}")
        self.until(lambda: self.find("#list li, h2"), "the page is drawn")

    def wide(self):
        """How many pixels the page is wider than its window."""
        return self.driver.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")

    def caret(self):
        """Whether the carets below lines of files are in view in their boxes."""
        return self.driver.execute_script(
            "const all = [...document.querySelectorAll('.frame strong')].map((one) => [one.getBoundingClientRect(), one.closest('.frame').getBoundingClientRect()]);"
            "return all.length > 0 && all.every(([caret, box]) => caret.left >= box.left && (caret.right <= box.right || caret.width > box.width - 40))")

    def until(self, test, what):
        return self.window.until(test, what)

    def find(self, selector):
        return self.driver.find_elements("css selector", selector)

    def text(self, selector="main"):
        return self.find(selector)[0].text

    def keys(self, text):
        # By events: drivers send keys to the element that has the focus, and WebKit's to none when it is the page.
        self.driver.execute_script(
            "(document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', "
            "{ key: arguments[0], bubbles: true, cancelable: true }))", text)

    def rows(self):
        return [row.text for row in self.find("#list li")]

    def violations(self, source):
        self.driver.execute_script(source)
        found = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1];"
            "axe.run(document, { resultTypes: ['violations'] }).then((found) => done(found.violations.map((one) =>"
            " one.id + ': ' + one.nodes.map((node) => node.target.join(' ')).slice(0, 3).join(', '))), (error) => done([String(error)]))")
        return found


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
        with tempfile.TemporaryDirectory() as folder:
            b2c, scenarios = os.path.abspath(arguments.b2c), os.path.abspath(arguments.scenarios)
            compact, everything = build(b2c, scenarios, folder)
            traced = traces(b2c, scenarios, folder)
            # The windows of the other parts look at a server; this one at files.
            server = Server(arguments.server, os.path.join(HERE, "browser", "tenant.json"))
            try:
                window = Window(server, [], arguments.browser)
                try:
                    viewer = Viewer(window, arguments.browser)
                    viewer.b2c = b2c
                    check_findings(report, viewer, source, findings(b2c, scenarios, folder), arguments.screenshots)
                    check_traces(report, viewer, source, *traced, arguments.screenshots)
                    check(report, viewer, source, compact, everything, arguments.screenshots)
                finally:
                    window.close()
            finally:
                server.stop()

    return run_part(f"HTML report in {BROWSERS[arguments.browser]}", body)


def check(report, viewer, source, compact, everything, screenshots):
    driver = viewer.driver
    driver.set_script_timeout(120)

    def shot(name):
        if screenshots:
            driver.save_screenshot(os.path.join(screenshots, f"{name}.png"))

    def opens():
        size = os.path.getsize(compact)
        assert size < MOST, f"{size} bytes"
        viewer.open(compact)
        ready = driver.execute_script("return performance.getEntriesByType('navigation')[0].domInteractive")
        print(f"    {size / 1e6:.2f} MB, interactive after {ready:.0f} ms")
        assert "failed" in viewer.text("#facts") and "seed" in viewer.text("#facts")
        first = viewer.rows()[:3]
        assert len(first) == 3 and all(row.startswith("failed") for row in first), first
        shot("report")

    def filters():
        viewer.open(compact)
        everyone = len(viewer.find("#list li"))
        viewer.keys("/")
        assert driver.execute_script("return document.activeElement.id") == "search"
        driver.switch_to.active_element.send_keys("it fails: c")
        viewer.until(lambda: len(viewer.find("#list li")) == 2, "the two that the search names")
        assert "2 of " in viewer.text("#shown")
        viewer.find("#search")[0].clear()
        driver.execute_script(
            "const box = document.getElementById('search'); box.value = ''; box.dispatchEvent(new Event('input'));"
            "const codes = [...document.querySelectorAll('select')].find((one) => one.parentElement.textContent.startsWith('Error code'));"
            "codes.value = codes.options[1].value; codes.dispatchEvent(new Event('change')); window.chosen = codes.value;")
        code = driver.execute_script("return window.chosen")
        viewer.until(lambda: 0 < len(viewer.find("#list li")) < everyone, f"those with the code {code}")
        assert all(code in row for row in viewer.rows()), viewer.rows()

    def cause():
        viewer.open(compact)
        # One click from the failing build to the cause.
        next(one for one in viewer.find("#list a") if one.text == "It fails: claim").click()
        viewer.until(lambda: viewer.find(".diff"), "the difference")
        text = viewer.text()
        assert "/result/idToken/claims/name" in text and "expected  Bob" in text and "actual    Ada" in text, text[:800]
        assert [mark.text for mark in viewer.find(".diff mark")] == ["Bob", "Ada"]
        assert "b2c run" in text and viewer.find("nav a")[1].text == "The step that failed"
        shot("scenario")
        summary = next(one for one in viewer.find("summary") if "POST token" in one.text)
        summary.click()
        viewer.until(lambda: "Tokens" in viewer.text(), "the request's parts")
        assert '"tfp": "B2C_1_susi"' in viewer.text() and "Analytical-1843" not in driver.page_source
        for name in ["Pages", "What the policy did", "Events", "Outcome"]:
            next(one for one in viewer.find("summary") if one.text.startswith(name)).click()
        viewer.until(lambda: viewer.find("iframe.hosted"), "the page as it was seen")
        assert "CombinedSignInAndSignup".lower() in viewer.text().lower() and "browserOpened" in viewer.text()
        assert next(one for one in viewer.find("button") if one.text == "Copy as a script step")
        viewer.keys("Escape")
        viewer.until(lambda: viewer.find("#list li"), "the overview")

    def empty():
        viewer.open(compact, "#?q=nothing+has+this&status=failed")
        assert viewer.rows() == ["No scenario matches the search \u201cnothing has this\u201d and status failed. Show all scenarios"], viewer.rows()
        viewer.find("#list button")[0].click()
        viewer.until(lambda: len(viewer.find("#list li")) > 3, "all scenarios")
        assert "?" not in driver.execute_script("return location.hash") and viewer.find("#search")[0].get_attribute("value") == ""

    def origin():
        viewer.open(compact)
        assert viewer.text("#origin") == "contoso/app \u00b7 main \u00b7 01234567 \u00b7 job", viewer.text("#origin")
        assert viewer.find("#origin a")[0].get_attribute("href") == "https://github.com/contoso/app/actions/runs/7"
        viewer.open(everything)
        assert not viewer.find("#origin")

    def markup():
        viewer.open(compact)
        link = next(one for one in viewer.find("#list a") if "onerror" in one.text)
        link.click()
        viewer.until(lambda: viewer.find(".diff"), "the difference")
        assert driver.title.startswith("</script><img") and not viewer.find("main img") and not viewer.find("main b")

    def top():
        # What failed, in view at once: the difference, where the value came from, the request, the lines of the script.
        viewer.open(compact, f"#s{failing(compact, 'It fails: tier')}")
        bottom = driver.execute_script("return document.querySelector('.why').getBoundingClientRect().bottom")
        place = driver.execute_script("return document.querySelector('.diff').getBoundingClientRect().top")
        print(f"    the difference is {place:.0f} px down")
        assert place < 400 and bottom < 900, (place, bottom)
        why = viewer.text(".why")
        assert re.search(r'tier = "gold" came from REST-Tier, step 2, exchange \d+\.1', why), why
        assert why.startswith("step 3 of 3: resume"), why
        assert [one.text for one in viewer.find("ol > .step .name")] == ["step 1 of 3: signUp (acquireToken)", "step 2 of 3: advanceClock", "step 3 of 3: resume"]
        assert "expected  silver" in why and "actual    gold" in why and "POST" in why, why
        frame = driver.execute_script("return [...document.querySelectorAll('.why .frame div')].map((one) => one.textContent)")
        caret = next(place for place, line in enumerate(frame) if line.rstrip().endswith("^^^^^^^^"))
        assert frame[caret - 1].index('"silver"') == frame[caret].index("^"), frame
        colors = driver.execute_script(
            "return [...document.querySelectorAll('.diff .wanted, .diff .found')].map((one) => getComputedStyle(one).backgroundColor.match(/\\d+/g).map(Number))")
        assert colors[0][1] > colors[0][0] and colors[1][0] > colors[1][1], colors
        # Steps that passed are closed, the one that failed is open.
        assert [len(one.find_elements("css selector", ":scope > details[open]")) for one in viewer.find("ol > .step")] == [0, 0, 1]
        assert "5 minutes (virtual)" in viewer.text()
        next(one for one in viewer.find(".origin button") if one.text == "show it").click()
        viewer.until(lambda: "loyalty.contoso.test" in driver.execute_script("return document.activeElement.textContent"), "the request that brought it")

    def groups():
        viewer.open(compact)
        row = next(row for row in viewer.rows() if "5 times" in row)
        assert 'expected "Eve", actual "Ada"' in row and "2 more" in row, row
        row = next(row for row in viewer.rows() if row.startswith("failed") and "It fails: claim" in row)
        assert '/result/idToken/claims/name expected "Bob", actual "Ada"' in row, row
        # What nobody sees is shown where it is all that differs.
        row = next(row for row in viewer.rows() if "It fails: space" in row)
        assert 'expected "Ada\u00b7", actual "Ada"' in row, row
        # What differs is marked, in it what nobody sees; a code that was only expected is not there.
        row = next(one for one in viewer.find("#list li") if "It fails: expected" in one.text)
        assert [mark.text for mark in row.find_elements("css selector", "mark")] == ["\u00b7\u00b7Lovelace"], row.text
        assert "AADB2C90118" not in row.text, row.text
        assert "AADB2C90118" in next(row for row in viewer.rows() if "It fails: code" in row)

    def hosted():
        viewer.open(compact, f"#s{failing(compact, 'It fails: password')}")
        viewer.until(lambda: viewer.find("iframe.hosted"), "the page")
        frame = viewer.find("iframe.hosted")[0]
        page = frame.get_attribute("srcdoc")
        assert frame.get_attribute("sandbox") == "" and "<script" not in page and "Wrong-1843" not in page
        assert 'value="ada@example.test"' in page and 'value="&lt;password' in page, page[-3000:]
        assert "Your password is incorrect." in page and "Forgot your password?" in page

    def diagram():
        viewer.open(compact, f"#s{failing(compact, 'It fails: password')}")
        text = viewer.text(".sequence")
        for piece in ["person types email: ada@example.test", "presses next", "page signIn", "says", "200", "POST SelfAsserted"]:
            assert piece in text, (piece, text)
        assert viewer.find(".arrow .answer.left"), "arrows back"
        inside = driver.execute_script(
            "const box = document.querySelector('.sequence').getBoundingClientRect(); const row = document.querySelector('.important').getBoundingClientRect();"
            "return row.top >= box.top && row.bottom <= box.bottom")
        assert inside, "the failed request is not in view"

    def place():
        viewer.open(compact, "#?q=it+fails&status=failed&tag=broken")
        assert viewer.find("#search")[0].get_attribute("value") == "it fails"
        shown = viewer.text("#shown")
        assert shown.startswith("11 of "), shown
        options = driver.execute_script("return [...document.querySelector('#choice-status').options].map((one) => one.textContent)")
        assert "failed (11)" in options, options
        viewer.find("#search")[0].send_keys(": c")
        viewer.until(lambda: driver.execute_script("return location.hash") == "#?q=it+fails%3A+c&status=failed&tag=broken", "the search is in the address")
        viewer.find("#list a")[0].click()
        viewer.until(lambda: viewer.find(".why"), "the scenario")
        assert driver.title.startswith("It fails: c"), driver.title
        viewer.keys("n")
        viewer.until(lambda: "failure 2 of 2" in viewer.text(), "the next failure of the list")
        viewer.keys("p")
        viewer.until(lambda: "failure 1 of 2" in viewer.text(), "the one before")
        viewer.keys("?")
        viewer.until(lambda: viewer.find("dialog[open]"), "the keys")
        assert "next failed scenario" in viewer.text("dialog")
        driver.execute_script("document.querySelector('dialog').close()")
        viewer.keys("Escape")
        viewer.until(lambda: viewer.find("#list li") and viewer.text("#shown").startswith("2 of "), "the list with its filters")

    def steps():
        # What is copied runs: the steps of each kind of request are a scenario of their own.
        folder = os.path.join(os.path.dirname(compact), "scenarios", "copied")
        os.makedirs(folder, exist_ok=True)
        for name, place, texts in [("claim", "It fails: claim", ["GET discovery", "POST SelfAsserted", "POST token"]), ("tier", "It fails: tier", ["POST SelfAsserted"])]:
            viewer.open(compact, f"#s{failing(compact, place)}")
            for text in texts:
                steps = driver.execute_async_script(
                    "const done = arguments[1]; const row = [...document.querySelectorAll('details.request')].find((one) => one.textContent.includes(arguments[0]));"
                    "Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => done(text) } });"
                    "row.fill(); [...row.querySelectorAll('button')].find((one) => one.textContent === 'Copy as a script step').click();", text)
                assert "<" not in steps, steps
                file = os.path.join(folder, f"{name}-{texts.index(text)}.json")
                with open(file, "w", encoding="utf-8") as copy:
                    stubs = json.dumps(FAILING[name].get("configure", {}))
                    copy.write('{"name": "%s %s", "tenant": "../tenants/contoso.json", "app": "ios", "configure": %s, "steps": [%s]}' % (name, text, stubs, steps))
                done = subprocess.run([viewer.b2c, "run", file], capture_output=True, text=True, timeout=120)
                assert done.returncode == 0, f"{text}: {steps}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"

    def links():
        viewer.open(compact)
        target = viewer.find("#list a")[0].get_attribute("href").split("#")[1]
        viewer.open(compact, f"#{target}.0")
        assert viewer.find(f'[id="{target}.0"]')
        viewer.open(compact, "#s999999")
        assert viewer.find("#list li")

    def passed():
        viewer.open(everything)
        link = next(one for one in viewer.find("#list a") if one.text.startswith("What MSAL for iOS sends"))
        driver.execute_script("arguments[0].click()", link)
        viewer.until(lambda: viewer.find("h3"), "the scenario")
        link_name = viewer.text("h2")
        assert "Sequence" in viewer.text() and "What the policy did" in viewer.text() and "--report-html-all" not in viewer.text()
        # Without it, a scenario and its steps say how to keep the rest.
        viewer.open(compact, f"#s{failing(compact, link_name)}.0")
        assert viewer.text().count("b2c run --report-html FILE --report-html-all") == 2, viewer.text()

    def side():
        def tops():
            viewer.open(compact, f"#s{failing(compact, 'It fails: tier')}.0")
            driver.execute_script("[...document.querySelectorAll('summary')].find((one) => one.textContent.startsWith('Pages')).click()")
            viewer.until(lambda: len(viewer.find("iframe.hosted")) > 1, "the pages")
            return [one.rect["y"] for one in viewer.find("iframe.hosted")[:2]]

        size = driver.get_window_size()
        driver.set_window_size(1200, 900)
        assert len(set(tops())) == 1, "pages are beside each other"
        driver.set_window_size(500, 900)
        assert len(set(tops())) == 2, "pages are below each other"
        driver.set_window_size(size["width"], size["height"])

    def accessible():
        found = []
        for path, place in [(compact, ""), (compact, "#s" + str(failing(compact)))]:
            viewer.open(path, place)
            for summary in viewer.find("details:not([open]) > summary")[:12]:
                driver.execute_script("arguments[0].click()", summary)
            for scheme in ["light", "dark"] if viewer.engine == "chromium" else ["light"]:
                if viewer.engine == "chromium":
                    driver.execute_cdp_cmd(
                        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
                found += [f"{place or 'overview'}, {scheme}: {one}" for one in viewer.violations(source)]
        assert not found, found

    def small():
        driver.set_window_size(500 if viewer.engine != "chromium" else 360, 800)
        if viewer.engine == "chromium":
            driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": True})
        for place in ["", "#s" + str(failing(compact))]:
            viewer.open(compact, place)
            assert viewer.wide() <= 0, f"{place or 'overview'} is {viewer.wide()} px too wide"
        viewer.until(viewer.caret, "the caret is in view")
        shot("phone")
        # Little of the sequence has room: it begins with a whole row.
        driver.set_window_size(500 if viewer.engine != "chromium" else 360, 400)
        if viewer.engine == "chromium":
            driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 400, "deviceScaleFactor": 1, "mobile": True})
        viewer.open(compact, f"#s{failing(compact, 'It fails: claim')}")
        cut = driver.execute_script(
            "const box = document.querySelector('.sequence'); const edge = box.querySelector('.lanes').getBoundingClientRect().bottom;"
            "const rows = [...box.querySelectorAll('.rows > *')].map((row) => row.getBoundingClientRect());"
            "return [box.scrollTop > 0, rows.filter((row) => row.top < edge - 1 && row.bottom > edge + 1).length]")
        assert cut == [True, 0], cut

    report.check("the shipped suite opens, what failed first", opens)
    report.check("search by keyboard, and a filter by error code", filters)
    report.check("one click to the cause: difference, sequence, tokens, pages, policy", cause)
    report.check("a failed scenario opens with its difference, its origin, its request and its lines", top)
    report.check("one line of cause; equal failures are one row with a count", groups)
    report.check("a search that finds nothing says so, and how to see all", empty)
    report.check("the job of a run in CI; none in a run with a seed", origin)
    report.check("pages beside each other, on a phone below each other", side)
    report.check("the hosted page in a frame without script, with what was typed", hosted)
    report.check("the diagram has acts, answers and the failed request in view", diagram)
    report.check("filters and search are in the address; keys", place)
    report.check("what is copied as a script step runs", steps)
    report.check("a name that tries to be markup", markup)
    report.check("scenarios and steps have addresses", links)
    report.check("--report-html-all has what passed", passed)
    report.check("axe finds nothing", accessible)
    report.check("a phone", small)


def check_traces(report, viewer, source, good, bad, screenshots):
    driver = viewer.driver
    driver.set_script_timeout(120)

    def shot(name):
        if screenshots:
            driver.save_screenshot(os.path.join(screenshots, f"{name}.png"))

    def steps():
        viewer.open(good)
        assert "token issued" in viewer.text("#facts") and "B2C_1A_Transformations" in viewer.text("#title")
        text = viewer.text()
        for piece in ["UpperDomain", "from GetDomain", "skipped", "because", "Ada Lovelace of EXAMPLE.TEST"]:
            assert piece in text, piece
        shot("trace")
        links = viewer.find(".contents a")
        assert len(links) >= 5, len(links)
        assert links[2].text == "3 ClaimsExchange AAD-UserReadUsingObjectId", links[2].text
        links[2].click()
        target = links[2].get_attribute("href").split("#")[1]
        viewer.until(lambda: driver.execute_script("return document.activeElement.id") == target, "the step has the focus")
        viewer.keys("n")
        viewer.until(lambda: driver.execute_script("return location.hash") == "#step-0.3", "the next step")
        viewer.keys("p")
        viewer.until(lambda: driver.execute_script("return location.hash") == f"#{target}", "the step before")

    def xml():
        viewer.open(good)
        summary = next(one for one in viewer.find(".item summary") if one.text.startswith("XML: <ClaimsTransformation> ") and "Transformations.xml:40" in one.text)
        driver.execute_script("arguments[0].click()", summary)
        viewer.until(lambda: any("<ClaimsTransformation " in one.text for one in viewer.find("pre.xml")), "the element as it stands in the file")

    def difference():
        def compared(data):
            data["difference"] = {"message": "displayName differs", "log": "Ada  L", "simulator": "Ada L", "relation": None, "file": "Base.xml", "line": 40, "stepsBefore": 2}

        viewer.open(edited(good, compared))
        first = viewer.find("main > :not(noscript)")[0]
        assert first.get_attribute("id") == "difference" and "Base.xml:40" in first.text and "in the log        Ada\u00b7\u00b7L" in first.text, first.text
        first.find_element("css selector", "a").click()
        viewer.until(lambda: driver.execute_script("return document.activeElement.id") == "step-0.2", "the step that differs")

    def graph():
        viewer.open(good)
        found = driver.execute_script(
            "const root = document.querySelector('.drawing div').shadowRoot; const svg = root.querySelector('svg');"
            "return { links: root.querySelectorAll('a').length, ran: root.querySelectorAll('.ran').length, passed: root.querySelectorAll('.passed').length,"
            " fits: svg.getBoundingClientRect().width <= document.querySelector('.drawing').clientWidth + 1 }")
        assert found["links"] >= 5 and found["ran"] >= 3 and found["passed"] >= 1 and found["fits"], found
        driver.execute_script(
            "document.querySelector('.drawing div').shadowRoot.querySelector('a').dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, cancelable: true }))")
        viewer.until(lambda: driver.execute_script("return location.hash").startswith("#step-"), "the drawing leads to a step")
        driver.execute_script("document.querySelector('.drawing').scrollIntoView()")
        shot("trace-graph")

    def refused():
        viewer.open(bad)
        assert "no token" in viewer.text("#facts") and viewer.find("#failure")[0].text, viewer.text()[:300]
        assert "Wrong-1843" not in driver.page_source

    def accessible():
        found = []
        for path in [good, bad]:
            viewer.open(path)
            for summary in viewer.find("details:not([open]) > summary")[:20]:
                driver.execute_script("arguments[0].click()", summary)
            for scheme in ["light", "dark"] if viewer.engine == "chromium" else ["light"]:
                if viewer.engine == "chromium":
                    driver.execute_cdp_cmd(
                        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
                found += [f"{os.path.basename(path)}, {scheme}: {one}" for one in viewer.violations(source)]
        assert not found, found

    def small():
        size = driver.get_window_size()
        if viewer.engine == "chromium":
            driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 800, "deviceScaleFactor": 1, "mobile": True})
        else:
            driver.set_window_size(500, 800)
        viewer.open(good)
        assert viewer.wide() <= 0, f"{viewer.wide()} px too wide"
        shot("trace-phone")
        if viewer.engine == "chromium":
            driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        driver.set_window_size(size["width"], size["height"])

    report.check("policy trace: steps, where claims came from, and links to each step", steps)
    report.check("policy trace: the XML of an element", xml)
    report.check("policy log: the page begins with the first difference", difference)
    report.check("policy trace: the drawing fits, shows what ran, and leads to steps", graph)
    report.check("policy trace: a sign-in without a token", refused)
    report.check("policy trace: axe finds nothing", accessible)
    report.check("policy trace: a phone", small)


def failing(path, name="It fails: claim"):
    """The place of a scenario of the report."""
    text = open(path, encoding="utf-8").read()
    data = json.loads(text.split('<script type="application/json" id="data">', 1)[1].split("</script>", 1)[0])
    return next(index for index, one in enumerate(data["report"]["scenarios"]) if one["name"] == name)


if __name__ == "__main__":
    sys.exit(main())
