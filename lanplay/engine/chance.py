"""Keyed chance: every piece of luck is a function of a key and its slot, never of a stream.

So the same deal meets every line-up, and a bot's own draws change nothing for anybody else.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import blake2b
from itertools import product
from math import factorial
from struct import Struct
from typing import Final

from lanplay.engine.plain import encode
from lanplay.engine.requests import At, Face, Seat

_DICE: Final = 5
"""Dice under one cup that are looked up; more are worked out one by one."""
_FIVE: Final = 6**_DICE
_TABLE_LIMIT: Final = 6**6
"""Rolls of open dice that are looked up; more are worked out one by one."""
_BITS: Final = 256
"""How many bits of a slot's number are spent on dice: what is left makes them even."""
_SMALL: Final = 6
"""Orders of so many things are looked up."""
_WORDS: Final = Struct("<8Q")
"""Seats fed by one digest: eight words of eight bytes."""
_integer: Final = int.from_bytes
_SLOTS: Final = 1 << 11
"""Names of slots that are kept for a purpose: games use the same ones, some hundreds."""
_named: Final[dict[str, dict[At, tuple[bytes, bytes]]]] = {}
"""Names of slots by purpose."""


def _slot(purpose: str, at: At) -> tuple[bytes, bytes]:
    """Return the first byte of a slot's name, and the others."""
    names = _named.get(purpose)
    if names is None or len(names) == _SLOTS:
        names = _named[purpose] = {}
    parts = names.get(at)
    if parts is None:
        name = encode((purpose, *at))
        parts = names[at] = name[:1], name[1:]
    return parts


@cache
def _five_dice() -> tuple[tuple[Face, ...], ...]:
    return tuple(product(range(6), repeat=_DICE))


@cache
def _open_dice(count: int, sides: int) -> tuple[tuple[Face, ...], ...]:
    """Return all rolls of so many dice, the first die the lowest digit of a roll's number.

    None at all if they are more than are looked up.
    """
    if sides**count > _TABLE_LIMIT:
        return ()
    return tuple([dice[::-1] for dice in product(range(sides), repeat=count)])


def _order(size: int, number: int) -> list[int]:
    """Return the order of ``size`` things with this number (Fisher-Yates)."""
    order = list(range(size))
    number %= factorial(size)  # no more of it counts, and of few things little is left
    for last in range(size - 1, 0, -1):
        place = number % (last + 1)
        number //= last + 1
        order[last], order[place] = order[place], order[last]
    return order


@cache
def _orders(size: int) -> tuple[tuple[int, ...], ...]:
    """Return all orders of ``size`` things by their numbers."""
    return tuple(tuple(_order(size, number)) for number in range(factorial(size)))


class Chance:
    """All the luck of one game, derived from ``key`` (at most 64 bytes)."""

    __slots__ = ("_begun", "_keyed")

    def __init__(self, key: bytes) -> None:
        self._keyed = blake2b(key=key)
        self._begun: dict[bytes, blake2b] = {}

    def digest(self, purpose: str, at: At) -> bytes:
        """Return the 64 bytes that belong to a slot."""
        first, others = _slot(purpose, at)
        try:
            slot = self._begun[first].copy()
        except KeyError:
            slot = self._begin(first).copy()
        slot.update(others)
        return slot.digest()

    def _begin(self, first: bytes) -> blake2b:
        """Feed the first byte of a slot: with it, and but once, the block of the key is hashed."""
        begun = self._begun[first] = self._keyed.copy()
        begun.update(first)
        return begun

    def number(self, purpose: str, at: At) -> int:
        """Return a uniform number of 512 bits that belongs to a slot."""
        return _integer(self.digest(purpose, at), "little")

    def below(self, limit: int, purpose: str, at: At) -> int:
        """Return a number from 0 to ``limit`` - 1; its bias is below 2**-448 for limits < 2**64."""
        return 0 if limit == 1 else _integer(self.digest(purpose, at), "little") % limit

    def cups(self, at: At, dice: dict[Seat, int]) -> dict[Seat, tuple[Face, ...]]:
        """Return so many six-sided dice for each seat.

        One digest feeds the first eight seats up to five dice each; the bias of a seat's 64-bit
        word is below 2**-51.
        """
        table = _five_dice()
        words = _WORDS.unpack(self.digest("cup", at))
        cups = {}
        for seat, count in dice.items():
            if count <= _DICE and seat < len(words):
                cups[seat] = table[words[seat] % _FIVE][:count]
            else:
                cups[seat] = self.dice(count, 6, at, f"cup {seat}")
        return cups

    def dice(self, count: int, sides: int, at: At, purpose: str = "open") -> tuple[Face, ...]:
        """Return ``count`` dice with faces 0 to ``sides`` - 1, each with a bias below 2**-250."""
        number = _integer(self.digest(purpose, at), "little")
        if table := _open_dice(count, sides):
            return table[number % len(table)]
        most = _BITS // sides.bit_length()
        faces = []
        for place in range(count):
            if place and place % most == 0:
                number = _integer(self.digest(f"{purpose} {place}", at), "little")
            number, face = divmod(number, sides)
            faces.append(face)
        return tuple(faces)

    def permutation(self, size: int, purpose: str, at: At) -> Sequence[int]:
        """Return a uniform order of ``size`` <= 80 things (Fisher-Yates on one 512-bit number)."""
        if size < 2:
            return range(size)
        number = _integer(self.digest(purpose, at), "little")
        if size <= _SMALL:
            orders = _orders(size)
            return orders[number % len(orders)]
        return _order(size, number)
