"""The end of a game in words and figures: who won stands first, and what decided it in order."""

from __future__ import annotations

from types import SimpleNamespace

from lanplay.engine.game import Result
from lanplay.engine.question import Phrase
from lanplay.tui.cells import plain
from lanplay.tui.glyphs import UNICODE
from lanplay.tui.screens.result import score_table
from lanplay.ui.breakdown import Breakdown
from lanplay.ui.moments import MOMENTS, decisive

ARTIST = SimpleNamespace(
    glyphs=UNICODE,
    word=lambda message: message.id,
)


def listed(scores, winners):
    """The names of the score table from top to bottom."""
    names = [f"name{seat}" for seat in range(len(scores))]
    breakdown = Breakdown(("all",), tuple((score,) for score in scores), ())
    rows = score_table(names, breakdown, Result(scores, winners), ARTIST, 80)
    return [int(plain(row).split("name")[1][0]) for row in rows[1:]]


def test_who_won_stands_first_and_then_the_best():
    """Of equal scores a tie-break may have made the later seat the winner; none may have won."""
    assert listed((3, 9, 5), (1,)) == [1, 2, 0]
    assert listed((7, 7, 9), (1, 0)) == [0, 1, 2]
    assert listed((8, 8, 2), (1,)) == [1, 0, 2]
    assert listed((1, 4, 4), ()) == [1, 2, 0]


def test_what_decided_a_game_is_told_in_the_order_of_play():
    """The events that moved most points, the earlier of equal ones, and none that moved none."""
    points = [0, 5, 1, 9, 0, 3, 5, 2, 7]
    events = [(at, Phrase(f"event {at}", {"points": each})) for at, each in enumerate(points)]
    found = decisive(events, lambda message: message.values["points"])
    assert [place for place, _ in found] == [1, 3, 5, 6, 8]
    assert len(found) == MOMENTS
    few = decisive(events[:3], lambda message: message.values["points"])
    assert [place for place, _ in few] == [1, 2]
