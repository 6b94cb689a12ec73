"""What `b2c run --trace-har` writes, read by others: haralyzer, which makes pages of it, and hario-core, which holds
entries to a model of HAR 1.2.

    har_readers.py B2C SCENARIOS
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


def main():
    b2c, scenarios = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
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
    print("har readers: the archives are read by haralyzer and hario-core")


if __name__ == "__main__":
    main()
