"""All ways to go on with a turn, searched task by task, the best of each depth kept."""

from __future__ import annotations

from operator import attrgetter
from typing import NamedTuple, TypeAlias

from lanplay.games.fliptown.asks import Ask, Turn
from lanplay.games.fliptown.cards import suit
from lanplay.games.fliptown.codes import NO
from lanplay.games.fliptown.map import CEMETERY, site
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


End: TypeAlias = tuple[float, tuple[int, ...], Sheet, int | None]
"""A way with its worth negated, so that the best comes first, of equals that by lesser options."""
Open: TypeAlias = tuple[float, tuple[int, ...], Sheet, Sheet]
"""The same of a way that goes on; its hand is that of the second sheet."""
Outcome: TypeAlias = tuple[tuple[int, ...], Sheet, bool, int | None]
"""A way through one task: options, sheet, whether the turn goes on, pause."""
Going: TypeAlias = tuple[float, tuple[int, ...], Sheet, object]
"""A way that goes on after a task: its worth, the options of the task, its sheet, its ``_key``."""


class Search:
    """Searches with a budget of ``nodes`` sheets, and keeps the ``beam`` best of each depth.

    Work is shared where that changes no choice: of two sheets that differ in the hand alone one is
    worth more by the difference of their hands, now and after every task.
    """

    def __init__(self, outlook: FliptownOutlook, turn: Turn, beam: int, nodes: int) -> None:
        self._outlook = outlook
        self._turn = turn
        self._beam = beam
        self._nodes = nodes

    def best(self, s: Sheet) -> Way:
        """Return the best way to go on."""
        worth, answer, sheet, pause = min(self._ends(s))
        return Way(-worth, answer, sheet, pause)

    def ways(self, s: Sheet) -> list[Way]:
        """Return ways to go on, best first; at least one."""
        found = sorted(self._ends(s))
        return [Way(-worth, answer, sheet, pause) for worth, answer, sheet, pause in found]

    def distinct(self, s: Sheet, most: int) -> list[Way]:
        """Return at most so many of ``ways``, of those that come to the same sheet the first."""
        found: dict[object, Way] = {}
        for way in self.ways(s):
            found.setdefault((_but_hand(way.sheet), way.sheet.poker, way.pause), way)
            if len(found) == most:
                break
        return list(found.values())

    def _ends(self, s: Sheet) -> list[End]:
        found: list[End] = []
        frontier: list[Open] = [(0.0, (), s, s)]
        for _ in range(DEPTH):
            frontier = self._deeper(frontier, found)
            if not frontier:
                break
        return found

    def _deeper(self, frontier: list[Open], found: list[End]) -> list[Open]:
        """Add to ``found`` what ends after one task more; return the best of what goes on."""
        ways: dict[object, Open] = {}
        leaders: dict[object, tuple[float, int, list[Going]]] = {}
        for _, so_far, s, own in frontier:
            if self._nodes <= 0 and found:
                return []
            hand = self._outlook.hand(own.poker)
            alike = _but_hand(s) if self._outlook.thrifty else None
            led = leaders.get(alike) if alike else None
            if led is None:
                if own is not s:
                    s = s.copy()
                    s.poker, s.assigned, s.counted = own.poker, own.assigned, own.counted
                before, going = self._nodes, self._after(so_far, s, found)
                leaders[alike] = hand, before - self._nodes, going
                for worth, answer, sheet, key in going:
                    hers = sheet.poker, sheet.assigned, sheet.counted
                    ways.setdefault((key, hers), (-worth, so_far + answer, sheet, sheet))
            else:
                best, looked, going = led
                self._nodes -= looked
                hers = own.poker, own.assigned, own.counted
                for worth, answer, sheet, key in going:
                    way = best - hand - worth, so_far + answer, sheet, own
                    ways.setdefault((key, hers), way)
        return sorted(ways.values())[: self._beam]

    def _after(self, so_far: tuple[int, ...], s: Sheet, found: list[End]) -> list[Going]:
        """Add to ``found`` what ends after the next task; return what goes on."""
        going: list[Going] = []
        weigh = self._outlook.worth
        for answer, sheet, goes, pause in self._outcomes(s):
            worth = weigh(sheet, pause)
            if not goes or not (sheet.pool or (sheet.uses and has_ability(sheet))):
                found.append((-worth, so_far + answer, sheet, pause))
            else:
                going.append((worth, answer, sheet, _but_hand(sheet)))
        return going

    def _outcomes(self, s: Sheet) -> list[Outcome]:
        """Return the ways through the next task, those by the last options first."""
        found: list[Outcome] = []
        self._follow((), TurnWalk(s.copy(), self._turn, task=True), found)
        self._nodes -= len(found)
        return found

    def _follow(self, path: tuple[int, ...], walk: TurnWalk, found: list[Outcome]) -> None:
        """Add all ways on from a walk."""
        ask, s = walk.ask, walk.sheet
        if ask is None:
            found.append((path, s, walk.going, walk.pause))
            return
        options = ask.values
        if ask.what == "site":
            options = _sensible(ask, s, self._turn)
        for option in reversed(options):
            twin, way = walk.after(option), (*path, option)
            if twin.ask is None:
                found.append((way, twin.sheet, twin.going, twin.pause))
            else:
                self._follow(way, twin, found)


_COUNTERS = "cash gold stars wanted pans hammers items land hotel uses mined bonuses moments"
_counters = attrgetter(*_COUNTERS.split())


def _but_hand(s: Sheet) -> tuple[object, ...]:
    """Return what tells sheets apart within a turn, save their hands."""
    return (*s.circled, *_counters(s), *sorted(s.pool))


def _sensible(ask: Ask, s: Sheet, turn: Turn) -> tuple[int, ...]:
    """Return the options of a site without those that another way has for less."""
    value_card = 3 - s.assigned - turn.flipped.index(s.poker[-1])
    if s.assigned < value_card and s.counted == suit(turn.flipped[s.assigned]):
        return ask.values
    return tuple([each for each in ask.values if NO < each < FIRST_STONE]) or (NO,)
