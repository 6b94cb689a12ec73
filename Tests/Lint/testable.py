#!/usr/bin/env python3
"""Finds tests that look inside a module although its public surface shows what they check.

    Tests/Lint/testable.py

Tests see what is `public` and what is `package` by a plain import. `Tests/Lint/testable.json` lists the files that need
`@testable import`, each with some of the internal names that it checks. Fuzz targets call readers inside of modules and are
not listed. Exit code 0: nothing found; 1: something to change.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

IMPORT = re.compile(r"^@testable import (\w+)", re.M)


def main():
    listed = json.loads((ROOT / "Tests" / "Lint" / "testable.json").read_text(encoding="utf-8"))
    found, seen = [], set()
    for path in (one for one in sorted((ROOT / "Tests").rglob("*.swift")) if "Fuzz" not in one.parts):
        name, text = str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")
        modules = IMPORT.findall(text)
        if not modules:
            continue
        seen.add(name)
        if name not in listed:
            line = text.count("\n", 0, IMPORT.search(text).start()) + 1
            found.append(f"{name}:{line}: @testable import {modules[0]}: use a plain import and check what is public or "
                         "package; if that cannot show it, add the file with its internal names to Tests/Lint/testable.json")
            continue
        missing = [one for one in listed[name] if not re.search(rf"\b{re.escape(one)}\b", text)]
        if missing or not listed[name]:
            found.append(f"Tests/Lint/testable.json: {name} does not use {', '.join(missing) or 'any name'}: correct its names")
    found += [f"Tests/Lint/testable.json: {name} does not use @testable: remove it" for name in listed if name not in seen]
    print("\n".join(found) if found else "testable: nothing to change")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
