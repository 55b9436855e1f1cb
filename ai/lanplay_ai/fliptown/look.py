"""A second look at what a turn comes to: what the things on a sheet are worth together.

The weights of ``weights.txt`` count each feature for itself. A small network that was learned from
what they left unexplained counts them together. A line of ``together.txt`` is a feature and what it
adds to each unit, in thousandths; ``share`` is what the units count. How: docs/bots.md.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files

from lanplay.games.fliptown.phases import WORK_CASH
from lanplay.games.fliptown.sheet import Sheet
from lanplay.games.fliptown.table import TURNS
from lanplay_ai.fliptown.features import counter_features, owned_features, region_features


@cache
def _network() -> dict[str, list[int]]:
    lines = files(__package__).joinpath("together.txt").read_text("utf-8").splitlines()
    named = [line.split(": ") for line in lines]
    return {name: [int(each) for each in units.split()] for name, units in named}


@lru_cache(1 << 14)
def _units(features: tuple[str | tuple[str, int], ...]) -> list[int]:
    none = units = [0] * len(_network()["share"])
    for each in features:
        name, times = (each, 1) if isinstance(each, str) else each
        added = _network().get(name, none)
        units = [unit + times * more for unit, more in zip(units, added, strict=True)]
    return units


def together(s: Sheet, left: int) -> float:
    """Return what a sheet at the end of a turn is worth beyond its features, with ``left`` more."""
    paid = len(s.poker) == TURNS
    cash, gold = s.cash + paid * WORK_CASH * s.hammers, s.gold + paid * s.pans
    counters = {"cash": cash, "gold": gold, "wanted": s.wanted}
    counters |= {"pans": s.pans, "hammers": s.hammers}
    parts = [_units(("start", f"turn {left}")), _units(owned_features(s.items, s.hotel, s.land))]
    parts += [_units(region_features(region, circled)) for region, circled in enumerate(s.circled)]
    parts += [_units(counter_features(name, amount)) for name, amount in counters.items()]
    units = zip(map(sum, zip(*parts, strict=True)), _network()["share"], strict=True)
    return sum([unit * by for unit, by in units if unit > 0]) / 1_000_000
