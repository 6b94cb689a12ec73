"""`b2c run --browser`: people of the shipped scripts at a real Chromium, against a mock-server over TLS.

    real_browser.py B2C MOCK_SERVER
"""

import json
import os
import shutil
import subprocess
import sys

from harness import Server, Skip

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
TENANT = os.path.join(ROOT, "scenarios", "tenants", "contoso.json")

# Each stands for pages that no other has: a way to sign in, a kind of proof, a way to leave.
SCRIPTS = """
    happy-sign-in.json forgot-password.json interaction-required.json sign-in sign-up mfa password-reset edit-profile
    accounts custom-policies/account-linking.json custom-policies/invitation.json custom-policies/languages.json
    custom-policies/phone-factor.json custom-policies/provider-oidc.json custom-policies/provider-selection.json
    custom-policies/sub-journey-call.json
""".split()


def run(b2c, folder, target, *more):
    report = os.path.join(folder, "report.json")
    if os.path.exists(report):
        os.remove(report)
    process = subprocess.run(
        [b2c, "run", *(os.path.join("scenarios", script) for script in SCRIPTS), "--target", target, "--browser",
         "--seed", "7", "--report-json", report, *more], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True)
    return process, json.load(open(report)) if os.path.exists(report) else None


def main():
    if not shutil.which("chromedriver"):
        raise Skip("no chromedriver here")
    b2c, program = sys.argv[1:]
    server = Server(program, TENANT)
    try:
        target = os.path.join(server.folder, "target.json")
        authority = subprocess.run(
            [program, "certificate", "path"], env={**os.environ, "HOME": server.folder}, capture_output=True, text=True,
            check=True).stdout.strip()
        with open(target, "w") as file:
            json.dump({"kind": "mock-server", "name": "mock-server", "url": f"https://127.0.0.1:{server.port}",
                       "caFile": authority}, file)
        process, report = run(b2c, server.folder, target)
        print(process.stdout.strip().splitlines()[-1] if process.stdout else "nothing was said")
        problems = []
        if process.returncode or report is None:
            problems.append(f"b2c ended with status {process.returncode}:\n{process.stdout}")
        scenarios = report["scenarios"] if report else []
        passed = [one for one in scenarios if one["result"] == "passed"]
        if len(passed) < 40:
            problems.append(f"{len(passed)} scenarios have passed, which is fewer than there are with pages")
        for one in scenarios:
            reason = one.get("reason") or ""
            if one["result"] == "skipped" and "browserRequests" not in reason:
                problems.append(f"{one['file']} was skipped: {reason}")
        worlds = server.control("GET", "/worlds")["worlds"]
        if [world["world"] for world in worlds] != ["default"]:
            problems.append(f"worlds were left behind: {worlds}")
        for problem in problems:
            print(f"FAILED: {problem}")
        print(f"scripts in Chromium: {len(passed)} passed, {len(scenarios) - len(passed)} not run, {len(problems)} problems")
        return 1 if problems else 0
    finally:
        server.stop()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Skip as reason:
        print(f"scripts in Chromium: skipped, {reason}")
