"""Manual pages from what a program says about itself (`--experimental-dump-help` of Swift Argument Parser)."""

import json
import os
import subprocess
import sys


def pages(program, version, date):
    """The pages of a program and its subcommands: file name to text (roff, man macros)."""
    said = subprocess.run([program, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
    found = {}
    walk(json.loads(said)["command"], [], version, date, found)
    return found


def walk(command, above, version, date, found):
    words = above + [command["commandName"]]
    children = [child for child in command.get("subcommands", []) if child["commandName"] != "help" and child.get("shouldDisplay", True)]
    found["-".join(words) + ".1"] = page(command, words, children, version, date)
    for child in children:
        walk(child, words, version, date, found)


def escape(text):
    """Backslashes, dashes (which man would otherwise make typographic), and periods and quotes at the start of a line."""
    lines = []
    for line in text.replace("\\", "\\e").replace("-", "\\-").split("\n"):
        lines.append("\\&" + line if line[:1] in (".", "'") else line)
    return "\n".join(lines)


def form(argument):
    """`-v, --verbose` or `--seed <number>`, as the help shows it."""
    if argument["kind"] == "positional":
        return "<" + argument["valueName"] + ">"
    names = [("-" if name["kind"] == "short" else "--") + name["name"] for name in argument.get("names", [])]
    value = " <" + argument["valueName"] + ">" if argument["kind"] == "option" else ""
    return ", ".join(names) + value


def page(command, words, children, version, date):
    arguments = [argument for argument in command.get("arguments", []) if argument.get("shouldDisplay", True)]
    title = "-".join(words)
    lines = [
        f'.TH {escape(title.upper())} 1 "{date}" "b2c-harness {version}" "b2c-harness"',
        ".SH NAME", f"{escape(title)} \\- {escape(command.get('abstract', '').rstrip('.'))}",
        ".SH SYNOPSIS", f".B {escape(' '.join(words))}",
    ]
    if any(argument["kind"] != "positional" for argument in arguments):
        lines.append("[\\fIoptions\\fR]")
    for argument in arguments:
        if argument["kind"] == "positional":
            name = f"\\fI{escape(argument['valueName'])}\\fR" + (" ..." if argument.get("isRepeating") else "")
            lines.append(f"[{name}]" if argument.get("isOptional") else name)
    if children:
        lines.append("\\fIsubcommand\\fR")
    if command.get("discussion"):
        lines += [".SH DESCRIPTION"]
        for number, paragraph in enumerate(command["discussion"].strip().split("\n\n")):
            lines += ([".PP"] if number else []) + (
                [".nf", escape(paragraph), ".fi"] if paragraph.startswith("  ") else [escape(paragraph)])
    sections = {}
    for argument in arguments:
        default = "ARGUMENTS" if argument["kind"] == "positional" else "OPTIONS"
        sections.setdefault((argument.get("sectionTitle") or default).upper(), []).append(argument)
    for name, members in sections.items():
        lines.append(f".SH {escape(name)}")
        for argument in members:
            said = argument.get("abstract", "")
            if argument.get("defaultValue"):
                said += f" (default: {argument['defaultValue']})"
            lines += [".TP", f".B {escape(form(argument))}", escape(said) or "\\&"]
    if children:
        lines.append(".SH SUBCOMMANDS")
        for child in children:
            lines += [".TP", f".BR {escape('-'.join(words + [child['commandName']]))} (1)", escape(child.get("abstract", "")) or "\\&"]
    if len(words) > 1:
        lines += [".SH SEE ALSO", f".BR {escape('-'.join(words[:-1]))} (1)"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    # packaging/manual.py FOLDER VERSION DATE PROGRAM...: writes the pages, for the Homebrew formula.
    folder, version, date, *programs = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for program in programs:
        for name, text in pages(program, version, date).items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
