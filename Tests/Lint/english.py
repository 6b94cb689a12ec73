#!/usr/bin/env python3
"""Finds words that readers stumble over, and says what to write instead. CONTRIBUTING.md has the style guide.

    Tests/Lint/english.py [FILE OR FOLDER ...]

Without arguments it checks the documents that people write, and the sources and tests with their pages. In Markdown, code is
skipped: blocks, inline code and links; output of the programs is quoted as it is. In Swift and JavaScript, comments, string
literals and names of tests are checked, in HTML the text, in the tables of the programs (JSON) every text. `<!-- english: off -->` and `<!-- english: on -->` enclose text that is quoted from others.

Exit code 0: nothing found; 1: something to change.
"""

import os
import re
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))

# What to avoid (a regular expression, whole words, any letter case), and what to write instead.
WORDS = [
    (r"mend(s|ed|ing)?", "fix"),
    (r"an (?=u(s(e|er|ers|ual|ed|ing)|ni)\b)", "a"),
    (r"say more[.]?", "print more, lists all"),
    (r"(understood|looked for|defined|waited for) (is|are|was|were) (?!by\b|in\b)", "active voice: the command knows, it searched for"),
    (r"(is )?defined nowhere", "no ... is named ..."),
    (r"is another'?s", "of another"),
    (r"whoever|whomever|whosoever|whom", "the person who, anyone who, or name the actor"),
    (r"(?<!there )(is|are|was|were) no (?!(?:more|less|(?:long|few|larg|small|great|high|low|old|new|lat|short|bett)er)\b)[a-z]+",
     "is not a ..., or: there is no ... in ..."),
    (r"(is|are|when) left out", "default, omitted or without it"),
    (r"left out:", "default:"),
    (r"must be there", "required"),
    (r"wanted and found|wanted or found", "expected and actual"),
    (r"judge(s|d|ment|ments)?|judging", "check"),
    (r"what (comes|came) of (it|them|that)", "result"),
    (r"what must come of it", "what to expect"),
    (r"tells?|telling|is told|are told|was told|told of", "shows, says or reports"),
    (r"told (apart|from|by)", "distinguished, recognized"),
    (r"speaks? of", "names, is about"),
    (r"to speak of", "nothing, or: few"),
    (r"comes? to pass", "happens"),
    (r"lets? go of|letting go of", "releases, drops"),
    (r"(gives?|gave|giving) (it |them )?back", "returns"),
    (r"stays? what (it|they) (is|are|was|were)", "stays unchanged"),
    (r"besides(?=[.:;,)])", "also, other"),
    (r"the (answer|call|one|page|request|run|session|step|tenant|value|version|visit) before(?=[.:;,)])", "the previous ..."),
    (r"turn(s|ed)? away", "refused"),
    (r"(its|their|the \w+'s) own (affair|business)|(is|are) (its|their|the \w+'s) (affair|business)", "name the actor and what it does"),
    (r"holds? for safe|held for safe|wants to say", "considers safe, means"),
    (r"be there or not|be it|likelier", "plain words: whether or not it exists, more likely"),
    (r"(comes?|came|(bring|brings|brought)( it| them| that)?) about", "happens, causes"),
    (r"anew", "again"),
    (r"but for", "except for"),
    (r"nobody'?s|somebody'?s own", "name the owner"),
    (r"(gives?|gave) way", "is dropped"),
    (r"one'?s own|of yours", "your own"),
    (r"stands? (in|there|beside|below|behind|at|on|under|above|before)", "is in, is next to"),
    (r"stands? (once|twice|only|where|after|inside|outside|together|first|around|as it is|as a|between)", "occurs, is allowed, is"),
    (r"(where|wherever|in which) (?!is\b|are\b|has\b)(\w+ ){1,4}(stands?|stood)(?= *[.;:,)])", "the place of ..., is, occurs"),
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
    (r"whose name holds", "whose name contains"),
    (r"(the )?\w+ of before", "the previous ..."),
    (r"plays? any \w+ to", "impersonates"),
]

# Documents that a command or a test prints from tables in the sources: their words are the sources' words.
GENERATED = {
    "docs/scenario-files.md", "docs/tenant-files.md", "docs/target-files.md", "docs/control-api.md", "docs/simulated.md",
    "docs/policy-rules.md",
}

# Folders whose comments, messages, help texts and pages are checked.
SOURCES = ["Sources", "mock-server", "examples", "Tests", "Benchmarks"]

PATTERNS = [(re.compile(r"\b(?:" + words + r")(?!\w)", re.I), instead) for words, instead in WORDS]


def documents():
    for name in sorted(os.listdir(ROOT)):
        if name.endswith(".md"):
            yield name
    for name in sorted(os.listdir(os.path.join(ROOT, "docs"))):
        if name.endswith(".md") and f"docs/{name}" not in GENERATED:
            yield f"docs/{name}"
    yield from ("scenarios/README.md", "Benchmarks/peers/README.md")
    for folder in SOURCES:
        yield from sources(folder)


def sources(folder):
    """Swift files, the scripts and pages beside them, and the tables in a folder `Files`."""
    for place, folders, names in os.walk(os.path.join(ROOT, folder)):
        folders[:] = sorted(name for name in folders if name not in ("node_modules", ".build"))
        for name in sorted(names):
            if name.endswith((".swift", ".js", ".mjs", ".html")) or (name.endswith(".json") and place.endswith("/Files")):
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


def page(lines):
    """The text of an HTML file and the texts of its attributes."""
    for line in lines:
        yield re.sub(r"<[^>]*>", lambda tag: re.sub(r'^[^"]*|(?<=")[^"=]*=(?=")', lambda part: " " * len(part[0]), tag[0]), line)


# The service says these in its own messages, which are quoted.
QUOTED = re.compile(r"\b(please|in order to)\b", re.I)


def source(lines):
    """Comments and texts of a file in Swift or JavaScript. `// english: quoted` marks a line with the words of others."""
    is_text = False
    for line in lines:
        kept = [" "] * len(line)
        was_text = is_text
        if line.count('"""') % 2 == 1:
            is_text = not is_text
        if was_text and is_text:
            text = re.sub(r"`[^`]*`|\\\([^)]*\)", lambda code: " " * len(code[0]), line)
            # A script inside a text has comments of its own.
            yield "" if line.lstrip().startswith("//") else QUOTED.sub(lambda word: " " * len(word[0]), text)
            continue
        comment = re.match(r"\s*(///?|\*).*", line)
        if line.endswith("// english: quoted"):
            yield ""
            continue
        # The name of a member is not prose.
        bare = re.sub(r'\["\w+"\]', lambda name: " " * len(name[0]), line)
        parts = [comment] if comment else list(re.finditer(r'"(?:[^"\\]|\\.)*"', bare))
        for part in parts:
            kept[part.start():part.end()] = re.sub(r"`[^`]*`|\\\([^)]*\)", lambda code: " " * len(code[0]), part[0])
        # The name of a test is a sentence.
        name = None if comment else re.search(r"\bfunc `([^`]+)`", line)
        if name:
            kept[name.start(1):name.end(1)] = name[1]
        text = "".join(kept)
        yield text if comment else QUOTED.sub(lambda word: " " * len(word[0]), text)


def findings(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        lines = file.read().split("\n")
    if path.endswith(".json"):
        # The signs of a cause are words of others.
        prose = source(["" if re.match(r'\s*\{"(certain|strong|fair|weak|against|excluded)":', line) else line for line in lines])
    elif path.endswith((".swift", ".js", ".mjs")):
        prose = source(lines)
    else:
        prose = page(lines) if path.endswith(".html") else markdown(lines)
    for number, line in enumerate(prose, 1):
        for pattern, instead in PATTERNS:
            for match in pattern.finditer(line):
                yield f"{path}:{number}:{match.start() + 1}: \"{match[0]}\": write {instead}"


def main(arguments):
    paths = []
    for argument in arguments:
        path = os.path.relpath(os.path.abspath(argument), ROOT)
        paths += sources(path) if os.path.isdir(os.path.join(ROOT, path)) else [path]
    found = [finding for path in (paths if arguments else documents()) for finding in findings(path)]
    print("\n".join(found) if found else "english: nothing to change")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
