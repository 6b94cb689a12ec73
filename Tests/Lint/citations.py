#!/usr/bin/env python3
"""Finds comments that cite a document which a reader of the repository does not have.

    Tests/Lint/citations.py

A comment cites what everyone can open: a file of the repository, a file of a public repository with its path, a standard with
its section, or an article as `Microsoft docs: ARTICLE`. It does not cite notes by name and section, or rules by a number that
is not their id. Exit code 0: nothing found; 1: something to change.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["Sources", "mock-server", "Tests", "Benchmarks"]
COMMENT = {".swift": r"//[/!]?(.*)", ".js": r"(?://|^\s*\*|/\*)(.*)", ".py": r"#(.*)", ".c": r"//(.*)", ".h": r"//(.*)"}

# `notes-on-tokens 4.2`, `notes, 4.2`: a lower-case name of a document with a section. Names of standards have a capital
# letter; versions belong to a product or a file, which `\d+\.\d+\.\d+` and the words below are.
SECTION = re.compile(r"\b[a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)+,? (?:section )?\d+(?:\.\d+)?(?![\w.]*\.\d|-)(?= ?[,;:).]| and | to )")
FACTS = re.compile(r"\bfacts?: [a-z]|\bfact sheets?\b")
RULE = re.compile(r"\brules? \d+\b")
FILE = re.compile(r"(?<![\w/.-])((?:\.\.?/)*[\w./-]*\w\.md)\b")


def comments(path):
    pattern = COMMENT[path.suffix]
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        # An address is not a comment.
        match = re.search(pattern, re.sub(r"\w+://\S*", lambda part: " " * len(part[0]), line))
        if match and '"' not in line[:match.start()]:
            yield number, match.start(1), line[match.start(1):]


def findings(path):
    relative = path.relative_to(ROOT)
    for number, column, text in comments(path):
        for match in list(SECTION.finditer(text)) + list(FACTS.finditer(text)):
            yield (relative, number, column + match.start() + 1, match[0],
                   "name the public document, such as `Microsoft docs: ARTICLE`, or write (inferred)")
        for match in RULE.finditer(text):
            yield relative, number, column + match.start() + 1, match[0], "write the id of the rule, such as B2C-POL-037"
        for match in FILE.finditer(text):
            name = match[1]
            is_here = (ROOT / name).is_file() or (path.parent / name).is_file()
            # `library/docs/page.md` is a path in a public repository, which the comment names.
            if not is_here and (name.count("/") < 2 or name.startswith((".", "docs/", "/"))):
                yield (relative, number, column + match.start() + 1, name,
                       "no such file: name a file of this repository, or the path of one in a public repository")


def main():
    found = [
        f"{file}:{line}:{column}: \"{what}\": {remedy}"
        for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in COMMENT and "node_modules" not in path.parts and path.is_file()
        for file, line, column, what, remedy in findings(path)
    ]
    print("\n".join(found) if found else "citations: nothing to change")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
