#!/usr/bin/env python3
"""Runs the fuzz targets one after another: `make fuzz` builds them and calls it.

    fuzz.py --list                             prints the targets
    fuzz.py --check [TARGET]                   checks the target's name and the compiler, before anything is built
    fuzz.py --program FUZZ --seconds N [TARGET]

What each target learned stays in FOLDER (.build-fuzz/inputs), and the next run begins with it. Exit status: 0 nothing was
found, 1 something was found, 2 the call or this machine is wrong.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def targets():
    """Names and meanings, in the order of the table in FuzzTarget.swift."""
    text = "\n".join(file.read_text() for file in sorted((HERE / "Targets").glob("*.swift")))
    found = re.findall(r'static let (\w+) = FuzzTarget\(\s*name: "([^"]+)",\s*meaning:\s*"([^"]+)"', text)
    order = re.findall(r"\.(\w+)\b", (HERE / "FuzzTarget.swift").read_text().split("static let all")[1].split("]\n")[0])
    return [(name, meaning) for _, name, meaning in sorted(found, key=lambda entry: order.index(entry[0]))]


def complain(text):
    print(text, file=sys.stderr)
    sys.exit(2)


def choose(name):
    every = targets()
    if not name:
        return [each for each, _ in every]
    if name not in [each for each, _ in every]:
        lines = "\n".join(f"  {each:10} {meaning}" for each, meaning in every)
        complain(f"there is no fuzz target {name}; targets are\n{lines}")
    return [name]


def check_compiler():
    try:
        info = json.loads(subprocess.run(["swiftc", "-print-target-info"], capture_output=True, check=True).stdout)
    except (OSError, subprocess.CalledProcessError, ValueError):
        complain("make fuzz needs swiftc on the PATH.")
    resources = Path(info["paths"]["runtimeResourcePath"])
    libraries = list(resources.glob("clang/lib/**/libclang_rt.fuzzer*")) + list(
        resources.parent.glob("clang/*/lib/**/libclang_rt.fuzzer*"))
    if not libraries:
        complain("this Swift compiler has no libFuzzer (Xcode's has none): install a toolchain from https://www.swift.org/install")


def fuzz(program, target, longest, seconds, folder):
    """One target's row."""
    inputs = folder / target
    corpus = inputs / "corpus"
    finds = inputs / "found"
    shutil.rmtree(inputs / "seeds", ignore_errors=True)
    shutil.rmtree(finds, ignore_errors=True)
    for each in (corpus, finds):
        each.mkdir(parents=True, exist_ok=True)
    subprocess.run([program, "seeds", target, str(inputs)], check=True, cwd=ROOT)
    command = [
        str(program), "run", target, str(corpus), str(inputs / "seeds")]
    kept = HERE / "corpus" / target
    if kept.is_dir():
        command.append(str(kept))
    command += [
        f"-max_total_time={seconds}", f"-max_len={longest}", "-timeout=10", "-rss_limit_mb=2048", "-print_final_stats=1",
        f"-artifact_prefix={finds}/", f"-dict={inputs / 'words'}", "-verbosity=1"]
    # Swift's own report of a crash would come before libFuzzer's, which keeps the input.
    result = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "SWIFT_BACKTRACE": "enable=no"}, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace")
    log = inputs / "log"
    log.write_text(result.stdout)

    def last(pattern, otherwise="0"):
        found = re.findall(pattern, result.stdout)
        return found[-1] if found else otherwise

    row = {
        "target": target,
        "executions": int(last(r"stat::number_of_executed_units:\s*(\d+)", last(r"^#(\d+)\s"))),
        "rate": int(last(r"stat::average_exec_per_sec:\s*(\d+)", last(r"exec/s: (\d+)"))),
        "edges": int(last(r"\bcov: (\d+)")),
        "corpus": sum(1 for _ in corpus.iterdir()),
        "found": "nothing",
        "input": None,
    }
    if result.returncode != 0:
        row["found"] = found_what(result.stdout)
        files = sorted(finds.iterdir(), key=lambda file: file.stat().st_mtime)
        row["input"] = files[-1] if files else log
    return row


def found_what(text):
    for pattern in [r"^property does not hold: (.*)$", r"^.*(Fatal error.*)$", r"ERROR: libFuzzer: (.*)$"]:
        found = re.search(pattern, text, re.M)
        if found:
            return re.sub(r"\s+", " ", found.group(1))[:100]
    return "the program ended"


def table(rows):
    head = ["target", "executions", "executions/s", "edges", "corpus files", "found"]
    lines = [head] + [
        [row["target"], f"{row['executions']:,}", f"{row['rate']:,}", f"{row['edges']:,}", str(row["corpus"]), row["found"]]
        for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    for line in lines:
        cells = [
            cell.ljust(width) if column in (0, 5) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths))]
        print("  ".join(cells).rstrip())


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--program", type=Path)
    parser.add_argument("--seconds", default="60")
    parser.add_argument("--folder", type=Path, default=ROOT / ".build-fuzz" / "inputs")
    parser.add_argument("target", nargs="?", default="")
    options = parser.parse_args()
    if options.list:
        for name, meaning in targets():
            print(f"{name:10} {meaning}")
        return 0
    chosen = choose(options.target)
    if not options.seconds.isdigit() or int(options.seconds) == 0:
        complain(f"SECONDS={options.seconds} is not a number of seconds; expected a whole number from 1")
    if options.check:
        check_compiler()
        return 0
    if not options.program or not options.program.exists():
        complain("--program FUZZ names the built program: run make fuzz")
    program = options.program.resolve()
    listed = subprocess.run([program, "list"], capture_output=True, text=True, check=True).stdout
    longest = {name: int(size) for name, size in (line.split("\t") for line in listed.splitlines())}
    rows = []
    for target in chosen:
        print(f"fuzzing {target} for {options.seconds} seconds", flush=True)
        rows.append(fuzz(program, target, longest[target], options.seconds, options.folder.resolve()))
    print()
    table(rows)
    finds = [row for row in rows if row["input"]]
    for row in finds:
        print(f"\n{row['target']}: {row['found']}\n  input: {row['input']}")
        print(f"  again: {program} run {row['target']} {row['input']}")
    return 1 if finds else 0


if __name__ == "__main__":
    sys.exit(main())
