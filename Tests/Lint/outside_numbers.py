#!/usr/bin/env python3
"""Finds calculations that trap on numbers from outside: `make lint` runs it.

    outside_numbers.py FOLDER...

Swift ends the process when a sum overflows, when a range ends before it begins, or when a fraction does not fit an integer.
So a number that a request, a file or a token brings is checked or clamped before anybody calculates with it. This script
follows a name from where such a number is read to the end of its scope and lists every use that could trap:

    let end = claims["exp"]?.intValue       a number from outside: intValue, Int(text), Int64(text), number(...),
                                            arrayIndex(token), Int.fetchOne(database)
    learn(end - start)                      listed

A name counts as checked once the code asks whether it is in a range (`contains(end)`, `end < 100`), or where it is bound by
`min(`, `max(`, `clamping:` or `count(`. A line that is safe for another reason says so: `// bounded: why`.
"""
import re
import sys
from pathlib import Path

READ = r"(?:\.intValue\b|\bU?Int(?:64|32)?\((?!exactly|clamping|truncating|bitPattern|ascii)[^()]*(?:\([^()]*\)[^()]*)*\)|\.int\(|\.number\(|\barrayIndex\(|\bU?Int(?:64|32)?\.fetch(?:One|All|Cursor)\()"
BINDING = re.compile(rf"\b(?:let|var)\s+(\w+)(?:\s*:\s*[\w?]+)?\s*=\s*(.*{READ}.*)")
SAFE_BINDING = re.compile(r"\bmin\(|\bmax\(|clamping:|\.count\(|contains\(\$0\)|\.(?:utf8\.)?count\b|\.rawValue|\.index\b|\bin: -?\d|&\s*\d")
# Of a digit, a byte, a constant: what is read is small.
SMALL = re.compile(r"U?Int(?:64|32)?\(\s*(?:byte|digit|scalar|character|unit|first|\w+\[|[A-Z_]+\b|\d)")
FRACTION = re.compile(r"\bU?Int(?:64|32|16|8)?\((?!exactly|clamping)(?:[^()]|\([^()]*\))*?(?:\.rounded\(|\.doubleValue|\bDouble\()")
DIRECT = re.compile(r"\.intValue(?:\s*\?\?\s*-?\d+)?\)?\s*(?:[-+*]|<<)\s")
# A function that hands such a number on: calls of it in the same file read a number from outside, too.
READER = re.compile(r"\bfunc\s+(\w+)\([^{]*->\s*U?Int(?:64|32)?\??\s*\{(.*)")
HANDED_ON = re.compile(r"\barrayIndex\(|\bU?Int(?:64|32)?\.fetch(?:One|All|Cursor)\(")
# What traps on a negative number: here with a call inside the brackets.
CUT = r"\b(?:prefix|suffix|dropFirst|dropLast|removeFirst|removeLast)\((?:[^()]|\([^()]*\))*"
MARK = "bounded:"
# Files that calculate only with fields that were checked before, each with what checked them.
CHECKED = {"CivilTime.swift": "CivilTime.isValid"}


def uses(name):
    n = re.escape(name)
    return re.compile(
        rf"(?<![\w.]){n}\s+(?:[-+*]|<<)=?\s|(?<!&)(?:[-+*]|<<)=?\s+{n}\b(?!\s*[.(])|(?<![\w)\]\"-])-{n}\b|\.\.[.<]{n}\b(?!\.)"
        rf"|(?<![\w.]){n}\.\.[.<]|(?<=[\w)\]])\[{n}\](?!\s*=\s*\[)|\b(?:prefix|suffix|dropFirst|dropLast|removeFirst|removeLast)\({n}\)"
        rf"|\bU?Int(?:8|16|32)\({n}\)|\brepeating:[^)]*count:\s*{n}\b")


def checks(name):
    n = re.escape(name)
    return re.compile(
        rf"contains\({n}\)|(?<![\w.]){n}\s*(?:<|<=|>|>=|==)\s|(?<![.<])(?:<|<=|>|>=|==)\s*{n}\b"
        rf"|\b(?:min|max)\((?:[^(),]+,\s*)?{n}\s*[,)]|clamping:\s*{n}\b|exactly:\s*{n}\b|ReportingOverflow\(by:\s*{n}\b|{n}\.\w+ReportingOverflow")


def indent(line):
    return len(line) - len(line.lstrip(" "))


def findings(lines):
    """(line number, text, why) of each use that could trap."""
    found = []
    code = ["" if line.lstrip().startswith("//") else line for line in lines]

    readers = {match.group(1) for line in code if (match := READER.search(line)) and HANDED_ON.search(match.group(2))
               and not SAFE_BINDING.search(match.group(2))}
    calls = "|".join(rf"\b{re.escape(name)}\(" for name in sorted(readers))
    handed = re.compile(rf"{CUT}(?:{HANDED_ON.pattern}{'|' + calls if calls else ''})")
    binding = re.compile(rf"\b(?:let|var)\s+(\w+)(?:\s*:\s*[\w?]+)?\s*=\s*(.*(?:{calls}).*)") if calls else None

    def marked(number):
        return MARK in lines[number] or (number > 0 and lines[number - 1].lstrip().startswith("//") and MARK in lines[number - 1])

    for number, line in enumerate(code):
        if marked(number):
            continue
        if FRACTION.search(line):
            found.append((number + 1, line.strip(), "a fraction out of range, or not a number, traps"))
        if DIRECT.search(line):
            found.append((number + 1, line.strip(), "an overflow traps"))
        if (cut := handed.search(line)) and not SAFE_BINDING.search(cut.group(0)):
            found.append((number + 1, line.strip(), "a negative number traps"))
        match = BINDING.search(line) or (binding and binding.search(line))
        if not match or SAFE_BINDING.search(match.group(2)) or SMALL.search(match.group(2)):
            continue
        name, depth = match.group(1), indent(line)
        use, check = uses(name), checks(name)
        rest = line[match.end(1):]
        if use.search(rest):
            found.append((number + 1, line.strip(), f"`{name}` is a number from outside: an overflow traps"))
            continue
        if check.search(rest):
            continue
        # `if let` binds for the block below it, `guard let` and `let` for the rest of the one they stand in.
        statement = line.lstrip()
        isBlock = re.match(r"(?:\}\s*else\s+)?(?:if|while|case|for)\b", statement) is not None
        for later in range(number + 1, min(number + 60, len(code))):
            text = code[later]
            if text.strip() and (indent(text) < depth or (isBlock and indent(text) == depth and text.strip().startswith("}"))):
                if not (indent(text) < depth and "let " in line and not statement.startswith(("let", "var", "if", "guard"))):
                    break
            if check.search(text) or f"let {name} " in text or f"var {name} " in text:
                break
            if use.search(text):
                if not marked(later):
                    found.append((later + 1, text.strip(), f"`{name}` is a number from outside: an overflow traps"))
                break
    return found


# The script is tried on these each time it runs: (lines, whether one of them is listed).
CASES = [
    (["let end = claims.intValue", "learn(end - start)"], True),
    (["if let end = claims.intValue {", "    learn(end - start)", "}"], True),
    (["guard let place = Int(text) else { return }", "return list[place]"], True),
    (["if let place = form.flatMap({ Int($0) }) {", "    known.contains(known[place - 1])", "}"], True),
    (["let start = call.number(\"startIndex\") ?? 0", "return text.dropFirst(start)"], True),
    (["let whole = parts.first.flatMap { Int($0) } ?? 0", "return whole * 1000 + fraction"], True),
    (["let count = Int64(text) ?? 0", "for index in 0..<count { make(index) }"], True),
    (["return (json.intValue ?? 0) * 1000"], True),
    (["let start = call.number(\"startIndex\") ?? 0", "let length = max(0, units.count - start)"], True),
    (["if let place = form.flatMap({ Int($0) }), known.indices.contains(place - 1) {", "}"], True),
    (["let milliseconds = Int64((seconds * 1000).rounded())"], True),
    (["let end = claims.intValue", "guard (0...9).contains(end) else { return }", "learn(end - start)"], False),
    (["if let end = Int(text), end < 10 {", "    learn(end - start)", "}"], False),
    (["let end = claims.intValue", "learn(end - start)  // bounded: both are read by count(_:)"], False),
    (["let end = min(100, Int(text) ?? 0)", "learn(end - start)"], False),
    (["if let end = claims.intValue {", "    show(end)", "}", "learn(end - start)"], False),
    (["let end = claims.intValue", "learn(Timestamp(seconds: end) - start)"], False),
    (["let value = digits.reduce(0) { $0 * 10 + Int($1 - 48) }"], False),
    (["let seconds = Int64(exactly: number.rounded())"], False),
    (["guard let index = JSONPointer.arrayIndex(last) else { return last }", "return \"element \\(index + 1)\""], True),
    (["guard let index = JSONPointer.arrayIndex(token), index < list.count else { return nil }", "return list[index]"], False),
    (["let known = try Int.fetchOne(db, sql: text) ?? 0", "for step in steps.dropFirst(known) { try step(db) }"], True),
    (["let known = max(0, try Int.fetchOne(db, sql: text) ?? 0)", "return steps.dropFirst(known)"], False),
    (["return try steps.dropFirst(Int.fetchOne(db, sql: text) ?? 0)"], True),
    (["func version(of db: Database) throws -> Int { try Int.fetchOne(db, sql: text) ?? 0 }",
      "for step in try steps.dropFirst(Self.version(of: db)) { try step(db) }"], True),
    (["func version(of db: Database) throws -> Int { try Int.fetchOne(db, sql: text) ?? 0 }",
      "let known = try Self.version(of: db)", "return steps.dropFirst(known)"], True),
    (["func version(of db: Database) throws -> Int { try Int.fetchOne(db, sql: text) ?? 0 }",
      "let known = try max(0, Self.version(of: db))", "return steps.dropFirst(known)"], False),
]


def tried():
    wrong = [lines for lines, isListed in CASES if bool(findings(lines)) != isListed]
    for lines in wrong:
        print("outside_numbers.py does not do what it says:\n  " + "\n  ".join(lines), file=sys.stderr)
    return not wrong


def main():
    if not tried():
        return 2
    total = 0
    for folder in sys.argv[1:]:
        for path in sorted(Path(folder).rglob("*.swift")):
            if path.name in CHECKED:
                continue
            for number, text, why in findings(path.read_text(encoding="utf-8").split("\n")):
                print(f"{path}:{number}: {why}: check it, clamp it, or say why it is safe with `// {MARK} why`\n    {text}")
                total += 1
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
