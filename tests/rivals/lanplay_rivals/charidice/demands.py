"""When to demand the greatest gift: optimal stopping over the giver's first and second rolls.

The giver is taken for one that plays at ``GIVERS_PRICE`` and, once its gift counts double, at
``WARNED_PRICE``. In each of its turns there are two chances; waiting is worth what the best rule
for the turns that are left brings.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cache

from lanplay.games.charidice.table import ROUNDS
from lanplay_rivals.charidice.optimum import average, best_sets, expected, followed, optimum

GIVERS_PRICE = 0.0
WARNED_PRICE = 0.5


@dataclass(frozen=True, slots=True)
class Demands:
    """What a demand brings, by the number of the giver's roll, and what waiting does.

    ``gift[0]`` and ``gift[1]`` are the points it adds on average after the first and the second
    roll; ``wait[left]`` those that waiting brings after the first roll with so many turns of the
    giver left, this one included, and ``later[left]`` those of ``left`` whole turns.
    """

    gift: tuple[array[float], array[float]]
    wait: tuple[array[float], ...]
    later: tuple[float, ...]


@cache
def demands() -> Demands:
    """Return the rule; it takes about half a second."""
    warned = optimum(WARNED_PRICE)
    after2 = followed([float(gift) for _, gift, _ in best_sets(WARNED_PRICE)], warned.kept[1])
    after1 = followed(after2, warned.kept[0])
    going_on = optimum(GIVERS_PRICE)
    wait, later = [array("f", [0.0] * len(after1))], [0.0]
    for _ in range(ROUNDS):
        rest = later[-1]
        worth = expected([max(gift, rest) for gift in after2])
        waits = [
            worth[kept] if mask else rest
            for kept, mask in zip(going_on.kept[0], going_on.again[0], strict=True)
        ]
        wait.append(array("f", waits))
        later.append(average([max(pair) for pair in zip(after1, waits, strict=True)]))
    return Demands((array("f", after1), array("f", after2)), tuple(wait), tuple(later))


def added(number: int, made: int) -> float:
    """Return the points that a demand after roll ``made`` (1 or 2), by its number, adds."""
    return demands().gift[made - 1][number]


def waiting(number: int, made: int, left: int) -> float:
    """Return the points that waiting after roll ``made`` brings, with ``left`` turns of the giver.

    ``left`` includes the present turn.
    """
    rule = demands()
    return rule.wait[left][number] if made == 1 else rule.later[left - 1]


def pays(number: int, made: int, left: int) -> bool:
    """Tell whether to demand after roll ``made`` of the giver: waiting brings no more."""
    rule = demands()
    if made == 1:
        return rule.gift[0][number] >= rule.wait[left][number]
    return rule.gift[1][number] >= rule.later[left - 1]
