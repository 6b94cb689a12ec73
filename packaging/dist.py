#!/usr/bin/env python3
"""Packages of the built program. `make dist` builds it with Swift's libraries linked in and calls this.

    packaging/dist.py BIN [--output dist] [KIND...]

BIN is the folder with a `b2c` that is also `mock-server`, since most of either is Swift's libraries. Kinds: tar, deb, wheel, npm, source, homebrew, image (default: all; on macOS
tar). The version is what `b2c --version` prints. It needs no packages of Python. It uses `strip`, `git` for source and homebrew,
`buildah` for image and, for a wheel that runs on other systems, `auditwheel` and `patchelf`; it says which of them are missing.

The same inputs give the same bytes: times in archives are that of the last commit, or SOURCE_DATE_EPOCH.
"""

import argparse
import base64
import gzip
import hashlib
import io
import json
import lzma
import os
import platform
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

import elf
import manual

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
APPLE = sys.platform == "darwin"
PROGRAMS = ["b2c", "mock-server"]

# `mock-server` in packages that have no symbolic links.
SERVER_SCRIPT = b"""#!/bin/sh
# b2c and mock-server are one program.
exec "$(dirname "$(readlink -f "$0")")/b2c" mock-server "$@"
"""
SUMMARY = "Azure AD B2C test harness and policy simulator"
ABOUT = """\
Runs scenarios of sign-up, sign-in, profile editing, password reset and
sign-out as an app built on MSAL experiences them, against a mock authority or
a real tenant. Serves the mock to apps and APIs under test, executes custom
policies, and validates redirect URIs, app configuration and policies."""

# Debian packages of shared libraries: those of Debian 12 and Ubuntu 22.04, and their names since the change to 64-bit times.
DEBIAN = {
    "libcurl.so.4": "libcurl4 | libcurl4t64", "libjansson.so.4": "libjansson4", "libsqlite3.so.0": "libsqlite3-0",
    "libxml2.so.2": "libxml2", "libstdc++.so.6": "libstdc++6", "libgcc_s.so.1": "libgcc-s1", "libz.so.1": "zlib1g",
    "libssl.so.3": "libssl3 | libssl3t64", "libcrypto.so.3": "libssl3 | libssl3t64",
}
# Loaded by the first request over the network, so the program does not name them.
LOADED = set() if APPLE else {"libcurl.so.4"}
LIBC = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}

# The programs on the PATH of a virtual environment, and the fixtures of pytest.
ENTRY_POINTS = """\
[console_scripts]
b2c = b2c_harness:b2c
mock-server = b2c_harness:mock_server

[pytest11]
b2c_harness = b2c_harness.pytest_plugin
"""


class Problem(Exception):
    """A reason that a person can act on."""


class Missing(Problem):
    """A tool that is not here. Without a list of kinds the others are made all the same."""


class Link(str):
    """In place of a file's content: the file that a symbolic link names."""


class Build:
    """The stripped program and what belongs to it."""

    def __init__(self, source, work):
        path = os.path.join(source, "b2c")
        if not os.access(path, os.X_OK):
            raise Problem(f"{path} is not a program: build it first, `make dist` does that")
        self.program = os.path.join(work, "b2c")
        shutil.copy2(path, self.program)
        if shutil.which("strip") and APPLE:
            # Apple's processors start signed programs only, and strip breaks the linker's signature.
            subprocess.run(["strip", "-x", self.program], check=True)
            subprocess.run(["codesign", "--force", "--sign", "-", self.program], check=True)
        elif shutil.which("strip"):
            subprocess.run(["strip", self.program], check=True)
        else:
            print("strip is not installed: the program keeps its symbols and is larger")
        # Programs that print manual pages and completions. The server is the same file under its other name.
        self.binaries = {name: os.path.join(work, name) for name in PROGRAMS}
        os.symlink("b2c", self.binaries["mock-server"])
        if subprocess.run([self.binaries["mock-server"], "--version"], capture_output=True, text=True).stdout.split()[:1] != ["mock-server"]:
            raise Problem(f"{path} is not mock-server too: build it with B2C_ONE_PROGRAM=1, `make dist` does that")
        said = run([self.binaries["b2c"], "--version"]).split()
        self.version = said[-1]
        self.time = int(os.environ.get("SOURCE_DATE_EPOCH") or commit_time())
        self.date = time.strftime("%Y-%m-%d", time.gmtime(self.time))
        self.needed = sorted(libraries(self.program) | LOADED)
        self.glibc = None if APPLE else elf.versions(self.program, "GLIBC") or (2, 0)
        self.machine = {"arm64": "aarch64"}.get(platform.machine(), platform.machine())
        self.describe()

    def describe(self):
        """Checks that nothing of Swift has to be installed, and writes manual pages and completions."""
        swift = [library for library in self.needed if "swift" in library.lower() or library.startswith("libFoundation")]
        if swift:
            raise Problem(f"the program needs {', '.join(swift)}: build it with --static-swift-stdlib, `make dist` does that")
        self.manual = {}
        for path in self.binaries.values():
            self.manual.update(manual.pages(path, self.version, self.date))
        # With `=`, because b2c takes a word of its own for the name of a command.
        self.completions, self.serverCompletions = (
            {shell: run([self.binaries[name], f"--generate-completion-script={shell}"]) for shell in ("bash", "zsh", "fish")}
            for name in PROGRAMS)

    def files(self, prefix=""):
        """Name and content of everything that is installed below a prefix such as `usr`, with its mode."""
        at = prefix + "/" if prefix else ""
        yield f"{at}bin/b2c", read(self.program), 0o755
        yield f"{at}bin/mock-server", Link("b2c"), 0o777
        for name, text in sorted(self.manual.items()):
            yield f"{at}share/man/man1/{name}.gz", compressed(text.encode()), 0o644
        for program, scripts in [("b2c", self.completions), ("mock-server", self.serverCompletions)]:
            yield f"{at}share/bash-completion/completions/{program}", sourced(scripts["bash"]).encode(), 0o644
            yield f"{at}share/zsh/vendor-completions/_{program}", scripts["zsh"].encode(), 0o644
            yield f"{at}share/fish/vendor_completions.d/{program}.fish", scripts["fish"].encode(), 0o644
        for name, data in self.scenarios():
            yield f"{at}share/b2c-harness/{name}", data, 0o644

    def programs(self, folder, program=None):
        """The programs in a folder of a package without symbolic links."""
        yield f"{folder}/b2c", read(program or self.program), 0o755
        yield f"{folder}/mock-server", SERVER_SCRIPT, 0o755

    def scenarios(self):
        """The shipped scenarios, which `b2c explain --write` copies. Schemas are not among them: `b2c schema` prints them."""
        for folder, folders, names in os.walk(os.path.join(ROOT, "scenarios")):
            folders[:] = sorted(name for name in folders if name != "schemas" and not name.startswith("."))
            for name in sorted(names):
                if not name.startswith("."):
                    path = os.path.join(folder, name)
                    yield os.path.relpath(path, ROOT), read(path)

    def install(self):
        """The command that installs the libraries that the programs need; empty where no Debian package is known."""
        packages = sorted({DEBIAN[library].split(" | ")[0] for library in self.needed if library in DEBIAN})
        return f"sudo apt-get install {' '.join(packages)}" if packages else ""


def sourced(script):
    """A shell reads completions and never starts them: lintian warns of a first line that names an interpreter."""
    return script.split("\n", 1)[1].lstrip("\n") if script.startswith("#!") else script


def libraries(path):
    """The shared libraries that a program names and the system does not bring along. macOS has Swift's."""
    if not APPLE:
        return set(elf.needed(path))
    lines = run(["otool", "-L", path]).splitlines()[1:]
    return {line.split()[0] for line in lines if not line.split()[0].startswith(("/usr/lib/", "/System/"))}


def run(words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def read(path):
    with open(path, "rb") as file:
        return file.read()


def compressed(data):
    """gzip without a name and a time, so that the same input gives the same bytes."""
    return gzip.compress(data, compresslevel=9, mtime=0)


def commit_time():
    try:
        return run(["git", "-C", ROOT, "log", "-1", "--format=%ct"]).strip() or "0"
    except (OSError, subprocess.CalledProcessError):
        return "0"


def tar_bytes(entries, when):
    """A tar of (name, content or link, mode), with the folders above them, owned by root."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        folders = set()
        for name, data, mode in entries:
            parts = name.lstrip("./").split("/")[:-1]
            for depth in range(1, len(parts) + 1):
                folder = ("./" if name.startswith("./") else "") + "/".join(parts[:depth])
                if folder not in folders:
                    folders.add(folder)
                    archive.addfile(described(folder, when, 0o755, tarfile.DIRTYPE))
            if isinstance(data, Link):
                entry = described(name, when, mode, tarfile.SYMTYPE)
                entry.linkname = data
                archive.addfile(entry)
                continue
            entry = described(name, when, mode, tarfile.REGTYPE)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


def described(name, when, mode, kind):
    entry = tarfile.TarInfo(name)
    entry.mtime, entry.mode, entry.type, entry.uname, entry.gname = when, mode, kind, "root", "root"
    return entry


def make_tar(build, output):
    system = "macos" if APPLE else "linux"
    name = f"b2c-harness-{build.version}-{system}-{build.machine}"
    needs = ", ".join(library for library in build.needed if library not in LIBC)
    if APPLE:
        # /opt/homebrew/opt/NAME/lib/FILE
        formulas = sorted({library.split("/opt/")[-1].split("/")[0] for library in build.needed if "/opt/" in library})
        packages = f"brew install {' '.join(formulas)}"
    else:
        needs = f"glibc {'.'.join(map(str, build.glibc))} or later and these libraries: {needs}"
        packages = build.install()
    install = f"""{SUMMARY} {build.version}, {"macOS" if APPLE else "Linux"} {build.machine}

Install: copy bin and share to /usr/local, or put bin on the PATH.

    sudo cp -r bin share /usr/local/

It needs {needs}.

    {packages}

First steps: b2c init demo; b2c run demo
"""
    entries = list(build.files()) + [("INSTALL.txt", install.encode(), 0o644)]
    entries += [(part, read(os.path.join(ROOT, part)), 0o644) for part in ("LICENSE", "CHANGELOG.md")]
    path = os.path.join(output, name + ".tar.gz")
    write(path, compressed(tar_bytes([(f"{name}/{part}", data, mode) for part, data, mode in entries], build.time)))
    return path


def make_deb(build, output):
    architecture = {"x86_64": "amd64", "aarch64": "arm64"}[build.machine]
    unknown = [library for library in build.needed if library not in DEBIAN and library not in LIBC]
    if unknown:
        raise Problem(f"no Debian package is known for {', '.join(unknown)}: add it to DEBIAN in packaging/dist.py")
    depends = [f"libc6 (>= {'.'.join(map(str, build.glibc))})"]
    depends += sorted({DEBIAN[library] for library in build.needed if library in DEBIAN})
    entries = [("./" + part, data, mode) for part, data, mode in build.files("usr")]
    copyright = (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        f"Upstream-Name: b2c-harness\n\nFiles: *\nCopyright: {time.gmtime(build.time).tm_year} the authors of b2c-harness\nLicense: Apache-2.0\n"
        " On Debian systems the text of this license is in /usr/share/common-licenses/Apache-2.0.\n")
    stamp = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(build.time))
    maintainer = "b2c-harness maintainers <maintainers@b2c-harness.example>"
    changelog = f"b2c-harness ({build.version}) unstable; urgency=medium\n\n  * Release {build.version}.\n\n -- {maintainer}  {stamp}\n"
    lintian = "".join(
        # Swift's libraries are linked in, Foundation's ICU and libxml2 with them; Debian has no packages of them.
        f"b2c-harness: {tag}\n" for tag in ("embedded-library", "unstripped-static-library"))
    entries += [
        ("./usr/share/doc/b2c-harness/copyright", copyright.encode(), 0o644),
        ("./usr/share/doc/b2c-harness/changelog.gz", compressed(changelog.encode()), 0o644),
        ("./usr/share/lintian/overrides/b2c-harness", lintian.encode(), 0o644),
    ]
    size = sum(len(data) for _, data, _ in entries) // 1024
    control = (
        f"Package: b2c-harness\nVersion: {build.version}\nSection: devel\nPriority: optional\nArchitecture: {architecture}\n"
        f"Depends: {', '.join(depends)}\nMaintainer: {maintainer}\nInstalled-Size: {size}\n"
        f"Description: {SUMMARY}\n" + "".join(f" {line}\n" for line in ABOUT.split("\n")))
    sums = "".join(f"{hashlib.md5(data).hexdigest()}  {name[2:]}\n" for name, data, _ in entries if not isinstance(data, Link))
    inner = [("./control", control.encode(), 0o644), ("./md5sums", sums.encode(), 0o644)]
    members = [
        ("debian-binary", b"2.0\n"), ("control.tar.gz", compressed(tar_bytes(inner, build.time))),
        ("data.tar.xz", lzma.compress(tar_bytes(entries, build.time))),
    ]
    data = b"!<arch>\n"
    for name, content in members:
        data += f"{name:<16}{build.time:<12}{0:<6}{0:<6}{'100644':<8}{len(content):<10}`\n".encode() + content + b"\n" * (len(content) % 2)
    path = os.path.join(output, f"b2c-harness_{build.version}_{architecture}.deb")
    write(path, data)
    return path


def make_wheel(build, output):
    """`pip install` gives both programs. With auditwheel the libraries come along, so that any Linux of that glibc will do."""
    package = os.path.join(HERE, "python", "b2c_harness")
    tag = f"py3-none-linux_{build.machine}"
    info = f"b2c_harness-{build.version}.dist-info"
    metadata = (
        f"Metadata-Version: 2.1\nName: b2c-harness\nVersion: {build.version}\nSummary: {SUMMARY}\nLicense: Apache-2.0\n"
        f"License-File: LICENSE\nRequires-Python: >=3.9\nDescription-Content-Type: text/plain\n\n{ABOUT}\n")
    entries = [(f"b2c_harness/{name}", read(os.path.join(package, name)), 0o644) for name in sorted(os.listdir(package)) if name.endswith((".py", ".typed"))]
    tool = shutil.which("auditwheel") if shutil.which("patchelf") else None
    with tempfile.TemporaryDirectory() as folder:
        program = build.program
        if tool:
            # auditwheel brings what the program names.
            program = shutil.copy2(program, folder)
            for library in sorted(LOADED):
                done = subprocess.run(["patchelf", "--add-needed", library, program], capture_output=True, text=True)
                if done.returncode != 0:
                    raise Problem(f"patchelf: {done.stderr.strip()}")
        entries += build.programs("b2c_harness/bin", program)
    entries += [(f"b2c_harness/share/b2c-harness/{name}", data, 0o644) for name, data in build.scenarios()]
    needs = {"libraries": [library for library in build.needed if library not in LIBC], "install": build.install()}
    entries.append(("b2c_harness/needs.json", (json.dumps(needs, indent=2) + "\n").encode(), 0o644))
    entries += [
        (f"{info}/METADATA", metadata.encode(), 0o644),
        (f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: packaging/dist.py\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(), 0o644),
        (f"{info}/entry_points.txt", ENTRY_POINTS.encode(), 0o644),
        (f"{info}/LICENSE", read(os.path.join(ROOT, "LICENSE")), 0o644),
    ]
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n" for name, data, _ in entries)
    entries.append((f"{info}/RECORD", (record + f"{info}/RECORD,,\n").encode(), 0o644))
    path = os.path.join(output, f"b2c_harness-{build.version}-{tag}.whl")
    when = time.gmtime(max(build.time, 315_532_800))[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, mode in entries:
            entry = zipfile.ZipInfo(name, when)
            entry.external_attr, entry.compress_type = (stat.S_IFREG | mode) << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    if not tool:
        print(f"auditwheel and patchelf are not installed: {os.path.basename(path)} needs the system's {', '.join(l for l in build.needed if l in DEBIAN)}")
        return path
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([tool, "repair", "--wheel-dir", folder, path], capture_output=True, text=True)
        if done.returncode != 0:
            raise Problem(f"auditwheel: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
        repaired = os.path.join(output, os.listdir(folder)[0])
        shutil.move(os.path.join(folder, os.path.basename(repaired)), repaired)
    os.unlink(path)
    return repaired


def make_npm(build, output):
    """The programs for Node projects: `npm install --save-dev` gives `npx b2c` and `npx mock-server`."""
    source = os.path.join(HERE, "npm")
    manifest = json.loads(read(os.path.join(source, "package.json")))
    manifest["version"] = build.version
    manifest["b2c"] = {"install": build.install()}
    manifest["os"], manifest["cpu"] = ["linux"], [{"x86_64": "x64", "aarch64": "arm64"}[build.machine]]
    entries = [("package/package.json", (json.dumps(manifest, indent=2) + "\n").encode(), 0o644)]
    for name in sorted(os.listdir(source)):
        if name != "package.json" and not name.startswith(".") and os.path.isfile(os.path.join(source, name)):
            entries.append((f"package/{name}", read(os.path.join(source, name)), 0o755 if name.endswith(".js") else 0o644))
    entries += build.programs("package/bin")
    entries += [(f"package/share/b2c-harness/{name}", data, 0o644) for name, data in build.scenarios()]
    entries.append(("package/LICENSE", read(os.path.join(ROOT, "LICENSE")), 0o644))
    # The machine is a part of the name: a release has one for each.
    path = os.path.join(output, f"b2c-harness-npm-{build.version}-linux-{manifest['cpu'][0]}.tgz")
    write(path, compressed(tar_bytes(entries, build.time)))
    return path


def make_source(build, output):
    """The files of the last commit. The formula builds them: an archive that a forge makes on request may change its bytes."""
    try:
        data = subprocess.run(
            ["git", "-C", ROOT, "archive", "--format=tar", f"--prefix=b2c-harness-{build.version}/", "HEAD"],
            capture_output=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as problem:
        raise Missing(f"no source: git archive fails here: {problem}") from None
    path = os.path.join(output, f"b2c-harness-{build.version}-source.tar.gz")
    write(path, compressed(data))
    return path


def make_homebrew(build, output):
    """The formula of this version, for a tap: packaging/homebrew with the address and the checksum of the source."""
    source = make_source(build, output)
    repository = f"https://github.com/{os.environ.get('GITHUB_REPOSITORY') or 'OWNER/b2c-harness'}"
    text = read(os.path.join(HERE, "homebrew", "b2c-harness.rb")).decode()
    for name, value in {
        "HOMEPAGE": repository, "DATE": build.date, "VERSION": build.version,
        "URL": f"{repository}/releases/download/v{build.version}/{os.path.basename(source)}",
        "SHA256": hashlib.sha256(read(source)).hexdigest(),
    }.items():
        text = text.replace(f"@{name}@", value)
    path = os.path.join(output, "b2c-harness.rb")
    write(path, text.encode())
    return path


def make_image(build, output):
    """A container image of the .deb, where buildah is."""
    if not shutil.which("buildah"):
        raise Missing("no image: buildah is not installed")
    with tempfile.TemporaryDirectory() as folder:
        package = make_deb(build, folder)
        done = subprocess.run(
            [os.path.join(HERE, "image.sh"), "--output", os.path.abspath(output), package], capture_output=True, text=True,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(build.time)})
    if done.returncode != 0:
        kind = Missing if done.returncode == 3 else Problem
        raise kind(f"no image: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    return os.path.join(output, os.path.basename(done.stdout.split()[-1]))


def write(path, data):
    with open(path, "wb") as file:
        file.write(data)


KINDS = {
    "tar": make_tar, "deb": make_deb, "wheel": make_wheel, "npm": make_npm, "source": make_source, "homebrew": make_homebrew,
    "image": make_image,
}


def main():
    parser = argparse.ArgumentParser(description="Packages of the built program.")
    parser.add_argument("bin", metavar="BIN", help="the folder with b2c")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"{', '.join(KINDS)} (default: all)")
    parser.add_argument("--output", default="dist")
    arguments = parser.parse_args()
    wrong = [kind for kind in arguments.kinds if kind not in KINDS]
    if wrong:
        parser.error(f"unknown kind {wrong[0]}; kinds are {', '.join(KINDS)}")
    if APPLE and set(arguments.kinds) - {"tar"}:
        parser.error("macOS has the kind tar; the other packages are made on Linux")
    kinds = arguments.kinds or (["tar"] if APPLE else list(KINDS))
    os.makedirs(arguments.output, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory() as work:
            build = Build(arguments.bin, work)
            made = []
            for kind in kinds:
                try:
                    made.append(KINDS[kind](build, arguments.output))
                except Missing as missing:
                    if arguments.kinds:
                        raise
                    print(missing)
    except (Problem, ValueError) as problem:
        print(f"dist: {problem}", file=sys.stderr)
        return 1
    names = sorted(name for name in os.listdir(arguments.output) if name != "SHA256SUMS")
    sums = "".join(f"{hashlib.sha256(read(os.path.join(arguments.output, name))).hexdigest()}  {name}\n" for name in names)
    write(os.path.join(arguments.output, "SHA256SUMS"), sums.encode())
    for path in made:
        print(f"{os.path.getsize(path) / 1e6:7.1f} MB  {path}")
    glibc = [] if build.glibc is None else ["glibc " + ".".join(map(str, build.glibc))]
    print(f"needs {', '.join(glibc + [library for library in build.needed if library not in LIBC])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
