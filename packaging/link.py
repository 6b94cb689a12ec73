#!/usr/bin/env python3
"""The programs as packages have them, from what `make release` compiled: `b2c`, which is `mock-server` too, and a launcher of that name.

    packaging/link.py BUILD OUTPUT

BUILD is the folder of the release build. Swift's libraries and those of the system are linked in, except glibc, libgcc_s, which
glibc needs itself, and libcurl, which is loaded by the first request over the network: `lib/b2c-harness` beside the folder of
the programs has it, with what it needs. Linux only: macOS has Swift's libraries, and its compiler links none in.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

import elf

HERE = os.path.dirname(os.path.abspath(__file__))
# Where the program looks first for shared libraries, from its own folder.
LIBRARIES = "../lib/b2c-harness"
# Linked in, from the -dev packages that `make setup` installs.
ARCHIVES = ["jansson", "sqlite3", "xml2", "z", "lzma", "stdc++"]
# Part of glibc, and what glibc itself needs.
LIBC = {
    "libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libresolv.so.2", "libanl.so.1", "libutil.so.1",
    "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libgcc_s.so.1",
}
# libxml2 asks ICU for encodings that iconv does not know. Without ICU, and its data of 30 MB, it says that there is no such one.
NO_CONVERTER = "void *b2c_no_converter(const char *name, int *status) { *status = 1; return 0; }\n"


class Problem(Exception):
    """A reason that a person can act on."""


def program(build, output):
    """Links the programs into the folder `output`."""
    swiftc = shutil.which("swiftc")
    if not swiftc:
        raise Problem("swiftc is not on the PATH")
    objects = set()
    for product in ("b2c", "mock-server"):
        path = os.path.join(build, product + ".product", "Objects.LinkFileList")
        if not os.path.exists(path):
            raise Problem(f"{path} does not exist: run `make release` first")
        with open(path, encoding="utf-8") as file:
            # Words of a response file: quoted where there is a blank in them.
            objects |= {line.strip() for line in file if line.strip()}
    clang = os.path.join(os.path.dirname(os.path.realpath(swiftc)), "clang")
    clang = clang if os.access(clang, os.X_OK) else shutil.which("cc") or "clang"
    os.makedirs(output, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        for name in ARCHIVES:
            found = run([clang, f"-print-file-name=lib{name}.a"]).strip()
            if not os.path.isabs(found):
                raise Problem(f"lib{name}.a is not installed: on Debian and Ubuntu, `make dist` installs it")
            os.symlink(os.path.realpath(found), os.path.join(work, f"lib{name}.a"))
        converters = re.findall(
            r"\b(?:u|ucnv|UCNV)_\w+_\d+$", run(["nm", "--undefined-only", os.path.join(work, "libxml2.a")]), re.MULTILINE)
        with open(os.path.join(work, "converter.c"), "w", encoding="utf-8") as file:
            file.write(NO_CONVERTER)
        run([clang, "-O1", "-c", file.name, "-o", os.path.join(work, "converter.o")])
        with open(os.path.join(work, "objects"), "w", encoding="utf-8") as file:
            file.write("\n".join(sorted(objects) + [os.path.join(work, "converter.o")]))
        run([
            swiftc, "-static-stdlib", "-O", "-module-name", "B2CPackage", os.path.join(HERE, "program.swift"), "-emit-executable",
            "@" + file.name, "-o", os.path.join(output, "b2c"), "-L", work, "-lz", "-llzma",
            *linker("--gc-sections", "--disable-new-dtags", f"-rpath=$ORIGIN/{LIBRARIES}"),
            *linker(*sorted({f"--defsym={name}=b2c_no_converter" for name in converters})),
        ])
    run([clang, "-O1", "-D_GNU_SOURCE", os.path.join(HERE, "mock-server.c"), "-o", os.path.join(output, "mock-server")])


def linker(*options):
    return [word for option in options for word in ("-Xlinker", option)]


def libcurl():
    """The files of libcurl and of all that it needs, by the names under which they are loaded."""
    cache = run([shutil.which("ldconfig") or "/sbin/ldconfig", "-p"])
    found = re.search(r"^\s*libcurl\.so\.4 .*=> (\S+)$", cache, re.MULTILINE)
    if not found:
        raise Problem("libcurl.so.4 is not installed: `make setup` installs it")
    needed = dict(re.findall(r"^\s*(\S+) => (/\S+) \(", run(["ldd", found[1]]), re.MULTILINE))
    return {"libcurl.so.4": found[1]} | {name: path for name, path in needed.items() if name not in LIBC}


def licenses(files):
    """The license of each file of a Debian package, by the package's name. Empty on other systems."""
    texts = {}
    for path in files if shutil.which("dpkg") else []:
        # The database may know the file by its name before /usr was merged.
        for name in (os.path.realpath(path), os.path.realpath(path).removeprefix("/usr")):
            done = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True)
            text = f"/usr/share/doc/{done.stdout.split(':')[0]}/copyright"
            if done.returncode == 0 and os.path.exists(text):
                with open(text, "rb") as file:
                    texts[done.stdout.split(":")[0]] = file.read()
                break
    return texts


def glibc(paths):
    """The oldest glibc that has what these files need."""
    return max(elf.versions(path, "GLIBC") or (2, 0) for path in paths)


def run(words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        said = [line for line in (done.stderr or done.stdout).splitlines() if "error" in line.lower()] or [done.stderr.strip()]
        raise Problem(f"{os.path.basename(words[0])} fails with {done.returncode}: {said[0][:400]}")
    return done.stdout


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        program(sys.argv[1], sys.argv[2])
    except Problem as problem:
        sys.exit(f"link: {problem}")
