"""`b2c record` between an app and a mock-server: MSAL Python, as it is on PyPI, signs in through it, and the script that
it leaves plays the session in process and holds nothing of what was typed or issued.

    record.py MOCK_SERVER B2C
"""

import argparse
import base64
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.parse
import warnings

import msal
import requests

from harness import PATIENCE, Server, run_part, until
from plain_browser import Answer, PlainBrowser

HERE = os.path.dirname(os.path.abspath(__file__))
TENANT = os.path.join(HERE, "clients", "tenant.json")
DOMAIN = "contoso.onmicrosoft.com"
API = "https://contoso.onmicrosoft.com/tasks/"
CLIENTS = {name: app["registration"] for name, app in json.load(open(TENANT))["apps"].items()}
ADA = ("ada@example.test", "Analytical-1843")


class Proxy:
    """A running `b2c record` over TLS, with the certificate authority of the server behind it."""

    def __init__(self, b2c, server, output):
        self.output = output
        ready = os.path.join(output, "..", "ready")
        self.log = open(os.path.join(output, "..", "log"), "w+")
        # The command looks for mock-server beside itself.
        self.process = subprocess.Popen(
            [b2c, "record", "--listen", "0", "--target", f"https://127.0.0.1:{server.port}", "--output", output, "--name", "desk",
             "--tls", "--certificate-directory", os.path.dirname(server.authority), "--ready-file", ready],
            stdout=self.log, stderr=subprocess.STDOUT, env={**os.environ, "HOME": server.folder})
        try:
            until(lambda: self.process.poll() is not None or os.path.exists(ready) and os.path.getsize(ready), "b2c record")
        except AssertionError as error:
            raise RuntimeError(f"{error}; it says:\n{self.said()}")
        if self.process.poll() is not None:
            raise RuntimeError("b2c record has ended:\n" + self.said())
        self.port = urllib.parse.urlsplit(open(ready).read().split()[0]).port
        self.ready = ready

    def said(self):
        self.log.seek(0)
        return self.log.read()

    def end(self):
        """As Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(timeout=PATIENCE)
        assert status == 0, f"it ended with {status}:\n{self.said()}"
        return self.said()

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(timeout=PATIENCE)


class Door:
    """The proxy as the browser finds it: a server at the loopback, where everything of the tenant is."""

    def __init__(self, proxy):
        self.port, self.tls, self.hosts = proxy.port, True, ()

    send, has = Server.send, Server.has


def spellings(secret):
    """A text as it may stand in a file: as it is, in a URL, in a form, in Base64."""
    plain = secret.encode()
    return {secret, urllib.parse.quote(secret, safe=""), urllib.parse.quote_plus(secret), base64.b64encode(plain).decode().rstrip("="),
            base64.urlsafe_b64encode(plain).decode().rstrip("=")}


def checks(report, server, b2c, folder):
    output = os.path.join(folder, "recorded")
    os.mkdir(output)
    proxy = Proxy(b2c, server, output)
    secrets = [ADA[1]]
    script = os.path.join(output, "desk.json")
    try:
        session = requests.Session()
        session.trust_env = False
        session.verify = server.authority
        logging.disable(logging.CRITICAL)
        warnings.simplefilter("ignore")
        client = msal.PublicClientApplication(
            CLIENTS["desk"]["clientId"], authority=f"https://localhost:{proxy.port}/{DOMAIN}/B2C_1_susi", http_client=session)

        def signs_in():
            flow = client.initiate_auth_code_flow([API + "read"], redirect_uri="http://localhost")
            assert flow["auth_uri"].startswith(f"https://localhost:{proxy.port}/"), flow["auth_uri"][:60]
            answer = PlainBrowser(Door(proxy)).open(flow["auth_uri"]).sign_in(*ADA)
            assert isinstance(answer, Answer), answer.text[:300]
            result = client.acquire_token_by_auth_code_flow(flow, answer.parameters)
            assert result.get("id_token_claims", {}).get("name") == "Ada", result
            secrets.extend([answer.parameters["code"], result["access_token"], result["id_token"], result["refresh_token"],
                            flow["code_verifier"]])

        def refreshes():
            result = client.acquire_token_silent_with_error(
                [API + "read"], account=client.get_accounts()[0], force_refresh=True)
            assert "access_token" in result, result
            secrets.extend([result["access_token"], *([result["refresh_token"]] if "refresh_token" in result else [])])

        def writes_a_script():
            said = proxy.end()
            assert os.path.exists(script) and os.path.exists(os.path.join(output, "tenants", "desk.json")), said
            assert not os.path.exists(proxy.ready), "the ready file is still there"
            steps = json.load(open(script))["steps"]
            assert len(steps) >= 2, steps

        def the_script_passes():
            run = subprocess.run([b2c, "run", "desk.json", "--seed", "1"], cwd=output, capture_output=True, text=True)
            assert run.returncode == 0, run.stdout + run.stderr
            # With the session it plays, not an empty one.
            trace = os.path.join(folder, "trace.json")
            subprocess.run([b2c, "run", "desk.json", "--seed", "1", "--trace-json", trace], cwd=output, check=True, capture_output=True)
            called = [one["endpoint"] for step in json.load(open(trace))["scenarios"][0]["steps"] for one in step["outcome"]["requests"]]
            assert called.count("token") >= 2 and "page" in called and "authorize" in called, called

        def the_script_can_fail():
            changed = os.path.join(folder, "changed")
            shutil.copytree(output, changed)
            tenant = os.path.join(changed, "tenants", "desk.json")
            document = json.load(open(tenant))
            for user in document["users"].values():
                user["displayName"] = "Somebody else"
            json.dump(document, open(tenant, "w"))
            run = subprocess.run([b2c, "run", "desk.json", "--seed", "1"], cwd=changed, capture_output=True, text=True)
            assert run.returncode == 4, f"{run.returncode}: {run.stdout}{run.stderr}"

        def holds_no_secret():
            assert len(secrets) >= 7, len(secrets)
            texts = {"log": proxy.said()}
            for folder_name, _, names in os.walk(output):
                for name in names:
                    texts[os.path.relpath(os.path.join(folder_name, name), output)] = open(os.path.join(folder_name, name), encoding="utf-8").read()
            assert len(texts) == 3, sorted(texts)
            for name, text in texts.items():
                for index, secret in enumerate(secrets):
                    for spelling in spellings(secret):
                        assert spelling not in text, f"{name} holds secret {index}"
                # A token is more than its signature.
                for secret in secrets[1:4]:
                    assert secret.split(".")[-1] not in text, f"{name} holds a part of a token"
                assert ADA[0] not in text, f"{name} holds the e-mail address of a person"

        report.check("MSAL Python signs in through it", signs_in)
        report.check("MSAL Python refreshes through it", refreshes)
        report.check("it ends at Ctrl-C and writes a script and a tenant file", writes_a_script)
        report.check("the script passes in process", the_script_passes)
        report.check("the script fails where the tenant names somebody else", the_script_can_fail)
        report.check("files and log hold no password, token, code or address", holds_no_secret)
    finally:
        proxy.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server")
    parser.add_argument("b2c")
    arguments = parser.parse_args()

    def body(report):
        server = Server(arguments.server, TENANT)
        try:
            with tempfile.TemporaryDirectory() as folder:
                checks(report, server, os.path.abspath(arguments.b2c), folder)
        finally:
            server.stop()

    return run_part(f"b2c record with MSAL Python {msal.__version__}", body)


if __name__ == "__main__":
    sys.exit(main())
