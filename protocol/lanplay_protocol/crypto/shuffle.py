"""Shuffles that prove themselves: re-masking and permuting a pile without showing how.

The proof is Terelius and Wikström's (AFRICACRYPT 2010) in the form of Haenni, Locher, Koenig and
Dubuis, "Pseudo-code algorithms for verifiable re-encryption mix-nets" (FC 2017 workshops), made
non-interactive by a challenge over everything (Fiat-Shamir). In additive notation, with generators
h, h_1 … h_N that are hashes, so that nobody knows a relation between them:

- c_j = r_j·G + h_i for j = ψ(i) commits to the permutation ψ,
- challenges u_j, permuted u'_i = u_ψ(i), and the chain ĉ_i = r̂_i·G + u'_i·ĉ_(i-1), ĉ_0 = h,
- one Schnorr-like proof that the c_j commit to a permutation and the new pile follows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from lanplay_protocol.crypto.cards import Ciphertext, plain_deck, remask
from lanplay_protocol.crypto.errors import BadProof
from lanplay_protocol.crypto.group import (
    SIZE,
    L,
    Point,
    Scalar,
    add,
    base,
    encode,
    hash_to_point,
    hash_to_scalar,
    msm,
    mul,
    point,
    scalar,
    sub,
    total,
)
from lanplay_protocol.crypto.hashing import below, digest, number

LIMIT = 64
"""Most cards of one pile."""


@dataclass(frozen=True, slots=True)
class Witness:
    """What only the shuffler knows: ``order[i]`` is the old place of the new card i; r'_i."""

    order: tuple[int, ...]
    masks: tuple[Scalar, ...]


@cache
def _generators() -> tuple[Point, tuple[Point, ...]]:
    places = tuple(hash_to_point("shuffle/generator", number(i + 1)) for i in range(LIMIT))
    return hash_to_point("shuffle/generator", number(0)), places


def shuffle(
    deck: Sequence[Ciphertext], joint: Point, seed: bytes
) -> tuple[list[Ciphertext], Witness]:
    """Return the pile re-masked in an order that ``seed`` (32 secret bytes, used once) decides."""
    order = permutation(len(deck), seed)
    masks = _scalars("shuffle/mask", seed, len(deck))
    fresh = [remask(deck[old], joint, r) for old, r in zip(order, masks, strict=True)]
    return fresh, Witness(order, masks)


def permutation(size: int, seed: bytes) -> tuple[int, ...]:
    """Return the order in which ``shuffle`` lays a pile: the old place of every new card."""
    order = list(range(size))
    for last in range(size - 1, 0, -1):
        place = below(last + 1, "shuffle/order", seed, number(last))
        order[last], order[place] = order[place], order[last]
    return tuple(order)


def _scalars(label: str, seed: bytes, count: int) -> tuple[Scalar, ...]:
    return tuple(hash_to_scalar(label, seed, number(place)) for place in range(count))


@dataclass(frozen=True, slots=True)
class _Statement:
    """What is proven, and the challenges that it and the commitments to ψ fix."""

    old: Sequence[Ciphertext]
    new: Sequence[Ciphertext]
    joint: Point
    context: bytes
    commitments: tuple[Point, ...]

    def seed(self) -> bytes:
        h, places = _generators()
        size = len(self.old)
        parts = (plain_deck(self.old), plain_deck(self.new), b"".join(self.commitments))
        fixed = (self.context, self.joint, h, b"".join(places[:size]))
        return digest("shuffle/statement", *fixed, *parts)

    def challenges(self, seed: bytes) -> tuple[Scalar, ...]:
        return _scalars("shuffle/challenge", seed, len(self.old))


def _challenge(seed: bytes, chain: Sequence[Point], answers: Sequence[Point]) -> Scalar:
    return hash_to_scalar("shuffle/final", seed, b"".join(chain), b"".join(answers))


def prove_shuffle(
    old: Sequence[Ciphertext],
    new: Sequence[Ciphertext],
    witness: Witness,
    joint: Point,
    context: bytes,
    seed: bytes,
) -> bytes:
    """Return the proof that ``new`` is ``old`` re-masked and permuted, good in ``context`` alone.

    ``seed`` is 32 secret bytes, used for this proof only. The proof is (4N + 5)·32 bytes.
    """
    size = len(old)
    h, places = _generators()
    order = witness.order
    r = _scalars("shuffle/r", seed, size)
    commitments = [b""] * size
    for i, j in enumerate(order):
        commitments[j] = add(base(r[j]), places[i])
    statement = _Statement(old, new, joint, context, tuple(commitments))
    fixed = statement.seed()
    u = statement.challenges(fixed)
    permuted = [u[j] for j in order]
    chain_r = _scalars("shuffle/chain", seed, size)
    chain = [h]
    for i in range(size):
        chain.append(add(base(chain_r[i]), mul(permuted[i], chain[-1])))
    w1, w2, w3, w4 = _scalars("shuffle/w", seed, 4)
    w_chain = _scalars("shuffle/w-chain", seed, size)
    w_order = _scalars("shuffle/w-order", seed, size)
    answers = [
        base(w1),
        base(w2),
        add(base(w3), msm(w_order, places[:size])),
        sub(msm(w_order, [c.a for c in new]), mul(w4, joint)),
        sub(msm(w_order, [c.b for c in new]), base(w4)),
        *(add(base(w_chain[i]), mul(w_order[i], chain[i])) for i in range(size)),
    ]
    c = _challenge(fixed, chain[1:], answers)
    secrets = (
        sum(r),
        _chained(chain_r, permuted),
        sum(a * b for a, b in zip(r, u, strict=True)),
        sum(a * b for a, b in zip(witness.masks, permuted, strict=True)),
    )
    responses = [
        *((w + c * x) % L for w, x in zip((w1, w2, w3, w4), secrets, strict=True)),
        *((w + c * x) % L for w, x in zip(w_chain, chain_r, strict=True)),
        *((w + c * x) % L for w, x in zip(w_order, permuted, strict=True)),
    ]
    points = b"".join(commitments) + b"".join(chain[1:])
    return points + encode(c) + b"".join(encode(s) for s in responses)


def _chained(chain_r: Sequence[Scalar], permuted: Sequence[Scalar]) -> Scalar:
    """Return r̂ = Σ r̂_i · Π_(k>i) u'_k, so that ĉ_N = r̂·G + (Π u'_k)·h."""
    result = 0
    for r, u in zip(chain_r, permuted, strict=True):
        result = (result * u + r) % L
    return result


def check_shuffle(
    old: Sequence[Ciphertext], new: Sequence[Ciphertext], proof: bytes, joint: Point, context: bytes
) -> None:
    """Raise ``BadProof`` (``BadElement`` for an invalid part) unless the proof holds.

    The points of ``new`` must have been validated before (``parse_deck``).
    """
    size = len(old)
    if len(new) != size or not 0 < size <= LIMIT:
        raise BadProof(f"a shuffle of {size} cards into {len(new)}")
    if len(proof) != (4 * size + 5) * SIZE:
        raise BadProof(f"a shuffle proof of {size} cards has another length")
    parts = [proof[at : at + SIZE] for at in range(0, len(proof), SIZE)]
    commitments = tuple(point(part) for part in parts[:size])
    h, places = _generators()
    chain = [h, *(point(part) for part in parts[size : 2 * size])]
    c, s1, s2, s3, s4, *rest = (scalar(part) for part in parts[2 * size :])
    s_chain, s_order = rest[:size], rest[size:]
    statement = _Statement(old, new, joint, context, commitments)
    fixed = statement.seed()
    u = statement.challenges(fixed)
    product = 1
    for factor in u:
        product = product * factor % L
    all_commitments = sub(total(commitments), total(places[:size]))
    end = sub(chain[-1], mul(product, h))
    answers = [
        sub(base(s1), mul(c, all_commitments)),
        sub(base(s2), mul(c, end)),
        sub(add(base(s3), msm(s_order, places[:size])), mul(c, msm(u, commitments))),
        sub(
            sub(msm(s_order, [x.a for x in new]), mul(s4, joint)),
            mul(c, msm(u, [x.a for x in old])),
        ),
        sub(sub(msm(s_order, [x.b for x in new]), base(s4)), mul(c, msm(u, [x.b for x in old]))),
        *(
            sub(add(base(s_chain[i]), mul(s_order[i], before)), mul(c, after))
            for i, (before, after) in enumerate(pairwise(chain))
        ),
    ]
    if _challenge(fixed, chain[1:], answers) != c:
        raise BadProof("the shuffle proof does not hold")
