"""`b2c run --bundle` over the shipped scripts: what is written repeats byte for byte elsewhere, and no secret that stands
in the scripts and tenant files is in it, as it is, in URLs or in Base64.

    bundles.py B2C SCENARIOS
"""

import base64
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import urllib.parse
import zipfile

from harness import run_part

FOLDERS = ["bugs", "reports", "custom-policies", "errors", "sign-in", "mfa", "tokens", "providers", "faults"]
NAMES = {"password", "newPassword", "confirmPassword", "totpSecret", "secret", "secrets", "client_secret", "clientSecret"}


class Stage:
    def __init__(self, b2c, scenarios):
        self.b2c = os.path.abspath(b2c)
        self.folder = tempfile.mkdtemp()
        shutil.copytree(scenarios, os.path.join(self.folder, "scenarios"))

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, folder, *arguments):
        done = subprocess.run([self.b2c, "run", *arguments], cwd=folder, capture_output=True, text=True, timeout=300)
        return done.returncode, done.stdout, done.stderr

    def secrets(self, folder):
        """Every text under the name of a secret that is more than a word."""
        found = set()

        def walk(value, name):
            if isinstance(value, dict):
                for key, member in value.items():
                    walk(member, key)
            elif isinstance(value, list):
                for element in value:
                    walk(element, name)
            elif isinstance(value, str) and name in NAMES and "{{" not in value:
                is_word = len(value) < 6 or (len(value) <= 12 and value.isalpha())
                if not is_word:
                    found.add(value)

        for part in (folder, "tenants"):
            for place, _, names in os.walk(os.path.join(self.folder, "scenarios", part)):
                for name in names:
                    if name.endswith(".json"):
                        with open(os.path.join(place, name)) as file:
                            walk(json.load(file), "")
        return found


def spellings(secret):
    yield secret.encode()
    yield urllib.parse.quote(secret, safe="").encode()
    yield secret.replace("-", "%2D").encode()
    # In Base64 wherever it begins in a group of three; the first and last characters hold bits of what stands beside it.
    for lead in range(3):
        text = base64.b64encode(b"x" * lead + secret.encode()).rstrip(b"=")
        yield text[0 if lead == 0 else 4:-2]


def repeats(folder):
    def check(stage):
        begun = time.monotonic()
        status, said, errors = stage.run(stage.folder, f"scenarios/{folder}", "--seed", "5", "--bundle", "b.zip")
        assert status == 0 and " replaced" in said, (status, said[-1500:], errors[-1500:])
        path = os.path.join(stage.folder, "b.zip")
        with open(path, "rb") as file:
            archive = file.read()
        secrets = stage.secrets(folder)
        assert "Analytical-1843" in secrets and len(secrets) > 5, f"only {len(secrets)} secrets are looked for"
        for secret in secrets:
            for spelling in spellings(secret):
                assert len(spelling) < 6 or spelling not in archive, f"the archive holds {secret!r} as {spelling!r}"
        with tempfile.TemporaryDirectory() as elsewhere:
            shutil.copy(path, os.path.join(elsewhere, "here.zip"))
            status, said, errors = stage.run(elsewhere, "here.zip")
        assert status == 0, (status, said[-1500:], errors[-1500:])
        assert said.endswith("repeated byte for byte: report and trace are those in here.zip\n"), said[-500:]
        print(f"          {len(archive) / 1e6:.1f} MB, {len(secrets)} secrets looked for, {time.monotonic() - begun:.1f} s")

    check.__name__ = f"{folder} repeats without its secrets"
    return check


def with_secrets(stage):
    """With nothing replaced the archive holds the very report and trace of the run that was bundled."""
    arguments = ["--report-json", "r.json", "--trace-json", "t.json", "--bundle", "k.zip", "--keep-secrets"]
    status, said, errors = stage.run(stage.folder, "scenarios/custom-policies", "--seed", "5", *arguments)
    assert status == 0, (said[-1500:], errors)
    with zipfile.ZipFile(os.path.join(stage.folder, "k.zip")) as given:
        for entry, written in (("report.json", "r.json"), ("trace.json", "t.json")):
            with open(os.path.join(stage.folder, written), "rb") as file:
                assert given.read(entry) == file.read(), entry
    status, said, errors = stage.run(stage.folder, "k.zip")
    assert status == 0 and "repeated byte for byte" in said, (status, said[-500:], errors)


def changed_archives(stage):
    """One byte of an entry is another: that entry is named, and nothing is run."""
    status, said, errors = stage.run(stage.folder, "scenarios/happy-sign-in.json", "--seed", "5", "--bundle", "c.zip")
    assert status == 0, (said, errors)
    path = os.path.join(stage.folder, "c.zip")
    with open(path, "rb") as file:
        archive = file.read()
    with zipfile.ZipFile(path) as given:
        entries = given.infolist()
    assert {"bundle.json", "report.json", "trace.json"} < {entry.filename for entry in entries}, entries
    for entry in entries:
        # The name and a field without meaning here stand between an entry's head and its content.
        name, extra = struct.unpack("<HH", archive[entry.header_offset + 26:entry.header_offset + 30])
        changed = bytearray(archive)
        changed[entry.header_offset + 30 + name + extra + entry.compress_size // 2] ^= 1
        with open(path, "wb") as file:
            file.write(changed)
        status, said, errors = stage.run(stage.folder, "c.zip")
        assert status == 2 and f"c.zip cannot be run: {entry.filename}: " in errors and not said, (status, said, errors)


def main():
    def body(report):
        stage = Stage(*sys.argv[1:3])
        try:
            for folder in FOLDERS:
                check = repeats(folder)
                report.check(check.__name__, lambda: check(stage))
            report.check("custom-policies repeats with its secrets", lambda: with_secrets(stage))
            report.check("an archive with one other byte in an entry is refused by its name", lambda: changed_archives(stage))
        finally:
            stage.close()

    return run_part("bundles", body)


if __name__ == "__main__":
    sys.exit(main())
