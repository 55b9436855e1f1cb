"""All ways to go on with a turn, searched task by task, the best of each depth kept."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lanplay.games.fliptown.asks import Ask, Turn
from lanplay.games.fliptown.cards import suit
from lanplay.games.fliptown.codes import NO
from lanplay.games.fliptown.map import CEMETERY, site
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.tasks import has_ability
from lanplay.games.fliptown.turn import TurnWalk
from lanplay_rivals.fliptown.outlook import FliptownOutlook

DEPTH = 12
"""Tasks of a turn that are looked at, chained one after the other."""
FIRST_STONE = site(CEMETERY, 0)


class Way(NamedTuple):
    """A way to go on: its worth, the options chosen, the sheet it leads to, its pause."""

    worth: float
    answer: tuple[int, ...]
    sheet: Sheet
    pause: int | None


class Search:
    """Searches with a budget of ``nodes`` sheets, and keeps the ``beam`` best of each depth."""

    def __init__(self, outlook: FliptownOutlook, turn: Turn, beam: int, nodes: int) -> None:
        self._outlook = outlook
        self._turn = turn
        self._beam = beam
        self._nodes = nodes

    def ways(self, s: Sheet) -> list[Way]:
        """Return the ways to go on that were found, best first; at least one."""
        found: list[Way] = []
        frontier = [Way(0.0, (), s, None)]
        for _ in range(DEPTH):
            frontier = self._deeper(frontier, found)
            if not frontier:
                break
        found.sort(key=_order)
        return found

    def _deeper(self, frontier: list[Way], found: list[Way]) -> list[Way]:
        open_ways: dict[object, Way] = {}
        for way in frontier:
            if self._nodes <= 0 and found:
                return []
            for answer, sheet, going, pause in _outcomes(way.sheet, self._turn):
                self._nodes -= 1
                path = way.answer + answer
                next_way = Way(self._outlook.worth(sheet, pause), path, sheet, pause)
                if not going or not (sheet.pool or has_ability(sheet)):
                    found.append(next_way)
                else:
                    open_ways.setdefault(_key(sheet), next_way)
        return sorted(open_ways.values(), key=_order)[: self._beam]


def _order(way: Way) -> tuple[float, tuple[int, ...]]:
    return -way.worth, way.answer


def _key(s: Sheet) -> tuple[object, ...]:
    """Return what tells sheets apart within a turn."""
    counters = (s.cash, s.gold, s.stars, s.wanted, s.pans, s.hammers, s.items, s.land, s.hotel)
    return (*s.circled, *counters, s.uses, s.poker, s.assigned, s.counted, tuple(sorted(s.pool)))


def _outcomes(s: Sheet, turn: Turn) -> Iterator[tuple[tuple[int, ...], Sheet, bool, int | None]]:
    """Yield all ways through the next task: options, sheet, whether the turn goes on, pause."""
    left: list[tuple[tuple[int, ...], TurnWalk]] = [((), TurnWalk(s.copy(), turn, task=True))]
    while left:
        path, walk = left.pop()
        if walk.ask is None:
            yield path, walk.sheet, walk.going, walk.pause
            continue
        options = _sensible(walk.ask, walk.sheet, turn)
        left.extend([((*path, option), walk.after(option)) for option in options])


def _sensible(ask: Ask, s: Sheet, turn: Turn) -> tuple[int, ...]:
    """Return the options of a choice without those that another way has for less."""
    if ask.what != "site":
        return ask.values
    value_card = 3 - s.assigned - turn.flipped.index(s.poker[-1])
    if s.assigned < value_card and s.counted == suit(turn.flipped[s.assigned]):
        return ask.values
    return tuple([each for each in ask.values if NO < each < FIRST_STONE]) or (NO,)
