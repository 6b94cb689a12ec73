#!/usr/bin/env python3
"""Sizes and start times of the programs, for `make bench`.

    measure.py BIN [DIST]

BIN is the folder with `b2c` and `mock-server`, DIST one with packages. Each time is the median of 21 runs, and its ratio to the start of
`true` in the same minute: the least that any program takes on this machine.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 21


def median(command):
    """Milliseconds from the start of a command to its end."""
    times = []
    for _ in range(RUNS):
        began = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def ready(server):
    """Milliseconds from the start of a server until it answers."""
    times = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "ready")
            began = time.perf_counter()
            process = subprocess.Popen([server, "--port", "0", "--quiet", "--ready-file", file], stdout=subprocess.DEVNULL)
            try:
                while not (os.path.exists(file) and os.path.getsize(file)):
                    if process.poll() is not None or time.perf_counter() - began > 60:
                        sys.exit(f"measure: {server} does not start")
                    time.sleep(0.001)
                times.append((time.perf_counter() - began) * 1000)
            finally:
                process.terminate()
                process.wait(timeout=10)
    return statistics.median(times)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    b2c, server = (os.path.join(sys.argv[1], name) for name in ("b2c", "mock-server"))
    for program in (b2c, server):
        if not os.access(program, os.X_OK):
            sys.exit(f"measure: there is no program {program}: run `make bench`, or name the folder that has it")
    floor = median(["true"])
    print(f"start of `true`                  {floor:7.1f} ms")
    for name, took in [
        ("b2c --version", median([b2c, "--version"])), ("b2c token --as ada", median([b2c, "token", "--as", "ada"])),
        ("mock-server until it answers", ready(server)),
    ]:
        print(f"{name:<32} {took:7.1f} ms   {took / floor:6.1f} times `true`")
    for program in (b2c, server):
        print(f"{os.path.basename(program):<32} {os.path.getsize(program) / 1e6:7.1f} MB")
    if len(sys.argv) == 3 and os.path.isdir(sys.argv[2]):
        for name in sorted(os.listdir(sys.argv[2])):
            print(f"{name:<52} {os.path.getsize(os.path.join(sys.argv[2], name)) / 1e6:7.1f} MB")


if __name__ == "__main__":
    main()
