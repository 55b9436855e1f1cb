"""Ratings: a Plackett-Luce model fitted to all games at once, with intervals by bootstrap.

In the Plackett-Luce model an entrant has a strength; the winner is drawn with chances in proportion
to the strengths, then the second from the rest, and so on. So a ranking is a row of *stages*: one
entrant is chosen of a set. Level places count as every order of them, in equal parts. The fit is
the maximum of the likelihood by Hunter's MM algorithm (The Annals of Statistics 32, 2004), with one
drawn game of each entrant against an imaginary one of average strength, which keeps an entrant that
always won or lost finite. A rating is 400 log10(strength), with mean 0: the Elo scale, on which the
stronger of two comes out above the other with chance 1 / (1 + 10^(-difference/400)).

Sums are ``fsum``: they are rounded once, so that every Python and machine gets the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb, fsum, lcm, log10, sqrt
from random import Random
from typing import Final, TypeAlias

from lanplay.tournament.moments import NORMAL, Estimate

UNIT: Final = lcm(*range(1, 13))
"""A whole that can be shared by up to twelve, and by the orders of up to twelve on one place."""

REPLICATES: Final = 200
IMAGINED: Final = 2
"""Imaginary deals to draw from: in every second one the weaker of two comes out above."""

Stage: TypeAlias = tuple[tuple[int, ...], int]
"""Entrants (sorted; one may stand for several seats) and the one of them that was chosen."""


@lru_cache(maxsize=4096)
def stages(line_up: tuple[int, ...], places: tuple[int, ...]) -> tuple[tuple[Stage, int], ...]:
    """Return the stages of a game with their weights in units of 1 / ``UNIT``."""
    weights: Counter[Stage] = Counter()
    for place in sorted(set(places)):
        level = [seat for seat, its in enumerate(places) if its == place]
        below = [seat for seat, its in enumerate(places) if its > place]
        for left in range(1, len(level) + 1):
            weight = UNIT // (comb(len(level), left) * left)
            for rest in combinations(level, left):
                choice = tuple(sorted(line_up[seat] for seat in (*rest, *below)))
                for seat in rest:
                    weights[choice, line_up[seat]] += weight
    return tuple((stage, weight) for stage, weight in weights.items() if len(set(stage[0])) > 1)


@dataclass(slots=True)
class Choices:
    """All stages, as the fit wants them: how often each set was there, and each entrant chosen."""

    sets: list[tuple[tuple[int, ...], float]]
    chosen: list[float]

    @classmethod
    def of(cls, weights: Mapping[Stage, int], entrants: int) -> Choices:
        """Return the stages of weights in units of 1 / ``UNIT``, in a fixed order."""
        sets: defaultdict[tuple[int, ...], int] = defaultdict(int)
        chosen = [0] * entrants
        for (choice, winner), weight in weights.items():
            sets[choice] += weight
            chosen[winner] += weight
        ordered = [(choice, weight / UNIT) for choice, weight in sorted(sets.items())]
        return cls(ordered, [weight / UNIT for weight in chosen])


def fit(choices: Choices, start: Sequence[float] | None = None, close: float = 1e-9) -> list[float]:
    """Return the strengths of greatest likelihood, to a relative change of ``close`` in a step."""
    strengths = list(start or [1.0] * len(choices.chosen))
    for _ in range(10_000):
        newer = _step(choices, strengths)
        change = max(abs(new / old - 1) for new, old in zip(newer, strengths, strict=True))
        strengths = newer
        if change < close:
            break
    return strengths


def _step(choices: Choices, strengths: Sequence[float]) -> list[float]:
    shares = [1 / (strength + 1) for strength in strengths]  # of the imaginary game
    for choice, weight in choices.sets:
        share = weight / fsum([strengths[entrant] for entrant in choice])
        for entrant in choice:
            shares[entrant] += share
    return [(won + 0.5) / share for won, share in zip(choices.chosen, shares, strict=True)]


def points(strengths: Sequence[float]) -> list[float]:
    """Return strengths on the Elo scale, with mean 0."""
    raw = [400 * log10(strength) for strength in strengths]
    mean = fsum(raw) / len(raw)
    return [each - mean for each in raw]


def ratings(
    cells: Mapping[int, Mapping[Stage, int]], entrants: int, key: bytes, deals: int
) -> list[Estimate | None]:
    """Return every entrant's rating, its interval from a bootstrap over ``cells`` of ``deals``.

    ``None`` for one that has met no other: who has not played yet, or plays alone.

    Each replicate draws as many cells as there are, with replacement, from ``key``; among those it
    draws from are ``IMAGINED`` deals that go by lot, so that deals which were all alike do not look
    as if no other could have been. The interval is 1.96 times how far the replicates are from the
    rating (root mean square) to each side; ``None`` with fewer than two cells.
    """
    numbers = sorted(cells)
    every = _sum((cells[number], 1) for number in numbers)
    strengths = fit(Choices.of(every, entrants))
    best = points(strengths)
    met = {entrant for choice, _ in every for entrant in choice}
    if len(numbers) < 2 or not met:
        alone = [Estimate(rating, None, None) for rating in best]
        return [each if number in met else None for number, each in enumerate(alone)]
    random = Random(key)
    drawn = []
    for _ in range(REPLICATES):
        lots = [_by_lot(every, deals, entrants, random) for _ in range(IMAGINED)]
        pool = [*[cells[number] for number in numbers], *lots]
        places = Counter(int(random.random() * len(pool)) for _ in numbers)
        weights = _sum((pool[place], times) for place, times in places.items())
        drawn.append(points(fit(Choices.of(weights, entrants), strengths, close=1e-5)))
    return [
        Estimate.around(rating, NORMAL * _distance([each[number] for each in drawn], rating))
        if number in met
        else None
        for number, rating in enumerate(best)
    ]


def _by_lot(
    every: Mapping[Stage, int], deals: int, entrants: int, random: Random
) -> dict[Stage, int]:
    """Return an imaginary deal: the choices of an average one go by an order drawn by lot."""
    lots = [random.random() for _ in range(entrants)]
    weights: defaultdict[Stage, int] = defaultdict(int)
    for (choice, _), weight in every.items():
        weights[choice, max(choice, key=lots.__getitem__)] += weight
    return {stage: weight // deals for stage, weight in weights.items()}


def _sum(cells: Iterable[tuple[Mapping[Stage, int], int]]) -> dict[Stage, int]:
    weights: defaultdict[Stage, int] = defaultdict(int)
    for cell, times in cells:
        for stage, weight in cell.items():
            weights[stage] += weight * times
    return weights


def _distance(values: Sequence[float], point: float) -> float:
    """Return the root mean square of how far ``values`` are from a point."""
    return sqrt(fsum((value - point) ** 2 for value in values) / len(values))
