"""The prime-order subgroup of edwards25519: integers below L and their 32-byte points.

All arithmetic is libsodium's, through PyNaCl. Three of its habits shape this module: it raises
RuntimeError where a factor or a result is neutral; multiplication proves canonical encoding and
prime order of its point, at half its cost; ``add`` checks neither. So ``mul`` doubles as the
validation of a point, and sums are formed only of points that were multiplied or validated.

Points and scalars travel as 32 bytes, little-endian (RFC 8032, section 5.1.2).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import TypeAlias

from nacl import bindings as sodium

from lanplay_protocol.crypto.errors import BadElement
from lanplay_protocol.crypto.hashing import wide

Scalar: TypeAlias = int
"""An exponent in [0, L)."""
Point: TypeAlias = bytes
"""32 bytes; from the wire it is only a claim until ``point`` or ``mul`` accepted it."""

SIZE = 32
L = 2**252 + 27742317777372353535851937790883648493
"""The order of the group (RFC 8032, section 5.1)."""
IDENTITY: Point = b"\x01" + bytes(31)
"""The neutral element: a legitimate result, never a legitimate point of a message."""


def hash_to_point(label: str, *parts: bytes) -> Point:
    """A point whose discrete logarithm to any other base nobody knows.

    The sum of two Elligator 2 images, as hash_to_curve of RFC 9380, section 3: indifferentiable
    from a random oracle, where one image would reach only half of the curve.
    """
    uniform = wide(label, *parts)
    return sodium.crypto_core_ed25519_add(
        sodium.crypto_core_ed25519_from_uniform(uniform[:SIZE]),
        sodium.crypto_core_ed25519_from_uniform(uniform[SIZE:]),
    )


def hash_to_scalar(label: str, *parts: bytes) -> Scalar:
    """512 bits of hash reduced modulo L: uniform but for a bias below 2**-259."""
    return int.from_bytes(wide(label, *parts), "little") % L


def encode(k: Scalar) -> bytes:
    """The 32 bytes of ``k`` reduced modulo L."""
    return (k % L).to_bytes(SIZE, "little")


def scalar(data: bytes) -> Scalar:
    """The scalar that 32 bytes from the wire encode; BadElement unless it is below L."""
    k = int.from_bytes(data, "little")
    if len(data) != SIZE or k >= L:
        raise BadElement("a scalar is 32 bytes, little-endian, below the group order")
    return k


def point(data: bytes) -> Point:
    """The same 32 bytes, proven canonical, on the curve, of prime order; else BadElement."""
    if len(data) != SIZE or not sodium.crypto_core_ed25519_is_valid_point(data):
        raise BadElement("a point is the canonical encoding of an element of prime order")
    return data


def base(k: Scalar) -> Point:
    """k times the standard generator G."""
    reduced = encode(k)
    if not any(reduced):
        return IDENTITY
    return sodium.crypto_scalarmult_ed25519_base_noclamp(reduced)


def mul(k: Scalar, p: Point) -> Point:
    """k·P, and proof that P is valid: BadElement exactly where ``point(p)`` would raise it."""
    reduced = encode(k)
    if len(p) != SIZE or not any(reduced):
        point(p)
        return IDENTITY
    try:
        return sodium.crypto_scalarmult_ed25519_noclamp(reduced, p)
    except RuntimeError:
        raise BadElement("a factor is not an element of the prime-order group") from None


def add(p: Point, q: Point) -> Point:
    """P + Q for validated points or the identity; BadElement for bytes that are no point.

    It does not notice points of small or mixed order: validate before adding.
    """
    return _sum(sodium.crypto_core_ed25519_add, p, q)


def sub(p: Point, q: Point) -> Point:
    """P - Q, under the same terms as ``add``."""
    return _sum(sodium.crypto_core_ed25519_sub, p, q)


def msm(scalars: Sequence[Scalar], points: Sequence[Point]) -> Point:
    """The sum of k_i·P_i, the identity if empty; every P_i is validated as by ``mul``."""
    return total([mul(k, p) for k, p in zip(scalars, points, strict=True)])


def total(points: Sequence[Point]) -> Point:
    """The sum of validated points, the identity if there are none."""
    return reduce(add, points) if points else IDENTITY


def _sum(operation: Callable[[bytes, bytes], bytes], p: Point, q: Point) -> Point:
    if len(p) != SIZE or len(q) != SIZE:
        raise BadElement("a point has 32 bytes")
    try:
        return operation(p, q)
    except RuntimeError:
        raise BadElement("a summand is not a point of the curve") from None
