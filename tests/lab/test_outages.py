"""Outages of one laptop: how they are judged, and a short one of each kind with real programs."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from lanplay.games import NAMES
from scripts.campaigns.agreement import (
    HELD,
    caught_up,
    closing_line,
    difference,
    standstill,
    unequal_moves,
    verdict,
)
from scripts.campaigns.outages import (
    SCENARIOS,
    WIFI,
    Game,
    Scenario,
    Times,
    asleep,
    killed,
    nothing,
    one_game,
    restarted,
    unplugged,
)

END = {"scores": [1, 2], "winners": [1], "state_hash": "aa", "steps": 7, "trace": "bb"}


@pytest.mark.parametrize(
    ("codes", "ends", "said"),
    [
        ((0, 0), (END, END), "ok"),
        ((0, HELD), (END, END), "held"),
        ((0, 70), (END, None), "lost"),
        ((0, -9), (END, None), "lost"),
        ((HELD, 2), (END, None), "lost"),
        ((0, 0), (END, None), "lost"),
        ((0, 0), (END, {**END, "scores": None}), "lost"),
    ],
)
def test_exit_statuses_decide_first(codes, ends, said):
    """An error anywhere is a lost game; a game that is held is none that was played."""
    assert verdict(codes, ends) == said


def test_the_closing_line_is_the_last_one():
    """Whatever was printed before it, and nothing if a program was cut short."""
    assert closing_line('--- Round 1 ---\n{"steps": 7}\n') == {"steps": 7}
    assert closing_line("--- Round 1 ---\n") is None
    assert closing_line("") is None


@pytest.mark.parametrize("key", ["scores", "winners", "state_hash", "trace"])
def test_two_ends_that_differ_are_found(key):
    """One different score, winner, state or step is a divergence, and it is named."""
    assert key in difference([END, END, {**END, key: "other"}])


def record(*moves):
    return SimpleNamespace(extra={"moves": [[move] for move in moves]})


def test_two_versions_of_a_message_are_found():
    """One record may end before the other; where both have a message of a view, it must be one."""
    first, second = (0, 5, 0, b"first", b""), (1, 5, 0, b"second", b"")
    assert unequal_moves([record(first, second), record(first)]) is None
    forged = (1, 5, 0, b"forged", b"")
    assert unequal_moves([record(first, second), record(first, forged)]) == (
        "phase 5: two messages of peer 1"
    )
    later = (1, 5, 1, b"asked again", b"")
    assert unequal_moves([record(first, second), record(first, later)]) is None


def test_a_standstill_is_the_longest_time_without_a_step():
    """Over all programs that were there; none made no two steps."""
    assert standstill([[1.0, 2.0, 9.0], [0.0, 3.0]]) == 7.0
    assert standstill([[], [1.0]]) is None


def test_one_who_came_back_is_level_when_it_keeps_step():
    """What it repeats of the past does not count until it does a step with the others."""
    others = [[1.0, 2.0, 3.0, 4.0, 5.0]]
    assert caught_up(3.5, [1.0, 3.9, 4.0, 4.1, 5.1], others) == pytest.approx(0.6)
    assert caught_up(3.5, [3.9, 4.0, 4.1, 5.1], others) == pytest.approx(0.6)
    assert caught_up(3.5, [7.0, 8.0], others) is None
    assert caught_up(3.5, [], others) is None


OUTAGES = {
    "host-killed-fliptown": (Scenario(killed, moment="first"), Times(grace=1, limit=110)),
    "wifi-dice-town": (Scenario(nothing, link=WIFI), Times(limit=110)),
    "guest-asleep-charidice": (Scenario(asleep, 1, "first"), Times(sleep=2, limit=110)),
    "host-restarted-dice-town": (Scenario(restarted, moment="first"), Times(restart=1, limit=110)),
    "guest-unplugged-dogs-life": (Scenario(unplugged, 2, "first"), Times(down=2, limit=110)),
}


@pytest.mark.sweep(5)
@pytest.mark.parametrize("name", OUTAGES)
def test_four_laptops_find_each_other_and_an_outage_costs_no_game(
    needs_lan: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    """Four laptops, all seats, no typed address: one game, equal states, records that hold.

    Also with 20 ± 10 ms of delay and 3 % loss (``wifi``), and for a laptop that was away for a
    while.
    """
    scenario, times = OUTAGES[name]
    monkeypatch.setitem(SCENARIOS, name, scenario)
    game = Game(1, name, seed=5)
    played = next(each for each in NAMES if name.endswith(each))
    bot = "strong" if scenario.outage is nothing else "casual"
    one_game(game, times, bot, played, keep=tmp_path)
    assert (game.verdict, game.notes) == ("ok", [])
    assert game.steps
