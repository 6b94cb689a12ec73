"""`RealBrowser`, the runner's own way to a real browser, through chromedriver: its tests against a mock-server.

    real_browser.py MOCK_SERVER
"""

import http.server
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time

from harness import Server, Skip, free_port

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
TENANT = os.path.join(HERE, "browser", "tenant.json")


def inbox(server):
    """The server's inbox without TLS, for a client that knows no certificate of it."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = json.dumps(server.control("GET", "/inbox")).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *ignored):
            pass

    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    return site


def main():
    driver = shutil.which("chromedriver")
    if not driver:
        raise Skip("no chromedriver here")
    server = Server(sys.argv[1], TENANT)
    port = free_port()
    process = subprocess.Popen([driver, f"--port={port}", "--silent"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    site = inbox(server)
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        return subprocess.run(
            ["swift", "test", "--skip-build", "--disable-xctest", "--filter", "RealBrowserTests"], cwd=ROOT, env={
                **os.environ, "B2C_WEBDRIVER": f"http://127.0.0.1:{port}", "B2C_WEBDRIVER_SERVER": f"127.0.0.1:{server.port}",
                "B2C_WEBDRIVER_KEY": server.key_hash("contoso.b2clogin.com"), "B2C_WEBDRIVER_TENANT": TENANT,
                "B2C_WEBDRIVER_INBOX": f"http://127.0.0.1:{site.server_address[1]}/"}).returncode
    finally:
        process.terminate()
        site.shutdown()
        server.stop()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Skip as reason:
        print(f"RealBrowser: skipped, {reason}")
