"""One line that is typed: every key edits where the cursor is."""

from __future__ import annotations

import pytest

from lanplay.tui.cells import plain, width
from lanplay.tui.entry import LIMIT, Entry


def typed(*keys, text="abcd"):
    entry = Entry("Name:", text)
    for key in keys:
        assert entry.press(key)
    entry.press("|")
    return entry.text


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ((), "abcd|"),
        (("left",), "abc|d"),
        (("left",) * 9, "|abcd"),
        (("left", "left", "right"), "abc|d"),
        (("right",), "abcd|"),
        (("home",), "|abcd"),
        (("home", "end"), "abcd|"),
        (("c-a", "c-e"), "abcd|"),
        (("left", "backspace"), "ab|d"),
        (("home", "backspace"), "|abcd"),
        (("left", "left", "delete"), "ab|d"),
        (("delete",), "abcd|"),
        (("left", "c-u"), "|d"),
        (("left", "ž"), "abcž|d"),
        (("left", "paste x\n\x1by"), "abcxy|d"),
    ],
)
def test_a_key_edits_where_the_cursor_is(keys, text):
    """The bar shows where the next letter would stand."""
    assert typed(*keys) == text


def test_a_line_takes_so_many_letters_and_no_more():
    """A key that is held down, or a pasted book, fills no memory; what is there stays."""
    entry = Entry("Name:")
    for letter in "ab" * LIMIT:
        assert entry.press(letter)
    assert entry.text == "ab" * (LIMIT // 2)
    entry.press("backspace")
    entry.press("c")
    assert entry.text.endswith("bac")
    entry.press("c-u")
    entry.press("paste " + "ab" * LIMIT)
    assert entry.text == "ab" * (LIMIT // 2)


@pytest.mark.parametrize("key", ["enter", "escape", "up", "f1", "\x07"])
def test_other_keys_are_not_the_lines(key):
    """Whoever shows the line takes them."""
    entry = Entry("Name:", "abc")
    assert not entry.press(key)
    assert entry.text == "abc"


def test_what_is_hidden_is_never_drawn():
    """Of a password only its length is seen."""
    entry = Entry("Password:", hidden=True)
    for letter in "secret":
        entry.press(letter)
    shown = plain(entry.draw(40))
    assert "******" in shown
    assert not set("secret") & set(shown.removeprefix(" Password: "))
    assert "secret" in plain(Entry("Name:", "secret").draw(40))


@pytest.mark.parametrize("place", [0, 5, 30, 100])
def test_the_cursor_is_in_sight_however_long_the_line(place):
    """The part around it is shown, within the columns there are."""
    entry = Entry("Name:", "x" * 100)
    for _ in range(100 - place):
        entry.press("left")
    shown = entry.draw(40)
    assert width(shown) <= 40
    assert [span.role for span in shown].count("cursor") == 1


def test_the_keys_that_end_a_line_are_told_beside_it_where_they_fit():
    assert plain(Entry("Name:").draw(60)).endswith("Enter goes on, Esc back")
    assert "Enter" not in plain(Entry("Name:", "a" * 40).draw(60))
