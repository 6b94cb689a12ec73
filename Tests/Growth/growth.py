#!/usr/bin/env python3
"""Doubles the inputs of everything that reads a file or a request, and fails where work or memory grow faster.

    growth.py                          every case; `make growth`
    growth.py --short                  the cases most likely to show a defect, about a minute; `.ci/run`
    growth.py --only explain           one subject, or one case: --only explain/one-word
    growth.py --list                   names of subjects and shapes

Work is counted as instructions by `perf`, else as processor time. Exit status: 0 nothing grew, 1 something did, 2 the call or
this machine is wrong.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import commands
import inventory
import measure
import servers
from cases import ROOT
from measure import Bench, counts_instructions

# The most by which work or memory may grow when an input is doubled.
LIMIT = 2.6

# Below this, growth is noise. Work: seconds or instructions of the part that grows. Memory: bytes.
SECONDS = 0.05
INSTRUCTIONS = 150e6
MEMORY = 4 << 20

# An input that needs no work at this size, in bytes, is not made larger.
LARGE = 32 << 20

# Less than this times as much for a doubling: the program did not go on reading.
SHRUNK = 0.7

# How often a size is doubled once its work counts, in the short form and else; more often while the last doubling grew too much.
SHORT_DOUBLINGS = 2
DOUBLINGS = 3
MOST_DOUBLINGS = 5


class Growth:
    """Measures one case at growing sizes."""

    def __init__(self, case, bench, doublings=DOUBLINGS):
        self.case = case
        self.doublings = doublings
        self.bench = bench
        self.taken = {}
        self.base = None
        self.ratios = []
        self.floor = INSTRUCTIONS if bench.perf else SECONDS

    def sample(self, size, again=0):
        """The least of several runs: what disturbs a run only adds to it."""
        for _ in range(again + (size not in self.taken)):
            found = self.case.sample(self.bench, size)
            known = self.taken.get(size)
            if known is None or found.problem:
                self.taken[size] = found
            elif not known.problem:
                known.work = min(known.work, found.work)
                known.memory = min(known.memory, found.memory)
        return self.taken[size]

    def work(self, size):
        return self.taken[size].work - self.base.work

    def memory(self, size):
        return self.taken[size].memory - self.base.memory

    def counts(self, size):
        return self.work(size) > max(self.floor, self.base.work / 4) or self.memory(size) > 4 * MEMORY

    def is_large(self, size):
        """Twice as much would end for its size, not for its growth."""
        found = self.taken[size]
        return LIMIT * found.memory > measure.MEMORY or not self.bench.perf and LIMIT * found.work > measure.SECONDS

    def start(self):
        """The first size whose work counts, or why there is none."""
        case = self.case
        self.base = self.sample(1, again=0 if self.bench.perf else 1)
        if self.base.problem:
            return None, self.base.problem
        size, last, careful = max(2, case.start), 1, False
        while True:
            found = self.sample(size)
            if found.problem:
                return size, found.problem
            if found.refused:
                if careful or size <= 2 * last:
                    return size, None
                careful, size = True, 2 * last
                continue
            if self.counts(size) and not self.bench.perf:
                # Other processes may have made it look so.
                self.sample(size, again=1)
            if self.counts(size) or size * 2 > case.most or found.size > LARGE:
                return size, None
            last = size
            share = self.work(size) / self.floor
            size *= 2 if careful or share > 1 / 4 else 4 if share > 1 / 32 else 16
            if size > case.most:
                size = last * 2

    def ratio(self, size):
        """How much more work and memory a size takes than its half."""
        work = self.work(size) / max(self.work(size // 2), self.floor / 2)
        memory = self.memory(size) / max(self.memory(size // 2), MEMORY)
        return max(work, 0), max(memory, 0)

    def run(self):
        size, problem = self.start()
        if problem:
            return self.result(size or 1, problem)
        if self.taken[size].refused:
            return self.result(size, None, "refused")
        if not self.counts(size):
            return self.result(size, None, "small")
        while len(self.ratios) < MOST_DOUBLINGS:
            if size * 2 > self.case.most or self.ratios and self.is_large(size):
                break
            size *= 2
            found = self.sample(size)
            if found.problem:
                return self.result(size, found.problem)
            if found.refused:
                return self.result(size, None, "refused")
            ratio = self.ratio(size)
            # Just above the limit it may be noise: the least of three runs of both sizes decides.
            if LIMIT < max(ratio) < 3.5 and not self.bench.perf and found.work < 3:
                self.sample(size // 2, again=2)
                self.sample(size, again=2)
                ratio = self.ratio(size)
            if max(ratio) < SHRUNK:
                # It read only a part, or stopped at something else than the size.
                return self.result(size, None, "less")
            self.ratios.append(ratio)
            if len(self.ratios) >= 2 and self.grew() or len(self.ratios) >= self.doublings and max(ratio) <= LIMIT:
                break
        return self.result(size, "grew" if self.grew() else None)

    def grew(self):
        """A step is not growth: the last two doublings have to show it, or the only one that there is."""
        last = self.ratios[-2:]
        return bool(last) and any(all(ratio[kind] > LIMIT for ratio in last) for kind in (0, 1))

    def result(self, size, problem, verdict="ok"):
        found = self.taken[size]
        if problem and problem != "grew" and not self.ratios:
            half = size // 2
            if half in self.taken and found.work:
                self.ratios.append(self.ratio(size))
        work, memory = self.ratios[-1] if self.ratios else (None, None)
        return {
            "subject": self.case.subject, "shape": self.case.shape, "size": size, "bytes": found.size,
            "work": round(found.work, 4), "memory": found.memory, "base": {
                "work": round(self.base.work, 4), "memory": self.base.memory},
            "workRatio": work and round(work, 2), "memoryRatio": memory and round(memory, 2),
            "ratios": [[round(each, 2) for each in pair] for pair in self.ratios],
            "verdict": problem or verdict, "failed": bool(problem), "refusal": found.refused}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default=str(ROOT / ".build" / "release"), metavar="DIR", help="where b2c and mock-server are")
    parser.add_argument("--only", action="append", default=[], metavar="NAME[/SHAPE]", help="these cases only; repeatable")
    parser.add_argument("--short", action="store_true", help="the cases most likely to show a defect")
    parser.add_argument("--list", action="store_true", help="print the cases and end")
    parser.add_argument("--keep", metavar="DIR", help="keep inputs, outputs and commands there")
    parser.add_argument("--json", metavar="FILE", help="write the results there")
    parser.add_argument("--jobs", type=int, default=min(4, os.cpu_count() or 1), metavar="N", help="how many cases at a time")
    return parser.parse_args()


def complain(text):
    print("growth.py: " + text, file=sys.stderr)
    sys.exit(2)


def chosen(options):
    every = commands.CASES + servers.CASES
    names = [case.name for case in every]
    doubled = {name for name in names if names.count(name) > 1}
    if doubled:
        complain("cases of one name: " + ", ".join(sorted(doubled)))
    if options.only:
        for name in options.only:
            if not any(name in (case.name, case.subject) for case in every):
                near = sorted({case.subject for case in every if case.subject.split("-")[0] == name.split("/")[0].split("-")[0]})
                complain(f"there is no case {name}; --list prints all" + (": " + ", ".join(near) if near else ""))
        return [case for case in every if case.name in options.only or case.subject in options.only]
    return [case for case in every if case.short or not options.short]


def amount(count):
    for unit in ("B", "kB", "MB"):
        if count < 1024:
            return f"{count:.0f} {unit}"
        count /= 1024
    return f"{count:.0f} GB"


def times(ratio):
    return "" if ratio is None else f"{ratio:.1f}x" if ratio < 1000 else ">999x"


HEAD = f"{'subject and shape':40}{'input':>8}{'work':>8}{'memory':>8}  result"


def line(result):
    name = f"{result['subject']}/{result['shape']}"
    if len(name) > 39:
        name = name[:38] + "~"
    verdict = re.split(r"\W", result["verdict"])[0] if result["failed"] else result["verdict"]
    return f"{name:40}{amount(result['bytes']):>8}{times(result['workRatio']):>8}{times(result['memoryRatio']):>8}  {verdict}"[:80].rstrip()


def main():
    options = arguments()
    cases = chosen(options)
    if options.list:
        for subject in dict.fromkeys(case.subject for case in cases):
            print(subject + ": " + " ".join(case.shape for case in cases if case.subject == subject))
        return 0
    programs = Path(options.programs).resolve()
    for name in ("b2c", "mock-server"):
        if not os.access(programs / name, os.X_OK):
            complain(f"{programs} has no program {name}: run make release, or name another folder with --programs.")
    missing = [] if options.only else inventory.missing(programs)
    perf = counts_instructions()
    folder = Path(options.keep or tempfile.mkdtemp(prefix="b2c-growth-")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if not sys.platform.startswith("linux"):
        skipped = [case for case in cases if case in servers.CASES]
        cases = [case for case in cases if case not in servers.CASES]
        if skipped:
            print(f"{len(skipped)} cases of mock-server do not run: /proc is needed to measure a server.")
    print(f"{len(cases)} cases; work is " + ("instructions (perf stat)" if perf else "processor time, since perf counts none here"))
    print(HEAD, flush=True)
    try:
        results = run(cases, programs, folder, perf, options)
        failed = [case for case, result in zip(cases, results) if result["failed"]]
        if failed and not perf:
            # Another process can take half the processor for the time of a case.
            print(f"{len(failed)} of them again, one at a time:", flush=True)
            options.jobs = 1
            second = {result["subject"] + "/" + result["shape"]: result for result in run(failed, programs, folder, perf, options)}
            results = [second.get(f"{result['subject']}/{result['shape']}", result) for result in results]
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    if options.json:
        Path(options.json).write_text(json.dumps({"work": "instructions" if perf else "seconds", "results": results}, indent=1))
    return report(results, missing)


def run(cases, programs, folder, perf, options):
    """The results in the order of the cases; each is printed when it is there."""
    local = threading.local()
    benches = []
    lock = threading.Lock()

    def one(case):
        if not hasattr(local, "bench"):
            local.bench = Bench(programs, folder, perf)
            with lock:
                benches.append(local.bench)
        start = time.monotonic()
        try:
            result = Growth(case, local.bench, SHORT_DOUBLINGS if options.short else DOUBLINGS).run()
        except Exception as error:
            result = {
                "subject": case.subject, "shape": case.shape, "size": 0, "bytes": 0, "work": 0, "memory": 0, "workRatio": None,
                "memoryRatio": None, "verdict": f"{type(error).__name__}: {error}", "failed": True}
        result["seconds"] = round(time.monotonic() - start, 2)
        with lock:
            print(line(result), flush=True)
        if not options.keep:
            shutil.rmtree(folder / case.subject / case.shape.replace("/", "_"), ignore_errors=True)
        return result

    try:
        with concurrent.futures.ThreadPoolExecutor(max(1, options.jobs)) as pool:
            return list(pool.map(one, cases))
    finally:
        for bench in benches:
            bench.close()


def report(results, missing):
    failed = [result for result in results if result["failed"]]
    if failed:
        print(f"\n{len(failed)} of {len(results)} cases grew more than {LIMIT} times for a doubling, or did not finish:")
    for result in failed:
        print(line(result))
        if result["verdict"] != "grew":
            print(f"  {result['verdict']}"[:200])
        print(f"  python3 Tests/Growth/growth.py --only {result['subject']}/{result['shape']} --keep DIR")
    for sentence in missing:
        print(sentence)
    if missing:
        print("Add a case to Tests/Growth/commands.py or servers.py, or a reason to EXEMPT in inventory.py.")
    if not failed and not missing:
        print(f"\nall {len(results)} cases: nothing grew more than {LIMIT} times for a doubling")
    return 1 if failed or missing else 0


if __name__ == "__main__":
    sys.exit(main())
