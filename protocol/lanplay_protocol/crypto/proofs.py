"""Powers of points by a game key, proven: entropy, dice and decryption shares are all of this kind.

One proof covers all the powers that a message carries, and stays 64 bytes (see ``schnorr``).
"""

from __future__ import annotations

from collections.abc import Sequence

from lanplay_protocol.crypto import schnorr
from lanplay_protocol.crypto.group import Point, mul
from lanplay_protocol.crypto.keys import GameKey

POWERS = "proof/powers"


def powers_of(key: GameKey, bases: Sequence[Point]) -> tuple[Point, ...]:
    """x·B for every base, in order; BadElement if a base is not a valid point."""
    return tuple(mul(key.x, b) for b in bases)


def prove_powers(
    key: GameKey, bases: Sequence[Point], powers: Sequence[Point], context: bytes
) -> bytes:
    """The 64-byte proof that powers[i] = x·bases[i] for all i, for the x of ``key``.

    It is bound to the order and number of the points and to ``context``, which names game, step
    and sender. The same arguments give the same bytes.
    """
    return schnorr.prove(POWERS, key.x, key.X, bases, powers, context)


def check_powers(
    public: Point, bases: Sequence[Point], powers: Sequence[Point], proof: bytes, context: bytes
) -> None:
    """Nothing, or BadProof: some power is not x·base for the x of ``public``, or no valid point.

    It costs 2n + 1 multiplications, which also validate all 2n + 1 points: pass the powers as they
    came from the wire.
    """
    schnorr.check(POWERS, public, bases, powers, proof, context)
