#!/usr/bin/env python3
"""What to run before a commit: lint, the tests of changed modules and of the modules above them, the shipped scenarios.

    Tests/check.py [--since COMMIT] [--list]

Changed is what differs from COMMIT, with new files; default: from where this branch left its upstream, and without one from
the last commit. --list shows the test targets and runs nothing.

It uses a debug build of its own, .build-check, whose modules are optimized: only changed files are compiled. Exit code: 0 if
everything passed, else that of the first command that failed.
"""

import argparse
import json
import os
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = ".build-check"
# The module of a folder that is not below Sources, and the tests that read it.
FOLDERS = {
    "Package.swift": None,
    "Tests/TestSupport/": ["TestSupport"],
    "Tests/Golden/": ["{}"],
    "Tests/Settings/": ["ScenarioRunnerTests"],
    "Tests/Corpus/": ["CorpusTests"],
    "scenarios/": ["ScenariosTests", "ScenarioRunnerTests", "CommandLineTests"],
    "docs/": ["BoundaryTests", "CommandLineTests"],
    "README.md": ["BoundaryTests", "CommandLineTests"],
    "ARCHITECTURE.md": ["BoundaryTests"],
}


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout


def changed(since):
    """The paths that differ from a commit, with new files."""
    if since is None:
        since = git("merge-base", "HEAD", "@{upstream}").strip() or "HEAD"
    elif not git("rev-parse", "--verify", "--quiet", since + "^{commit}").strip():
        print(f"check: --since: there is no commit {since}", file=sys.stderr)
        sys.exit(2)
    names = git("diff", "--name-only", "--no-renames", since) + git("ls-files", "--others", "--exclude-standard")
    return sorted(set(names.splitlines()))


def targets():
    """The targets of the package: name to kind, folder and the targets that it uses."""
    done = subprocess.run(
        ["swift", "package", "describe", "--type", "json"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.stderr.write(done.stderr)
        sys.exit(done.returncode)
    return {
        one["name"]: (one["type"], one["path"].rstrip("/") + "/", one.get("target_dependencies", []))
        for one in json.loads(done.stdout)["targets"]}


def tests_of(paths, package):
    """The test targets that a change of these files can make fail."""
    tests = {name for name, (kind, _, _) in package.items() if kind == "test"}
    touched = set()
    for path in paths:
        owner = max((name for name, (_, folder, _) in package.items() if path.startswith(folder)),
                    key=lambda name: len(package[name][1]), default=None)
        if owner:
            touched.add(owner)
        for folder, names in FOLDERS.items():
            if path.startswith(folder):
                if names is None:
                    return tests
                parts = path.split("/")
                touched.update(name.format(parts[2]) if name == "{}" else name for name in names if len(parts) > 2 or name != "{}")
    # Everything that uses what was touched, directly or not.
    while True:
        more = {name for name, (_, _, uses) in package.items() if touched & set(uses)} - touched
        if not more:
            break
        touched |= more
    # These run the programs, which is no dependency that the package knows.
    if "b2c" in touched or "MockServer" in touched:
        touched.add("CommandLineTests")
    # These read all sources.
    if any(path.endswith(".swift") for path in paths):
        touched.add("BoundaryTests")
    return touched & tests


class Stages:
    """Runs commands one after another and keeps how long each took."""

    def __init__(self):
        self.rows = []

    def run(self, name, words, **environment):
        print(f"=== {name}", flush=True)
        began = time.monotonic()
        done = subprocess.run(words, cwd=ROOT, env={**os.environ, **environment}, check=False)
        self.rows.append((name, time.monotonic() - began))
        if done.returncode:
            self.table()
            print(f"check: {name} failed", file=sys.stderr)
            sys.exit(done.returncode)

    def table(self):
        print("\ncheck        seconds")
        for name, seconds in self.rows + [("total", sum(seconds for _, seconds in self.rows))]:
            print(f"{name:<12} {seconds:>7.0f}")


def main():
    parser = argparse.ArgumentParser(usage="check.py [--since COMMIT] [--list]")
    parser.add_argument("--since", metavar="COMMIT")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    paths = changed(arguments.since)
    chosen = sorted(tests_of(paths, targets()))
    print(f"check: {len(paths)} changed files, tests of {', '.join(name.removesuffix('Tests') for name in chosen) or 'nothing'}")
    if arguments.list:
        return
    stages = Stages()
    stages.run("lint", ["make", "lint"])
    flags = ["--scratch-path", BUILD]
    stages.run("build", ["swift", "build", "--build-tests", "--quiet", *flags], B2C_OPTIMIZED="1")
    b2c = os.path.join(ROOT, BUILD, "debug", "b2c")
    if chosen:
        stages.run("tests", [
            "bash", "-c", 'set -o pipefail; "$@" | awk -f Tests/quiet.awk', "tests", "swift", "test", "--skip-build", "--disable-xctest", *flags,
            "--filter", "^(" + "|".join(chosen) + r")\."], B2C_COMMAND=b2c, B2C_OPTIMIZED="1")
    stages.run("scenarios", [b2c, "run", "scenarios"])
    stages.table()
    print("check: everything passed")


if __name__ == "__main__":
    main()
