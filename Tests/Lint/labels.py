#!/usr/bin/env python3
"""Finds functions and initializers whose calls do not say what their arguments are.

    Tests/Lint/labels.py

A call should read as a phrase: `note(address, line: 4, into: &facts)`. Three parameters without a label are the most that a
function may have. Exit code 0: nothing found; 1: something to change.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Figures"))

from swift_text import Source  # noqa: E402

MOST = 3

# Modules with functions that have more. Remove a module when it passes; the script says when.
OPEN = {"Bundles", "b2c"}

# Functions whose calls are rows of a table: the columns are the same in all rows, and the first row's types name them.
ROWS = {
    "Sources/Base/Records/SettingsRecord.swift: add",
}


def unlabelled(parameters):
    return sum(bool(re.match(r"(?:@\w+\s+)*_\s", one)) for one in parameters)


def main():
    found, passing = [], set(OPEN)
    rows = set(ROWS)
    folders = [ROOT / "Sources", ROOT / "mock-server" / "Sources", ROOT / "mock-server" / "Program"]
    for path in (path for folder in folders for path in sorted(folder.rglob("*.swift"))):
        relative = path.relative_to(ROOT)
        module = relative.parts[2] if relative.parts[0] == "Sources" else "mock-server"
        for name, line, parameters, _ in Source(ROOT, str(relative), module).functions():
            count = unlabelled(parameters)
            if count <= MOST:
                continue
            passing.discard(module)
            if f"{relative}: {name}" in ROWS:
                rows.discard(f"{relative}: {name}")
            elif module not in OPEN:
                found.append(f"{relative}:{line}: `{name}` has {count} parameters without a label: name all but "
                             f"{MOST} of them at most, or give it one value that holds them")
    found += [f"Tests/Lint/labels.py: ROWS: {one} does not exist or has its labels: remove it" for one in sorted(rows)]
    print("\n".join(found) if found else "labels: nothing to change")
    for module in sorted(passing):
        print(f"labels: {module} passes: remove it from OPEN in Tests/Lint/labels.py")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
