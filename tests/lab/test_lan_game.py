"""Real programs in the LAN laboratory: discovery and whole games between four laptops."""

from __future__ import annotations

import pytest

from scripts.campaigns.outages import Game, Times, one_game


@pytest.mark.parametrize(
    ("scenario", "game", "bot"),
    [
        ("calm", "charidice", "casual"),
        ("calm", "fliptown", "casual"),
        ("calm", "dogs-life", "casual"),
        ("wifi", "dice-town", "strong"),
    ],
)
def test_four_laptops_find_each_other_and_play(needs_lan, scenario, game, bot):
    """Four laptops, all seats, no typed address: one game, equal states, records that hold.

    Also with 20 ± 10 ms of delay and 3 % loss (``wifi``).
    """
    went = Game(1, scenario, seed=1)
    one_game(went, Times(limit=110), bot, game)
    assert (went.verdict, went.notes) == ("ok", [])
