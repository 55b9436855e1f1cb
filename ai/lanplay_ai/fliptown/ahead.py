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
    """What is still to come with so many turns ``left``, by case.

    ``regions`` has it by what is circled in each, ``owned`` by ``owned_case``, ``used`` by
    ``used_case``, the counters by their amounts; a use that is left of an ability is worth ``use``.
    """

    def __init__(self, left: int) -> None:
        self._by = weights(left)
        self.regions = [Cases(partial(self._region, region)) for region in REGIONS]
        self.owned, self.used = Cases(self._own), Cases(self._tool)
        self.cash, self.gold, self.wanted, self.pans, self.hammers = [
            Cases(partial(self._counter, name)) for name in HINGES
        ]
        self.use = self._by.get("uses", 0.0)
        most = HINGES["gold"][-1]
        self.least_gold = min([self.gold[gold + 1] - self.gold[gold] for gold in range(most)])
        """The least that a piece of gold more adds."""

    def worth(self, s: Sheet) -> float:
        """Return what a sheet still brings."""
        worth = sum([by[circled] for by, circled in zip(self.regions, s.circled, strict=True)])
        worth += self.owned[owned_case(s)] + self.used[used_case(s)] + s.uses * self.use
        worth += self.cash[s.cash] + self.gold[s.gold] + self.wanted[s.wanted]
        return worth + self.pans[s.pans] + self.hammers[s.hammers]

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


def owned_case(s: Sheet) -> int:
    """Return as one number what a sheet owns."""
    return s.items | s.hotel << 16 | s.land << 20


def used_case(s: Sheet) -> int:
    """Return as one number its tools that are used on the map, and how much of it is used up."""
    items = s.items & TOOLS
    if not items:
        return 0
    targets, stones = s.circled[BADLANDS].bit_count(), s.circled[CEMETERY].bit_count()
    return items << 12 | targets << 8 | stones << 4 | s.trail


@cache
def ahead(left: int) -> Ahead:
    """Return what is still to come with so many turns left after this one."""
    return Ahead(left)
