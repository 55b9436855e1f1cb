"""Lines of marked text: cut, padded and wrapped by cells, never by characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanplay.language import in_c_locale
from lanplay.tui.cells import beside, clip, cut, flow, line, pad, plain, right, width, wrap
from lanplay.tui.drawing import key_bar, key_rows
from lanplay.tui.glyphs import ASCII, UNICODE, glyphs, spelled
from lanplay.tui.screens.help import listed

words = st.text(st.sampled_from("abc ěř東京 é"), max_size=40)
lines = st.lists(st.tuples(st.sampled_from(["text", "die"]), words), max_size=5).map(
    lambda parts: line(*parts)
)


@given(lines, st.integers(1, 30))
def test_a_clipped_line_fits_and_a_padded_one_fills(spans, columns):
    """A wide letter that does not fit is left out whole; blanks take its place."""
    assert width(clip(spans, columns)) <= columns
    assert width(pad(spans, columns)) == columns
    assert width(right(spans, columns)) == columns


@given(lines, st.integers(4, 30))
def test_wrapping_fits_and_loses_only_blanks(spans, columns):
    """All letters come again in their order, in lines that fit."""
    wrapped = wrap(spans, columns, 2)
    assert all(width(each) <= columns for each in wrapped)
    joined = "".join(plain(each) for each in wrapped)
    assert "".join(joined.split()) == "".join(plain(spans).split())


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("abc", 3, "abc"),
        ("abcd", 3, "abc"),
        ("東京x", 5, "東京x"),
        ("東京x", 4, "東京"),
        ("東京x", 3, "東"),
        ("東京x", 1, ""),
        ("", 0, ""),
    ],
)
def test_a_text_is_cut_where_it_no_longer_fits(text, limit, kept):
    """Not a cell earlier, and never in the middle of a wide letter."""
    assert cut(text, limit) == kept


def test_blocks_side_by_side_keep_their_columns():
    """The right block begins in one column, however wide the letters on the left are."""
    left = [line("東京"), line("abc"), line("")]
    rows = beside(left, [line("x")] * 3, 6, line("|"))
    assert [plain(row) for row in rows] == ["東京  |x", "abc   |x", "      |x"]


def test_items_flow_into_columns():
    """As many equally wide columns as fit, filled row by row."""
    items = [line(text) for text in ("a", "bb", "ccc", "d")]
    assert [plain(row) for row in flow(items, 8)] == ["a    bb ", "ccc  d  "]


def test_glyphs_follow_the_encoding():
    """Where the locale cannot show the glyphs, ASCII comes by itself; all are one cell wide."""
    assert glyphs(encoding="utf-8") is UNICODE
    assert glyphs(encoding="cp1250") is ASCII
    assert glyphs(encoding="ascii") is ASCII
    assert glyphs(ascii_only=True, encoding="utf-8") is ASCII
    for name in UNICODE.__slots__:
        value = getattr(UNICODE, name)
        if isinstance(value, str):
            assert width(line(value)) == 1
            assert getattr(ASCII, name).isascii()


@pytest.mark.parametrize(
    ("environ", "told"),
    [
        ({"LANG": "C"}, True),
        ({"LANG": "POSIX", "LC_CTYPE": "C.UTF-8"}, True),
        ({"LC_ALL": "C", "LANG": "cs_CZ.UTF-8"}, True),
        ({"LANG": "C", "LC_CTYPE": "cs_CZ.UTF-8"}, False),
        ({"LANG": "C.UTF-8"}, False),
        ({"LC_CTYPE": "UTF-8"}, False),
        ({}, False),
    ],
)
def test_who_names_the_c_locale_gets_ascii(environ, told):
    """Python writes UTF-8 there, and names another locale: neither makes a terminal show it."""
    assert in_c_locale(environ) is told


@given(words)
def test_spelling_in_ascii_keeps_the_width(text):
    """What is drawn in columns stays in them."""
    assert width(line(spelled(text, ASCII))) == width(line(spelled(text, UNICODE)))
    assert spelled(text, ASCII).isascii()


def test_arrow_keys_of_a_bar_are_no_letters_in_ascii():
    """A bare v would be the key of that letter; they stay as wide as they are drawn."""
    bar = key_bar([("down", "scroll"), ("v", "pages"), ("right", "on")], 80)
    shown = "".join(spelled(span.text, ASCII) for span in bar)
    assert shown == "dn scroll  v pages -> on "
    assert len(shown) == width(bar)
    table = wrap(listed("Keys", [("↑ ↓ ← →", "point")])[1], 80)[0]
    assert "".join(spelled(span.text, ASCII) for span in table) == f"{'up dn <- ->':20} point"


def test_a_hint_of_two_keys_names_both_and_a_click_on_it_is_the_second():
    """``←`` alone stood beside "change", as if nothing else changed it."""
    (spans,) = key_rows([("left right", "change")], 80)
    assert "".join(span.text for span in spans) == " ← → change "
    assert {span.press for span in spans} == {"right"}
