"""CPace, a key from a password: the suite CPACE-X25519-SHA512 of draft-irtf-cfrg-cpace-21.

Two sides that know one password get one key; anybody else learns whether one guess was right, for
each run that it takes part in, and nothing from runs of others. What the draft calls initiator is
side A. No randomness, no clock; X25519 is libsodium's, the map to the curve is written here.
"""

from __future__ import annotations

from hashlib import sha512
from typing import Final

import nacl.bindings as sodium

ELEMENT: Final = 32
"""Bytes of an element, and of a scalar."""
_PRIME: Final = 2**255 - 19
_A: Final = 486_662
_BLOCK: Final = 128
"""Bytes that SHA-512 takes at once."""
_DSI: Final = b"CPace255"


def generator(password: bytes, channel: bytes, session: bytes) -> bytes:
    """Return the element that stands for a password between two parties in one session."""
    padding = _BLOCK - len(_lv(password)) - len(_lv(_DSI)) - 1
    text = b"".join(map(_lv, (_DSI, password, bytes(max(0, padding)), channel, session)))
    return _elligator2(sha512(text).digest()[:ELEMENT])


def multiple(scalar: bytes, element: bytes) -> bytes:
    """Return an element times a scalar; ``ValueError`` where that would be the neutral one."""
    try:
        product: bytes = sodium.crypto_scalarmult(scalar, element)
    except RuntimeError as error:
        raise ValueError("an element of small order") from error
    return product


def key(
    session: bytes, shared: bytes, of_a: tuple[bytes, bytes], of_b: tuple[bytes, bytes]
) -> bytes:
    """Return the 64 bytes that both sides get from the ``shared`` element.

    ``of_a`` and ``of_b`` are what each side sent: its element, and data that goes with it.
    """
    return sha512(b"".join(map(_lv, (_DSI + b"_ISK", session, shared, *of_a, *of_b)))).digest()


def _lv(data: bytes) -> bytes:
    """Return data behind its length in LEB128."""
    head, left = bytearray(), len(data)
    while left > 127:
        head.append(left & 127 | 128)
        left >>= 7
    return bytes([*head, left]) + data


def _elligator2(data: bytes) -> bytes:
    """Map 32 bytes to the curve (RFC 9380, 6.7.1; its highest bit does not count)."""
    r = int.from_bytes(data, "little") % 2**255
    v = -_A * pow(1 + 2 * r * r, -1, _PRIME) % _PRIME
    is_square = pow((v * v + _A * v + 1) * v % _PRIME, (_PRIME - 1) // 2, _PRIME) != _PRIME - 1
    return (v if is_square else (-v - _A) % _PRIME).to_bytes(ELEMENT, "little")
