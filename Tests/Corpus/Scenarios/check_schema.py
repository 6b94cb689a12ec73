#!/usr/bin/env python3
"""Holds scenarios/schemas/scenario.schema.json against the corpus with an independent validator.

Needs the package jsonschema. The Swift tests do the same with a validator of their own; this shows that other tools,
editors among them, read the schema alike. Exit code 1 when they do not.
"""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:
    sys.exit("jsonschema is not installed; pip install jsonschema")

here = pathlib.Path(__file__).parent
root = here.parents[2]
wrong = []
for name in ("scenario", "tenant"):
    schema = json.loads((root / f"scenarios/schemas/{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(json.loads((root / "scenarios/schemas/scenario.schema.json").read_text()))
for folder, right in (("examples", True), ("accepted", True), ("rejected/meaning", True), ("rejected/shape", False)):
    for path in sorted((here / folder).glob("*.json")):
        errors = [f"{e.json_path}: {e.message[:120]}" for e in validator.iter_errors(json.loads(path.read_text()))]
        if (not errors) != right:
            wrong.append(f"{folder}/{path.name}: " + ("; ".join(errors[:3]) or "accepted"))
print("\n".join(wrong) or "the schema agrees with the corpus")
sys.exit(1 if wrong else 0)
