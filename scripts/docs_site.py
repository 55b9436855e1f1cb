#!/usr/bin/env python3
"""Build the documentation as a site: ``python3 scripts/docs_site.py`` writes it to dist/docs.

It is the Markdown of the checkout, with search, and needs no network to be read: not even a server.
Ends with 1 if a link leads nowhere, or if a page loads anything from elsewhere.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from lanplay import __version__  # noqa: E402
from lanplay.language import NAMES, TAGS  # noqa: E402
from scripts import environment  # noqa: E402

SECTIONS = {
    "Play": ["docs/rules/*.md", "docs/tournaments.md", "docs/platforms.md", "SECURITY.md"],
    "Write bots and games": ["docs/bots.md", "docs/add-a-game.md", "docs/balance.md"],
    "Work on it": [
        "CONTRIBUTING.md",
        "docs/architecture.md",
        "docs/protocol.md",
        "docs/decisions.md",
        "docs/*.md",
        "CHANGELOG.md",
    ],
    **{NAMES[tag]: [f"docs/rules/{tag}/*.md"] for tag in TAGS[1:]},
}
"""The pages by what one wants; a page that a section above has is not in the next."""
SETTINGS = {
    "project": "lanplay",
    "version": __version__,
    "release": __version__,
    "html_title": f"lanplay {__version__}",
    "extensions": "myst_parser",
    "html_theme": "furo",
    "myst_heading_anchors": "3",
    "exclude_patterns": "docs/examples/**",
    "html_copy_source": "0",
    "html_show_sphinx": "0",
    "suppress_warnings": "misc.highlighting_failure",  # a language with gaps: {"view": {…}}
}
LOADED = {"link": "href", "script": "src", "img": "src", "iframe": "src", "source": "src"}


def main() -> int:
    """Build and check; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "dist/docs", help="default: dist/docs")
    out = parser.parse_args().out
    python = environment.ensure(["requirements.lock", "requirements-release.lock"])
    shutil.rmtree(out, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        gather(Path(folder))
        options = [word for name, value in SETTINGS.items() for word in ("-D", f"{name}={value}")]
        command = [str(python), "-m", "sphinx", "-C", "-W", "--keep-going", "-q", *options]
        if subprocess.call([*command, folder, str(out)], env=environment.variables()):
            return 1
    found = list(faults(out))
    print("\n".join(found) or f"{len(list(out.rglob('*.html')))} pages in {out}: every link works.")
    return 1 if found else 0


def gather(folder: Path) -> None:
    """Copy what the pages are made of: the README is the first page, and names all others."""
    shutil.copytree(ROOT / "docs", folder / "docs", ignore=shutil.ignore_patterns("__pycache__"))
    for path in (*ROOT.glob("*.md"), ROOT / "LICENSE", ROOT / "scripts/mutants.toml"):
        copy = folder / path.relative_to(ROOT)
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(path, copy)
    lines, seen = [(ROOT / "README.md").read_text(encoding="utf-8")], set[str]()
    for title, patterns in SECTIONS.items():
        found = [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]
        pages = [path.relative_to(ROOT).as_posix() for path in found]
        pages = [page for page in dict.fromkeys(pages) if page not in seen]
        seen |= {*pages}
        lines += ["```{toctree}", ":hidden:", f":caption: {title}", *pages, "```", ""]
    (folder / "README.md").unlink()
    (folder / "index.md").write_text("\n".join(lines), encoding="utf-8")


def faults(site: Path) -> Iterator[str]:
    """Yield each link that leads nowhere, and each thing that is loaded from elsewhere."""
    pages = {path: _Page(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        for tag, link in page.links:
            to = urlsplit(link)
            target = (path.parent / unquote(to.path)).resolve() if to.path else path
            where = f"{path.relative_to(site)}: {link}"
            if to.scheme or to.netloc:
                if tag in LOADED:
                    yield f"{where} is loaded from elsewhere"
            elif not target.exists():
                yield f"{where} leads nowhere"
            elif to.fragment and target in pages and to.fragment not in pages[target].ids:
                yield f"{where}: no such place on that page"


class _Page(HTMLParser):
    """The links of a page, each with its tag, and the names of its places."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.ids: set[str] = set()
        self.feed(re.sub(r"<svg.*?</svg>", "", path.read_text(encoding="utf-8"), flags=re.DOTALL))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids |= {given[name] or "" for name in ("id", "name") if name in given}
        if link := given.get(LOADED.get(tag, "href" if tag == "a" else "")):
            self.links.append((tag, link))


if __name__ == "__main__":
    sys.exit(main())
