"""Messages for one receiver that everybody may carry, and that can be opened before witnesses.

A sealing is E || proof || box with E = e·G for a fresh e: a proof that its author knows e, and the
plaintext under ChaCha20-Poly1305 (RFC 8439) with a key from E, the receiver X and e·X. It is
Diffie-Hellman encryption signed by its own ephemeral key (Schnorr, Jakobsson, ASIACRYPT 2000).

The proof is what makes disclosure safe. A receiver that calls a sealing bad publishes x·E with a
proof; were E free to choose, it could be half of a card or the base of a die, and a complaint would
give away x times that. Whoever knows e knows x·E = e·X already and learns nothing.

The box key is a function of E and X, so all who open a sealing see the same plaintext, although
the cipher alone does not commit to its key.
"""

from __future__ import annotations

from nacl import bindings as sodium
from nacl.exceptions import CryptoError as NaClError

from lanplay_protocol.crypto import schnorr
from lanplay_protocol.crypto.errors import BadProof, BadSeal
from lanplay_protocol.crypto.group import SIZE, Point, base, hash_to_scalar, mul
from lanplay_protocol.crypto.hashing import check_seed, digest
from lanplay_protocol.crypto.keys import GameKey

AUTHORSHIP = "proof/sealing"
DISCLOSURE = "proof/disclosure"
TAG = sodium.crypto_aead_chacha20poly1305_ietf_ABYTES
OVERHEAD = SIZE + schnorr.PROOF + TAG
"""A sealing is this many bytes longer than its plaintext."""
NONCE = bytes(sodium.crypto_aead_chacha20poly1305_ietf_NPUBBYTES)
"""All zero: every key seals one message."""


def seal(to: Point, plaintext: bytes, context: bytes, seed: bytes) -> bytes:
    """``plaintext`` sealed to the game key ``to``; opens only in the same ``context``.

    ``seed``: 32 secret bytes, unique per use; as e depends on all arguments, even a repeated seed
    reuses no key. BadElement if ``to`` is not a valid point. The length is not hidden.
    """
    e = hash_to_scalar("sealing/ephemeral", check_seed(seed), to, context, plaintext)
    ephemeral = base(e)
    key = _box_key(ephemeral, to, mul(e, to))
    box = sodium.crypto_aead_chacha20poly1305_ietf_encrypt(plaintext, context, NONCE, key)
    proof = schnorr.prove(AUTHORSHIP, e, ephemeral, (), (), _bound(to, box, context))
    return ephemeral + proof + box


def open_sealed(key: GameKey, sealed: bytes, context: bytes) -> bytes:
    """The plaintext; BadSeal if it was not sealed to this key in this context.

    A receiver to whom the plaintext is no use (a false share, say) shows it with ``disclose``.
    """
    ephemeral, box = _checked(key.X, sealed, context)
    return _open(ephemeral, key.X, mul(key.x, ephemeral), box, context)


def check_sealed(receiver: Point, sealed: bytes, context: bytes) -> None:
    """Nothing, or BadSeal: it is malformed, or made for another receiver or context.

    What everybody can tell of a sealing; whether its box opens, only the receiver.
    """
    _checked(receiver, sealed, context)


def disclose(key: GameKey, sealed: bytes, context: bytes) -> bytes:
    """96 bytes with which ``judge`` opens exactly this sealing, for everyone who holds it.

    BadSeal if the sealing is malformed: everyone sees that without a disclosure.
    """
    ephemeral, _ = _checked(key.X, sealed, context)
    shared = mul(key.x, ephemeral)
    bound = digest("sealing/disclosed", sealed, context)
    proof = schnorr.prove(DISCLOSURE, key.x, key.X, (ephemeral,), (shared,), bound)
    return shared + proof


def judge(receiver: Point, sealed: bytes, disclosure: bytes, context: bytes) -> bytes:
    """The plaintext of a sealing to ``receiver``, as the receiver saw it.

    BadSeal: the sealing is garbage, its sender is at fault (a malformed one is so whatever the
    disclosure says, even if empty). BadProof: the disclosure is false, the receiver is at fault.
    """
    ephemeral, box = _checked(receiver, sealed, context)
    shared, proof = disclosure[:SIZE], disclosure[SIZE:]
    bound = digest("sealing/disclosed", sealed, context)
    schnorr.check(DISCLOSURE, receiver, (ephemeral,), (shared,), proof, bound)
    return _open(ephemeral, receiver, shared, box, context)


def _checked(receiver: Point, sealed: bytes, context: bytes) -> tuple[Point, bytes]:
    if len(sealed) < OVERHEAD:
        raise BadSeal(f"a sealing has at least {OVERHEAD} bytes, not {len(sealed)}")
    ephemeral, proof = sealed[:SIZE], sealed[SIZE : SIZE + schnorr.PROOF]
    box = sealed[SIZE + schnorr.PROOF :]
    try:
        schnorr.check(AUTHORSHIP, ephemeral, (), (), proof, _bound(receiver, box, context))
    except BadProof as error:
        raise BadSeal("the sealing is malformed, or for another receiver or context") from error
    return ephemeral, box


def _open(ephemeral: Point, receiver: Point, shared: Point, box: bytes, context: bytes) -> bytes:
    key = _box_key(ephemeral, receiver, shared)
    try:
        return sodium.crypto_aead_chacha20poly1305_ietf_decrypt(box, context, NONCE, key)
    except NaClError as error:
        raise BadSeal("the box does not open with the key that its sender agreed on") from error


def _box_key(ephemeral: Point, receiver: Point, shared: Point) -> bytes:
    return digest("sealing/key", ephemeral, receiver, shared)


def _bound(receiver: Point, box: bytes, context: bytes) -> bytes:
    return digest("sealing/bound", receiver, box, context)
