"""A key entrusted to a quorum: Feldman's verifiable secret sharing, used only in the exponent.

The owner of x deals values f(1) … f(n) of a polynomial of degree q - 1 with f(0) = x and publishes
A_k = a_k·G for its coefficients, so that everybody knows every peer's share key f(j)·G (Feldman,
FOCS 1987). For a point H, f(j)·H with its proof is a *partial*; q partials give x·H by Lagrange's
formula. x itself is never rebuilt: nothing here returns it, and a partial opens one point alone.

Shares travel sealed, each to its receiver's game key, in one message to all. Peers are counted from
0, as in the roster; peer j holds f(j + 1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lanplay_protocol.crypto.errors import BadElement, BadProof
from lanplay_protocol.crypto.group import (
    L,
    Point,
    Scalar,
    add,
    base,
    hash_to_scalar,
    msm,
    mul,
    point,
)
from lanplay_protocol.crypto.hashing import check_seed, number
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.crypto.proofs import check_powers, powers_of, prove_powers


@dataclass(frozen=True, slots=True)
class Dealing:
    """What the owner deals: ``commitments`` for all to see, ``shares[j]`` for peer j alone."""

    commitments: tuple[Point, ...]
    shares: tuple[Scalar, ...] = field(repr=False)


def deal(key: GameKey, peers: int, quorum: int, seed: bytes) -> Dealing:
    """Share ``key`` among ``peers`` so that any ``quorum`` of them can stand in for it.

    ``seed``: 32 secret bytes, used once. ``ValueError`` unless 1 <= quorum <= peers.
    """
    if not 1 <= quorum <= peers:
        raise ValueError(f"a quorum of {quorum} among {peers} peers")
    check_seed(seed)
    more = [hash_to_scalar("escrow/coefficient", seed, number(k)) for k in range(1, quorum)]
    coefficients = [key.x, *more]
    shares = tuple(_value(coefficients, peer + 1) for peer in range(peers))
    return Dealing(tuple(base(a) for a in coefficients), shares)


def _value(coefficients: Sequence[Scalar], at: int) -> Scalar:
    result = 0
    for coefficient in reversed(coefficients):
        result = (result * at + coefficient) % L
    return result


def check_commitments(commitments: Sequence[Point], public: Point, quorum: int) -> None:
    """Raise ``BadProof`` or ``BadElement`` unless they share the key of ``public`` for a quorum.

    More commitments would raise the quorum, fewer lower it; all are proven of prime order.
    """
    if len(commitments) != quorum:
        raise BadProof(f"{len(commitments)} commitments share a key for a quorum of {quorum}")
    if commitments[0] != public:
        raise BadProof("the key that is shared is not the key of this game")
    for place, commitment in enumerate(commitments):
        try:
            point(commitment)
        except BadElement as error:
            raise BadElement(f"commitment {place}: {error}") from error


def share_key(commitments: Sequence[Point], peer: int) -> Point:
    """Return f(j + 1)·G for peer j: what its share and its partials are checked against.

    ``commitments`` have passed ``check_commitments``; ``BadProof`` for a negative place, as place
    -1 would be the key itself.
    """
    if peer < 0:
        raise BadProof(f"there is no peer {peer}")
    powers = [pow(peer + 1, k, L) for k in range(1, len(commitments))]
    return add(commitments[0], msm(powers, commitments[1:]))


def check_share(commitments: Sequence[Point], peer: int, share: Scalar) -> None:
    """Raise ``BadProof`` unless ``share`` is the value that was committed to for this peer."""
    if not 0 < share < L:
        raise BadProof("a share of a key is a scalar from 1 to L - 1")
    if base(share) != share_key(commitments, peer):
        raise BadProof(f"the share of peer {peer} is not the one committed to")


def partials(
    share: Scalar, bases: Sequence[Point], context: bytes
) -> tuple[tuple[Point, ...], bytes]:
    """Return share·H for every base, and the proof for all, good in ``context`` alone."""
    key = GameKey(share)
    powers = powers_of(key, bases)
    return powers, prove_powers(key, bases, powers, context)


def check_partials(
    commitments: Sequence[Point],
    peer: int,
    bases: Sequence[Point],
    powers: Sequence[Point],
    proof: bytes,
    context: bytes,
) -> None:
    """Raise ``BadProof`` unless peer j's partials are its own share's powers of the bases."""
    check_powers(share_key(commitments, peer), bases, powers, proof, context)


def combine(powers: Mapping[int, Point]) -> Point:
    """Return x·H from checked partials by peer; as many as the quorum, or the result is noise."""
    result: Point | None = None
    for peer, power in powers.items():
        part = mul(_lagrange(peer, powers), power)
        result = part if result is None else add(result, part)
    if result is None:
        raise ValueError("no partials")
    return result


def _lagrange(peer: int, peers: Mapping[int, Point]) -> Scalar:
    """Return the coefficient at 0 of peer j's value: the product of m / (m - j)."""
    above = below = 1
    for other in peers:
        if other != peer:
            above = above * (other + 1) % L
            below = below * (other - peer) % L
    return above * pow(below, -1, L) % L
