"""What is still to come for a sheet by what was learned, every case worked out once."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial

from lanplay.games.fliptown.map import BADLANDS, CEMETERY, REGIONS
from lanplay.games.fliptown.sheet import Sheet
from lanplay_ai.fliptown.features import (
    HINGES,
    TOOLS,
    counter_features,
    owned_features,
    region_features,
    tool_features,
)
from lanplay_ai.fliptown.weights import table as weights

MOST_CASES = 4_000
"""So many cases of a kind are kept before all of them are worked out anew."""


class Cases(dict[int, float]):
    """Worths by case, each of them worked out when it is first looked up."""

    def __init__(self, work: Callable[[int], float]) -> None:
        super().__init__()
        self._work = work

    def __missing__(self, case: int) -> float:
        """Work a case out."""
        if len(self) >= MOST_CASES:
            self.clear()
        worth = self[case] = self._work(case)
        return worth


class Ahead:
    """What sheets still bring with so many turns ``left``, by their features.

    ``cash`` has it by dollars, the rest is ``worth``; ``least_gold`` is the least that a piece of
    gold more adds to it.
    """

    def __init__(self, left: int) -> None:
        self._by = weights(left)
        self._regions = tuple([Cases(partial(self._region, region)) for region in REGIONS])
        self._owned = Cases(self._own)
        self._tools = Cases(self._tool)
        self.cash, self._gold, self._wanted, self._pans, self._hammers = [
            Cases(partial(self._counter, name)) for name in HINGES
        ]
        self._use = self._by.get("uses", 0.0)
        most = HINGES["gold"][-1]
        self.least_gold = min([self._gold[gold + 1] - self._gold[gold] for gold in range(most)])

    def worth(self, s: Sheet) -> float:
        """Return what a sheet still brings, but for what its dollars do."""
        circled = s.circled
        trail, badlands, mine, town, cemetery = self._regions
        worth = trail[circled[0]] + badlands[circled[1]] + mine[circled[2]] + town[circled[3]]
        worth += cemetery[circled[4]] + self._owned[s.items | s.hotel << 16 | s.land << 20]
        worth += self._gold[s.gold] + self._wanted[s.wanted]
        worth += self._pans[s.pans] + self._hammers[s.hammers]
        if items := s.items & TOOLS:
            targets, stones = circled[BADLANDS].bit_count(), circled[CEMETERY].bit_count()
            worth += self._tools[items << 12 | targets << 8 | stones << 4 | s.trail]
        return worth + s.uses * self._use

    def _weigh(self, features: Iterable[tuple[str, int]]) -> float:
        worth, by = 0.0, self._by
        for name, times in features:
            worth += by.get(name, 0.0) * times
        return worth

    def _region(self, region: int, circled: int) -> float:
        return self._weigh([(name, 1) for name in region_features(region, circled)])

    def _own(self, case: int) -> float:
        items, hotel, land = case & 0xFFFF, case >> 16 & 15, case >> 20
        return self._weigh([(name, 1) for name in owned_features(items, hotel, land)])

    def _tool(self, case: int) -> float:
        targets, stones, stop = 12 - (case >> 8 & 15), 9 - (case >> 4 & 15), case & 15
        return self._weigh(tool_features(case >> 12, targets, stones, stop))

    def _counter(self, name: str, amount: int) -> float:
        return self._weigh(counter_features(name, amount))


@cache
def ahead(left: int) -> Ahead:
    """Return what is still to come with so many turns left after this one."""
    return Ahead(left)
