"""Every shipped script, each of its cases for itself, as a capture: it is run with its requests written as an archive, the
archive is imported, and what came of it is run. It passes: with everything the capture showed, or with less, which the
import has said. imports.json records how much less; what it does not name is imported as captured.

    imports.py B2C SCENARIOS
    B2C_RECORD=1 imports.py B2C SCENARIOS     writes imports.json
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

from harness import run_part

GROUPS = [
    "password-reset", "mfa", "providers", "sign-out", "silent", "sign-in", "sign-up", "edit-profile", "errors", "sessions",
    "accounts", "tokens", "faults", "custom-policies",
]
RECORDED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "imports.json")

# What no file of an import may hold, of the people of the scripts.
PERSONAL = ["Analytical-1843", "Difference-1822", "Newcomer-2026", "ada@example.test", "nina@example.test", "+442079460000"]

# How much of the capture a step holds, most first: the words with which `b2c import har -v` begins a line.
FIDELITY = ["asCaptured", "withoutRequests", "endOnly", "accountGiven", "omitted"]
# What may become of an import, best first. `asCaptured` has a line only where expectations were left out.
RESULTS = ["passed", *FIDELITY, "failed and said", "nothing to import"]

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
    """What became of one script: one of RESULTS, or what is wrong."""

    def run(*arguments):
        return subprocess.run([b2c, *arguments], cwd=work, capture_output=True, text=True)

    first = run("run", path, "--seed", "5", "--trace", "x.har", *(["--case", case] if case else []))
    if first.returncode != 0:
        return "the script itself fails: " + first.stdout[-300:]
    made = run("import", "har", "x.har", "--output", "made", "--name", "x", "-v")
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
    words = [line.split(" ")[0] for line in made.stderr.splitlines()]
    return max((word for word in words if word in FIDELITY), key=FIDELITY.index, default="passed")


def checks(report, b2c, scenarios, folder):
    everything = [(group, *variant) for group in GROUPS for variant in variants(scenarios, group)]

    def one(item):
        number, (_, path, case, _) = item
        work = os.path.join(folder, str(number))
        os.mkdir(work)
        return imported(b2c, path, case, work)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2) as pool:
        results = list(pool.map(one, enumerate(everything)))

    if os.environ.get("B2C_RECORD"):
        less = {title: result for (_, _, _, title), result in zip(everything, results) if result in RESULTS[1:]}
        with open(RECORDED, "w", encoding="utf-8") as file:
            json.dump(less, file, indent=2)
            file.write("\n")
    recorded = json.load(open(RECORDED, encoding="utf-8"))

    for group in GROUPS:
        found = {title: result for (name, _, _, title), result in zip(everything, results) if name == group}

        def holds():
            wrong = [
                f"{title}: {result}, recorded is {recorded.get(title, 'passed')}"
                for title, result in found.items() if result not in RESULTS or result != recorded.get(title, "passed")]
            assert not wrong, "; ".join(wrong)

        counts = [(list(found.values()).count(result), result) for result in RESULTS]
        report.check(f"{group}: {', '.join(f'{count} {result}' for count, result in counts if count)}", holds)

    def none_is_stale():
        titles = {title for _, _, _, title in everything}
        assert not set(recorded) - titles, f"no script has these any more: {sorted(set(recorded) - titles)}"

    report.check("imports.json names shipped scripts alone", none_is_stale)


def main():
    b2c, scenarios = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])

    def body(report):
        with tempfile.TemporaryDirectory() as folder:
            checks(report, b2c, scenarios, folder)

    return run_part("imports of every shipped script", body)


if __name__ == "__main__":
    sys.exit(main())
