"""A page to read: what is searched is found, marked, and gone through from match to match."""

from __future__ import annotations

from lanplay.tui.cells import Size, line, plain
from lanplay.tui.screens.pager import Pager
from lanplay.tui.stage import Stage

SIZE = Size(80, 24)
ROWS = SIZE.rows - 2
WORDS = {7: "the Sheriff rides", 30: "a SHERIFF again", 31: "sheriff", 90: "the last sheriff"}
LENGTH = 150


def pager(at_end=False):
    """A long page; some of its lines have a word to look for."""
    stage = Stage()
    shown = Pager(stage, "Rules", [line(WORDS.get(n, f"line {n}")) for n in range(LENGTH)], at_end)
    stage.push(shown)
    shown.lines(SIZE)
    return shown


def top(shown):
    """The first line of what is shown: its place on the page."""
    first = plain(shown.lines(SIZE)[1]).strip()
    places = {text: n for n, text in WORDS.items()}
    return places[first] if first in places else int(first.removeprefix("line "))


def typed(shown, text):
    for key in ("/", *text, "enter"):
        shown.press(key)


def test_next_goes_from_match_to_match_and_after_the_last_to_the_first():
    """A search shows the first match from here on; each ``n`` shows the next one."""
    shown = pager()
    typed(shown, "sheriff")
    seen = [top(shown)]
    for _ in range(5):
        shown.press("n")
        seen.append(top(shown))
    assert seen == [7, 30, 31, 90, 7, 30]


def test_next_goes_on_from_where_the_reader_has_scrolled_to():
    """It is the first match below the top of the page, wherever the last one was."""
    shown = pager()
    typed(shown, "sheriff")
    for _ in range(40):
        shown.press("down")
    shown.press("n")
    assert top(shown) == 90
    shown.press("home")
    shown.press("n")
    assert top(shown) == 7


def test_a_match_that_stands_at_the_top_already_is_the_first():
    """A search begins with the line at the top of the page, not below it."""
    shown = pager()
    for _ in range(30):
        shown.press("down")
    typed(shown, "sheriff")
    assert top(shown) == 30


def test_capital_letters_make_no_difference():
    """Neither those that are typed nor those of the page."""
    for text in ("sheriff", "SHERIFF", "sHeRiFf"):
        shown = pager()
        typed(shown, text)
        shown.press("n")
        assert top(shown) == 30
        marks = [s.text for spans in shown.lines(SIZE) for s in spans if s.role == "found"]
        assert marks == ["SHERIFF", "sheriff"]


def test_without_a_match_nothing_moves_and_it_is_said():
    """``n`` is only offered where there is a next match."""
    shown = pager()
    typed(shown, "marshal")
    shown.press("n")
    assert top(shown) == 0
    bar = plain(shown.lines(SIZE)[-1])
    assert "not found: marshal" in bar
    assert "next match" not in bar
    typed(shown, "sheriff")
    assert "next match" in plain(shown.lines(SIZE)[-1])


def test_a_search_that_is_not_finished_changes_nothing():
    """Esc leaves the line, not the page; what was found before stays found."""
    shown = pager()
    typed(shown, "last")
    for key in ("/", "x", "escape"):
        shown.press(key)
    assert top(shown) == 90
    shown.press("n")
    assert top(shown) == 90


def test_a_page_scrolls_by_lines_and_by_what_is_shown():
    """One line of the page before stays; nothing is beyond the ends."""
    shown = pager()
    moves = (
        ("down", 1),
        ("pagedown", ROWS),
        (" ", 2 * ROWS - 1),
        ("pageup", ROWS),
        ("up", ROWS - 1),
        ("end", LENGTH - ROWS),
        ("pagedown", LENGTH - ROWS),
        ("home", 0),
        ("up", 0),
    )
    for key, place in moves:
        shown.press(key)
        assert top(shown) == place, key
    assert top(pager(at_end=True)) == LENGTH - ROWS


def test_a_page_that_is_seen_whole_names_no_keys_to_scroll():
    """They would do nothing."""
    for rows, named in ((ROWS, False), (ROWS + 1, True)):
        shown = Pager(Stage(), "Help", [line("a line")] * rows)
        bar = plain(shown.lines(SIZE)[-1])
        assert "/ search" in bar
        assert ("scroll" in bar) is ("PgDn" in bar) is named
