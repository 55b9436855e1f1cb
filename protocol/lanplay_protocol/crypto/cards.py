"""Cards under a joint key: ElGamal over the group, with cards as hash-derived points.

A card m is masked as (a, b) = (m + r·Y, r·G) with Y the sum of all peers' keys. It takes every
peer's share x·b to open it (Barnett and Smart, IMACC 2003).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lanplay_protocol.crypto.errors import BadElement
from lanplay_protocol.crypto.group import (
    SIZE,
    Point,
    Scalar,
    add,
    base,
    hash_to_point,
    mul,
    point,
    sub,
)
from lanplay_protocol.crypto.group import total as sum_of

FaceTable: TypeAlias = Mapping[Point, int]
"""The face of every card point of a game."""


@dataclass(frozen=True, slots=True)
class Ciphertext:
    """A masked card: two points."""

    a: Point
    b: Point


def card_point(deck: str, face: int) -> Point:
    """Return the point that stands for a face; nobody knows a relation between two of them."""
    return hash_to_point("card", deck.encode(), face.to_bytes(2, "big"))


def joint_key(keys: Sequence[Point]) -> Point:
    """Return Y, the sum of all public keys, each with a proof of possession checked before."""
    return sum_of(keys)


def open_mask(m: Point, joint: Point) -> Ciphertext:
    """Return the first masking of a card, r = 1: the same for everybody, hiding nothing."""
    return Ciphertext(add(m, joint), base(1))


def remask(c: Ciphertext, joint: Point, r: Scalar) -> Ciphertext:
    """Return the same card under fresh randomness added to the old."""
    return Ciphertext(add(c.a, mul(r, joint)), add(c.b, base(r)))


def unmask(c: Ciphertext, shares: Iterable[Point]) -> Point:
    """Return the card's point, given x·b of every peer."""
    m = c.a
    for share in shares:
        m = sub(m, share)
    return m


def plain_deck(deck: Sequence[Ciphertext]) -> bytes:
    """Return the bytes of a pile: a and b of every card, 64 bytes each."""
    return b"".join(c.a + c.b for c in deck)


def parse_deck(data: bytes, count: int) -> list[Ciphertext]:
    """Return the pile of ``count`` cards; ``BadElement`` for another length or an invalid point."""
    if len(data) != 2 * SIZE * count:
        raise BadElement(f"a pile of {count} cards is {2 * SIZE * count} bytes, not {len(data)}")
    points = [point(data[at : at + SIZE]) for at in range(0, len(data), SIZE)]
    return [Ciphertext(a, b) for a, b in zip(points[::2], points[1::2], strict=True)]
