"""`b2c run --browser`: people of the shipped scripts at a real Chromium, against a mock-server over TLS; the same server as a
real tenant; and drivers that are none, or go away.

    real_browser.py B2C MOCK_SERVER [--all]

Without --all it is one script for each kind of page.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time

from harness import Server, run_part

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TENANT = os.path.join(ROOT, "scenarios", "tenants", "contoso.json")

# Each stands for pages that no other has: a way to sign in, a kind of proof, a way to leave.
SCRIPTS = """
    happy-sign-in.json forgot-password.json interaction-required.json sign-in/prompt-none.json sign-in/lockout.json
    sign-in/ephemeral-browser.json sign-in/page-reloaded.json sign-in/window-closed.json sign-up/attributes.json
    sign-up/code-expired.json sign-up/in-german.json sign-up/not-verified.json sign-up/cancelled.json
    mfa/authenticator.json mfa/email.json mfa/wrong-code-three-times.json password-reset/by-policy.json
    edit-profile/several-attributes.json accounts/removed.json providers/provider-session.json
    custom-policies/account-linking.json custom-policies/provider-selection.json custom-policies/phone-factor.json
    bugs/B145-provider-in-a-new-tab.json
""".split()
# What --all adds: every folder that has pages.
FOLDERS = "sign-in sign-up mfa password-reset edit-profile accounts providers sessions sign-out silent custom-policies".split()

# What nobody may read in a log or report: passwords of the tenant file, tokens, the service's own cookies.
SECRETS = re.compile(r"Analytical-1843|Difference-1822|Newcomer-2026|eyJ[\w-]{20,}\.eyJ[\w-]{20,}\.|m1\.[\w/+=-]{20,}")


class Stage:
    def __init__(self, b2c, program):
        self.b2c, self.server = b2c, Server(program, TENANT)
        self.target = self.write("target.json", {
            "kind": "mock-server", "name": "mock-server", "url": f"https://127.0.0.1:{self.server.port}",
            "caFile": self.server.authority})

    def write(self, name, value, mode=0o644):
        path = os.path.join(self.server.folder, name)
        with open(path, "w") as file:
            file.write(value if isinstance(value, str) else json.dumps(value))
        os.chmod(path, mode)
        return path

    def run(self, scripts, *more, target=None):
        """Status, everything said, and the report if there is one."""
        report, trace = (os.path.join(self.server.folder, name) for name in ("report.json", "trace.json"))
        for path in (report, trace):
            if os.path.exists(path):
                os.remove(path)
        process = subprocess.run(
            [self.b2c, "run", "-v", *scripts, "--target", target or self.target, "--browser", "--seed", "7",
             "--report-json", report, "--trace-json", trace, *more],
            cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            env={**os.environ, "B2C_SECRET_ADA": "Analytical-1843", "B2C_SECRET_NEW": "Difference-1822"})
        said = process.stdout
        found = None
        if os.path.exists(report):
            found = json.load(open(report))
            said += open(report).read() + open(trace).read()
        return process.returncode, process.stdout, found, SECRETS.findall(said)


def scripts_in_chromium(stage, paths):
    begun = time.monotonic()
    status, said, report, secrets = stage.run(paths)
    if status:
        print("\n".join(line for line in said.splitlines() if not line.startswith("ok "))[-6000:])
    assert status == 0 and report, f"b2c ended with status {status}"
    scenarios = report["scenarios"]
    passed = [one for one in scenarios if one["result"] == "passed"]
    assert len(passed) >= 20, f"{len(passed)} scenarios have passed, which is fewer than there are with pages"
    for one in scenarios:
        reason = one.get("reason") or ""
        assert one["result"] != "skipped" or "browserRequests" in reason, f"{one['file']} was skipped: {reason}"
    assert not secrets, f"{len(secrets)} secrets are printed or written, such as {secrets[0][:8]}..."
    worlds = [world["world"] for world in stage.server.control("GET", "/worlds")["worlds"]]
    assert worlds == ["default"], f"worlds were left behind: {worlds}"
    print(f"          {len(passed)} passed, {len(scenarios) - len(passed)} not run, {time.monotonic() - begun:.0f} s")


def a_real_tenant(stage):
    """The server as a live target: people's passwords from the environment, no control API, only hosts that are named."""
    tenant = json.load(open(TENANT))
    tenant.pop("$schema")
    tenant["policies"].pop("loyalty")
    tenant["users"]["ada"].update(password="{{secret/ADA}}", newPassword="{{secret/NEW}}")
    tenant["users"].pop("nina")
    stage.write("live-tenant.json", tenant)
    live = {"kind": "live", "name": "live", "tenant": "live-tenant.json", "caFile": stage.server.authority,
            "connectTo": {"contoso.b2clogin.com": f"127.0.0.1:{stage.server.port}"}}
    target = stage.write("live.json", live)
    script = {"name": "in", "tenant": "live-tenant.json", "app": "ios", "steps": [
        {"acquireToken": {}, "user": "ada", "expect": {"result": {"idToken": {"claims": {"name": "Ada"}}}, "pages": {"signIn": 1}}},
        {"acquireTokenSilent": {"forceRefresh": True}}]}
    path = stage.write("live-in.json", script)
    status, said, report, secrets = stage.run([path], target=target)
    assert status == 0 and report["scenarios"][0]["result"] == "passed", said[-3000:]
    assert not secrets, "secrets are printed or written"
    # An identity provider whose host nobody names: nothing is sent there, and the sentence says what to do.
    away = stage.write("live-away.json", {**script, "steps": [{"acquireToken": {}, "user": [{"press": "facebook"}, "ada"]}]})
    status, said, report, _ = stage.run([away], target=target)
    assert status == 3 and "facebook.provider.test is not a host of this target" in said, (status, said[-3000:])


def drivers_that_are_none(stage):
    script = os.path.join("scenarios", "happy-sign-in.json")
    chromedriver = shutil.which("chromedriver")
    for name, arguments, words in [
        ("missing", ["--browser-driver", "/nowhere/chromedriver"], "/nowhere/chromedriver cannot be run"),
        ("no driver", ["--browser-driver", "true"], "true has ended with status 0 and has not said at which port it listens"),
        ("nobody there", ["--browser-driver", "http://127.0.0.1:9"], "the WebDriver server at http://127.0.0.1:9 cannot be reached"),
    ]:
        status, said, report, _ = stage.run([script], *arguments)
        assert status == 3 and words in said, (name, status, said[-2000:])
    # One that goes away when its first browser is open.
    dies = stage.write("dies", f"""#!/bin/sh
{chromedriver} "$@" & driver=$!
(while ! pgrep -P $driver >/dev/null; do sleep 0.1; done; sleep 1; kill -9 $driver) >/dev/null 2>&1 &
wait $driver
""", 0o755)
    status, said, report, _ = stage.run([script, os.path.join("scenarios", "sign-in")], "--browser-driver", dies, "--jobs", "1")
    assert status == 3 and "the real browser cannot be used: the WebDriver server cannot be reached" in said, (status, said[-3000:])
    assert {one["result"] for one in report["scenarios"]} <= {"blocked", "skipped", "passed"}, said[-3000:]


def main():
    if not shutil.which("chromedriver"):
        print("scripts in Chromium: skipped, no chromedriver here")
        return 0
    b2c, program, *more = sys.argv[1:]

    def body(report):
        stage = Stage(os.path.abspath(b2c), os.path.abspath(program))
        paths = [os.path.join("scenarios", script) for script in SCRIPTS + (FOLDERS if "--all" in more else [])]
        try:
            report.check("shipped scripts", lambda: scripts_in_chromium(stage, paths))
            report.check("a real tenant", lambda: a_real_tenant(stage))
            report.check("drivers that are none", lambda: drivers_that_are_none(stage))
        finally:
            stage.server.stop()

    return run_part("scripts in Chromium", body)


if __name__ == "__main__":
    sys.exit(main())
