#!/usr/bin/env python3
"""Finds words that readers stumble over, and says what to write instead. CONTRIBUTING.md has the style guide.

    Tests/Lint/english.py [FILE OR FOLDER ...]

Without arguments it checks the documents that people write and the folders of Swift sources listed below. In Markdown,
code is skipped: blocks, inline code and links; output of the programs is quoted as it is. In Swift, comments and
string literals are checked. `<!-- english: off -->` and `<!-- english: on -->` enclose text that is quoted from others.

Exit code 0: nothing found; 1: something to change.
"""

import os
import re
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

# What to avoid (a regular expression, whole words, any letter case), and what to write instead.
WORDS = [
    (r"mend(s|ed|ing)?", "fix"),
    (r"whoever|whomever|whosoever|whom", "the person who, anyone who, or name the actor"),
    (r"(?<!there )(is|are|was|were) no (?!longer\b|more\b|less\b|fewer\b|[a-z]+er\b|\w+ (in|for|to|at|on|of)\b)[a-z]+",
     "is not a ..., or: there is no ... in ..."),
    (r"(is|are|when) left out", "default, omitted or without it"),
    (r"left out:", "default:"),
    (r"must be there", "required"),
    (r"wanted and found|wanted or found", "expected and actual"),
    (r"judge(s|d|ment|ments)?|judging", "check"),
    (r"what (comes|came) of (it|them|that)", "result"),
    (r"what must come of it", "what to expect"),
    (r"tells|telling|is told|are told|was told|told of", "shows, says or reports"),
    (r"(comes?|came|bring|brings|brought) about", "happens, causes"),
    (r"anew", "again"),
    (r"but for", "except for"),
    (r"nobody'?s|somebody'?s own", "name the owner"),
    (r"(gives?|gave) way", "is dropped"),
    (r"one'?s own|of yours", "your own"),
    (r"stands? (in|there|beside|below|behind|at|on|under|above|before)", "is in, is next to"),
    (r"thereof|therein|thereby|herein|whence|thence|hence", "plain words"),
    (r"lest|albeit|amongst|whilst|upon|shall", "plain words: so that, although, among, while, on, must"),
    (r"in order to", "to"),
    (r"utili[sz]e[sd]?|utili[sz]ing", "use"),
    (r"leverag(e|es|ed|ing)", "use"),
    (r"simply|obviously|of course|needless to say", "nothing: remove it"),
    (r"please", "nothing: remove it"),
    (r"has twins?|a twin|its twin|their twins", "an environment variable"),
    (r"is meant|are meant", "means, or: the ... of"),
    (r"says the rest", "lists all options"),
    (r"nor otherwise|otherwise than", "differently"),
    (r"makes? nothing of", "ignores"),
]

# Documents that a command or a test prints from tables in the sources: their words are the sources' words.
GENERATED = {
    "docs/scenario-files.md", "docs/tenant-files.md", "docs/target-files.md", "docs/control-api.md", "docs/simulated.md",
    "docs/policy-rules.md",
}

# Swift folders whose comments and messages pass. Add a folder when it does.
SWIFT = ["Tests/BoundaryTests"]

PATTERNS = [(re.compile(r"\b(?:" + words + r")(?!\w)", re.I), instead) for words, instead in WORDS]


def documents():
    for name in sorted(os.listdir(ROOT)):
        if name.endswith(".md"):
            yield name
    for name in sorted(os.listdir(os.path.join(ROOT, "docs"))):
        if name.endswith(".md") and f"docs/{name}" not in GENERATED:
            yield f"docs/{name}"
    yield from ("scenarios/README.md", "Benchmarks/peers/README.md")
    for folder in SWIFT:
        yield from swift(folder)


def swift(folder):
    for place, _, names in sorted(os.walk(os.path.join(ROOT, folder))):
        for name in sorted(names):
            if name.endswith(".swift"):
                yield os.path.relpath(os.path.join(place, name), ROOT)


def markdown(lines):
    """The lines with everything blanked that is not prose."""
    in_code = is_off = False
    for line in lines:
        if line.lstrip().startswith("```"):
            in_code = not in_code
            yield ""
        elif "<!-- english: " in line:
            is_off = "off" in line
            yield ""
        elif in_code or is_off or line.startswith("<!--"):
            yield ""
        else:
            line = re.sub(r"`[^`]*`", lambda part: " " * len(part[0]), line)
            # The name of a file as the text of its link.
            line = re.sub(r"\[[^\]\s]*\]\([^)]*\)", lambda part: " " * len(part[0]), line)
            line = re.sub(r'"[^"]*"|“[^”]*”', lambda part: " " * len(part[0]), line)
            yield re.sub(r"\]\([^)]*\)", lambda part: "]" + " " * (len(part[0]) - 1), line)


def source(lines):
    """Comments and texts of a Swift file."""
    for line in lines:
        kept = [" "] * len(line)
        comment = re.search(r"(?<!:)//.*", line)
        parts = [comment] if comment else list(re.finditer(r'"(?:[^"\\]|\\.)*"', line))
        for part in parts:
            kept[part.start():part.end()] = re.sub(r"`[^`]*`|\\\([^)]*\)", lambda code: " " * len(code[0]), part[0])
        yield "".join(kept)


def findings(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        lines = file.read().split("\n")
    for number, line in enumerate(source(lines) if path.endswith(".swift") else markdown(lines), 1):
        for pattern, instead in PATTERNS:
            for match in pattern.finditer(line):
                yield f"{path}:{number}:{match.start() + 1}: \"{match[0]}\": write {instead}"


def main(arguments):
    paths = []
    for argument in arguments:
        path = os.path.relpath(os.path.abspath(argument), ROOT)
        paths += swift(path) if os.path.isdir(os.path.join(ROOT, path)) else [path]
    found = [finding for path in (paths if arguments else documents()) for finding in findings(path)]
    print("\n".join(found) if found else "english: nothing to change")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
