"""Why a turn is played as it is: the site it leads to, the risk, the chance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lanplay.games.fliptown.codes import NO
from lanplay.games.fliptown.map import BADLANDS, CEMETERY
from lanplay.games.fliptown.questions import Move
from lanplay.games.fliptown.turn import TurnWalk
from lanplay_ai.deciding import Reason
from lanplay_ai.fliptown.outlook import FliptownOutlook
from lanplay_ai.fliptown.search import Way

SITES = ("site", "bonus")


def why_move(o: FliptownOutlook, question: Move, way: Way) -> Reason:
    """Return the reason of the options of a turn: the first site that they lead to."""
    asks = asked(question, way.answer)
    id, values = _why(asks, way)
    target = way.pause if way.pause is not None and way.pause > 1 else None
    odds = o.success(way.sheet, target) if target is not None else None
    if target is not None and id in ("site", "stone"):  # what the chance is of
        id, values = "then-rob", values | {"value": target}
    return Reason(id, values, gain(o, question, way), odds)


def gain(o: FliptownOutlook, question: Move, way: Way) -> float:
    """Return the points that a way adds to the sheet, as if nothing were left to do without it."""
    idle = question.sheet.copy()
    idle.pool = []
    return way.worth - o.worth(idle)


def _why(asks: Sequence[tuple[str, int]], way: Way) -> tuple[str, dict[str, Any]]:
    for what, option in asks:
        if what in SITES and option != NO:
            return _site(what, option, way)
    if any(what == "site" for what, _ in asks):
        return "forgo", {"card": way.sheet.poker[-1]}
    last = asks[-1][1] if asks else NO
    return "end" if last == NO else "chain", {}


def asked(question: Move, answer: tuple[int, ...]) -> list[tuple[str, int]]:
    """Return what was chosen by an answer, and the options taken."""
    found = []
    walk = TurnWalk(question.sheet.copy(), question.turn)
    for option in answer:
        assert walk.ask is not None, "these are options of the turn"
        found.append((walk.ask.what, option))
        walk.take(option)
    return found


def _site(what: str, where: int, way: Way) -> tuple[str, dict[str, Any]]:
    region = where // 16
    values = {"site": where}
    if what == "bonus":
        return "bonus-rob" if region == BADLANDS else "bonus", values
    name = {BADLANDS: "rob", CEMETERY: "stone"}.get(region, "site")
    return name, values | {"card": way.sheet.poker[-1]}
