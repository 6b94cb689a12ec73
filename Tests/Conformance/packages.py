#!/usr/bin/env python3
"""Each package of `make dist` on a system without Swift: it is installed as docs/install.md says, and prints a first token.

    packages.py DIST [KIND...] [--base FILE.tar]

Kinds: tar, deb, wheel, npm, image (default: all that DIST has). The system is a minimal Debian that mmdebstrap makes with this
system's package sources; --base takes another one, as a tar. Each kind gets a fresh copy. Prints the size of each package and
how long the programs need. Servers listen on loopback only.

It runs as root on Linux, because it uses chroot. `make release-check` runs it; no other test does. Exit code 1: a package does
not work, or nothing was tried.
"""

import argparse
import glob
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class Skip(Exception):
    """Why a package cannot be tried here."""


class System:
    """A folder with a system in it, and commands that run inside."""

    def __init__(self, folder, user=None, environment=None):
        self.folder = folder
        self.user = user
        self.environment = {"PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive", **(environment or {})}

    def words(self, command):
        # Mounts of their own: they go away with the command, whatever happens to this test.
        user = [f"--userspec={self.user}"] if self.user else []
        script = 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && folder=$1 && shift && exec chroot "$@"'
        return ["unshare", "--mount", "sh", "-c", script, "sh", self.folder, *user, self.folder, *command]

    def run(self, *command, timeout=600, **environment):
        done = subprocess.run(
            self.words(command), capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL,
            env={**self.environment, **environment})
        if done.returncode != 0:
            said = (done.stderr.strip() or done.stdout.strip()).splitlines()
            raise AssertionError(f"{' '.join(command)[:120]}: exit {done.returncode}: {said[-1][:300] if said else ''}")
        return done.stdout

    def add(self, path):
        """A file of this machine; its path inside."""
        os.makedirs(os.path.join(self.folder, "packages"), exist_ok=True)
        shutil.copy2(path, os.path.join(self.folder, "packages"))
        return "/packages/" + os.path.basename(path)

    def apt(self, *names):
        if not getattr(self, "updated", False):
            self.run("apt-get", "update", "-qq")
            self.updated = True
        self.run("apt-get", "install", "-y", "-qq", "--no-install-recommends", *names)

    def took(self, *command):
        """Milliseconds of the fastest of five, without what it costs to enter the system."""
        def fastest(words):
            times = []
            for _ in range(5):
                begin = time.monotonic()
                self.run(*words)
                times.append(time.monotonic() - begin)
            return min(times)

        return max(0, fastest(command) - fastest(["/bin/true"])) * 1000


def install_tar(system, path):
    inside = system.add(path)
    name = os.path.basename(path)[:-len(".tar.gz")]
    system.run("tar", "-xzf", inside, "-C", "/tmp")
    with open(os.path.join(system.folder, "tmp", name, "INSTALL.txt"), encoding="utf-8") as file:
        commands = [line.strip() for line in file if line.strip().startswith("sudo ")]
    # As the file says, without sudo: this is root.
    for command in commands:
        system.run("sh", "-c", f"cd /tmp/{name} && {command[len('sudo '):]}")
    return ["b2c"], ["mock-server"]


def install_deb(system, path):
    inside = system.add(path)
    system.apt(inside)
    for page in ("b2c", "b2c-run", "mock-server"):
        assert os.path.exists(os.path.join(system.folder, "usr/share/man/man1", page + ".1.gz")), f"no manual page {page}"
    return ["b2c"], ["mock-server"]


def install_wheel(system, path):
    inside = system.add(path)
    system.apt("python3-venv")
    system.run("python3", "-m", "venv", "/opt/venv")
    system.run("/opt/venv/bin/pip", "install", "--quiet", "--no-index", inside)
    return ["/opt/venv/bin/b2c"], ["/opt/venv/bin/mock-server"]


def install_npm(system, path):
    system.apt("nodejs")
    project = os.path.join(system.folder, "opt/project")
    modules = os.path.join(project, "node_modules")
    os.makedirs(modules)
    if shutil.which("npm"):
        # npm of this machine, since Debian's brings 400 packages along. It writes into the system.
        with open(os.path.join(project, "package.json"), "w", encoding="utf-8") as file:
            file.write("{}")
        subprocess.run(
            ["npm", "install", "--offline", "--no-audit", "--no-fund", "--install-links", "--silent", os.path.abspath(path)],
            cwd=project, check=True, capture_output=True, timeout=300)
    else:
        with tarfile.open(path) as archive:
            archive.extractall(modules, filter="data")
        os.rename(os.path.join(modules, "package"), os.path.join(modules, "b2c-harness"))
    place = "/opt/project/node_modules/b2c-harness/"
    return ["node", place + "b2c.js"], ["node", place + "mock-server.js"]


def unpack_image(path, folder):
    """The layers of a `docker load` archive, one over the other; its settings."""
    with tempfile.TemporaryDirectory() as work:
        with gzip.open(path) as packed, tarfile.open(fileobj=packed) as archive:
            archive.extractall(work)
        with open(os.path.join(work, "manifest.json"), encoding="utf-8") as file:
            manifest = json.load(file)[0]
        for layer in manifest["Layers"]:
            with tarfile.open(os.path.join(work, layer)) as archive:
                for name in archive.getnames():
                    base, leaf = os.path.split(name)
                    gone = os.path.join(folder, base, leaf[len(".wh."):])
                    if leaf == ".wh..wh..opq" or not leaf.startswith(".wh."):
                        continue
                    if os.path.isdir(gone) and not os.path.islink(gone):
                        shutil.rmtree(gone)
                    elif os.path.lexists(gone):
                        os.unlink(gone)
            # tar, because it keeps owners and devices as an engine does.
            subprocess.run(["tar", "-xf", os.path.join(work, layer), "-C", folder, "--numeric-owner", "--exclude=.wh.*"], check=True)
        with open(os.path.join(work, manifest["Config"]), encoding="utf-8") as file:
            return json.load(file)["config"]


def server_ready(system, command, health=None, **environment):
    """Milliseconds until the server answers; then it is stopped."""
    ready = os.path.join(system.folder, "tmp", "ready-for-test")
    begin = time.monotonic()
    process = subprocess.Popen(
        system.words(command), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env={**system.environment, "B2C_HOST": "127.0.0.1", "B2C_PORT": "0", "B2C_CONTROL_PORT": "0", "B2C_QUIET": "1",
             "B2C_READY_FILE": "/tmp/ready-for-test", **environment})
    try:
        while not (os.path.exists(ready) and os.path.getsize(ready)):
            assert process.poll() is None, f"the server ended: {process.stderr.read().strip().splitlines()[-1:]}"
            assert time.monotonic() - begin < 60, "the server was not ready after 60 s"
            time.sleep(0.005)
        took = (time.monotonic() - begin) * 1000
        if health:
            system.run(*health, B2C_READY_FILE="/tmp/ready-for-test")
    finally:
        # Each command became the server by exec, or hands the signal on (the npm package).
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            raise AssertionError("the server did not stop at SIGTERM") from None
    if health:
        try:
            system.run(*health, B2C_READY_FILE="/tmp/ready-for-test")
        except AssertionError:
            return took
        raise AssertionError("the health check passes although the server has stopped")
    return took


def try_image(path, folder):
    config = unpack_image(path, folder)
    assert config["User"].split(":")[0] not in ("", "0", "root"), "the image runs as root"
    assert {"9400/tcp", "9401/tcp", "9443/tcp"} <= set(config["ExposedPorts"]), config["ExposedPorts"]
    environment = dict(entry.split("=", 1) for entry in config["Env"])
    system = System(folder, config["User"], environment)
    return system, config["Entrypoint"] + ["b2c"], config["Entrypoint"], config["Healthcheck"]["Test"][1:]


INSTALL = {"tar": install_tar, "deb": install_deb, "wheel": install_wheel, "npm": install_npm}
FILES = {
    "tar": "b2c-harness-*-linux-{machine}.tar.gz", "deb": "b2c-harness_*_{debian}.deb", "wheel": "b2c_harness-*_{machine}.whl",
    "npm": "b2c-harness-npm-*-linux-{node}.tgz", "image": "b2c-harness-*-image-{debian}.tar.gz",
}


def attempt(kind, path, base):
    with tempfile.TemporaryDirectory(prefix="b2c-package-") as folder:
        os.chmod(folder, 0o755)
        health = None
        if kind == "image":
            system, b2c, server, health = try_image(path, folder)
        else:
            subprocess.run(["tar", "-xf", base, "-C", folder, "--numeric-owner"], check=True)
            assert not shutil.which("swift", path=":".join(os.path.join(folder, part[1:]) for part in PATH.split(":"))), "this system has Swift"
            system = System(folder)
            b2c, server = INSTALL[kind](system, path)
        said = system.run(*b2c, "--version").strip()
        token = system.run(*b2c, "token", "--as", "ada").strip()
        assert token.count(".") == 2 and "\n" not in token, f"expected one token, actual {token[:80]}"
        skill = os.path.join("share", "b2c-harness", "skill")
        assert any(place.endswith(skill) and "SKILL.md" in names for place, _, names in os.walk(folder)), f"no {skill}/SKILL.md"
        # As on a system without OpenSSL's libcrypto.
        token = system.run(*b2c, "token", "--as", "ada", B2C_SIGNER="built-in").strip()
        assert token.count(".") == 2 and "\n" not in token, f"expected one token without libcrypto, actual {token[:80]}"
        # `b2c exec` finds mock-server beside b2c and starts it.
        url = system.run(*b2c, "exec", "--", "sh", "-c", 'echo "$B2C_URL"').strip()
        assert url.startswith("http://localhost:"), url
        start, first = system.took(*b2c, "--version"), system.took(*b2c, "token", "--as", "ada")
        ready = server_ready(system, server, health)
        size = f", unpacked {unpacked(folder) / 1e6:.0f} MB" if kind == "image" else ""
        return f"{said}; {os.path.getsize(path) / 1e6:.1f} MB{size}; start {start:.0f} ms, token {first:.0f} ms, server ready {ready:.0f} ms"


def unpacked(folder):
    total = 0
    for place, _, names in os.walk(folder):
        total += sum(os.lstat(os.path.join(place, name)).st_size for name in names)
    return total


def make_base(work):
    """A minimal system of this one's release."""
    if not shutil.which("mmdebstrap"):
        raise Skip("mmdebstrap is not installed: apt-get install mmdebstrap, or name a system with --base")
    release = dict(line.strip().split("=", 1) for line in open("/etc/os-release", encoding="utf-8") if "=" in line)
    sources = ["/etc/apt/sources.list"] + sorted(glob.glob("/etc/apt/sources.list.d/*.list") + glob.glob("/etc/apt/sources.list.d/*.sources"))
    path = os.path.join(work, "base.tar")
    done = subprocess.run(
        ["mmdebstrap", "--quiet", "--variant=minbase", release["VERSION_CODENAME"].strip('"'), path, *filter(os.path.exists, sources)],
        capture_output=True, text=True)
    if done.returncode != 0:
        raise Skip(f"mmdebstrap: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
    return path


def sums(folder):
    """The checksums of the release are those of its files."""
    path = os.path.join(folder, "SHA256SUMS")
    if not os.path.exists(path):
        raise Skip("dist has no SHA256SUMS")
    count = 0
    for line in open(path, encoding="utf-8"):
        expected, name = line.split()
        with open(os.path.join(folder, name), "rb") as file:
            actual = hashlib.sha256(file.read()).hexdigest()
        assert actual == expected, f"{name}: expected {expected}, actual {actual}"
        count += 1
    return f"{count} file{'' if count == 1 else 's'}"


def main():
    parser = argparse.ArgumentParser(description="Installs each package on a system without Swift.")
    parser.add_argument("dist", metavar="DIST")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=", ".join(FILES))
    parser.add_argument("--base", metavar="FILE.tar", help="the system to install on")
    arguments = parser.parse_args()
    wrong = [kind for kind in arguments.kinds if kind not in FILES]
    if wrong:
        parser.error(f"unknown kind {wrong[0]}; kinds are {', '.join(FILES)}")
    if not sys.platform.startswith("linux") or os.getuid() != 0:
        parser.error("it runs as root on Linux, because it uses chroot: try sudo")
    machine = os.uname().machine
    names = {
        "machine": machine, "debian": {"x86_64": "amd64", "aarch64": "arm64"}.get(machine, machine),
        "node": {"x86_64": "x64", "aarch64": "arm64"}.get(machine, machine),
    }
    counts = {"ok": 0, "FAIL": 0, "skip": 0}

    def part(name, body):
        try:
            word, said = "ok", body()
        except Skip as skip:
            word, said = "skip", str(skip)
        except (AssertionError, OSError, subprocess.SubprocessError, tarfile.TarError, KeyError, ValueError) as problem:
            word, said = "FAIL", str(problem)
        counts[word] += 1
        print(f"{word:4}  {name:10}  {said}", flush=True)

    with tempfile.TemporaryDirectory() as work:
        base = arguments.base

        def package(kind):
            nonlocal base
            found = sorted(glob.glob(os.path.join(arguments.dist, FILES[kind].format(**names))))
            if not found:
                raise Skip(f"{arguments.dist} has no {FILES[kind].format(**names)}")
            assert len(found) == 1, f"expected one version in {arguments.dist}, actual {', '.join(map(os.path.basename, found))}"
            if base is None and kind != "image":
                base = make_base(work)
            return attempt(kind, found[0], base)

        part("checksums", lambda: sums(arguments.dist))
        for kind in arguments.kinds or FILES:
            part(kind, lambda kind=kind: package(kind))
    print(f"{counts['ok']} passed, {counts['FAIL']} failed, {counts['skip']} skipped")
    # A skipped kind that was asked for, and a run without any package, are no success.
    return 1 if counts["FAIL"] or counts["ok"] < 2 or (arguments.kinds and counts["skip"]) else 0


if __name__ == "__main__":
    sys.exit(main())
