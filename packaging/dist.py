#!/usr/bin/env python3
"""Packages of the built programs. `make dist` calls this.

    packaging/dist.py BIN [--output dist] [KIND...]

BIN is the folder with the programs: what packaging/link.py made, on macOS the release build. Kinds: tar, deb, wheel, npm, vscode,
source, homebrew, image (default: all; on macOS tar). The version is what `b2c --version` prints. It needs no packages of Python. It uses
`strip`, `git` for source and homebrew, and `buildah` for image; it says which of them are missing.

The same inputs give the same bytes: times in archives are that of the last commit, or SOURCE_DATE_EPOCH.
"""

import argparse
import base64
import gzip
import hashlib
import html
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
import link
import manual
from link import Problem

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
APPLE = sys.platform == "darwin"
PROGRAMS = ["b2c", "mock-server"]

SUMMARY = "Azure AD B2C test harness and policy simulator"
ABOUT = """\
Runs scenarios of sign-up, sign-in, profile editing, password reset and
sign-out as an app built on MSAL experiences them, against a mock authority or
a real tenant. Serves the mock to apps and APIs under test, executes custom
policies, and validates redirect URIs, app configuration and policies."""

# What Debian's package needs of others: libcurl, by its names before and after the change to 64-bit times, and what glibc needs.
DEPENDS = ["libcurl4 | libcurl4t64", "libgcc-s1"]

# The programs on the PATH of a virtual environment, and the fixtures of pytest.
ENTRY_POINTS = """\
[console_scripts]
b2c = b2c_harness:b2c
mock-server = b2c_harness:mock_server

[pytest11]
b2c_harness = b2c_harness.pytest_plugin
"""


class Missing(Problem):
    """A tool that is not here. Without a list of kinds the others are made all the same."""


class Build:
    """The stripped programs and what belongs to them."""

    def __init__(self, source, work):
        self.binaries = {name: os.path.join(work, name) for name in PROGRAMS}
        for name, path in self.binaries.items():
            if not os.access(os.path.join(source, name), os.X_OK):
                raise Problem(f"{os.path.join(source, name)} is not a program: `make dist` builds it")
            shutil.copy2(os.path.join(source, name), path)
        strip = shutil.which("strip")
        if not strip:
            print("strip is not installed: the programs keep their symbols and are larger")
        for path in self.binaries.values() if strip else []:
            subprocess.run([strip, "-x", path] if APPLE else [strip, path], check=True)
            if APPLE:
                # Apple's processors start signed programs only, and strip breaks the linker's signature.
                subprocess.run(["codesign", "--force", "--sign", "-", path], check=True)
        said = run([self.binaries["b2c"], "--version"]).split()
        self.version = said[-1]
        self.time = int(os.environ.get("SOURCE_DATE_EPOCH") or commit_time())
        self.date = time.strftime("%Y-%m-%d", time.gmtime(self.time))
        # Shared libraries that come along, by the names under which they are loaded.
        self.brought = {} if APPLE else link.libcurl()
        self.glibc = None if APPLE else link.glibc([*self.binaries.values(), *self.brought.values()])
        self.machine = {"arm64": "aarch64"}.get(platform.machine(), platform.machine())
        self.describe()

    def describe(self):
        """Checks that nothing has to be installed, and writes manual pages and completions."""
        needed = set() if APPLE else set(elf.needed(self.binaries["b2c"])) - link.LIBC
        if needed:
            raise Problem(f"the program needs {', '.join(sorted(needed))}: link it as packaging/link.py does, or add it to ARCHIVES there")
        self.manual = {}
        for path in self.binaries.values():
            self.manual.update(manual.pages(path, self.version, self.date))
        # With `=`, because b2c takes a word of its own for the name of a command.
        self.completions, self.serverCompletions = (
            {shell: run([self.binaries[name], f"--generate-completion-script={shell}"]) for shell in ("bash", "zsh", "fish")}
            for name in PROGRAMS)

    def files(self, prefix=""):
        """Name and content of everything that is installed below a prefix such as `usr`, with its mode. Not what comes along."""
        at = prefix + "/" if prefix else ""
        yield from self.programs(at)
        for name, text in sorted(self.manual.items()):
            yield f"{at}share/man/man1/{name}.gz", compressed(text.encode()), 0o644
        for program, scripts in [("b2c", self.completions), ("mock-server", self.serverCompletions)]:
            yield f"{at}share/bash-completion/completions/{program}", sourced(scripts["bash"]).encode(), 0o644
            yield f"{at}share/zsh/vendor-completions/_{program}", scripts["zsh"].encode(), 0o644
            yield f"{at}share/fish/vendor_completions.d/{program}.fish", scripts["fish"].encode(), 0o644
        for name, data in self.shared():
            yield f"{at}share/b2c-harness/{name}", data, 0o644

    def programs(self, at):
        for name, path in self.binaries.items():
            yield f"{at}bin/{name}", read(path), 0o755

    def libraries(self, at):
        """The libraries that come along, where link.py's LIBRARIES says, and their licenses."""
        for name, path in sorted(self.brought.items()):
            yield f"{at}lib/b2c-harness/{name}", read(path), 0o644
        for name, text in sorted(link.licenses(self.brought.values()).items()):
            yield f"{at}share/b2c-harness/licenses/{name}", text, 0o644

    def shared(self):
        """The skill for coding agents, and the shipped scenarios, which `b2c explain --write` copies. Schemas are not among
        them: `b2c schema` prints them."""
        for top, name in (("docs", "skill"), ("", "scenarios")):
            base = os.path.join(ROOT, top)
            for folder, folders, names in os.walk(os.path.join(base, name)):
                folders[:] = sorted(name for name in folders if name != "schemas" and not name.startswith("."))
                for name in sorted(names):
                    if not name.startswith("."):
                        path = os.path.join(folder, name)
                        yield os.path.relpath(path, base), read(path)


def sourced(script):
    """A shell reads completions and never starts them: lintian warns of a first line that names an interpreter."""
    return script.split("\n", 1)[1].lstrip("\n") if script.startswith("#!") else script


def formulas(path):
    """Homebrew's names of the libraries that a program of macOS needs: /opt/homebrew/opt/NAME/lib/FILE."""
    lines = [line.split()[0] for line in run(["otool", "-L", path]).splitlines()[1:]]
    return {line.split("/opt/")[-1].split("/")[0] for line in lines if "/opt/" in line}


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
    """A tar of (name, content, mode), with the folders above them, owned by root."""
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
    folders = "bin and share" if APPLE else "bin, lib and share"
    needs = (
        f"brew install {' '.join(sorted(set().union(*map(formulas, build.binaries.values()))))}" if APPLE
        else f"It needs glibc {'.'.join(map(str, build.glibc))} or later, and nothing else.")
    install = f"""{SUMMARY} {build.version}, {"macOS" if APPLE else "Linux"} {build.machine}

Install: copy {folders} to /usr/local, or put bin on the PATH.

    sudo cp -r {folders.replace(",", "").replace(" and", "")} /usr/local/

{needs}

First steps: b2c init demo; b2c run demo
"""
    entries = [*build.files(), *build.libraries(""), ("INSTALL.txt", install.encode(), 0o644)]
    entries += [(part, read(os.path.join(ROOT, part)), 0o644) for part in ("LICENSE", "CHANGELOG.md")]
    path = os.path.join(output, name + ".tar.gz")
    write(path, compressed(tar_bytes([(f"{name}/{part}", data, mode) for part, data, mode in entries], build.time)))
    return path


def make_deb(build, output):
    architecture = {"x86_64": "amd64", "aarch64": "arm64"}[build.machine]
    depends = [f"libc6 (>= {'.'.join(map(str, build.glibc))})"]
    depends += DEPENDS
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
        f"b2c-harness: {tag}\n" for tag in ("embedded-library", "unstripped-static-library", "custom-library-search-path"))
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
    sums = "".join(f"{hashlib.md5(data).hexdigest()}  {name[2:]}\n" for name, data, _ in entries)
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
    """`pip install` gives both programs. Any Linux of that glibc will do (PEP 600)."""
    package = os.path.join(HERE, "python", "b2c_harness")
    tag = f"py3-none-manylinux_{build.glibc[0]}_{build.glibc[1]}_{build.machine}"
    info = f"b2c_harness-{build.version}.dist-info"
    metadata = (
        f"Metadata-Version: 2.1\nName: b2c-harness\nVersion: {build.version}\nSummary: {SUMMARY}\nLicense: Apache-2.0\n"
        f"License-File: LICENSE\nRequires-Python: >=3.9\nDescription-Content-Type: text/plain\n\n{ABOUT}\n")
    entries = [(f"b2c_harness/{name}", read(os.path.join(package, name)), 0o644) for name in sorted(os.listdir(package)) if name.endswith((".py", ".typed"))]
    entries += [*build.programs("b2c_harness/"), *build.libraries("b2c_harness/")]
    entries += [(f"b2c_harness/share/b2c-harness/{name}", data, 0o644) for name, data in build.shared()]
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
    write_zip(path, entries, build.time)
    return path


def write_zip(path, entries, when):
    # A zip knows no time before 1980.
    date = time.gmtime(max(when, 315_532_800))[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data, mode in entries:
            entry = zipfile.ZipInfo(name, date)
            entry.external_attr, entry.compress_type = (stat.S_IFREG | mode) << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)


def make_npm(build, output):
    """The programs for Node projects: `npm install --save-dev` gives `npx b2c` and `npx mock-server`."""
    source = os.path.join(HERE, "npm")
    manifest = json.loads(read(os.path.join(source, "package.json")))
    manifest["version"] = build.version
    manifest["os"], manifest["cpu"] = ["linux"], [{"x86_64": "x64", "aarch64": "arm64"}[build.machine]]
    entries = [("package/package.json", (json.dumps(manifest, indent=2) + "\n").encode(), 0o644)]
    for name in sorted(os.listdir(source)):
        if name != "package.json" and not name.startswith(".") and os.path.isfile(os.path.join(source, name)):
            entries.append((f"package/{name}", read(os.path.join(source, name)), 0o755 if name.endswith(".js") else 0o644))
    entries += [*build.programs("package/"), *build.libraries("package/")]
    entries += [(f"package/share/b2c-harness/{name}", data, 0o644) for name, data in build.shared()]
    entries.append(("package/LICENSE", read(os.path.join(ROOT, "LICENSE")), 0o644))
    # The machine is a part of the name: a release has one for each.
    path = os.path.join(output, f"b2c-harness-npm-{build.version}-linux-{manifest['cpu'][0]}.tgz")
    write(path, compressed(tar_bytes(entries, build.time)))
    return path


def make_vscode(build, output):
    """The extension of VS Code, which starts the programs that are installed: of `build` it takes version and time."""
    source = os.path.join(HERE, "vscode")
    manifest = {**json.loads(read(os.path.join(source, "package.json"))), "version": build.version}
    files = {name: read(os.path.join(source, name)) for name in sorted(os.listdir(source)) if name.endswith((".js", ".md"))}
    files["package.json"] = (json.dumps(manifest, indent=2) + "\n").encode()
    files["LICENSE.txt"], files["CHANGELOG.md"] = read(os.path.join(ROOT, "LICENSE")), read(os.path.join(ROOT, "CHANGELOG.md"))
    entries = [("extension.vsixmanifest", vsix_manifest(manifest).encode(), 0o644), ("[Content_Types].xml", CONTENT_TYPES.encode(), 0o644)]
    entries += [(f"extension/{name}", data, 0o644) for name, data in sorted(files.items())]
    path = os.path.join(output, f"b2c-harness-{build.version}.vsix")
    write_zip(path, entries, build.time)
    return path


CONTENT_TYPES = """\
<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
""" + "".join(f'  <Default Extension="{ending}" ContentType="{kind}" />\n' for ending, kind in {
    "js": "application/javascript", "json": "application/json", "md": "text/markdown", "txt": "text/plain", "vsixmanifest": "text/xml",
}.items()) + "</Types>\n"


def vsix_manifest(package):
    """What VS Code and its marketplace read before package.json."""
    name, publisher, version, title, about, engine, kinds = (html.escape(text) for text in (
        package["name"], package["publisher"], package["version"], package["displayName"], package["description"],
        package["engines"]["vscode"], ",".join(package["extensionKind"])))
    assets = "".join(f'    <Asset Type="{kind}" Path="extension/{path}" Addressable="true" />\n' for kind, path in {
        "Microsoft.VisualStudio.Code.Manifest": "package.json", "Microsoft.VisualStudio.Services.Content.Details": "README.md",
        "Microsoft.VisualStudio.Services.Content.Changelog": "CHANGELOG.md",
        "Microsoft.VisualStudio.Services.Content.License": "LICENSE.txt",
    }.items())
    return f"""\
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="{name}" Version="{version}" Publisher="{publisher}" />
    <DisplayName>{title}</DisplayName>
    <Description xml:space="preserve">{about}</Description>
    <Tags>{html.escape(",".join(package["keywords"]))}</Tags>
    <Categories>{html.escape(",".join(package["categories"]))}</Categories>
    <License>extension/LICENSE.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="{engine}" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="{kinds}" />
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
{assets}  </Assets>
</PackageManifest>
"""


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
    "tar": make_tar, "deb": make_deb, "wheel": make_wheel, "npm": make_npm, "vscode": make_vscode, "source": make_source,
    "homebrew": make_homebrew, "image": make_image,
}


def main():
    parser = argparse.ArgumentParser(description="Packages of the built program.")
    parser.add_argument("bin", metavar="BIN", help="the folder with the programs")
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
    return 0


if __name__ == "__main__":
    sys.exit(main())
