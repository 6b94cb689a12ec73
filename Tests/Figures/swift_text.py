"""Reads Swift sources well enough to count in them: what is a comment, a string or code, and where a function ends.

It knows no types. Comments and the contents of strings become blanks of the same length, so that a place in one text is the
same place in the other.
"""
import re
from pathlib import Path

# Three quotes begin a long string at the end of a line only: `#""""#` is a string of two quotes.
START = re.compile(r'//|/\*|(#*)("""(?=[ \t]*(?:\n|$))|")')
BLANK = re.compile(r"[^\n]")
MODIFIERS = (
    r"(?:@\w+(?:\([^()]*\))?\s+)*"
    r"(?:(?:public|package|internal|private|fileprivate|open|final|indirect|nonisolated|distributed|unowned)(?:\(\w+\))?\s+)*")
TYPE = re.compile(rf"^[ ]*{MODIFIERS}(struct|enum|class|actor|protocol|typealias)\s+`?(\w+)", re.M)
FUNCTION = re.compile(r"\bfunc\s+(`?\w+`?|[-+*/%<>=!&|^~?.]+)\s*(?:<[^>{}()]*>)?\(|(?<![.\w])(init)[?!]?(?:<[^>{}()]*>)?\(")
MEMBER = re.compile(r"\b(func|var)\s+(\w+)((?:(?!\b(?:func|var|let|case|init)\b)[^{}])*)\{")
# What comes before a character that text is compared with, or that is searched for.
LOOKING = r"(?:[=!]=\s|\bcase\s(?:[^\n:]*?,\s)?|\b(?:at|find|firstIndex|offset|skip|take)\((?:of:\s)?(?:[\w.]+,\s)*)"
# What may come between the parameters of a function and its body.
SIGNATURE = re.compile(r"\b(?:func|var|let|case|init|struct|enum|class|protocol|extension|typealias|subscript)\b|[;}]|\n\s*\n")


def blank(text):
    return BLANK.sub(" ", text)


def end_of_string(text, at, hashes, quote):
    """The place after the string whose contents start here."""
    close, escape = quote + hashes, "\\" + hashes
    while at < len(text):
        if text.startswith(close, at):
            return at + len(close)
        if text.startswith(escape, at):
            at += len(escape)
            at = end_of_interpolation(text, at + 1) if text.startswith("(", at) else at + 1
        elif text[at] == "\n" and quote == '"':
            # A quote that starts no string, such as one of a regular expression.
            return at
        else:
            at += 1
    return at


def end_of_interpolation(text, at):
    depth = 1
    while at < len(text) and depth:
        match = START.match(text, at)
        if match and match.group(2):
            at = end_of_string(text, match.end(), match.group(1), match.group(2))
            continue
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return at


def split(text):
    """(parts): `kind`, start and end of each comment and string of a text."""
    at = 0
    while match := START.search(text, at):
        start, found = match.start(), match.group(0)
        if found == "//":
            at = text.find("\n", start)
            at = len(text) if at < 0 else at
            yield "comment", start, at
        elif found == "/*":
            at = text.find("*/", start + 2)
            at = len(text) if at < 0 else at + 2
            yield "comment", start, at
        else:
            at = end_of_string(text, match.end(), match.group(1), match.group(2))
            yield "string", start, at


class Source:
    """A Swift file."""

    def __init__(self, root, path, module):
        self.path, self.module = path, module
        self.text = (Path(root) / path).read_text(encoding="utf-8")
        self.parts = list(split(self.text))
        # Without comments; without strings too.
        self.uncommented = self._without(("comment",))
        self.code = self._without(("comment", "string"))

    def _without(self, kinds):
        pieces, last = [], 0
        for kind, start, end in self.parts:
            if kind in kinds:
                pieces += [self.text[last:start], blank(self.text[start:end])]
                last = end
        return "".join(pieces) + self.text[last:]

    @property
    def lines(self):
        return self.text.count("\n") + (0 if self.text.endswith("\n") or not self.text else 1)

    def line(self, place):
        return self.text.count("\n", 0, place) + 1

    def closing(self, place):
        """The place of the bracket that closes the one here."""
        depth = 0
        for match in re.compile(r"[][(){}]").finditer(self.code, place):
            depth += 1 if match.group(0) in "([{" else -1
            if depth == 0:
                return match.start()
        return len(self.code)

    def types(self):
        """(name, line, whether it is declared inside of another) of each type."""
        depth, last = 0, 0
        for match in TYPE.finditer(self.code):
            between = self.code[last:match.start()]
            depth, last = depth + between.count("{") - between.count("}"), match.start()
            yield match.group(2), self.line(match.start(2)), depth > 0

    def top_level_types(self):
        """(name, line) of each type that is declared outside of all others."""
        return [(name, line) for name, line, isNested in self.types() if not isNested]

    def functions(self):
        """(name, line, parameters, number of lines or `None` without a body) of each function and initializer."""
        for match in FUNCTION.finditer(self.code):
            opening = match.end() - 1
            end = self.closing(opening)
            brace = self.code.find("{", end)
            hasBody = brace >= 0 and not SIGNATURE.search(self.code[end + 1:brace])
            lines = self.line(self.closing(brace)) - self.line(match.start()) + 1 if hasBody else None
            yield match.group(1) or "init", self.line(match.start()), self._parameters(opening + 1, end), lines

    def members(self):
        """(name, place, body) of each function and computed property."""
        for match in MEMBER.finditer(self.code):
            if match.group(1) == "func" or "=" not in match.group(3):
                yield match.group(2), match.start(), self.code[match.end():self.closing(match.end() - 1)]

    def looks_for(self, character):
        """The first place that compares text with a character, or searches for it; `None` if there is none. A place that only
        writes the character does not count."""
        literal = {'"': r'\\"', "\\": r"\\\\"}.get(character, re.escape(character))
        value = rf'(?:UInt8\(ascii: "{literal}"\)|0x{ord(character):02X}\b|"{literal}")'
        match = re.search(rf"{LOOKING}{value}", self.uncommented)
        return match and match.start()

    def _parameters(self, start, end):
        parameters, depth, last = [], 0, start
        for match in re.compile(r"->|[][(){}<>,]").finditer(self.code, start, end):
            found = match.group(0)
            if found in "([{<":
                depth += 1
            elif found in ")]}>":
                depth -= 1
            elif found == "," and depth == 0:
                parameters.append(self.code[last:match.start()].strip())
                last = match.end()
        parameters.append(self.code[last:end].strip())
        return [one for one in parameters if one]

    def string_literals(self):
        """(contents, place) of each string without its quotes; the lines of a long one are joined as Swift joins them."""
        for kind, start, end in self.parts:
            if kind != "string":
                continue
            text = self.text[start:end].strip("#")
            if text.startswith('"""'):
                lines = text[3:-3].split("\n")[1:-1]
                text = re.sub(r"\\\n\s*", "", "\n".join(lines))
            else:
                text = text[1:-1]
            yield text, start

    def doc_comments(self):
        """The text of each block of `///` lines."""
        block = []
        for line in self.text.split("\n"):
            stripped = line.strip()
            if stripped.startswith("///"):
                block.append(stripped[3:].strip())
            elif block:
                yield block
                block = []
        if block:
            yield block
