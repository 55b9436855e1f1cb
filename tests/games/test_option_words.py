"""Table options in words."""

from __future__ import annotations

import pytest

from lanplay.games import NAMES, load
from lanplay.games.wording import option_name, option_value
from lanplay.language import TAGS, speaking
from lanplay.ui.rulebook import text


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("name", NAMES)
def test_every_option_and_value_has_words(name, tag):
    """No game on offer shows the name of an option or value as its program knows it."""
    with speaking(tag):
        for option, values in load(name).options.items():
            assert option_name(name, option) != option
            assert len({option_value(name, option, value) for value in values} - {*values}) == len(
                values
            )
            assert f"`{option}`" in text(name), "its rules page does not say what it does"


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("name", NAMES)
def test_every_option_begins_with_a_capital(name, tag):
    """They stand below each other in the form of a new table, and begin lines of the lobby."""
    with speaking(tag):
        names = [option_name(name, option) for option in load(name).options]
    assert [each[:1].upper() + each[1:] for each in names] == names


def test_what_is_unknown_is_shown_as_it_is():
    """A game, an option or a value of another version is named as its program names it."""
    assert option_name("chess", "clock") == "clock"
    assert option_name("dice-town", "luck") == "luck"
    assert option_value("chess", "clock", "off") == "off"
    assert option_value("dice-town", "brute", "never") == "never"
