"""Runs programs and measures them: work as instructions or processor time, memory as the peak of what is resident."""

import contextlib
import http.client
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

# A run that takes longer or more than this has not finished.
SECONDS = 10
MEMORY = 1 << 30

# The same on the clock of the wall, where other processes take their share.
PATIENCE = 120
ADDRESS_SPACE = 4 << 30

# Words of a sentence that refuses an input because of its size.
LIMIT = re.compile(r"at most|\blimit|too (?:large|long|many|deep|big)|larger than|longer than|more than \d|deeper than", re.I)


class Sample:
    """What one run took: `work` in seconds or instructions, `memory` in bytes."""

    def __init__(self, work=0.0, memory=0, size=0, problem=None, refused=None):
        self.work = work
        self.memory = memory
        self.size = size
        self.problem = problem
        self.refused = refused


def environment(folder):
    """Nothing of the caller's settings: options of `b2c` are also read from variables."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")}
    return {**kept, "HOME": str(folder), "LANG": "C.UTF-8", "NO_COLOR": "1", "SWIFT_BACKTRACE": "enable=no"}


def counts_instructions():
    """Whether `perf` counts instructions on this machine."""
    if not shutil.which("perf"):
        return False
    done = subprocess.run(
        ["perf", "stat", "-x,", "-e", "instructions:u", "true"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return instructions(done.stderr) is not None


def instructions(report):
    found = re.search(r"^(\d+),[^\n]*instructions", report, re.M)
    return float(found[1]) if found else None


def counted(path):
    """What `perf` wrote; a run that it did not count is not one without work."""
    found = instructions(path.read_text()) if path.exists() else None
    if found is None:
        raise RuntimeError("perf counted nothing")
    return found


# A small process of its own starts the programs: Linux counts the memory of the process that starts one into the peak of
# the one that is started, and this process holds large inputs.
LAUNCHER = r"""
import json, os, resource, select, signal, sys, time
for line in sys.stdin:
    order = json.loads(line)
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            os.chdir(order["folder"])
            for number, path, mode in ((0, order["input"], os.O_RDONLY), (1, order["output"], 577), (2, order["errors"], 577)):
                os.dup2(os.open(path, mode, 0o600), number)
            for kind, limit in (("RLIMIT_AS", order["space"]), ("RLIMIT_CPU", order["seconds"] + 1), ("RLIMIT_CORE", 0)):
                try:
                    resource.setrlimit(getattr(resource, kind), (limit, limit))
                except (OSError, ValueError):
                    pass
            os.execvpe(order["command"][0], order["command"], order["environment"])
        except BaseException as error:
            os.write(2, str(error).encode())
            os._exit(127)
    late = False
    pause = 0.001
    while True:
        found, status, used = os.wait4(child, os.WNOHANG)
        if found:
            break
        if not late and time.monotonic() - start > order["patience"]:
            late = True
            os.killpg(child, signal.SIGKILL)
        time.sleep(pause)
        pause = min(pause * 1.3, 0.02)
    print(json.dumps({"status": status, "work": used.ru_utime + used.ru_stime, "memory": used.ru_maxrss, "late": late}), flush=True)
"""


class Bench:
    """The programs, how work is measured, and where inputs go. One for each thread that measures."""

    def __init__(self, programs, folder, perf):
        self.programs = Path(programs)
        self.folder = Path(folder)
        self.perf = perf
        self.launcher = subprocess.Popen(
            [sys.executable, "-S", "-E", "-c", LAUNCHER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def close(self):
        self.launcher.stdin.close()
        self.launcher.wait()
        self.launcher.stdout.close()

    def program(self, name):
        return str(self.programs / name)

    def command(self, arguments, folder, stdin=None):
        """Measures one run of `b2c`; files that it writes lie in `folder`."""
        command = [self.program("b2c"), *arguments]
        noted = " ".join(quoted(word) for word in command) + (f" <{stdin}" if stdin else "")
        (folder / "command.txt").write_text(f"cd {quoted(str(folder))} && {noted}\n", "utf-8", "surrogateescape")
        report = folder / "perf.txt"
        if self.perf:
            command = ["perf", "stat", "-x,", "-e", "instructions:u", "-o", str(report), "--", *command]
        answer = self.launch(command, folder, stdin or "/dev/null")
        code = os.WEXITSTATUS(answer["status"]) if os.WIFEXITED(answer["status"]) else -os.WTERMSIG(answer["status"])
        sample = Sample(answer["work"], answer["memory"] * (1 if sys.platform == "darwin" else 1024))
        if self.perf and not answer["late"]:
            sample.work = counted(report)
        errors = tail(folder / "errors.txt")
        if answer["late"] or answer["work"] > SECONDS or code in (-signal.SIGXCPU, -signal.SIGKILL):
            sample.problem = f"unfinished after {SECONDS} s"
        elif sample.memory > MEMORY:
            sample.problem = f"takes {sample.memory >> 20} MB"
        elif code < 0 or code > 128:
            sample.problem = f"crashed: signal {-code if code < 0 else code - 128}"
        elif code in (1, 2, 3, 127):
            said = errors + tail(folder / "output.txt")
            if code == 127:
                sample.problem = said.strip()[:60]
            elif len(said) < 4000 and LIMIT.search(said):
                sample.refused = said.strip()
        return sample

    def launch(self, command, folder, stdin):
        order = {
            "command": command, "folder": str(folder), "input": str(stdin), "output": str(folder / "output.txt"),
            "errors": str(folder / "errors.txt"), "environment": environment(folder), "seconds": SECONDS, "patience": PATIENCE,
            "space": ADDRESS_SPACE}
        self.launcher.stdin.write(json.dumps(order) + "\n")
        self.launcher.stdin.flush()
        return json.loads(self.launcher.stdout.readline())

    def prepare(self, arguments, folder):
        """Runs `b2c` for what it writes, without measuring it."""
        done = subprocess.run(
            [self.program("b2c"), *arguments], cwd=folder, env=environment(folder), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=PATIENCE)
        return done.stdout.decode("utf-8", "replace")


class Server:
    """A mock-server on a free port, and the requests that were sent to it."""

    def __init__(self, bench, folder, tenant=None, options=()):
        self.bench = bench
        self.folder = folder
        ready = folder / "ready"
        ready.unlink(missing_ok=True)
        self.errors = open(folder / "errors.txt", "wb")
        command = [
            bench.program("mock-server"), *(["--tenant", str(tenant)] if tenant else []), "--port", "0", "--end-with-parent", "--ready-file",
            str(ready), *options]
        (folder / "command.txt").write_text(
            f"cd {quoted(str(folder))} && " + " ".join(quoted(word) for word in command)
            + "\n# then the requests of request-*.txt, in their order\n")
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f'ulimit -v {ADDRESS_SPACE >> 10} 2>/dev/null; ulimit -c 0; exec "$@"', "sh", *command], cwd=folder,
            env=environment(folder), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self.errors)
        end = time.monotonic() + PATIENCE
        while not (ready.exists() and ready.stat().st_size):
            if self.process.poll() is not None or time.monotonic() > end:
                self.stop()
                raise RuntimeError("mock-server did not start: " + tail(folder / "errors.txt").strip()[:200])
            time.sleep(0.02)
        self.port = int(re.search(r":(\d+)", ready.read_text())[1])
        self.connection = None
        self.sent = 0
        self.requests = 0
        self.refused = None
        self.measuring = False

    def request(self, method, path, body=None, headers=None):
        """Sends one request; returns status and body. What was sent is kept for the person who repeats it."""
        fields = {"Host": f"localhost:{self.port}", **(headers or {})}
        data = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
        if data is not None and "Content-Type" not in fields:
            fields["Content-Type"] = "application/x-www-form-urlencoded"
        if self.measuring:
            self.sent += len(path) + len(data or b"") + sum(len(name) + len(value) for name, value in fields.items())
        self.requests += 1
        if self.requests <= 40:
            with open(self.folder / f"request-{self.requests:02}.txt", "wb") as file:
                head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items())
                file.write(head.encode("utf-8", "replace") + b"\r\n" + (data or b""))
        for attempt in range(2):
            if self.connection is None:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
            try:
                self.connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
                for name, value in fields.items():
                    for each in value if isinstance(value, list) else [value]:
                        self.connection.putheader(name, each)
                if data is not None:
                    self.connection.putheader("Content-Length", str(len(data)))
                self.connection.endheaders(data)
                answer = self.connection.getresponse()
                said = answer.read()
                if answer.will_close:
                    self.drop()
                break
            except socket.timeout:
                self.drop()
                raise Problem(f"unfinished: no answer in {PATIENCE} s") from None
            except (OSError, http.client.HTTPException) as error:
                # The server may close a connection after it has refused a request.
                self.drop()
                if self.process.poll() is not None:
                    raise Problem(f"crashed: {self.process.returncode}") from None
                if attempt:
                    self.refused = f"closed the connection ({type(error).__name__})"
                    return 0, b"", {}
        text = said[:2000].decode("utf-8", "replace")
        if answer.status >= 500 and answer.status not in (501, 503):
            raise Problem(f"crashed: answered {answer.status}: {text[:80]}")
        if answer.status in (413, 414, 431) or answer.status == 400 and len(said) < 2000 and LIMIT.search(text):
            self.refused = f"{answer.status} {text.strip()}"
        return answer.status, said, answer.headers

    def control(self, method, path, value=None):
        headers = {"Content-Type": "application/json"}
        body = value if value is None or isinstance(value, (str, bytes)) else json.dumps(value)
        status, said, _ = self.request(method, "/_b2c/v1" + path, body, headers if body is not None else None)
        return status, said

    def drop(self):
        if self.connection:
            self.connection.close()
        self.connection = None

    def processor_time(self):
        """Seconds of all threads; the clock of another process (`clock_getcpuclockid`), which POSIX names by its id."""
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def peak(self):
        """The most that was resident since `forget_peak`, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) << 10

    @contextlib.contextmanager
    def measured(self, sample):
        """Measures what the server does meanwhile."""
        watch = None
        if self.bench.perf:
            report = self.folder / "perf.txt"
            watch = subprocess.Popen(
                ["perf", "stat", "-x,", "-e", "instructions:u", "-o", str(report), "-p", str(self.process.pid)],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.1)
        before = self.processor_time()
        self.measuring = True
        stop = threading.Event()
        guard = threading.Thread(target=self.guard, args=(before, sample, stop), daemon=True)
        guard.start()
        try:
            yield
        except Problem as problem:
            sample.problem = sample.problem or str(problem)
        finally:
            self.measuring = False
            stop.set()
            guard.join()
            if self.process.poll() is None:
                sample.work = self.processor_time() - before
                sample.memory = max(sample.memory, self.peak())
            if watch:
                watch.send_signal(signal.SIGINT)
                watch.wait()
                if not sample.problem:
                    sample.work = counted(report)
            sample.size = self.sent
            sample.refused = self.refused

    def guard(self, before, sample, stop):
        """Ends a server that takes too much, so that nothing waits for it."""
        while not stop.wait(0.05):
            try:
                used = self.processor_time() - before
                memory = self.peak()
            except (OSError, TypeError):
                return
            if used > SECONDS or memory > MEMORY:
                sample.problem = (
                    f"unfinished after {SECONDS} s" if used > SECONDS else f"takes {memory >> 20} MB")
                sample.work, sample.memory = used, memory
                self.process.kill()
                return

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.errors.close()


class Problem(Exception):
    """What a server did instead of an answer."""


def tail(path, count=8000):
    """The end of a file, as text."""
    try:
        with open(path, "rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - count))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


def quoted(word):
    return word if re.fullmatch(r"[\w@%+=:,./-]+", word) else "'" + word.replace("'", "'\\''") + "'"
