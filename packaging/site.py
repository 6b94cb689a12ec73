#!/usr/bin/env python3
"""Makes one offline site with a search out of README, docs and what they link to: FOLDER/site/README.html.

    packaging/site.py FOLDER

Sphinx builds it and refuses a link to a file or heading that does not exist. Afterwards each file that a page names must be
there, and no page may need the network.
"""

import html.parser
import os
import re
import shutil
import subprocess
import sys
from urllib.parse import unquote, urlsplit

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LINK = re.compile(r"\]\(([^)\s#]+)[^)\s]*\)")
SETTINGS = """
project = html_title = "b2c-harness"
root_doc = "README"
extensions = ["myst_parser"]
myst_heading_anchors = 6
html_theme = "furo"
suppress_warnings = ["toc.not_included"]
html_copy_source = html_show_copyright = html_show_sphinx = False
"""


def text(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as file:
        return file.read()


def targets(page, part=None):
    """Files below the root to which a page, or a part of it, links."""
    found = LINK.findall(part or text(page))
    return [os.path.normpath(os.path.join(os.path.dirname(page), target)) for target in found if "://" not in target]


def stage(folder):
    """Copies the pages that README.md leads to, and the files that they link to."""
    waiting, seen = ["README.md"], set()
    while waiting:
        path = waiting.pop()
        # What does not exist is reported by Sphinx.
        if path in seen or path.startswith("..") or not os.path.isfile(os.path.join(ROOT, path)):
            continue
        seen.add(path)
        copy = os.path.join(folder, path)
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copyfile(os.path.join(ROOT, path), copy)
        if path.endswith(".md"):
            waiting += targets(path)
    return sorted(path for path in seen if path.endswith(".md"))


def contents(pages):
    """The table of contents: the sections of docs/README.md, then what they do not name. Each rule has a page of its own;
    in a table beside every page they would take most of the time and place."""
    index, named, tables = "docs/README.md", {"README.md"}, []
    sections = [part.split("\n", 1) for part in re.split(r"^## ", text(index), flags=re.MULTILINE)[1:]]
    for title, part in sections + [("More", None)]:
        rest = [path for path in pages if not path.startswith("docs/rules/")]
        listed = rest if part is None else [path for path in targets(index, part) if path.endswith(".md")]
        listed = [path for path in dict.fromkeys(listed) if path not in named]
        named.update(listed)
        tables += ["", "```{toctree}", ":hidden:", f":caption: {title}", "", *listed, "```"]
    return "\n".join(tables) + "\n"


class References(html.parser.HTMLParser):
    """What a page links to, and what it loads."""

    def __init__(self, page):
        super().__init__()
        self.links, self.loads = [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag in ("script", "img", "link", "iframe"):
            self.loads += [value for value in (values.get("src"), values.get("href")) if value]
        elif tag == "a" and values.get("href"):
            self.links.append(values["href"])


def problems(site):
    """Files that do not exist, and what would be fetched."""
    for folder, _, names in os.walk(site):
        for name in names:
            if not name.endswith(".html"):
                continue
            page = os.path.join(folder, name)
            with open(page, encoding="utf-8") as file:
                references = References(file.read())
            for target in references.links + references.loads:
                parts = urlsplit(target)
                path = os.path.normpath(os.path.join(folder, unquote(parts.path)))
                if parts.scheme in ("http", "https") and target in references.loads:
                    yield f"{os.path.relpath(page, site)} loads {target}"
                elif not parts.scheme and parts.path and not os.path.isfile(path):
                    yield f"{os.path.relpath(page, site)} links to {target}, which does not exist"


def main():
    pages, site = [os.path.join(os.path.abspath(sys.argv[1]), part) for part in ("pages", "site")]
    for folder in (pages, site):
        shutil.rmtree(folder, ignore_errors=True)
    staged = stage(pages)
    with open(os.path.join(pages, "conf.py"), "w", encoding="utf-8") as file:
        file.write(SETTINGS)
    with open(os.path.join(pages, "README.md"), "a", encoding="utf-8") as file:
        file.write(contents(staged))
    build = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--jobs", "auto", pages, site]
    if subprocess.run(build).returncode:
        return 1
    found = sorted(set(problems(site)))
    for problem in found:
        print(problem, file=sys.stderr)
    print(f"{len(staged)} pages: open {os.path.join(site, 'README.html')}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
