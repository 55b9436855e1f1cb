"""The last round: the share of the win for every outcome of a turn, by who is still to play.

Whoever plays last meets scores that stand, so that its shares are exact (CH-4). Those who play
after a seat are taken to play at ``PRICE``: for each, outcomes are laid evenly over their
distribution, in ``FUTURES`` of as many chances. What a gift of the seat changes is looked at in
every future.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Collection
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from lanplay.games.charidice.rules import CHARITY, GREAT_CHARITY, GREAT_GIVING
from lanplay.games.charidice.table import ROUNDS, CharidiceTable
from lanplay_ai.charidice.optimum import outcomes
from lanplay_ai.charidice.prospects import Outcome

PRICE = -0.25
"""What whoever is still to play gets for a point given away: charity is in its plan."""
FUTURES = 256
_STRIDES = (1, 99, 163)
"""Odd, so that each runs through all parts of a distribution: one for each seat still to play."""
_MOST = 100
"""More points than a turn brings."""


class _Future(NamedTuple):
    """How all end, charity and the present turn apart; ``left`` is who receives its gift.

    ``own`` is the score of the seat, ``most`` what the one of the others has given that has given
    most, ``bonus`` its charity bonus. Without it and with it: the best score of the others but
    ``left``, how many have it, and that of ``left``.
    """

    own: int
    most: int
    bonus: int
    without: tuple[int, int, int]
    with_it: tuple[int, int, int]


def last_shares(t: CharidiceTable, seat: int, brought: Collection[Outcome]) -> dict[Outcome, float]:
    """Return the share of a seat for what its turn may bring, gifts as they are entered."""
    futures = [_future(t, seat, scores, given) for scores, given in _ends(t, seat)]
    given = sum(t.given[seat])
    by_gift = {gift: _by_points(futures, given, gift) for gift in {g for _, g in brought}}
    weight = 1 / len(futures)
    return {(points, gift): weight * by_gift[gift][points] for points, gift in brought}


def _ends(t: CharidiceTable, seat: int) -> list[tuple[list[int], list[int]]]:
    """Return scores and gifts of all seats in each future, the seat's present turn left out."""
    scores = [t.total(each) for each in range(t.seats)]
    given = [sum(column) for column in t.given]
    later = [each for each in t.order() if each != seat and len(t.given[each]) < ROUNDS]
    if not later:
        return [(scores, given)]
    found, plays = [], _evenly()
    for number in range(FUTURES):
        future, gifts = [*scores], [*given]
        for stride, each in zip(_STRIDES, later, strict=False):
            points, gift = plays[number * stride % FUTURES]
            receiver = t.left(each)
            entered = 2 * gift if t.greatest[receiver] else gift  # nobody keeps it for later
            future[each] += points
            future[receiver] += entered
            gifts[each] += entered
        found.append((future, gifts))
    return found


@cache
def _evenly() -> tuple[Outcome, ...]:
    """Return the outcomes of ``FUTURES`` turns at ``PRICE``, each for as much of the chance."""
    every = sorted(outcomes(PRICE).items())
    reached = list(accumulate([chance for _, chance in every]))
    places = [bisect(reached, (part + 0.5) / FUTURES) for part in range(FUTURES)]
    return tuple([every[min(place, len(every) - 1)][0] for place in places])


def _future(t: CharidiceTable, seat: int, scores: list[int], given: list[int]) -> _Future:
    left = t.left(seat)
    most = max([each for other, each in enumerate(given) if other != seat])
    bonus = GREAT_CHARITY if most > GREAT_GIVING else CHARITY

    def standing(bonus: int) -> tuple[int, int, int]:
        final = [s + bonus if g == most else s for s, g in zip(scores, given, strict=True)]
        rest = [each for other, each in enumerate(final) if other not in (seat, left)]
        best = max(rest, default=-1)
        return best, rest.count(best), final[left]

    return _Future(scores[seat], most, bonus, standing(0), standing(bonus))


def _by_points(futures: list[_Future], given: int, gift: int) -> list[float]:
    """Return, for every number of points, in how many futures a turn with this gift wins."""
    ahead, level = [0.0] * (_MOST + 1), [0.0] * (_MOST + 1)
    mine = given + gift
    first = GREAT_CHARITY if mine > GREAT_GIVING else CHARITY
    for own, most, bonus, without, with_it in futures:
        rest, count, left = without if mine > most else with_it
        left += gift
        best = max(rest, left)
        need = best - own - (first if mine > most else bonus if mine == most else 0)
        if need < 0:
            ahead[0] += 1.0
        elif need < _MOST:
            rivals = (count if rest == best else 0) + (left == best)
            level[need] += 1 / (1 + rivals)
            ahead[need + 1] += 1.0
    return [won + tie for won, tie in zip(accumulate(ahead), level, strict=True)]
