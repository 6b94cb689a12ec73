#!/usr/bin/env python3
"""Finds tests whose names are not sentences.

    Tests/Lint/test_names.py

The name of a test is a sentence in backticks that says what holds: func `an old token is refused`(). There is no second name
in `@Test` or `@Suite`. Exit code 0: nothing found; 1: something to change.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Figures"))

from swift_text import Source  # noqa: E402

ATTRIBUTE = re.compile(r"@(Test|Suite)\b")
FUNCTION = re.compile(r"(?:\s|@\w+(?:\([^()]*\))?|static\b|private\b|mutating\b)*func\s+(`[^`\n]+`|\w+)")


def findings(source):
    for match in ATTRIBUTE.finditer(source.code):
        end, line = match.end(), source.line(match.start())
        if source.code[end:end + 1] == "(":
            if re.match(r'\(\s*#*"', source.text[end:]):
                yield line, f"@{match[1]} has a name of its own: remove it"
            end = source.closing(end) + 1
        if match[1] == "Suite":
            continue
        function = FUNCTION.match(source.text, end)
        if not function:
            yield line, "@Test is not at a function"
            continue
        name, line = function[1], source.line(function.start(1))
        if not name.startswith("`"):
            yield line, f"`{name}` is not a sentence: write one in backticks that says what holds"
        elif " " not in name.strip("`"):
            yield line, f"{name} is one word: write a sentence that says what holds"
        elif name[-2] in ".:;" or name[1] == " ":
            yield line, f"{name} begins or ends with a blank or a full stop: remove it"


def main():
    found = []
    for path in sorted((ROOT / "Tests").rglob("*.swift")):
        relative = path.relative_to(ROOT)
        found += [f"{relative}:{line}: {text}" for line, text in findings(Source(ROOT, str(relative), "Tests"))]
    print("\n".join(found) if found else "test names: nothing to change")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
