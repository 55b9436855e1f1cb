"""Real programs in the LAN laboratory: discovery and whole games between four laptops."""

from __future__ import annotations

import pytest

from scripts.campaign import BAD_WIFI, LAPTOPS, agree, play, records_hold


@pytest.mark.parametrize(
    ("game", "bot"),
    [
        ("dice-town", "strong"),
        ("charidice", "expert"),
        ("fliptown", "casual"),
        ("dogs-life", "casual"),
    ],
)
def test_four_laptops_find_each_other_and_play(lan, game, bot):
    """Four laptops, all seats, no typed address: one game, equal states, one record that holds."""
    results = play(lan(LAPTOPS), game, bot, seconds=100)
    assert agree(results)
    assert records_hold(results)
    assert results[0]["winners"]


def test_a_bad_wifi_delays_a_game_and_nothing_else(lan):
    """With 20 ± 10 ms of delay and 3 % loss all replicas still end equal, and the record holds."""
    results = play(lan(LAPTOPS, BAD_WIFI), "dice-town", "strong", seconds=110)
    assert agree(results)
    assert records_hold(results)
