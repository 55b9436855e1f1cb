"""Every turn of whole games, by what is told of it, against the order of the rules page."""

from __future__ import annotations

from collections import Counter

import pytest

from lanplay.engine.requests import Choose
from lanplay.games.dogs_life import rules
from lanplay.games.dogs_life.dogs import DOGS
from lanplay.games.dogs_life.questions import Steer
from lanplay.games.dogs_life.town import NOWHERE
from lanplay.games.dogs_life.turn import turn
from lanplay_ai.random_agent import RandomAgent
from tests.dogs_life.oracle import JOINED, POUND, is_den
from tests.dogs_life.plain_bot import PlainBot
from tests.dogs_life.test_games import SEATS, simulation

ACTIONS = {
    "moves",
    "searches",
    "drops-bone",
    "drops-paper",
    "picks-bone",
    "picks-paper",
    "buries",
    "begs",
    "drinks",
    "piddles",
    "takes-paper",
    "delivers",
    "fights",
}
"""What is told of an action; one point each (DL-3.2)."""
VAN = {"drives", "caught", "escapes", "reshuffles"}
"""What can be told once the van has been rolled for (DL-3.3, DL-3.5)."""


def ids(events):
    return [event.id for event in events]


def check_turn(t, seat, before, events):
    """Check what was told of a turn; return what kind of turn it was."""
    told = ids(events)
    acts = [each for each in told if each in ACTIONS]
    assert len(acts) <= DOGS[t.dogs[seat]].points
    own_end = [e for e in events if e.id == "beaten" and e.values["seat"] == seat]
    if before["pound"] and "leaves-pound" not in told:
        assert set(told) <= {"reshuffles", "stays-in-pound"}
        assert (t.pound[seat], t.hunger[seat]) == (before["pound"] + 1, before["hunger"])
        return "stays"
    if not before["pound"] and before["hunger"] == 0:
        assert told == ["falls-asleep"]
        assert (t.pound[seat], t.van) == (1, before["van"])
        return "asleep"
    if before["pound"]:
        assert told[0] in ("reshuffles", "leaves-pound")
        assert acts[:1] in ([], ["moves"])
    if t.winners:
        assert told[-1] == "buries"
        return "wins"
    if own_end:
        assert told[-1] == "beaten"
        assert (t.pound[seat], t.van) == (1, before["van"])
        return "beaten"
    check_van(t, before, events)
    if "sniffs" in told:
        after = told[told.index("sniffs") + 1 :]
        assert after[0] == "rolls"
        return "sniffs"
    return "freed" if before["pound"] else "acts"


def check_van(t, before, events):
    """Check that the van was moved once, at last, and who was in danger, in their order."""
    told = ids(events)
    assert told.count("rolls") == told.count("drives") == 1
    after = events[told.index("rolls") + 1 :]
    assert set(ids(after)) <= VAN
    assert t.van not in t.place
    assert after[0].values["place"] == t.van
    tried = [e.values["seat"] for e in after if e.id in ("caught", "escapes")]
    under = [seat for seat in tried if before["places"][seat] == t.van]
    assert tried[: len(under)] == under
    reached = [n for n in JOINED[t.van] if n != POUND and not is_den(n)]
    near = [seat for seat in t.order() if before["places"][seat] in reached]
    assert tried[len(under) :] == near
    assert len(under) == before["places"].count(t.van)
    for event in after:
        if event.id in ("caught", "escapes"):
            assert (t.place[event.values["seat"]] == NOWHERE) == (event.id == "caught")


@pytest.mark.parametrize("bot", [RandomAgent, PlainBot])
@pytest.mark.parametrize("seats", SEATS)
def test_every_turn_goes_as_the_page_says(seats, bot, monkeypatch):
    """DL-3.1 to DL-3.4, DL-3.9, DL-4.1: hunger, actions, sniffing, fights lost, van and pound."""
    seen = Counter()

    def watched(t, seat):
        before = {"pound": t.pound[seat], "hunger": t.hunger[seat], "van": t.van}
        start = len(t.log)
        steps = turn(t, seat)
        answer = None
        while True:
            try:
                request = steps.send(answer)
            except StopIteration:
                break
            if isinstance(request, Choose) and isinstance(request.questions[seat], Steer):
                before["places"] = list(t.place)
            answer = yield request
        seen[check_turn(t, seat, before, t.log[start:])] += 1

    monkeypatch.setattr(rules, "turn", watched)
    game = simulation(seats, b"course", {"rounds": "30"}, bot=bot)
    game.table.log = []
    game.run()
    assert seen["acts"] > 20
    assert seen["stays"] > 0
    assert seen["freed"] + seen["sniffs"] + seen["asleep"] + seen["beaten"] > 0
