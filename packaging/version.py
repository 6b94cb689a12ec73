#!/usr/bin/env python3
"""The version of this clone: the text in Sources/Base/Diagnostics/ToolVersion.swift, the one place that has it.

    packaging/version.py                  prints it
    packaging/version.py --tag v0.1.0     also checks that a tag names it (a workflow passes $GITHUB_REF_NAME)
    packaging/version.py --repository A/B also writes into that file which repository has the releases of this build, so that
                                          `b2c init --ci` names it (a workflow passes $GITHUB_REPOSITORY)

Exit code 1: the tag names another version, or the file has none.
"""

import argparse
import os
import re
import sys

FILE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "Sources", "Base", "Diagnostics", "ToolVersion.swift")


def version(text):
    """The version in the text of ToolVersion.swift; None without one."""
    found = re.search(r'^\s*package static let text = "(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)"$', text, re.M)
    return found and found[1]


def main():
    parser = argparse.ArgumentParser(description="Prints the version, and checks a tag.")
    parser.add_argument("--tag", help="the tag of a release, such as v0.1.0")
    parser.add_argument("--repository", help="the repository that releases this build, such as contoso/b2c-harness")
    arguments = parser.parse_args()
    with open(FILE, encoding="utf-8") as file:
        found = version(file.read())
    if not found:
        print("version: Sources/Base/Diagnostics/ToolVersion.swift has no line such as: package static let text = \"0.1.0\"", file=sys.stderr)
        return 1
    if arguments.tag is not None and arguments.tag != "v" + found:
        print(f"version: expected the tag v{found}, actual {arguments.tag}: change Sources/Base/Diagnostics/ToolVersion.swift or the tag", file=sys.stderr)
        return 1
    if arguments.repository is not None:
        return name_repository(arguments.repository, found)
    print(found)
    return 0


def name_repository(repository, found):
    if not re.fullmatch(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+", repository):
        print(f"version: expected --repository ACCOUNT/NAME, actual {repository}", file=sys.stderr)
        return 1
    with open(FILE, encoding="utf-8") as file:
        text = file.read()
    changed, count = re.subn(r"(static let repository: String\? = )\S+", rf'\1"{repository}"', text)
    if count != 1:
        print("version: Sources/Base/Diagnostics/ToolVersion.swift has no line: static let repository: String? = nil", file=sys.stderr)
        return 1
    with open(FILE, "w", encoding="utf-8") as file:
        file.write(changed)
    print(found)
    return 0


if __name__ == "__main__":
    sys.exit(main())
