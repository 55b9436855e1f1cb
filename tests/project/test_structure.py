"""The house stays as it was built: names that it gave up come back in no room, code or docs."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

GIVEN_UP = {
    "protocol/**/*.py lanplay/cli/*.py docs/*.md": """
        Course Court StandIn Succession Labour Presence UncoverDice ShowCards Afresh Willing Urged
        Unkept Inheritance told_first elders is_double tell_again
        replica.course replica.labour context.authors context.caught context.recalling
        Replica.absent Replica.again Replica.worked Replica.unkept
    """,
    "protocol/**/*.py": """
        House Asking Promises Stepped Recalled Hosting Watchers Talking Talk Kept STALE Audience
        Missing Reached Seated Held WITNESS Outcome Play Player
    """,
    "protocol/lanplay_protocol/replica/*.py": """
        Keep Ask Confirm Happened Move Signed Finding Pending Powers orphans labour course
    """,
}
"""Old names by the files in which they must not stand; ``a.b`` is a member ``b`` of ``a``.

Not meant are sentences: a name counts where it is one in code, or is quoted as one in docs.
"""


def names_in(path):
    """Return every name of a file that is used as one: words of code, or quoted in Markdown."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        text = " ".join(re.findall(r"`([^`\n]+)`", text))
    code = re.sub(r'"""(.|\n)*?"""|#.*|f?"[^"\n]*"', " ", text)
    quoted = " ".join(re.findall(r"``([^`]+)``", text))
    words = re.findall(r"\w+(?:\.\w+)*", f"{code} {quoted}")
    parts = {part for word in words for part in word.split(".")}
    bare = [[part.lstrip("_") for part in word.split(".")] for word in words]
    return parts | {".".join(two) for each in bare for two in pairwise(each)}


def files(patterns):
    """Return the files of the project that some patterns name."""
    return sorted(path for pattern in patterns.split() for path in ROOT.glob(pattern))


@pytest.mark.parametrize("patterns", GIVEN_UP)
def test_a_name_that_was_given_up_does_not_come_back(patterns):
    old = set(GIVEN_UP[patterns].split())
    back = {str(p.relative_to(ROOT)): sorted(names_in(p) & old) for p in files(patterns)}
    assert {path: names for path, names in back.items() if names} == {}


def test_names_are_found_in_code_and_where_docs_quote_them(tmp_path):
    code, page = tmp_path / "code.py", tmp_path / "page.md"
    code.write_text(
        'def f(o: House) -> str:\n    """A ``Play`` begins."""\n    return o.course + "Held"\n'
    )
    page.write_text("A Course is `court.Court` here.")
    assert names_in(code) >= {"House", "Play", "course", "o.course"}
    assert not names_in(code) & {"Held", "begins"}
    assert names_in(page) == {"court", "Court", "court.Court"}


def test_the_rooms_of_the_list_are_there():
    """A room that has moved is not passed over in silence."""
    assert all(files(pattern) for patterns in GIVEN_UP for pattern in patterns.split())
