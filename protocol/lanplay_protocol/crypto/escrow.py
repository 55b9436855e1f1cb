"""A key entrusted to a quorum: Feldman's verifiable secret sharing, used only in the exponent.

The owner of x deals values f(1) … f(n) of a polynomial of degree q - 1 with f(0) = x and publishes
A_k = a_k·G for its coefficients, so that everybody knows every peer's share key f(j)·G (Feldman,
FOCS 1987). For a point H, f(j)·H with its proof is a *partial*; q partials give x·H by Lagrange's
formula. x itself is never rebuilt: nothing here returns it, and a partial opens one point alone.

Shares travel sealed, each to its receiver's game key, in one message to all. What a receiver alone
can see to be false it discloses, and ``judge_share`` finds the same verdict wherever it is asked.
Peers are counted from 0, as in the roster; peer j holds f(j + 1).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lanplay_protocol.crypto.errors import BadElement, BadProof, BadSeal, CryptoError
from lanplay_protocol.crypto.group import (
    IDENTITY,
    SIZE,
    L,
    Point,
    Scalar,
    add,
    base,
    encode,
    hash_to_scalar,
    msm,
    mul,
    point,
    scalar,
)
from lanplay_protocol.crypto.hashing import check_seed, digest, number
from lanplay_protocol.crypto.keys import GameKey
from lanplay_protocol.crypto.proofs import check_powers, powers_of, prove_powers
from lanplay_protocol.crypto.sealing import OVERHEAD, check_sealed, judge, open_sealed, seal


@dataclass(frozen=True, slots=True)
class Dealing:
    """What the owner deals: ``commitments`` for all to see, ``shares[j]`` for peer j alone."""

    commitments: tuple[Point, ...]
    shares: tuple[Scalar, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class SealedDealing:
    """A dealing as it travels to all: ``sealed[j]`` opens for peer j alone."""

    commitments: tuple[Point, ...]
    sealed: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class ShareVerdict:
    """Who is at fault where a receiver complains of what was sealed to it, and why."""

    sender_guilty: bool
    why: str


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


def share(
    key: GameKey, receivers: Sequence[Point], quorum: int, context: bytes, seed: bytes
) -> SealedDealing:
    """Deal ``key`` to the game keys of all peers, each share sealed to its own.

    ``context`` names game, phase and dealer; ``seed`` is 32 secret bytes, used once.
    """
    dealing = deal(key, len(receivers), quorum, seed)
    sealed = tuple(
        seal(to, encode(value), context, digest("escrow/sealing", seed, number(peer)))
        for peer, (to, value) in enumerate(zip(receivers, dealing.shares, strict=True))
    )
    return SealedDealing(dealing.commitments, sealed)


def check_dealing(
    dealing: SealedDealing, public: Point, receivers: Sequence[Point], quorum: int, context: bytes
) -> None:
    """Raise ``CryptoError`` for whatever is wrong with a dealing for all to see.

    Only whether the shares are those committed to is left to their receivers. A share of zero is
    refused: its peer could prove nothing by it.
    """
    check_commitments(dealing.commitments, public, quorum)
    if len(dealing.sealed) != len(receivers):
        raise BadSeal(f"{len(dealing.sealed)} sealed shares for {len(receivers)} peers")
    for peer, (to, sealed) in enumerate(zip(receivers, dealing.sealed, strict=True)):
        if share_key(dealing.commitments, peer) == IDENTITY:
            raise BadProof(f"the share of peer {peer} is zero")
        if len(sealed) != SIZE + OVERHEAD:
            raise BadSeal(f"the share of peer {peer} is sealed in {len(sealed)} bytes")
        try:
            check_sealed(to, sealed, context)
        except BadSeal as error:
            raise BadSeal(f"the share of peer {peer}: {error}") from error


def open_share(key: GameKey, peer: int, dealing: SealedDealing, context: bytes) -> Scalar:
    """Return this peer's share of a dealing; ``CryptoError`` if it is false.

    A receiver that finds it so shows what ``sealing.disclose`` makes of ``dealing.sealed[peer]``.
    """
    return read_share(dealing.commitments, peer, open_sealed(key, dealing.sealed[peer], context))


def read_share(commitments: Sequence[Point], peer: int, plain: bytes) -> Scalar:
    """Return the share that an opened sealing holds; ``CryptoError`` if it is false."""
    value = scalar(plain)
    check_share(commitments, peer, value)
    return value


def judge_share(
    dealing: SealedDealing,
    receivers: Sequence[Point],
    peer: int,
    disclosure: bytes,
    context: bytes,
) -> ShareVerdict:
    """Return who is at fault where ``peer`` complains of its share: the same for everybody.

    The dealing has passed ``check_dealing``. ``ValueError`` if there is no such peer.
    """
    if not 0 <= peer < len(receivers):
        raise ValueError(f"there is no peer {peer} of {len(receivers)} to complain")
    sealed, to, given = dealing.sealed[peer], receivers[peer], dealing.commitments
    return judged(sealed, to, disclosure, context, lambda plain: read_share(given, peer, plain))


def judged(
    sealed: bytes,
    receiver: Point,
    disclosure: bytes,
    context: bytes,
    read: Callable[[bytes], object],
) -> ShareVerdict:
    """Return who is at fault for a sealed part whose content ``read`` refuses if it is false."""
    try:
        plain = judge(receiver, sealed, disclosure, context)
    except BadProof as error:
        return ShareVerdict(False, f"the disclosure is false: {error}")
    except BadSeal as error:
        return ShareVerdict(True, str(error))
    try:
        read(plain)
    except CryptoError as error:
        return ShareVerdict(True, str(error))
    return ShareVerdict(False, "what was sealed is true")


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
