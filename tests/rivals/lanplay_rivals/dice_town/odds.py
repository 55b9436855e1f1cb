"""Chances to take a location, computed once and kept: small tables keyed by what decides them.

Chances are quotients of integers or measured constants, added and multiplied in a fixed order: the
same on every platform and with every Python, as powers and sums of floats are not.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cache, lru_cache
from itertools import accumulate
from math import comb
from typing import Final

from lanplay.engine.fast_value import FastValue
from lanplay.games.dice_town.poker import ACE, DICE, FACES
from lanplay_rivals.dice_town.kept import Kept
from lanplay_rivals.dice_town.multisets import code, joined, multisets, ranking
from lanplay_rivals.dice_town.worth import PLACES

PAIRS: Final = tuple((shown, come) for shown in range(DICE + 1) for come in range(DICE + 1 - shown))
WEIGHTS: Final[dict[tuple[int, int], int]] = {
    pair: int((DICE + 1) ** place) for place, pair in enumerate(PAIRS)
}
"""A number for a rival that shows some dice of a face and has some to come.

Numbers of up to five rivals may be added: sums are equal only for the same rivals.
"""
_POWERS: Final[tuple[int, ...]] = tuple(WEIGHTS.values())
COMMON: Final = 2048
"""How many sets of rivals are kept: most rolls meet one of these, and there are 60,000 in all."""
TIE: Final = 0.45
"""The share of ties that go to a seat while another one is the Sheriff."""

FINAL: Final[dict[tuple[int, int], tuple[float, ...]]] = {
    (0, 1): (0.865, 0.135),
    (0, 2): (0.75, 0.22, 0.03),
    (0, 3): (0.67, 0.25, 0.07, 0.01),
    (0, 4): (0.6, 0.285, 0.087, 0.025, 0.003),
    (0, 5): (0.522, 0.258, 0.12, 0.069, 0.028, 0.003),
    (1, 1): (0.79, 0.21),
    (1, 2): (0.62, 0.33, 0.05),
    (1, 3): (0.45, 0.37, 0.16, 0.02),
    (1, 4): (0.255, 0.349, 0.269, 0.114, 0.013),
    (2, 1): (0.74, 0.26),
    (2, 2): (0.555, 0.38, 0.065),
    (2, 3): (0.378, 0.393, 0.208, 0.021),
    (3, 1): (0.75, 0.25),
    (3, 2): (0.52, 0.43, 0.05),
    (4, 1): (0.8, 0.2),
}
"""Of how many dice a rival shows of a face and has to come: the chances of 0, 1, … more of it.

Rivals choose what they keep, and keep out of one another's way, so that these are measured: over
700 rounds of two experts and two strong ones.
"""

Additions = list[float]
"""What more dice add to the worth of a location: see ``place_of``."""


def place_of(to_come: int, more: int) -> int:
    """Return the place in ``Additions`` of ``more`` dice with some others to come."""
    return (DICE + 1) * to_come + more


class Share(FastValue):
    """What a seat's dice are in a contest.

    ``added`` is what they add to the sums, by face; a sum less ``own`` is the seat's key in
    ``TABLES``. Aces count in the Town Hall alone. ``code`` is the dice's, ``joined`` the
    number of the dice and some more, by the number of those.
    """

    __slots__: Final = ("added", "code", "joined", "own")

    def __init__(self, dice: tuple[int, ...]) -> None:
        to_come = DICE - len(dice)
        held = list(map(dice.count, range(ACE)))
        nine, ten, jack, queen, king = [WEIGHTS[shown, to_come] * (DICE + 1) for shown in held]
        self.added: Final = (nine, ten, jack, queen, king)
        self.code: Final = code(dice)
        self.joined: Final = joined()[multisets().number[self.code]]
        own = [each - has for each, has in zip(self.added, held, strict=True)]
        self.own: Final[list[int]] = [*own, 0]


class Contest(FastValue):
    """The ``dice`` set aside by seat: the ``sums`` over all of them, by face, and their shares."""

    __slots__: Final = ("dice", "shares", "sums")

    def __init__(self, dice: list[tuple[int, ...]], shares: list[Share], sums: list[int]) -> None:
        self.dice: Final = dice
        self.shares: Final = shares
        self.sums: Final = sums


_BY_NUMBER: Final[dict[int, Share]] = Kept(lambda number: Share(multisets().faces[number]))
_SHARES: Final[dict[tuple[int, ...], Share]] = Kept(
    lambda dice: _BY_NUMBER[multisets().number[code(dice)]]
)
_LATEST: Final = [Contest([], [], [])]
"""The contest that was asked for last: the seats that roll are asked for the same one."""


def contest(dice: list[tuple[int, ...]]) -> Contest:
    """Return the contest of the dice set aside by seat.

    What a seat has to come is rolled once and kept as it falls.
    """
    latest = _LATEST[0]
    if latest.dice == dice:
        return latest
    shares = [_SHARES[each] for each in dice]
    nine = ten = jack = queen = king = 0
    for share in shares:
        n, x, j, q, k = share.added
        nine += n
        ten += x
        jack += j
        queen += q
        king += k
    latest = _LATEST[0] = Contest(dice.copy(), shares, [nine, ten, jack, queen, king, 0])
    return latest


@cache
def binomial(dice: int) -> tuple[float, ...]:
    """Return the chances that 0, 1, … of some dice show one given face."""
    return tuple(
        comb(dice, hits) * (FACES - 1) ** (dice - hits) / FACES**dice for hits in range(dice + 1)
    )


@cache
def _fewer(shown: int, to_come: int, last: bool) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return, for 0 to 5 dice, the chances that a rival ends with fewer, and with as many at most.

    With ``last`` the rival rolls its dice to come once and keeps them as they fall.
    """
    more = binomial(to_come) if last or not to_come else FINAL[shown, to_come]
    chances = [0.0] * shown + list(more) + [0.0] * (DICE - shown - to_come)
    sums = tuple(accumulate(chances, initial=0.0))
    return sums[:-1], sums[1:]


def majority(key: int, tie: float, last: bool) -> list[float]:
    """Return, for 0 to 5 dice of a face, the chance to take its location; no dice take nothing.

    ``key`` is the sum of the rivals' weights, ``tie`` the share of ties that are won. ``last`` says
    that the rivals have but one roll to come, not a choice of several.
    """
    fewer, as_many = _against(key, last)
    return [0.0, *[fewer[n] + tie * (as_many[n] - fewer[n]) for n in range(1, DICE + 1)]]


class Chances(FastValue):
    """The chances to take a location (see ``majority``), and those to miss it."""

    __slots__: Final = ("missed", "taken")

    def __init__(self, taken: list[float]) -> None:
        self.taken: Final = taken
        self.missed: Final = [1 - chance for chance in taken]


def _majorities(tie: float, last: bool) -> dict[int, Chances]:
    return Kept(lambda key: Chances(majority(key, tie, last)), COMMON)


MAJORITIES: Final = {
    (sheriff, last): _majorities(1.0 if sheriff else TIE, last)
    for sheriff in (False, True)
    for last in (False, True)
}
"""The chances by the sum of the rivals' weights.

They differ by whether the seat is the Sheriff, whose ties are, and whether its rivals have but one
roll to come.
"""


@lru_cache(maxsize=COMMON)
def _against(key: int, last: bool) -> tuple[list[float], list[float]]:
    """Return, for 0 to 5 dice, the chances that all rivals have fewer, and as many at most."""
    if not key:
        return [1.0] * (DICE + 1), [1.0] * (DICE + 1)
    place = bisect_right(_POWERS, key) - 1
    fewer, as_many = _against(key - _POWERS[place], last)
    below, up_to = _fewer(*PAIRS[place], last)
    every = range(DICE + 1)
    return [fewer[n] * below[n] for n in every], [as_many[n] * up_to[n] for n in every]


def levels(place: tuple[float, ...], key: int, tie: float) -> list[list[float]]:
    """Return what a location is worth, by dice to come, with 0, 1, 2, … dice of its face.

    ``place`` is what it brings with 0 to 5 dice, ``key`` the sum of the rivals' weights. What is to
    come is rolled once. Dice of the face and dice to come are five at most.
    """
    chances = majority(key, tie, False)
    worths = [chances[n] * place[n] for n in range(DICE + 1)]
    found = [worths]
    for dice in range(DICE, 0, -1):
        worths = [((FACES - 1) * worths[n] + worths[n + 1]) / FACES for n in range(dice)]
        found.append(worths)
    return found


def additions(worths: list[list[float]], held: int) -> Additions:
    """Return what more dice of a face add to the ``held`` ones, of the location's ``levels``."""
    found = [0.0] * (DICE + 1) ** 2
    for to_come in range(DICE - held):
        row, at = worths[to_come], place_of(to_come, 0)
        now = row[held]
        for more in range(1, len(row) - held):
            found[at + more] = row[held + more] - now
    return found


def _rows(place: tuple[float, ...], tie: float) -> dict[int, Additions]:
    """Return what more dice add to a place by the rivals and the dice held (see ``TABLES``)."""
    every: dict[int, list[list[float]]] = Kept(lambda rivals: levels(place, rivals, tie), COMMON)
    return Kept(lambda key: additions(every[key // (DICE + 1)], key % (DICE + 1)), COMMON)


def _tables(tie: float) -> list[dict[int, Additions]]:
    alike = {place: _rows(place, tie) for place in PLACES.values()}
    return [alike[PLACES[face]] for face in range(FACES)]


TABLES: Final = [_tables(TIE), _tables(1.0)]
"""What more dice add, by whether the seat is the Sheriff, whose ties are, and by face.

A key is the sum of the rivals' weights, times six, and how many dice of the face the seat has set
aside (see ``contest``). Places that bring as much share a table. Aces count in the Town Hall alone.
"""


@cache
def below(dice: int, last: bool) -> list[float]:
    """Return, for every hand of five, the chance that a rival ends below it.

    ``dice`` is the code of its dice. A tie counts half. A rival that chooses is as strong as the
    better of two random hands; with ``last`` it rolls once.
    """
    tables, places = multisets(), ranking()
    number = tables.number[dice]
    chances = [0.0] * len(places)
    reached = {number: 1}
    for _ in range(DICE - len(tables.faces[number])):
        reached = _one_die_more(reached)
    total = FACES ** (DICE - len(tables.faces[number]))
    for hand, orders in reached.items():
        chances[places[hand - tables.first[DICE]]] = orders / total
    passed, weaker = 0.0, []
    for chance in chances:
        half = passed + chance / 2
        weaker.append(half if last or total == 1 else half * half)
        passed += chance
    return [weaker[place] for place in places]


def _one_die_more(reached: dict[int, int]) -> dict[int, int]:
    """Return in how many ways each multiset comes of some others by rolling one die."""
    grown = multisets().grown
    found: dict[int, int] = {}
    for number, orders in reached.items():
        for more in grown[number]:
            found[more] = found.get(more, 0) + orders
    return found


@cache
def halls(rivals: int) -> list[tuple[float, float, float]]:
    """Return the chances of at least one, two and three claims by the number of the dice held.

    The other dice are rolled once, the rivals' dice are not known (DT-3.7).
    """
    tables = multisets()
    first = tables.first[DICE]
    beaten = below(0, False)
    chances: list[tuple[float, float, float]] = [(0.0, 0.0, 0.0)] * len(tables.faces)
    for number in range(len(chances) - 1, -1, -1):
        if number >= first:
            aces, won = tables.counts[number][ACE], 1.0
            for _ in range(rivals):
                won *= beaten[number - first]
            chances[number] = (won, won * (aces > 0), won * (aces > 1))
        else:
            chances[number] = _mean([chances[more] for more in tables.grown[number]])
    return chances


@lru_cache(maxsize=256)
def hall_worths(rivals: int, claims: tuple[float, ...]) -> list[float]:
    """Return what the Town Hall is worth by the number of the dice held.

    ``claims`` is what the first claims of its row are worth together: of none, of one, and so on.
    """
    none, one, two, three = (*claims, *claims[-1:] * 3)[:4]
    first, second, third = one - none, two - one, three - two
    return [won * first + ace * second + aces * third for won, ace, aces in halls(rivals)]


def _mean(chances: list[tuple[float, float, float]]) -> tuple[float, float, float]:
    one = two = three = 0.0
    for each in chances:
        one, two, three = one + each[0], two + each[1], three + each[2]
    return one / FACES, two / FACES, three / FACES
