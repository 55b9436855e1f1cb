"""Knowledge of one logarithm that links many points: the proof under every other module.

Statement: the prover knows x with X = x·G and P_i = x·B_i for all i. This is Maurer's protocol
("Unifying Zero-Knowledge Proofs of Knowledge", AFRICACRYPT 2009) for the homomorphism
x -> (x·G, x·B_1, ..., x·B_n): Schnorr's proof for n = 0, Chaum-Pedersen's for n = 1.

    T = k·G,  T_i = k·B_i,  c = H(label, context, X, all B_i, all P_i, T, all T_i),  z = k + c·x

A proof is c || z, 64 bytes for any n; the verifier recomputes T = z·G - c·X and T_i = z·B_i - c·P_i
Two accepting answers to one commitment give x for all i at once, so a false P_i survives with
probability 1/L per challenge tried. Small-exponent batching (Bellare, Garay, Rabin, EUROCRYPT
'98) would replace the n equations by one in a random linear combination, but its weights cost as
many multiplications as they save where each takes constant time, and its bound is 2**-128.

k is derived from x and the whole statement (as in RFC 8032): proving twice gives the same bytes,
and no k ever serves two challenges.
"""

from __future__ import annotations

from collections.abc import Sequence

from lanplay_protocol.crypto.errors import BadElement, BadProof
from lanplay_protocol.crypto.group import (
    SIZE,
    Point,
    Scalar,
    base,
    encode,
    hash_to_scalar,
    mul,
    scalar,
    sub,
)
from lanplay_protocol.crypto.hashing import number

PROOF = 2 * SIZE
"""The length of every proof, in bytes."""


def prove(
    label: str,
    x: Scalar,
    public: Point,
    bases: Sequence[Point],
    powers: Sequence[Point],
    context: bytes,
) -> bytes:
    """The 64-byte proof that powers[i] = x·bases[i] for all i, and public = x·G.

    It holds only under the same ``label`` and ``context``. A false statement gives a proof that
    does not check: nothing is verified here.
    """
    statement = _statement(public, bases, powers, context)
    k = hash_to_scalar(label + "/nonce", encode(x), *statement)
    commitments = [base(k), *(mul(k, b) for b in bases)]
    c = _challenge(label, statement, commitments)
    return encode(c) + encode(k + c * x)


def check(
    label: str,
    public: Point,
    bases: Sequence[Point],
    powers: Sequence[Point],
    proof: bytes,
    context: bytes,
) -> None:
    """Nothing, or BadProof: the proof is for another statement, or some point is not valid.

    Afterwards ``public``, every base and every power is known to be of prime order.
    """
    if len(bases) != len(powers):
        raise BadProof(f"{len(powers)} powers came for {len(bases)} bases")
    try:
        c, z = _decode(proof)
        commitments = [sub(base(z), mul(c, public))]
        commitments += [sub(mul(z, b), mul(c, p)) for b, p in zip(bases, powers, strict=True)]
    except BadElement as error:
        raise BadProof(f"the proof does not parse: {error}") from error
    if c != _challenge(label, _statement(public, bases, powers, context), commitments):
        raise BadProof("the proof does not hold for these points in this context")


def _decode(proof: bytes) -> tuple[Scalar, Scalar]:
    if len(proof) != PROOF:
        raise BadElement(f"a proof has {PROOF} bytes, not {len(proof)}")
    return scalar(proof[:SIZE]), scalar(proof[SIZE:])


def _statement(
    public: Point, bases: Sequence[Point], powers: Sequence[Point], context: bytes
) -> list[bytes]:
    return [context, public, number(len(bases)), *bases, *powers]


def _challenge(label: str, statement: list[bytes], commitments: list[Point]) -> Scalar:
    return hash_to_scalar(label, base(1), *statement, *commitments)
