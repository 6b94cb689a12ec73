"""docs/test-sign-in.md, typed as written, in an empty folder, and the two red builds on it as CI shows them: a mistake in a file, and a
grant that a new password ended. The cause is read on the page of the report, in Chromium.

    first_hour.py FOLDER_OF_THE_PROGRAMS [--screenshots FOLDER]
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

from harness import Server, Window, run_part

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.normpath(os.path.join(HERE, "..", "..", "docs", "test-sign-in.md"))
CAUSE = "AADB2C90129: a new password ended the grant: step 2"


def parts():
    """What the reader does, in the order of the page: (path, text) of a file to save, or the commands of a block."""
    text = open(PAGE, encoding="utf-8").read()
    for match in re.finditer(r"(?:<!-- file: (\S+) -->\n)?```(\w+)\n(.*?)```", text, re.S):
        path, language, body = match.groups()
        if path:
            yield path, body
        elif language == "console":
            yield None, [line[2:] for line in body.splitlines() if line.startswith("$ ")]


def checks(programs, screenshots, report):
    with tempfile.TemporaryDirectory() as folder:
        builds = []
        said = []

        def run(command, here):
            """One command in the reader's shell, as a job of GitHub Actions; its output and its status."""
            done = subprocess.run(
                ["bash", "-c", f"{command}\nstatus=$?; pwd > '{folder}/.here'; exit $status"], cwd=here, capture_output=True, text=True,
                timeout=120, stdin=subprocess.DEVNULL,
                env={**os.environ, "PATH": programs + os.pathsep + os.environ["PATH"], "GITHUB_ACTIONS": "true"})
            return done.returncode, done.stdout + done.stderr

        def typed():
            here = folder
            for path, text in parts():
                if path:
                    open(os.path.join(folder, path), "w", encoding="utf-8").write(text)
                    continue
                for command in text:
                    status, output = run(command, here)
                    said.append((command, status, output))
                    here = open(os.path.join(folder, ".here"), encoding="utf-8").read().strip()
                    if "--profile ci" in command:
                        kept = {name: open(os.path.join(here, "reports", name), encoding="utf-8").read() for name in ("junit.xml", "report.html")}
                        builds.append((status, output, kept))
            scenarios = [name for name in os.listdir(os.path.join(here, "scenarios")) if name.endswith(".json")]
            assert len(scenarios) == 5, scenarios
            wrong = [(command, status) for command, status, _ in said if status not in (0, 2, 4)]
            assert not wrong, wrong
            assert [status for status, _, _ in builds] == [4, 2, 0], [status for status, _, _ in builds]

        def annotations():
            (_, revoked, _), (_, mistake, _), (_, good, _) = builds
            assert re.search(r"^::error file=scenarios/new-password.json,line=8,col=5,.*" + re.escape(CAUSE), revoked, re.M), revoked
            assert re.search(r"^::error file=scenarios/new-password.json,line=8,col=46,.*title=B2C-SCN-002::", mistake, re.M), mistake
            assert "::error" not in good, good

        def junit():
            revoked, mistake, good = (ElementTree.fromstring(kept["junit.xml"]) for _, _, kept in builds)
            failures = list(revoked.iter("failure"))
            assert len(failures) == 1 and CAUSE in "".join(failures[0].itertext()) + failures[0].get("message", ""), ElementTree.tostring(revoked)
            error = next(mistake.iter("error"))
            assert error.get("type") == "B2C-SCN-002" and "scenarios/new-password.json:8:46" in error.text, ElementTree.tostring(mistake)
            assert not list(good.iter("failure")) and not list(good.iter("error"))

        def page():
            """What a person sees who opens the report of each red build."""
            server = Server(os.path.join(programs, "mock-server"), os.path.join(HERE, "browser", "tenant.json"))
            try:
                window = Window(server, [])
                try:
                    for name, (_, _, kept), words in [("revoked", builds[0], CAUSE), ("mistake", builds[1], "Did you mean `forceRefresh`?")]:
                        path = os.path.join(folder, name + ".html")
                        open(path, "w", encoding="utf-8").write(kept["report.html"])
                        window.driver.get("file://" + path)
                        window.until(lambda words=words: words in window.text(), f"a page that shows {words}")
                        if screenshots:
                            window.driver.save_screenshot(os.path.join(screenshots, f"first-hour-{name}.png"))
                finally:
                    window.close()
            finally:
                server.stop()

        report.check("docs/test-sign-in.md, typed as written", typed)
        report.check("each red build is annotated at its line", annotations)
        report.check("JUnit has the cause of each", junit)
        report.check("the page of each shows its cause", page)


def main():
    parser = argparse.ArgumentParser(description="docs/test-sign-in.md, typed as written.")
    parser.add_argument("programs")
    parser.add_argument("--screenshots")
    arguments = parser.parse_args()
    return run_part(
        "The first hour", lambda report: checks(os.path.abspath(arguments.programs), arguments.screenshots, report))


if __name__ == "__main__":
    sys.exit(main())
