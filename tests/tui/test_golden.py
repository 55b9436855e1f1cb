"""Golden screens: what every screen looks like, to the letter and to the colour."""

from __future__ import annotations

import re
from itertools import product

import pytest

from lanplay.language import TAGS
from lanplay.tui.cells import line, plain, width
from lanplay.tui.screens.result import fitting
from lanplay.tui.stage import LEAST
from tests.tui.gallery import GLYPHS
from tests.tui.golden import galleries
from tests.tui.harness import SIZES, Person

GALLERIES = galleries()

COLUMN_GAP = 3
"""Cells that may be blank at the end of a row that is full."""
CODE = r"\x1b\[[\d;?]*[a-zA-Z]"
"""What tells a terminal how to draw, rather than what."""


of_each_gallery = pytest.mark.parametrize(
    "gallery",
    [
        pytest.param(each, marks=pytest.mark.xdist_group(f"golden {where}"), id=where)
        for where, each in GALLERIES.items()
    ],
)
"""What a gallery draws is drawn once for all its tests, in one process."""


@of_each_gallery
def test_screens_are_as_they_were(gallery):
    """A screen that changes is written anew by ``python -m tests.tui.golden`` and looked at."""
    assert gallery.differing() == []


def drawings(gallery, kinds=tuple(GLYPHS)):
    """Yield what each screen of a gallery is called, and its lines, by language, glyphs, size."""
    for name, tag, kind in product(gallery.screens, TAGS, kinds):
        for size, lines in gallery.drawn(name, tag, kind).items():
            yield (name, tag, kind), size, lines


@of_each_gallery
def test_no_screen_is_larger_than_the_terminal(gallery):
    """In every language and with every set of glyphs: not a cell too wide, not a line too many."""
    wrong = [
        which
        for which, size, lines in drawings(gallery)
        if len(lines) > size.rows or max(map(width, lines)) > size.columns
    ]
    assert wrong == []


@of_each_gallery
def test_nothing_is_cut_where_there_is_room(gallery):
    """No ellipsis stands before cells that are blank, but for those between two columns."""
    cut = re.compile(r"\S*…( {4,}|$)")
    wrong = [
        (which, size, found.group())
        for which, size, lines in drawings(gallery, ("unicode",))
        for row in map(plain, lines)
        if (found := cut.search(row)) and len(row.rstrip()) < size.columns - COLUMN_GAP
    ]
    assert wrong == []


@of_each_gallery
def test_ascii_screens_have_nothing_else(gallery):
    """Accents go, wide letters become two question marks: every column stays where it was."""
    every = drawings(gallery, ("ascii",))
    wrong = [which for which, _, rows in every if not all(plain(row).isascii() for row in rows)]
    assert wrong == []


@of_each_gallery
def test_colours_are_never_alone(gallery):
    """What a terminal gets without colours is the same text, and no code for a colour."""
    pages = [each for name in gallery.screens for each in gallery.texts(name).items()]
    for path, text in (each for each in pages if each[0].suffix == ".ansi"):
        parts = re.split(r"^=== .* colours: (?:256|none)\n", text, flags=re.MULTILINE)[1:]
        assert len(parts) >= 2
        for coloured, bare in zip(parts[::2], parts[1::2], strict=True):
            assert not set(re.findall(r"[34]8;5|\x1b\[[34]\d", bare)), path.name
            assert re.sub(CODE, "", coloured) == re.sub(CODE, "", bare), path.name


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
