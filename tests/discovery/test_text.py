"""Text that strangers wrote is shown harmlessly."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanplay_protocol.text import PLACEHOLDER, alike, cells, clean_text

limits = st.integers(1, 40)
ANY_TEXT = st.text(st.characters(), max_size=60)
TRICKS = st.text(
    "ab e\u0301\u0308\u200b\u200d\u202e\u2066\ufeff\x1b[31m\t\n\u2028\u3000漢가\u1100\u1161\u3164"
    "\ufe0f\u034f\U000e0041\ud800\ue000👩\u2000\u0958",
    max_size=60,
)
HOSTILE = st.one_of(ANY_TEXT, TRICKS)


@given(HOSTILE, limits)
def test_no_letter_that_hides_or_steers_gets_through(text, limit):
    """Control, format, surrogate, private and unassigned characters never come out."""
    shown = clean_text(text, limit)
    assert not {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"} & set(map(unicodedata.category, shown))


@given(HOSTILE, limits)
def test_a_text_fits_its_place(text, limit):
    """What comes out is not empty and within the limit, counted in characters and in cells."""
    shown = clean_text(text, limit)
    assert 1 <= len(shown) <= limit
    assert cells(shown) <= limit


@given(HOSTILE, limits)
def test_cleaning_twice_is_cleaning_once(text, limit):
    """A clean text is left as it is."""
    once = clean_text(text, limit)
    assert clean_text(once, limit) == once


@given(HOSTILE, limits)
def test_a_clean_text_is_one_normalized_line(text, limit):
    """It is NFC, with single blanks inside and none at its ends."""
    shown = clean_text(text, limit)
    assert unicodedata.is_normalized("NFC", shown)
    assert shown == " ".join(shown.split())


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Ann\u202egro.exe", "Anngro.exe"),
        ("\x1b[2JBen", "[2JBen"),
        ("A\u200bn\u200dn", "Ann"),
        ("  Dora \t\r\n the\u3000Great ", "Dora the Great"),
        ("e\u0301", "é"),
        ("e\u200d\u0301", "é"),
        ("\u0301\u0301x", "x"),
        ("z" + "\u0335" * 30 + "!", "z\u0335\u0335!"),
        ("Zoe\u0308 \u0301k", "Zoë k"),
    ],
)
def test_tricks_are_undone(raw, shown):
    """Bidi, escapes, zero width, stray and stacked marks leave only the readable letters."""
    assert clean_text(raw, 20) == shown


@pytest.mark.parametrize(
    "raw", ["", "   ", "\u200b\u202e", "\u3164\u115f", "\u0301", "\ud800", "\u2800"]
)
def test_a_name_that_shows_nothing_gets_a_placeholder(raw):
    """An invisible name cannot pass for an empty row."""
    assert clean_text(raw, 20) == PLACEHOLDER
    assert clean_text(raw, 20, "nobody") == "nobody"


def test_wide_letters_count_twice():
    """Five ideographs fill ten cells."""
    assert clean_text("漢字" * 10, 10) == "漢字漢字漢"


def test_a_long_text_costs_no_more_than_its_limit():
    """Beyond eight raw characters for each shown one nothing is looked at."""
    assert clean_text("\u200b" * 80 + "x", 10) == PLACEHOLDER


@given(st.text(), st.text())
def test_names_are_compared_by_what_they_look_like(one, other):
    """Compatibility letters and capitals do not tell names apart; once is enough."""
    assert alike(alike(one)) == alike(one)
    assert alike(one.upper().lower()) == alike(one.upper())
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        assert alike(unicodedata.normalize(form, one)) == alike(one)
    if alike(one) != alike(other):
        assert unicodedata.normalize("NFKC", one) != unicodedata.normalize("NFKC", other)
