"""Compares the cases with what the programs have: a command, call or endpoint without a case is an error."""

import re
import subprocess

from cases import ROOT
from commands import COVERED
from measure import environment
from servers import CALLS, ENDPOINTS

# Options that take a file or folder and have no cases, each with the reason. `*` is every option of a command.
WRITES = "is written, not read"
CERTIFICATES = "the TLS library reads it, when a connection is made"
RELEASE = "needs a tenant; the folder is read as that of `policy build`, which has cases"
EXEMPT = {
    **{(command, option): WRITES for command in ("run", "merge") for option in (
        "--trace", "--coverage-json", "--coverage-cobertura")},
    ("policy log", "--write"): WRITES, ("init", "*"): WRITES, ("serve", "--journey-recorder"): WRITES,
    ("validate", "--ca-file"): CERTIFICATES, ("token", "--ca"): CERTIFICATES, ("serve", "--certificate-directory"): CERTIFICATES,
    ("certificate", "*"): CERTIFICATES,
    ("serve", "--policies"): "is read as the folder of `policy list`, which has cases",
    ("serve", "--settings"): "is read as that of `policy list`, which has cases",
    ("record", "*"): "a server of its own; the import that follows is that of `import har`",
    ("policy build", "--output"): WRITES,
    **{(f"policy {name}", option): RELEASE for name, option in (
        ("pull", ""), ("plan", ""), ("drift", ""), ("deploy", "--policies"), ("keys list", ""), ("keys plan", "--manifest"),
        ("keys deploy", "--manifest"), ("keys rotate", "--manifest"))},
    **{(f"policy {name}", "--settings"): "is read as that of `policy list`, which has cases"
       for name in ("build", "needs", "pull", "plan", "deploy", "keys list", "drift")},
    ("lsp", "--settings"): "is read as that of `policy list`, which has cases",
    ("lsp", "--root"): "the folder of an editor; its files are read as `validate` reads them, which has cases",
    ("mcp", "--root"): "the folder that tools may read; each reads as the command of its kind, which has cases",
    ("policy migrate", "--scripts"): "is read as the folder of `run`, which has cases",
    **{(f"extension {name}", option): "needs a function that answers; the file is read as that of `token` or `policy list`, or is small"
       for name in ("call", "test", "compare") for option in ("--tenant", "--ca", "--key", "--input", "--policies")},
    ("explain", "--policies"): "is read as the folder of `policy list`, which has cases",
}

# Values of options that name something to read.
PLACES = re.compile(r"<(?:[\w-]*(?:file|folder|path|paths|parts|part|old|new|place|thing|things|token|target)[\w|-]*)>")
# What an option does that only writes.
WRITING = re.compile(
    r"^(?:write|also write|writes|the folder to write|also put|put the|where to write|keep|wall times|print)\b", re.I)


def usage(program, words):
    done = subprocess.run(
        [program, *words, "--help-all" if words == ["run"] else "--help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env=environment("/"), timeout=60)
    return done.stdout.decode("utf-8", "replace")


def options(text):
    """What each argument or option of a help text does, by its name; arguments have the name ''."""
    found = []
    for line in re.sub(r"\n {10,}(?=\S)", " ", text).splitlines():
        option = re.match(r"  (-[-\w, ]+?)(?:\s+(<[^>]+>))?(?:\s{2,}|\s|$)(.*)$", line)
        argument = re.match(r"  (<[^>]+>)\s+(.*)$", line)
        if option and option[2]:
            names = re.findall(r"--[\w-]+", option[1])
            found.append((names[-1] if names else option[1], option[2], option[3]))
        elif argument:
            found.append(("", argument[1], argument[2]))
    return found


def commands(program, words=()):
    """Every command with its help text."""
    text = usage(program, list(words))
    names = re.findall(r"^  ([a-z][a-z-]*)(?=\s|$)", "".join(text.split("SUBCOMMANDS:")[1:]), re.M)
    if not names:
        yield " ".join(words), text
    for name in names:
        if name != "help":
            yield from commands(program, (*words, name))


def missing(programs):
    """What has no case, as sentences."""
    said = []
    every = list(commands(str(programs / "b2c")))
    if len(every) < 10:
        said.append("b2c --help does not list the commands in the form that inventory.py reads")
    for command, text in every:
        for option, value, meaning in options(text):
            if not PLACES.search(value) or WRITING.search(meaning.strip()):
                continue
            if {(command, option), (command.split(" ")[0], "*")} & (COVERED | EXEMPT.keys()):
                continue
            said.append(f"b2c {command} {option or value}".strip() + ": no case reads such a file")
    reference = (ROOT / "docs" / "control-api.md").read_text()
    calls = set(re.findall(r"^### `([A-Z]+ /\S*)`", reference, re.M))
    said += [f"{call} of the control interface has no case" for call in sorted(calls - CALLS)]
    table = (ROOT / "Sources" / "Authority" / "B2CProtocol" / "Wire" / "AuthorityEndpoint.swift").read_text()
    declared = table.split("public var word")[0]
    endpoints = {
        re.match(r"\w+", name.strip())[0] for line in re.findall(r"^    case (.+)$", declared, re.M)
        for name in re.sub(r"\([^)]*\)", "", line).split(",")}
    said += [f"the endpoint {name} of the authority has no case" for name in sorted(endpoints - ENDPOINTS)]
    return said
