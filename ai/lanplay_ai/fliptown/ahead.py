"""What a sheet has and, by what was learned, still brings: every case worked out once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

from lanplay.games.fliptown.ending import SILVER_ROOMS, mined_silver
from lanplay.games.fliptown.map import BADLANDS, CEMETERY, HOTEL_STARS, MINE, REGIONS
from lanplay.games.fliptown.phases import WORK_CASH
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

CASH, GOLD = 0.25, 0.5
"""Points for a dollar and for a piece of gold."""
MOST_CASES = 4_000
"""So many cases of a kind are kept before all of them are worked out anew."""
ITEMS = 16
"""Bits for the items of a sheet."""


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
    """What sheets have and still bring with so many turns ``left``, in points.

    Of what is still to come the part ``foresight`` counts; tools pay ``rounds`` times more.
    ``regions`` and ``cash`` have it by what is circled in each and by dollars.
    """

    def __init__(self, left: int, rounds: int, foresight: float) -> None:
        self._by, self._rounds, self._part = weights(left), rounds, foresight
        self.regions = [Cases(partial(self._region, region)) for region in REGIONS]
        self.cash = Cases(lambda cash: cash * CASH + self._counter("cash", cash))
        self._gold = Cases(lambda gold: gold * GOLD + self._counter("gold", gold))
        self._wanted = Cases(partial(self._counter, "wanted"))
        self._tools, self._owned, self._used = Cases(self._pay), Cases(self._own), Cases(self._use)
        self._ability = foresight * self._by.get("uses", 0.0)
        amounts = range(HINGES["gold"][-1])
        self.thrifty = all(self._gold[gold] < self._gold[gold + 1] for gold in amounts)
        """Whether more gold is always worth more."""

    def worth(self, s: Sheet, regions: Sequence[Cases]) -> float:
        """Return the worth of all but dollars, stars and the hand; of ``regions`` by those."""
        circled, items = s.circled, s.items
        trail, badlands, mine, town, cemetery = regions
        worth = trail[circled[0]] + badlands[circled[1]] + mine[circled[2]] + town[circled[3]]
        worth += cemetery[circled[4]] + self._owned[items | s.hotel << ITEMS | s.land << ITEMS + 4]
        worth += self._gold[s.gold] + self._tools[8 * s.pans + s.hammers]
        if s.wanted:
            worth += self._wanted[s.wanted]
        if circled[MINE] & SILVER_ROOMS:
            worth += mined_silver(s)
        if used := items & TOOLS:
            targets, stones = circled[BADLANDS].bit_count(), circled[CEMETERY].bit_count()
            worth += self._used[used << 12 | targets << 8 | stones << 4 | s.trail]
        return worth + s.uses * self._ability if s.uses else worth

    def _weigh(self, features: Iterable[tuple[str, int]]) -> float:
        worth, by = 0.0, self._by
        for name, times in features:
            worth += by.get(name, 0.0) * times
        return self._part * worth

    def _region(self, region: int, circled: int) -> float:
        return self._weigh([(name, 1) for name in region_features(region, circled)])

    def _own(self, case: int) -> float:
        items, hotel, land = case % (1 << ITEMS), case >> ITEMS & 15, case >> ITEMS + 4
        features = owned_features(items, hotel, land)
        return HOTEL_STARS[hotel] + self._weigh([(name, 1) for name in features])

    def _use(self, case: int) -> float:
        targets, stones, stop = 12 - (case >> 8 & 15), 9 - (case >> 4 & 15), case & 15
        return self._weigh(tool_features(case >> 12, targets, stones, stop))

    def _pay(self, case: int) -> float:
        pans, hammers = divmod(case, 8)
        pay = self._rounds * (pans * GOLD + hammers * WORK_CASH * CASH)
        return pay + self._counter("pans", pans) + self._counter("hammers", hammers)

    def _counter(self, name: str, amount: int) -> float:
        return self._weigh(counter_features(name, amount))


@cache
def ahead(left: int, rounds: int, foresight: float) -> Ahead:
    """Return what sheets have and still bring (see ``Ahead``)."""
    return Ahead(left, rounds, foresight)
