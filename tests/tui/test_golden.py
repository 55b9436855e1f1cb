"""Golden screens: what every screen looks like, to the letter and to the colour."""

from __future__ import annotations

import re

import pytest

from lanplay.language import TAGS
from lanplay.tui.cells import line, plain, width
from lanplay.tui.screens.result import fitting
from lanplay.tui.stage import LEAST
from tests.tui.gallery import GLYPHS
from tests.tui.golden import galleries
from tests.tui.harness import SIZES, Person

GALLERIES = galleries()
SHOWN = [(where, name) for where, gallery in GALLERIES.items() for name in gallery.screens]

CODE = r"\x1b\[[\d;?]*[a-zA-Z]"
"""What tells a terminal how to draw, rather than what."""


@pytest.mark.parametrize("where", GALLERIES)
def test_screens_are_as_they_were(where):
    """A screen that changes is written anew by ``python -m tests.tui.golden`` and looked at."""
    assert GALLERIES[where].differing() == []


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("kind", GLYPHS)
@pytest.mark.parametrize(("where", "name"), SHOWN)
def test_no_screen_is_larger_than_the_terminal(where, name, kind, tag):
    """In every language and with every set of glyphs: not a cell too wide, not a line too many."""
    for size, lines in GALLERIES[where].drawn(name, tag, kind).items():
        assert len(lines) <= size.rows
        assert max(map(width, lines)) <= size.columns


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize(("where", "name"), SHOWN)
def test_ascii_screens_have_nothing_else(where, name, tag):
    """Accents go, wide letters become two question marks: every column stays where it was."""
    for lines in GALLERIES[where].drawn(name, tag, "ascii").values():
        assert all(plain(spans).isascii() for spans in lines)


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize(("where", "name"), SHOWN)
def test_colours_are_never_alone(where, name, tag):
    """What a terminal gets without colours is the same text, and no code for a colour."""
    for path, text in GALLERIES[where].texts(name).items():
        if path.suffix == ".ansi" and f".{tag}." in path.name:
            parts = re.split(r"^=== .* colours: (?:256|none)\n", text, flags=re.MULTILINE)[1:]
            for coloured, bare in zip(parts[::2], parts[1::2], strict=True):
                assert not set(re.findall(r"[34]8;5|\x1b\[[34]\d", bare))
                assert re.sub(CODE, "", coloured) == re.sub(CODE, "", bare)


@pytest.mark.parametrize("columns", [1, 20, 79])
def test_a_small_terminal_says_what_it_needs(columns):
    """Below 80 x 24 there is one sentence with both sizes, in as many cells as there are."""
    person = Person()
    lines = person.stage.lines(SIZES[0]._replace(columns=columns, rows=60))
    assert max(map(width, lines)) <= columns
    text = " ".join(plain(spans) for spans in lines)
    if columns > 1:
        assert f"{LEAST.columns} x" in " ".join(text.split())


@pytest.mark.parametrize("columns", [78, 50, 34])
def test_a_score_table_keeps_its_numbers(columns):
    """However long the words of a language are: headings are cut, totals are not."""
    heads = ("Seat", *["A source with a long name"] * 5, "Total")
    rows = [[line(head) for head in heads], [line("Ann"), *[line("123")] * 6]]
    table = fitting(rows, columns, "~")
    assert max(map(width, table)) <= columns
    assert plain(table[1]).split() == ["Ann", *["123"] * 6]
