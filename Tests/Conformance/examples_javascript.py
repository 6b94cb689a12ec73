"""The JavaScript kit and the example that uses it: their own tests, against the built mock-server.

    examples_javascript.py MOCK_SERVER

Node 18 or later is required; its test runner runs them. playwright-core comes from the Python package that carries it, msal-browser
from the wheel that msal_browser.py uses: both are fetched for the run and kept nowhere. The quick start is typed as written.
"""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

import msal_browser
from harness import Skip, run_part

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", ".."))
KIT = os.path.join(ROOT, "packaging", "npm")
PAGE = os.path.join(ROOT, "docs", "quick-start-javascript.md")
PLAYWRIGHT = "playwright==1.65.2"


def playwright_core(folder):
    """playwright-core, as the Python package has it."""
    fetched = subprocess.run(
        [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "-d", folder, PLAYWRIGHT],
        capture_output=True, text=True)
    if fetched.returncode:
        raise Skip("the wheel with playwright-core cannot be fetched: " + fetched.stderr.strip().splitlines()[-1])
    with zipfile.ZipFile(glob.glob(os.path.join(folder, "playwright-*.whl"))[0]) as wheel:
        wheel.extractall(folder, [name for name in wheel.namelist() if name.startswith("playwright/driver/package/")])
    return os.path.join(folder, "playwright", "driver", "package")


def project(folder, *sources):
    """A project as its author has it: files, and the packages that `npm install` would bring."""
    os.makedirs(os.path.join(folder, "node_modules"))
    # As npm packs it: without the tests.
    shutil.copytree(KIT, os.path.join(folder, "node_modules", "b2c-harness"), ignore=shutil.ignore_patterns("tests"))
    for source in sources:
        shutil.copy(source, folder)
    return folder


def run_tests(folder, server, **environment):
    """What Node's test runner prints, if all pass."""
    done = subprocess.run(
        ["node", "--test"], cwd=folder, capture_output=True, text=True, timeout=600, env={
            **{name: value for name, value in os.environ.items() if not name.startswith("B2C_")}, "MOCK_SERVER": server, **environment})
    if done.returncode != 0:
        print((done.stdout + done.stderr)[-6000:])
        raise AssertionError(f"node --test ends with exit code {done.returncode}")
    return done.stdout


def quick_start_files():
    """The files that the quick start has its reader write."""
    return re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", open(PAGE, encoding="utf-8").read(), re.S)


def main():
    server = os.path.abspath(sys.argv[1])

    def body(report):
        with tempfile.TemporaryDirectory() as folder:
            kit = project(os.path.join(folder, "kit"), *glob.glob(os.path.join(KIT, "tests", "*.test.js")))
            report.check("the kit's own tests", lambda: run_tests(kit, server))

            def quick_start():
                place = project(os.path.join(folder, "quick-start"))
                for name, text in quick_start_files():
                    with open(os.path.join(place, name), "w", encoding="utf-8") as file:
                        file.write(text)
                said = run_tests(place, server)
                shown = re.search(r"# pass (\d+)", open(PAGE, encoding="utf-8").read())
                actual = re.search(r"# pass (\d+)|pass (\d+)", said)
                assert shown and actual and shown[1] == (actual[1] or actual[2]), f"the page shows {shown and shown[1]}, actual: {said[-300:]}"

            report.check("docs/quick-start-javascript.md", quick_start)

            def types():
                place = project(os.path.join(folder, "types"), os.path.join(KIT, "tests", "types.ts"))
                for module in ("commonjs", "node16"):
                    done = subprocess.run(
                        ["tsc", "--noEmit", "--strict", "--target", "es2022", "--module", module, "--moduleResolution",
                         "node" if module == "commonjs" else module, "types.ts"], cwd=place, capture_output=True, text=True, timeout=300)
                    assert done.returncode == 0, f"tsc --module {module}: {done.stdout}"

            if shutil.which("tsc"):
                report.check("types", types)
            else:
                print("types: skipped, no TypeScript compiler here")

            # The packages that the example names, where it finds them.
            example = project(os.path.join(folder, "spa"), *(
                file for file in glob.glob(os.path.join(ROOT, "examples", "spa", "*")) if os.path.isfile(file)))
            version, script = msal_browser.library()
            library = os.path.join(example, "node_modules", "@azure", "msal-browser")
            os.makedirs(os.path.join(library, "lib"))
            with open(os.path.join(library, "package.json"), "w", encoding="utf-8") as file:
                json.dump({"name": "@azure/msal-browser", "version": version}, file)
            with open(os.path.join(library, "lib", "msal-browser.min.js"), "wb") as file:
                file.write(script + b";window.msal={PublicClientApplication:window.PublicClientApplication};")
            shutil.move(playwright_core(folder), os.path.join(example, "node_modules", "playwright-core"))
            browser = shutil.which("chromium") or shutil.which("google-chrome")
            if browser:
                report.check("examples/spa in Chromium", lambda: run_tests(example, server, CHROMIUM=browser))
            else:
                print("examples/spa: skipped, no Chromium here")

    return run_part("JavaScript kit", body)


if __name__ == "__main__":
    sys.exit(main())
