"""Golden screens: what every screen looks like, to the letter and to the colour."""

from __future__ import annotations

import pytest
import trio

from lanplay.language import TAGS, speaking
from lanplay.tui.cells import plain, width
from lanplay.tui.glyphs import spelled
from lanplay.tui.stage import LEAST
from tests.tui.golden import FOLDER, SCREENS, drawn, texts
from tests.tui.harness import SIZES, Person


@pytest.mark.parametrize("name", SCREENS)
def test_screens_are_as_they_were(name):
    """A screen that changes is written anew by ``python -m tests.tui.golden`` and looked at."""
    for path, text in texts(name):
        assert path.read_text(encoding="utf-8") == text, path.name


def test_there_is_no_golden_file_too_many():
    """Files of screens that are gone are gone too."""
    wanted = {path for name in SCREENS for path, _text in texts(name)}
    assert set(FOLDER.iterdir()) == wanted


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("name", SCREENS)
def test_no_screen_is_larger_than_the_terminal(name, ascii_only, tag):
    """In every language and with every set of glyphs: not a cell too wide, not a line too many."""
    with speaking(tag):
        for size, lines in trio.run(drawn, name, ascii_only).items():
            assert len(lines) <= size.rows
            assert max(map(width, lines)) <= size.columns


@pytest.mark.parametrize("name", SCREENS)
def test_ascii_screens_have_nothing_else(name):
    """Accents go, wide letters become two question marks: every column stays where it was."""
    for size, lines in trio.run(drawn, name, True).items():
        person = Person(ascii_only=True)
        for spans in lines:
            shown = spelled(plain(spans), person.stage.glyphs)
            assert shown.isascii()
            assert len(shown) <= size.columns


@pytest.mark.parametrize("columns", [1, 20, 79])
def test_a_small_terminal_says_what_it_needs(columns):
    """Below 80 x 24 there is one sentence with both sizes, in as many cells as there are."""
    person = Person()
    lines = person.stage.lines(SIZES[0]._replace(columns=columns, rows=60))
    assert max(map(width, lines)) <= columns
    text = " ".join(plain(spans) for spans in lines)
    if columns > 1:
        assert f"{LEAST.columns} x" in " ".join(text.split())
