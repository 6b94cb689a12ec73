"""The five minutes of docs/mock-server.md and the calls of docs/protect-an-api.md, typed as written, in an empty folder.

    five_minutes.py FOLDER_OF_THE_PROGRAMS

The person at the browser is Chromium; where there is none, pages are played over plain HTTP. Ports are free ones, in
place of those that the page names.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from harness import Server, Skip, Window, free_port, run_part
from plain_browser import PlainBrowser

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", ".."))
PAGE = os.path.join(ROOT, "docs", "mock-server.md")
API_PAGE = os.path.join(ROOT, "docs", "protect-an-api.md")
PERSON = {"email": "ada@example.test", "password": "Analytical-1843"}


def blocks():
    """What a reader types under the heading, block by block."""
    section = open(PAGE).read().split("## Sign in with it in five minutes\n")[1].split("\n## ")[0]
    return re.findall(r"```sh\n(.*?)```", section, re.S)


def typed(text, folder, programs, **environment):
    """One shell for all, as somebody has it, but for a certificate authority of its own; what it printed."""
    done = subprocess.run(
        ["bash", "-em", "-c", text], cwd=folder, capture_output=True, text=True, timeout=180, stdin=subprocess.DEVNULL, env={
            **os.environ, "B2C_CERTIFICATE_DIRECTORY": os.path.join(folder, "certificates"), "PATH": programs + os.pathsep + os.environ["PATH"], **environment})
    assert done.returncode == 0, f"exit {done.returncode}: {done.stderr[-600:]}"
    return done.stdout + done.stderr


def checks(programs, report):
    def in_the_clear():
        """The address that the page begins with, of the server that its head starts."""
        port = free_port()
        first = blocks()[0].replace(":9400", f":{port}")
        with tempfile.TemporaryDirectory() as folder:
            said = typed(
                f"b2c serve --tenant {ROOT}/scenarios/tenants/contoso.json --ready-file ready &\n"
                "until [ -s ready ]; do sleep 0.1; done\n" + first + "kill %1\n", folder, programs, B2C_PORT=str(port))
        assert f'"token_endpoint":"http://localhost:{port}/' in said, said[-300:]

    def with_msal_python():
        port = free_port()
        rest = "".join(blocks()[1:]).replace(":9443", f":{port}")
        assert "pip install msal" in rest and "sign_in.py" in rest, rest
        with tempfile.TemporaryDirectory() as folder:
            said = typed(rest, folder, programs, B2C_PORT=str(port), B2C_CONFORMANCE_BRIDGE=str(port),
                         BROWSER=f"{sys.executable} {os.path.abspath(__file__)} --person %s &")
            # The answer of the API is the last thing before the server ends.
            assert "signed in: Ada" in said and "{}" in said, said[-600:]

    def any_token():
        """The tokens that an API has to accept and to refuse, and new keys."""
        port = free_port()
        page = open(API_PAGE).read()
        tenant = re.search(r"<!-- file: scenarios/tenants/contoso.json -->\n```json\n(.*?)```", page, re.S)[1]
        calls = page.split("\n## 3. ")[1].split("\n## ")[0]
        lines = "".join(re.findall(r"```sh\n(.*?)```", calls, re.S)).replace(":9400", f":{port}")
        metadata = re.search(r"http://localhost:9400\S+openid-configuration", page)[0].replace(":9400", f":{port}")
        keys = f"""curl -s $(curl -s {metadata} | sed 's/.*"jwks_uri":"\\([^"]*\\)".*/\\1/'); echo\n"""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "scenarios", "tenants", "contoso.json")
            os.makedirs(os.path.dirname(file))
            open(file, "w").write(tenant)
            said = typed(
                "b2c serve --tenant scenarios/tenants/contoso.json --quiet --ready-file ready >/dev/null &\n"
                "until [ -s ready ]; do sleep 0.1; done\n" + keys + lines + "\necho\n" + keys + "kill %1\n", folder, programs,
                B2C_PORT=str(port), B2C_CONTROL_PORT="0")
        # What the API answers to a good token, and to each that it must refuse: as the comments of the page say.
        expected = re.findall(r"# (\d{3})$", lines, re.M)
        codes = [line for line in said.splitlines() if re.fullmatch(r"\d{3}", line)]
        assert len(expected) == 5 and codes == expected, f"expected {expected}, actual {codes}: {said[-600:]}"
        sets = [json.loads(line) for line in said.splitlines() if line.startswith('{"keys":')]
        before, after = ({key["kid"] for key in answer["keys"]} for answer in (sets[0], sets[-1]))
        assert before < after, said[-600:]

    report.check("the discovery document with curl", in_the_clear)
    report.check("tokens that no sign-in issued, and new keys", any_token)
    report.check("MSAL Python and a browser", with_msal_python)


def sign_in(address):
    """What a person does at the browser that MSAL opens."""
    server = Server(None, None)
    try:
        window = Window(server, [], keys=[server.key_hash("localhost")])
    except Skip:
        answer = PlainBrowser(server).open(address).sign_in(*PERSON.values())
        subprocess.run(["curl", "-fsS", answer.url, *(
            part for name, value in answer.parameters.items() for part in ("--data-urlencode", f"{name}={value}"))], check=True)
        return
    try:
        window.driver.get(address)
        window.fill(**PERSON)
        window.press("next")
        window.until(lambda: "Authentication complete" in window.text(), "the app's own page")
    finally:
        window.close()
        shutil.rmtree(server.folder, ignore_errors=True)


if __name__ == "__main__":
    if sys.argv[1] == "--person":
        sign_in(sys.argv[2])
    else:
        sys.exit(run_part("five minutes", lambda report: checks(os.path.abspath(sys.argv[1]), report)))
