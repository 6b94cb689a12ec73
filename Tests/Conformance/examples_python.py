"""The Python kit and the examples that use it: their own tests, against the built mock-server.

    examples_python.py MOCK_SERVER

The packages of each example's requirements.txt are required. An example is copied and run in an empty folder, as somebody
has it, and once more with its tests side by side. The quick start is typed as written.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

from harness import run_part

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", ".."))
KIT = os.path.join(ROOT, "packaging", "python")
PAGE = os.path.join(ROOT, "docs", "quick-start-python.md")


def run_tests(folder, server, *arguments):
    """What pytest prints, if all pass."""
    done = subprocess.run(
        # The entry point of the wheel names the plugin; here there is no wheel.
        [sys.executable, "-m", "pytest", "-p", "b2c_harness.pytest_plugin", "-q", *arguments], cwd=folder, capture_output=True, text=True,
        timeout=600, env={
            **{name: value for name, value in os.environ.items() if not name.startswith("B2C_")}, "MOCK_SERVER": server, "PYTHONPATH": KIT,
            "PYTHONDONTWRITEBYTECODE": "1"})
    if done.returncode != 0:
        print((done.stdout + done.stderr)[-6000:])
        raise AssertionError(f"pytest ends with exit code {done.returncode}")
    return done.stdout


def copied(source, folder):
    target = os.path.join(folder, os.path.basename(source))
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    return target


def quick_start_files():
    """The files that the quick start has its reader write."""
    return re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", open(PAGE, encoding="utf-8").read(), re.S)


def main():
    server = os.path.abspath(sys.argv[1])

    def body(report):
        with tempfile.TemporaryDirectory() as folder:
            kit = copied(os.path.join(KIT, "tests"), folder)
            report.check("the kit's own tests", lambda: run_tests(kit, server))
            for name in ("fastapi", "flask"):
                example = copied(os.path.join(ROOT, "examples", name), folder)
                report.check(f"examples/{name}", lambda: run_tests(example, server))
                report.check(f"examples/{name}, tests side by side", lambda: run_tests(example, server, "-n", "2"))

            def quick_start():
                place = os.path.join(folder, "quick-start")
                for name, text in quick_start_files():
                    os.makedirs(os.path.dirname(os.path.join(place, name)), exist_ok=True)
                    with open(os.path.join(place, name), "w", encoding="utf-8") as file:
                        file.write(text)
                said = run_tests(place, server)
                shown = re.search(r"^(\d+ passed)", open(PAGE, encoding="utf-8").read(), re.M)
                assert shown and shown[1] in said, f"the page shows {shown and shown[1]}, actual: {said[-200:]}"

            report.check("docs/quick-start-python.md", quick_start)

    return run_part("Python kit", body)


if __name__ == "__main__":
    sys.exit(main())
