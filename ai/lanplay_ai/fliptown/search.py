"""All ways to go on with a turn, searched task by task, the best of each depth kept."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from lanplay.games.fliptown.asks import Ask, Turn
from lanplay.games.fliptown.cards import suit
from lanplay.games.fliptown.codes import NO
from lanplay.games.fliptown.map import BADLANDS, CEMETERY, site
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.tasks import has_ability
from lanplay.games.fliptown.turn import TurnWalk
from lanplay_ai.fliptown.outlook import FliptownOutlook

DEPTH = 12
"""Tasks of a turn that are looked at, chained one after the other."""
FIRST_STONE = site(CEMETERY, 0)


class Way(NamedTuple):
    """A way to go on: its worth, the options chosen, the sheet it leads to, its pause."""

    worth: float
    answer: tuple[int, ...]
    sheet: Sheet
    pause: int | None


Step: TypeAlias = tuple[float, tuple[int, ...], Sheet, int | None]
"""A way with its worth negated, so that the best comes first, of equals that by lesser options."""
Outcome: TypeAlias = tuple[tuple[int, ...], Sheet, bool, int | None]
"""A way through one task: options, sheet, whether the turn goes on, pause."""
Robbery: TypeAlias = tuple[int, tuple[int, ...], TurnWalk, int]
"""A robbery that a plan can lead to: gold left, options so far, the walk before it, the target."""


class Search:
    """Searches with a budget of ``nodes`` sheets, and keeps the ``beam`` best of each depth."""

    def __init__(self, outlook: FliptownOutlook, turn: Turn, beam: int, nodes: int) -> None:
        self._worth = outlook.worth
        self._thrifty = outlook.thrifty
        self._turn = turn
        self._beam = beam
        self._nodes = nodes

    def best(self, s: Sheet) -> Way:
        """Return the best way to go on."""
        worth, answer, sheet, pause = min(self._ends(s))
        return Way(-worth, answer, sheet, pause)

    def ways(self, s: Sheet) -> list[Way]:
        """Return the ways to go on that were found, best first; at least one."""
        return [Way(-worth, *rest) for worth, *rest in sorted(self._ends(s))]

    def _ends(self, s: Sheet) -> list[Step]:
        found: list[Step] = []
        frontier: list[Step] = [(0.0, (), s, None)]
        for _ in range(DEPTH):
            frontier = self._deeper(frontier, found)
            if not frontier:
                break
        return found

    def _deeper(self, frontier: list[Step], found: list[Step]) -> list[Step]:
        """Add to ``found`` what ends after one task more; return the best of what goes on."""
        open_ways: dict[object, Step] = {}
        for _, so_far, before, _ in frontier:
            if self._nodes <= 0 and found:
                return []
            for answer, sheet, going, pause in self._outcomes(before):
                step = (-self._worth(sheet, pause), so_far + answer, sheet, pause)
                if not going or not (sheet.pool or has_ability(sheet)):
                    found.append(step)
                else:
                    open_ways.setdefault(_key(sheet), step)
        return sorted(open_ways.values())[: self._beam]

    def _outcomes(self, s: Sheet) -> list[Outcome]:
        """Return all ways through the next task, those by the last options first.

        Of robberies of one target that leave the same card for poker only those for the least gold
        are among them: with more gold all else is at least as good (``FliptownOutlook.thrifty``).
        """
        found: list[Outcome] = []
        robberies: dict[tuple[int, int], list[Robbery]] = {}
        self._follow((), TurnWalk(s.copy(), self._turn, task=True), found, robberies)
        self._nodes -= len(found)
        for same in robberies.values():
            self._nodes -= len(same)
            most = max([gold for gold, _, _, _ in same])
            for gold, path, walk, target in same:
                if gold == most:
                    twin = walk.fork()
                    twin.take(target)
                    found.append(((*path, target), twin.sheet, twin.going, twin.pause))
        return found

    def _follow(
        self,
        path: tuple[int, ...],
        walk: TurnWalk,
        found: list[Outcome],
        robberies: dict[tuple[int, int], list[Robbery]],
    ) -> None:
        """Add all ways on from a walk, but put robberies aside that can be had in several ways."""
        ask, s = walk.ask, walk.sheet
        if ask is None:
            found.append((path, s, walk.going, walk.pause))
            return
        options = ask.values
        if ask.what == "site":
            options = _sensible(ask, s, self._turn)
            if s.counted == BADLANDS and self._thrifty and not s.uses:
                for target, price in zip(ask.values, ask.notes, strict=True):
                    if NO < target < FIRST_STONE:
                        same = robberies.setdefault((s.poker[-1], target), [])
                        same.append((s.gold - price, path, walk, target))
                options = tuple([each for each in options if not NO < each < FIRST_STONE])
        for option in reversed(options):
            twin = walk.fork()
            twin.take(option)
            self._follow((*path, option), twin, found, robberies)


def _key(s: Sheet) -> tuple[object, ...]:
    """Return what tells sheets apart within a turn."""
    counters = (s.cash, s.gold, s.stars, s.wanted, s.pans, s.hammers, s.items, s.land, s.hotel)
    return (*s.circled, *counters, s.uses, s.poker, s.assigned, s.counted, tuple(sorted(s.pool)))


def _sensible(ask: Ask, s: Sheet, turn: Turn) -> tuple[int, ...]:
    """Return the options of a site without those that another way has for less."""
    value_card = 3 - s.assigned - turn.flipped.index(s.poker[-1])
    if s.assigned < value_card and s.counted == suit(turn.flipped[s.assigned]):
        return ask.values
    return tuple([each for each in ask.values if NO < each < FIRST_STONE]) or (NO,)
