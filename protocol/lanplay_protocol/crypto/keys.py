"""A peer's one key of a game, and the proof that it holds it."""

from __future__ import annotations

from dataclasses import dataclass, field

from lanplay_protocol.crypto import schnorr
from lanplay_protocol.crypto.group import L, Point, Scalar, base, hash_to_scalar
from lanplay_protocol.crypto.hashing import check_seed

POSSESSION = "proof/possession"


@dataclass(frozen=True, slots=True)
class GameKey:
    """A secret scalar x, 0 < x < L, and its public point X = x·G."""

    x: Scalar = field(repr=False)
    X: Point = field(init=False)

    def __post_init__(self) -> None:
        if not 0 < self.x < L:
            raise ValueError("a secret key is a scalar from 1 to L - 1")
        object.__setattr__(self, "X", base(self.x))

    @classmethod
    def derive(cls, seed: bytes) -> GameKey:
        """The key that a 32-byte seed determines; ValueError for another length."""
        return cls(hash_to_scalar("key", check_seed(seed)))


def prove_key(key: GameKey, context: bytes) -> bytes:
    """The 64-byte proof of possession of ``key`` (Schnorr), good in ``context`` alone.

    The context names game and peer. Without such a proof a peer could choose its key as a function
    of the others' and own the joint key (rogue key: Ristenpart, Yilek, EUROCRYPT 2007).
    """
    return schnorr.prove(POSSESSION, key.x, key.X, (), (), context)


def check_key(public: Point, proof: bytes, context: bytes) -> None:
    """Nothing, or BadProof: the sender of ``public`` does not show its secret key in ``context``.

    Afterwards ``public`` is known to be a point of prime order.
    """
    schnorr.check(POSSESSION, public, (), (), proof, context)
