"""Every shipped script, each of its cases for itself, as a capture: it is run with its requests written as an archive, the
archive is imported, and what came of it is run. It passes: with everything the capture showed, or with less, which the
import has said.

    imports.py B2C SCENARIOS
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

from harness import run_part

WHOLE = ["password-reset", "mfa", "providers", "sign-out", "silent", "sign-in", "sign-up", "edit-profile"]
# Requests by hand, damaged on the way, or of custom policies, for which a user flow stands in: they may be less.
LESS = ["errors", "sessions", "accounts", "tokens", "faults", "custom-policies"]

# What no file of an import may hold, of the people of the scripts.
PERSONAL = ["Analytical-1843", "Difference-1822", "Newcomer-2026", "ada@example.test", "nina@example.test", "+442079460000"]

# How an import says that its script holds less than the capture.
WEAKER = ["does not suffice to play", "is not in the script, because the mock", "the script does not expect it"]

NOTHING = ["B2C-IMPORT-004", "B2C-IMPORT-006", "B2C-SCN-037"]


def variants(scenarios, folder):
    """Each script of a folder with each of its cases."""
    for name in sorted(os.listdir(os.path.join(scenarios, folder))):
        path = os.path.join(scenarios, folder, name)
        cases = list(json.load(open(path, encoding="utf-8")).get("cases", {}))
        title = f"{folder}/{name.removesuffix('.json')}"
        for case in cases or [None]:
            yield path, case, title + (f" [{case}]" if case else "")


def imported(b2c, path, case, work):
    """What became of one script: `passed`, `less`, `failed and said`, `nothing to import`, or what is wrong."""

    def run(*arguments):
        return subprocess.run([b2c, *arguments], cwd=work, capture_output=True, text=True)

    first = run("run", path, "--seed", "5", "--trace", "x.har", *(["--case", case] if case else []))
    if first.returncode != 0:
        return "the script itself fails: " + first.stdout[-300:]
    made = run("import", "har", "x.har", "--output", "made", "--name", "x")
    if made.returncode != 0:
        said = made.stdout + made.stderr
        return "nothing to import" if any(rule in said for rule in NOTHING) else "the import fails: " + said[-300:]
    for name in ["x.json", os.path.join("tenants", "x.json")]:
        text = open(os.path.join(work, "made", name), encoding="utf-8").read()
        for word in PERSONAL:
            if word in text:
                return f"{name} holds {word}"
    isSaid = "The script does not pass as it stands" in made.stdout
    second = run("run", "made", "--seed", "6")
    if second.returncode != 0:
        return "failed and said" if isSaid else "it fails, and nothing was said: " + second.stdout[:300]
    if isSaid:
        return "it passes, and the import says that it does not"
    return "less" if any(words in made.stdout for words in WEAKER) else "passed"


def checks(report, b2c, scenarios, folder):
    everything = [(group, *variant) for group in WHOLE + LESS for variant in variants(scenarios, group)]

    def one(item):
        number, (_, path, case, _) = item
        work = os.path.join(folder, str(number))
        os.mkdir(work)
        return imported(b2c, path, case, work)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        results = list(pool.map(one, enumerate(everything)))

    for group in WHOLE + LESS:
        found = {title: result for (name, _, _, title), result in zip(everything, results) if name == group}
        counts = {result: list(found.values()).count(result) for result in ["passed", "less", "failed and said", "nothing to import"]}
        allowed = {"passed", "less", "nothing to import"} if group in LESS else {"passed"}

        def holds():
            wrong = [f"{title}: {result}" for title, result in found.items() if result not in allowed]
            assert not wrong, "; ".join(wrong)

        said = ", ".join(f"{count} {result}" for result, count in counts.items() if count)
        report.check(f"{group}: {said}", holds)


def main():
    b2c, scenarios = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])

    def body(report):
        with tempfile.TemporaryDirectory() as folder:
            checks(report, b2c, scenarios, folder)

    return run_part("imports of every shipped script", body)


if __name__ == "__main__":
    sys.exit(main())
