"""What `b2c run --trace FILE.har` writes, opened in the Network panel of Chromium's own developer tools.

    devtools.py B2C SCENARIOS [--screenshots DIR]

The tools are pages of the browser (devtools://), which its debugging port opens like any other. The file goes in through
the panel's own file chooser; then its rows are read as they show, and one request is looked at tab by tab.
"""

import argparse
import base64
import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import sys
import urllib.parse
import urllib.request

from harness import PATIENCE, Skip, run_part

# A refusal on a page, a sign-up, weeks of refreshes, a preflight and a post that the browser blocks, two cases.
SCRIPTS = ["sign-in/wrong-password.json", "sign-up/verified-by-code.json", "silent/refresh-token-expires.json",
           "bugs/B110-no-cors-for-a-web-redirect.json"]
FRONT_END = "devtools://devtools/bundled/devtools_app.html"

# The tools are built of shadow trees: finding elements and reading texts has to go through them.
WALK = """
globalThis.deep = (test, root = document.body) => {
  const found = [];
  (function walk(node) {
    if (node.nodeType === 1 && test(node)) found.push(node);
    if (node.shadowRoot) walk(node.shadowRoot);
    for (const child of node.childNodes) walk(child);
  })(root);
  return found;
};
globalThis.words = root => {
  let text = "";
  (function walk(node) {
    if (node.nodeType === 3) text += node.data + " ";
    if (["STYLE", "SCRIPT"].includes(node.tagName)) return;
    if (node.shadowRoot) walk(node.shadowRoot);
    for (const child of node.childNodes) walk(child);
  })(root);
  return text.replace(/\\s+/g, " ").trim();
};
"""


class Tools:
    """A Chromium, and in it the developer tools as a page."""

    def __init__(self, width=1500, height=1800):
        program = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
        if not program:
            raise Skip("no Chromium here")
        self.folder = tempfile.mkdtemp()
        self.process = subprocess.Popen(
            [program, "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--lang=en",
             "--disable-background-networking", "--remote-debugging-port=0", "--remote-allow-origins=*",
             f"--user-data-dir={self.folder}", *(["--no-sandbox"] if os.geteuid() == 0 else []), "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            self.open(width, height)
        except BaseException:
            self.close()
            raise

    def open(self, width, height):
        import websocket

        told = os.path.join(self.folder, "DevToolsActivePort")
        self.until(lambda: os.path.exists(told) and open(told).read().count("\n"), "Chromium's debugging port")
        port = open(told).read().split()[0]
        ask = urllib.request.Request(f"http://127.0.0.1:{port}/json/new?{FRONT_END}", method="PUT")
        target = json.load(urllib.request.urlopen(ask, timeout=PATIENCE))
        self.socket = websocket.create_connection(target["webSocketDebuggerUrl"], timeout=PATIENCE)
        self.number = 0
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        try:
            self.until(lambda: self.run("document.readyState === 'complete' && !!globalThis.UI"), "the developer tools")
        except AssertionError as error:
            raise Skip(f"this Chromium does not show its developer tools as a page: {error}")
        self.run(WALK + "true")

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, **parameters):
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.number:
                assert "error" not in answer, f"{method}: {answer['error']['message']}"
                return answer["result"]

    def run(self, script, by_value=True):
        """What an expression comes to, once it is settled."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=by_value)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]["exception"].get("description", script)
        return answer["result"].get("value") if by_value else answer["result"].get("objectId")

    def until(self, test, what):
        end = time.monotonic() + PATIENCE
        while not (found := test()):
            if time.monotonic() > end:
                raise AssertionError(f"waited {PATIENCE} s for {what}")
            time.sleep(0.1)
        return found

    def click(self, element, done):
        """Clicks an element until `done` holds: where the page has moved it since it was measured, the click is lost."""
        def click():
            self.click_once(element)
            end = time.monotonic() + 2
            while not (found := self.run(done)) and time.monotonic() < end:
                time.sleep(0.05)
            return found
        self.until(lambda: self.run(done) or click(), done)

    def click_once(self, element):
        x, y = self.until(lambda: self.run(f"""(() => {{
            const element = {element};
            if (!element) return null;
            element.scrollIntoView({{ block: "nearest" }});
            const box = element.getBoundingClientRect();
            return box.width && [box.left + Math.min(40, box.width / 2), box.top + box.height / 2]; }})()"""), element)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    # -- the Network panel

    def network(self, path):
        """Opens the panel and has it import a file, as its button does."""
        self.run("import('./ui/legacy/legacy.js').then(legacy => legacy.ViewManager.ViewManager.instance().showView('network'))"
                 ".then(() => true)")
        chooser = self.until(lambda: self.run("deep(one => one.tagName === 'INPUT' && one.type === 'file')[0]", False),
                             "the panel's file chooser")
        self.call("DOM.setFileInputFiles", files=[path], objectId=chooser)

    def rows(self):
        """What shows of each request: the cells under Name, Status, Type, Initiator, Size, Time."""
        return self.run("""deep(one => one.tagName === "TR" && one.classList.contains("data-grid-data-grid-node"))
            .map(row => [...row.children].map(cell => words(cell)))""")

    def requests(self):
        """The requests as the tools keep them."""
        return self.run("""import('./models/logs/logs.js').then(logs => Promise.all(
            logs.NetworkLog.NetworkLog.instance().requests().map(async one => ({
              url: one.url(), method: one.requestMethod, status: one.statusCode, posted: await one.requestFormData(),
              answered: (await one.requestContentData()).text ?? "", took: one.duration, type: one.resourceType().name(),
              sent: one.includedRequestCookies().map(each => each.cookie.name()),
              set: one.responseCookies.map(each => each.name()), fields: one.requestHeaders().length })))) """)

    def tab(self, name, *wanted):
        """Opens a tab of the request that is open, which has to say all of these."""
        tab = f"deep(one => one.getAttribute('role') === 'tab' && one.getAttribute('aria-label') === {json.dumps(name)}).pop()"
        self.click(tab, f"{tab}?.getAttribute('aria-selected') === 'true'")
        missing = []

        def says_all():
            text = self.run("words(deep(one => one.classList.contains('network-item-view')).pop() ?? document.createElement('p'))")
            text = text.replace("\u00a0", " ").lower()
            missing[:] = [words for words in wanted if not re.search(words.lower(), text)]
            return not missing

        try:
            self.until(says_all, name)
        except AssertionError:
            raise AssertionError(f"the tab {name} does not say {missing}")


def checks(tools, path, report, folder):
    entries = json.load(open(path))["log"]["entries"]
    names = [urllib.parse.urlsplit(entry["request"]["url"]) for entry in entries]

    def picture(name):
        if folder:
            tools.picture(os.path.join(folder, f"devtools-{name}.png"))

    def every_request():
        tools.network(path)
        tools.until(lambda: f"{len(entries)} requests" in tools.run("words(document.body)"), f"{len(entries)} requests")
        found = tools.requests()
        picture("list")
        assert len(found) == len(entries), (len(found), len(entries))
        for entry, shown in zip(entries, found):
            request, response = entry["request"], entry["response"]
            where = f"{entry['_step']}, {entry['_number']}"
            assert shown["url"] == request["url"] and shown["method"] == request["method"], where
            assert shown["status"] == response["status"], where
            assert (shown["posted"] or "") == request.get("postData", {}).get("text", ""), where
            assert shown["answered"] == response["content"].get("text", ""), where
            assert shown["sent"] == [cookie["name"] for cookie in request["cookies"]], where
            assert shown["set"] == [cookie["name"] for cookie in response["cookies"]], where
            assert shown["type"] == entry["_resourceType"], (where, shown["type"])
            assert abs(shown["took"] * 1000 - entry["time"]) < 0.01, (where, shown["took"])
        assert any(shown["posted"] for shown in found) and any(shown["set"] for shown in found)

    def rows_in_order():
        rows = tools.until(lambda: len(found := [row for row in tools.rows() if row[0]]) == len(entries) and found, "a row for each request")
        for entry, name, row in zip(entries, names, rows):
            last = name.path.rsplit("/", 1)[-1]
            assert row[0].startswith(last) if last else name.netloc in row[0] or row[0].startswith("?"), (last, row)
            status = entry["response"]["status"]
            assert row[1].startswith(str(status) if status else entry["response"]["statusText"]), (entry["_step"], row)
            assert row[2].split(" / ")[0] == entry["_resourceType"], row
            assert row[5] and "Pending" not in row[5], row
            assert not status or not row[4].startswith("0.0 kB"), row
        assert {row[2].split(" / ")[0] for row in rows} == {"document", "xhr", "fetch", "preflight"}

    def one_request():
        index = next(index for index, entry in enumerate(entries)
                     if "SelfAsserted" in entry["request"]["url"] and "AADB2C90054" in entry["response"]["content"].get("text", ""))
        tools.click(
            f"""deep(one => one.tagName === "TR" && one.classList.contains("data-grid-data-grid-node"))[{index}].children[0]""",
            "deep(one => one.classList.contains('network-item-view')).length > 0")
        tools.tab("Headers", re.escape(names[index].path), "POST", "200 OK", "x-requested-with XMLHttpRequest")
        picture("headers")
        # Which number the label of the password has is counted, not meant.
        tools.tab("Payload", "Query string parameters", "B2C_1_susi", "Form data", "email ada@example.test", r"password <password \d+>")
        picture("payload")
        tools.tab("Response", "AADB2C90054")
        tools.tab("Cookies", "x-ms-cpim-trans", "contoso.b2clogin.com")
        tools.tab("Timing", r"\b1(\.00)? ms")
        picture("timing")

    for check in [every_request, rows_in_order, one_request]:
        report.check(check.__name__.replace("_", " "), check)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("b2c")
    parser.add_argument("scenarios")
    parser.add_argument("--screenshots")
    arguments = parser.parse_args()
    if arguments.screenshots:
        os.makedirs(arguments.screenshots, exist_ok=True)

    def body(report):
        tools = Tools()
        try:
            path = os.path.join(tools.folder, "trace.har")
            scripts = [os.path.join(os.path.abspath(arguments.scenarios), script) for script in SCRIPTS]
            subprocess.run([os.path.abspath(arguments.b2c), "run", *scripts, "--seed", "1", "--trace", path],
                           cwd=tools.folder, check=True, stdout=subprocess.DEVNULL)
            checks(tools, path, report, arguments.screenshots)
        finally:
            tools.close()

    return run_part("Chromium's developer tools", body)


if __name__ == "__main__":
    sys.exit(main())
