#!/usr/bin/env python3
"""Changes each expectation of the shipped scenarios in turn and lists the changes that no run notices.

A scenario that still passes with another expected value, or without the fault or the setting that its expectation
depends on, tests less than it seems to. Each such change must be fixed in the script or have a reason in reasons.json.

    Tests/Mutations/mutations.py [--b2c PROGRAM] [--scenarios FOLDER] [FILE ...]

What is changed, one place at a time:

    value    an expected value becomes another one; a matcher becomes one that cannot hold; `$not` loses its negation
    fault    a fault rule is removed
    setting  a member of a `configure` patch is removed, then given another value: a setting may state a default

A change counts as noticed when a scenario of the file fails, or when the reader refuses the file. Where the reader
refuses a changed value because only certain words may stand there, another of these words is tried first.
"""

import argparse
import copy
import functools
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# Texts that no shipped script expects anywhere.
OTHER = "~another"
PAST, FUTURE = "1970-01-01T00:00:00Z", "2999-01-01T00:00:00Z"
SHORT, LONG = "-P99999D", "P99999D"
SOON, FAR = "PT1S", "P400D"


def pointer(path):
    """An RFC 6901 pointer."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


def at(document, path):
    for part in path:
        document = document[part]
    return document


def replaced(document, path, value):
    """A copy of the document with the value at a path replaced."""
    changed = copy.deepcopy(document)
    at(changed, path[:-1])[path[-1]] = value
    return changed


def removed(document, path, floor):
    """A copy without the member at a path, and without the objects above it that are then empty, down to `floor`."""
    changed = copy.deepcopy(document)
    while True:
        owner = at(changed, path[:-1])
        del owner[path[-1]]
        path = path[:-1]
        if owner or len(path) <= floor:
            return changed


class Mutation:
    """One change at one place; `ways` are functions that make the changed script, the most telling first."""

    def __init__(self, file, kind, path, ways):
        self.file, self.kind, self.path = file, kind, path
        self.ways = ways

    def goes_on(self, result):
        """Whether the next way is tried after this result. One way that a run notices is enough: another word of an
        event may occur as well, and a setting may state a default."""
        return result != "failed"

    @property
    def key(self):
        return (self.file, self.kind, pointer(self.path))


class Script:
    """The mutations of one scenario file."""

    def __init__(self, file, document, words):
        self.file, self.document, self.words = file, document, words
        self.mutations = []
        self.rules([], "faults")
        self.settings(["configure"])
        for name in document.get("cases") or {}:
            self.rules(["cases", name], "faults")
            self.settings(["cases", name, "configure"])
        for key in ("steps", "finally"):
            for index in range(len(document.get(key) or [])):
                self.step([key, index])

    def add(self, kind, path, ways):
        self.mutations.append(Mutation(self.file, kind, path, ways))

    # Steps

    def step(self, path):
        step = at(self.document, path)
        if "expect" in step:
            self.expected(path + ["expect"])
        for name in step.get("expectIn") or {}:
            self.expected(path + ["expectIn", name])
        self.rules(path, "faults")
        if "configure" in step:
            self.settings(path + ["configure"], step=path)
        for key in ("steps", "parallel", "then"):
            if isinstance(step.get(key), list):
                for index in range(len(step[key])):
                    self.step(path + [key, index])

    # Faults and settings

    def rules(self, path, key):
        owner = at(self.document, path) if path else self.document
        rules = owner.get(key)
        for index in range(len(rules) if isinstance(rules, list) else 0):
            place = path + [key, index]
            self.add("fault", place, [functools.partial(removed, self.document, place, len(path))])

    def settings(self, path, step=None):
        try:
            patch = at(self.document, path)
        except KeyError:
            return
        leaves = list(self.leaves(patch, path))
        for place in leaves:
            if step is not None and len(leaves) == 1:
                # Without its only setting the step itself goes: a patch of nothing is refused.
                ways = [functools.partial(removed, self.document, step, len(step) - 1)]
            else:
                ways = [functools.partial(removed, self.document, place, len(path) - 1)]
            others = [value for value in self.settings_like(place) if value != at(self.document, place)]
            self.add("setting", place, ways + [functools.partial(replaced, self.document, place, v) for v in others])

    def settings_like(self, path):
        """Other values that may stand in the place of a setting."""
        value = at(self.document, path)
        if isinstance(value, bool):
            return [not value]
        if isinstance(value, (int, float)):
            return [value + 1, 0, value + 200]
        if isinstance(value, str):
            words = sorted(self.words.get(self.name(path), ()))
            spans = [SOON, FAR] if re.match(r"^-?P[0-9T]", value) else []
            return spans + [word for word in words if word != value][:6] + [value + OTHER]
        if value in ([], {}):
            return []
        return [[], [value[0] + OTHER] if isinstance(value[0], str) else value[:1]] if isinstance(value, list) else []

    def leaves(self, value, path):
        if isinstance(value, dict) and value:
            for name, member in value.items():
                yield from self.leaves(member, path + [name])
        else:
            yield path

    # Expectations

    def expected(self, path):
        value = at(self.document, path)
        if isinstance(value, dict) and value:
            # Of a record that must not occur only the count can fail: whatever it selects, there is none of another.
            for name in ["$times"] if value.get("$times") == 0 else value:
                self.member(path + [name])
        elif isinstance(value, list) and value:
            for index in range(len(value)):
                self.expected(path + [index])
        else:
            self.change(path, self.others(path, value))

    def member(self, path):
        name, value = path[-1], at(self.document, path)
        if name == "$any":
            # One alternative may be wrong; all of them may not.
            self.change(path, [[{"$equals": OTHER}]])
        elif name == "$not":
            owner = {k: v for k, v in at(self.document, path[:-1]).items() if k != name}
            if not owner:
                self.change(path[:-1], [value])
            elif isinstance(value, dict) and not set(owner) & set(value):
                self.change(path[:-1], [{**owner, **value}])
        elif name in ("$lt", "$lte"):
            self.change(path, self.beyond(value, low=True))
        elif name in ("$gt", "$gte"):
            self.change(path, self.beyond(value, low=False))
        elif name == "$time":
            self.change(path, [PAST])
        elif name == "$matches":
            self.change(path, ["^" + OTHER + "$"])
        elif name == "$type":
            self.change(path, ["boolean" if value == "string" else "string"])
        elif name == "$exists":
            self.change(path, [not value])
        else:
            self.expected(path)

    def beyond(self, value, low):
        """Bounds that no value keeps, on each scale there is."""
        bounds = [-1e15, PAST, SHORT] if low else [1e15, FUTURE, LONG]
        if isinstance(value, (int, float)):
            return bounds[:1]
        if re.match(r"^-?P", str(value)):
            return bounds[2:]
        if re.match(r"^\d{4}-", str(value)) or re.match(r"^\{\{now", str(value)):
            return bounds[1:2]
        return bounds

    def others(self, path, value):
        """Values unlike this one that may stand in its place."""
        if value is True or value is False:
            return [not value]
        if isinstance(value, (int, float)):
            return [value + 1000, value + 1]
        if value is None:
            return [OTHER, 17]
        if value == [] or value == {}:
            return [[{}], OTHER, 17]
        words = sorted(self.words.get(self.name(path), ()))
        return [value + OTHER, OTHER, 17] + [word for word in words if word != value][:8]

    @staticmethod
    def name(path):
        """The nearest member name that is no matcher."""
        for part in reversed(path):
            if isinstance(part, str) and not part.startswith("$"):
                return part
        return ""

    def change(self, path, values):
        self.add("value", path, [functools.partial(replaced, self.document, path, value) for value in values])


def texts(value, name, words):
    """Gathers which texts stand under which member name."""
    if isinstance(value, dict):
        for key, member in value.items():
            texts(member, name if key.startswith("$") else key, words)
    elif isinstance(value, list):
        for member in value:
            texts(member, name, words)
    elif isinstance(value, str) and "{{" not in value:
        words.setdefault(name, set()).add(value)


class Runner:
    """Runs many changed files at once: each in the place of its original, in a copy of the folder."""

    def __init__(self, b2c, scenarios, work):
        self.b2c, self.scenarios, self.work = b2c, os.path.abspath(scenarios), work
        self.base = os.path.basename(self.scenarios)
        self.count = 0

    def tree(self, documents):
        """A folder with these scripts alone, and everything they refer to."""
        self.count += 1
        top = os.path.join(self.work, "round%d" % self.count)
        folder = os.path.join(top, self.base)
        os.makedirs(folder)
        folders = {os.path.dirname(file) for file in documents} | {""}
        for file in sorted(folders):
            self.link(file, folder, {part for other in folders for part in [other.split("/")[0]]})
        for file, document in documents.items():
            target = os.path.join(folder, file)
            with open(target, "w", encoding="utf-8") as stream:
                json.dump(document, stream, ensure_ascii=False, indent=1)
        return top

    def link(self, place, folder, own):
        """Links to everything in a folder but scripts, and but the folders that have scripts to change."""
        os.makedirs(os.path.join(folder, place), exist_ok=True)
        source = os.path.join(self.scenarios, place)
        for name in sorted(os.listdir(source)):
            path = os.path.join(source, name)
            if os.path.isdir(path) and (place or name in own):
                continue
            if not is_script(path):
                os.symlink(path, os.path.join(folder, place, name))

    def call(self, top, *arguments):
        environment = {k: v for k, v in os.environ.items() if not k.startswith("B2C_")}
        return subprocess.run(
            [self.b2c, *arguments], cwd=top, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True)

    def run(self, documents):
        """What each file came to: `passed`, `failed` or `refused`."""
        results = {}
        left = dict(documents)
        for _ in range(3):
            if not left:
                return results
            top = self.tree(left)
            files = [os.path.join(self.base, file) for file in sorted(left)]
            done = self.call(top, "run", *files, "--seed", "7", "--report-json", "report.json", "--no-color")
            if done.returncode in (0, 4) and os.path.exists(os.path.join(top, "report.json")):
                with open(os.path.join(top, "report.json"), encoding="utf-8") as stream:
                    report = json.load(stream)
                for scenario in report["scenarios"]:
                    file = os.path.relpath(scenario["file"], self.base)
                    good = scenario["result"] in ("passed", "skipped", "expectedFailure")
                    results[file] = "passed" if good and results.get(file, "passed") == "passed" else "failed"
                for file in left:
                    results.setdefault(file, "failed")
                return results
            if done.returncode != 2:
                sys.exit("b2c ended with %d:\n%s" % (done.returncode, (done.stderr or done.stdout)[-2000:]))
            place = r"^%s/(\S+?\.json):\d+:\d+: error" % re.escape(self.base)
            named = set(re.findall(place, done.stderr + done.stdout, re.M))
            refused = [file for file in left if file in named]
            if not refused:
                break
            for file in refused:
                results[file] = "refused"
                del left[file]
        for file, document in left.items():
            results[file] = self.alone(file, document)
        return results

    def alone(self, file, document):
        top = self.tree({file: document})
        done = self.call(top, "run", os.path.join(self.base, file), "--seed", "7", "--no-color")
        return {0: "passed", 2: "refused"}.get(done.returncode, "failed")


@functools.cache
def is_script(path):
    if not path.endswith(".json"):
        return False
    try:
        with open(path, encoding="utf-8") as stream:
            return "steps" in json.load(stream)
    except (ValueError, TypeError):
        return False


def scripts(folder, chosen):
    found = {}
    for top, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(top, name)
            file = os.path.relpath(path, folder)
            if chosen and file not in chosen:
                continue
            if is_script(path):
                with open(path, encoding="utf-8") as stream:
                    found[file] = json.load(stream)
    return found


def reasons(path):
    """Stated reasons: file, kind and place to reason. A place that ends in * stands for all that begin so."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as stream:
        entries = json.load(stream)
    table = {}
    for entry in entries:
        if not entry.get("reason", "").strip():
            sys.exit("%s: the entry for %s gives no reason" % (path, entry.get("file")))
        table[(entry["file"], entry["kind"], entry["place"])] = entry["reason"]
    return table


def reason_for(key, table, used):
    file, kind, place = key
    for (its_file, its_kind, its_place), reason in table.items():
        if its_file != file or its_kind != kind:
            continue
        if its_place == place or (its_place.endswith("*") and place.startswith(its_place[:-1])):
            used.add((its_file, its_kind, its_place))
            return reason
    return None


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--b2c", default=os.path.join(ROOT, ".build", "release", "b2c"), help="the program")
    options.add_argument("--scenarios", default=os.path.join(ROOT, "scenarios"), help="the folder of scripts")
    options.add_argument("--reasons", default=os.path.join(HERE, "reasons.json"), help="stated reasons")
    options.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many runs side by side")
    options.add_argument("files", nargs="*", help="only these files, relative to the folder of scripts")
    chosen = options.parse_args()

    found = scripts(chosen.scenarios, set(chosen.files))
    if not found:
        sys.exit("no scenario here: expected the path of a script below %s" % chosen.scenarios)
    words = {}
    for document in scripts(chosen.scenarios, ()).values():
        texts(document, "", words)
    mutations = {file: Script(file, document, words).mutations for file, document in found.items()}
    outcomes = {}

    with tempfile.TemporaryDirectory() as work:
        runner = Runner(os.path.abspath(chosen.b2c), chosen.scenarios, work)
        start = runner.run(found)
        bad = sorted(file for file, result in start.items() if result != "passed")
        if bad:
            sys.exit("these fail or are refused before anything is changed: " + ", ".join(bad))
        # Round n holds the n-th open change of every file.
        queue = {file: [(mutation, 0) for mutation in list_] for file, list_ in mutations.items()}
        while any(queue.values()):
            rounds = []
            for _ in range(chosen.jobs):
                batch = {file: waiting.pop(0) for file, waiting in queue.items() if waiting}
                if batch:
                    rounds.append((batch, {file: m.ways[n]() for file, (m, n) in batch.items()}))
            with ThreadPoolExecutor(chosen.jobs) as pool:
                results = list(pool.map(lambda batch: runner.run(batch[1]), rounds))
            for (batch, _), result in zip(rounds, results):
                for file, (mutation, way) in batch.items():
                    # Of several ways the one that a run noticed counts, else the one that passed.
                    known = outcomes.get(mutation.key, "refused")
                    outcomes[mutation.key] = result[file] if known == "refused" or result[file] == "failed" else known
                    if mutation.goes_on(result[file]) and way + 1 < len(mutation.ways):
                        queue[file].append((mutation, way + 1))

    table, used = reasons(chosen.reasons), set()
    survivors = [key for key in sorted(outcomes) if outcomes[key] == "passed"]
    unexplained = [key for key in survivors if reason_for(key, table, used) is None]
    for file, kind, place in unexplained:
        print("%s  %s  %s" % (file, kind, place))
    stale = [] if chosen.files else sorted(set(table) - used)
    for file, kind, place in stale:
        print("reasons.json: a run notices this change by now, remove the entry: %s  %s  %s" % (file, kind, place))
    counts = {result: sum(1 for key in outcomes if outcomes[key] == result) for result in ("failed", "refused", "passed")}
    print(
        "mutations: %d changes in %d files: %d noticed by a failure, %d refused by the reader, %d unnoticed with a "
        "reason, %d unnoticed" % (
            len(outcomes), len(found), counts["failed"], counts["refused"], len(survivors) - len(unexplained),
            len(unexplained)))
    sys.exit(1 if unexplained or stale else 0)


if __name__ == "__main__":
    main()
