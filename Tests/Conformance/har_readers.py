"""What `b2c run --trace-har` writes, read by others: haralyzer, which makes pages of it, hario-core, which holds entries to
a model of HAR 1.2, and mitmproxy, which opens it as a capture of its own and writes it out again, to be imported.

    har_readers.py B2C SCENARIOS MITMDUMP
"""

import json
import os
import subprocess
import sys
import tempfile

from haralyzer import HarParser
from hario_core.models.har_1_2 import HarLog

SCRIPTS = ["sign-in/wrong-password.json", "sign-up/verified-by-code.json", "silent/refresh-token-expires.json",
           "bugs/B110-no-cors-for-a-web-redirect.json", "custom-policies/rest-basic.json"]


def through_mitmproxy(b2c, mitmdump, scenarios, folder):
    """An archive that mitmproxy has read and written is still one that a passing script is made of."""
    own, theirs = os.path.join(folder, "own.har"), os.path.join(folder, "theirs.har")
    subprocess.run([b2c, "run", os.path.join(scenarios, SCRIPTS[0]), "--seed", "1", "--trace", own], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    read = subprocess.run([mitmdump, "-n", "-r", own, "--set", f"hardump={theirs}", "--set", f"confdir={folder}"],
                          capture_output=True, text=True)
    assert read.returncode == 0 and os.path.exists(theirs), read.stdout + read.stderr
    before, after = [json.load(open(path))["log"]["entries"] for path in (own, theirs)]
    assert len(before) == len(after), f"mitmproxy has {len(after)} of {len(before)} requests"
    for ours, other in zip(before, after):
        assert ours["request"]["method"] == other["request"]["method"], other["request"]["url"]
        assert ours["response"]["status"] == other["response"]["status"], other["request"]["url"]
        # It knows no addresses but those of the web, and gives an app's own scheme a port.
        if ours["request"]["url"].startswith("http"):
            assert ours["request"]["url"] == other["request"]["url"], other["request"]["url"]
        posted = ours["request"].get("postData", {}).get("text", "")
        assert other["request"].get("postData", {}).get("text", "") == posted, other["request"]["url"]
    for arguments in [["import", "har", theirs, "--output", folder, "--name", "again"],
                      ["run", os.path.join(folder, "again.json"), "--seed", "2"]]:
        done = subprocess.run([b2c, *arguments], cwd=folder, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


def main():
    b2c, scenarios, mitmdump = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3]
    with tempfile.TemporaryDirectory() as folder:
        written = []
        for name in ["one.har", "two.har"]:
            path = os.path.join(folder, name)
            subprocess.run(
                [b2c, "run", *[os.path.join(scenarios, script) for script in SCRIPTS], "--seed", "1", "--trace-har", path],
                cwd=folder, check=True, stdout=subprocess.DEVNULL)
            written.append(open(path, "rb").read())
        assert written[0] == written[1], "the same seed gave two archives"
        given = json.loads(written[0])

        parser = HarParser(given)
        assert parser.version == "1.2" and parser.creator["name"] == "b2c-harness", parser.creator
        pages = parser.pages
        # Five scripts, one of them with two cases.
        assert len(pages) == 6, [page.title for page in pages]
        entries = [entry for page in pages for entry in page.entries]
        assert len(entries) == len(given["log"]["entries"]), "entries without a page"
        posts = [entry for entry in entries if entry.request.method == "POST" and "SelfAsserted" in entry.request.url]
        assert len(posts) > 4 and all(entry.response.status == 200 for entry in posts)
        assert any(entry.response.redirectURL.startswith("msauth.") for entry in entries)
        assert sum(page.time_to_first_byte is not None for page in pages) == 6

        model = HarLog.model_validate(given["log"])
        assert len(model.entries) == len(entries)
        assert {entry.request.method for entry in model.entries} >= {"GET", "POST"}
        through_mitmproxy(b2c, mitmdump, scenarios, folder)
    print("har readers: the archives are read by haralyzer, hario-core and mitmproxy")


if __name__ == "__main__":
    main()
