"""Commitments to simultaneous choices that bind even an author who leaves.

With γ = x·HashToPoint(slot), secret to the author until it is opened: the salt is derived from γ,
the pad from the salt, the commitment is H(slot, salt, choice), and the padded choice travels sealed
under the pad. An honest author opens by (choice, salt), and what it had sealed is checked then; a
quorum that holds shares of x can recover γ and with it exactly this choice.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanplay_protocol.crypto.errors import BadProof, BadSeal
from lanplay_protocol.crypto.group import Point, hash_to_point, mul
from lanplay_protocol.crypto.hashing import digest, expand
from lanplay_protocol.crypto.keys import GameKey

_END = b"\x80"
"""Closes the choice in its padding (ISO/IEC 7816-4)."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """What the author publishes first: a 32-byte hash and the sealed choice."""

    digest: bytes
    sealed: bytes


def base_of(slot: bytes) -> Point:
    """Return the point whose power by the author's key is γ."""
    return hash_to_point("choice", slot)


def commit(key: GameKey, slot: bytes, choice: bytes, size: int) -> Commitment:
    """Commit to ``choice`` at ``slot`` (unique in all games), padded to a multiple of ``size``."""
    salt = opening(key, slot)
    padded = choice + _END
    padded += bytes(-len(padded) % size)
    return Commitment(_bound(slot, salt, choice), _mask(salt, padded))


def opening(key: GameKey, slot: bytes) -> bytes:
    """Return the 32-byte salt that, with the choice, opens the author's commitment at ``slot``."""
    return _salt(mul(key.x, base_of(slot)))


def check_opening(commitment: Commitment, slot: bytes, choice: bytes, salt: bytes) -> None:
    """Raise ``BadProof`` unless (choice, salt) is what was committed to and sealed at ``slot``."""
    if _bound(slot, salt, choice) != commitment.digest:
        raise BadProof("the opening does not match the commitment")
    if _unpadded(_mask(salt, commitment.sealed)) != choice:
        raise BadProof("another choice was sealed than the one committed to")


def open_by_gamma(commitment: Commitment, slot: bytes, gamma: Point) -> bytes:
    """Return the choice that a recovered γ opens; ``BadSeal`` if its author sealed another one."""
    salt = _salt(gamma)
    choice = _unpadded(_mask(salt, commitment.sealed))
    if choice is None or _bound(slot, salt, choice) != commitment.digest:
        raise BadSeal("the sealed choice is not the one committed to")
    return choice


def _unpadded(padded: bytes) -> bytes | None:
    choice, end, rest = padded.rpartition(_END)
    return choice if end and not any(rest) else None


def _salt(gamma: Point) -> bytes:
    return digest("choice/salt", gamma)


def _bound(slot: bytes, salt: bytes, choice: bytes) -> bytes:
    return digest("choice/commitment", slot, salt, choice)


def _mask(salt: bytes, data: bytes) -> bytes:
    stream = expand("choice/pad", digest("choice/pad-key", salt), len(data))
    return bytes(a ^ b for a, b in zip(data, stream, strict=True))
