"""Exact odds of poker dice, computed once and kept: small tables keyed by what decides them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import comb, factorial

from lanplay.games.dice_town.poker import ACE, DICE, FACES, JACK, KING, NINE, QUEEN, TEN, rank

PAIRS = tuple((shown, come) for shown in range(DICE + 1) for come in range(DICE + 1 - shown))
WEIGHTS: dict[tuple[int, int], int] = {
    pair: int((DICE + 1) ** place) for place, pair in enumerate(PAIRS)
}
"""A number for a rival that shows some dice of a face and has some to come.

Numbers of up to five rivals may be added: sums are equal only for the same rivals.
"""
_CODES = tuple(6**face for face in range(FACES))

MIXED = 3
"""Most dice of two faces that are kept together."""
LOCATIONS = {
    NINE: (0.0, 1.0),
    TEN: (1.0, 0.0),
    JACK: (2.0, 0.5),
    QUEEN: (1.3, 0.4),
    KING: (1.0, 0.0),
    ACE: (0.0, 0.0),
}
"""Victory points, up to a scale, for taking the location, and for every die it is taken with."""

Counts = tuple[tuple[int, ...], int, tuple[int, ...]]
Rows = tuple[tuple[tuple[float, ...], ...], ...]
"""By dice held, then by dice to come: what 0, 1, 2, … more dice add to the worth of a location."""


@cache
def counts(dice: tuple[int, ...]) -> Counts:
    """Return how many dice show each face, their code (see ``halls``), and the weight by face."""
    held = tuple(map(dice.count, range(FACES)))
    to_come = DICE - len(dice)
    weights = tuple(WEIGHTS[shown, to_come] for shown in held)
    return held, sum(_CODES[face] for face in dice), weights


class _Tables(dict[int, Rows]):
    """The rows of one location by the sum of its rivals' weights, made when first asked for."""

    def __init__(self, location: tuple[float, float]) -> None:
        super().__init__()
        self._location = location

    def __missing__(self, key: int) -> Rows:
        made = self[key] = rows(self._location, key)
        return made


@lru_cache(maxsize=64)
def contest(dice: Sequence[tuple[int, ...]]) -> list[tuple[tuple[int, ...], int, list[Rows]]]:
    """Return, for every seat, how many dice it holds of a face, their code, and each face's rows.

    ``dice`` are all seats' dice set aside; the others are rolled once and kept as they fall.
    """
    shown = [counts(each) for each in dice]
    totals = [sum(column) for column in zip(*[weights for _, _, weights in shown], strict=True)]
    return [
        (held, code, [table[all_ - own] for table, all_, own in zip(_TABLES, totals, weights)])  # noqa: B905  # hot
        for held, code, weights in shown
    ]


@cache
def binomial(dice: int) -> tuple[float, ...]:
    """Return the chances that 0, 1, … of some dice show one given face.

    Here and below chances are quotients of integers: the same on every platform, as powers and sums
    of floats are not.
    """
    return tuple(ways / FACES**dice for ways in _hits(dice))


def _hits(dice: int) -> list[int]:
    """Return in how many of all rolls 0, 1, … dice show one given face."""
    return [comb(dice, hits) * (FACES - 1) ** (dice - hits) for hits in range(dice + 1)]


@cache
def _fewer(shown: int, to_come: int) -> tuple[tuple[float, float], ...]:
    """Return, for 0 to 5 dice, the chances that a rival ends with fewer, and with as many at most.

    The rival shows some dice of the face and rolls its dice to come once.
    """
    hits, rolls = _hits(to_come), FACES**to_come
    return tuple(
        (sum(hits[: max(0, mine - shown)]) / rolls, sum(hits[: max(0, mine - shown + 1)]) / rolls)
        for mine in range(DICE + 1)
    )


@cache
def majority(key: int) -> list[float]:
    """Return, for 0 to 5 dice of a face, the chance to have the most; a tie counts half.

    ``key`` is the sum of the rivals' weights. No dice take nothing.
    """
    fewer, as_many = [1.0] * (DICE + 1), [1.0] * (DICE + 1)
    for rival in _rivals(key):
        for mine, (below, up_to) in enumerate(_fewer(*rival)):
            fewer[mine] *= below
            as_many[mine] *= up_to
    chances = [(low + high) / 2 for low, high in zip(fewer, as_many, strict=True)]
    return [0.0, *chances[1:]]


def _rivals(key: int) -> Iterator[tuple[int, int]]:
    for pair in PAIRS:
        key, number = divmod(key, DICE + 1)
        for _ in range(number):
            yield pair


def rows(location: tuple[float, float], key: int) -> Rows:
    """Return what dice add to a location's worth against the rivals whose weights make ``key``."""
    take, die = location
    now = [chance * (take + die * dice) for dice, chance in enumerate(majority(key))]
    by_come = []
    for _ in range(DICE + 1):
        by_come.append(now)
        now = [((FACES - 1) * now[n] + now[min(DICE, n + 1)]) / FACES for n in range(DICE + 1)]
    return tuple(
        tuple([tuple([more - row[held] for more in row[held:]]) for row in by_come])
        for held in range(DICE + 1)
    )


_TABLES = tuple(_Tables(LOCATIONS[face]) for face in range(FACES))


@cache
def _strengths() -> dict[tuple[int, ...], int]:
    """Return, for every hand of five dice, twice the random hands that it beats; a tie counts 1."""
    hands = {hand: _weight(hand) for hand in combinations_with_replacement(range(FACES), DICE)}
    better: dict[tuple[int, ...], int] = {}
    passed = 0
    for hand in sorted(hands, key=rank):
        better[hand] = 2 * passed + hands[hand]
        passed += hands[hand]
    return better


def _weight(hand: tuple[int, ...]) -> int:
    ways = factorial(len(hand))
    for face in set(hand):
        ways //= factorial(hand.count(face))
    return ways


@cache
def halls(rivals: int, claim: float) -> dict[int, float]:
    """Return what the Town Hall is worth by the code of the dice held, with claims at ``claim``.

    The code of dice is the sum of 6**face over them. The other dice are rolled once. Rivals choose
    what they keep, so that beating one counts as beating a random hand twice.
    """
    return {
        sum(_CODES[face] for face in held): claim * _claims(held, rivals)
        for number in range(DICE + 1)
        for held in combinations_with_replacement(range(FACES), number)
    }


def _claims(held: tuple[int, ...], rivals: int) -> float:
    """Return the expected claims from the Town Hall (DT-3.7)."""
    strengths, power = _strengths(), 2 * rivals
    missing = DICE - len(held)
    claims = 0
    for more in combinations_with_replacement(range(FACES), missing):
        hand = tuple(sorted(held + more))
        claims += _weight(more) * strengths[hand] ** power * min(3, 1 + hand.count(ACE))
    expected: float = claims / (FACES**missing * (2 * FACES**DICE) ** power)
    return expected


Way = tuple[tuple[int, ...], int, int, int]
"""Places of dice kept, the numbers of the one or two faces kept (see ``keeps``), and their code."""
Keeps = tuple[tuple[tuple[int, int], ...], tuple[tuple[int, tuple[Way, ...]], ...]]


@cache
def keeps(dice: tuple[int, ...]) -> Keeps:
    """Return the (face, how many) that can be kept of the sorted ``dice``, and the ways to keep.

    A way keeps none, one or two of these parts, numbered from 1 (0 is none), of different faces.
    The ways are grouped by how many dice are kept.
    """
    faces = sorted(set(dice))
    parts = [(face, kept) for face in faces for kept in range(1, dice.count(face) + 1)]
    found: list[list[Way]] = [[] for _ in range(len(dice) + 1)]
    for way in _ways(dict(enumerate(parts, 1))):
        kept = [parts[number - 1] for number in way if number]
        places = [dice.index(face) + n for face, number in kept for n in range(number)]
        code = sum(_CODES[face] * number for face, number in kept)
        found[len(places)].append((tuple(places), *way, code))
    by_number = tuple((number, tuple(ways)) for number, ways in enumerate(found) if ways)
    return tuple(parts), by_number


def _ways(parts: dict[int, tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of the parts of each way; none is a way for the last die alone.

    The first die kept is free, and keeping none costs a dollar.
    """
    if len(parts) == 1:
        yield 0, 0
    for one, (face, kept) in parts.items():
        yield one, 0
        for other, (higher, more) in parts.items():
            if higher > face and kept + more <= MIXED:
                yield one, other
