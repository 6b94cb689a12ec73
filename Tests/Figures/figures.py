#!/usr/bin/env python3
"""Counts what the modules repeat, so that a change shows whether the code gets simpler. `make figures` runs it.

    Tests/Figures/figures.py [--json] [--places FIGURE]

It prints a table: what is counted, the number now, the goal. --json prints the same with every place. --places prints the
places of one figure, as FILE:LINE; a name that does not exist lists the figures.

Each function below says in its comment what exactly it counts. Nothing that is counted is a list that a person keeps, so a
figure can also rise. Exit code: 0, or 1 if something that a scan starts from does not exist any more.
"""
import argparse
import json
import re
import sys
from pathlib import Path

from swift_text import Source, blank, split

ROOT = Path(__file__).resolve().parents[2]


class Figure:
    """One row. `places` are what was counted, so the number is their count unless `value` says another."""

    def __init__(self, name, title, goal, places, value=None, detail=""):
        self.name, self.title, self.goal, self.places = name, title, goal, places
        self.value = len(places) if value is None else value
        self.detail = detail

    @property
    def shown(self):
        number = f"{self.value:,}" if isinstance(self.value, int) else f"{self.value:g}"
        return number + (f" ({self.detail})" if self.detail else "")

    @property
    def json(self):
        return {"name": self.name, "title": self.title, "value": self.value, "goal": self.goal, "detail": self.detail,
                "places": self.places}


def place(source, at):
    line = source.line(at)
    return f"{source.path}:{line}: {source.text.splitlines()[line - 1].strip()}"


def declaring(declaration, sources):
    """The file that declares a type."""
    for source in sources:
        if re.search(rf"\b{declaration}\b", source.code):
            return source
    print(f"figures: no module declares `{declaration}`: correct the scan in Tests/Figures/figures.py", file=sys.stderr)
    sys.exit(1)


# --- The package


class Package:
    """The targets of Package.swift: name to folder and the modules that they may import."""

    PRODUCT = re.compile(r'\.product\(\s*name:\s*("[^"]*")[^()]*\)')
    NAME = re.compile(r'"(\w+)"')

    def __init__(self, text):
        text = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("//"))
        text = self.PRODUCT.sub(r"\1", text)
        for name, product in re.findall(r'let (\w+): Target\.Dependency = ("\w+")', text):
            text = re.sub(rf"\b{name}\b", lambda _: product, text)
        self.targets = {}
        for floor in re.split(r"\bfloor\((?=\s*\")", text)[1:]:
            for call, rest in self._calls(floor, r"\bmodule\("):
                name, lists = self.NAME.match(call).group(1), re.findall(r"\[([^][]*)\]", call)
                self.targets[name] = (f"Sources/{self.NAME.search(floor).group(1)}/{name}", self.NAME.findall(lists[0]))
        for call, rest in self._calls(text, r"\.(?:target|executableTarget)\("):
            name = re.match(r'\s*name:\s*"(\w+)"', call)
            if not name:
                continue
            folder = re.search(r'\bpath:\s*"([^"]*)"', call)
            uses = re.search(r"\bdependencies:\s*(\w+|\[[^][]*\])", call)
            used = uses.group(1) if uses else ""
            if re.fullmatch(r"\w+", used):
                used = re.search(rf"let {used}: \[Target\.Dependency\] = (\[[^][]*\])", text).group(1)
            self.targets[name.group(1)] = (
                folder.group(1) if folder else f"Sources/{name.group(1)}", self.NAME.findall(used))

    @staticmethod
    def _calls(text, pattern):
        """The arguments of each call, and what follows it."""
        for match in re.finditer(pattern, text):
            depth, at = 1, match.end()
            while depth:
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                at += 1
            call = text[match.end():at - 1].strip()
            if not call.startswith("_ name"):
                yield call, text[at:]

    @property
    def modules(self):
        """The targets of the two programs and of the library."""
        return {name: one for name, one in self.targets.items() if one[0].startswith(("Sources/", "mock-server/"))}


IMPORT = re.compile(r"^[ ]*(?:@\w+[ ]+)*(?:(?:public|package|internal|private|fileprivate)[ ]+)?import[ ]+"
                    r"(?:(?:struct|class|enum|func|protocol|typealias|var|let)[ ]+)?(\w+)", re.M)


def edges(package, sources):
    """Dependencies of a module in Package.swift that no file of the module imports. Products of other packages count, modules of C,
    which include, do not."""
    imported = {}
    for source in sources:
        imported.setdefault(source.module, set()).update(IMPORT.findall(source.code))
    return [f"Package.swift: {name} -> {used}" for name, (_, uses) in sorted(package.modules.items())
            if name in imported for used in uses if used not in imported.get(name, set())]


# --- The scans


def top_level_types(sources):
    """Names of structs, enums, classes, actors, protocols and type aliases outside of other types that two modules, or two
    files, declare; private ones too, since a reader meets them as well. One place for each name."""
    found = {}
    for source in sources:
        for name, line in source.top_level_types():
            found.setdefault(name, []).append(f"{source.path}:{line}")
    return [f"{name}: {', '.join(places)}" for name, places in sorted(found.items()) if len(places) > 1]


def nested_types(sources):
    """Names of types inside of other types that a type outside of all others has too, in any module: `PageRules.Kind` while there
    is a `Kind`. One place for each name."""
    top = {name for source in sources for name, _ in source.top_level_types()}
    found = {}
    for source in sources:
        for name, line, isNested in source.types():
            if isNested and name in top:
                found.setdefault(name, []).append(f"{source.path}:{line}")
    return [f"{name}: {', '.join(places)}" for name, places in sorted(found.items())]


def verb_names(sources):
    """Strings in Exploration, PolicyTools and b2c that are the key of a verb, or have it in quotes, as scenarios have that are built or edited as
    JSON. The verbs are the `static let name = "..."` of the records in Verbs. A string that means something else by the same
    word, such as `configure` of a scenario, counts too."""
    records = declaring("struct Verb", sources).module
    verbs = "|".join(sorted({name for source in sources if source.module == records
                             for name in re.findall(r'\bstatic let name = "(\w+)"', source.uncommented)}))
    return [place(source, at) for source in sources if source.module in ("Exploration", "PolicyTools", "b2c")
            for text, at in source.string_literals() if re.search(rf'^(?:{verbs})$|"(?:{verbs})\\?"', text)]


def verb_reads(sources):
    """Reads of a step's parameters from JSON, in Verbs, Scenarios and ScenarioRunner: `parameters["scopes"]`, `parameters[key]` and
    `step.parameters["x"]`; the same of a name bound to `parameters.objectValue` in the same function; and the parameters as a
    whole, as in `parameters.stringValue`, for the verbs that take one value.

    A value that was read and is then read further, such as the members of `account`, counts once."""
    byKey, whole = [], []
    for source in sources:
        if source.module not in ("Verbs", "Scenarios", "ScenarioRunner"):
            continue
        code = source.uncommented
        byKey += [place(source, match.start()) for match in re.finditer(r"\bparameters\??\s*\[", code)]
        for match in re.finditer(r"\b(?:let|var)\s+(\w+)\s*=\s*(?:\w+\.)*parameters\??\.objectValue\b", code):
            end = code.find("\n    func ", match.end())
            scope = code[match.end():end if end > 0 else len(code)]
            byKey += [place(source, match.end() + one.start()) for one in re.finditer(rf'\b{match.group(1)}\["', scope)]
        whole += [place(source, match.start()) for match in re.finditer(
            r"\bparameters\??\.(?:string|bool|int|double|array)Value\b", code)]
    return byKey, whole


def kind_tests(sources):
    """Decisions by the kind of a client: comparisons with a case of `ClientKind`; a `switch` whose patterns name one, once;
    a list of such cases that is asked whether it contains the kind; uses of a property that is such a comparison and nothing
    else, such as `isApple`.

    Not counted: the declaration of `ClientKind` and its cases, values that are of a kind, the rows of tables that say for
    which kinds a setting applies (`.kinds([...])`), and Diagnosis, whose `Library` is another type with the same cases."""
    declaration = declaring("enum ClientKind", sources)
    start = declaration.code.index("{", declaration.code.index("enum ClientKind"))
    body = declaration.code[start:declaration.closing(start)]
    cases = re.findall(r"^    +case (\w+)(?: =|$)", body, re.M)
    # `web` is a case of other enums, too: it counts where the other side of the comparison is called kind.
    own = [name for name in cases if name != "web"]
    ownCase = rf"\.(?:{'|'.join(own)})\b"
    compares = re.compile(rf"[!=]=\s*{ownCase}|\b\w*[kK]ind\s*[!=]=\s*\.web\b")
    word = re.compile(
        r"\bvar\s+(is\w+):\s*Bool\s*\{\s*((?:(?:\w+\.)*(?:kind|self)\s*[!=]=\s*\.\w+\s*(?:\|\||&&)?\s*)+)\}")
    words = sorted({match.group(1) for one in sources for match in word.finditer(one.code) if compares.search(match.group(2))})
    inClients, elsewhere = [], []
    for source in sources:
        if source.module == "Diagnosis":
            continue
        code, at = source.code, []
        at += [match.start() for match in compares.finditer(code)]
        for match in re.finditer(r"\bswitch\b[^{}\n]*\{", code):
            if source is declaration and start < match.start() < declaration.closing(start):
                continue
            inner = code[match.end():source.closing(match.end() - 1)]
            if re.search(rf"\bcase\s+(?:\.\w+\s*,\s*)*{ownCase}", inner):
                at.append(match.start())
        at += [match.start() for match in re.finditer(rf"\[[^][]*{ownCase}[^][]*\]\s*\.contains\(", code)]
        for name in words:
            if not re.search(rf"\b(?:let|var)\s+{name}\s*[:=](?!\s*Bool\s*\{{)", code) or source.module == "Clients":
                at += [match.start() for match in re.finditer(rf"(?<!var )(?<!let )\b{name}\b(?!\s*:)", code)]
        (inClients if source.module == "Clients" else elsewhere).extend(place(source, one) for one in sorted(at))
    return inClients, elsewhere


def settings_keys(sources):
    """For each key of `ClientSettings`, in how many places its record writes it: the stored property, the parameter of the
    initializer, its assignment, the key in the table and the key path in the table. The number is the mean.

    A row needs three: the property has the type and the default, the key path reads and writes it, and the key is its name
    in files. Swift has no way from a key path to a name that a release build keeps, and in records with parts the two
    differ: the key `policy` of a call is `target.policy`."""
    source = declaring("struct ClientSettings", sources)
    start = source.code.index("struct ClientSettings")
    end = source.closing(source.code.index("{", start))
    # What follows in extensions belongs to the record.
    code, text = source.code, source.uncommented
    keys = re.findall(r"^    public var (\w+)(?:: | = )[^{\n]*$", code[start:end], re.M)
    places = []
    for key in keys:
        ways = [rf"^    public var {key}\b", rf"^        {key}: [^\n]*?(?:,|\n|\))", rf"^        self\.{key} = ", rf'"{key}"',
                rf"\\\.{key}\b"]
        for way in ways:
            places += [place(source, match.start()) for match in re.finditer(way, text, re.M)][:1]
    return places, round(len(places) / max(1, len(keys)), 1), len(keys)


SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])")


def sentences(text):
    flat = re.sub(r"\s+", " ", text).strip()
    return [one.rstrip(". ") for one in SENTENCE.split(flat) if one.rstrip(". ")]


def doc_sentences(sources):
    """Sentences of `///` comments in Records, B2CProtocol and TenantFiles that a string of the module says in the same words, such as the meaning of
    a setting or of an error code. Blanks and the full stop at the end do not matter."""
    own = [one for one in sources if one.module in ("Records", "B2CProtocol", "TenantFiles")]
    written = set()
    for source in own:
        for text, _ in source.string_literals():
            written.update(sentences(text))
    places, total = [], 0
    for source in own:
        for block in source.doc_comments():
            for paragraph in " ".join(line or "\n" for line in block).split("\n"):
                for one in sentences(paragraph):
                    total += 1
                    if one in written:
                        places.append(f"{source.path}: {one}")
    return places, total


def escapers(sources):
    """Files with code that writes `&lt;` for `<`. A string that is `&lt;` and nothing else is one, unless a comma and `<`
    follow: that is a row of a table for the other direction."""
    places = []
    for source in sources:
        found = [match for match in re.finditer(r'"&lt;"(?!\s*,\s*"<")', source.uncommented)]
        if found:
            places.append(place(source, found[0].start()))
    return places


def readers(sources, characters, parser=None):
    """Files that look for all of these characters, so that they read a language of their own accord: `{`, a quote and a backslash
    are JSON, `<`, `>` and `/` are markup, `|`, `?` and `(` are a regular expression. A file that only writes them does not
    count, and neither does one that asks a reader. `parser` is a type whose use counts as well."""
    places = []
    for source in sources:
        found = [source.looks_for(one) for one in characters]
        use = re.search(rf"\b{parser}\b", source.code) if parser else None
        if None not in found or use:
            places.append(place(source, use.start() if use else min(found)))
    return places


def hosted_pages(sources):
    """Files that write what the script of a hosted page sends: `request_type` with its value. Pages are scripts, too. Code that
    reads such a post does not count, and neither does code that asks `HostedForm` for it, as the browser does."""
    wrote = re.compile(r"""["']request_type["']\s*[,:]\s*["'][A-Z_]+["']""")
    scripts = [Source(ROOT, str(path.relative_to(ROOT)), "") for path in sorted((ROOT / "Sources").rglob("*.js"))]
    return [place(source, match.start()) for source in [*sources, *scripts] if (match := wrote.search(source.text))]


def redirect_uris(sources):
    """Functions and properties that answer "which redirect URI does this app use?": their name says redirect, and they look at
    the redirect URIs of the registration."""
    return [place(source, at) for source in sources for name, at, body in source.members()
            if "redirect" in name.lower() and re.search(r"\bredirectUris\b", body)]


def unlabelled(functions):
    """Functions and initializers with three or more parameters that calls do not name (`_ step: Step`)."""
    return [f"{source.path}:{line}: {name}" for source, (name, line, parameters, _) in functions
            if sum(bool(re.match(r"(?:@\w+\s+)*_\s", one)) for one in parameters) >= 3]


def long_functions(functions):
    """Functions and initializers of more than 60 lines, from `func` to the closing bracket."""
    found = [(lines, f"{source.path}:{line}: {name}, {lines} lines") for source, (name, line, _, lines) in functions
             if lines and lines > 60]
    return [text for _, text in sorted(found, key=lambda one: (-one[0], one[1]))]


# --- The table


def figures():
    package = Package((ROOT / "Package.swift").read_text(encoding="utf-8"))
    sources = [
        Source(ROOT, str(path.relative_to(ROOT)), name) for name, (folder, _) in sorted(package.modules.items())
        for path in sorted((ROOT / folder).rglob("*.swift"))]
    functions = [(source, one) for source in sources for one in source.functions()]
    byKey, whole = verb_reads(sources)
    inClients, elsewhere = kind_tests(sources)
    keys, mean, keyCount = settings_keys(sources)
    twice, every = doc_sentences(sources)
    return [
        Figure("lines", "Lines of Swift in `Sources` and `mock-server`", "fewer", [], sum(one.lines for one in sources)),
        Figure("verb-names", "Verb names as strings in `Exploration`, `PolicyTools` and `b2c`", "0", verb_names(sources)),
        Figure("verb-reads", "Reads of verb parameters as JSON", "0", byKey + whole,
               detail=f"{len(byKey)} by key, {len(whole)} as a whole"),
        Figure("kind-tests-clients", "Tests of the client kind in `Clients`", "under 15 with the next", inClients),
        Figure("kind-tests-elsewhere", "Tests of the client kind elsewhere, without `Diagnosis`", "under 15 in all", elsewhere),
        Figure("settings-keys", "Times that a key of `ClientSettings` is written", "3", keys, mean, f"{keyCount} keys"),
        Figure("doc-sentences", "Doc sentences in `B2CProtocol` and `TenantFiles` that are also a string", "0", twice, detail=f"of {every:,}"),
        Figure("json-walkers", "JSON walkers", "4", readers(sources, "{\"\\")),
        Figure("markup-readers", "XML and HTML readers", "3", readers(sources, "<>/", parser="XMLParserDelegate")),
        Figure("escapers", "XML and HTML escapers", "2", escapers(sources)),
        Figure("pattern-engines", "Pattern engines", "2", readers(sources, "|?(")),
        Figure("hosted-pages", "Places that know how a person fills in a hosted page", "2", hosted_pages(sources)),
        Figure("redirect-uris", "Answers to \"which redirect URI does this app use?\"", "1", redirect_uris(sources)),
        Figure("type-names", "Top-level type names that are declared more than once", "0", top_level_types(sources)),
        Figure("nested-types", "Nested type names that repeat a top-level one", "0", nested_types(sources)),
        Figure("edges", "Module dependencies that no import uses", "0", edges(package, sources)),
        Figure("unlabelled", "Functions with three or more unlabelled parameters", "under 250", unlabelled(functions)),
        Figure("long-functions", "Functions over 60 lines", "under 8", long_functions(functions)),
    ]


# The readers of Swift and of the package are tried on these each time.
def tried():
    class Text(Source):
        def __init__(self, text, module="A"):
            self.path, self.module, self.text, self.parts = "a.swift", module, text, list(split(text))
            self.uncommented, self.code = self._without(("comment",)), self._without(("comment", "string"))

    strings = Text('let a = "x \\(b("}")) // y" // c\nlet d = #"\\"# + """\n  e "f"\n  """ + g\n')
    types = Text("@main struct A { struct B {} }\npublic indirect enum C: Int {\n  case struct_\n}\n#if X\n    typealias D = A\n#endif\n")
    calls = Text("protocol P { func a(_ b: Int, c: Int)\n func d() }\nfunc e<T>(_ f: [T: Int], _ g: (T, T) -> T) async throws(X) -> Int {\n 1\n}\n"
                 "init?(_ h: Int = i(1, 2)) { self.init(1) }")
    walker = Text('if byte == UInt8(ascii: "{") { skip("\\\\") } else if take("\\"") { f(0x2F) }\ncase "a", 0x3C: out.append("<>")')
    verbs = [Text('struct Verb {}\nstatic let name = "open"', "Verbs"),
             Text('a("open", "opens", "xopen")\nb(#"{"open": 1}"#)\nc("{\\"open\\": 1}")', "b2c"), Text('"open"', "C")]
    nested = [Text("struct A {\n struct B {}\n enum C {}\n}"), Text("enum C {}\nextension C {\n class A {}\n}")]
    redirects = [Text("var redirectURI: String? { redirectUris.first }\nfunc redirect(of a: A = 1) -> B {\n c(redirectUris)\n}\n"
                      "var secret: String { redirectUris }\nvar redirect: Int\nlet redirect = { redirectUris }\n")]
    package = Package('let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")\n'
                      'let more: [Target.Dependency] = ["A", .product(name: "NIO", package: "nio"),\n    crypto]\n'
                      'floor("F", [module("A", ["B", crypto], tests: ["C"])])\n'
                      '.target(name: "D", dependencies: more, path: "mock-server/Sources"),\n'
                      '.executableTarget(name: "e", dependencies: ["A"])')
    checks = {
        "code": strings.code.split() == ["let", "a", "=", "let", "d", "=", "+", "+", "g"],
        "strings": [text for text, _ in strings.string_literals()] == ['x \\(b("}")) // y', "\\", '  e "f"'],
        "length": len(strings.code) == len(strings.text) == len(blank(strings.text)),
        "types": [name for name, _ in types.top_level_types()] == ["A", "C", "D"],
        "nested types": nested_types(nested) == ["A: a.swift:3", "C: a.swift:3"],
        "verb names": [one.split(":")[1] for one in verb_names(verbs)] == ["1", "2", "3"],
        "readers": [character for character in '{\\"/<>a' if walker.looks_for(character) is not None] == list('{\\"<a')
        and len(readers([walker], '{\\"')) == 1 and not readers([walker], "<>/") and len(readers([walker], "<>/", "byte")) == 1,
        "redirects": [one.split(":")[1] for one in redirect_uris(redirects)] == ["1", "2"],
        "functions": [(name, len(parameters), lines) for name, _, parameters, lines in calls.functions()]
        == [("a", 2, None), ("d", 0, None), ("e", 2, 3), ("init", 1, 1)],
        "package": package.targets == {
            "A": ("Sources/F/A", ["B", "Crypto"]), "D": ("mock-server/Sources", ["A", "NIO", "Crypto"]),
            "e": ("Sources/e", ["A"])},
        "sentences": sentences("One thing. And `two`\nthings. e.g. this") == ["One thing", "And `two` things. e.g. this"],
    }
    wrong = [name for name, holds in checks.items() if not holds]
    for name in wrong:
        print(f"figures: the reader of {name} does not do what it says", file=sys.stderr)
    return not wrong


def main():
    parser = argparse.ArgumentParser(usage="figures.py [--json] [--places FIGURE]")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--places", metavar="FIGURE")
    arguments = parser.parse_args()
    if not tried():
        return 2
    rows = figures()
    if arguments.places:
        chosen = [row for row in rows if row.name == arguments.places]
        if not chosen:
            print(f"figures: --places: there is no figure {arguments.places}; they are {', '.join(row.name for row in rows)}",
                  file=sys.stderr)
            return 2
        print("\n".join(chosen[0].places))
    elif arguments.json:
        print(json.dumps({"figures": [row.json for row in rows]}, indent=2, ensure_ascii=False))
    else:
        print("| figure | name | now | goal |\n| --- | --- | --- | --- |")
        for row in rows:
            print(f"| {row.title} | `{row.name}` | {row.shown} | {row.goal} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
