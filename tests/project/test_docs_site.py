"""``scripts/docs_site.py``: what is wrong with a site is found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.docs_site import SECTIONS, faults

ROOT = Path(__file__).resolve().parents[2]
PAGE = '<h1 id="here">Here</h1><svg><a href="no"></a></svg><a href="https://example.org">out</a>'


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ('<a href="#here">here</a><a href="other.html#there">there</a>', None),
        ('<a href="gone.html">gone</a>', "gone.html leads nowhere"),
        ('<a href="other.html#here">here</a>', "no such place"),
        ('<script src="https://example.org/a.js"></script>', "loaded from elsewhere"),
        ('<link rel="stylesheet" href="//example.org/a.css">', "loaded from elsewhere"),
        ('<img src="gone.png">', "gone.png leads nowhere"),
    ],
)
def test_links_that_lead_nowhere_and_things_from_elsewhere_are_found(
    more: str, fault: str | None, tmp_path: Path
) -> None:
    """A link out is allowed; what a page loads, or leads to within the site, has to be there."""
    (tmp_path / "index.html").write_text(PAGE + more)
    (tmp_path / "other.html").write_text('<a name="there"></a>')
    found = list(faults(tmp_path))
    assert len(found) == bool(fault)
    assert all(fault in each for each in found if fault)


def test_every_test_that_a_page_names_is_there() -> None:
    """A promise without the test that attacks it is a claim."""
    told = "\n".join(page.read_text("utf-8") for page in ROOT.glob("docs/*.md"))
    named = set(re.findall(r"`((?:tests/[\w/]+/)?test_\w+\.py)`", told))
    there = {path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/**/test_*.py")}
    there |= {path.rpartition("/")[2] for path in there}
    assert len(named) > 40
    assert not named - there


def test_every_page_of_the_docs_is_in_a_section() -> None:
    """No page can be found by nobody; every pattern finds something."""
    found = {pattern: set(ROOT.glob(pattern)) for each in SECTIONS.values() for pattern in each}
    assert all(found.values())
    pages = {*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/rules/**/*.md")}
    assert pages - set().union(*found.values()) == {ROOT / "README.md"}
