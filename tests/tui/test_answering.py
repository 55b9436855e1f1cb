"""The keys for a list of options: each does what stands beside it, and nothing by accident."""

from __future__ import annotations

import pytest

from lanplay.games.dice_town.questions import Winner
from lanplay.tui.games import screen_of
from lanplay.tui.screens.answering import Answering
from lanplay.tui.stage import Stage
from tests.tui.harness import GAME, position


@pytest.fixture
async def asked():
    """A question with twelve options, and the keys for it."""
    _game, view, _question = position("keep")
    answering = Answering(Stage(), screen_of(GAME.name))
    answering.begin(view, Winner(tuple(range(12))))
    return answering


@pytest.mark.parametrize(
    ("key", "place"),
    [("1", 0), ("2", 1), ("9", 8), ("0", 9), ("option 0", 0), ("option 11", 11), ("option 12", 5)],
)
async def test_digits_point_at_the_first_ten_and_clicks_at_all(asked, key, place):
    """0 is the tenth; a click on what is not there any more changes nothing."""
    asked.decision.point(5)
    assert asked.press(None, key)
    assert asked.decision.cursor == place
    assert not asked.is_given


@pytest.mark.parametrize("key", ["4", "5", "9", "0"])
async def test_a_digit_beyond_the_last_option_changes_nothing(asked, key):
    """Neither is another option pointed at, nor is anything picked."""
    asked.begin(asked.decision.view, Winner((0, 1, 2)))
    asked.decision.point(1)
    asked.press(None, key)
    assert asked.decision.cursor == 1


async def test_arrows_stop_at_both_ends(asked):
    """Up and down by as many as stand side by side, left and right by one."""
    asked.across = 4
    for key, place in (
        ("up", 0),
        ("down", 4),
        ("right", 5),
        ("down", 9),
        ("down", 11),
        ("right", 11),
        ("left", 10),
        ("up", 6),
    ):
        asked.press(None, key)
        assert asked.decision.cursor == place, key
