"""What `b2c validate --format sarif` writes, read by others: the object model of sarif-pydantic, which holds members and
words to SARIF 2.1.0, and sarif-tools, which counts what is in it.

    sarif_readers.py B2C
"""

import json
import os
import subprocess
import sys
import tempfile

from sarif import loader
from sarif_pydantic import Sarif

BAD = """{ "appId": "Your_Application_Id_Here", "signInAudience": "AzureADMyOrg",
  "web": { "redirectUris": [ "https://app.contoso.example", "https://*.contoso.example/x#y" ] } }
"""
SETTINGS = {"suppress": [{"rule": "B2C-REG-001", "file": "*", "reason": "an example"}]}


def judge(b2c, folder):
    path = os.path.join(folder, "out.sarif")
    status = subprocess.run(
        [b2c, "validate", ".", "--format", "sarif", "--output", path], cwd=folder, stderr=subprocess.DEVNULL).returncode
    return status, path


def known_members(given, model, where="log"):
    """Members that the model would throw away: names that SARIF does not have."""
    strange = []
    if isinstance(given, dict):
        for key, value in given.items():
            if key not in model:
                strange.append(f"{where}.{key}")
            else:
                strange += known_members(value, model[key], f"{where}.{key}")
    elif isinstance(given, list):
        for index, (one, other) in enumerate(zip(given, model)):
            strange += known_members(one, other, f"{where}[{index}]")
    return strange


def main():
    b2c = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        status, path = judge(b2c, folder)
        assert status == 0, status
        Sarif.model_validate(json.load(open(path)))
        assert loader.load_sarif_file(path).get_result_count() == 0
        os.makedirs(os.path.join(folder, "a b&c"))
        open(os.path.join(folder, "a b&c", "app.json"), "w").write(BAD)
        json.dump(SETTINGS, open(os.path.join(folder, "b2c-validate.json"), "w"))
        status, path = judge(b2c, folder)
        assert status == 4, status
        given = json.load(open(path))
        model = Sarif.model_validate(given).model_dump(mode="json", by_alias=True, exclude_none=True)
        strange = known_members(given, model)
        assert not strange, strange
        read = loader.load_sarif_file(path)
        levels = sorted({record["Severity"] for record in read.get_records()})
        assert levels == ["error", "note", "warning"], levels
        for record in read.get_records():
            assert record["Location"].startswith("a b&c/") or record["Location"].startswith("a%20b%26c/"), record
            assert record["Line"] >= 1, record
        print(f"sarif: {read.get_result_count()} results, levels {', '.join(levels)}")


main()
